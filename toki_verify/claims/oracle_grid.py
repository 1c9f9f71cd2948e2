"""Grid.oracle: thirty calibrated cells against 2p(1-p) (TOKI 2026, Table 23, §4.5, Figure 5).

The votes are not printed, so the cells cannot be judged again. What can be: which estimator gives the printed figures
at all, and how likely they are; exactly, since independent draws make all orders of k ones among 50 votes equally
likely.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from .cells import Cells
from .judged import yes
from .model import Claim, Outcome
from .oracle_counts import (
    CELLS,
    DETERMINISTIC,
    ENVELOPE,
    ESTIMATORS,
    LARGEST,
    MEAN,
    VOTES,
    at_most,
    beyond,
    beyond_at,
    distribution,
    errors,
    mean,
    predicted,
    printed_as,
    total,
)

#: Numbers of ones in 50 at which likelihoods are given.
_SHOWN: Final = (5, 10, 15, 20, 25)


def exact_fits(text: str) -> dict[str, list[tuple[int, Fraction, Fraction]]]:
    """By estimator: the (ones, observed rate, error) whose error is printed so."""
    return {name: [found for found in errors(name) if printed_as(found[2], text)] for name in ESTIMATORS}


def _about(value: Fraction) -> str:
    return f"{float(value):.4f}"


@dataclass(frozen=True)
class Likelihood:
    """With as many ones in each stochastic cell: the probabilities of at most one cell beyond 0.10, of at least one, of
    a mean error over all cells as small as the printed one, and of one as large."""

    at_most_one: Fraction
    some: Fraction
    as_small: Fraction
    as_large: Fraction

    @property
    def plausible(self) -> bool:
        """Whether none of them is below one in twenty."""
        return min(self.at_most_one, self.some, self.as_small, self.as_large) >= Fraction(1, 20)


def likelihood(ones: int, printed_mean: str = MEAN) -> Likelihood:
    """How likely the printed figures are, where each stochastic cell has so many ones."""
    law, stochastic, half = distribution(ones), CELLS - DETERMINISTIC, Fraction(1, 20000)
    sums = total(law, stochastic)
    small = sum((w for size, w in sums.items() if size <= (Fraction(printed_mean) + half) * CELLS), Fraction(0))
    large = sum((w for size, w in sums.items() if size >= (Fraction(printed_mean) - half) * CELLS), Fraction(0))
    none = at_most(law, stochastic, 0, ENVELOPE)
    return Likelihood(at_most(law, stochastic, 1, ENVELOPE), 1 - none, small, large)


def _grid(cells: Cells) -> Outcome:
    stochastic = CELLS - DETERMINISTIC
    fits = exact_fits(LARGEST)
    greatest = {name: max(error for _, _, error in errors(name)) for name in ESTIMATORS}
    possible = [name for name in ESTIMATORS if fits[name]]
    lines = []
    for name in ESTIMATORS:
        where = "; ".join(
            f"{ones} ones, observed {rate}, predicted {predicted(VOTES, ones)}" for ones, rate, _ in fits[name]
        )
        lines.append(
            f"{name}: errors up to {_about(greatest[name])}; {LARGEST} is {where or 'no value that it can take'}"
        )
    for ones in _SHOWN:
        law, likely = distribution(ones), likelihood(ones)
        lines.append(
            f"{ones} ones in each of the {stochastic} cells: mean error {_about(mean(law))}, beyond 0.10 with "
            "probability "
            f"{_about(beyond(law, ENVELOPE))}; at most one cell beyond: {_about(likely.at_most_one)}, at least one: "
            f"{_about(likely.some)}; mean over {CELLS} cells at most {MEAN}: {_about(likely.as_small)}, at least: "
            f"{_about(likely.as_large)}"
        )
    half = beyond_at(Fraction(1, 2), ENVELOPE)
    zero = all(error == 0 for ones, _, error in errors("neighbours") if ones in (0, VOTES))
    over = Fraction(MEAN) * CELLS / stochastic
    lines += [
        f"independent draws at p = 1/2: error beyond 0.10 with probability {_about(half)}",
        f"cells whose votes all agree have error 0 whatever the system does: {yes(zero)}; {DETERMINISTIC} of "
        f"{CELLS} are "
        f"(§4.5), so the printed mean is {_about(over)} over the other {stochastic}",
        f"{CELLS} cells are '5 systems × 6 seed cells' in Table 23, and six variants (one keyed) × five seeds in "
        "§4.5 and "
        f"Figure 5; 245 pairs in five seeds are {245 // 5} a cell of {VOTES} votes: neighbours",
        "not determined by the text: the numbers of ones, so p; whether p is the fraction of the votes that are paired "
        "or of others; the order of the votes; whether calls were independent",
    ]
    plausible = [ones for ones in _SHOWN if likelihood(ones).plausible]
    detail = (
        "the closed form is exact (T5.rate.pair); the figures are measured, and cannot be judged again without the "
        "votes. "
        f"An error of {LARGEST} occurs for {', '.join(possible) or 'no estimator'} only. Its mean and its one cell of "
        f"{CELLS} beyond 0.10 are no surprise from independent draws where the {stochastic} cells have about "
        f"{' or '.join(map(str, plausible)) or 'no'} ones in {VOTES} (or zeros), and are where all have "
        f"{' or '.join(str(ones) for ones in _SHOWN if ones not in plausible) or 'none'}; "
        "'exact boundary', 'no sampling error' (caption) does not apply to this grid"
    )
    verdict = "depends" if possible and len(possible) < len(ESTIMATORS) else "undecided" if possible else "refuted"
    bound = f"all sequences of {VOTES} votes"
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines))


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "Grid.oracle",
        "TOKI 2026, Table 23, §4.5, Figure 5",
        f"of {CELLS} cells of {VOTES} votes the observed admit rate differs from 2p(1-p) by {MEAN} on average, "
        f"{LARGEST} "
        "at most, and by at most 0.10 in 29",
        "p the fraction of ones of the cell's votes; pairs: neighbours, disjoint pairs, or all pairs",
        _grid,
    ),
)
