"""Votes at one key as sequences: how many have k ones and d changes between neighbours, and what an estimator of the
disagreement rate says of them (TOKI 2026, Table 23, §4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb, lcm
from typing import Final

#: Votes a cell, and cells, as Table 23 has them.
VOTES: Final = 50
CELLS: Final = 30
#: Cells whose votes all agree (§4.5), so that the observed and the predicted rate are both 0.
DETERMINISTIC: Final = 17
MEAN: Final = "0.0166"
LARGEST: Final = "0.1114"
ENVELOPE: Final = Fraction(1, 10)
#: What may be observed: neighbours in the order of the votes (245 pairs in five seeds of 50, §4.5, are 49 a cell); the
#: pairs 1-2, 3-4, …; all pairs.
ESTIMATORS: Final = ("neighbours", "disjoint pairs", "all pairs")


def sequences(votes: int, ones: int, changes: int) -> int:
    """How many sequences have so many ones and changes: the ones and zeros fall into changes + 1 alternating runs."""
    zeros = votes - ones
    if not ones or not zeros:
        return int(changes == 0)
    if changes == 0:
        return 0
    more, fewer = (changes + 2) // 2 - 1, (changes + 1) // 2 - 1
    return comb(ones - 1, more) * comb(zeros - 1, fewer) + comb(ones - 1, fewer) * comb(zeros - 1, more)


@cache
def walked(votes: int) -> dict[tuple[int, int], int]:
    """The same counts by (ones, changes), one vote at a time."""
    last: dict[tuple[int, int, int], int] = {(0, 0, 0): 1, (1, 0, 1): 1}
    for _ in range(votes - 1):
        after: dict[tuple[int, int, int], int] = {}
        for (ones, changes, vote), count in last.items():
            for new in (0, 1):
                state = (ones + new, changes + (new != vote), new)
                after[state] = after.get(state, 0) + count
        last = after
    found: dict[tuple[int, int], int] = {}
    for (ones, changes, _), count in last.items():
        found[ones, changes] = found.get((ones, changes), 0) + count
    return found


def predicted(votes: int, ones: int) -> Fraction:
    """2p(1-p) at the fraction of ones."""
    return 2 * Fraction(ones, votes) * Fraction(votes - ones, votes)


def observable(estimator: str, votes: int, ones: int) -> Iterator[Fraction]:
    """Every rate that the estimator may give for votes with so many ones."""
    zeros = votes - ones
    if estimator == "neighbours":
        for changes in range(votes):
            if sequences(votes, ones, changes):
                yield Fraction(changes, votes - 1)
    elif estimator == "disjoint pairs":
        # A pair that differs takes a one and a zero; the rest of each go in twos.
        for differing in range(min(ones, zeros) + 1):
            if (ones - differing) % 2 == 0 and (zeros - differing) % 2 == 0:
                yield Fraction(differing, votes // 2)
    else:
        yield Fraction(2 * ones * zeros, votes * (votes - 1))


def errors(estimator: str, votes: int = VOTES) -> Iterator[tuple[int, Fraction, Fraction]]:
    """Every (ones, observed rate, |observed - predicted|) that can occur."""
    for ones in range(votes + 1):
        for rate in observable(estimator, votes, ones):
            yield ones, rate, abs(rate - predicted(votes, ones))


def printed_as(value: Fraction, text: str) -> bool:
    """Whether a value is printed so, to four places: within half a unit of the last."""
    return abs(value - Fraction(text)) <= Fraction(1, 20000)


def distribution(ones: int, votes: int = VOTES) -> dict[Fraction, Fraction]:
    """The distribution of the error of neighbours, given the number of ones: independent draws make every order of the
    votes equally likely, whatever p is."""
    found: dict[Fraction, Fraction] = {}
    for changes in range(votes):
        count = sequences(votes, ones, changes)
        if count:
            error = abs(Fraction(changes, votes - 1) - predicted(votes, ones))
            found[error] = found.get(error, Fraction(0)) + Fraction(count, comb(votes, ones))
    return found


def beyond(law: dict[Fraction, Fraction], limit: Fraction) -> Fraction:
    """The probability of an error beyond a limit."""
    return sum((weight for error, weight in law.items() if error > limit), Fraction(0))


def mean(law: dict[Fraction, Fraction]) -> Fraction:
    """The expected error."""
    return sum((error * weight for error, weight in law.items()), Fraction(0))


def beyond_at(p: Fraction, limit: Fraction, votes: int = VOTES) -> Fraction:
    """The probability of an error beyond a limit where votes are independent draws at p."""
    total = Fraction(0)
    for ones in range(votes + 1):
        chance = comb(votes, ones) * p**ones * (1 - p) ** (votes - ones)
        total += chance * beyond(distribution(ones, votes), limit)
    return total


def total(law: dict[Fraction, Fraction], cells: int) -> dict[Fraction, Fraction]:
    """The distribution of the sum over independent cells of one law."""
    unit = lcm(*(error.denominator for error in law))
    whole = lcm(*(weight.denominator for weight in law.values()))
    scaled = [(int(error * unit), int(weight * whole)) for error, weight in law.items()]
    sums = {0: 1}
    for _ in range(cells):
        after: dict[int, int] = {}
        for so_far, chance in sums.items():
            for error, weight in scaled:
                after[so_far + error] = after.get(so_far + error, 0) + chance * weight
        sums = after
    return {Fraction(size, unit): Fraction(chance, whole**cells) for size, chance in sums.items()}


def at_most(law: dict[Fraction, Fraction], cells: int, count: int, limit: Fraction) -> Fraction:
    """The probability that at most `count` of so many independent cells are beyond a limit."""
    tail = beyond(law, limit)
    terms = (comb(cells, k) * tail**k * (1 - tail) ** (cells - k) for k in range(count + 1))
    return sum(terms, Fraction(0))
