"""What goes wrong with files and engines comes out as a typed error, and the store is as it was."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toki_verify.algebra.carriers import carrier
from toki_verify.stores import JudgeKey, StoreError
from toki_verify.stores.duckdb import DuckdbStore
from toki_verify.stores.errors import (
    EngineMissing,
    NewerVersion,
    NotAStore,
    StoreFailed,
    StoreFull,
    StoreLocked,
)
from toki_verify.stores.sqlite import SqliteStore

from .conftest import FILES, Opener, needs_duckdb
from .samples import CARRIER, at, fact
from .test_contract import put

KEY = JudgeKey(("a", "b"), "t")


def files_in(directory: Path) -> list[str]:
    return sorted(found.name for found in directory.iterdir())


def test_a_file_is_opened_again(make_file: Opener) -> None:
    store = make_file("file")
    put(store, fact("f"))
    store.judge_log.insert_if_absent(KEY, "a")
    open_transaction = store.begin()
    open_transaction.insert(fact("g"))
    store.shut()
    again = make_file("file")
    assert again.rows() == [fact("f")] and again.judge_log.get(KEY) == "a"
    assert again.asof(at(0), at(0), subject="s", predicate="p") == [fact("f")]
    put(again, fact("g"))
    assert again.rows() == [fact("f"), fact("g")]


def test_two_stores_of_one_file_take_turns(make_file: Opener) -> None:
    first, second = make_file("file"), make_file("file")
    transaction = first.begin()
    with pytest.raises(StoreLocked):
        second.begin()
    transaction.insert(fact("f"))
    transaction.commit()
    put(second, fact("g"))
    assert first.rows() == second.rows() == [fact("f"), fact("g")]


@pytest.mark.parametrize(
    "other",
    [{"carrier": carrier("counting")}, {"mode": "base"}, {"mode": "dual_row", "carrier": carrier("why")}],
)
def test_another_carrier_or_mode_is_refused(make_file: Opener, other: dict[str, Any]) -> None:
    store = make_file("file")
    put(store, fact("f"))
    name = "carrier" if "carrier" in other else "mode"
    with pytest.raises(NotAStore, match=name):
        make_file("file", **other)
    assert store.rows() == [fact("f")]


def damaged(make_file: Opener, *statements: str) -> None:
    """A store's file after some statements of somebody else."""
    store = make_file("file")
    for statement in statements:
        store._side.query(statement)
    store.shut()


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("UPDATE toki_meta SET value = '2' WHERE name = 'version'", NewerVersion),
        ("UPDATE toki_meta SET value = '999999999999999999999' WHERE name = 'version'", NewerVersion),
        ("UPDATE toki_meta SET value = 'one' WHERE name = 'version'", NotAStore),
        ("UPDATE toki_meta SET value = '' WHERE name = 'version'", NotAStore),
        ("DELETE FROM toki_meta", NotAStore),
        ("DROP TABLE toki_meta", NotAStore),
        ("DROP TABLE judge_log", NotAStore),
        ("ALTER TABLE judge_log RENAME COLUMN winner TO loser", NotAStore),
        ("ALTER TABLE toki_meta RENAME COLUMN value TO worth", NotAStore),
    ],
)
def test_other_versions_and_other_tables_are_refused(
    make_file: Opener, statement: str, error: type[StoreError]
) -> None:
    damaged(make_file, statement)
    with pytest.raises(NotAStore) as refused:
        make_file("file")
    assert type(refused.value) is error


@pytest.mark.parametrize(("column", "value"), [("provenance_id", "(("), ("fact_id", "")])
def test_rows_of_somebody_else_are_refused(make_file: Opener, column: str, value: str) -> None:
    store = make_file()
    put(store, fact("f"))
    store._side.query(f"UPDATE agent_memory SET {column} = ?", (value,))
    with pytest.raises(NotAStore, match="agent_memory"):
        store.rows()


def test_a_text_that_is_no_instant_is_refused(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "file", CARRIER)
    put(store, fact("f"))
    store._side.query("UPDATE agent_memory SET valid_from = '2024-1-1'")
    with pytest.raises(NotAStore, match="agent_memory"):
        store.rows()
    store.shut()


def test_a_log_of_somebody_else_is_refused(make_file: Opener) -> None:
    store = make_file()
    store._side.query("INSERT INTO judge_log VALUES ('a, b', 't', 'a', 1)")
    with pytest.raises(NotAStore, match="judge_log"):
        store.judge_log.entries()


