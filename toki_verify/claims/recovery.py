"""Theorem 3 (carrier recoverability), decided by its definition (TOKI 2026: Definitions 3 and 4, Theorem 3, B.3).

Whether an answer determines its counterfactual is found by comparing all logs with that answer (`queries.py`), and set
against "the degree is at least 2", instance by instance, both ways. Where that fails, the largest of some classes of
instances in which it holds is the repair. B.3.2 is in `summands.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from ..algebra.carriers import BOOLEAN, CARRIERS, MULTIDEGREE, MULTILINEAR, WHY, Carrier, PolynomialCarrier
from ..algebra.recovery import degree, derivative, shift, substitute_zero
from . import summands
from .carriers_of import SEEDS
from .cells import Cells
from .model import Claim, Outcome
from .queries import BOUND, Knows, Log, Query, Reading, answers, recovered, shown, smallest

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


# -- the recovery map --------------------------------------------------------------------------------------------------
def right(mapping: Callable[..., Any], instance: Instance) -> bool:
    """Whether a map of π gives the counterfactual answer of an instance, in the multidegree carrier."""
    table = answers(MULTIDEGREE, "power")
    return bool(mapping(MULTIDEGREE, table.of[instance], "r") == table.without(*instance))


def _wrong(mapping: Callable[..., Any], instance: Instance) -> str:
    table = answers(MULTIDEGREE, "power")
    got, wanted = mapping(MULTIDEGREE, table.of[instance], "r"), table.without(*instance)
    texts = [MULTIDEGREE.text(element) for element in (table.of[instance], got, wanted)]
    words = f"q = {instance[0]}, A = {shown(MULTIDEGREE, *instance, 'power').split('A = ')[1].split(':')[0]}"
    return f"{words}: π = {texts[0]}, the map gives {texts[1]}, without one r it is {texts[2]}"


def once(query: Query, log: Log) -> bool:
    """Whether every join with r that contributes names r once."""
    return all(join.count("r") == 1 for join in query.contributing(log))


def shifts(mapping: Callable[..., Any] = shift) -> Outcome:
    """'Recovery is the shift' where the theorem says that there is one: at degree 2 and more."""
    table = answers(MULTIDEGREE, "power")
    degrees = {one: degree(MULTIDEGREE, table.of[one], "r") for one in table.instances()}
    claimed = [one for one in table.instances() if degrees[one] >= 2]
    bad = [one for one in claimed if not right(mapping, one)]
    if not bad:
        return Outcome("holds", "exhaustive", f"right in all {len(claimed)} instances of degree ≥ 2", bound=BOUND)
    first = smallest(bad)
    assert first is not None
    lines = [_wrong(mapping, first)]
    low = smallest(one for one in table.instances() if degrees[one] == 1 and not right(mapping, one))
    if low is not None:
        zero = "π with X_r = 0 is right" if right(substitute_zero, low) else "so is π with X_r = 0"
        lines.append(f"of degree 1: {_wrong(mapping, low)}; {zero}")
    single = [one for one in table.instances() if one[1][0] == 1]
    if all(right(substitute_zero, one) for one in single):
        lines.append(f"π with X_r = 0 is right in each of the {len(single)} instances with k_r = 1")
    detail = f"wrong in {len(bad)} of the {len(claimed)} instances of degree at least 2"
    fragment = [one for one in claimed if one[1][0] >= 2 and once(*one)]
    if not fragment or not all(right(mapping, one) for one in fragment):
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=tuple(lines))
    repair = (
        f"where k_r ≥ 2 and no join that contributes names r twice: right in all {len(fragment)} of these instances"
    )
    return Outcome("holds-repaired", "exhaustive", detail, bound=BOUND, evidence=tuple(lines), repair=repair)


def _derivative(cells: Cells) -> Outcome:
    """The derivative is wrong at every degree from 2; no element doubles to X, so no map undoes its coefficient."""
    table = answers(MULTIDEGREE, "power")
    meant = [one for one in table.instances() if one[0].contributing(one[1])]
    claimed = [one for one in meant if degree(MULTIDEGREE, table.of[one], "r") >= 2]
    correct = [one for one in meant if right(derivative, one)]
    bad, lucky = smallest(set(correct) & set(claimed)), smallest(correct)
    if bad is not None:
        line = f"right: {_wrong(derivative, bad)}"
        return Outcome("refuted", "exhaustive", "right in some instances", bound=BOUND, evidence=(line,))
    first = smallest(claimed)
    lines = [] if first is None else [_wrong(derivative, first)]
    if lucky is not None:
        lines.append(f"of degree 1 it is right in {len(correct)} instances, the smallest: {_wrong(derivative, lucky)}")
    x = MULTIDEGREE.token("r")
    halves = [element for element in MULTIDEGREE.small() if MULTIDEGREE.plus(element, element) == x]
    detail = f"wrong in all {len(claimed)} instances of degree at least 2" + (
        "; it sends r² to 2·r, and no element doubles to r (coefficients would be even), so no homomorphism undoes it"
        if not halves
        else ""
    )
    return Outcome("holds", "exhaustive", detail, bound=BOUND, evidence=tuple(lines))


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
_READING = (
    "a query is fixed, and the map may depend on it; all logs of the bound with one answer are compared; k occurrences "
    "are the power Xᵏ, none is 0; the degree is that of Definition 4, at most one in 𝔹"
)


def _iff_claim(name: str) -> Claim:
    found = CARRIERS[name]
    return Claim(f"T3.iff.{name}", _WHERE, f"in {name}, {_STATEMENT}", _READING, lambda cells: iff(found))


def _reading_claim(name: str) -> Claim:
    words = READINGS[name][2]
    where = "ours (CLAIMS, T3.iff)"
    return Claim(f"T3.reading.{name}", where, f"{_STATEMENT}, in another reading", words, lambda cells: _reading(name))


CLAIMS = (
    Claim("T3.iff", _WHERE, f"in each of the seed's carriers, {_STATEMENT}", _READING, _iff_everywhere),
    *map(_iff_claim, CARRIERS),
    Claim(
        "T3.shift",
        "TOKI 2026, Theorem 3",
        "where deg X_r(π) ≥ 2, the shift Xⁱ ↦ Xⁱ⁻¹ of π is what the query answers without one occurrence of r",
        f"{_READING}; multidegree, the carrier with powers",
        lambda cells: shifts(),
    ),
    Claim(
        "T3.derivative",
        "TOKI 2026, Theorem 3",
        "the derivative by X_r returns the wrong answer and admits no correction",
        f"{_READING}; multidegree, at degree 2 and more, where the theorem recovers; a correction is a homomorphism",
        _derivative,
    ),
    Claim(
        "T3.order",
        "TOKI 2026, Theorem 3",
        "𝔹 recovers what multilinear recovers, and multidegree strictly more",
        f"{_READING}; carriers are compared by the instances that they recover",
        _order,
    ),
    *map(_reading_claim, READINGS),
    *summands.CLAIMS,
)
