"""A process that is killed while it writes loses nothing that it acknowledged, and leaves nothing by halves (H1, N3).

The child (crash_child.py) kills itself at every step of the write path, and before every SQL statement. What it leaves
is opened here, checked, and the script finished by a judge that may be in another mood.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import crash_child
import pytest
from crash_child import CARRIER, ENGINES, SCRIPT, endless, path_of, the_other_way, this_way

from toki_verify.algebra.audit import unpack
from toki_verify.algebra.facts import Fact, contradicts
from toki_verify.stores import JudgeKey, LogEntry, MemoryStore
from toki_verify.stores.sqlite import SqliteStore

KILLED = -9
needs_duckdb = pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")
SQLITE, DUCKDB = "sqlite", pytest.param("duckdb", marks=needs_duckdb)

Child = Callable[..., int]


@pytest.fixture(scope="module")
def child() -> Iterator[Child]:
    """Runs a child to its end: its exit code, negative for a signal."""
    command = [sys.executable, crash_child.__file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None and server.stdout is not None

        def run(engine: str, file: Path, unit: str, at: int, seconds: float | None = None) -> int:
            request = {"engine": engine, "file": str(file), "unit": unit, "at": at, "seconds": seconds}
            server.stdin.write(f"{json.dumps(request)}\n")
            server.stdin.flush()
            return int(server.stdout.readline())

        yield run
        server.stdin.close()


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A directory in memory where there is one: a killed process loses nothing of it, and syncs are free."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="toki-crashes-", dir=memory) as directory:
        yield Path(directory)


def invariants(rows: Sequence[Fact[Any]], entries: Sequence[LogEntry]) -> list[str]:
    """What is wrong with a table and its judge log: half of a pair, two beliefs at once, a vote that was not logged."""
    wrong = []
    current = [row for row in rows if row.row_kind == "current"]
    audits = {(unpack(row).loser_ids[0], row.system_time_start): row for row in rows if row.row_kind == "audit"}
    votes = {(entry.key.members, entry.winner) for entry in entries}
    if len({(row.fact_id, row.system_time_start) for row in rows}) < len(rows):
        wrong.append("a version twice")
    for row in current:
        if row.is_open:
            continue
        end = row.system_time_end
        after = [other for other in current if other.partition == row.partition and other.system_time_start == end]
        if len(after) != 1:
            wrong.append(f"{row.fact_id} was closed at {end} and {len(after)} rows begin there")
        elif after[0].object != row.object and (row.fact_id, end) not in audits:
            wrong.append(f"{row.fact_id} lost at {end} and has no audit row")
        elif not CARRIER.leq(row.provenance, after[0].provenance):
            wrong.append(f"{row.fact_id} lost provenance at {end}")
    for (loser, when), row in audits.items():
        found = unpack(row)
        winner = [other for other in current if other.fact_id == found.winner_id and when in other.system]
        if len(winner) != 1:
            wrong.append(f"{loser} lost at {when} to {found.winner_id}, which is not there")
        elif winner[0].system_time_start == when:  # the incumbent lost: a pair of rows
            closed = [other for other in current if other.fact_id == loser and other.system_time_end == when]
            if len(closed) != 1 or winner[0].provenance != row.provenance:
                wrong.append(f"{loser} lost at {when} and is not closed there, or provenance differs")
        elif any(other.fact_id == loser for other in current):
            wrong.append(f"{loser} lost at {when} and is in the table")
        if row.resolution_strategy_id in ("await", "rule"):
            members = tuple(sorted((loser, found.winner_id)))
            if (members, found.winner_id) not in votes:
                wrong.append(f"the vote of {members} for {found.winner_id} is not in the log")
    opened = [row for row in current if row.is_open]
    wrong += [f"{a.fact_id} # {b.fact_id}" for n, a in enumerate(opened) for b in opened[:n] if contradicts(a, b)]
    return wrong


def acknowledged(file: Path) -> list[int]:
    acks = Path(f"{file}.acks")
    return [int(line) for line in acks.read_text().split()] if acks.exists() else []


def state(store: Any) -> tuple[list[Fact[Any]], list[LogEntry]]:
    return store.rows(), list(store.judge_log.entries())


@cache
def uncrashed(logged: frozenset[tuple[JudgeKey, str]], same: bool) -> tuple[list[Fact[Any]], list[LogEntry]]:
    """The script run to its end by a judge, in memory, where some votes had been logged by another one."""
    store: Any = MemoryStore(CARRIER)
    votes = dict(logged)

    def judge(members: Any) -> int:
        ids = [member.fact_id for member in members]
        elected = votes.get(JudgeKey(tuple(sorted(ids)), "default", *members[0].partition))
        if elected is not None:
            return ids.index(elected)
        return this_way(members) if same else the_other_way(members)

    path = path_of(store, judge)
    for fact, now in SCRIPT:
        path.ingest(fact, now)
    return state(store)


def recovered(engine: str, file: Path, same: bool) -> list[str]:
    """What is wrong with what a crash left of the script, and with the end of the script after it."""
    assert not Path(f"{file}.failed").exists(), Path(f"{file}.failed").read_text()
    acks = acknowledged(file)
    store = ENGINES.get(engine, SqliteStore)(file, CARRIER)  # a broken store is opened by one that works
    try:
        rows, entries = state(store)
        wrong = invariants(rows, entries)
        begun = {row.system_time_start for row in rows}
        done = [number for number, (_, now) in enumerate(SCRIPT) if now in begun]
        if done != list(range(len(done))) or not len(acks) <= len(done) <= len(acks) + 1:
            wrong.append(f"acknowledged {acks}, found {done}")
        if not wrong:
            path = path_of(store, this_way if same else the_other_way)
            for fact, now in SCRIPT[len(done) :]:
                path.ingest(fact, now)
            logged = frozenset((entry.key, entry.winner) for entry in entries)
            if state(store) != uncrashed(logged, same):
                wrong.append("the end differs from that of a run without a crash")
            wrong += invariants(*state(store))
        return wrong
    finally:
        store.shut()


def sweep(child: Child, engine: str, unit: str, directory: Path, stride: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Kill at every point, or some, until the script runs to its end; what is wrong after each."""
    for at in range(0, 10_000, stride):
        directory.joinpath(str(at)).mkdir()
        file = directory / str(at) / "store"
        code = child(engine, file, unit, at)
        assert code in (KILLED, 0), code
        yield at, recovered(engine, file, same=at % 2 == 0)
        if code == 0:
            return


