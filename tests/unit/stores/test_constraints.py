"""The five constraints of Table 12, in the tables themselves: rows that no Fact could be are refused by the engine."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from toki_verify.algebra.errors import InvalidFact
from toki_verify.algebra.facts import ALL_COLUMNS
from toki_verify.stores.duckdb import DuckdbStore
from toki_verify.stores.errors import ConstraintViolated, StoreFailed
from toki_verify.stores.protocol import CONSTRAINTS
from toki_verify.stores.sqlite import SqliteStore

from .conftest import FILES
from .samples import CARRIER, at, fact
from .test_contract import put

GOOD = {
    "fact_id": "f",
    "subject": "s",
    "predicate": "p",
    "object": "o",
    "valid_from": at(1),
    "valid_to": at(2),
    "system_time_start": at(1),
    "system_time_end": at(2),
    "provenance_id": "1",
    "confidence": 0.5,
    "resolution_strategy_id": "lww",
    "row_kind": "current",
}
BAD: list[tuple[str, str, Any]] = [
    ("confidence range", "confidence", 1.0000000000000002),
    ("confidence range", "confidence", -5e-324),
    ("confidence range", "confidence", float("nan")),
    ("confidence range", "confidence", float("inf")),
    ("confidence range", "confidence", None),
    ("row-kind domain", "row_kind", "Current"),
    ("row-kind domain", "row_kind", ""),
    ("row-kind domain", "row_kind", None),
    ("primary key", "fact_id", "old"),
    ("primary key", "fact_id", None),
    ("valid-period order", "valid_to", at(1)),
    ("valid-period order", "valid_to", at(0)),
    ("valid-period order", "valid_from", None),
    ("system-period order", "system_time_end", at(1)),
    ("system-period order", "system_time_end", at(0)),
    ("system-period order", "system_time_end", None),
]


@pytest.fixture(params=FILES)
def raw(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A store with one row, and a way to insert any other."""
    engine: Any = SqliteStore if request.param.startswith("sqlite") else DuckdbStore
    store = engine(tmp_path / "file", CARRIER)
    put(store, fact("old", start=1))
    yield store
    store.shut()


def insert(store: Any, row: dict[str, Any]) -> None:
    pack = store.dialect.pack
    values = [pack(value) if isinstance(value, datetime) else value for value in row.values()]
    store._side.query(f"INSERT INTO agent_memory ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})", values)


def test_the_bad_rows_are_bad_in_one_column_only(raw: Any) -> None:
    assert tuple(GOOD) == ALL_COLUMNS and {name for name, _, _ in BAD} == set(CONSTRAINTS)
    insert(raw, GOOD)
    assert [found.fact_id for found in raw.rows()] == ["f", "old"]


@pytest.mark.parametrize(("name", "column", "value"), BAD)
def test_the_table_refuses(raw: Any, name: str, column: str, value: Any) -> None:
    with pytest.raises(ConstraintViolated) as refused:
        insert(raw, GOOD | {column: value})
    assert refused.value.constraint == name
    assert [found.fact_id for found in raw.rows()] == ["old"]


@pytest.mark.parametrize("column", ["subject", "object", "provenance_id", "resolution_strategy_id"])
def test_no_column_is_null(raw: Any, column: str) -> None:
    with pytest.raises(StoreFailed, match=column):
        insert(raw, GOOD | {column: None})


def test_row_kind_is_current_unless_it_is_said(raw: Any) -> None:
    insert(raw, {column: value for column, value in GOOD.items() if column != "row_kind"})
    assert [found.row_kind for found in raw.rows()] == ["current", "current"]


def test_versions_of_a_fact_coexist(raw: Any) -> None:
    insert(raw, GOOD | {"fact_id": "old", "system_time_start": at(1.5)})
    assert len(raw.rows()) == 2


@pytest.mark.parametrize(
    ("column", "value"), [("confidence", 1.5), ("valid_to", at(0)), ("row_kind", "x"), ("fact_id", "")]
)
def test_a_fact_is_refused_before_it_reaches_a_store(column: str, value: Any) -> None:
    more = {column: value}
    with pytest.raises(InvalidFact):
        fact(more.pop("fact_id", "f"), **more)


def test_the_names_are_in_the_schema_of_sqlite(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "file", CARRIER).shut()
    raw = sqlite3.connect(tmp_path / "file")
    (schema,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'agent_memory'").fetchone()
    raw.close()
    for name, rule in CONSTRAINTS.items():
        assert name.replace(" ", "_").replace("-", "_") in schema
        assert name == "primary key" or f"CHECK ({rule})" in schema
