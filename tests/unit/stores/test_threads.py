"""A session that one thread shuts while another uses it; ends that are told twice."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toki_verify.stores import JudgeKey
from toki_verify.stores.errors import StoreClosed, StoreLocked
from toki_verify.stores.turns import Turn

from .conftest import KINDS, Opener, needs_duckdb
from .samples import fact
from .test_contract import put

#: In a process of its own: what is tried here did end Python (SIGSEGV in sqlite3).
RACE = """
import sys
from pathlib import Path
from tests.unit.stores.test_threads import races
races(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
"""


def races(kind: str, directory: Any, rounds: int) -> None:
    """Shut a session again and again while it writes, reads and logs: StoreClosed in each thread, nothing by halves."""
    from .conftest import opener

    make = opener(kind, directory, [])
    for number in range(rounds):
        store = make(busy_seconds=5.0)
        session = store.session()
        acknowledged: list[str] = []
        failed: list[BaseException] = []

        def until_closed(use: Callable[[int], object], failed: list[BaseException] = failed) -> None:
            count = 0
            try:
                while True:
                    use(count)
                    count += 1
            except StoreClosed:
                return
            except BaseException as error:
                failed.append(error)

        def write(count: int, session: Any = session, acknowledged: list[str] = acknowledged) -> None:
            name = f"s{count}"
            put(session, *(fact(f"{name}f{part}", subject=name) for part in range(3)))
            acknowledged.append(name)

        def vote(count: int, session: Any = session) -> None:
            key = JudgeKey((f"m{count}",), "t")
            try:
                session.judge_log.insert_if_absent(key, "m")
            except StoreLocked:
                return  # SQLite, while this session writes
            session.rows()

        threads = [threading.Thread(target=until_closed, args=(use,)) for use in (write, vote)]
        if kind == "memory":
            threads.pop()  # its log has no session that could end
        for thread in threads:
            thread.start()
        time.sleep(number % 10 / 1000)
        session.shut()
        for thread in threads:
            thread.join()
        found = Counter(row.subject for row in store.rows())
        assert failed == [], failed
        assert set(found.values()) <= {3} and set(acknowledged) <= set(found)
        put(store, fact("last", subject="last"))
        store.shut()


@pytest.mark.parametrize(
    ("kind", "rounds"),
    [
        ("memory", 60),
        ("sqlite-memory", 60),
        ("sqlite-file", 20),
        pytest.param("duckdb-memory", 15, marks=needs_duckdb),
        pytest.param("duckdb-file", 8, marks=needs_duckdb),
    ],
)
def test_a_session_is_shut_while_another_thread_uses_it(kind: str, rounds: int, tmp_path: Any) -> None:
    command = [sys.executable, "-c", RACE, kind, str(tmp_path), str(rounds)]
    root = Path(__file__).parents[3]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=root)
    assert ran.returncode == 0, (ran.returncode, ran.stderr)


def test_every_kind_is_raced() -> None:
    raced = {"memory", "sqlite-memory", "sqlite-file", "duckdb-memory", "duckdb-file"}
    assert {getattr(kind, "values", (kind,))[0] for kind in KINDS} == raced


@pytest.mark.parametrize("end", ["rollback", "commit", "shut"])
def test_an_end_that_is_told_twice_ends_no_other_turn(store: Any, end: str) -> None:
    """In the middle of the first end, and after it, when another has the turn."""
    other = store.session()
    first = store.begin()
    {"rollback": first.rollback, "commit": first.commit, "shut": store.shut}[end]()
    second = other.begin()
    threads = [threading.Thread(target=first.rollback) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with pytest.raises(StoreLocked):
        other.session().begin()
    second.insert(fact("f"))
    second.commit()
    assert other.rows() == [fact("f")]


def test_two_threads_begin_in_one_session(make: Opener) -> None:
    """One has the transaction; the other is told so, and ends nothing."""
    for _ in range(10):
        store = make()
        together, begun, refused = threading.Barrier(2), list[Any](), list[Any]()

        def run(store: Any = store, together: Any = together, begun: Any = begun, refused: Any = refused) -> None:
            together.wait()
            try:
                begun.append(store.begin())
            except StoreLocked as error:
                refused.append(error)

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(begun) == len(refused) == 1
        begun[0].insert(fact("f"))
        begun[0].commit()
        assert store.rows() == [fact("f")]


class Someone:
    pass


def test_a_turn_has_one_owner() -> None:
    turn, first, second = Turn(), Someone(), Someone()
    assert turn.take(first, 0) and not turn.take(second, 0)
    turn.end(second)
    assert not turn.take(second, 0.01)
    turn.end(first)
    turn.end(first)
    assert turn.take(second, 0)
    turn.end(first)
    assert not turn.take(first, 0)
    del second
    assert turn.take(first, 0)


def test_who_waits_for_a_turn_is_woken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toki_verify.stores.turns.LOOK_AGAIN", 60.0)
    turn, first, others = Turn(), Someone(), [Someone() for _ in range(3)]
    assert turn.take(first, 0)
    had: list[object] = []

    def wait(other: object) -> None:
        assert turn.take(other, 60)
        had.append(other)
        turn.end(other)

    threads = [threading.Thread(target=wait, args=(other,)) for other in others]
    for thread in threads:
        thread.start()
    time.sleep(0.05)
    assert had == []
    begun = time.monotonic()
    turn.end(first)
    for thread in threads:
        thread.join()
    assert len(had) == 3 and time.monotonic() - begun < 30
