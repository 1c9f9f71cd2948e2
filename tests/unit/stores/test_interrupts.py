"""An interrupt (Ctrl-C) at any time leaves a store whole, and of use to every session."""

from __future__ import annotations

import _thread
import gc
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from toki_verify.stores import JudgeKey, WritePath
from toki_verify.stores.duckdb import DuckdbStore

from .conftest import Opener, needs_duckdb
from .samples import CARRIER, at, fact
from .test_contract import put

#: Where an interrupt is not told to anybody: in this file, and in what Python calls by itself, such as callbacks of
#: weak references and of the collector, whose exceptions it prints and drops.
DEAF = (__file__, "weakref.py", "junkdrawer.py")


class Interrupt:
    """Raises KeyboardInterrupt once: at the place of a number, of those where Python looks for signals. These are the
    begin of every function and the end of every call of one that is written in C."""

    def __init__(self, number: int) -> None:
        self.left, self.done = number, False

    def __call__(self, frame: Any, event: str, _: Any) -> None:
        if event in ("call", "c_return") and not frame.f_code.co_filename.endswith(DEAF):
            if not self.left:
                self.done = True
                raise KeyboardInterrupt
            self.left -= 1

    def during(self, action: Callable[[], object]) -> bool:
        """Whether an action was interrupted."""
        gc.disable()
        sys.setprofile(self)
        try:
            action()
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
            gc.enable()
        assert not self.done, "the interrupt was swallowed"
        return False


def everywhere(action: Callable[[int], Callable[[], object]], whole: Callable[[int, bool], None], step: int = 1) -> int:
    """Interrupt the nth of some actions at the nth place, and see what is whole after it; how many places there are."""
    for number in range(0, 10_000, step):
        if not Interrupt(number).during(action(number)):
            whole(number, False)
            return number
        whole(number, True)
    raise AssertionError("no end")


def rows_of(store: Any, subject: str) -> list[Any]:
    return [row for row in store.rows() if row.subject == subject]


def test_a_transaction_that_is_interrupted_is_there_or_not(store: Any) -> None:
    """Not half of it; its session goes on, and so do others, without waiting."""
    other = store.session()

    def action(number: int) -> Callable[[], object]:
        old, new = fact(f"f{number}", subject=f"s{number}"), fact(f"g{number}", subject=f"s{number}", start=1)
        put(other, old)

        def run() -> None:
            transaction = store.begin()
            try:
                assert transaction.open_rows(f"s{number}", "p") == [old]
                transaction.close(old, at(1))
                transaction.insert(new)
                transaction.commit()
            finally:
                transaction.rollback()

        return run

    def whole(number: int, interrupted: bool) -> None:
        old, new = fact(f"f{number}", subject=f"s{number}"), fact(f"g{number}", subject=f"s{number}", start=1)
        for session in (other, store):
            put(session, fact(f"after{number}", subject="after", start=1 if session is store else 0))
        found = rows_of(other, f"s{number}")
        assert found == rows_of(store, f"s{number}")
        assert found == [old.closed(at(1)), new] or (interrupted and found == [old]), number
        transaction = store.begin()
        assert [row for row in found if row.is_open] == transaction.open_rows(f"s{number}", "p")
        transaction.rollback()

    assert everywhere(action, whole) > 30


def test_the_write_path_too(store: Any, kind: str) -> None:
    other = store.session()
    path = WritePath(store, {"await": lambda members: 1})

    def action(number: int) -> Callable[[], object]:
        put(other, fact(f"f{number}", subject=f"s{number}"))
        new = fact(f"g{number}", subject=f"s{number}", start=1, resolution_strategy_id="await")
        return lambda: path.ingest(new)

    def whole(number: int, interrupted: bool) -> None:
        put(other, fact(f"after{number}", subject="after"))
        found = [(row.fact_id, row.is_open, row.row_kind) for row in rows_of(store, f"s{number}")]
        new = [(f"f{number}", False, "current"), (f"g{number}", True, "current")]
        assert found[-2:] == new or (interrupted and found == [(f"f{number}", True, "current")]), number
        key = JudgeKey((f"f{number}", f"g{number}"), "default", f"s{number}", "p")
        assert other.judge_log.get(key) == f"g{number}" or len(found) == 1

    # All places of those that they share; of the others enough to be through in seconds.
    assert everywhere(action, whole, {"memory": 1, "sqlite": 3, "duckdb": 7}[kind.partition("-")[0]]) > 100


def test_a_vote_that_is_interrupted_is_there_or_not(store: Any) -> None:
    other = store.session()

    def key(number: int) -> JudgeKey:
        return JudgeKey((f"f{number}", "g"), "t")

    def whole(number: int, interrupted: bool) -> None:
        found = store.judge_log.get(key(number))
        assert found == "mine" or (interrupted and found is None)
        for session in (other, store):
            assert session.judge_log.insert_if_absent(key(number), "yours") == (found or "yours")
            put(session, fact(f"f{number}", start=1 if session is store else 0))

    places = everywhere(lambda number: lambda: store.judge_log.insert_if_absent(key(number), "mine"), whole)
    assert places > 5 and len(other.judge_log.entries()) == places + 1


