"""The dual-row table in memory: sessions of one process share it, and it ends with the process."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from ..algebra.errors import InvalidPeriod
from ..algebra.facts import ROW_KINDS, Fact, Kind, asof
from ..algebra.periods import instant, same_kind
from ..algebra.semiring import Semiring
from .arguments import name_of, patience
from .elements import Elements, text
from .errors import ConstraintViolated, NoOpenRow, StoreClosed, StoreLocked
from .protocol import CONSTRAINTS, JudgeKey, JudgeLog, LogEntry, Mode
from .protocol import mode as checked_mode
from .tables import require_key, texts_of
from .turns import Turn, ends_on_error

K = TypeVar("K")
Key = tuple[str, datetime]


@dataclass
class _Log:
    """The judge log: a dict under a lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    votes: dict[JudgeKey, str] = field(default_factory=dict)

    def get(self, key: JudgeKey) -> str | None:
        return self.votes.get(require_key(key))

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        require_key(key)
        text(winner, "winner")
        with self.lock:
            return self.votes.setdefault(key, winner)

    def entries(self) -> Sequence[LogEntry]:
        with self.lock:
            return [LogEntry(key, winner) for key, winner in self.votes.items()]


@dataclass
class _Data(Generic[K]):
    """What the sessions share. `open` has the open current rows by partition; `partitions` the keys of all rows by
    partition and row kind, so that a current read passes over no audit row.

    A commit is one assignment, to `due`. What is due is then applied: by the writer, or where that was interrupted by
    whoever looks next, all over again.
    """

    writer: Turn = field(default_factory=Turn)
    lock: threading.Lock = field(default_factory=threading.Lock)
    rows: dict[Key, Fact[K]] = field(default_factory=dict)
    open: dict[tuple[str, str], dict[Key, Fact[K]]] = field(default_factory=dict)
    partitions: dict[tuple[str, str, str], set[Key]] = field(default_factory=dict)
    due: tuple[dict[Key, Fact[K]], dict[tuple[str, str], dict[Key, Fact[K]]]] | None = None
    log: _Log = field(default_factory=_Log)

    def settle(self) -> None:
        """Apply what is due. Whoever calls it has the lock."""
        if self.due is not None:
            written, opened = self.due
            self.rows.update(written)
            for key, fact in written.items():
                self.partitions.setdefault((*fact.partition, fact.row_kind), set()).add(key)
            self.open.update(opened)
            self.due = None


class MemoryStore(Generic[K]):
    """A store in memory. One writer at a time; another waits `busy_seconds` for it, then StoreLocked.

    Readers see committed rows only.
    """

    def __init__(self, carrier: Semiring[K], *, mode: str = "audit_row", busy_seconds: float = 5.0) -> None:
        """An empty store. Raises UnknownMode, InvalidOption."""
        name_of(carrier)
        self.carrier = carrier
        self.mode: Mode = checked_mode(mode)
        self.busy_seconds = patience(busy_seconds)
        self._elements = Elements(carrier)
        self._data: _Data[K] = _Data()
        # Weak: a transaction that is dropped, as by an interrupt before its caller has it, has ended.
        self._transaction: weakref.ref[_Transaction[K]] | None = None
        self._shut = False

    @property
    def judge_log(self) -> JudgeLog:
        """The log that all sessions share."""
        return self._data.log

    def session(self) -> MemoryStore[K]:
        """Another session on the same rows. Raises StoreClosed."""
        self._alive()
        found: MemoryStore[K] = MemoryStore(self.carrier, mode=self.mode, busy_seconds=self.busy_seconds)
        found._data = self._data
        return found

    def begin(self) -> _Transaction[K]:
        """Start a transaction: it has the rows for itself. Raises StoreLocked, StoreClosed."""
        self._alive()
        found = _Transaction(self._data, self._elements)
        try:
            if not self._data.writer.take(found, self.busy_seconds):
                raise StoreLocked("another transaction has the store", "that it ends: try again")
            self._transaction = weakref.ref(found)
            self._alive()  # whatever another thread has done meanwhile
            with self._data.lock:
                self._data.settle()
        except BaseException:
            try:
                found.rollback()
            except BaseException:
                found.rollback()  # what was interrupted goes on
                raise
            raise
        return found

    def rows(self) -> list[Fact[K]]:
        """Every committed row."""
        return [fact for _, fact in sorted(self._committed().items())]

    def asof(
        self,
        valid_time: datetime,
        system_time: datetime,
        kind: Kind = "current",
        *,
        subject: str | None = None,
        predicate: str | None = None,
    ) -> list[Fact[K]]:
        """The committed rows at two instants."""
        self._alive()
        asof((), valid_time, system_time, kind)  # refuses what is no kind, no instant, or mixed
        for column, given in (("subject", subject), ("predicate", predicate)):
            if given is not None:
                text(given, column)
        data = self._data
        with data.lock:
            data.settle()
            some = next(iter(data.rows.values()), None)
            if subject is None or predicate is None:
                rows = dict(data.rows)
            else:
                kinds = ROW_KINDS if kind == "all" else (kind,)
                keys = (key for kind in kinds for key in data.partitions.get((subject, predicate, kind), ()))
                rows = {key: data.rows[key] for key in keys}
        if some is not None:
            same_kind(
                "the rows of a store and the instants asked for", some.valid_from, instant(valid_time, "valid time")
            )
        chosen = [
            fact
            for _, fact in sorted(rows.items())
            if subject in (None, fact.subject) and predicate in (None, fact.predicate)
        ]
        return asof(chosen, valid_time, system_time, kind)

    def shut(self) -> None:
        """End the session; an open transaction is rolled back."""
        self._shut = True
        found = self._open
        if found is not None:
            found.rollback()

    @property
    def _open(self) -> _Transaction[K] | None:
        """The transaction of this session that was the last to begin."""
        return None if self._transaction is None else self._transaction()

    def _alive(self) -> None:
        if self._shut:
            raise StoreClosed("a session that was shut", "an open one")

    def _committed(self) -> dict[Key, Fact[K]]:
        self._alive()
        with self._data.lock:
            self._data.settle()
            return dict(self._data.rows)


