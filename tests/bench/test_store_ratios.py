"""Speed of the stores as ratios inside one run: to the bare statements, and to themselves with more in them."""

from __future__ import annotations

import importlib.util
import itertools
import random
import statistics
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from toki_verify.algebra.audit import AuditTuple, pack
from toki_verify.algebra.carriers import carrier
from toki_verify.algebra.facts import Fact
from toki_verify.stores import MemoryStore, WritePath
from toki_verify.stores.duckdb import DuckdbStore
from toki_verify.stores.sqlite import SqliteConnection, SqliteStore

pytestmark = pytest.mark.bench
needs_duckdb = pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")

CARRIER = carrier("multidegree")
T0 = datetime(2024, 1, 1)
SECOND = timedelta(seconds=1)
Statement = tuple[str, tuple[Any, ...]]


def facts(prefix: str, first: int = 0) -> Any:
    """Facts without end, each later than all before, two in each partition: the second resolves against the first."""
    for number in itertools.count(first):
        yield Fact(
            f"{prefix}{number}",
            f"subject {prefix}{number // 2}",
            "predicate",
            f"object {number}",
            T0,
            T0 + number * SECOND,
            CARRIER.token(f"{prefix}{number}"),
        )


def seconds(action: Callable[[], object]) -> float:
    begun = perf_counter()
    action()
    return perf_counter() - begun


