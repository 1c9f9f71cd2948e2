"""The rules of CPC that the kernel knows, by family. What is not here is not accepted."""

from __future__ import annotations

from .equality import EQUALITY_RULES
from .propositional import PROPOSITIONAL_RULES
from .quantifiers import QUANTIFIER_RULES
from .resolution import RESOLUTION_RULES
from .schemata import SCHEMA_RULES
from .step import Rule

RULES: dict[str, Rule] = {
    **SCHEMA_RULES,
    **PROPOSITIONAL_RULES,
    **RESOLUTION_RULES,
    **EQUALITY_RULES,
    **QUANTIFIER_RULES,
}

__all__ = ["RULES", "Rule"]
