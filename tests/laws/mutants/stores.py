"""Stores that are wrong in one way: all are the store in memory with a method or two changed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from tests.laws.mutants.base import Mutant
from toki_verify.algebra.carriers import MULTIDEGREE
from toki_verify.stores import MemoryStore
from toki_verify.stores.errors import StoreLocked
from toki_verify.testing import store_suite
from toki_verify.testing.stores_tested import forged

TICK = timedelta(microseconds=1)


@dataclass
class Around:
    """A transaction of a store in memory, to be changed in one method. `store` is the store, for what it shares."""

    inner: Any
    store: Any

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class Store(MemoryStore[Any]):
    """A store in memory whose transactions are of another kind."""

    kind: type[Around] = Around

    def __init__(self, carrier: Any = MULTIDEGREE, *, mode: str = "audit_row", busy_seconds: float = 0.0) -> None:
        super().__init__(carrier, mode=mode, busy_seconds=busy_seconds)

    def session(self) -> Any:
        found = type(self)(self.carrier, mode=self.mode, busy_seconds=self.busy_seconds)
        found._data = self._data
        return found

    def begin(self) -> Any:
        return self.kind(super().begin(), self)


def store_of(**methods: Any) -> type[Store]:
    """A store whose transactions have some other methods."""
    return type("Store", (Store,), {"kind": type("Transaction", (Around,), methods)})


def _insert_anyway(self: Any, fact: Any) -> None:
    rows = [*self.store._data.rows.values(), *self.inner._written.values()]
    while any((row.fact_id, row.system_time_start) == (fact.fact_id, fact.system_time_start) for row in rows):
        fact = replace(fact, system_time_start=fact.system_time_start + TICK)
    self.inner.insert(fact)


def _insert_unchecked(self: Any, fact: Any) -> None:
    key = fact.fact_id, fact.system_time_start
    if key in self.inner._written or key in self.store._data.rows:
        self.inner.insert(fact)  # which refuses it
    self.inner._written[key] = fact
    if fact.row_kind == "current" and fact.is_open:
        self.inner._partition(fact.partition)[key] = fact


#: The table without its CHECKs; the primary key is left.
Unchecked = store_of(insert=_insert_unchecked)


def _close_all(self: Any, row: Any, at: Any) -> None:
    for other in [*self.store._data.rows.values()]:
        if other.fact_id == row.fact_id and other.is_open and other.row_kind == "current":
            self.inner.close(other, at)


def _close_latest(self: Any, row: Any, at: Any) -> None:
    rows = [*self.store._data.rows.values(), *self.inner._written.values()]
    same = [r for r in rows if r.fact_id == row.fact_id and r.is_open and r.row_kind == "current"]
    self.inner.close(max(same, key=lambda r: r.system_time_start, default=row), at)


def _close_quietly(self: Any, row: Any, at: Any) -> None:
    with suppress(LookupError):
        self.inner.close(row, at)


def _close_backwards(self: Any, row: Any, at: Any) -> None:
    if at <= row.system_time_start:
        key = row.fact_id, row.system_time_start
        self.inner._written[key] = forged(row, system_time_end=at)
        del self.inner._partition(row.partition)[key]
    else:
        self.inner.close(row, at)


def _open_with_audit(self: Any, subject: str, predicate: str) -> Any:
    rows = self.inner.open_rows(subject, predicate)
    audit = [r for r in self.store._data.rows.values() if r.row_kind == "audit" and r.partition == (subject, predicate)]
    return sorted([*rows, *audit], key=lambda r: (r.system_time_start, r.fact_id))


def _open_before(self: Any, subject: str, predicate: str) -> Any:
    mine = self.inner._written.keys()
    rows = self.inner.open_rows(subject, predicate)
    return [row for row in rows if (row.fact_id, row.system_time_start) not in mine]


def _rollback_keeps(self: Any) -> None:
    if not self.inner._over:
        self.inner.commit()


def _rollback_drops_log(self: Any) -> None:
    self.store._data.log.votes.clear()
    self.inner.rollback()


def _insert_at_once(self: Any, fact: Any) -> None:
    self.inner.insert(fact)
    self.store._data.rows[fact.fact_id, fact.system_time_start] = fact
    self.store._data.partitions.setdefault(fact.partition, set()).add((fact.fact_id, fact.system_time_start))


def _insert_late(self: Any, fact: Any) -> None:
    if self.inner._over:
        self.store._data.rows[fact.fact_id, fact.system_time_start] = fact
    else:
        self.inner.insert(fact)


def _commit_late(self: Any) -> None:
    if not self.inner._over:
        self.inner.commit()


def _insert_and_go_on(self: Any, fact: Any) -> None:
    if (fact.fact_id, fact.system_time_start) in self.store._data.rows:
        raise ValueError("a primary key twice")  # and the transaction stays as it is
    self.inner.insert(fact)


class EngineError(Store):
    """A store whose engine's own error comes through where another session has it."""

    def begin(self) -> Any:
        try:
            return super().begin()
        except StoreLocked:
            raise OSError("database is locked") from None


