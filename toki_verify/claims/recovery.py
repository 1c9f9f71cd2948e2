"""Theorem 3 (carrier recoverability), decided by its definition (TOKI 2026: Definitions 3 and 4, Theorem 3, B.3).

Whether an answer determines its counterfactual is found by comparing all logs with that answer (`queries.py`), and set
against "the degree is at least 2", instance by instance, both ways. Where that fails, the largest of some classes of
instances in which it holds is the repair (`recovery_classes.py`). The order of the carriers is in `recovery_order.py`,
the shift and the derivative in `recovery_maps.py`, B.3 in `summands.py` and
`summand_order.py`.
"""

from __future__ import annotations

from typing import Any, Final

from ..algebra.carriers import CARRIERS, MULTIDEGREE, Carrier
from ..algebra.recovery import degree, shift
from . import recovery_maps, recovery_order, summand_order, summands
from .carriers_of import SEEDS
from .cells import Cells
from .model import Claim, Outcome
from .queries import BOUND, READING, Knows, Reading, answers, recovered, shown, smallest
from .recovery_classes import EXACT, all_others, degree_of, exact, holds_in, inside, largest, mismatches, text_of

_WHERE = "TOKI 2026, Definitions 3 and 4, Theorem 3"


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
    lines = _counterexamples(carrier, reading)
    if carrier in EXACT:
        lines += [f"of every query and log: {line}, because {EXACT[carrier].why}" for line in exact([carrier])]
    ways = [sum(way is direction for way in wrong.values()) for direction in (True, False)]
    detail = (
        f"false in {len(wrong)} of {total} instances: {ways[0]} recoverable of degree below 2, {ways[1]} of degree at "
        f"least 2 not recoverable; it recovers {len(can)}"
    )
    name = largest(lambda name: holds_in(carrier, reading, name))
    if name is None:
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=tuple(lines))
    found = inside(name)
    repair = f"where {text_of(name)}: {len(found)} instances, of which {sum(one in can for one in found)} recoverable"
    if all_others([carrier], name):
        repair += f"; it fails in each of the other {total - len(found)}"
    return Outcome("holds-repaired", "exhaustive", detail, bound=BOUND, evidence=tuple(lines), repair=repair)


def _iff_everywhere(cells: Cells) -> Outcome:
    """The seed's three carriers together, and what is true of all instances instead."""
    outcomes = {carrier.name: iff(carrier) for carrier in SEEDS}
    if all(outcome.verdict == "holds" for outcome in outcomes.values()):
        return Outcome("holds", "exhaustive", "in the three carriers of the paper", bound=BOUND)
    # The carrier that the theorem says recovers most first.
    names = ("multidegree", "multilinear", "boolean")
    lines = sorted((line for name in names for line in outcomes[name].evidence), key=lambda line: " every q" in line)
    lines += [f"{name}: {outcome.detail}" for name, outcome in outcomes.items()]
    lines += [f"{name}: {outcome.repair}" for name, outcome in outcomes.items() if outcome.repair]
    name = largest(lambda name: all(holds_in(found, "power", name) for found in SEEDS))
    detail = f"literally false in {', '.join(name for name, out in outcomes.items() if out.verdict != 'holds')}"
    if name is None:
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=tuple(lines))
    found, total = inside(name), len(inside(()))
    can = {carrier.name: sum(one in recovered(carrier, "power") for one in found) for carrier in SEEDS}
    others = "and no larger one: on each other instance it fails in one of the three"
    others = f", {others}" if all_others(SEEDS, name) else ""
    counts = "; ".join(f"{one} recovers {number}" for one, number in can.items())
    repair = (
        f"where {text_of(name)}: {len(found)} of {total} instances ({counts})"
        f"{others}. Of every query and log instead (argued, and checked on all instances): {'; '.join(exact())}"
    )
    return Outcome("holds-repaired", "exhaustive", detail, bound=BOUND, evidence=tuple(lines), repair=repair)


# -- readings ----------------------------------------------------------------------------------------------------------
READINGS: Final[dict[str, tuple[Reading, Knows, str]]] = {
    "power": ("power", "the query", "k occurrences are Xᵏ (Definition 3), and the map may depend on the query"),
    "sum": ("sum", "the query", "k occurrences are k·X, as bags are (Green et al. 2007)"),
    "unit": (
        "unit",
        "the query",
        "k occurrences are Xᵏ, and no occurrence is X⁰ = 1, to which the shift of Theorem 3 sends X; in K-relations "
        "(Green et al. 2007, §3) a row that is not there has the annotation 0",
    ),
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
    table = answers(MULTIDEGREE, reading)
    claimed = [one for one in table.instances() if degree(MULTIDEGREE, table.of[one], "r") >= 2]
    right = sum(recovery_maps.right(shift, one, reading) for one in claimed)
    detail += f"; the shift is right in {right} of the {len(claimed)} of degree at least 2 in multidegree"
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
    Claim("T3.iff", _WHERE, f"in each of the paper's carriers, {_STATEMENT}", READING, _iff_everywhere),
    *map(_iff_claim, CARRIERS),
    *recovery_maps.CLAIMS,
    *recovery_order.CLAIMS,
    *map(_reading_claim, READINGS),
    *summands.CLAIMS,
    *summand_order.CLAIMS,
)
