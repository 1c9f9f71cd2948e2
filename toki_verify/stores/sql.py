"""A session of a store in an SQL database: what SQLite and DuckDB share.

It has two connections. Transactions have one for themselves. Committed rows are read and the judge log is written on
the other, so that nothing uncommitted is seen, not even the session's own.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import ClassVar, Generic, Self, TypeVar

from ..algebra.facts import Fact, Kind, asof
from ..algebra.periods import aware, instant
from ..algebra.semiring import Semiring
from .errors import NewerVersion, NotAStore, StoreClosed, StoreFailed, StoreLocked
from .protocol import JudgeLog, Mode
from .protocol import mode as checked_mode
from .sql_transaction import Connection, SqlJudgeLog, SqlTransaction, awareness, same_as_rows, undo
from .tables import TABLES, VERSION, Dialect, Packing, Statements, ddl, text

K = TypeVar("K")


class SqlStore(ABC, Generic[K]):
    """A session. One thread uses it at a time; any may read, and use the judge log, beside it."""

    dialect: ClassVar[Dialect]
    statements: ClassVar[Statements]
    #: How a transaction begins that will write.
    begins: ClassVar[str]
    #: Whether an open transaction keeps even its own session from writing to the judge log.
    one_writer: ClassVar[bool]

    def __init__(self, path: str, carrier: Semiring[K], mode: str, busy_seconds: float) -> None:
        """Open the tables, or create them. Raises UnknownMode, NotAStore, NewerVersion, StoreLocked, StoreFailed."""
        self.carrier = carrier
        self.mode: Mode = checked_mode(mode)
        self.path, self.busy_seconds = path, busy_seconds
        self._packing = Packing(carrier, self.dialect)
        self._aware: bool | None = None
        self._side_in_use = threading.RLock()
        self._log = SqlJudgeLog(self._reading, self._logging)
        self._transaction: SqlTransaction[K] | None = None
        self._shut = False
        self._main, self._side = self._connect()
        try:
            self._prepare()
        except BaseException:
            self.shut()
            raise

    @abstractmethod
    def _connect(self) -> tuple[Connection, Connection]:
        """The two connections. A database that is no store must be left as it is."""

    @abstractmethod
    def session(self) -> Self:
        """Another session on the same data."""

    def _adopt(self) -> None:
        """What an engine sets in a database that has turned out to be new or a store."""

    def _extras(self) -> tuple[str, ...]:
        """The statements that an engine adds to those that create the tables: indexes and triggers."""
        return ()

    @contextmanager
    def _turn_to_log(self) -> Iterator[None]:
        """Waits for the turn to write to the judge log, where the engine does not."""
        yield

    def _take_turn(self) -> None:
        """Waits for the turn to write, where the engine does not. Raises StoreLocked."""

    def _end_turn(self) -> None:
        """Ends the turn to write."""

    @property
    def judge_log(self) -> JudgeLog:
        """The log beside the table, committed in transactions of its own."""
        return self._log

    def begin(self) -> SqlTransaction[K]:
        """Start a transaction. While another writes it waits for `busy_seconds`. Raises StoreLocked."""
        self._alive()
        if self._transaction is not None:
            raise StoreLocked("a transaction of this session is open", "that it ends first, or another session")
        self._take_turn()
        try:
            self._main.query(self.begins)
        except BaseException:
            self._end_turn()
            raise
        self._transaction = SqlTransaction(self._main, self.statements, self._packing, self._aware, self._ended)
        return self._transaction

    def rows(self) -> list[Fact[K]]:
        """Every committed row, by (fact_id, system_time_start)."""
        with self._reading() as connection:
            rows = connection.query(self.statements.rows)
        return self._packing.facts(rows, self._rows_aware())

    def asof(
        self,
        valid_time: datetime,
        system_time: datetime,
        kind: Kind = "current",
        *,
        subject: str | None = None,
        predicate: str | None = None,
    ) -> list[Fact[K]]:
        """The committed rows of a kind at two instants, by (fact_id, system_time_start).

        Raises InvalidFact, MixedTimestamps.
        """
        asof((), valid_time, system_time, kind)  # refuses what is no kind, no instant, or mixed
        at, known = instant(valid_time, "valid time"), instant(system_time, "system time")
        rows_aware = self._rows_aware()
        if rows_aware is not None:
            same_as_rows(rows_aware, at)
        named = [(name, given) for name, given in (("subject", subject), ("predicate", predicate)) if given is not None]
        valid, system = self._packing.instant(at), self._packing.instant(known)
        sql = self.statements.asof(kind, tuple(name for name, _ in named))
        with self._reading() as connection:
            rows = connection.query(sql, (*(text(given, name) for name, given in named), valid, valid, system, system))
        return self._packing.facts(rows, aware(at))

    def shut(self) -> None:
        """End the session; an open transaction is rolled back."""
        if not self._shut:
            if self._transaction is not None:
                self._transaction.rollback()
            self._shut = True
            self._main.close()
            with self._side_in_use:
                self._side.close()

    def _alive(self) -> None:
        if self._shut:
            raise StoreClosed("a session that was shut", "an open one")

    def _ended(self, rows_aware: bool | None) -> None:
        """A transaction is over."""
        self._transaction = None
        if rows_aware is not None:
            self._aware = rows_aware
        self._end_turn()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._side_in_use:
            self._alive()
            yield self._side

    @contextmanager
    def _logging(self) -> Iterator[Connection]:
        with self._side_in_use:
            self._alive()
            if self.one_writer and self._transaction is not None:
                raise StoreLocked("the judge log, while a transaction of this session is open", "that it ends first")
            with self._turn_to_log(), self._transacting(self._side):
                yield self._side

    @contextmanager
    def _transacting(self, connection: Connection) -> Iterator[None]:
        connection.query(self.begins)
        try:
            yield
            connection.query("COMMIT")
        except BaseException:
            undo(connection)
            raise

    def _rows_aware(self) -> bool | None:
        """Whether the committed rows are aware. It is decided with the first of them, for good."""
        if self._aware is None:
            with self._reading() as connection:
                self._aware = awareness(connection)
        return self._aware

    def _prepare(self) -> None:
        """Check that the database is a store like this one, or make it one where it is empty."""
        names = self._main.tables()
        if names:
            self._check(names)
            self._adopt()
            return
        self._adopt()
        self._take_turn()
        try:
            with self._transacting(self._main):
                if not self._main.tables():  # nobody else was first
                    self._create()
        finally:
            self._end_turn()
        self._check(self._main.tables())

    def _create(self) -> None:
        for statement in (*ddl(self.dialect), *self._extras()):
            self._main.query(statement)
        for row in (("version", str(VERSION)), ("carrier", self.carrier.name), ("mode", self.mode)):
            self._main.query("INSERT INTO toki_meta VALUES (?, ?)", row)

    def _check(self, names: set[str]) -> None:
        missing = TABLES.keys() - names
        if missing:
            what = f"{self.path}: a database without {', '.join(sorted(missing))}"
            raise NotAStore(what, "a store, or a file that is not there yet")
        try:
            for table, columns in TABLES.items():
                self._main.query(f"SELECT {', '.join(columns)} FROM {table} LIMIT 0")
            meta = dict(self._main.query("SELECT name, value FROM toki_meta"))
        except StoreFailed as error:
            raise NotAStore(f"{self.path}: {error.what}", "the tables of a store") from error
        version = str(meta.get("version"))
        if not version.isdecimal():
            raise NotAStore(f"{self.path}: version {version} of the format", f"version {VERSION}")
        if int(version) > VERSION:
            raise NewerVersion(f"{self.path}: version {version} of the format", f"at most version {VERSION}")
        for name, own in (("carrier", self.carrier.name), ("mode", self.mode)):
            if meta.get(name) != own:
                raise NotAStore(f"{self.path}: a store with {name} {meta.get(name)!r}", f"{name} {own!r}")
