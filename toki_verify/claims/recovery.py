"""Theorem 3 (carrier recoverability), decided by its definition (TOKI 2026: Definitions 3 and 4, Theorem 3, B.3).

Whether an answer determines its counterfactual is found by comparing all logs with that answer (`queries.py`), and set
against "the degree is at least 2", instance by instance, both ways. Where that fails, the largest of some classes of
instances in which it holds is the repair. The shift and the derivative are in `recovery_maps.py`, B.3.2 in
`summands.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from ..algebra.carriers import BOOLEAN, CARRIERS, MULTIDEGREE, MULTILINEAR, WHY, Carrier, PolynomialCarrier
from ..algebra.recovery import degree
from . import recovery_maps, summands
from .carriers_of import SEEDS
from .cells import Cells
from .model import Claim, Outcome
from .queries import BOUND, READING, Knows, Log, Query, Reading, answers, recovered, shown, smallest

_WHERE = "TOKI 2026, Definitions 3 and 4, Theorem 3"
Instance = tuple[Query, Log]


def degree_of(carrier: Carrier[Any], element: Any) -> int | None:
    """deg of X_r (Definition 4): 𝔹 'collapses every nonzero exponent to one'; None where elements have no monomials."""
    if isinstance(carrier, PolynomialCarrier):
        return degree(carrier, element, "r")
    if carrier == WHY:
        return int(any("r" in witness for witness in element))
    return int(element != carrier.zero) if carrier == BOOLEAN else None


#: Classes of instances, each within the one before. The first in which the equivalence holds is the repair.
CLASSES: Final[dict[str, Callable[[Query, Log], bool]]] = {
    "every instance": lambda query, log: True,
    "k_r ≥ 2": lambda query, log: log[0] >= 2,
    "k_r ≥ 2, and r contributes to π": lambda query, log: log[0] >= 2 and bool(query.contributing(log)),
    "k_r ≥ 2, r contributes to π, and no join of q is part of another": lambda query, log: (
        log[0] >= 2 and bool(query.contributing(log)) and not query.absorbs
    ),
}


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


def holds_in(carrier: Carrier[Any], reading: Reading, name: str) -> bool:
    """Whether the equivalence holds in a class of instances."""
    return not any(CLASSES[name](*instance) for instance in mismatches(carrier, reading))


def _counterexamples(carrier: Carrier[Any], reading: Reading, knows: Knows = "the query") -> list[str]:
    """The smallest instance that fails in each direction."""
    wrong = mismatches(carrier, reading, knows)
    lines = []
    for direction in (True, False):
        found = smallest(instance for instance, can in wrong.items() if can is direction)
        if found is not None:
            at = degree_of(carrier, answers(carrier, reading).of[found])
            lines.append(f"{carrier.name}: {shown(carrier, *found, reading, knows)}; degree {at}")
    return lines


def iff(carrier: Carrier[Any], reading: Reading = "power") -> Outcome:
    """The theorem in one carrier: literally, then in the largest class of instances in which it holds."""
    table = answers(carrier, reading)
    total, can = len(table.instances()), recovered(carrier, reading)
    if degree_of(carrier, carrier.one) is None:
        detail = f"{carrier.name} has no monomials, so no degree; it recovers {len(can)} of {total} instances"
        return Outcome("out-of-scope", "exhaustive", detail, bound=BOUND)
    wrong = mismatches(carrier, reading)
    if not wrong:
        return Outcome("holds", "exhaustive", f"in all {total} instances, {len(can)} recoverable", bound=BOUND)
    lines = tuple(_counterexamples(carrier, reading))
    ways = [sum(way is direction for way in wrong.values()) for direction in (True, False)]
    detail = (
        f"false in {len(wrong)} of {total} instances: {ways[0]} recoverable of degree below 2, {ways[1]} of degree at "
        f"least 2 not recoverable; it recovers {len(can)}"
    )
    name = next((name for name in CLASSES if holds_in(carrier, reading, name)), None)
    if name is None:
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=lines)
    inside = [instance for instance in table.instances() if CLASSES[name](*instance)]
    repair = f"where {name}: {len(inside)} instances, of which {sum(one in can for one in inside)} are recoverable"
    return Outcome("holds-repaired", "exhaustive", detail, bound=BOUND, evidence=lines, repair=repair)


def _iff_everywhere(cells: Cells) -> Outcome:
    """The seed's three carriers together, and what is true of all instances instead."""
    outcomes = {carrier.name: iff(carrier) for carrier in SEEDS}
    if all(outcome.verdict == "holds" for outcome in outcomes.values()):
        return Outcome("holds", "exhaustive", "in the three carriers of the seed", bound=BOUND)
    # The carrier that the theorem says recovers most first.
    lines = [line for name in ("multidegree", "multilinear", "boolean") for line in outcomes[name].evidence]
    lines += [f"{name}: {outcome.detail}" for name, outcome in outcomes.items()]
    lines += [f"every instance: {line}" for line in exact()]
    name = next((name for name in CLASSES if all(holds_in(found, "power", name) for found in SEEDS)), None)
    detail = f"literally false in {', '.join(name for name, out in outcomes.items() if out.verdict != 'holds')}"
    if name is None:
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=tuple(lines))
    yes, no = (
        sum((one in recovered(carrier, "power")) is way for carrier in SEEDS for one in _inside(carrier, name))
        for way in (True, False)
    )
    repair = (
        f"where {name} ({yes} instances of the three carriers are recoverable, of degree at least 2, and {no} neither);"
        f" on every instance instead: {'; '.join(exact())}"
    )
    return Outcome("holds-repaired", "exhaustive", detail, bound=BOUND, evidence=tuple(lines), repair=repair)


