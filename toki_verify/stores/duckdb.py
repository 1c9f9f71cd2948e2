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
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from ..algebra.semiring import Semiring
from .arguments import MEMORY, file_name, require_file
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
from .turns import Turn

K = TypeVar("K")


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
#: What else somebody may have made in a database without tables.
OTHERS: Final = " UNION ALL ".join(
    f"SELECT '{what} ' || {what}_name FROM duckdb_{table}() WHERE database_name = current_database() {where}"
    for what, table, where in (
        ("sequence", "sequences", ""),
        ("type", "types", "AND NOT internal"),
        ("schema", "schemas", "AND NOT internal AND schema_name <> 'main'"),
        ("function", "functions", "AND NOT internal"),
    )
)

#: What every file of DuckDB has at offset 8. Any other is kept from DuckDB, which would fetch an extension to read it.
MAGIC: Final = b"DUCK"


def engine() -> Any:
    """The module duckdb. Raises EngineMissing."""
    try:
        return importlib.import_module("duckdb")
    except ImportError as error:
        raise EngineMissing("duckdb is not installed", "pip install 'toki-verify[duckdb]'") from error


#: Exceptions, and words of messages, that DuckDB has for files that are damaged or are none of its own.
_DAMAGED: Final = ("SerializationException", "FatalException", "InternalException", "UnicodeDecodeError")
_SIGNS_OF_DAMAGE: Final = ("not a valid DuckDB database", "checksum", "orrupt", "erialize", "read enough bytes")


def translated(error: Exception, path: str) -> StoreError:
    """What an exception of duckdb means."""
    kind, message = type(error).__name__, str(error)
    what = f"{path}: {message.partition(chr(10))[0] or kind}"
    if kind == "ConstraintException":
        # The message about a key has its values in it, which may say anything.
        found = "primary key" if "uplicate key" in message else constraint(message)
        if found is not None:
            return ConstraintViolated(found, message, CONSTRAINTS[found])
    if kind == "OutOfMemoryException" or "No space left" in message or "File too large" in message:
        return StoreFull(what, "room for the row")
    if "newer version" in message or "version number" in message:
        return NewerVersion(what, "a file of a version that the installed DuckDB reads")
    if kind in _DAMAGED or any(sign in message for sign in _SIGNS_OF_DAMAGE):
        return NotAStore(what, "a DuckDB database that is a store, or a file that is not there yet")
    # Of what ends a transaction only a conflict is gone when it is tried again: an update of the same row, or at the
    # commit a row with the same key.
    conflict = kind == "TransactionException" and ("onflict" in message or "onstraint" in message)
    if "lock on file" in message or conflict:
        return StoreLocked(what, "that another process or transaction ends: try again")
    if kind == "ConnectionException" and "closed" in message:
        return StoreClosed(f"{path}: a connection that was closed", "an open one")
    return StoreFailed(
        what, "a file in a directory that may be written" if kind == "IOException" else "no failure of DuckDB"
    )


def require_uninterrupted(error: Exception) -> None:
    """Raises KeyboardInterrupt for what DuckDB has made of one."""
    if isinstance(error, RuntimeError) and "Query interrupted" in str(error):
        raise KeyboardInterrupt from error


def _database_of(path: str) -> str:
    """What DuckDB is to call a database: a full path is a file, whatever it begins with (`md:x` and `s3://x` are not);
    a database in memory is found again by its name."""
    if path == MEMORY:
        return f"{MEMORY}toki-{uuid.uuid4().hex}"
    found = os.path.realpath(path)
    try:
        found.encode()
    except UnicodeEncodeError as error:
        raise StoreFailed(f"{path!r}: no Unicode", "the name of a file in Unicode: DuckDB takes no other") from error
    return found


class _Turns:
    """The turns of the writers of one database, and of those of its judge log."""

    def __init__(self) -> None:
        self.rows, self.log = Turn(), threading.Lock()


_turns: weakref.WeakValueDictionary[str, _Turns] = weakref.WeakValueDictionary()
#: The same, by what the file system calls a file: it may have been renamed since.
_turns_of_files: weakref.WeakValueDictionary[tuple[int, int], _Turns] = weakref.WeakValueDictionary()
#: Held while a file is looked at and opened.
_opening = threading.RLock()


def _turns_of(database: str) -> _Turns:
    """Those of a database, which several sessions of this process may have open."""
    with _opening:
        return _turns.setdefault(database, _Turns())


