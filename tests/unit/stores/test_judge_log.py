"""The judge log of every store: keyed, append-only, first write wins, durable before it returns."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from toki_verify.stores import JudgeKey, LogEntry
from toki_verify.stores.errors import StoreClosed, StoreLocked
from toki_verify.stores.sqlite import SqliteStore

from .conftest import Opener
from .samples import CARRIER, TEXTS, fact

KEY = JudgeKey(("a", "b"), "theta")


def test_the_first_vote_stays(store: Any) -> None:
    log = store.judge_log
    assert log.get(KEY) is None and list(log.entries()) == []
    assert log.insert_if_absent(KEY, "a") == "a"
    assert log.insert_if_absent(KEY, "b") == "a"
    assert log.get(KEY) == "a"
    assert list(log.entries()) == [LogEntry(KEY, "a")]


def test_members_theta_and_the_partition_make_the_key(store: Any) -> None:
    keys = [
        JudgeKey(("a", "b"), "t"),
        JudgeKey(("b", "a"), "t"),
        JudgeKey(("a", "b"), "u"),
        JudgeKey(("ab",), "t"),
        JudgeKey(('a", "b',), "t"),
        JudgeKey(("a", "b", ""), "t"),
        JudgeKey((), "t"),
        JudgeKey(("a", "b"), "t", "s", "p"),
        JudgeKey(("a", "b"), "t", "s", "q"),
        JudgeKey(("a", "b"), "t", "p", "s"),
        *(JudgeKey((text, "x"), text) for text in TEXTS),
    ]
    for number, key in enumerate(reversed(keys)):
        assert store.judge_log.insert_if_absent(key, f"w{number}") == f"w{number}"
    found = store.session().judge_log.entries()
    assert list(found) == [LogEntry(key, f"w{number}") for number, key in enumerate(reversed(keys))]


def test_sessions_share_the_log(store: Any) -> None:
    other = store.session()
    assert store.judge_log.insert_if_absent(KEY, "a") == "a"
    assert other.judge_log.get(KEY) == "a"
    assert other.judge_log.insert_if_absent(KEY, "b") == "a"


def test_the_log_survives_a_rollback(store: Any) -> None:
    transaction = store.begin()
    transaction.insert(fact("f"))
    transaction.rollback()
    store.judge_log.insert_if_absent(KEY, "a")
    transaction = store.begin()
    transaction.insert(fact("f"))
    transaction.rollback()
    assert store.rows() == [] and store.session().judge_log.get(KEY) == "a"


def test_a_vote_beside_an_open_transaction_is_durable_at_once_or_refused(store: Any, kind: str) -> None:
    transaction = store.begin()
    transaction.insert(fact("f"))
    if kind.startswith("sqlite"):
        for session in (store, store.session()):
            with pytest.raises(StoreLocked):
                session.judge_log.insert_if_absent(KEY, "a")
            assert session.judge_log.get(KEY) is None
        transaction.commit()
        assert store.rows() == [fact("f")]
    else:
        assert store.judge_log.insert_if_absent(KEY, "a") == "a"
        assert store.session().judge_log.get(KEY) == "a"
        transaction.rollback()
        assert store.judge_log.get(KEY) == "a" and store.rows() == []


def test_a_vote_that_is_there_is_told_beside_an_open_transaction(store: Any) -> None:
    store.judge_log.insert_if_absent(KEY, "a")
    transaction = store.begin()
    transaction.insert(fact("f"))
    assert store.judge_log.get(KEY) == "a"
    assert store.judge_log.insert_if_absent(KEY, "b") == "a"
    transaction.commit()


def test_the_log_of_a_session_that_was_shut_is_of_no_use(store: Any, kind: str) -> None:
    log, other = store.judge_log, store.session()
    log.insert_if_absent(KEY, "a")
    store.shut()
    if kind != "memory":
        with pytest.raises(StoreClosed):
            log.get(KEY)
    assert other.judge_log.get(KEY) == "a"


def test_of_concurrent_first_fills_one_wins_and_all_are_told(make: Opener) -> None:
    store = make(busy_seconds=30.0)
    keys = [JudgeKey((f"m{number}", "x"), "t") for number in range(8)]
    sessions = [store.session() for _ in range(8)]
    together = threading.Barrier(8)
    told: list[dict[JudgeKey, str]] = [{} for _ in sessions]

    def run(index: int) -> None:
        together.wait()
        for key in keys[index:] + keys[:index]:
            told[index][key] = sessions[index].judge_log.insert_if_absent(key, f"of {index}")

    threads = [threading.Thread(target=run, args=(index,)) for index in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = {entry.key: entry.winner for entry in store.judge_log.entries()}
    assert len(store.judge_log.entries()) == 8
    assert told == [entries] * 8


def test_one_session_of_many_threads_has_one_vote(make: Opener) -> None:
    store = make(busy_seconds=30.0)
    told: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: told.append(store.judge_log.insert_if_absent(KEY, f"of {n}")))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 8 and set(told) == {store.judge_log.get(KEY)}


FILLER = """
import sys
from toki_verify.stores import JudgeKey
from toki_verify.stores.sqlite import SqliteStore
from toki_verify.algebra.carriers import carrier
print("ready", flush=True)
sys.stdin.readline()
store = SqliteStore(sys.argv[1], carrier("multidegree"), busy_seconds=30)
print([store.judge_log.insert_if_absent(JudgeKey((str(n), "x"), "t"), sys.argv[2]) for n in range(5)])
"""


def test_of_processes_that_create_the_file_and_fill_the_log_one_wins(tmp_path: Path) -> None:
    file = tmp_path / "shared"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", FILLER, str(file), f"of {number}"], stdin=-1, stdout=-1, stderr=-1, text=True
        )
        for number in range(4)
    ]
    for process in processes:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
    for process in processes:  # all at once
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    answers = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, answers
    store = SqliteStore(file, CARRIER)
    winners = [entry.winner for entry in store.judge_log.entries()]
    assert {out.strip() for out, _ in answers} == {str(winners)}
    store.shut()


#: What the log has at KEY, in every store that is an SQL database.
REQUEST = '{"members": ["a", "b"], "predicate": "", "subject": ""}'


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE judge_log SET winner = 'b'",
        "DELETE FROM judge_log",
        f"REPLACE INTO judge_log VALUES ('{REQUEST}', 'theta', 'b', 2)",
        "REPLACE INTO judge_log VALUES ('[]', 'theta', 'b', 1)",
        f"INSERT INTO judge_log VALUES ('{REQUEST}', 'theta', 'b', 2)",
        f"INSERT INTO judge_log VALUES ('{REQUEST}', 'theta', 'b', 2) ON CONFLICT DO UPDATE SET winner = 'b'",
    ],
)
def test_sqlite_lets_nobody_change_a_vote(tmp_path: Path, statement: str) -> None:
    store = SqliteStore(tmp_path / "file", CARRIER)
    store.judge_log.insert_if_absent(KEY, "a")
    raw = sqlite3.connect(tmp_path / "file")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        raw.execute(statement)
    raw.close()
    assert store.judge_log.entries() == [LogEntry(KEY, "a")]
    store.shut()
