"""The dual-row table in SQLite: a file with a write-ahead log, durable at every commit (sqlite.org/wal.html)."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
import time
import weakref
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from ..algebra.semiring import Semiring
from .arguments import MEMORY, file_name, require_file
from .errors import ConstraintViolated, NotAStore, StoreClosed, StoreError, StoreFailed, StoreFull, StoreLocked
from .protocol import CONSTRAINTS
from .sql import SqlStore
from .tables import Dialect, constraint, statements

K = TypeVar("K")


@lru_cache(4096)  # the sentinel, and the instant of a transaction, come again and again
def _pack(value: datetime) -> str:
    return datetime.isoformat(value, timespec="microseconds")


@lru_cache(4096)
def _read(value: str) -> datetime:
    return datetime.fromisoformat(value)


#: Instants are texts of one width, so that their order is the order of time.
DIALECT: Final = Dialect("TEXT", "TEXT", "REAL", "INTEGER PRIMARY KEY", _pack, _read)

#: One index for all: the open rows of a partition are equal in its four columns, and current rows are apart from audit
#: rows. The triggers keep the judge log append-only; the third is for REPLACE, which deletes without a DELETE.
EXTRAS: Final = (
    "CREATE INDEX agent_memory_read ON agent_memory (row_kind, subject, predicate, system_time_end)",
    *(
        f"CREATE TRIGGER judge_log_no_{when.split()[-1].lower()} BEFORE {when} ON judge_log "
        "BEGIN SELECT RAISE(ABORT, 'judge_log is append-only'); END"
        for when in ("UPDATE", "DELETE")
    ),
    "CREATE TRIGGER judge_log_no_replace BEFORE INSERT ON judge_log WHEN EXISTS (SELECT 1 FROM judge_log "
    "WHERE (request = NEW.request AND theta = NEW.theta) OR seq = NEW.seq) "
    "BEGIN SELECT RAISE(ABORT, 'judge_log is append-only'); END",
)

#: The way out, by the first part of SQLite's name of the error.
_WAYS_OUT: Final = {
    "SQLITE_CANTOPEN": "a file in a directory that exists and may be written",
    "SQLITE_READONLY": "a file and a directory that may be written",
    "SQLITE_PERM": "a file and a directory that may be written",
    "SQLITE_IOERR": "a disk that can be read and written",
}


def translated(error: Exception, path: str) -> StoreError:
    """What an exception of sqlite3 means."""
    name = getattr(error, "sqlite_errorname", "") or ""
    what = f"{path}: {error}"
    if isinstance(error, UnicodeError) or "decode to UTF-8" in str(error):
        return NotAStore(f"{path}: a text that is not UTF-8", "an SQLite database that is a store")
    if name.startswith("SQLITE_CONSTRAINT") and name != "SQLITE_CONSTRAINT_TRIGGER":
        found = constraint(str(error))
        if found is not None:
            return ConstraintViolated(found, str(error), CONSTRAINTS[found])
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreLocked(f"{path}: another transaction has the store", "that it ends: try again")
    if name.startswith("SQLITE_FULL"):
        return StoreFull(what, "room for the row")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return NotAStore(what, "an SQLite database that is a store, or a file that is not there yet")
    if "closed database" in str(error):
        return StoreClosed(f"{path}: a connection that was closed", "an open one")
    way_out = next((words for start, words in _WAYS_OUT.items() if name.startswith(start)), "no failure of SQLite")
    return StoreFailed(what, way_out)


class SqliteConnection:
    """A connection of sqlite3, which begins and ends no transaction by itself."""

    def __init__(self, path: str, busy_seconds: float) -> None:
        self._path = path
        # sqlite3 crashes where one thread ends a connection and another is in the middle of a statement.
        self.lock: AbstractContextManager[Any] = threading.RLock()
        try:
            self.raw = sqlite3.connect(path, busy_seconds, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise translated(error, path) from error
        except ValueError as error:
            raise StoreFailed(f"{path!r}: {error}", "the name of a file, or ':memory:'") from error

    def query(self, sql: str, parameters: Sequence[Any] = (), /) -> list[Any]:
        """Run a statement: its rows."""
        with self.lock:
            try:
                return self.raw.execute(sql, parameters).fetchall()
            except (sqlite3.Error, UnicodeError) as error:
                raise translated(error, self._path) from error

    def change(self, sql: str, parameters: Sequence[Any], /) -> int:
        """Run an update: how many rows it changed."""
        with self.lock:
            try:
                return self.raw.execute(sql, parameters).rowcount
            except (sqlite3.Error, UnicodeError) as error:
                raise translated(error, self._path) from error

    def tables(self) -> set[str]:
        """The names of the tables and views of the database."""
        return {name for (name,) in self.query("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}

    def close(self) -> None:
        """End it; what is open is rolled back."""
        with self.lock:
            self.raw.close()


class _Place:
    """A directory for a store in memory, removed with the last session that refers to it."""

    def __init__(self) -> None:
        try:
            directory = tempfile.mkdtemp(prefix="toki-")
        except OSError as error:
            raise StoreFailed(f"{MEMORY}: {error}", "a directory for temporary files") from error
        self.file = str(Path(directory, "memory"))
        weakref.finalize(self, _remove, directory, os.getpid())


def _remove(directory: str, owner: int) -> None:
    if os.getpid() == owner:  # not by a forked process that ends
        shutil.rmtree(directory, ignore_errors=True)


class SqliteStore(SqlStore[K]):
    """A store in an SQLite file, for any number of threads and processes: one writes at a time, readers never wait.

    `:memory:` is a file of its own that goes with its last session and is not synced: in a database that SQLite keeps
    in memory, readers wait for the writer.
    """

    dialect = DIALECT
    statements = statements(DIALECT)
    begins = "BEGIN IMMEDIATE"
    one_writer = True

    def __init__(
        self,
        path: str | os.PathLike[str],
        carrier: Semiring[K],
        *,
        mode: str = "audit_row",
        busy_seconds: float = 5.0,
        _of: SqliteStore[K] | None = None,
    ) -> None:
        """Open or create a store. Raises InvalidOption, UnknownMode, NotAStore, NewerVersion, StoreLocked,
        StoreFailed."""
        name = file_name(path)
        self._place: _Place | None
        self._file: str
        if _of is not None:
            # The same file, wherever the process has gone since, and whatever other names it has been given.
            self._place, self._file = _of._place, _of._file
        elif name == MEMORY:
            self._place = _Place()
            self._file = self._place.file
        else:
            self._place, self._file = None, str(Path(name).absolute())
        require_file(self._file, name, one_name=_of is None)
        super().__init__(name, carrier, mode, busy_seconds)

    def session(self) -> Self:
        """Another session on the same data."""
        self._alive()
        return type(self)(self.path, self.carrier, mode=self.mode, busy_seconds=self.busy_seconds, _of=self)

    def shut(self) -> None:
        """End the session; an open transaction is rolled back."""
        super().shut()
        self._place = None

    def _connection(self) -> SqliteConnection:
        return SqliteConnection(self._file, self.busy_seconds)

    def _connect(self) -> tuple[SqliteConnection, SqliteConnection]:
        main = self._connection()
        try:
            return main, self._connection()
        except BaseException:
            main.close()
            raise

    def _adopt(self) -> None:
        for connection in (self._main, self._side):
            connection.query(f"PRAGMA synchronous = {'FULL' if self._place is None else 'OFF'}")
            connection.query("PRAGMA fullfsync = 1")  # on macOS a plain fsync leaves data in the disk's cache
            self._use_log(connection)

    def _use_log(self, connection: Any) -> None:
        """Switch to the write-ahead log. Only the first does, alone; SQLite lets others fail at once, not wait."""
        give_up = time.monotonic() + self.busy_seconds
        while True:
            try:
                (found,) = connection.query("PRAGMA journal_mode = WAL")
            except StoreLocked:
                if time.monotonic() >= give_up:
                    raise
                time.sleep(0.01)
                continue
            if found[0] != "wal":
                raise StoreFailed(
                    f"{self.path}: no write-ahead log ({found[0]})", "a file system that has shared memory"
                )
            return

    def _foreign(self) -> str:
        for mark in ("application_id", "user_version"):
            found = self._main.query(f"PRAGMA {mark}")[0][0]
            if found:
                return f"{mark} {found}"
        return ""

    def _extras(self) -> tuple[str, ...]:
        return EXTRAS