def _descriptor(found: os.stat_result) -> int | None:
    """A descriptor by which this process has a file open already."""
    try:
        numbers = [int(name) for name in os.listdir("/dev/fd")]  # noqa: PTH208
    except (OSError, ValueError):
        return None  # a system without: its locks are not lost by closing either
    for number in numbers:
        try:
            other = os.fstat(number)
        except OSError:
            continue
        if (other.st_dev, other.st_ino) == (found.st_dev, found.st_ino):
            return number
    return None


class DuckdbConnection:
    """A connection of duckdb."""

    def __init__(self, raw: Any, path: str) -> None:
        self.raw, self._path = raw, path
        self.lock: AbstractContextManager[Any] = threading.RLock()

    def query(self, sql: str, parameters: Sequence[Any] = (), /) -> list[Any]:
        """Run a statement: its rows."""
        with self.lock:
            try:
                found: list[Any] = self.raw.execute(sql, parameters).fetchall()
            except Exception as error:  # errors of the engine, of C++, of decoding
                require_uninterrupted(error)
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
        with self.lock:
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
        _of: DuckdbStore[K] | None = None,
    ) -> None:
        """Open or create a store. Raises EngineMissing, InvalidOption, UnknownMode, NotAStore, NewerVersion,
        StoreLocked, StoreFailed."""
        self._engine = engine()
        name = file_name(path)
        self._first = _of is None
        self._database: str = _database_of(name) if _of is None else _of._database
        self._turns = _turns_of(self._database)
        super().__init__(name, carrier, mode, busy_seconds)

    def session(self) -> Self:
        """Another session on the same data."""
        self._alive()
        return type(self)(self.path, self.carrier, mode=self.mode, busy_seconds=self.busy_seconds, _of=self)

    def _connect(self) -> tuple[DuckdbConnection, DuckdbConnection]:
        # Not a cursor of the other: it would be closed with it.
        main, side = (DuckdbConnection(self._opened(), self.path) for _ in range(2))
        return main, side

    def _opened(self) -> Any:
        """A connection to the file, waiting for a process that has it."""
        give_up = time.monotonic() + self.busy_seconds
        while True:
            try:
                with _opening:
                    self._recognize()
                    found = self._engine.connect(self._database)
                    self._recognize()  # a file that is new has its turns now
                    return found
            except StoreError:
                raise
            except Exception as error:
                require_uninterrupted(error)
                means = translated(error, self.path)
                if not isinstance(means, StoreLocked) or time.monotonic() >= give_up:
                    raise means from error
            time.sleep(0.02)

    def _recognize(self) -> None:
        """Raises NotAStore for a file that is no database of DuckDB, StoreFailed for one that DuckDB must not open.

        Within a process DuckDB knows a file by its path alone: under another name it would be opened twice, each time
        with a write-ahead log of its own.
        """
        if self._database.startswith(MEMORY):
            return
        found = require_file(self._database, self.path, one_name=self._first)
        if found is None:
            return
        descriptor = _descriptor(found)
        turns = _turns_of_files.setdefault((found.st_dev, found.st_ino), self._turns)
        if turns is not self._turns:
            if descriptor is not None:
                raise StoreFailed(f"{self.path}: a file that is open under another name", "the name that it had")
            _turns_of_files[found.st_dev, found.st_ino] = self._turns
        try:
            if descriptor is None:
                with Path(self._database).open("rb") as opened:
                    head = opened.read(12)
            else:
                # Not opened again: closing a file ends the lock that keeps other processes out, whoever opened it.
                head = os.pread(descriptor, 12, 0)
        except (OSError, ValueError) as error:
            raise StoreFailed(f"{self.path}: {error}", "a file that may be read and written") from error
        if head[8:] != MAGIC:
            raise NotAStore(f"{self.path}: no DuckDB database", "a store, or a file that is not there yet")

    def _foreign(self) -> str:
        found = self._main.query(OTHERS)
        return str(found[0][0]) if found else ""

    def _take_turn(self, owner: object) -> None:
        if not self._turns.rows.take(owner, self.busy_seconds):
            raise StoreLocked(f"{self.path}: another transaction has the store", "that it ends: try again")

    def _end_turn(self, owner: object) -> None:
        self._turns.rows.end(owner)

    def _in_turn_to_log(self, action: Callable[[], str]) -> str:
        with self._turns.log:
            return action()

    def _extras(self) -> tuple[str, ...]:
        return EXTRAS
