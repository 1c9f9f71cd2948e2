"""Rates of disagreement: closed forms against trees of outcomes and plain enumeration; broken formulas are caught."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

import pytest

from toki_verify.claims import rate_claims
from toki_verify.claims.cells import Cells
from toki_verify.claims.exact import ONE, P, Polynomial, Q, roots_between
from toki_verify.claims.judge_systems import NAMED, System
from toki_verify.claims.rate_claims import maximum_faults, reachable_rates, trajectory_readings
from toki_verify.claims.rates import (
    ZERO,
    admit_rate,
    correlated,
    crash_and_retry,
    curve,
    decay,
    differing,
    expected_pairs,
    log_consistency,
    observed,
    outcomes,
    probability,
    race,
    replay_consistency,
    seeded,
    serial,
    some_pair_differs,
)
from toki_verify.claims.registry import claims

HALF = Fraction(1, 2)
UNKEYED, KEYED = NAMED["no log"], NAMED["Corollary 2"]


def decided(id: str) -> Any:
    return claims()[id].decide(Cells())


def enumerated(draws: int, weigh: Any) -> Polynomial:
    """A third way: over all sequences of votes, without systems or schedules."""
    found = ZERO
    for votes in product((0, 1), repeat=draws):
        found = found + P ** sum(votes) * Q ** (draws - sum(votes)) * weigh(votes)
    return found


def test_polynomials_calculate() -> None:
    f, g = Polynomial.of(1, 0, -3), Polynomial.of(Fraction(1, 2), 2)
    for point in (Fraction(-2), Fraction(0), HALF, Fraction(7, 3)):
        assert (f + g)(point) == f(point) + g(point)
        assert (f - g)(point) == f(point) - g(point)
        assert (f * g)(point) == f(point) * g(point)
        assert (g**3)(point) == g(point) ** 3
        assert f.remainder(g)(Fraction(-1, 4)) == f(Fraction(-1, 4))
    assert Polynomial.of(0, 0) == ZERO and ZERO.degree == -1 and str(ZERO) == "0"
    assert f.derivative() == Polynomial.of(0, -6)
    assert str(admit_rate()) == "2p - 2p^2" and str(-P) == "-p" and str(Q - P) == "1 - 2p"
    with pytest.raises(ZeroDivisionError):
        f.remainder(ZERO)
    with pytest.raises(ZeroDivisionError):
        roots_between(ZERO, Fraction(0), Fraction(1))


@pytest.mark.parametrize("roots", [(0,), (0, 1), (-1, HALF, 2), (HALF, HALF), (0, 0, 1, 1, HALF), (3,)])
def test_roots_are_counted(roots: tuple[Fraction | int, ...]) -> None:
    polynomial = prod((P - Polynomial.of(root) for root in roots), start=Polynomial.of(3))
    polynomial = polynomial * Polynomial.of(1, 0, 1)  # without real roots
    for low, high in combinations((Fraction(-3), Fraction(-1, 3), Fraction(1, 3), Fraction(3, 4), Fraction(4)), 2):
        assert roots_between(polynomial, low, high) == len({root for root in roots if low < root <= high})
    assert roots_between(ONE, Fraction(0), Fraction(1)) == 0


@pytest.mark.parametrize("draws", range(2, 6))
def test_closed_forms_trees_and_enumeration_agree(draws: int) -> None:
    assert probability(UNKEYED, serial(draws)) == some_pair_differs(draws)
    assert enumerated(draws, lambda votes: int(len(set(votes)) > 1)) == some_pair_differs(draws)
    neighbours = enumerated(draws, lambda votes: sum(a != b for a, b in pairwise(votes)))
    assert neighbours == expected_pairs(draws, "consecutive")
    assert enumerated(draws, lambda v: sum(a != b for a, b in combinations(v, 2))) == expected_pairs(draws, "all")
    assert sum((weight for _, weight in outcomes(UNKEYED, race(draws))), ZERO) == ONE


def test_what_a_log_leaves() -> None:
    for script in (serial(2), race(2), serial(3), race(3), crash_and_retry()):
        assert probability(KEYED, script) == ZERO
    for place, clash in (("before", "keep"), ("before", "overwrite"), ("with", "keep"), ("after", "keep")):
        leaking = System("ask", "read", "read", place, clash)
        assert probability(leaking, serial(2)) == ZERO
        assert probability(leaking, race(2)) == admit_rate()
    assert probability(UNKEYED, crash_and_retry()) == ZERO
    assert probability(UNKEYED, crash_and_retry(), observed) == admit_rate()


def test_a_leak_refutes_the_keyed_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_claims, "KEYED", System("ask", "read", "read", "before", "keep"))
    assert decided("T5.rate.keyed").verdict == "refuted"


@pytest.mark.parametrize("broken", [P * Q, P * Q * 2 + P**3 * Q, P * 2 - P * P, P + Q, P * P * Q * 2])
def test_a_broken_rate_is_caught(broken: Polynomial, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_claims, "admit_rate", lambda: broken)
    assert decided("T5.rate.pair").verdict == "refuted"
    assert decided("T5.rate.maximum").verdict == "refuted"
    assert decided("T5.rate").verdict == "refuted"


@pytest.mark.parametrize(
    "broken",
    [P * P, P * Q * (P - Polynomial.of(HALF)) ** 2, P * Q * P, -(P * Q), P * Q * (P * P + Polynomial.of(-2, 3)), ONE],
)
def test_another_shape_is_no_maximum_at_one_half(broken: Polynomial) -> None:
    assert maximum_faults(broken)
    assert not maximum_faults(admit_rate())


def test_a_broken_trajectory_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_claims, "replay_consistency", lambda t: P**t)
    assert decided("T5.rate.trajectory").verdict == "refuted"


def test_what_t_counts() -> None:
    for t in range(1, 5):
        found = trajectory_readings(t)
        assert list(found.values()) == [replay_consistency(t), replay_consistency(t + 1), replay_consistency(2)]
    with pytest.raises(ValueError, match="at least one"):
        replay_consistency(0)
    with pytest.raises(ValueError, match="at least one"):
        log_consistency(0)


def test_points_for_plots() -> None:
    assert curve(admit_rate(), 4) == [
        (Fraction(0), Fraction(0)),
        (Fraction(1, 4), Fraction(3, 8)),
        (HALF, HALF),
        (Fraction(3, 4), Fraction(3, 8)),
        (Fraction(1), Fraction(0)),
    ]
    assert decay(HALF, 4) == [(t, Fraction(2, 2**t)) for t in range(1, 5)]
    assert log_consistency(24) == ONE


def test_correlated_draws_take_every_rate() -> None:
    for p in (Fraction(0), Fraction(1, 5), HALF, Fraction(9, 10)):
        top = 2 * min(p, 1 - p)
        rates = reachable_rates(p, 6)
        assert (rates[0], rates[-1]) == (0, top) and admit_rate()(p) <= top
        with pytest.raises(ValueError, match="differ with probability"):
            correlated(p, top + Fraction(1, 1000))
    assert differing(seeded((0, 0, 0, 1))) == admit_rate()(Fraction(1, 4))
    assert differing(seeded((0, 0, 0, 1), lambda a, b: a == b)) == 0


def test_a_broken_law_is_no_law(monkeypatch: pytest.MonkeyPatch) -> None:
    third = Fraction(1, 3)
    monkeypatch.setattr(
        rate_claims, "correlated", lambda p, rate: {(0, 0): third, (0, 1): third, (1, 0): 0, (1, 1): third}
    )
    with pytest.raises(ArithmeticError):
        reachable_rates(HALF, 2)