def recorded(store: SqliteStore[Any], action: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[Statement]:
    """The statements that something issues on a store."""
    found: list[Statement] = []

    def spy(name: str) -> Any:
        method = getattr(SqliteConnection, name)

        def run(self: Any, sql: str, parameters: Any = ()) -> Any:
            found.append((sql, tuple(parameters)))
            return method(self, sql, parameters)

        return run

    with monkeypatch.context() as patched:
        patched.setattr(SqliteConnection, "query", spy("query"))
        patched.setattr(SqliteConnection, "change", spy("change"))
        action()
    return found


#: A file is synced at every commit. Without that (`:memory:`) half of the time is Python's, most of it the algebra's.
@pytest.mark.parametrize(("place", "limit", "count"), [("file", 3.0, 300), (":memory:", 3.0, 1000)])
def test_a_write_costs_little_more_than_its_statements(
    place: str, limit: float, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same facts, written by the write path, and as bare statements in the same transactions on a twin database."""
    paths = [place if place == ":memory:" else tmp_path / name for name in ("recorded", "timed", "bare")]
    stores = [SqliteStore(path, CARRIER) for path in paths]
    written = list(itertools.islice(facts("f"), count))
    first = WritePath(stores[0])
    statements = [recorded(stores[0], lambda fact=fact: first.ingest(fact), monkeypatch) for fact in written]
    assert [len(found) for found in statements[2:4]] == [4, 6]  # begin, read, insert, commit; and close, winner, audit
    timed, execute = WritePath(stores[1]), stores[2]._main.raw.execute  # type: ignore[attr-defined]

    def bare(batch: list[Statement]) -> None:
        for sql, parameters in batch:
            execute(sql, parameters).fetchall()

    taken: list[list[float]] = [[], []]
    for fact, batch in zip(written, statements, strict=True):
        taken[0].append(seconds(lambda fact=fact: timed.ingest(fact)))
        taken[1].append(seconds(lambda batch=batch: bare(batch)))
    assert stores[0].rows() == stores[1].rows() == stores[2].rows()
    found = sum(map(statistics.median, (taken[0][::2], taken[0][1::2])))
    yardstick = sum(map(statistics.median, (taken[1][::2], taken[1][1::2])))
    print(f"{place}: {found * 5e5:.0f} µs, bare {yardstick * 5e5:.0f} µs, ratio {found / yardstick:.2f}")
    assert found < limit * yardstick
    for store in stores:
        store.shut()


def filled(engine: str, size: int, directory: Path) -> Any:
    """A store with some open rows, each of a partition of its own."""
    if engine == "memory":
        store: Any = MemoryStore(CARRIER)
    else:
        path = ":memory:" if engine.endswith("memory") else directory / f"{engine}{size}"
        store = (DuckdbStore if engine.startswith("duckdb") else SqliteStore)(path, CARRIER)
    rows = itertools.islice(facts("filler"), 0, 2 * size, 2)
    transaction = store.begin()
    if engine.startswith("duckdb"):  # row by row it would take minutes
        transaction.insert(next(rows))
        store._main.raw.execute(
            "INSERT INTO agent_memory SELECT 'filler' || i, 'subject filler' || i, 'predicate', 'object', t, "
            "TIMESTAMP '9999-12-31', t, TIMESTAMP '9999-12-31', 'filler', 1.0, 'lww', 'current' FROM "
            f"(SELECT i, TIMESTAMP '2024-01-01' + to_seconds(i) AS t FROM range(2, {2 * size}, 2) n(i))"
        )
    else:
        for row in rows:
            transaction.insert(row)
    transaction.commit()
    return store


#: Engine, limit, pairs of writes.
ENGINES = [
    ("memory", 1.5, 400),
    ("sqlite-memory", 1.5, 400),
    ("sqlite-file", 1.5, 150),
    pytest.param("duckdb-memory", 1.5, 40, marks=needs_duckdb),
]


@pytest.mark.parametrize(("engine", "limit", "pairs"), ENGINES)
def test_a_write_is_no_slower_among_many_facts(engine: str, limit: float, pairs: int, tmp_path: Path) -> None:
    """From 10² to 10⁵ stored facts. The two stores are written to in turns."""
    paths = [WritePath(filled(engine, size, tmp_path)) for size in (100, 100_000)]
    taken: list[list[float]] = [[], []]
    for fact in itertools.islice(facts("new", 1_000_000), 2 * pairs):
        turns = list(zip(paths, taken, strict=True))
        for path, times in turns if random.random() < 0.5 else reversed(turns):
            times.append(seconds(lambda path=path, fact=fact: path.ingest(fact)))
    few, many = (statistics.median(times[::2]) + statistics.median(times[1::2]) for times in taken)
    print(f"{engine}: {few * 5e5:.0f} µs among 10², {many * 5e5:.0f} µs among 10⁵, ratio {many / few:.2f}")
    assert many < limit * few
    for path in paths:
        path.store.shut()


AUDITED = [
    ("memory", 1.2, 300),
    ("sqlite-memory", 1.2, 300),
    ("sqlite-file", 1.2, 300),
    pytest.param("duckdb-memory", 1.5, 60, marks=needs_duckdb),
]


@pytest.mark.parametrize(("engine", "limit", "reads"), AUDITED)
def test_audit_rows_do_not_slow_current_reads(engine: str, limit: float, reads: int, tmp_path: Path) -> None:
    """AS OF one partition, of 20 versions, before and after it has retained 10⁴ audit rows."""
    stores = [
        filled(engine, 100, tmp_path / str(number)) for number in range(2) if not (tmp_path / str(number)).mkdir()
    ]
    start = T0 + 2_000_000 * SECOND
    for store in stores:
        transaction = store.begin()
        for number in range(20):
            at = start + number * SECOND
            transaction.insert(
                Fact(f"v{number}", "s", "p", f"o{number}", T0, at, CARRIER.one, system_time_end=at + SECOND)
            )
        transaction.insert(Fact("now", "s", "p", "o", T0, start, CARRIER.one))
        transaction.commit()
    retain(stores[1], start, 10_000)
    at, taken = start + timedelta(days=30), [list[float](), list[float]()]
    for _ in range(reads):
        for store, times in zip(stores, taken, strict=True):
            times.append(seconds(lambda store=store: store.asof(at, at, subject="s", predicate="p")))
    assert [len(store.asof(at, at, subject="s", predicate="p")) for store in stores] == [1, 1]
    assert [len(store.asof(at, at, "audit", subject="s", predicate="p")) for store in stores] == [0, 10_000]
    few, many = map(statistics.median, taken)
    print(f"{engine}: {few * 1e6:.0f} µs, with 10⁴ audit rows {many * 1e6:.0f} µs, ratio {many / few:.2f}")
    assert many < limit * few
    for store in stores:
        store.shut()


def retain(store: Any, start: datetime, count: int) -> None:
    """Put audit rows of as many losers into the partition."""
    losers = [Fact(f"l{number}", "s", "p", "lost", T0, start, CARRIER.one) for number in range(count)]
    rows = [pack(AuditTuple(CARRIER.one, "lww", start, "now", "o", (row.fact_id,), ("lost",)), row) for row in losers]
    transaction = store.begin()
    if isinstance(store, DuckdbStore):
        transaction.insert(rows[0])
        store._main.raw.execute(
            "INSERT INTO agent_memory SELECT * REPLACE (fact_id || i AS fact_id) FROM agent_memory, "
            f"range({count - 1}) n(i) WHERE row_kind = 'audit'".replace("*", "agent_memory.*")
        )
    else:
        for row in rows:
            transaction.insert(row)
    transaction.commit()
