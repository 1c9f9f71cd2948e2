"""Algorithm 1 over every store: each branch, each choice, each refusal."""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from toki_verify.algebra.audit import unpack
from toki_verify.algebra.errors import (
    InvalidFact,
    MixedTimestamps,
    OracleFailed,
    OracleMissing,
    OracleTimedOut,
    SeveralIncumbents,
    StrategyNotEnabled,
    UnknownStrategy,
    VoteOutOfRange,
)
from toki_verify.algebra.facts import Fact
from toki_verify.stores import JudgeKey, LogEntry, WritePath
from toki_verify.stores.errors import ConstraintViolated
from toki_verify.stores.protocol import MODES

from .conftest import Opener
from .samples import CARRIER, at, fact, in_utc
from .test_contract import put

TOKEN, PLUS = CARRIER.token, CARRIER.plus
KEY = JudgeKey(("f", "g"), "default", "s", "p")


def first(members: Any) -> int:
    return 0


def second(members: Any) -> int:
    return 1


def never(members: Any) -> int:
    raise AssertionError("no oracle was to be asked")


def brief(store: Any) -> list[tuple[str, str, float, float | None, str, str]]:
    """Rows in short: id, object, start and end in hours (None: open), kind, strategy."""
    found = []
    for row in store.rows():
        hours = [(when - at(0)).total_seconds() / 3600 for when in (row.system_time_start, row.system_time_end)]
        value = row.object if row.row_kind == "current" else unpack(row).winner_object
        end = None if row.is_open else hours[1]
        found.append(
            (
                row.fact_id.split("::")[-2] if "::" in row.fact_id else row.fact_id,
                value,
                hours[0],
                end,
                row.row_kind,
                row.resolution_strategy_id,
            )
        )
    return found


def test_a_first_fact_is_inserted_as_it_is(store: Any) -> None:
    written = WritePath(store).ingest(fact("f"))
    assert (written.kind, written.row, written.resolution) == ("inserted", fact("f"), None)
    assert store.rows() == [fact("f")]


@pytest.mark.parametrize(
    "other",
    [
        fact("g", "other", start=1, subject="S"),
        fact("g", "other", start=1, predicate="P"),
        fact("g", "other", start=1, valid=(2, 3)),
        fact("g", "f", start=1, valid=(2, 3)),
    ],
)
def test_a_fact_that_contradicts_nothing_is_inserted(store: Any, other: Fact[Any]) -> None:
    path = WritePath(store)
    path.ingest(fact("f", valid=(0, 2)))
    assert path.ingest(other).kind == "inserted"
    assert store.rows() == [fact("f", valid=(0, 2)), other]


def test_rows_that_are_closed_contradict_nothing(store: Any) -> None:
    closed = fact("f", system_time_end=at(1))
    put(store, closed, fact("a", "other", row_kind="audit"))
    assert WritePath(store).ingest(fact("g", start=2)).kind == "inserted"


def test_lww_an_incumbent_that_loses_is_closed(store: Any) -> None:
    path = WritePath(store)
    path.ingest(fact("f"))
    written = path.ingest(fact("g", start=1), at(2))
    merged = PLUS(TOKEN("wf"), TOKEN("wg"))
    winner = replace(fact("g"), system_time_start=at(2), provenance=merged)
    assert written.kind == "resolved" and written.row == winner
    assert written.resolution is not None and written.resolution.loser == fact("f")
    assert brief(store) == [
        ("f", "g", 2, None, "audit", "lww"),
        ("f", "f", 0, 2, "current", "lww"),
        ("g", "g", 2, None, "current", "lww"),
    ]
    assert store.rows()[1:] == [fact("f").closed(at(2)), winner]
    assert store.rows()[0].provenance == merged
    assert store.asof(at(3), at(1)) == [fact("f").closed(at(2))] and store.asof(at(3), at(2)) == [winner]


@pytest.mark.parametrize("incumbents", ["untouched", "stamped"])
def test_lww_a_fact_that_loses_lives_in_its_audit_row(store: Any, incumbents: Any) -> None:
    path = WritePath(store, incumbents=incumbents)
    path.ingest(fact("f", start=5))
    written = path.ingest(fact("g", start=1), at(6))
    merged = PLUS(TOKEN("wf"), TOKEN("wg"))
    audit = store.asof(at(0), at(6), "audit")[0]
    assert unpack(audit).loser_objects == ("g",) and audit.provenance == merged
    if incumbents == "untouched":
        assert written.row == fact("f", start=5)
        assert store.rows() == [audit, fact("f", start=5)]
    else:
        stamped = replace(fact("f", start=6), provenance=merged)
        assert written.row == stamped
        assert store.rows() == [audit, fact("f", start=5).closed(at(6)), stamped]


