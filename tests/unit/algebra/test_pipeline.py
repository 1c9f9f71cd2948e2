"""Pipelines: the chain of emissions, what it asks for, and the fold over a conflict set."""

from __future__ import annotations

from itertools import permutations, product

import pytest

from toki_verify.algebra import EVIDENCE, LWW, OPERATORS, Pipeline, fold
from toki_verify.algebra.carriers import COUNTING
from toki_verify.algebra.errors import NotContradicting, OracleMissing, UnknownStrategy

from .facts_for_tests import day, fact

PAIR = fact("a", "x", at=1, confidence=0.9), fact("b", "y", at=2, confidence=0.4)


def run(*strategies: str, votes: tuple[int, int] = (0, 1)) -> list[tuple[str, str, int]]:
    """Of each step the winner, the loser and the merged count."""
    oracles = {"await": lambda members: votes[0], "rule": lambda members: votes[1]}
    chain = Pipeline[int].of(*strategies).run(*PAIR, now=day(5), carrier=COUNTING, oracles=oracles)
    return [(step.winner.fact_id, step.loser.fact_id, step.audit.provenance) for step in chain]


def test_each_step_gets_the_pair_as_the_step_before_left_it() -> None:
    assert run("lww", "lww") == [("b", "a", 2), ("b", "a", 3)]
    # The stamped winner of the first step is the later one, but not the surer one.
    assert run("lww", "evi") == [("b", "a", 2), ("a", "b", 3)]
    assert run("evi", "lww") == [("a", "b", 2), ("a", "b", 3)]


def test_an_index_means_the_same_fact_at_every_step() -> None:
    for votes in product((0, 1), repeat=2):
        found = run("await", "rule", "await", votes=votes)
        assert [winner for winner, _, _ in found] == ["ab"[votes[0]], "ab"[votes[1]], "ab"[votes[0]]]


def test_every_pipeline_of_three_runs_and_dominates_its_losers() -> None:
    for strategies in product(OPERATORS, repeat=3):
        chain = (
            Pipeline[int]
            .of(*strategies)
            .run(*PAIR, now=day(5), carrier=COUNTING, oracles={"await": lambda m: 1, "rule": lambda m: 0})
        )
        assert [step.audit.strategy for step in chain] == list(strategies)
        assert all(step.loser.provenance <= step.audit.provenance for step in chain)


def test_two_versions_of_one_fact_are_told_apart_by_their_objects() -> None:
    pair = fact("a", "x", at=1), fact("a", "y", at=2)
    chain = Pipeline[int].of("lww", "await").run(*pair, now=day(5), carrier=COUNTING, oracles={"await": lambda m: 0})
    assert [step.winner.object for step in chain] == ["y", "x"]


def test_what_a_step_refuses_the_pipeline_refuses() -> None:
    with pytest.raises(UnknownStrategy):
        Pipeline[int].of("lww", "newest")
    with pytest.raises(OracleMissing):
        Pipeline[int].of("lww", "rule").run(*PAIR, now=day(5), carrier=COUNTING)
    with pytest.raises(NotContradicting):
        Pipeline[int].of("lww").run(PAIR[0], PAIR[0], now=day(5), carrier=COUNTING)


def test_an_empty_pipeline_emits_nothing_and_asks_for_the_least() -> None:
    empty: Pipeline[int] = Pipeline(())
    assert empty.run(*PAIR, now=day(5), carrier=COUNTING) == []
    assert (str(empty.precondition()), empty.precondition().schema) == ("RC", "base")


def test_a_fold_stamps_each_winner_before_the_next_member() -> None:
    members = [fact(name, name, at=number) for number, name in enumerate("abc", start=1)]
    winners = {order: fold(LWW, order, now=day(9), carrier=COUNTING)[-1] for order in permutations(members)}
    # Whoever wins the first step is the latest from then on: the last member never wins.
    assert all(found.winner.fact_id == max(order[0].fact_id, order[1].fact_id) for order, found in winners.items())
    assert {found.audit.provenance for found in winners.values()} == {3}


def test_a_fold_by_confidence_without_ties_does_not_depend_on_the_order() -> None:
    members = [fact(name, name, at=number, confidence=number / 10) for number, name in enumerate("abc", start=1)]
    for order in permutations(members):
        assert fold(EVIDENCE, order, now=day(9), carrier=COUNTING)[-1].winner.fact_id == "c"


def test_a_fold_of_one_member_has_no_steps() -> None:
    assert fold(LWW, [PAIR[0]], now=day(9), carrier=COUNTING) == []
