"""Writers that have only `ingest`: stopped at every call, killed in the middle, each in its thread, one at a time."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.laws.mutants.stores import Store
from tests.laws.mutants.write_paths_plain import Plain, ReadsFirst, TwoTransactions
from toki_verify.algebra import Fact
from toki_verify.algebra.carriers import MULTIDEGREE
from toki_verify.stores import SqliteStore
from toki_verify.stores.errors import StoreLocked
from toki_verify.testing import LawBroken, write_path_machine, write_threads
from toki_verify.testing.write_recorder import Account
from toki_verify.testing.write_threads import ThreadedWriter, WriterStuck

QUICK = settings(settings.get_profile("toki-ci"), max_examples=30, stateful_step_count=20)
DAY = datetime(2026, 3, 1)
FACT = Fact("f1", "alice", "medication", "penicillin", DAY, DAY, MULTIDEGREE.token("f1"))


def run(writer: Any, make_store: Any = Store) -> None:
    write_path_machine(make_store, make_writer=writer, settings=QUICK).TestCase().runTest()


def writer(store: Any, path: Any) -> ThreadedWriter:
    return ThreadedWriter(0, Account(dict), store.session, path, {"await": lambda members: 0})


def test_a_right_one_passes() -> None:
    run(Plain)


def test_on_an_engine_whose_connections_stay_in_their_thread() -> None:
    threads = set()

    def make_store(directory: Path) -> Any:
        return SqliteStore(directory / "memory.db", MULTIDEGREE, busy_seconds=0)

    class Watched(Plain):
        def ingest(self, fact: Any, now: Any) -> None:
            threads.add(threading.current_thread().name)
            super().ingest(fact, now)

    few = settings(QUICK, max_examples=4)
    write_path_machine(make_store, make_writer=Watched, settings=few).TestCase().runTest()
    assert threads and threads <= {"writer 0", "writer 1", "writer 2"}
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("writer ")], "all are gone"


@pytest.mark.parametrize("broken", [ReadsFirst, TwoTransactions])
def test_what_happens_between_two_calls_is_seen(broken: Any) -> None:
    with pytest.raises(LawBroken) as caught:
        run(broken)
    assert "\n  step(" in str(caught.value) or "\n  crash(" in str(caught.value)


def test_every_step_is_one_call() -> None:
    store, calls = Store(), []

    class Watched:
        def __init__(self, store: Any, oracles: Any) -> None:
            self.store = store

        def ingest(self, fact: Any, now: Any) -> None:
            for name in ("begin", "insert", "commit"):
                calls.append(name)
                if name == "begin":
                    transaction = self.store.begin()
                else:
                    getattr(transaction, name)(*([fact] if name == "insert" else []))

    found = writer(store, Watched)
    steps = found.steps(FACT, DAY)
    assert next(steps) and calls == ["begin", "insert"]
    assert next(steps) and calls == ["begin", "insert", "commit"] and not store.rows()
    with pytest.raises(StopIteration):
        next(steps)
    assert store.rows() == [FACT]
    found.shut()


def test_the_dead_do_nothing_more() -> None:
    store, after = Store(), []

    class Stubborn:
        def __init__(self, store: Any, oracles: Any) -> None:
            self.store = store

        def ingest(self, fact: Any, now: Any) -> None:
            transaction = self.store.begin()
            try:
                transaction.insert(fact)
                transaction.commit()
            except BaseException as error:
                after.append(type(error).__name__)
                transaction.commit()  # dies again
                after.append("committed")

    found = writer(store, Stubborn)
    next(found.steps(FACT, DAY))
    found.shut()
    assert after == ["Abandoned"] and store.rows() == []
    store.begin().rollback()  # and the store is free


def test_one_that_tries_again_by_itself_lets_others_go_on() -> None:
    class Patient(Plain):
        def begin(self, fact: Any) -> Any:
            while True:
                try:
                    return super().begin(fact)
                except StoreLocked:
                    continue

    run(Patient)


def test_one_that_waits_for_a_lock_of_its_own_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_threads, "PATIENCE", 0.1)
    lock = threading.Lock()

    class Locking(Plain):
        def ingest(self, fact: Any, now: Any) -> None:
            with lock:
                super().ingest(fact, now)

    store = Store()
    one, other = writer(store, Locking), writer(store, Locking)
    next(one.steps(FACT, DAY))
    with pytest.raises(WriterStuck, match="a lock of the write path's own"):
        next(other.steps(FACT, DAY))
    one.shut()
    other.shut()


def test_what_cannot_be_opened_is_raised_where_it_is_made() -> None:
    def path(store: Any, oracles: Any) -> Any:
        raise KeyError("no such writer")

    with pytest.raises(KeyError, match="no such writer"):
        writer(Store(), path)
