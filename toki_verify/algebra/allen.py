"""Allen's thirteen interval relations, converses and composition (Allen 1983; TOKI 2026, §2.1, Theorem 4(3)).

A relation is what the four endpoints of two periods say, so everything is computed from endpoints: nothing here is a
table that could have a wrong line.
"""

from __future__ import annotations

from enum import Enum
from functools import cache
from itertools import product
from typing import Any, Final

from .periods import Period


class Allen(Enum):
    """The thirteen relations, each with its one-line meaning over periods [a, b) and [c, d)."""

    BEFORE = "b < c"
    MEETS = "b = c"
    OVERLAPS = "a < c < b < d"
    STARTS = "a = c, b < d"
    DURING = "c < a, b < d"
    FINISHES = "c < a, b = d"
    EQUALS = "a = c, b = d"
    FINISHED_BY = "a < c, b = d"
    CONTAINS = "a < c, d < b"
    STARTED_BY = "a = c, d < b"
    OVERLAPPED_BY = "c < a < d < b"
    MET_BY = "a = d"
    AFTER = "d < a"

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")


#: The four that share no instant; the nine others do (closed-open periods).
DISJOINT: Final = frozenset({Allen.BEFORE, Allen.AFTER, Allen.MEETS, Allen.MET_BY})
SHARING: Final = frozenset(Allen) - DISJOINT

# By the sign of a-c, b-d where the two overlap.
_OVERLAPPING: Final = {
    (-1, -1): Allen.OVERLAPS,
    (-1, 0): Allen.FINISHED_BY,
    (-1, 1): Allen.CONTAINS,
    (0, -1): Allen.STARTS,
    (0, 0): Allen.EQUALS,
    (0, 1): Allen.STARTED_BY,
    (1, -1): Allen.DURING,
    (1, 0): Allen.FINISHES,
    (1, 1): Allen.OVERLAPPED_BY,
}


def relation(first: Period[Any], second: Period[Any]) -> Allen:
    """The one relation in which two periods stand."""
    if not second.start < first.end:
        return Allen.MEETS if second.start == first.end else Allen.BEFORE
    if not first.start < second.end:
        return Allen.MET_BY if first.start == second.end else Allen.AFTER
    return _OVERLAPPING[_sign(first.start, second.start), _sign(first.end, second.end)]


def _sign(left: Any, right: Any) -> int:
    return -1 if left < right else int(right < left)


@cache
def _periods(instants: int) -> tuple[Period[int], ...]:
    return tuple(Period(a, b) for a in range(instants) for b in range(a + 1, instants))


def converse(found: Allen) -> Allen:
    """The relation of the second to the first."""
    first, second = next(pair for pair in product(_periods(4), repeat=2) if relation(*pair) is found)
    return relation(second, first)


@cache
def compositions() -> dict[tuple[Allen, Allen], frozenset[Allen]]:
    """The composition table: the relations possible between x and z where x R y and y S z, for all 169 pairs.

    Three periods have six endpoints, so six instants show everything that can be.
    """
    found: dict[tuple[Allen, Allen], set[Allen]] = {}
    named = {pair: relation(*pair) for pair in product(_periods(6), repeat=2)}
    for x, y, z in product(_periods(6), repeat=3):
        found.setdefault((named[x, y], named[y, z]), set()).add(named[x, z])
    return {pair: frozenset(relations) for pair, relations in found.items()}


def compose(first: Allen, second: Allen) -> frozenset[Allen]:
    """The relations in which x may stand to z where x `first` y and y `second` z."""
    return compositions()[first, second]