def _inside(carrier: Carrier[Any], name: str) -> list[Instance]:
    return [one for one in answers(carrier, "power").instances() if CLASSES[name](*one)]


def exact() -> list[str]:
    """What is true of every instance instead, of the two polynomial carriers: checked, not assumed."""
    said = []
    for carrier in (MULTIDEGREE, MULTILINEAR):
        table, can = answers(carrier, "power"), recovered(carrier, "power")
        if len(can) == len(table.instances()):
            said.append(f"{carrier.name} recovers each")
        elif all((one in can) == (degree_of(carrier, table.of[one]) == 0) for one in table.instances()):
            said.append(f"{carrier.name} recovers exactly those where π does not mention X_r")
    return said


# -- the order of carriers ---------------------------------------------------------------------------------------------
def _between(one: Carrier[Any], other: Carrier[Any], name: str) -> tuple[set[Instance], set[Instance]]:
    """What one carrier recovers in a class of instances and the other does not, and the other way round."""
    sets = [{found for found in recovered(carrier, "power") if CLASSES[name](*found)} for carrier in (one, other)]
    return sets[0] - sets[1], sets[1] - sets[0]


def as_ordered(name: str) -> bool:
    """Whether 𝔹 ≡ multilinear ⊊ multidegree, by what they recover in a class of instances."""
    apart, below = _between(BOOLEAN, MULTILINEAR, name), _between(MULTILINEAR, MULTIDEGREE, name)
    return apart == (set(), set()) and not below[0] and bool(below[1])


def _order(cells: Cells) -> Outcome:
    lines = []
    for one, other in ((BOOLEAN, MULTILINEAR), (MULTILINEAR, MULTIDEGREE)):
        for more, less, which in ((one, other, 0), (other, one, 1)):
            apart = _between(one, other, "every instance")[which]
            first = smallest(apart)
            if first is not None:
                said = [f"{found.name}: {shown(found, *first, 'power')}" for found in (more, less)]
                lines.append(f"{more.name} and not {less.name} recovers {len(apart)} instances: {'; '.join(said)}")
    name = next((name for name in CLASSES if as_ordered(name)), None)
    if name == "every instance":
        return Outcome("holds", "exhaustive", "by the instances that they recover", bound=BOUND, evidence=tuple(lines))
    detail = "𝔹 and multilinear do not recover the same instances"
    if name is None:
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=tuple(lines))
    return Outcome("holds-repaired", "exhaustive", detail, bound=BOUND, evidence=tuple(lines), repair=f"where {name}")


# -- readings ----------------------------------------------------------------------------------------------------------
READINGS: Final[dict[str, tuple[Reading, Knows, str]]] = {
    "power": ("power", "the query", "k occurrences are Xᵏ (Definition 3), and the map may depend on the query"),
    "sum": ("sum", "the query", "k occurrences are k·X, as bags are (Green et al. 2007)"),
    "one-map": ("power", "π alone", "k occurrences are Xᵏ, and one map serves every query: 'from π alone'"),
    "multiplicity": ("power", "the query and k_r", "k occurrences are Xᵏ, and the map is told k_r as well"),
}


def _reading(name: str) -> Outcome:
    reading, knows, _ = READINGS[name]
    lines, counts, total = [], [], 0
    for carrier in SEEDS:
        found, can = _counterexamples(carrier, reading, knows), recovered(carrier, reading, knows)
        total = len(answers(carrier, reading).instances())
        lines += found
        counts.append(f"{carrier.name} recovers {len(can)}, {len(mismatches(carrier, reading, knows))} against it")
    detail = f"of {total} instances each: {'; '.join(counts)}"
    verdict = "refuted" if lines else "holds"
    return Outcome(verdict, "exhaustive", detail, bound=BOUND, evidence=tuple(sorted(lines, key=len)))


_STATEMENT = "what a query answers without one occurrence of r is a function of its answer π exactly if deg X_r(π) ≥ 2"


def _iff_claim(name: str) -> Claim:
    found = CARRIERS[name]
    return Claim(f"T3.iff.{name}", _WHERE, f"in {name}, {_STATEMENT}", READING, lambda cells: iff(found))


def _reading_claim(name: str) -> Claim:
    words = READINGS[name][2]
    where = "ours (CLAIMS, T3.iff)"
    return Claim(f"T3.reading.{name}", where, f"{_STATEMENT}, in another reading", words, lambda cells: _reading(name))


CLAIMS = (
    Claim("T3.iff", _WHERE, f"in each of the seed's carriers, {_STATEMENT}", READING, _iff_everywhere),
    *map(_iff_claim, CARRIERS),
    *recovery_maps.CLAIMS,
    Claim(
        "T3.order",
        "TOKI 2026, Theorem 3",
        "𝔹 recovers what multilinear recovers, and multidegree strictly more",
        f"{READING}; carriers are compared by the instances that they recover",
        _order,
    ),
    *map(_reading_claim, READINGS),
    *summands.CLAIMS,
)