def require_constraints(row: Fact[Any]) -> None:
    """What the table's CHECKs refuse (Table 12): of a Fact they hold, of a row that was made past it they may not.

    Raises ConstraintViolated.
    """
    held = {
        "confidence range": 0 <= row.confidence <= 1,
        "row-kind domain": row.row_kind in ROW_KINDS,
        "valid-period order": row.valid_from < row.valid_to,
        "system-period order": row.system_time_start < row.system_time_end,
    }
    for name, holds in held.items():
        if not holds:
            raise ConstraintViolated(name, f"row {row.fact_id!r}", CONSTRAINTS[name])


class _Transaction(Generic[K]):
    """Keeps what it writes beside the committed rows until it commits; the writer's turn keeps other writers out."""

    def __init__(self, data: _Data[K], elements: Elements[K]) -> None:
        self._data, self._elements = data, elements
        # A session that is shut by another thread waits for what is running.
        self._lock: AbstractContextManager[Any] = threading.RLock()
        self._written: dict[Key, Fact[K]] = {}
        self._open: dict[tuple[str, str], dict[Key, Fact[K]]] = {}
        self._over = False

    @ends_on_error
    def open_rows(self, subject: str, predicate: str) -> list[Fact[K]]:
        """The open current rows of a partition."""
        rows = self._partition((text(subject, "subject"), text(predicate, "predicate"))).values()
        return sorted(rows, key=lambda fact: (fact.system_time_start, fact.fact_id))

    @ends_on_error
    def insert(self, fact: Fact[K]) -> None:
        """Insert a row. Raises ConstraintViolated, InvalidFact (MixedTimestamps, a lone surrogate), NotAnElement."""
        texts_of(fact)
        kept = self._elements.kept(fact.provenance)
        require_constraints(fact)
        if kept is not fact.provenance:
            fact = replace(fact, provenance=kept)
        key = (fact.fact_id, fact.system_time_start)
        rows = self._data.rows
        for other in next(iter(rows.values()), None), next(iter(self._written.values()), None):
            if other is not None:
                same_kind("the rows of a store", other.valid_from, fact.valid_from)
        if key in self._written or key in rows:
            what = f"a second row ({fact.fact_id!r}, {fact.system_time_start})"
            raise ConstraintViolated("primary key", what, "one row for a fact_id and system_time_start")
        self._written[key] = fact
        if fact.row_kind == "current" and fact.is_open:
            self._partition(fact.partition)[key] = fact

    @ends_on_error
    def close(self, row: Fact[K], at: datetime) -> None:
        """End the system time of an open current row."""
        texts_of(row)
        end = instant(at, "system_time_end")
        key = (row.fact_id, row.system_time_start)
        found = self._partition(row.partition).get(key)
        if found is None:
            raise NoOpenRow(f"no open current row ({row.fact_id!r}, {row.system_time_start})", "one that is open")
        try:
            self._written[key] = found.closed(end)
        except InvalidPeriod as error:
            raise ConstraintViolated("system-period order", error.what, error.expected) from None
        del self._partition(row.partition)[key]

    @ends_on_error
    def commit(self) -> None:
        """Apply all of it at once."""
        data = self._data
        with data.lock:
            data.settle()
            data.due = self._written, self._open  # this is the commit: the rest may be interrupted
            data.settle()
        self.rollback()

    def rollback(self) -> None:
        """Forget all of it; after a commit, end the turn. One that was interrupted can be done again."""
        with self._lock:
            self._over = True
            self._data.writer.end(self)

    def _partition(self, partition: tuple[str, str]) -> dict[Key, Fact[K]]:
        if partition not in self._open:
            self._open[partition] = dict(self._data.open.get(partition, ()))
        return self._open[partition]

    def _alive(self) -> None:
        if self._over:
            raise StoreClosed("a transaction that has ended", "a new one: `begin()`")
