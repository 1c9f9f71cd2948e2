"""Hand-worked verdicts, a design or two for every cell: what it does is small enough to be thought through."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from random import Random
from typing import Any, ClassVar

import pytest

from toki_verify.designs import Design, Initial, Steps, Table, commit, insert, row, select, writer
from toki_verify.designs.engine import Engine
from toki_verify.designs.examine import Examiner
from toki_verify.designs.machine import Machine
from toki_verify.designs.model import describe
from toki_verify.designs.program import Uncaught
from toki_verify.designs.review import Bound, CellResult, workloads
from toki_verify.designs.runs import Run, canonical
from toki_verify.designs.values import Row
from toki_verify.designs.verify import Verifier

from .drawn_designs import drawn
from .small_designs import (
    Appended,
    Appends,
    Asks,
    AsksTheSame,
    Awaits,
    Between,
    Declines,
    Expects,
    FirstToCome,
    Logs,
    LogsAndForgets,
    LogsTheSame,
    OnCall,
    OneFact,
    Pinned,
    Retries,
    Sees,
    Stubborn,
    TwoFacts,
    TwoWards,
    Waits,
    at,
)


def results(of: Any, *names: str, writers: int = 2, crashes: int = 0) -> dict[str, CellResult]:
    """Some cells of a design."""
    found = Verifier(of, only=names).verify(writers, crashes).results
    assert set(found) == set(names)
    return found


def verdicts(of: Any, *names: str, writers: int = 2, crashes: int = 0) -> dict[str, str]:
    return {name: found.verdict for name, found in results(of, *names, writers=writers, crashes=crashes).items()}


# -- lost updates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["none", "RU", "RC"])
def test_an_update_is_lost_below_snapshot_isolation(level: str) -> None:
    assert verdicts(at(Appends, level), "P4", "final-state") == {"P4": "admits", "final-state": "admits"}


@pytest.mark.parametrize("level", ["SI", "SR", "2PL"])
def test_no_update_is_lost_from_snapshot_isolation_on(level: str) -> None:
    assert verdicts(at(Appends, level), "P4", "final-state") == {"P4": "excludes", "final-state": "excludes"}


def test_no_update_is_lost_under_the_expected_version() -> None:
    assert verdicts(Expects, "P4", "final-state") == {"P4": "excludes", "final-state": "excludes"}


# -- skews -------------------------------------------------------------------------------------------------------------


SKEW = ("A5B", "N2", "N2[state]", "invariant somebody", "final-state")


def test_a_skew_within_a_partition() -> None:
    assert verdicts(OnCall, *SKEW) == dict.fromkeys(SKEW, "admits")
    assert not any(found.serial for found in results(OnCall, *SKEW).values())


def test_a_skew_over_two_partitions_is_no_belief_drift() -> None:
    expected = {"A5B": "admits", "N2": "excludes", "N2[state]": "excludes", "invariant somebody": "admits"}
    assert verdicts(TwoWards, *expected) == expected


@pytest.mark.parametrize("of", [at(OnCall, "SR"), at(OnCall, "2PL"), Pinned], ids=["SR", "2PL", "pin"])
def test_no_skew_where_the_partition_is_serializable(of: Any) -> None:
    assert verdicts(of, *SKEW) == dict.fromkeys(SKEW, "excludes")


def test_what_serial_executions_break_is_no_drift() -> None:
    found = results(Stubborn, "invariant somebody", "N2[state]")
    assert found["invariant somebody"].verdict == "admits"
    assert found["invariant somebody"].serial
    assert "serial" in found["invariant somebody"].reason
    assert found["N2[state]"].verdict == "excludes"


def test_an_invariant_is_asked_of_every_table_of_a_serial_execution() -> None:
    """With equal facts, too."""
    found = results(FirstToCome, "invariant not_the_second")["invariant not_the_second"]
    assert (found.verdict, found.serial) == ("admits", True)


# -- judges ------------------------------------------------------------------------------------------------------------


N1 = ("N1", "N1[observed]", "N1[replay]")


def test_without_a_crash_nobody_asks_twice_about_a_request() -> None:
    assert verdicts(Asks, *N1) == dict.fromkeys(N1, "excludes")


def test_a_crash_behind_the_commit_asks_again() -> None:
    found = results(Asks, *N1, writers=1, crashes=1)
    assert {name: cell.verdict for name, cell in found.items()} == dict.fromkeys(N1, "admits")
    assert {str(cell.found.bound) for cell in found.values() if cell.found} == {"1 writer, 1 crash"}


def test_two_writers_with_one_question_disagree_without_a_crash_and_replay_nothing() -> None:
    assert verdicts(AsksTheSame, *N1) == {"N1": "admits", "N1[observed]": "admits", "N1[replay]": "excludes"}


@pytest.mark.parametrize("of", [Logs, LogsTheSame])
def test_a_log_filled_by_insert_if_absent_has_one_answer(of: type[Design]) -> None:
    assert verdicts(of, *N1, crashes=1) == dict.fromkeys(N1, "excludes")


@pytest.mark.parametrize("of", [LogsAndForgets, Appended])
def test_a_log_that_is_not_asked_or_not_keyed_keeps_nothing_apart(of: type[Design]) -> None:
    assert verdicts(of, *N1, writers=1, crashes=1) == dict.fromkeys(N1, "admits")


def test_a_repeated_call_whose_first_transaction_was_refused_is_a_replay_and_no_n1() -> None:
    assert verdicts(Retries, *N1) == {"N1": "excludes", "N1[observed]": "admits", "N1[replay]": "admits"}


def test_a_repeated_call_that_saw_something_else_first_is_no_replay() -> None:
    assert verdicts(Sees, *N1) == {"N1": "excludes", "N1[observed]": "admits", "N1[replay]": "excludes"}


def test_answers_of_which_one_is_always_rolled_back_are_only_observed() -> None:
    assert verdicts(Declines, *N1) == {"N1": "excludes", "N1[observed]": "admits", "N1[replay]": "excludes"}


def test_a_call_about_facts_that_changed_is_another_call() -> None:
    assert verdicts(Between, *N1) == dict.fromkeys(N1, "excludes")


# -- callbacks ---------------------------------------------------------------------------------------------------------


def test_a_write_by_await_needs_a_callback() -> None:
    assert verdicts(Awaits, "CB", writers=1) == {"CB": "admits"}
    assert verdicts(Waits, "CB", writers=1) == {"CB": "excludes"}
    assert not results(Waits, "CB", writers=1)["CB"].vacuous


# -- states ------------------------------------------------------------------------------------------------------------


def test_a_belief_that_only_concurrent_writers_break() -> None:
    assert verdicts(OneFact, "N2[state]", "final-state") == {"N2[state]": "admits", "final-state": "admits"}
    assert verdicts(at(OneFact, "SR"), "N2[state]", "final-state") == {
        "N2[state]": "excludes",
        "final-state": "excludes",
    }


def test_a_belief_that_serial_executions_break_is_none_that_drifts() -> None:
    assert verdicts(TwoFacts, "N2[state]", "final-state") == {"N2[state]": "excludes", "final-state": "excludes"}


def test_a_writer_that_gives_up_has_no_part_in_the_final_state(monkeypatch: pytest.MonkeyPatch) -> None:
    gives_up = at(Appends, "SI", retries=0)
    assert verdicts(gives_up, "P4", "final-state") == {"P4": "excludes", "final-state": "excludes"}
    monkeypatch.setattr(Run, "gave_up", frozenset())
    assert verdicts(gives_up, "final-state") == {"final-state": "admits"}


# -- what is not there -------------------------------------------------------------------------------------------------


def test_what_no_run_speaks_of_is_excluded_vacuously() -> None:
    names = ("N1", "N1[observed]", "N1[replay]", "CB", "N3[winner]", "N3[decision]", "N3")
    found = results(TwoFacts, *names)
    assert {name for name, cell in found.items() if cell.vacuous and "vacuously" in cell.reason} == set(names)
    assert not results(Appends, "N3")["N3"].vacuous
    assert not results(Appends, "P4", "A5B")["A5B"].vacuous


def test_what_cannot_be_asked_is_undefined_with_a_reason() -> None:
    keeps = replace(describe(Appends), surface=("current", "audit"))
    found = results(keeps, "N2[state]", "N3[source]@history", "N3[source]@audit", "N3[source]")
    assert found["N2[state]"].verdict == "undefined"
    assert "@belief" in found["N2[state]"].reason
    assert found["N3[source]@history"].verdict == "undefined"
    assert "history" in found["N3[source]@history"].reason
    assert found["N3[source]@audit"].verdict == found["N3[source]"].verdict == "admits"


# -- the oracle --------------------------------------------------------------------------------------------------------


def one_after_the_other(engine: Engine, machine: Machine) -> Iterator[Machine]:
    """The ends of all runs by brute force in which no writer goes on once another one has begun."""

    def go(machine: Machine, order: tuple[int, ...]) -> Iterator[Machine]:
        steps = [step for number in machine.writers() for step in engine.options(machine, number)]
        if not steps:
            yield machine
        for step in steps:
            if step.writer in order[:-1]:
                continue  # it goes on behind another one
            if order and step.writer != order[-1] and not machine.processes[order[-1]].finished:
                continue
            after = order if order[-1:] == (step.writer,) else (*order, step.writer)
            yield from go(engine.step(machine, step).machine, after)

    return go(machine, ())


@pytest.mark.parametrize("seed", range(12))
def test_serial_executions_are_the_runs_of_one_writer_after_the_other(seed: int) -> None:
    described = drawn(seed, writers=2, size=2)
    examiner = Examiner(described, ("final-state",))
    for number in range(len(workloads(described, 2))):
        prepared = examiner.prepared(Bound(2, seed % 2), number)
        ends = one_after_the_other(prepared.engine, prepared.start)
        states = {Run(described, prepared.engine.statements, end, ()).belief_state for end in ends}
        assert states == prepared.serial.states[frozenset()]


def test_an_oracle_that_knows_one_order_is_noticed() -> None:
    examiner = Examiner(describe(Appends), ("final-state",))
    prepared = examiner.prepared(Bound(2, 0), 0)
    assert {state[0].partition("says', '")[2][:2] for state in prepared.serial.states[frozenset()]} == {"12", "21"}
    assert len(prepared.serial.states[frozenset({0})]) == len(prepared.serial.states[frozenset({1})]) == 1


# -- final states up to the names of fresh keys ------------------------------------------------------------------------
KEYS = ("w1a", "w1b", "w2a", "w2b")


def state(draw: Random) -> list[Row]:
    """Rows of fresh keys that name each other."""
    keys = draw.sample(KEYS, draw.randint(1, 4))
    return [Row("facts", key, {"says": draw.choice([0, 0, 1]), "of": draw.choice([*KEYS, "old"])}) for key in keys]


def renamed(rows: list[Row], names: dict[str, str]) -> frozenset[tuple[Any, ...]]:
    """Rows with other keys."""
    return frozenset((names.get(one.key, one.key), one["says"], names.get(one["of"], one["of"])) for one in rows)


def same(one: list[Row], other: list[Row]) -> bool:
    """Whether some renaming makes the one the other, by trying all of them."""
    plain = renamed(other, {})
    return any(renamed(one, dict(zip(KEYS, names, strict=True))) == plain for names in permutations(KEYS))


def test_two_final_states_are_one_where_a_renaming_of_fresh_keys_makes_them_so() -> None:
    draw, fresh = Random(3), frozenset(KEYS)
    equal = 0
    for _ in range(500):
        one, other = state(draw), state(draw)
        if draw.random() < 0.3:
            names = dict(zip(KEYS, draw.sample(KEYS, 4), strict=True))
            other = [Row("facts", key, {"says": says, "of": of}) for key, says, of in renamed(one, names)]
        equal += same(one, other)
        assert (canonical(one, fresh) == canonical(other, fresh)) is same(one, other), (one, other)
        assert canonical(one, fresh | {"w0a", "w9z"}) == canonical(one, fresh)  # keys that are not there
    assert 75 < equal < 425


def test_two_rings_are_no_larger_ring() -> None:
    """No refinement of colours tells them apart."""
    rings = [Row("facts", key, {"of": of}) for key, of in zip(KEYS, ("w1b", "w1a", "w2b", "w2a"), strict=True)]
    ring = [Row("facts", key, {"of": of}) for key, of in zip(KEYS, (*KEYS[1:], KEYS[0]), strict=True)]
    assert canonical(rings, frozenset(KEYS)) != canonical(ring, frozenset(KEYS))
    assert canonical(ring, frozenset(KEYS)) == canonical(ring[::-1], frozenset(KEYS))


class Doubled(Design):
    """Two-phase locking: all looks, a vote, one insert. What is done may be asked for again, and then be aborted."""

    isolation = "2PL"
    votes = (0,)
    retries = 1
    tables: ClassVar = {"facts": Table()}

    def setup(self) -> list[Initial]:
        return [row("facts", "n0", subject="alice", predicate="eats", text="rice")]

    @writer
    def note(self, me: int) -> Steps[None]:
        yield from select("facts", subject="alice", predicate="eats")
        yield from insert("facts", subject="alice", predicate="eats", text=f"also {me}")
        yield from commit()


def test_a_request_that_was_done_and_is_aborted_when_it_is_asked_again_had_its_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two-phase locking reaches no final state that serial executions do not; before, this one was not seen as one."""
    assert verdicts(Doubled, "final-state", writers=2, crashes=1) == {"final-state": "excludes"}
    every = property(
        lambda run: frozenset(
            number
            for number, process in enumerate(run.machine.processes)
            if isinstance(process.node.operation, Uncaught)
        )
    )
    monkeypatch.setattr(Run, "gave_up", every)
    assert verdicts(Doubled, "final-state", writers=2, crashes=1) == {"final-state": "admits"}
