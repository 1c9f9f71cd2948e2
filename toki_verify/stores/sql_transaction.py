"""What the SQL stores do on a connection: transactions of the table, and the judge log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from ..algebra.errors import shown
from ..algebra.facts import Fact
from ..algebra.periods import SENTINEL_END, SENTINEL_END_UTC, aware, instant, same_kind
from .elements import text
from .errors import NoOpenRow, NotAStore, StoreClosed, StoreError, StoreFailed
from .protocol import JudgeKey, LogEntry
from .tables import Packing, Statements, log_entry, request_text, texts_of
from .turns import ends_on_error

K = TypeVar("K")
R = TypeVar("R")


class Connection(Protocol):
    """A connection to an engine. Everything that the engine raises comes out as a StoreError.

    Whoever uses it has its lock, which may be taken again: engines do not bear what two threads do at once, and one
    that ends a connection must not do so in the middle of a statement of the other.
    """

    @property
    def lock(self) -> AbstractContextManager[Any]: ...

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


def begin(connection: Connection, begins: str) -> None:
    """Begin a transaction; what was left open by an interrupt, with nobody to end it, is rolled back first."""
    try:
        connection.query(begins)
    except StoreFailed:
        undo(connection)
        connection.query(begins)


def alone(connection: Connection, begins: str, action: Callable[[], R]) -> R:
    """Run an action in a transaction of its own: committed, or where anything is raised undone."""
    with connection.lock:
        try:
            begin(connection, begins)
            found = action()
            connection.query("COMMIT")
        except BaseException:
            try:
                undo(connection)
            except BaseException:
                undo(connection)  # what was interrupted goes on
                raise
            raise
    return found


def awareness(connection: Connection) -> bool | None:
    """Whether the rows are aware, in UTC; None where none has been written."""
    found = connection.query("SELECT value FROM toki_meta WHERE name = 'timestamps'")
    if not found:
        return None
    if found[0][0] not in ("aware", "naive"):
        raise NotAStore(f"{shown(found[0][0])} timestamps in toki_meta", "aware or naive ones")
    return bool(found[0][0] == "aware")


def same_as_rows(rows_aware: bool, value: datetime) -> None:
    """Raises MixedTimestamps where an instant cannot be compared with those of the rows."""
    if aware(value) is not rows_aware:
        same_kind(
            "the rows of a store and what is asked of it", value, SENTINEL_END_UTC if rows_aware else SENTINEL_END
        )


class SqlTransaction(Generic[K]):
    """A transaction on a connection. `ended` is told when it is over, once or more, and whether it knows since then
    that the committed rows are aware."""

    def __init__(
        self,
        connection: Connection,
        statements: Statements,
        packing: Packing[K],
        rows_aware: bool | None,
        ended: Callable[[SqlTransaction[K], bool | None], None],
    ) -> None:
        self._connection, self._sql, self._packing, self._ended = connection, statements, packing, ended
        self._aware = rows_aware
        self._lock = connection.lock
        self._begun = False
        self.over = False

    def start(self, begins: str) -> None:
        """Begin it on its connection. Raises StoreLocked."""
        self._begun = True
        begin(self._connection, begins)

    @ends_on_error
    def open_rows(self, subject: str, predicate: str) -> list[Fact[K]]:
        """The open current rows of a partition, by (system_time_start, fact_id)."""
        rows = self._connection.query(self._sql.open_rows, (text(subject, "subject"), text(predicate, "predicate")))
        return self._packing.facts(rows, self._known_aware()) if rows else []

    @ends_on_error
    def insert(self, fact: Fact[K]) -> None:
        """Insert a row. Raises ConstraintViolated, InvalidFact (MixedTimestamps, a lone surrogate), NotAnElement,
        StoreFull."""
        row = self._packing.row(fact)
        rows_aware = self._known_aware()
        if rows_aware is None:
            self._aware = aware(fact.valid_from)
            kind = "timestamps", "aware" if self._aware else "naive"
            self._connection.query("INSERT INTO toki_meta VALUES (?, ?)", kind)
        else:
            same_as_rows(rows_aware, fact.valid_from)
        self._connection.query(self._sql.insert, row)

    @ends_on_error
    def close(self, row: Fact[K], at: datetime) -> None:
        """End the system time of the open current row with the row's primary key. Raises NoOpenRow,
        ConstraintViolated, MixedTimestamps."""
        fact_id = texts_of(row)[0]
        end = instant(at, "system_time_end")
        same_as_rows(aware(row.valid_from), end)
        pack = self._packing.instant
        key = fact_id, pack(row.system_time_start)
        if not self._connection.change(self._sql.close, (pack(end), *row.partition, *key)):
            raise NoOpenRow(f"no open current row ({row.fact_id!r}, {row.system_time_start})", "one that is open")

    @ends_on_error
    def commit(self) -> None:
        """Make it durable. Raises StoreLocked, StoreFull, StoreFailed: then nothing was written."""
        self._connection.query("COMMIT")
        self.over = True
        self._ended(self, self._aware)

    def rollback(self) -> None:
        """Undo everything; without effect once it is over. One that was interrupted can be done again."""
        with self._lock:
            if not self.over:
                if self._begun:
                    undo(self._connection)
                self.over = True
            self._ended(self, None)

    def _alive(self) -> None:
        if self.over:
            raise StoreClosed("a transaction that has ended", "a new one: `begin()`")

    def _known_aware(self) -> bool | None:
        if self._aware is None:
            self._aware = awareness(self._connection)
        return self._aware


class SqlJudgeLog:
    """The table judge_log, on a connection that sees committed rows. `alone` runs what writes to it in a transaction
    of its own, which is committed where nothing is raised."""

    def __init__(self, connection: Connection, alone: Callable[[Callable[[], str]], str]) -> None:
        self._connection, self._alone = connection, alone

    def get(self, key: JudgeKey) -> str | None:
        """The identity elected at a key; None where nothing has been. Raises InvalidFact for what is no key."""
        request = request_text(key)
        sql = "SELECT winner FROM judge_log WHERE request = ? AND theta = ?"
        found = self._connection.query(sql, (request, key.theta))
        return log_entry(request, key.theta, found[0][0]).winner if found else None

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        """What the log has at the key from now on. A key that is there takes no lock."""
        row = request_text(key), key.theta, text(winner, "winner")
        found = self.get(key)
        return self._alone(lambda: self._insert_if_absent(key, row)) if found is None else found

    def _insert_if_absent(self, key: JudgeKey, row: tuple[str, str, str]) -> str:
        found = self.get(key)
        if found is None:
            sql = "INSERT INTO judge_log SELECT ?, ?, ?, coalesce(max(seq), 0) + 1 FROM judge_log"
            self._connection.query(sql, row)
        return row[-1] if found is None else found

    def entries(self) -> list[LogEntry]:
        """Every row, in the order of insertion."""
        rows = self._connection.query("SELECT request, theta, winner FROM judge_log ORDER BY seq")
        return [log_entry(*row) for row in rows]
