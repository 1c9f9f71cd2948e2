"""Where a formula can only come true when edges are added: edges of the conflict graph stand in it positively.

Between accesses of operand tables π_J keeps every edge, and beside these it adds edges on the log (L1.graph). A formula
in which edges stand only positively, and nothing else that π_J changes, cannot be lost behind it.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ..relations.formulas import Acyclic, Formula, Irreflexive, Not, children
from ..relations.terms import Base, Definition, Minus, Term

#: The base relations that are not the same behind π_J (`bridge/pullback.py`).
CHANGED: Final = frozenset(
    {
        *("item_read", "write", "final", "installed", "same_item", "reads_from", "version_order", "writer"),
        *("judge", "callback", "same_key", "other_vote", "unknown_vote", "log_fill"),
    }
)


def grows(formula: Formula) -> bool:
    """Whether edges stand only positively in a formula, and nothing else in it is changed by π_J."""
    return _grows(formula, True)


@cache
def _grows(node: Term | Formula, positive: bool) -> bool:
    if isinstance(node, Definition) and node.is_edge:
        return positive
    if isinstance(node, Base):
        return node.name not in CHANGED
    if isinstance(node, Minus):
        return _grows(node.one, positive) and _grows(node.other, not positive)
    if isinstance(node, (Not, Acyclic, Irreflexive)):
        return _grows(node.of, not positive)
    return all(_grows(part, positive) for part in children(node))