def test_another_programs_database_is_left_as_it_is(tmp_path: Path) -> None:
    raw = sqlite3.connect(tmp_path / "file")
    raw.execute("CREATE TABLE songs (name)")
    raw.commit()
    raw.close()
    before = (tmp_path / "file").read_bytes()
    for engine in (SqliteStore, DuckdbStore):
        with pytest.raises(NotAStore):
            engine(tmp_path / "file", CARRIER)
    assert (tmp_path / "file").read_bytes() == before and files_in(tmp_path) == ["file"]


@needs_duckdb
def test_another_programs_database_in_duckdb(tmp_path: Path) -> None:
    import duckdb

    duckdb.connect(str(tmp_path / "file")).execute("CREATE TABLE songs (name VARCHAR)").close()
    with pytest.raises(NotAStore, match="agent_memory"):
        DuckdbStore(tmp_path / "file", CARRIER)
    with pytest.raises(NotAStore):
        SqliteStore(tmp_path / "file", CARRIER)


@pytest.mark.parametrize(
    "content", [b"hello" * 1000, b"\0" * 5000, b"SQLite format 3\0" + b"x" * 5000, b"x" * 8 + b"DUCK" + b"x" * 9000]
)
def test_a_file_that_is_no_database(make_file: Opener, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(StoreError) as refused:
        make_file("file")
    assert isinstance(refused.value, (NotAStore, StoreFailed))
    assert (tmp_path / "file").read_bytes() == content


@pytest.mark.parametrize("path", ["", "missing/file", ".", "nul\0inside", "/proc/file"])
@pytest.mark.parametrize("kind", FILES)
def test_a_path_where_no_file_can_be(tmp_path: Path, kind: str, path: str) -> None:
    engine: Any = SqliteStore if kind.startswith("sqlite") else DuckdbStore
    with pytest.raises(StoreFailed) as refused:
        engine(path and tmp_path / path, CARRIER)
    assert refused.value.expected.startswith(("a file", "the name of a file"))


def test_a_commit_of_sqlite_is_synced(tmp_path: Path) -> None:
    """On both connections: facts are committed on one, votes on the other."""
    store = SqliteStore(tmp_path / "file", CARRIER).session()
    for connection in (store._main, store._side):
        assert connection.query("PRAGMA synchronous") == [(2,)]  # FULL
        assert connection.query("PRAGMA journal_mode") == [("wal",)]
    store.shut()


def test_a_sqlite_file_that_may_not_be_written(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "file", CARRIER)
    put(store, fact("f"))
    store._main.query("PRAGMA query_only = 1")
    with pytest.raises(StoreFailed, match="readonly") as refused:
        put(store, fact("g"))
    assert "may be written" in refused.value.expected
    assert store.rows() == [fact("f")]
    store._main.query("PRAGMA query_only = 0")
    put(store, fact("g"))
    store.shut()


def test_a_sqlite_database_that_is_full(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "file", CARRIER)
    put(store, fact("f"))
    pages = store._main.query("PRAGMA page_count")[0][0]
    store._main.query(f"PRAGMA max_page_count = {pages + 2}")
    transaction = store.begin()
    transaction.insert(fact("small"))
    with pytest.raises(StoreFull):
        transaction.insert(fact("big", "x" * 100_000))
    assert store.rows() == [fact("f")]
    store._main.query("PRAGMA max_page_count = 100000")
    put(store, fact("big", "x" * 100_000))
    assert [found.fact_id for found in store.rows()] == ["big", "f"]
    store.shut()


FULL = """
import resource, signal, sys
from datetime import datetime
from toki_verify.algebra.carriers import carrier
from toki_verify.algebra.facts import Fact
from toki_verify.stores.errors import *
from toki_verify.stores.duckdb import DuckdbStore
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
CARRIER = carrier("multidegree")
def fact(name, value):
    return Fact(name, "s", "p", value, datetime(2024, 1, 1), datetime(2024, 1, 1), CARRIER.one)
store = DuckdbStore(sys.argv[1], CARRIER)
transaction = store.begin(); transaction.insert(fact("f", "f")); transaction.commit()
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    transaction = store.begin()
    transaction.insert(fact("big", "".join(map(chr, range(40_000)))*50))
    transaction.commit()
except StoreError as error:
    print(type(error).__name__, flush=True)
"""


@needs_duckdb
def test_a_disk_that_is_full_under_duckdb(tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", FULL, str(tmp_path / "file")], capture_output=True, text=True)
    assert ran.stdout.strip() == "StoreFull", (ran.stdout, ran.stderr)
    store = DuckdbStore(tmp_path / "file", CARRIER)
    assert [found.fact_id for found in store.rows()] == ["f"]
    store.shut()


def test_a_sqlite_file_that_another_program_has_locked(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "file", CARRIER, busy_seconds=0)
    put(store, fact("f"))
    raw = sqlite3.connect(tmp_path / "file", isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    for use in (store.begin, lambda: store.judge_log.insert_if_absent(KEY, "a")):
        with pytest.raises(StoreLocked):
            use()
    assert store.rows() == [fact("f")] and store.judge_log.get(KEY) is None
    raw.execute("ROLLBACK")
    raw.close()
    put(store, fact("g"))
    assert store.judge_log.insert_if_absent(KEY, "a") == "a"
    store.shut()


def test_a_writer_waits_for_its_turn(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "file", CARRIER, busy_seconds=30)
    code = (
        "import sqlite3, sys, time; raw = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "raw.execute('BEGIN IMMEDIATE'); print('locked', flush=True); time.sleep(0.3); raw.execute('COMMIT')"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "file")], stdout=-1, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "locked\n"
        put(store, fact("f"))
    assert store.rows() == [fact("f")]
    store.shut()


@needs_duckdb
@pytest.mark.parametrize("when", ["at the statement", "at the commit"])
def test_a_conflict_in_duckdb_is_a_locked_store(tmp_path: Path, when: str) -> None:
    import duckdb

    store = DuckdbStore(tmp_path / "file", CARRIER)
    put(store, fact("f"))
    raw = duckdb.connect(str(tmp_path / "file"))
    transaction = store.begin()
    transaction.open_rows("s", "p")
    if when == "at the statement":
        raw.execute("UPDATE agent_memory SET system_time_end = TIMESTAMP '2030-01-01'")
        with pytest.raises(StoreLocked):
            transaction.close(fact("f"), at(1))
        assert store.rows()[0].system_time_end.year == 2030
    else:
        transaction.insert(fact("g", "of the store"))
        row = store._packing.row(fact("g", "of somebody else"))
        raw.execute(f"INSERT INTO agent_memory VALUES ({', '.join('?' * len(row))})", row)
        with pytest.raises(StoreLocked):
            transaction.commit()
        assert [found.object for found in store.rows()] == ["f", "of somebody else"]
    raw.close()
    put(store, fact("h"))
    assert store.rows()[-1] == fact("h")
    store.shut()


@needs_duckdb
def test_a_duckdb_file_that_another_process_has(tmp_path: Path) -> None:
    code = (
        "import duckdb, sys; raw = duckdb.connect(sys.argv[1]); raw.execute('CREATE TABLE x (y INT)');"
        "print('locked', flush=True); sys.stdin.readline()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "file")], stdin=-1, stdout=-1, text=True
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "locked\n"
        with pytest.raises(StoreLocked):
            DuckdbStore(tmp_path / "file", CARRIER, busy_seconds=0)
        process.communicate("\n")
    with pytest.raises(NotAStore):
        DuckdbStore(tmp_path / "file", CARRIER, busy_seconds=5)


def test_duckdb_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(EngineMissing, match=r"pip install 'toki-verify\[duckdb\]'") as refused:
        DuckdbStore(tmp_path / "file", CARRIER)
    assert isinstance(refused.value, ImportError)


def test_a_store_in_memory_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    store = SqliteStore(":memory:", CARRIER)
    other = store.session()
    put(store, fact("f"))
    store.shut()
    assert other.rows() == [fact("f")] and len(files_in(tmp_path)) == 1
    another = SqliteStore(":memory:", CARRIER)
    assert another.rows() == []
    another.shut()
    other.shut()
    assert files_in(tmp_path) == []


def test_errors_survive_pickling() -> None:
    import pickle

    for error in (StoreFull("no room", "room"), NewerVersion("version 2", "version 1")):
        copy = pickle.loads(pickle.dumps(error))
        assert type(copy) is type(error) and str(copy) == str(error)
