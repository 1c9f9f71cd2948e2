"""A fingerprint of a formula: equal exactly for formulas with the same definitions, whatever process computes it."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from hashlib import sha256

from .formulas import Formula, Region
from .terms import Term


def fingerprint(formula: Formula) -> str:
    """The SHA-256 of the formula with every definition in it written out, each distinct part once."""
    seen: dict[Term | Formula, int] = {}
    lines: list[str] = []

    def visit(node: Term | Formula) -> int:
        if node not in seen:
            parts = [type(node).__name__, *(shown(getattr(node, entry.name)) for entry in fields(node))]  # type: ignore[arg-type]
            seen[node] = len(lines)
            lines.append(" ".join(parts))
        return seen[node]

    def shown(value: object) -> str:
        if isinstance(value, (Term, Formula)):
            return f"#{visit(value)}"
        if isinstance(value, tuple):
            return f"({' '.join(map(shown, value))})"
        if isinstance(value, Enum):
            return value.name
        if isinstance(value, Region):
            return f"{value.table!r} {value.partition!r}"
        return repr(value)

    visit(formula)
    return sha256("\n".join(lines).encode()).hexdigest()
