"""The dual-row table in DuckDB (the extra `duckdb`): a file for one process at a time, or a database in memory.

DuckDB has snapshot isolation, under which two writers may each find a partition empty and both commit. So writers take
turns, in this process; another process is kept out by DuckDB itself.
"""

from __future__ import annotations

import importlib
import os
import threading
import time
import uuid
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from ..algebra.semiring import Semiring
from .errors import (
    ConstraintViolated,
    EngineMissing,
    NewerVersion,
    NotAStore,
    StoreClosed,
    StoreError,
    StoreFailed,
    StoreFull,
    StoreLocked,
)
from .protocol import CONSTRAINTS
from .sql import SqlStore
from .tables import Dialect, constraint, statements

K = TypeVar("K")

MEMORY: Final = ":memory:"


def _same(value: datetime) -> datetime:
    return value


DIALECT: Final = Dialect("VARCHAR", "TIMESTAMP", "DOUBLE", "BIGINT PRIMARY KEY", _same, _same)

#: DuckDB looks up by an index of one column only.
EXTRAS: Final = ("CREATE INDEX agent_memory_read ON agent_memory (subject)",)

#: The same as information_schema.tables, in a third of the time.
TABLES_AND_VIEWS: Final = (
    "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() UNION ALL "
    "SELECT view_name FROM duckdb_views() WHERE database_name = current_database() AND NOT internal"
)

#: What every file of DuckDB has at offset 8. Any other is kept from DuckDB, which would fetch an extension to read it.
MAGIC: Final = b"DUCK"


def engine() -> Any:
    """The module duckdb. Raises EngineMissing."""
    try:
        return importlib.import_module("duckdb")
    except ImportError as error:
        raise EngineMissing("duckdb is not installed", "pip install 'toki-verify[duckdb]'") from error


def translated(error: Exception, path: str) -> StoreError:
    """What an exception of duckdb means."""
    kind, message = type(error).__name__, str(error)
    what = f"{path}: {message.splitlines()[0]}"
    if kind == "ConstraintException":
        # The message about a key has its values in it, which may say anything.
        found = "primary key" if "uplicate key" in message else constraint(message)
        if found is not None:
            return ConstraintViolated(found, message, CONSTRAINTS[found])
    if kind == "OutOfMemoryException" or "No space left" in message or "File too large" in message:
        return StoreFull(what, "room for the row")
    if "lock on file" in message or kind == "TransactionException":
        return StoreLocked(what, "that another process or transaction ends: try again")
    if "newer version" in message or "version number" in message:
        return NewerVersion(what, "a file of a version that the installed DuckDB reads")
    if "not a valid DuckDB database" in message or kind == "SerializationException":
        return NotAStore(what, "a DuckDB database that is a store, or a file that is not there yet")
    if kind == "ConnectionException" and "closed" in message:
        return StoreClosed(f"{path}: a connection that was closed", "an open one")
    return StoreFailed(
        what, "a file in a directory that may be written" if kind == "IOException" else "no failure of DuckDB"
    )


def _database_of(path: str) -> str:
    """What DuckDB is to call a database: a full path is a file, whatever it begins with (`md:x` and `s3://x` are not);
    a database in memory is found again by its name."""
    if not path:
        raise StoreFailed("an empty path", "the name of a file, or ':memory:'")
    if path == MEMORY:
        return f"{MEMORY}toki-{uuid.uuid4().hex}"
    try:
        return os.path.realpath(path)
    except ValueError as error:
        raise StoreFailed(f"{path!r}: {error}", "the name of a file, or ':memory:'") from error


class _Turns:
    """The turns of the writers of one database, and of those of its judge log."""

    def __init__(self) -> None:
        self.rows, self.log = threading.Lock(), threading.Lock()


_turns: weakref.WeakValueDictionary[str, _Turns] = weakref.WeakValueDictionary()
_turns_in_use = threading.Lock()


def _turns_of(database: str) -> _Turns:
    """Those of a database, which several sessions of this process may have open."""
    with _turns_in_use:
        return _turns.setdefault(database, _Turns())


class DuckdbConnection:
    """A connection of duckdb."""

    def __init__(self, raw: Any, error: type[Exception], path: str) -> None:
        self.raw, self._error, self._path = raw, error, path

    def query(self, sql: str, parameters: Sequence[Any] = (), /) -> list[Any]:
        """Run a statement: its rows."""
        try:
            found: list[Any] = self.raw.execute(sql, parameters).fetchall()
        except self._error as error:
            raise translated(error, self._path) from error
        return found

    def change(self, sql: str, parameters: Sequence[Any], /) -> int:
        """Run an update: how many rows it changed."""
        return int(self.query(sql, parameters)[0][0])

    def tables(self) -> set[str]:
        """The names of the tables and views of the database."""
        return {name for (name,) in self.query(TABLES_AND_VIEWS)}

    def close(self) -> None:
        """End it; what is open is rolled back."""
        self.raw.close()


class DuckdbStore(SqlStore[K]):
    """A store in a DuckDB file, for any number of threads of one process: one writes at a time, readers never wait.

    `:memory:` is a database of its own; it goes with its last session.
    """

    dialect = DIALECT
    statements = statements(DIALECT)
    begins = "BEGIN TRANSACTION"
    one_writer = False

    def __init__(
        self,
        path: str | os.PathLike[str],
        carrier: Semiring[K],
        *,
        mode: str = "audit_row",
        busy_seconds: float = 5.0,
        _database: str | None = None,
    ) -> None:
        """Open or create a store. Raises EngineMissing, UnknownMode, NotAStore, NewerVersion, StoreLocked,
        StoreFailed."""
        self._engine = engine()
        name = os.fspath(path)
        self._database = _database or _database_of(name)
        self._turns = _turns_of(self._database)
        super().__init__(name, carrier, mode, busy_seconds)

    def session(self) -> Self:
        """Another session on the same data."""
        self._alive()
        database = self._database
        return type(self)(self.path, self.carrier, mode=self.mode, busy_seconds=self.busy_seconds, _database=database)

    def _connect(self) -> tuple[DuckdbConnection, DuckdbConnection]:
        # Not a cursor of the other: it would be closed with it.
        try:
            main, side = (DuckdbConnection(self._opened(), self._engine.Error, self.path) for _ in range(2))
            return main, side
        except self._engine.Error as error:
            raise translated(error, self.path) from error

    def _opened(self) -> Any:
        """A connection to the file, waiting for a process that has it."""
        if not self._database.startswith(MEMORY):
            self._recognize()
        give_up = time.monotonic() + self.busy_seconds
        while True:
            try:
                return self._engine.connect(self._database)
            except self._engine.Error as error:
                if not isinstance(translated(error, self.path), StoreLocked) or time.monotonic() >= give_up:
                    raise
                time.sleep(0.02)

    def _recognize(self) -> None:
        file = Path(self._database)
        try:
            with file.open("rb") as opened:
                head = opened.read(12)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            raise StoreFailed(f"{self.path}: {error}", "a file that may be read and written") from error
        if head[8:] != MAGIC:
            raise NotAStore(f"{self.path}: no DuckDB database", "a store, or a file that is not there yet")

    def _take_turn(self) -> None:
        if not self._turns.rows.acquire(timeout=max(0.0, self.busy_seconds)):
            raise StoreLocked(f"{self.path}: another transaction has the store", "that it ends: try again")

    def _end_turn(self) -> None:
        self._turns.rows.release()

    @contextmanager
    def _turn_to_log(self) -> Iterator[None]:
        with self._turns.log:
            yield

    def _extras(self) -> tuple[str, ...]:
        return EXTRAS