class EndsIncluded(Store):
    """AS OF takes the last instant for part of the period."""

    def asof(self, valid_time: Any, system_time: Any, kind: Any = "current", **partition: Any) -> Any:
        at = [(valid_time - tick, system_time - other) for tick in (0 * TICK, TICK) for other in (0 * TICK, TICK)]
        found = [row for instants in at for row in super(EndsIncluded, self).asof(*instants, kind, **partition)]
        return [row for row in self.rows() if row in found]


class AnyKind(Store):
    def asof(self, valid_time: Any, system_time: Any, kind: Any = "current", **partition: Any) -> Any:
        return super().asof(valid_time, system_time, "all", **partition)


class NoPartition(Store):
    def asof(self, valid_time: Any, system_time: Any, kind: Any = "current", **partition: Any) -> Any:
        return super().asof(valid_time, system_time, kind)


class NowOnly(Store):
    """AS OF knows the open rows only."""

    def asof(self, valid_time: Any, system_time: Any, kind: Any = "current", **partition: Any) -> Any:
        return [row for row in super().asof(valid_time, system_time, kind, **partition) if row.is_open]


class Seconds(Store):
    """Rows come back without fractions of seconds."""

    def rows(self) -> Any:
        return [replace(row, system_time_end=row.system_time_end.replace(microsecond=0)) for row in super().rows()]


class AnyMode(Store):
    def __init__(self, carrier: Any = MULTIDEGREE, *, mode: str = "audit_row", busy_seconds: float = 0.0) -> None:
        super().__init__(carrier, mode=mode if mode in ("dual_row", "base") else "audit_row")


# law, name, what is broken, the store
_ENTRIES: tuple[tuple[str, str, str, Callable[..., Any]], ...] = (
    ("Tab12.confidence", "no-check-confidence", "any confidence is stored", Unchecked),
    ("Tab12.row_kind", "no-check-row-kind", "any row_kind is stored", Unchecked),
    ("Tab12.valid", "no-check-valid", "any valid period is stored", Unchecked),
    ("Tab12.system", "closes-backwards", "a row may be closed before it begins", store_of(close=_close_backwards)),
    ("Tab12.key", "key-ignored", "a second row of a primary key is moved a little", store_of(insert=_insert_anyway)),
    ("C1.rows", "seconds-only", "fractions of seconds are lost", Seconds),
    ("C1.asof", "partition-ignored", "AS OF of a partition gives all rows", NoPartition),
    ("C1.asof", "history-ignored", "AS OF gives open rows only", NowOnly),
    ("C1.ends", "ends-included", "AS OF has ≤ at the end of periods", EndsIncluded),
    ("C1.kind", "kind-ignored", "AS OF gives audit rows, too", AnyKind),
    ("C1.close", "closes-all-versions", "closing ends all versions of a fact_id", store_of(close=_close_all)),
    ("C1.close", "closes-latest-version", "closing ends the latest version of a fact", store_of(close=_close_latest)),
    ("C1.lookup", "closes-quietly", "closing what is not open does nothing", store_of(close=_close_quietly)),
    ("C1.open", "opens-audit", "audit rows count as open rows", store_of(open_rows=_open_with_audit)),
    ("C1.open", "blind-to-itself", "a transaction does not see its own writes", store_of(open_rows=_open_before)),
    ("C1.atomic", "rollback-keeps", "a rollback commits", store_of(rollback=_rollback_keeps)),
    ("C1.isolated", "dirty", "others see rows before they are committed", store_of(insert=_insert_at_once)),
    ("C1.ended", "writes-after-end", "a transaction writes after its end",
     store_of(insert=_insert_late, commit=_commit_late)),
    ("C1.failed", "failure-goes-on", "a transaction goes on after a method has raised",
     store_of(insert=_insert_and_go_on)),
    ("C1.turns", "engine-error", "beside another transaction begin raises what the engine raises", EngineError),
    ("H1.rollback", "rollback-drops-log", "a rollback empties the judge log", store_of(rollback=_rollback_drops_log)),
    ("C1.mode", "any-mode", "an unknown mode is taken for audit_row", AnyMode),
    ("C1.durable", "forgets", "opened again it is empty", Store),
)  # fmt: skip


def _suite(kind: Any) -> Any:
    def make(mode: str = "audit_row") -> Any:
        return kind(mode=mode)

    return lambda: store_suite(make, reopen=lambda store: (store.shut(), make())[1])


MUTANTS = tuple(Mutant(name, broken, "store_suite", law, _suite(kind)) for law, name, broken, kind in _ENTRIES)
