"""What shows that a level holds: orders and timestamps, and their independent check."""

from __future__ import annotations

from collections.abc import Iterator

from ..levels.lattice import Level
from ..relations.bits import bits, order
from ..relations.concrete import Concrete
from ..relations.formulas import And, Formula, Named, Not
from ..relations.terms import Identity, Join, Term, Union
from .evidence import Support


def support(concrete: Concrete, level: Level) -> Support:
    """The evidence for a level that holds (SEMANTICS §4)."""
    absent = absent_of(level)
    if level.order is None:
        return Support("absence", absent=absent)
    if level.evidence == "timestamps":
        return Support("timestamps", timestamps=_timestamps(concrete, level.order), absent=absent)
    found = order(concrete.term(level.order))
    assert found is not None, "a level that holds has an order"
    return Support(level.evidence, order=tuple(_committed(concrete, found)), absent=absent)


def absent_of(level: Level) -> tuple[str, ...]:
    """The phenomena that are absent at a level, by name, in the order of its formula."""
    return tuple(dict.fromkeys(_absent(level.formula)))


def _committed(concrete: Concrete, positions: list[int]) -> Iterator[str]:
    for position in positions:
        if concrete.txns[position] in concrete.schedule.resolved.committed:
            yield concrete.txns[position]


def _absent(formula: Formula) -> Iterator[str]:
    if isinstance(formula, And):
        yield from _absent(formula.one)
        yield from _absent(formula.other)
    elif isinstance(formula, Not) and isinstance(formula.of, Named):
        yield formula.of.name
    elif isinstance(formula, Named):
        yield from _absent(formula.of)


def snapshot_terms(term: Term) -> tuple[Term, Term]:
    """The dependencies and anti-dependencies of `d ; a?`."""
    assert isinstance(term, Join) and isinstance(term.other, Union) and isinstance(term.other.other, Identity)
    return term.one, term.other.one


def _timestamps(concrete: Concrete, term: Term) -> tuple[tuple[str, int, int], ...]:
    """st and ct per committed transaction: a topological order of the constraints of SEMANTICS §4.

    Node 2i is st(i), node 2i+1 is ct(i): st(i) < ct(i); a dependency i → j has ct(i) < st(j); an anti-dependency has
    st(i) < ct(j).
    """
    dependencies, anti = snapshot_terms(term)
    count = len(concrete.txns)
    rows = [0] * (2 * count)
    for i, (dep_row, anti_row) in enumerate(zip(concrete.term(dependencies), concrete.term(anti), strict=True)):
        rows[2 * i] |= 1 << (2 * i + 1)
        for j in bits(dep_row):
            rows[2 * i + 1] |= 1 << (2 * j)
        for j in bits(anti_row):
            rows[2 * i] |= 1 << (2 * j + 1)
    found = order(rows)
    assert found is not None, "a level that holds has timestamps"
    place = {node: position for position, node in enumerate(found)}
    return tuple(
        (txn, place[2 * i], place[2 * i + 1])
        for i, txn in enumerate(concrete.txns)
        if txn in concrete.schedule.resolved.committed
    )
