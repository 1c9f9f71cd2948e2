"""A session of a store in an SQL database: what SQLite and DuckDB share.

It has two connections. Transactions have one for themselves. Committed rows are read and the judge log is written on
the other, so that nothing uncommitted is seen, not even the session's own.
"""

from __future__ import annotations

import re
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime
from typing import ClassVar, Final, Generic, Self, TypeVar

from ..algebra.errors import shown
from ..algebra.facts import Fact, Kind, asof
from ..algebra.periods import aware, instant
from ..algebra.semiring import Semiring
from .arguments import name_of, patience
from .elements import text
from .errors import NewerVersion, NotAStore, StoreClosed, StoreFailed, StoreLocked
from .protocol import JudgeLog, Mode
from .protocol import mode as checked_mode
from .sql_transaction import Connection, SqlJudgeLog, SqlTransaction, alone, awareness, same_as_rows, undo
from .tables import TABLES, VERSION, Dialect, Packing, Statements, ddl

K = TypeVar("K")

#: A number of a version: from 1, and of a length that `int` reads.
_VERSION: Final = re.compile(r"[1-9][0-9]{0,99}")


class _Owner:
    """Somebody who has a turn."""


class SqlStore(ABC, Generic[K]):
    """A session. One thread uses it at a time; any may read, and use the judge log, beside it."""

    dialect: ClassVar[Dialect]
    statements: ClassVar[Statements]
    #: How a transaction begins that will write.
    begins: ClassVar[str]
    #: Whether an open transaction keeps even its own session from writing to the judge log.
    one_writer: ClassVar[bool]

    def __init__(self, path: str, carrier: Semiring[K], mode: str, busy_seconds: float) -> None:
        """Open the tables, or create them. Raises InvalidOption, UnknownMode, NotAStore, NewerVersion, StoreLocked,
        StoreFailed."""
        self.carrier, self._carrier_name = carrier, name_of(carrier)
        self.mode: Mode = checked_mode(mode)
        self.path, self.busy_seconds = path, patience(busy_seconds)
        self._packing = Packing(carrier, self.dialect)
        self._aware: bool | None = None
        # Weak: a transaction that is dropped, as by an interrupt before its caller has it, must end.
        self._transaction: weakref.ref[SqlTransaction[K]] | None = None
        self._shut = False
        self._main, self._side = self._connect()
        self._log = SqlJudgeLog(self._side, self._alone_in_log)
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

    def _foreign(self) -> str:
        """By what a database without tables is known to be another program's; empty for one that is new."""
        return ""

    def _in_turn_to_log(self, action: Callable[[], str]) -> str:
        """Runs what writes to the judge log in the turn to do that, where the engine has none."""
        return action()

    def _take_turn(self, owner: object) -> None:
        """Waits for the turn to write, where the engine does not. Raises StoreLocked."""

    def _end_turn(self, owner: object) -> None:
        """Ends the turn of an owner that may have it."""

    @property
    def judge_log(self) -> JudgeLog:
        """The log beside the table, committed in transactions of its own."""
        return self._log

    def begin(self) -> SqlTransaction[K]:
        """Start a transaction. While another writes it waits for `busy_seconds`. Raises StoreLocked, StoreClosed."""
        self._free()
        found = SqlTransaction(self._main, self.statements, self._packing, self._aware, self._ended)
        try:
            self._take_turn(found)
            with self._main.lock:
                self._free()  # whatever another thread has done meanwhile
                self._transaction = weakref.ref(found, self._dropped)
                found.start(self.begins)
        except BaseException:
            try:
                found.rollback()
            except BaseException:
                found.rollback()  # what was interrupted goes on
                raise
            raise
        return found

    def rows(self) -> list[Fact[K]]:
        """Every committed row, by (fact_id, system_time_start)."""
        self._alive()
        rows = self._side.query(self.statements.rows)
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
        self._alive()
        asof((), valid_time, system_time, kind)  # refuses what is no kind, no instant, or mixed
        at, known = instant(valid_time, "valid time"), instant(system_time, "system time")
        rows_aware = self._rows_aware()
        if rows_aware is not None:
            same_as_rows(rows_aware, at)
        named = [(name, given) for name, given in (("subject", subject), ("predicate", predicate)) if given is not None]
        valid, system = self._packing.instant(at), self._packing.instant(known)
        sql = self.statements.asof(kind, tuple(name for name, _ in named))
        texts = [text(given, name) for name, given in named]
        rows = self._side.query(sql, (*texts, valid, valid, system, system))
        return self._packing.facts(rows, aware(at))

    def shut(self) -> None:
        """End the session; an open transaction is rolled back. A statement that another thread is in ends first."""
        self._shut = True
        with self._main.lock:
            found = None if self._transaction is None else self._transaction()
            if found is not None:
                found.rollback()
            self._main.close()
        self._side.close()

    def _alive(self) -> None:
        if self._shut:
            raise StoreClosed("a session that was shut", "an open one")

    def _free(self) -> None:
        """Raises StoreClosed, StoreLocked where no transaction of this session can begin."""
        self._alive()
        if self._open() is not None:
            raise StoreLocked("a transaction of this session is open", "that it ends first, or another session")

    def _open(self) -> SqlTransaction[K] | None:
        """The transaction of this session that is open."""
        found = None if self._transaction is None else self._transaction()
        return None if found is None or found.over else found

    def _ended(self, transaction: SqlTransaction[K], rows_aware: bool | None) -> None:
        """A transaction is over."""
        if rows_aware is not None:
            self._aware = rows_aware
        self._end_turn(transaction)
        if self._transaction is not None and self._transaction() is transaction:
            self._transaction = None

    def _dropped(self, transaction: weakref.ref[SqlTransaction[K]]) -> None:
        """A transaction that was not over is no more; its turn ended with it."""
        with self._main.lock:
            if self._transaction is transaction:
                try:
                    undo(self._main)
                except BaseException:
                    undo(self._main)  # what was interrupted goes on
                    raise
                self._transaction = None

    def _alone_in_log(self, action: Callable[[], str]) -> str:
        with self._side.lock:
            self._alive()
            if self.one_writer and self._open() is not None:
                raise StoreLocked("the judge log, while a transaction of this session is open", "that it ends first")
            return self._in_turn_to_log(lambda: alone(self._side, self.begins, action))

    def _rows_aware(self) -> bool | None:
        """Whether the committed rows are aware. It is decided with the first of them, for good."""
        if self._aware is None:
            self._aware = awareness(self._side)
        return self._aware

    def _prepare(self) -> None:
        """Check that the database is a store like this one, or make it one where it is empty."""
        names = self._main.tables()
        if names:
            self._check(names)
            self._adopt()
            return
        foreign = self._foreign()
        if foreign:
            raise NotAStore(f"{self.path}: a database with {foreign}", "a store, or a file that is not there yet")
        self._adopt()
        owner = _Owner()
        try:
            self._take_turn(owner)
            alone(self._main, self.begins, self._create)
        finally:
            self._end_turn(owner)
        self._check(self._main.tables())

    def _create(self) -> None:
        if self._main.tables():
            return  # somebody else was first
        for statement in (*ddl(self.dialect), *self._extras()):
            self._main.query(statement)
        for row in (("version", str(VERSION)), ("carrier", self._carrier_name), ("mode", self.mode)):
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
        if not _VERSION.fullmatch(version):
            version = shown(version)
            raise NotAStore(f"{self.path}: version {version} of the format", f"version {VERSION}")
        if int(version) > VERSION:
            raise NewerVersion(f"{self.path}: version {version} of the format", f"at most version {VERSION}")
        for name, own in (("carrier", self._carrier_name), ("mode", self.mode)):
            if meta.get(name) != own:
                raise NotAStore(f"{self.path}: a store with {name} {shown(meta.get(name))}", f"{name} {own!r}")
