"""The four operators: selectors, stamping, merged provenance, and everything that they refuse."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from toki_verify.algebra import AWAIT, EVIDENCE, LWW, OPERATORS, RULE, SENTINEL_END, Fact, Operator, operator
from toki_verify.algebra.carriers import COUNTING, MULTIDEGREE
from toki_verify.algebra.errors import (
    InvalidFact,
    InvalidPeriod,
    MixedTimestamps,
    NotContradicting,
    OracleFailed,
    OracleMissing,
    OracleTimedOut,
    UnknownStrategy,
    VoteOutOfRange,
)
from toki_verify.algebra.oracles import ask, policy

from .facts_for_tests import day, fact

OLD, NEW = fact("a", "penicillin", at=1, confidence=0.9), fact("b", "amoxicillin", at=2, confidence=0.4)
EVERY = list(OPERATORS.values())
FIRST = {"oracle": lambda members: 0}


def resolve(found: Operator, *members: Fact[int], **arguments: Any) -> Any:
    """The resolution on day 5, by an oracle that elects the first one."""
    given = {"now": day(5), "carrier": COUNTING, "oracle": lambda members: 0} | arguments
    return found.resolve_set(members, **given)


def test_last_writer_wins() -> None:
    for pair in permutations((OLD, NEW)):
        assert resolve(LWW, *pair).winner.fact_id == "b"


def test_evidence_wins_by_confidence() -> None:
    for pair in permutations((OLD, NEW)):
        assert resolve(EVIDENCE, *pair).winner.fact_id == "a"


def test_ties_fall_to_the_next_column_of_the_key() -> None:
    same_time = replace(NEW, system_time_start=day(1))
    same_confidence = replace(NEW, confidence=0.9)
    same_both = replace(same_time, confidence=0.9)
    for one, other in permutations((0, 1)):
        for found, newer in ((LWW, same_time), (EVIDENCE, same_confidence), (EVIDENCE, same_both)):
            pair = (OLD, newer)
            assert resolve(found, pair[one], pair[other]).winner.fact_id == "b"


@pytest.mark.parametrize("found", [AWAIT, RULE])
@pytest.mark.parametrize("vote", [0, 1])
def test_oracles_elect_by_index(found: Operator, vote: int) -> None:
    resolution = resolve(found, OLD, NEW, oracle=lambda members: vote)
    assert resolution.winner.fact_id == "ab"[vote] and resolution.loser is (NEW, OLD)[vote]


def test_oracles_see_the_members_in_their_order() -> None:
    seen = []
    resolve(RULE, NEW, OLD, oracle=lambda members: seen.append(members) or 1)
    assert seen == [(NEW, OLD)]


@pytest.mark.parametrize("found", EVERY)
def test_the_winner_is_stamped_and_the_loser_is_as_it_was(found: Operator) -> None:
    resolution = resolve(found, OLD, NEW)
    winner, loser = resolution.winner, resolution.loser
    assert (winner.system_time_start, winner.system_time_end) == (day(5), SENTINEL_END)
    assert (winner.provenance, winner.resolution_strategy_id) == (2, found.id)
    original = next(each for each in (OLD, NEW) if each.fact_id == winner.fact_id)
    kept = ("fact_id", "subject", "predicate", "object", "valid_from", "valid_to", "confidence", "row_kind")
    assert all(getattr(winner, column) == getattr(original, column) for column in kept)
    assert loser in (OLD, NEW) and loser is not original
    audit = resolution.audit
    assert (audit.provenance, audit.strategy, audit.system_time) == (2, found.id, day(5))
    assert (audit.winner_id, audit.winner_object) == (winner.fact_id, winner.object)
    assert (audit.loser_ids, audit.loser_objects) == ((loser.fact_id,), (loser.object,))


def test_provenance_is_merged_exactly() -> None:
    one, other = MULTIDEGREE.parse("2*x"), MULTIDEGREE.parse("x + y")
    found = LWW.resolve(replace(OLD, provenance=one), replace(NEW, provenance=other), now=day(5), carrier=MULTIDEGREE)
    assert MULTIDEGREE.text(found.audit.provenance) == "3*x+y"


def test_a_set_has_one_winner_and_all_others_lose() -> None:
    members = [fact(name, name, at=number) for number, name in enumerate("abcd")]
    for order in permutations(members):
        found = resolve(LWW, *order)
        assert found.winner.fact_id == "d" and {loser.fact_id for loser in found.losers} == set("abc")
        assert found.audit.provenance == 4


@pytest.mark.parametrize("found", EVERY)
@pytest.mark.parametrize(
    "other",
    [
        replace(NEW, object="penicillin"),
        replace(NEW, subject="bob"),
        replace(NEW, predicate="allergy"),
        fact("b", "amoxicillin", (10, 11), at=2),
    ],
)
def test_facts_that_do_not_contradict_are_refused(found: Operator, other: Fact[int]) -> None:
    with pytest.raises(NotContradicting, match="'a' and 'b'"):
        resolve(found, OLD, other)


def test_one_pair_that_does_not_contradict_spoils_a_set() -> None:
    with pytest.raises(NotContradicting):
        resolve(LWW, OLD, NEW, fact("c", "amoxicillin", at=3))


@pytest.mark.parametrize("members", [(), (OLD,)])
def test_fewer_than_two_members_are_refused(members: tuple[Fact[int], ...]) -> None:
    with pytest.raises(NotContradicting):
        resolve(LWW, *members)


def test_one_version_twice_is_refused_and_two_versions_are_not() -> None:
    with pytest.raises(InvalidFact, match="'a' twice"):
        resolve(LWW, OLD, replace(OLD, object="other"))
    assert resolve(LWW, OLD, replace(OLD, object="other", system_time_start=day(2))).winner.object == "other"


def test_naive_and_aware_do_not_meet() -> None:
    with pytest.raises(MixedTimestamps):
        resolve(LWW, OLD, fact("b", "y", at=2, aware=True))
    with pytest.raises(MixedTimestamps, match="now"):
        resolve(LWW, OLD, NEW, now=day(5, aware=True))
    with pytest.raises(InvalidPeriod, match="now"):
        resolve(LWW, OLD, NEW, now="today")
    aware = fact("a", "x", aware=True), fact("b", "y", at=2, aware=True)
    assert resolve(LWW, *aware, now=day(5, aware=True)).winner.fact_id == "b"


@pytest.mark.parametrize("found", [AWAIT, RULE])
def test_an_election_needs_an_oracle(found: Operator) -> None:
    with pytest.raises(OracleMissing, match=found.id):
        resolve(found, OLD, NEW, oracle=None)


@pytest.mark.parametrize(
    "vote", [-1, 2, 10**30, pytest.param(10**5000, id="huge"), True, False, None, 0.0, "0", [0], object()]
)
def test_what_is_no_index_is_refused(vote: Any) -> None:
    with pytest.raises(VoteOutOfRange, match="from 0 to 1"):
        resolve(AWAIT, OLD, NEW, oracle=lambda members: vote)


def _raise(error: BaseException) -> Any:
    def oracle(members: Any) -> int:
        raise error

    return oracle


@pytest.mark.parametrize("seconds", [None, 5.0])
def test_an_oracle_that_raises_is_the_cause(seconds: float | None) -> None:
    error = RuntimeError("no connection")
    with pytest.raises(OracleFailed, match="RuntimeError: no connection") as caught:
        resolve(RULE, OLD, NEW, oracle=_raise(error), seconds=seconds)
    assert caught.value.__cause__ is error and not isinstance(caught.value, OracleTimedOut)


@pytest.mark.parametrize("seconds", [None, 5.0])
def test_an_interruption_is_not_a_failure_of_the_oracle(seconds: float | None) -> None:
    with pytest.raises(KeyboardInterrupt):
        resolve(RULE, OLD, NEW, oracle=_raise(KeyboardInterrupt()), seconds=seconds)


def test_an_oracle_that_is_too_slow_is_left_behind() -> None:
    begun = time.monotonic()
    with pytest.raises(OracleTimedOut, match=r"0\.01 s"):
        resolve(RULE, OLD, NEW, oracle=lambda members: time.sleep(1) or 0, seconds=0.01)
    assert time.monotonic() - begun < 0.9
    assert resolve(RULE, OLD, NEW, seconds=5.0).winner.fact_id == "a"


def test_an_oracle_cannot_change_the_members() -> None:
    members = [OLD, NEW]
    assert ask(lambda given: members.clear() or len(given) - 1, members) == 1  # type: ignore[func-returns-value]


def test_policies_are_rows_keyed_by_the_unordered_set() -> None:
    oracle = policy({frozenset({"a", "b"}): "b"})
    assert oracle((OLD, NEW)) == 1 and oracle((NEW, OLD)) == 0
    for rows in ({}, {frozenset({"a", "b"}): "c"}):
        with pytest.raises(OracleFailed):
            resolve(RULE, OLD, NEW, oracle=policy(rows))


@pytest.mark.parametrize("strategy", ["", "LWW", "newest", "rule ", "⊕t"])
def test_unknown_strategies_have_no_fallback(strategy: str) -> None:
    with pytest.raises(UnknownStrategy, match="lww, evi, await, rule"):
        operator(strategy)


def test_strategies_name_their_operators() -> None:
    assert [operator(found.id) for found in EVERY] == EVERY
    assert [found.id for found in EVERY if found.asks] == ["await", "rule"]


def test_time_goes_before_the_name() -> None:
    """Neither ⊕t nor ⊕p looks at the fact_id where times differ, in whatever order the names are."""
    for early, late in (("a", "b"), ("b", "a")):
        first, second = fact(early, "x", at=0), fact(late, "y", at=1)
        assert LWW.resolve(first, second, now=day(5), carrier=COUNTING).winner.fact_id == late
        assert EVIDENCE.resolve(first, second, now=day(5), carrier=COUNTING).winner.fact_id == late