@pytest.mark.parametrize(("old", "new", "wins"), [(0.5, 0.9, "g"), (0.9, 0.5, "f"), (0.5, 0.5, "g")])
def test_evidence_the_larger_confidence_wins(store: Any, old: float, new: float, wins: str) -> None:
    path = WritePath(store)
    path.ingest(fact("f", confidence=old))
    written = path.ingest(fact("g", start=1, confidence=new, resolution_strategy_id="evi"))
    assert written.row.fact_id == wins
    opened = [row.fact_id for row in store.rows() if row.row_kind == "current" and row.is_open]
    assert opened == [wins]


@pytest.mark.parametrize("strategy", ["await", "rule"])
@pytest.mark.parametrize(("oracle", "wins"), [(first, "f"), (second, "g")])
def test_an_oracle_elects_and_its_vote_is_logged(store: Any, strategy: str, oracle: Any, wins: str) -> None:
    path = WritePath(store, {strategy: oracle})
    path.ingest(fact("f"))
    steps = list(path.steps(fact("g", start=1, resolution_strategy_id=strategy)))
    names = [step.name for step in steps]
    resolved = ["closed", "inserted"] if wins == "g" else []
    assert names == [
        "begun",
        "read",
        "rolled back",
        "asked",
        "logged",
        "begun",
        "read",
        *resolved,
        "audited",
        "committed",
    ]
    assert list(store.judge_log.entries()) == [LogEntry(KEY, wins)]
    assert [row.fact_id for row in store.rows() if row.row_kind == "current" and row.is_open] == [wins]
    assert store.rows()[0].resolution_strategy_id == strategy


def test_a_vote_in_the_log_is_not_asked_for_again(store: Any) -> None:
    store.judge_log.insert_if_absent(KEY, "f")
    path = WritePath(store, {"await": never})
    path.ingest(fact("f"))
    assert path.ingest(fact("g", start=1, resolution_strategy_id="await")).row == fact("f")
    with pytest.raises(OracleFailed):  # another pin of the decoder is another key
        replace(path, theta="other").ingest(fact("g", start=2, resolution_strategy_id="await"))


def test_as_printed_every_call_asks_again(store: Any) -> None:
    """Algorithm 1, line 14, appends and never reads: the answer decides, and differs from what was logged first."""
    store.judge_log.insert_if_absent(KEY, "f")
    path = WritePath(store, {"await": second}, consult=False)
    path.ingest(fact("f"))
    assert path.ingest(fact("g", start=1, resolution_strategy_id="await")).row.fact_id == "g"
    assert list(store.judge_log.entries()) == [LogEntry(KEY, "f")]


@pytest.mark.parametrize("duplicates", ["return", "accumulate"])
def test_a_repeated_confirmation(store: Any, duplicates: Any) -> None:
    path = WritePath(store, duplicates=duplicates)
    path.ingest(fact("f"))
    again = fact("g", "f", start=1, valid=(3, 4))
    written = path.ingest(again)
    if duplicates == "return":
        assert (written.kind, written.row) == ("duplicate", fact("f"))
        assert store.rows() == [fact("f")]
    else:
        merged = replace(fact("f", start=1), provenance=PLUS(TOKEN("wf"), TOKEN("wg")))
        assert (written.kind, written.row) == ("duplicate", merged)
        assert store.rows() == [fact("f").closed(at(1)), merged]


def test_a_duplicate_is_found_before_a_contradiction(store: Any) -> None:
    put(store, fact("f", valid=(0, 2)), fact("g", valid=(2, 4)))
    written = WritePath(store).ingest(fact("h", "g", start=1, valid=(0, 4)))
    assert written.kind == "duplicate" and written.row.fact_id == "g"


@pytest.mark.parametrize("mode", MODES)
def test_the_mode_says_what_is_kept_of_the_audit_half(make: Opener, mode: str) -> None:
    store = make(mode=mode)
    path = WritePath(store)
    path.ingest(fact("f"))
    written = path.ingest(fact("g", start=1))
    assert written.resolution is not None and written.resolution.audit.loser_objects == ("f",)
    assert len(store.asof(at(1), at(1), "audit")) == (mode == "audit_row")
    assert [row.fact_id for row in store.rows() if row.row_kind == "current"] == ["f", "g"]


def test_a_revision_has_the_fact_id_of_its_incumbent(store: Any) -> None:
    path = WritePath(store, {"await": second})
    path.ingest(fact("f", "old"))
    assert path.ingest(fact("f", "new", start=1)).row.object == "new"
    written = path.ingest(fact("f", "newer", start=2, resolution_strategy_id="await"))
    assert written.row.object == "newer"
    assert [(row[0], row[1], row[3]) for row in brief(store) if row[4] == "current"] == [
        ("f", "old", 1),
        ("f", "new", 2),
        ("f", "newer", None),
    ]
    key = JudgeKey(('["f", "new"]', '["f", "newer"]'), "default", "s", "p")
    assert list(store.judge_log.entries()) == [LogEntry(key, '["f", "newer"]')]


