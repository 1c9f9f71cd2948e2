"""In which instances of Theorem 3 "recoverable" and "degree at least 2" agree, and what is recoverable instead.

What each of the seed's carriers recovers is said exactly (`EXACT`): argued for every union of joins and every log, and
checked on every instance of the bound, by the definition (TOKI 2026, Definitions 3 and 4, Theorem 3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple

from ..algebra.carriers import BOOLEAN, MULTIDEGREE, MULTILINEAR, WHY, Carrier, PolynomialCarrier
from ..algebra.recovery import degree
from .queries import Knows, Log, Query, Reading, answers, recovered

Instance = tuple[Query, Log]


def degree_of(carrier: Carrier[Any], element: Any) -> int | None:
    """deg of X_r (Definition 4): 𝔹 'collapses every nonzero exponent to one'; None where elements have no monomials."""
    if isinstance(carrier, PolynomialCarrier):
        return degree(carrier, element, "r")
    if carrier == WHY:
        return int(any("r" in witness for witness in element))
    return int(element != carrier.zero) if carrier == BOOLEAN else None


@cache
def mismatches(carrier: Carrier[Any], reading: Reading, knows: Knows = "the query") -> dict[Instance, bool]:
    """The instances at which 'recoverable' and 'degree at least 2' differ, with whether they are recoverable."""
    table, can = answers(carrier, reading), recovered(carrier, reading, knows)
    found = {}
    for instance in table.instances():
        at = degree_of(carrier, table.of[instance])
        if (instance in can) != (at is not None and at >= 2):
            found[instance] = instance in can
    return found


# -- repairs -----------------------------------------------------------------------------------------------------------
def _twice(query: Query, log: Log) -> bool:
    return any(join.count("r") * log[0] >= 2 for join in query.contributing(log))


#: Conditions on a query and a log; the repair is the largest class of instances that some of them make.
CONDITIONS: Final[dict[str, Callable[[Query, Log], bool]]] = {
    "π ≠ 0": lambda query, log: query.answered(log),
    "r contributes to π": lambda query, log: bool(query.contributing(log)),
    "k_r ≥ 2": lambda query, log: log[0] >= 2,
    "a join that contributes names r, twice or with k_r ≥ 2 (degree at least 2 in multidegree)": _twice,
    "some join that names r contains no join without r": lambda query, log: query.needs_r,
}
Class = tuple[str, ...]


def text_of(name: Class) -> str:
    """A class of instances in words."""
    return ", and ".join(name) or "every instance"


@cache
def inside(name: Class) -> tuple[Instance, ...]:
    """The instances of a class."""
    conditions = [CONDITIONS[part] for part in name]
    every = answers(BOOLEAN, "power").instances()
    return tuple(one for one in every if all(condition(*one) for condition in conditions))


@cache
def classes() -> tuple[Class, ...]:
    """Every class that is not empty, large ones first; of one size that with the fewest conditions."""
    found = [name for number in range(len(CONDITIONS) + 1) for name in combinations(CONDITIONS, number)]
    return tuple(sorted(filter(inside, found), key=lambda name: (-len(inside(name)), len(name))))


def holds_in(carrier: Carrier[Any], reading: Reading, name: Class) -> bool:
    """Whether the equivalence holds in a class of instances."""
    return mismatches(carrier, reading).keys().isdisjoint(inside(name))


def largest(good: Callable[[Class], bool]) -> Class | None:
    """The largest class in which something holds."""
    return next((name for name in classes() if good(name)), None)


def all_others(carriers: Iterable[Carrier[Any]], name: Class) -> bool:
    """Whether on every instance outside of a class the equivalence fails in some carrier: then none is larger."""
    wrong = set().union(*(mismatches(carrier, "power") for carrier in carriers))
    return len(wrong | set(inside(name))) == len(inside(()))


# -- what is recoverable, exactly --------------------------------------------------------------------------------------
class Exact(NamedTuple):
    """What a carrier recovers: in words, as a condition on a query and its answer, and why it is so of every log."""

    words: str
    recovers: Callable[[Query, Any], bool]
    why: str


EXACT: Final[dict[Carrier[Any], Exact]] = {
    MULTIDEGREE: Exact(
        "recovers every instance",
        lambda query, answer: True,
        "a monomial names the rows of its joins, so π says which joins contribute; the greatest power of X_r among "
        "them is k_r times how often a join names r, so it says k_r",
    ),
    MULTILINEAR: Exact(
        "recovers exactly those where π does not mention X_r",
        lambda query, answer: degree(MULTILINEAR, answer, "r") == 0,
        "where it does not, no join with r contributes; where it does, k_r = 1 and k_r = 2 give one π, and without one "
        "r the first loses the joins with r and the second does not",
    ),
    BOOLEAN: Exact(
        "recovers exactly those where π is false, or every join that names r contains a join without r",
        lambda query, answer: not answer or not query.needs_r,
        "false stays false, and true stays true where r makes no difference; else the rows of a join with r that "
        "contains none without r, each once, give true, and false without r, but with r twice true and true",
    ),
}


def exact(carriers: Iterable[Carrier[Any]] = EXACT) -> list[str]:
    """What is true of every instance instead, of the carriers in which it is found to be."""
    said = []
    for carrier in carriers:
        table, can = answers(carrier, "power"), recovered(carrier, "power")
        if all((one in can) == EXACT[carrier].recovers(one[0], table.of[one]) for one in table.instances()):
            said.append(f"{carrier.name} {EXACT[carrier].words}")
    return said