def test_an_end_that_is_interrupted_can_be_repeated(store: Any) -> None:
    """A rollback; and the end of a session with an open transaction."""
    other = store.session()
    kept: list[Any] = []

    def rollback(number: int) -> Callable[[], object]:
        kept[:] = [store.begin()]
        kept[0].insert(fact(f"f{number}"))
        return kept[0].rollback  # type: ignore[no-any-return]

    def shut(number: int) -> Callable[[], object]:
        kept[:] = [store.session()]
        kept.append(kept[0].begin())
        kept[1].insert(fact(f"f{number}"))
        return kept[0].shut  # type: ignore[no-any-return]

    def whole(number: int, _: bool) -> None:
        getattr(kept[0], "shut" if hasattr(kept[0], "shut") else "rollback")()
        put(other, fact(f"other{number}", start=len(kept)))

    assert everywhere(rollback, whole) >= 2 and everywhere(shut, whole) >= 2
    assert all(row.fact_id.startswith("other") for row in store.rows())


def test_an_opening_that_is_interrupted_can_be_repeated(make_file: Opener) -> None:
    """Of a new file, and of one that is there."""
    step = 7  # enough to be through in seconds
    make_file("old").shut()
    for name in ("new{}", "old"):
        number = 0
        while Interrupt(number).during(partial(make_file, name.format(number))):
            store = make_file(name.format(number))
            put(store, fact(f"f{number}"))
            store.shut()
            number += step
        assert number > 5 * step


def test_a_transaction_that_nobody_has_is_no_more(store: Any) -> None:
    """As one whose `begin` was interrupted on its way to the caller."""
    other = store.session()
    store.begin().insert(fact("f"))
    put(other, fact("g"))
    put(store, fact("h"))
    assert store.rows() == [fact("g"), fact("h")]


def test_a_begin_that_waits_is_interrupted(make: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it waited for comes while the interrupt does: it must not be kept."""
    store = make(busy_seconds=30.0)
    other = store.session()
    monkeypatch.setattr("toki_verify.stores.turns.LOOK_AGAIN", 0.01)
    open_transaction = other.begin()

    def interrupt() -> None:
        time.sleep(0.1)
        _thread.interrupt_main()
        time.sleep(0.1)
        open_transaction.rollback()

    thread = threading.Thread(target=interrupt)
    with pytest.raises(KeyboardInterrupt):
        thread.start()
        store.begin()
    thread.join()
    other.busy_seconds = 0.0
    put(other, fact("f"))
    put(store, fact("g"))
    assert store.rows() == [fact("f"), fact("g")]


SIGNALS = """
import itertools, random, signal, sys
from datetime import datetime, timedelta
from toki_verify.algebra.carriers import carrier
from toki_verify.algebra.facts import Fact, contradicts
from toki_verify.stores import DuckdbStore, MemoryStore, SqliteStore, WritePath
CARRIER, T0 = carrier("multidegree"), datetime(2024, 1, 1)
engine = {"memory": lambda: MemoryStore(CARRIER, busy_seconds=0), "sqlite": lambda: SqliteStore(sys.argv[2], CARRIER,
    busy_seconds=0), "duckdb": lambda: DuckdbStore(sys.argv[2], CARRIER, busy_seconds=0)}
store = engine[sys.argv[1]]()
other, chosen = store.session(), random.Random(1)
def fact(number, partition):
    at = T0 + timedelta(hours=number)
    return Fact(f"f{number}", partition, "p", f"o{number}", T0, at, CARRIER.token(f"f{number}"))
signal.signal(signal.SIGALRM, signal.default_int_handler)
path, interrupted, written = WritePath(store), 0, 0
for number in range(int(sys.argv[3])):
    try:
        signal.setitimer(signal.ITIMER_REAL, chosen.uniform(1e-5, float(sys.argv[4])))
        try:
            path.ingest(fact(2 * number, f"s{number % 3}"))
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        written += 1
    except KeyboardInterrupt:
        interrupted += 1
    signal.setitimer(signal.ITIMER_REAL, 0)
    WritePath(other).ingest(fact(2 * number + 1, f"s{number % 3}"))
rows = [row for row in store.rows() if row.row_kind == "current" and row.is_open]
assert len(rows) == 3 and not any(contradicts(*pair) for pair in itertools.combinations(rows, 2)), rows
print("interrupted" if interrupted > 5 else interrupted, "written" if written > 5 else written)
"""


@pytest.mark.parametrize(
    ("engine", "count", "seconds"),
    [("memory", 1500, 4e-4), ("sqlite", 400, 3e-3), pytest.param("duckdb", 60, 4e-2, marks=needs_duckdb)],
)
def test_signals(engine: str, count: int, seconds: float, tmp_path: Path) -> None:
    """Real ones, at any time: every write of the other session succeeds at once, and no two beliefs contradict."""
    command = [sys.executable, "-c", SIGNALS, engine, str(tmp_path / "file"), str(count), str(seconds)]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ran.stdout.split() == ["interrupted", "written"], (ran.stdout, ran.stderr)


@needs_duckdb
def test_what_duckdb_makes_of_an_interrupt() -> None:
    """RuntimeError("Query interrupted"), in the middle of a statement: it comes out as what it was."""
    store: Any = DuckdbStore(":memory:", CARRIER, busy_seconds=0)
    other = store.session()
    transaction = store.begin()
    timer = threading.Timer(0.2, _thread.interrupt_main)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        transaction._connection.query("SELECT count(*) FROM range(3000000) a(i), range(100) b(j) WHERE (i * j) % 7 = 3")
    timer.join()
    transaction.rollback()
    put(other, fact("f"))
    put(store, fact("g"))
    assert store.rows() == [fact("f"), fact("g")]
