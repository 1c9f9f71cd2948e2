"""The composition grid of Table 23, counted in both treatments of ⊕c (TOKI 2026, Table 23, G5): Grid.compose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from math import sqrt
from typing import Any, Final

from ..algebra import OPERATORS, Pipeline, Precondition
from ..algebra.pipeline import PolicyTreatment
from ..algebra.preconditions import ISO
from .cells import Cells
from .model import Claim, Outcome

#: What Table 23 prints, by the longest pipeline: pipelines, cells, dominating, under.
PRINTED: Final = {3: (84, 504, 193, 311), 5: (1364, 8184, 2219, 5965)}
PRINTED_RATE: Final = Fraction(904, 10_000)
EPSILON: Final = Fraction(2, 100)
SCHEDULES: Final = 50
TREATMENTS: Final[tuple[PolicyTreatment, ...]] = ("level", "pin")
LEVELS: Final = tuple(Precondition(iso, cb) for cb in (False, True) for iso in ISO)


def pipelines(longest: int) -> Iterator[Pipeline[Any]]:
    """Every pipeline of the four operators up to a length, shorter ones first."""
    for length in range(1, longest + 1):
        for steps in product(OPERATORS.values(), repeat=length):
            yield Pipeline(steps)


def in_lattice(found: Precondition) -> Precondition:
    """The element of L alone: no pins, no schema."""
    return Precondition(found.iso, found.cb)


@dataclass(frozen=True)
class Count:
    """What the grid has: pipelines, cells, cells whose level dominates L*, and by length how many of these."""

    pipelines: int
    cells: int
    dominating: int
    by_length: tuple[int, ...]

    @property
    def printed(self) -> tuple[int, int, int, int]:
        """As Table 23 prints it."""
        return self.pipelines, self.cells, self.dominating, self.cells - self.dominating


@cache
def count(longest: int, treatment: PolicyTreatment) -> Count:
    """The grid, by joining the preconditions of each pipeline and comparing with each level."""
    number, by_length = 0, [0] * longest
    for found in pipelines(longest):
        number += 1
        wanted = in_lattice(found.precondition(treatment))
        by_length[len(found.steps) - 1] += sum(in_lattice(level).dominates(wanted) for level in LEVELS)
    return Count(number, number * len(LEVELS), sum(by_length), tuple(by_length))


def noise(found: Count) -> tuple[Fraction, Fraction]:
    """The mean admit rate of dominating cells where each step admits with probability ε: exactly, 1 − (1 − ε)ⁿ, and to
    first order, ε·n."""
    lengths = range(1, len(found.by_length) + 1)
    exact = sum((1 - (1 - EPSILON) ** n) * each for n, each in zip(lengths, found.by_length, strict=True))
    linear = sum(EPSILON * n * each for n, each in zip(lengths, found.by_length, strict=True))
    return Fraction(exact) / found.dominating, Fraction(linear) / found.dominating


def _grid(cells: Cells) -> Outcome:
    matching, evidence = [], []
    for treatment in TREATMENTS:
        counts = {longest: count(longest, treatment).printed for longest in PRINTED}
        words = "SR in L (level)" if treatment == "level" else "a pin outside L (pin)"
        for longest, (number, total, dominating, under) in counts.items():
            evidence.append(
                f"⊕c as {words}, to length {longest}: {number} pipelines, {total} cells, {dominating} dominating, "
                f"{under} under"
            )
        if counts == PRINTED:
            matching.append(treatment)
    exact, linear = noise(count(5, "level"))
    error = sqrt(exact * (1 - exact) / (count(5, "level").dominating * SCHEDULES))
    evidence.append(
        f"the printed rate {float(PRINTED_RATE):.4f} of dominating cells: with ε = {float(EPSILON)} a step, 1−(1−ε)ⁿ "
        "gives "
        f"{float(exact):.4f} ({float(PRINTED_RATE - exact) / error:+.1f} standard errors of {SCHEDULES} schedules a "
        "cell), "
        f"ε·n {float(linear):.4f} ({float(PRINTED_RATE - linear) / error:+.1f}); the noise is modelled, so the rate "
        "says "
        "nothing about schedules"
    )
    bound = "every pipeline of up to five operators at all six levels"
    if not matching:
        return Outcome(
            "refuted", "exhaustive", "neither treatment gives the counts", bound=bound, evidence=tuple(evidence)
        )
    if matching == list(TREATMENTS):
        return Outcome("holds", "exhaustive", "both treatments give the counts", bound=bound, evidence=tuple(evidence))
    detail = (
        "the counts of Table 23 come out exactly where ⊕c counts as "
        f"{'SR in L' if matching == ['level'] else 'a pin'}, and "
        "not in the other treatment; Theorem 4 (4) and Lemma 2 say that SR^policy stays outside L, Table 13 has SR"
    )
    return Outcome("depends", "exhaustive", detail, bound=bound, evidence=tuple(evidence))


GRID_CLAIMS = (
    Claim(
        "Grid.compose",
        "TOKI 2026, Table 23 (T5 composition, T-05)",
        "of 1,364 pipelines at 6 levels 2,219 cells dominate and 5,965 do not; to length 3 of 504 cells 193 and 311",
        "a level dominates where it is at or above the join L* of the steps' preconditions in L; ⊕c in both treatments",
        _grid,
    ),
)
