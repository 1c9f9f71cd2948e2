"""The maps of Theorem 3, shift and derivative, against the answers without one occurrence of r (TOKI 2026).

Instances are those of `queries.py`, in the multidegree carrier, the only one with powers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..algebra.carriers import MULTIDEGREE
from ..algebra.recovery import degree, derivative, shift, substitute_zero
from .cells import Cells
from .model import Claim, Outcome
from .queries import BOUND, READING, Log, Query, Reading, answers, log_text, smallest

Instance = tuple[Query, Log]


def right(mapping: Callable[..., Any], instance: Instance, reading: Reading = "power") -> bool:
    """Whether a map of π gives the counterfactual answer of an instance, in the multidegree carrier."""
    table = answers(MULTIDEGREE, reading)
    return bool(mapping(MULTIDEGREE, table.of[instance], "r") == table.without(*instance))


def _wrong(mapping: Callable[..., Any], instance: Instance) -> str:
    table = answers(MULTIDEGREE, "power")
    got, wanted = mapping(MULTIDEGREE, table.of[instance], "r"), table.without(*instance)
    texts = [MULTIDEGREE.text(element) for element in (table.of[instance], got, wanted)]
    words = f"q = {instance[0]}, A = {log_text(instance[1])}"
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


CLAIMS = (
    Claim(
        "T3.shift",
        "TOKI 2026, Theorem 3",
        "where deg X_r(π) ≥ 2, the shift Xⁱ ↦ Xⁱ⁻¹ of π is what the query answers without one occurrence of r",
        f"{READING}; multidegree, the carrier with powers",
        lambda cells: shifts(),
    ),
    Claim(
        "T3.derivative",
        "TOKI 2026, Theorem 3",
        "the derivative by X_r returns the wrong answer and admits no correction",
        f"{READING}; multidegree, at degree 2 and more, where the theorem recovers; a correction is a homomorphism",
        _derivative,
    ),
)
