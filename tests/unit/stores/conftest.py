"""The stores that the contract tests run over."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from toki_verify.stores import MemoryStore
from toki_verify.stores.duckdb import DuckdbStore
from toki_verify.stores.sqlite import SqliteStore

from .samples import CARRIER

needs_duckdb = pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")

KINDS = (
    "memory",
    "sqlite-memory",
    "sqlite-file",
    pytest.param("duckdb-memory", marks=needs_duckdb),
    pytest.param("duckdb-file", marks=needs_duckdb),
)
FILES = ("sqlite-file", pytest.param("duckdb-file", marks=needs_duckdb))

Opener = Callable[..., Any]


def opener(kind: str, directory: Path, opened: list[Any]) -> Opener:
    """A function that makes a store of a kind. A file is named by `name`; without one each store has its own."""
    numbers = itertools.count()

    def make(name: str = "", carrier: Any = CARRIER, **options: Any) -> Any:
        engine, _, where = kind.partition("-")
        options.setdefault("busy_seconds", 0.0)
        path = ":memory:" if where == "memory" else directory / (name or f"store{next(numbers)}")
        if engine == "memory":
            store: Any = MemoryStore(carrier, **options)
        elif engine == "sqlite":
            store = SqliteStore(path, carrier, **options)
        else:
            store = DuckdbStore(path, carrier, **options)
        opened.append(store)
        return store

    return make


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(kind: str, tmp_path: Path) -> Iterator[Opener]:
    """Makes stores of every kind."""
    opened: list[Any] = []
    yield opener(kind, tmp_path, opened)
    for store in opened:
        store.shut()


@pytest.fixture(params=FILES)
def make_file(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """Makes stores in files."""
    opened: list[Any] = []
    yield opener(request.param, tmp_path, opened)
    for store in opened:
        store.shut()


@pytest.fixture
def store(make: Opener) -> Any:
    """An empty store of every kind, whose writers do not wait."""
    return make()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Interrupts at every place of DuckDB's sessions take half a minute: `make test-all` has them."""
    for item in items:
        if item.path.name == "test_interrupts.py" and "duckdb" in item.name:
            item.add_marker(pytest.mark.heavy)
