"""What the SQL stores do on a connection: transactions of the table, and the judge log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, Generic, ParamSpec, Protocol, TypeVar

from ..algebra.facts import Fact
from ..algebra.periods import SENTINEL_END, SENTINEL_END_UTC, aware, instant, same_kind
from .errors import NoOpenRow, StoreClosed, StoreError
from .protocol import JudgeKey, LogEntry
from .tables import Packing, Statements, judge_key, members_text, text

K = TypeVar("K")
P = ParamSpec("P")
R = TypeVar("R")


class Connection(Protocol):
    """A connection to an engine. Everything that the engine raises comes out as a StoreError."""

    def query(self, sql: str, parameters: Sequence[Any] = (), /) -> list[Any]:
        """Run a statement: its rows."""

    def change(self, sql: str, parameters: Sequence[Any], /) -> int:
        """Run an update: how many rows it changed."""

    def tables(self) -> set[str]:
        """The names of the tables and views of the database."""

    def close(self) -> None:
        """End it; what is open is rolled back."""


def undo(connection: Connection) -> None:
    """Roll back what may be open, whatever has happened to it."""
    try:
        connection.query("ROLLBACK")
    except StoreError:
        return  # the engine has rolled back already, or is gone: nothing is left to undo


def awareness(connection: Connection) -> bool | None:
    """Whether the rows are aware, in UTC; None where none has been written."""
    found = connection.query("SELECT value FROM toki_meta WHERE name = 'timestamps'")
    return found[0][0] == "aware" if found else None


def same_as_rows(rows_aware: bool, value: datetime) -> None:
    """Raises MixedTimestamps where an instant cannot be compared with those of the rows."""
    if aware(value) is not rows_aware:
        same_kind(
            "the rows of a store and what is asked of it", value, SENTINEL_END_UTC if rows_aware else SENTINEL_END
        )


def _ends_on_error(
    method: Callable[Concatenate[SqlTransaction[K], P], R],
) -> Callable[Concatenate[SqlTransaction[K], P], R]:
    """Rolls back on every error: engines differ in what an error leaves of a transaction."""

    @wraps(method)
    def run(self: SqlTransaction[K], /, *args: P.args, **kwargs: P.kwargs) -> R:
        if self.over:
            raise StoreClosed("a transaction that has ended", "a new one: `begin()`")
        try:
            return method(self, *args, **kwargs)
        except BaseException:
            self.rollback()
            raise

    return run


class SqlTransaction(Generic[K]):
    """A transaction that has begun on a connection. `ended` is told when it is over, and whether it knows since then
    that the committed rows are aware."""

    def __init__(
        self,
        connection: Connection,
        statements: Statements,
        packing: Packing[K],
        rows_aware: bool | None,
        ended: Callable[[bool | None], None],
    ) -> None:
        self._connection, self._sql, self._packing, self._ended = connection, statements, packing, ended
        self._aware = rows_aware
        self.over = False

    @_ends_on_error
    def open_rows(self, subject: str, predicate: str) -> list[Fact[K]]:
        """The open current rows of a partition, by (system_time_start, fact_id)."""
        rows = self._connection.query(self._sql.open_rows, (text(subject, "subject"), text(predicate, "predicate")))
        return self._packing.facts(rows, self._known_aware()) if rows else []

    @_ends_on_error
    def insert(self, fact: Fact[K]) -> None:
        """Insert a row. Raises ConstraintViolated, InvalidFact (MixedTimestamps, a lone surrogate), StoreFull."""
        rows_aware = self._known_aware()
        if rows_aware is None:
            self._aware = aware(fact.valid_from)
            row = "timestamps", "aware" if self._aware else "naive"
            self._connection.query("INSERT INTO toki_meta VALUES (?, ?)", row)
        else:
            same_as_rows(rows_aware, fact.valid_from)
        self._connection.query(self._sql.insert, self._packing.row(fact))

    @_ends_on_error
    def close(self, row: Fact[K], at: datetime) -> None:
        """End the system time of the open current row with the row's primary key. Raises NoOpenRow,
        ConstraintViolated, MixedTimestamps."""
        end = instant(at, "system_time_end")
        same_as_rows(aware(row.valid_from), end)
        pack = self._packing.instant
        key = text(row.fact_id, "fact_id"), pack(row.system_time_start)
        if not self._connection.change(self._sql.close, (pack(end), *row.partition, *key)):
            raise NoOpenRow(f"no open current row ({row.fact_id!r}, {row.system_time_start})", "one that is open")

    @_ends_on_error
    def commit(self) -> None:
        """Make it durable. Raises StoreLocked, StoreFull, StoreFailed: then nothing was written."""
        self._connection.query("COMMIT")
        self.over = True
        self._ended(self._aware)

    def rollback(self) -> None:
        """Undo everything; without effect once it is over."""
        if not self.over:
            self.over = True
            undo(self._connection)
            self._ended(None)

    def _known_aware(self) -> bool | None:
        if self._aware is None:
            self._aware = awareness(self._connection)
        return self._aware


class SqlJudgeLog:
    """The table judge_log. `reading` gives a connection that sees committed rows; `writing` one inside a transaction of
    its own, which is committed where nothing is raised."""

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[Connection]],
        writing: Callable[[], AbstractContextManager[Connection]],
    ) -> None:
        self._reading, self._writing = reading, writing

    def get(self, key: JudgeKey) -> str | None:
        """The identity elected at a key; None where nothing has been."""
        with self._reading() as connection:
            return self._get(connection, key)

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        """What the log has at the key from now on. A key that is there takes no lock."""
        found = self.get(key)
        if found is not None:
            return found
        with self._writing() as connection:
            found = self._get(connection, key)
            if found is None:
                row = members_text(key), text(key.theta, "theta"), text(winner, "winner")
                connection.query("INSERT INTO judge_log SELECT ?, ?, ?, coalesce(max(seq), 0) + 1 FROM judge_log", row)
                found = winner
        return found

    def entries(self) -> list[LogEntry]:
        """Every row, in the order of insertion."""
        with self._reading() as connection:
            rows = connection.query("SELECT members, theta, winner FROM judge_log ORDER BY seq")
        return [LogEntry(judge_key(members, theta), winner) for members, theta, winner in rows]

    def _get(self, connection: Connection, key: JudgeKey) -> str | None:
        row = members_text(key), text(key.theta, "theta")
        found = connection.query("SELECT winner FROM judge_log WHERE members = ? AND theta = ?", row)
        return found[0][0] if found else None
