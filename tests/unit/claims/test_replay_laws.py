"""Laws of any number of replays: against trees of outcomes at small numbers; broken laws and identities are refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from toki_verify.claims import replay_laws
from toki_verify.claims.cells import Cells
from toki_verify.claims.exact import ONE, ZERO, P, Q
from toki_verify.claims.judge_systems import NAMED, System
from toki_verify.claims.rate_disciplines import LEAKING, NAMES, by_name, for_every_n
from toki_verify.claims.rates import probability, race, serial
from toki_verify.claims.registry import claims
from toki_verify.claims.replay_laws import (
    AGREE,
    BOTH,
    NEVER,
    SOME_PAIR,
    START,
    Weight,
    advanced,
    closed_form,
    factors,
    falls,
    guesses,
    inductive,
    n1_rate,
    pairs_by_induction,
    replay,
    rises,
)

SYSTEMS = (*NAMED.values(), *LEAKING)


@pytest.mark.parametrize("system", SYSTEMS, ids=str)
def test_laws_are_what_trees_of_outcomes_have(system: System) -> None:
    for looked_before, script in ((False, serial), (True, race)):
        law = closed_form(system, looked_before=looked_before)
        assert law is not None
        for n in (1, 2, 3):
            assert n1_rate(law).at(n) == probability(system, script(n))


@pytest.mark.parametrize("system", SYSTEMS, ids=str)
def test_laws_are_laws(system: System) -> None:
    law = closed_form(system)
    assert law is not None
    for n in (1, 2, 5):
        assert sum((weight.at(n) for weight in law.values()), ZERO) == ONE
        assert all(0 <= weight.at(n)(Fraction(k, 7)) <= 1 for weight in law.values() for k in range(8))


def test_a_law_is_carried_on_by_calls() -> None:
    """Walked call by call from none, the law at n = 1, …, 5 is what the closed form says."""
    for system in SYSTEMS:
        law = closed_form(system)
        assert law is not None
        here = {START: Weight(ONE)}
        for n in range(1, 6):
            here = advanced(system, here)
            assert {node: weight.constant for node, weight in here.items()} == {
                node: weight.at(n) for node, weight in law.items() if weight.at(n) != ZERO
            }


def test_only_one_guess_fits_and_broken_ones_do_not() -> None:
    assert len(list(guesses())) == 3
    for system in SYSTEMS:
        fitting = [law for law in guesses() if inductive(system, law)]
        assert len(fitting) == 1
        for node in fitting[0]:
            assert not inductive(system, fitting[0] | {node: fitting[0][node].times(P)})
            assert not inductive(system, {other: w for other, w in fitting[0].items() if other != node})


def test_a_step_that_is_wrong_only_later_is_noticed() -> None:
    """Right at n = 1 and 2, wrong afterwards: 2p(1-p)(n-1) is no such weight; one draw and its repetition is."""
    twice = {
        (None, frozenset({0})): Weight(Q * Q),
        (None, frozenset({1})): Weight(P * P),
        (None, BOTH): Weight(P * Q * 2),
    }
    silent = NAMED["no log"]
    assert not inductive(silent, twice)
    assert {node: weight.at(2) for node, weight in twice.items()} == {
        node: weight.at(2) for node, weight in (closed_form(silent) or {}).items()
    }


def test_what_has_no_such_law_is_none() -> None:
    """Two questions a call have 1 - p^2n - (1-p)^2n, which is none of the guesses; a nonce has no replays."""
    assert closed_form(System("twice", "skip", "skip", "never", "adopt")) is None
    with pytest.raises(ValueError, match="no replays"):
        replay(System("ask", "skip", "skip", "never", "adopt", key="nonce"), START)


def test_identities_and_broken_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert falls() and rises() and factors()
    assert pairs_by_induction("consecutive") and pairs_by_induction("all")
    assert (str(SOME_PAIR), str(AGREE), str(NEVER)) == ("1 - p^n - (1-p)^n", "p^n + (1-p)^n", "0")
    assert str(Weight(ZERO, P * 2, ZERO)) == "(2p)·p^n"
    monkeypatch.setattr(replay_laws, "AGREE", Weight(ONE, ONE, ONE))
    monkeypatch.setattr(replay_laws, "SOME_PAIR", Weight(ONE, -ONE, ZERO))
    assert not falls() and not rises()
    monkeypatch.undo()
    monkeypatch.setattr(Weight, "shifted", lambda self: self)
    assert not falls() and not rises() and not factors()


def test_every_discipline_is_named_with_its_rates() -> None:
    lines = by_name()
    assert [line.split(": a pair")[0] for line in lines] == list(NAMES)
    for line, system in zip(lines, NAMES.values(), strict=True):
        assert f"in turn {probability(system, serial(2))}, at once {probability(system, race(2))};" in line
    assert for_every_n(NAMED["Algorithm 1, line 14"], SOME_PAIR) and not for_every_n(NAMED["Corollary 2"], SOME_PAIR)


@pytest.mark.parametrize("id", ["T5.rate.pair", "T5.rate.maximum", "T5.rate.trajectory", "T5.rate.keyed"])
def test_bounds_say_what_is_by_induction(id: str) -> None:
    outcome = claims()[id].decide(Cells())
    assert "by induction" in outcome.bound and outcome.verdict in ("holds", "depends")
    assert outcome.repair_verdict == ("holds" if outcome.repair else "")


def test_a_wrong_law_refutes(monkeypatch: pytest.MonkeyPatch) -> None:
    from toki_verify.claims import rate_claims

    monkeypatch.setattr(rate_claims, "for_every_n", lambda system, expected, **more: False)
    assert claims()["T5.rate.pair"].decide(Cells()).verdict == "refuted"
    assert claims()["T5.rate.trajectory"].decide(Cells()).repair_verdict == "refuted"
    assert claims()["T5.rate"].decide(Cells()).repair_verdict == "refuted"