def test_the_script_takes_every_way() -> None:
    """And the two moods of the judge end differently, so the log is what makes a crashed run agree with itself."""
    rows, entries = uncrashed(frozenset(), True)
    assert {row.resolution_strategy_id for row in rows if row.row_kind == "audit"} == {"lww", "evi", "await", "rule"}
    assert len(entries) == 3 and {entry.winner for entry in entries} != {
        entry.winner for entry in uncrashed(frozenset(), False)[1]
    }
    assert rows != uncrashed(frozenset(), False)[0]
    assert rows != uncrashed(frozenset((entry.key, entry.winner) for entry in entries[:1]), False)[0]
    assert invariants(rows, entries) == []


def test_what_is_missing_is_noticed() -> None:
    """Any row, any vote. Only the audit row of a fact that never got into the table leaves no other trace."""
    rows, entries = uncrashed(frozenset(), True)
    ids = {row.fact_id for row in rows}
    for row in rows:
        if row.row_kind == "current" or unpack(row).loser_ids[0] in ids:
            others = [other for other in rows if other is not row]
            assert invariants(others, entries), row
    for entry in entries:
        assert invariants(rows, [other for other in entries if other is not entry])
    assert invariants([*rows, rows[-1]], entries)


#: Opening a file of DuckDB takes as long as the whole script in SQLite: every third step, unless there is time.
SWEEPS = [
    ("sqlite", "step", 1),
    ("sqlite", "statement", 1),
    pytest.param("duckdb", "step", 3, marks=needs_duckdb),
    pytest.param("duckdb", "step", 1, marks=[needs_duckdb, pytest.mark.heavy]),
    pytest.param("duckdb", "statement", 1, marks=[needs_duckdb, pytest.mark.heavy]),
]


@pytest.mark.parametrize(("engine", "unit", "stride"), SWEEPS)
def test_killed_everywhere(child: Child, engine: str, unit: str, stride: int, scratch: Path) -> None:
    """At every step of the write path; before every SQL statement, those that create the tables among them."""
    found = dict(sweep(child, engine, unit, scratch, stride))
    assert len(found) > 60 // stride and not any(found.values()), {at: wrong for at, wrong in found.items() if wrong}


@pytest.mark.parametrize("engine", [SQLITE, DUCKDB])
def test_killed_at_any_time(child: Child, engine: str, tmp_path: Path) -> None:
    """One file through eight crashes: a crash, a recovery, and the writer goes on from there."""
    file, chosen, done, crashes = tmp_path / "store", random.Random(1), 0, 8
    for _ in range(crashes):
        assert child(engine, file, "fact", done, seconds=chosen.uniform(0.15, 0.5)) == KILLED
        store = ENGINES[engine](file, CARRIER)
        rows, entries = state(store)
        store.shut()
        assert invariants(rows, entries) == []
        begun = {row.system_time_start for row in rows}
        acks = acknowledged(file)
        assert all(endless(number)[1] in begun for number in acks)
        done = len(begun)
        assert begun == {endless(number)[1] for number in range(done)}
    assert len(acknowledged(file)) > 20 and done <= len(acknowledged(file)) + crashes


@pytest.mark.parametrize("engine", [SQLITE, DUCKDB])
def test_the_last_writes_may_be_missing_from_the_disk(engine: str, scratch: Path) -> None:
    """What a loss of power leaves: a write-ahead log that was cut. All before the cut is there, no half of a pair."""
    file, log = scratch / "store", f"store{'-wal' if engine == 'sqlite' else '.wal'}"
    store = ENGINES[engine](file, CARRIER)
    path = path_of(store, this_way)
    for number in range(24):
        path.ingest(*endless(number))
    whole = {found.name: found.read_bytes() for found in scratch.iterdir() if not found.name.endswith("-shm")}
    store.shut()
    lengths = []
    cuts = sorted(random.Random(2).sample(range(len(whole[log]) + 1), 20))
    for cut in [*cuts, len(whole[log])]:
        directory = scratch / str(cut)
        directory.mkdir()
        for name, content in whole.items():
            directory.joinpath(name).write_bytes(content[:cut] if name == log else content)
        again = ENGINES[engine](directory / "store", CARRIER)
        rows, entries = state(again)
        assert invariants(rows, entries) == []
        begun = {row.system_time_start for row in rows}
        assert begun == {endless(number)[1] for number in range(len(begun))}
        lengths.append(len(begun))
        path_of(again, this_way).ingest(*endless(len(begun)))
        again.shut()
    assert lengths == sorted(lengths) and lengths[-1] == 24 and len(set(lengths)) > 5


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [("torn", "was closed at"), ("late", "is not in the log"), ("lazy", "acknowledged")],
)
def test_a_broken_store_is_caught(child: Child, broken: str, complaint: str, scratch: Path) -> None:
    """Stores that commit by halves, log too late, or acknowledge too early fail the same checks."""
    wrong = next(wrong for _, wrong in sweep(child, broken, "statement", scratch) if wrong)
    assert any(complaint in line for line in wrong), wrong