def refused(
    store: Any, path: WritePath[Any], error: type[Exception], incoming: Fact[Any], now: Any = None
) -> Exception:
    """What ingest raises; the store is as it was, and can be used."""
    before, logged = store.rows(), list(store.judge_log.entries())
    with pytest.raises(error) as raised:
        path.ingest(incoming, now)
    assert store.rows() == before and list(store.judge_log.entries()) == logged
    store.begin().rollback()
    return raised.value


def test_more_than_one_incumbent_is_refused(store: Any) -> None:
    put(store, fact("f", valid=(0, 2)), fact("g", valid=(2, 4)))
    found = refused(store, WritePath(store), SeveralIncumbents, fact("h", start=1, valid=(1, 3)))
    assert "'f', 'g'" in str(found)


def test_strategies_that_cannot_be_used_are_refused(store: Any) -> None:
    put(store, fact("f"))
    refused(store, WritePath(store), UnknownStrategy, fact("g", start=1, resolution_strategy_id="LWW"))
    refused(store, WritePath(store, enabled=("evi",)), StrategyNotEnabled, fact("g", start=1))
    refused(store, WritePath(store), OracleMissing, fact("g", start=1, resolution_strategy_id="await"))
    with pytest.raises(UnknownStrategy):
        WritePath(store, enabled=("lww", "newest"))


def raising(members: Any) -> int:
    raise KeyError("no such policy")


@pytest.mark.parametrize("strategy", ["await", "rule"])
def test_votes_out_of_range_are_refused(store: Any, strategy: str) -> None:
    put(store, fact("f"))
    for vote in (2, -1, True, None, "0", 0.0):
        path = WritePath(store, {strategy: lambda members, vote=vote: vote})
        refused(store, path, VoteOutOfRange, fact("g", start=1, resolution_strategy_id=strategy))


def test_oracles_that_fail(store: Any) -> None:
    put(store, fact("f"))
    incoming = fact("g", start=1, resolution_strategy_id="await")
    found = refused(store, WritePath(store, {"await": raising}), OracleFailed, incoming)
    assert isinstance(found.__cause__, KeyError)
    wait = threading.Event()
    slow = WritePath(store, {"await": lambda members: wait.wait(30) and 0}, seconds=0.05)
    begun = time.monotonic()
    refused(store, slow, OracleTimedOut, incoming)
    assert time.monotonic() - begun < 10
    wait.set()
    assert WritePath(store, {"await": second}).ingest(incoming).row.fact_id == "g"


def test_an_oracle_may_read_the_store_while_it_thinks(store: Any) -> None:
    put(store, fact("f"))
    seen: list[Any] = []

    def oracle(members: Any) -> int:
        seen.append(store.rows())
        seen.append(store.judge_log.get(KEY))
        return 1

    path = WritePath(store, {"await": oracle}, seconds=30)
    assert path.ingest(fact("g", start=1, resolution_strategy_id="await")).row.fact_id == "g"
    assert seen == [[fact("f")], None]


def test_timestamps_of_two_kinds(store: Any) -> None:
    put(store, fact("f"))
    refused(store, WritePath(store), MixedTimestamps, in_utc(fact("g", start=1)))
    refused(store, WritePath(store), MixedTimestamps, in_utc(fact("g", start=1, subject="elsewhere")))
    refused(store, WritePath(store), MixedTimestamps, fact("g", start=1), in_utc(fact("x")).valid_from)


@pytest.mark.parametrize("now", [0, -1])
def test_a_clock_that_goes_back(store: Any, now: int) -> None:
    put(store, fact("f"))
    path = WritePath(store, {"await": second})
    found = refused(store, path, ConstraintViolated, fact("g", start=1), at(now))
    assert isinstance(found, ConstraintViolated) and found.constraint == "system-period order"


def test_only_an_open_current_row_is_ingested(store: Any) -> None:
    for odd in (fact("f", row_kind="audit"), fact("f", system_time_end=at(1))):
        refused(store, WritePath(store), InvalidFact, odd)


def test_a_losing_fact_that_is_ingested_again_at_its_time_is_refused(store: Any) -> None:
    """Its audit row has the key (audit::loser::time, time): a retry is no second audit row, and no silent one."""
    path = WritePath(store)
    path.ingest(fact("f", start=5))
    path.ingest(fact("g", start=1), at(6))
    found = refused(store, path, ConstraintViolated, fact("g", start=1), at(6))
    assert isinstance(found, ConstraintViolated) and found.constraint == "primary key"


@pytest.mark.parametrize("strategy", ["lww", "await"])
def test_stopping_at_any_step_leaves_nothing(store: Any, strategy: str) -> None:
    """Six stops before the commit: those of the transaction, or those before the vote is in the log."""
    put(store, fact("f"))
    path = WritePath(store, {"await": second})
    incoming = fact("g", start=1, resolution_strategy_id=strategy)
    done = 0
    for stop in range(100):
        steps = path.steps(incoming)
        names = [step.name for step in itertools.islice(steps, stop)]
        steps.close()
        if "committed" in names:
            break
        assert store.rows() == [fact("f")]
        done += 1
    assert done == 6 and len(store.rows()) == 3
