"""A process that writes to a store and kills itself. Run as a program it forks a child for every line that it reads.

It is forked before any store is open: neither SQLite's connections nor DuckDB's threads survive a fork.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from toki_verify.algebra.carriers import carrier
from toki_verify.algebra.facts import Fact
from toki_verify.stores import JudgeKey, WritePath
from toki_verify.stores.duckdb import DuckdbConnection, DuckdbStore
from toki_verify.stores.sql_transaction import SqlTransaction
from toki_verify.stores.sqlite import SqliteConnection, SqliteStore

CARRIER = carrier("multidegree")
T0 = datetime(2024, 1, 1)
Judge = Callable[[Any], int]


def item(number: int, partition: str, value: str, strategy: str = "lww", **more: Any) -> tuple[Fact[Any], datetime]:
    """A fact and the time at which it is written: another one for each, by which its writing is recognized later."""
    now = T0 + timedelta(hours=number)
    more.setdefault("system_time_start", now)
    token = CARRIER.token(f"w{number}")
    name = f"{partition}{number}"
    return Fact(name, partition, "p", value, T0, provenance=token, resolution_strategy_id=strategy, **more), now


#: Every way through Algorithm 1 that writes something.
SCRIPT = (
    item(0, "a", "first"),
    item(1, "a", "wins by time"),
    item(2, "a", "loses by time", system_time_start=T0),
    item(3, "a", "wins by time"),  # a duplicate, which is accumulated
    item(4, "b", "first", confidence=0.5),
    item(5, "b", "wins by evidence", "evi", confidence=0.9),
    item(6, "b", "loses by evidence", "evi", confidence=0.2),
    item(7, "c", "first"),
    item(8, "c", "elected or not", "await"),
    item(9, "c", "elected or not, either", "await"),
    item(10, "c", "what the policy says", "rule"),
)


def endless(number: int) -> tuple[Fact[Any], datetime]:
    """The facts of a script without end, over three partitions."""
    return item(number, "abc"[number % 3], f"value {number}", ("lww", "evi", "await", "rule")[number % 4])


def this_way(members: Any) -> int:
    """A judge: elects the incoming fact where its number is even."""
    return 1 - int(members[1].fact_id[1:]) % 2


def the_other_way(members: Any) -> int:
    """The same judge in another mood: nothing but the log makes the two agree."""
    return 1 - this_way(members)


def path_of(store: Any, judge: Judge) -> WritePath[Any]:
    return WritePath(store, {"await": judge, "rule": judge}, duplicates="accumulate")


class _Torn(SqlTransaction[Any]):
    """Broken: what is closed is committed before its winner is inserted."""

    def close(self, row: Any, at: datetime) -> None:
        super().close(row, at)
        self._connection.query("COMMIT")
        self._connection.query("BEGIN IMMEDIATE")


class TornStore(SqliteStore[Any]):
    def begin(self) -> Any:
        transaction = super().begin()
        transaction.__class__ = _Torn
        return transaction


class _Late:
    """Broken: a judge log that is written after the commit of the transaction which acts on the vote."""

    def __init__(self, log: Any) -> None:
        self.log, self.waiting = log, dict[JudgeKey, str]()

    def get(self, key: JudgeKey) -> str | None:
        return self.waiting.get(key) or self.log.get(key)

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        return self.get(key) or self.waiting.setdefault(key, winner)

    def flush(self) -> None:
        while self.waiting:
            self.log.insert_if_absent(*self.waiting.popitem())


class LateStore(SqliteStore[Any]):
    late: _Late | None = None

    @property
    def judge_log(self) -> Any:
        self.late = self.late or _Late(super().judge_log)
        return self.late

    def _ended(self, transaction: Any, rows_aware: bool | None) -> None:
        super()._ended(transaction, rows_aware)
        if rows_aware is not None:
            self.judge_log.flush()


class _Lazy(SqlTransaction[Any]):
    """Broken: acknowledges a commit and leaves it to the next transaction."""

    def commit(self) -> None:
        self.over = True


class LazyStore(SqliteStore[Any]):
    def begin(self) -> Any:
        if self._transaction is not None:
            self._main.query("COMMIT")
            self._transaction = None
        transaction = super().begin()
        transaction.__class__ = _Lazy
        return transaction


ENGINES: dict[str, Any] = {
    "sqlite": SqliteStore,
    "duckdb": DuckdbStore,
}
BROKEN: dict[str, Any] = {"torn": TornStore, "late": LateStore, "lazy": LazyStore}


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killing(at: int) -> Callable[[], None]:
    """To be called at every point: the process dies at the one of this number."""
    points = iter(range(at))

    def point() -> None:
        if next(points, None) is None:
            die()

    return point


def before_every_statement(point: Callable[[], None]) -> None:
    """Calls a function before each SQL statement of this process, those that open a store among them."""

    def observed(method: Any) -> Any:
        def run(*args: Any) -> Any:
            point()
            return method(*args)

        return run

    SqliteConnection.query = observed(SqliteConnection.query)  # type: ignore[method-assign]
    SqliteConnection.change = observed(SqliteConnection.change)  # type: ignore[method-assign]
    DuckdbConnection.query = observed(DuckdbConnection.query)  # type: ignore[method-assign]


def numbered(first: int, endlessly: bool) -> Iterator[tuple[int, tuple[Fact[Any], datetime]]]:
    if not endlessly:
        yield from list(enumerate(SCRIPT))[first:]
        return
    while True:
        yield first, endless(first)
        first += 1


def child(engine: str, file: str, unit: str, at: int) -> None:
    """Run the script, acknowledging each fact once it is written, until the kill. `unit` says what `at` counts:
    `step`s of the write path, `statement`s, or `fact`s to begin with, in the endless script."""
    acks = os.open(f"{file}.acks", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    point = killing(at) if unit != "fact" else lambda: None
    if unit == "statement":
        before_every_statement(point)
    store = (ENGINES | BROKEN)[engine](file, CARRIER)
    path = path_of(store, this_way)
    for number, (fact, now) in numbered(at if unit == "fact" else 0, unit == "fact"):
        for _ in path.steps(fact, now):
            if unit == "step":
                point()
        os.write(acks, f"{number}\n".encode())
    store.shut()


def serve() -> None:
    """For each request fork a child, kill it after `seconds` where they are given, and answer how it ended."""
    with contextlib.suppress(ImportError):
        import duckdb  # noqa: F401  # starts no thread before a database is open
    for line in sys.stdin:
        request = json.loads(line)
        seconds = request.pop("seconds", None)
        pid = os.fork()
        if not pid:
            try:
                child(**request)
            except BaseException as error:
                Path(request["file"] + ".failed").write_text(repr(error))
                os._exit(1)
            os._exit(0)
        if seconds is not None:
            time.sleep(seconds)
            os.kill(pid, signal.SIGKILL)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
