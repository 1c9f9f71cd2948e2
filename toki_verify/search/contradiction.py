"""Combinations that no schedule can have by definition: one formula both asked for and excluded."""

from __future__ import annotations

from ..relations.formulas import And, Formula, Named, Not, Or
from ..relations.printing import formula_text
from ..relations.terms import number


def contradiction(formula: Formula) -> str | None:
    """The name (or the text) of a formula that a conjunction both asks for and excludes; None if there is none.

    It looks through names and through `not (a or b)`, and no further: what it finds needs no search.
    """
    held: dict[int, Formula] = {}
    excluded: dict[int, Formula] = {}
    stack: list[tuple[Formula, bool, Formula]] = [(formula, True, formula)]
    while stack:
        node, positive, named = stack.pop()
        if isinstance(node, Named):
            named = node
        (held if positive else excluded)[number(node)] = named
        if isinstance(node, Named):
            stack.append((node.of, positive, node))
        elif isinstance(node, Not):
            stack.append((node.of, not positive, node.of))
        elif isinstance(node, And if positive else Or):
            stack += [(node.one, positive, node.one), (node.other, positive, node.other)]
    clashes = [held[key] for key in held if key in excluded]
    if not clashes:
        return None
    names = [clash.name for clash in clashes if isinstance(clash, Named)]
    return names[0] if names else formula_text(clashes[0])
