"""The rates that Table 23 prints for N2 (fourth grid) against models of contention: expectations and tails, exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import Final

SIZES: Final = (2, 4, 8, 16)
CONTENTION: Final = (Fraction(1, 2), Fraction(3, 4), Fraction(1))
SCHEDULES: Final = 200
#: What is printed: means of the twelve cells of a level, and 104 of 200 for RC, size 2, half contention.
MEANS: Final = {"RC": Fraction(7496, 10_000), "SI": Fraction(7462, 10_000)}
HALF: Final = (2, CONTENTION[0], 104)
PLACES: Final = Fraction(1, 20_000)

#: The probability that a schedule shows N2 below SR, by contention and size.
Model = Callable[[Fraction, int], Fraction]
MODELS: Final[dict[str, Model]] = {
    "c is the share of schedules that have the skew pattern": lambda c, size: c,
    "c is the probability of each of the two anti-dependencies": lambda c, size: c * c,
    "the writers' rows are drawn from c·n rows, and N2 needs two": lambda c, size: 1 - 1 / (c * size),
    "every schedule that the guard does not exclude (the prediction of E.4)": lambda c, size: Fraction(1),
}


def expected_mean(model: Model) -> Fraction:
    """The mean of the twelve cells of a level."""
    cells = [model(c, size) for c in CONTENTION for size in SIZES]
    return sum(cells, Fraction(0)) / len(cells)


def binomial(trials: int, chance: Fraction) -> list[Fraction]:
    """The distribution of the number of successes."""
    miss = 1 - chance
    return [comb(trials, count) * chance**count * miss ** (trials - count) for count in range(trials + 1)]


def total(groups: Sequence[tuple[int, Fraction]]) -> list[float]:
    """The distribution of the successes of groups of trials together."""
    found = [1.0]
    for trials, chance in groups:
        if chance in (0, 1):
            found = [0.0] * (trials * int(chance)) + found
            continue
        single = [float(each) for each in binomial(trials, chance)]
        after = [0.0] * (len(found) + trials)
        for at, weight in enumerate(found):
            if weight:
                for more, each in enumerate(single):
                    after[at + more] += weight * each
        found = after
    return found


def tail(distribution: Sequence[float], expected: Fraction, seen: int) -> float:
    """The probability of a count as far from the expectation as the one seen, or farther, on either side."""
    off = abs(seen - expected)
    return min(1.0, sum(each for count, each in enumerate(distribution) if abs(count - expected) >= off))


def counts(printed: Fraction) -> list[int]:
    """The numbers of admitting schedules of a level that round to a printed mean."""
    every = len(SIZES) * len(CONTENTION) * SCHEDULES
    return [count for count in range(every + 1) if abs(Fraction(count, every) - printed) <= PLACES]


def grouped(model: Model) -> list[tuple[int, Fraction]]:
    """The schedules of a level by the probability of N2."""
    groups: dict[Fraction, int] = {}
    for c in CONTENTION:
        for size in SIZES:
            chance = model(c, size)
            groups[chance] = groups.get(chance, 0) + SCHEDULES
    return [(trials, chance) for chance, trials in groups.items()]


def fits(model: Model) -> tuple[bool, str]:
    """Whether the printed means can come from a model (each tail at least 1 in 100, full contention 1.00), and why."""
    full = all(model(CONTENTION[-1], size) == 1 for size in SIZES)
    groups, every = grouped(model), len(SIZES) * len(CONTENTION) * SCHEDULES
    distribution, mean = total(groups), expected_mean(model)
    tails = {
        level: max(tail(distribution, mean * every, seen) for seen in counts(printed))
        for level, printed in MEANS.items()
    }
    said = ", ".join(f"{level} {float(MEANS[level])}: probability {chance:.3g}" for level, chance in tails.items())
    fitting = full and all(chance >= 0.01 for chance in tails.values())
    return (
        fitting,
        f"mean {float(mean):.4f}, full contention 1.00: {'yes' if full else 'no'}; so far off or farther: {said}",
    )


def half_tail() -> float:
    """The probability of a count as far from half of 200 as the 104 printed, each schedule with probability 1/2."""
    _, chance, seen = HALF
    return tail([float(each) for each in binomial(SCHEDULES, chance)], chance * SCHEDULES, seen)
