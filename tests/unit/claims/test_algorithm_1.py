"""Claims about Algorithm 1: what they say, and that another write path or store makes them say something else."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from toki_verify.algebra import Fact, operator
from toki_verify.algebra.errors import InvalidPeriod, SeveralIncumbents
from toki_verify.claims import algorithm_1, write_path_log, write_path_losses, write_path_rules
from toki_verify.claims.cells import Cells
from toki_verify.claims.model import Outcome
from toki_verify.claims.printed_algorithm import Memory, ingest
from toki_verify.claims.small_facts import day, fact
from toki_verify.claims.small_histories import Run, every_odd_run, every_run, histories, run
from toki_verify.claims.write_path_failures import Failure, attempt
from toki_verify.stores import write_path
from toki_verify.stores.errors import ConstraintViolated

CLAIMS = {claim.id: claim for claim in algorithm_1.CLAIMS}


def verdict(id: str) -> str:
    """What a claim says now."""
    return CLAIMS[id].decide(Cells()).verdict


def with_runs(monkeypatch: pytest.MonkeyPatch, module: Any, **settings: Any) -> None:
    """Let a module look at the small histories under another write path."""
    runs = tuple(run(found.history, **settings) for found in every_run())
    monkeypatch.setattr(module, "every_run", lambda mode="audit_row": runs)


@pytest.fixture(scope="module")
def outcomes() -> dict[str, Outcome]:
    """What every claim says."""
    return {id: claim.decide(Cells()) for id, claim in CLAIMS.items()}


def test_what_the_claims_say(outcomes: dict[str, Outcome]) -> None:
    assert {id: outcome.verdict for id, outcome in outcomes.items()} == {
        "Alg1.duplicate": "depends",
        "Alg1.lost-state": "refuted",
        "Alg1.outside-overlap": "refuted",
        "Alg1.stamp": "depends",
        "Alg1.log": "depends",
        "Alg1.log-key": "depends",
        "Alg1.log-version": "refuted",
        "Alg1.witness": "depends",
        "Alg1.close": "holds-repaired",
        "Alg1.modes": "holds",
        "Alg1.raises": "holds",
        "Alg1.strategy": "holds-repaired",
        "Alg1.constraints": "holds",
        "Alg1.clock": "holds-repaired",
        "Alg1.single-incumbent": "depends",
        "Alg1.ensure": "holds",
        "Alg1.audit-key": "holds-repaired",
        "Alg1.commit": "depends",
        "Alg1.pin": "depends",
        "Alg1.callback": "depends",
        "Alg1.exposes": "depends",
    }


def test_what_is_refuted_or_repaired_shows_it(outcomes: dict[str, Outcome]) -> None:
    for id, outcome in outcomes.items():
        assert outcome.bound and (outcome.verdict == "holds" or (outcome.evidence and outcome.repair)), id
    assert outcomes["Alg1.constraints"] == CLAIMS["Alg1.constraints"].decide(Cells())


@pytest.mark.parametrize("runs", [every_run, every_odd_run])
def test_the_printed_lines_and_the_write_path_agree(runs: Any) -> None:
    for found in runs():
        memory = Memory()
        for each, written in zip(found.history, found.written, strict=True):
            try:
                memory, resolution = ingest(memory, each, each.system_time_start)
            except SeveralIncumbents:
                assert isinstance(written, SeveralIncumbents)
            except InvalidPeriod:
                assert isinstance(written, ConstraintViolated)
            else:
                assert not isinstance(written, Exception) and written.resolution == resolution
        rows = sorted(memory.rows, key=lambda row: (row.fact_id, row.system_time_start))
        assert tuple(rows) == found.rows


def test_a_duplicate_that_accumulates_keeps_its_provenance(monkeypatch: pytest.MonkeyPatch) -> None:
    with_runs(monkeypatch, write_path_losses, duplicates="accumulate")
    assert verdict("Alg1.duplicate") == "holds"


def test_a_write_path_that_stamps_incumbents_does_what_3_2_says(monkeypatch: pytest.MonkeyPatch) -> None:
    with_runs(monkeypatch, write_path_losses, incumbents="stamped")
    assert verdict("Alg1.stamp") == "holds"


def test_histories_without_duplicates_lose_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = tuple(found for found in every_run() if "duplicate" not in found.kinds())
    monkeypatch.setattr(write_path_losses, "every_run", lambda: runs)
    assert verdict("Alg1.lost-state") == "holds"


def test_remainders_stay_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path_losses, "WritePath", write_path_losses.Remaindering)
    assert verdict("Alg1.outside-overlap") == "holds"


def test_a_remainder_is_two_rows_where_the_winner_lies_inside() -> None:
    store = write_path_losses.MemoryStore(write_path_losses.MULTIDEGREE)
    path = write_path_losses.Remaindering(store)
    path.ingest(fact("a", "x", (0, 3), at=1))
    path.ingest(fact("b", "y", (1, 2), at=2))
    assert [(row.fact_id, row.valid.start, row.valid.end) for row in store.rows() if row.is_open][:3] == [
        ("a/1", day(0), day(1)),
        ("a/2", day(2), day(3)),
        ("audit::a::2026-01-03T00:00:00", day(0), day(3)),
    ]


def _reading(memory: Memory, f: Fact[Any], ts: datetime, *, oracles: Any = None, **more: Any) -> Any:
    """Algorithm 1 with the repair of line 14: the log is read first."""
    logged = [vote for (_, newcomer), vote in memory.log if newcomer == f.fact_id]
    if not logged:
        return ingest(memory, f, ts, oracles=oracles, **more)
    after, resolution = ingest(memory, f, ts, oracles={"rule": lambda members: logged[0]}, **more)
    return Memory(after.rows, memory.log), resolution


def test_a_log_that_is_read_gives_one_vote(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path_log, "ingest", _reading)
    assert verdict("Alg1.log") == "holds"


def test_a_consulted_log_is_asked_once_and_one_that_is_not_twice() -> None:
    for consult, asked in ((True, 1), (False, 2)):
        oracle, logged, current = write_path_log.crash_and_retry((1, 0), consult)
        assert len(oracle.asked) == asked and logged == "b" and current == ("b" if consult else "a")


def test_a_key_that_sorts_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    first = write_path_log.first_question
    monkeypatch.setattr(write_path_log, "first_question", lambda h: (tuple(sorted(first(h)[0])), first(h)[1]))
    assert verdict("Alg1.log-key") == "holds"


def test_a_key_with_contents_is_one_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path, "identities", lambda members: [f"{m.fact_id}={m.object}" for m in members])
    assert verdict("Alg1.log-version") == "holds"


def test_the_json_of_a_witness_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path_log, "bar_text", write_path_log.json_text)
    assert verdict("Alg1.witness") == "holds"


def test_the_smallest_collision_has_one_text() -> None:
    found = write_path_log.collision(write_path_log.bar_text, "a| ", 3)
    assert found is not None and write_path_log.bar_text(*found[0]) == write_path_log.bar_text(*found[1])
    assert found[0] != found[1] and sum(map(len, found[0])) == 2
    assert write_path_log.collision(write_path_log.bar_text, "ab", 3) is None


def test_closing_one_row_by_id_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path_rules, "closed_by_id", lambda rows, fact_id: rows[:1])
    assert verdict("Alg1.close") == "holds"


def test_a_mode_that_kept_audits_would_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    other = {"dual_row": "audit_row", "base": "base", "audit_row": "audit_row"}
    monkeypatch.setattr(write_path_rules, "every_run", lambda mode="audit_row": every_run(other[mode]))
    assert verdict("Alg1.modes") == "refuted"


def _insert_then_raise(store: Any) -> object:
    transaction = store.begin()
    transaction.insert(fact("c", "c", (8, 9), at=1))
    transaction.commit()
    raise KeyError("too late")


_LEFT: list[Any] = []


def _leave_open_and_raise(store: Any) -> object:
    _LEFT.append(store.begin())  # held: a transaction that nobody has any more ends by itself
    raise KeyError("in the middle")


@pytest.mark.parametrize(
    "act,expected",
    [
        (lambda store: None, ("UnknownStrategy",)),
        (_insert_then_raise, ("KeyError",)),
        (_leave_open_and_raise, ("KeyError",)),
    ],
)
def test_a_failure_that_is_masked_or_leaves_something_is_found(
    monkeypatch: pytest.MonkeyPatch, act: Any, expected: tuple[str, ...]
) -> None:
    store = write_path_rules.MemoryStore
    monkeypatch.setattr(
        "toki_verify.claims.write_path_failures.MemoryStore", lambda carrier: store(carrier, busy_seconds=0.01)
    )
    failure = Failure("something", "step 0", act, expected)
    raised, unchanged, usable = attempt(failure)
    assert raised not in expected or not unchanged or not usable
    monkeypatch.setattr(write_path_rules, "FAILURES", (failure,))
    assert verdict("Alg1.raises") == "refuted"


def test_a_strategy_that_is_looked_up_first_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    def checking(memory: Memory, f: Fact[Any], ts: datetime, **more: Any) -> Any:
        try:
            operator(f.resolution_strategy_id)
        except ValueError:
            return memory, None
        return ingest(memory, f, ts, **more)

    monkeypatch.setattr(write_path_rules, "ingest", checking)
    assert verdict("Alg1.strategy") == "holds"


def test_rows_that_break_the_key_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    row = fact("a", "x")
    assert write_path_rules.broken_constraint((row, row)) == "primary key"
    assert write_path_rules.broken_constraint((row, replace(row, fact_id="b"))) == ""
    monkeypatch.setattr(write_path_rules, "every_run", lambda: (Run((row,), (), (row, row)),))
    assert verdict("Alg1.constraints") == "refuted"


def test_rising_times_are_never_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path_rules, "every_odd_run", lambda: every_run())
    assert verdict("Alg1.clock") == "holds"


def test_of_two_facts_of_one_instant_the_first_stays() -> None:
    for one, other in (("a", "b"), ("b", "a")):
        found = run((fact(one, "x"), fact(other, "y")))
        assert [row.fact_id for row in found.rows if row.row_kind == "current"] == [one]


def test_without_neighbours_there_is_one_incumbent(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = tuple(map(run, histories(2)))
    monkeypatch.setattr(write_path_rules, "every_run", lambda mode="audit_row": runs)
    assert verdict("Alg1.single-incumbent") == "depends"  # two writers at once are enough
    monkeypatch.setattr(write_path_rules, "racing_lines", lambda: ([], []))
    assert verdict("Alg1.single-incumbent") == "holds"


def test_without_audit_rows_losers_are_not_dominated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_path_rules, "every_run", lambda mode="audit_row": every_run("base"))
    assert verdict("Alg1.ensure") == "refuted"
