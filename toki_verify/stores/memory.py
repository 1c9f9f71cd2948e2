"""The dual-row table in memory: sessions of one process share it, and it ends with the process."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Generic, TypeVar

from ..algebra.errors import InvalidPeriod
from ..algebra.facts import ROW_KINDS, Fact, Kind, asof
from ..algebra.periods import instant, same_kind
from ..algebra.semiring import Semiring
from .errors import ConstraintViolated, NoOpenRow, StoreClosed, StoreLocked
from .protocol import CONSTRAINTS, JudgeKey, JudgeLog, LogEntry, Mode
from .protocol import mode as checked_mode

K = TypeVar("K")
Key = tuple[str, datetime]


@dataclass
class _Log:
    """The judge log: a dict under a lock."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    votes: dict[JudgeKey, str] = field(default_factory=dict)

    def get(self, key: JudgeKey) -> str | None:
        return self.votes.get(key)

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        with self.lock:
            return self.votes.setdefault(key, winner)

    def entries(self) -> Sequence[LogEntry]:
        with self.lock:
            return [LogEntry(key, winner) for key, winner in self.votes.items()]


@dataclass
class _Data(Generic[K]):
    """What the sessions share. `open` has the open current rows by partition; `partitions` the keys of all rows by
    partition and row kind, so that a current read passes over no audit row."""

    writer: threading.Lock = field(default_factory=threading.Lock)
    commit: threading.Lock = field(default_factory=threading.Lock)
    rows: dict[Key, Fact[K]] = field(default_factory=dict)
    open: dict[tuple[str, str], dict[Key, Fact[K]]] = field(default_factory=dict)
    partitions: dict[tuple[str, str, str], set[Key]] = field(default_factory=dict)
    log: _Log = field(default_factory=_Log)


class MemoryStore(Generic[K]):
    """A store in memory. One writer at a time; another waits `busy_seconds` for it, then StoreLocked.

    Readers see committed rows only.
    """

    def __init__(self, carrier: Semiring[K], *, mode: str = "audit_row", busy_seconds: float = 5.0) -> None:
        """An empty store. Raises UnknownMode."""
        self.carrier = carrier
        self.mode: Mode = checked_mode(mode)
        self.busy_seconds = busy_seconds
        self._data: _Data[K] = _Data()
        self._open: _Transaction[K] | None = None
        self._shut = False

    @property
    def judge_log(self) -> JudgeLog:
        """The log that all sessions share."""
        return self._data.log

    def session(self) -> MemoryStore[K]:
        """Another session on the same rows."""
        found: MemoryStore[K] = MemoryStore(self.carrier, mode=self.mode, busy_seconds=self.busy_seconds)
        found._data = self._data
        return found

    def begin(self) -> _Transaction[K]:
        """Start a transaction: it has the rows for itself. Raises StoreLocked, StoreClosed."""
        self._alive()
        if not self._data.writer.acquire(timeout=self.busy_seconds):
            raise StoreLocked("another transaction has the store", "that it ends: try again")
        self._open = _Transaction(self._data)
        return self._open

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
        asof((), valid_time, system_time, kind)  # refuses what is no kind, no instant, or mixed
        if subject is None or predicate is None:
            rows = self._committed()
        else:
            rows = self._partition(subject, predicate, ROW_KINDS if kind == "all" else (kind,))
        some = next(iter(self._data.rows.values()), None)
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
        if self._open is not None:
            self._open.rollback()

    def _alive(self) -> None:
        if self._shut:
            raise StoreClosed("a session that was shut", "an open one")

    def _partition(self, subject: str, predicate: str, kinds: Sequence[str]) -> dict[Key, Fact[K]]:
        self._alive()
        data = self._data
        with data.commit:
            keys = [key for kind in kinds for key in data.partitions.get((subject, predicate, kind), ())]
            return {key: data.rows[key] for key in keys}

    def _committed(self) -> dict[Key, Fact[K]]:
        self._alive()
        with self._data.commit:
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
    """Keeps what it writes beside the committed rows until it commits; the writer's lock keeps other writers out."""

    def __init__(self, data: _Data[K]) -> None:
        self._data = data
        self._written: dict[Key, Fact[K]] = {}
        self._open: dict[tuple[str, str], dict[Key, Fact[K]]] = {}
        self._over = False

    def open_rows(self, subject: str, predicate: str) -> list[Fact[K]]:
        """The open current rows of a partition."""
        self._alive()
        rows = self._partition((subject, predicate)).values()
        return sorted(rows, key=lambda fact: (fact.system_time_start, fact.fact_id))

    def insert(self, fact: Fact[K]) -> None:
        """Insert a row."""
        with self._ends_on_error():
            require_constraints(fact)
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

    def close(self, row: Fact[K], at: datetime) -> None:
        """End the system time of an open current row."""
        with self._ends_on_error():
            key = (row.fact_id, row.system_time_start)
            found = self._partition(row.partition).get(key)
            if found is None:
                raise NoOpenRow(f"no open current row ({row.fact_id!r}, {row.system_time_start})", "one that is open")
            try:
                self._written[key] = found.closed(at)
            except InvalidPeriod as error:
                raise ConstraintViolated("system-period order", error.what, error.expected) from None
            del self._partition(row.partition)[key]

    def commit(self) -> None:
        """Apply all of it at once."""
        self._alive()
        data = self._data
        with data.commit:
            data.rows.update(self._written)
            for key, fact in self._written.items():
                data.partitions.setdefault((*fact.partition, fact.row_kind), set()).add(key)
            data.open.update(self._open)
        self._end()

    def rollback(self) -> None:
        """Forget all of it."""
        if not self._over:
            self._end()

    def _partition(self, partition: tuple[str, str]) -> dict[Key, Fact[K]]:
        if partition not in self._open:
            self._open[partition] = dict(self._data.open.get(partition, ()))
        return self._open[partition]

    @contextmanager
    def _ends_on_error(self) -> Iterator[None]:
        self._alive()
        try:
            yield
        except BaseException:
            self.rollback()
            raise

    def _alive(self) -> None:
        if self._over:
            raise StoreClosed("a transaction that has ended", "a new one: `begin()`")

    def _end(self) -> None:
        self._over = True
        self._data.writer.release()
