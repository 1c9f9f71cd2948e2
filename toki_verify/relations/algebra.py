"""The relational language in one place: what definitions are written with."""

from .formulas import (
    Acyclic,
    And,
    Cycle,
    Formula,
    Irreflexive,
    Named,
    Not,
    Or,
    Region,
    Some,
    Within,
    acyclic,
    children,
    conjuncts,
    cycle,
    irreflexive,
    some,
)
from .terms import (
    Base,
    Converse,
    Definition,
    Identity,
    Join,
    Meet,
    Minus,
    Plus,
    Sort,
    SortError,
    Term,
    Txn,
    Union,
    domain,
    txn,
)

__all__ = [
    "Acyclic", "And", "Base", "Converse", "Cycle", "Definition", "Formula", "Identity", "Irreflexive", "Join", "Meet",
    "Minus", "Named", "Not", "Or", "Plus", "Region", "Some", "Sort", "SortError", "Term", "Txn", "Union", "Within",
    "acyclic", "children", "conjuncts", "cycle", "domain", "irreflexive", "some", "txn",
]
