"""The calibration grid: counts of sequences against plain enumeration, and figures that no estimator gives."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise, product
from math import comb
from typing import Any

import pytest

from toki_verify.claims import oracle_grid
from toki_verify.claims.cells import Cells
from toki_verify.claims.oracle_counts import (
    ESTIMATORS,
    LARGEST,
    VOTES,
    at_most,
    beyond,
    beyond_at,
    distribution,
    errors,
    mean,
    observable,
    predicted,
    printed_as,
    sequences,
    total,
    walked,
)
from toki_verify.claims.oracle_grid import exact_fits, likelihood
from toki_verify.claims.registry import claims


def decided() -> Any:
    return claims()["Grid.oracle"].decide(Cells())


def changes(votes: tuple[int, ...]) -> int:
    return sum(a != b for a, b in pairwise(votes))


@pytest.mark.parametrize("votes", [1, 2, 5, 8])
def test_counts_are_those_of_all_sequences(votes: int) -> None:
    counted = Counter((sum(found), changes(found)) for found in product((0, 1), repeat=votes))
    assert walked(votes) == counted
    for ones, number in product(range(votes + 1), range(votes)):
        assert sequences(votes, ones, number) == counted[ones, number]


def test_counts_at_the_size_of_the_grid_two_ways() -> None:
    walk = walked(VOTES)
    assert all(sequences(VOTES, k, d) == walk.get((k, d), 0) for k in range(VOTES + 1) for d in range(VOTES))
    assert sum(walk.values()) == 2**VOTES


def test_what_estimators_may_observe() -> None:
    found: dict[tuple[str, int], set[Fraction]] = {}
    for votes in product((0, 1), repeat=8):
        pairs = [(a, b) for a in range(8) for b in range(a)]
        rates = (
            Fraction(changes(votes), 7),
            Fraction(sum(votes[i] != votes[i + 1] for i in range(0, 8, 2)), 4),
            Fraction(sum(votes[a] != votes[b] for a, b in pairs), len(pairs)),
        )
        for name, rate in zip(ESTIMATORS, rates, strict=True):
            found.setdefault((name, sum(votes)), set()).add(rate)
    for (name, ones), rates_seen in found.items():
        assert set(observable(name, 8, ones)) == rates_seen, (name, ones)


def test_laws_are_laws() -> None:
    for ones in (0, 1, 7, 25):
        law = distribution(ones)
        assert sum(law.values()) == 1
        expected = sum(
            (
                rate * Fraction(sequences(VOTES, ones, int(rate * 49)), comb(VOTES, ones))
                for rate in observable("neighbours", VOTES, ones)
            ),
            Fraction(0),
        )
        assert expected == predicted(VOTES, ones) * Fraction(50, 49)
    law = distribution(3, 8)
    direct: dict[Fraction, Fraction] = {}
    for one, other in product(law, repeat=2):
        direct[one + other] = direct.get(one + other, Fraction(0)) + law[one] * law[other]
    assert {size: chance for size, chance in total(law, 2).items() if chance} == direct
    assert at_most(law, 2, 2, mean(law)) == 1
    assert at_most(law, 2, 0, mean(law)) == (1 - beyond(law, mean(law))) ** 2


def test_a_tail_at_p_is_the_tail_of_all_sequences() -> None:
    p, limit, votes = Fraction(1, 3), Fraction(1, 5), 6
    direct = Fraction(0)
    for found in product((0, 1), repeat=votes):
        ones = sum(found)
        if abs(Fraction(changes(found), votes - 1) - predicted(votes, ones)) > limit:
            direct += p**ones * (1 - p) ** (votes - ones)
    assert beyond_at(p, limit, votes) == direct


def test_the_largest_error_tells_the_estimator_and_the_cell() -> None:
    fits = exact_fits(LARGEST)
    assert {name for name in fits if fits[name]} == {"neighbours"}
    for ones, rate, error in fits["neighbours"]:
        assert rate in set(observable("neighbours", VOTES, ones))
        assert f"{float(error):.4f}" == LARGEST
    assert max(error for _, _, error in errors("all pairs")) == Fraction(1, 98)
    assert printed_as(Fraction(3413, 30625), LARGEST) and not printed_as(Fraction(1113, 10000), LARGEST)


def test_the_verdict_follows_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle_grid, "_SHOWN", (5,))
    assert decided().verdict == "depends"
    monkeypatch.setattr(oracle_grid, "LARGEST", "0.9000")
    assert decided().verdict == "refuted"


def test_an_unlikely_mean_is_not_plausible() -> None:
    assert likelihood(15).plausible
    assert not likelihood(15, "0.0050").plausible
    assert not likelihood(15, "0.0400").plausible
