"""Files under other names, in other states, of other kinds: no commit is lost, nothing is taken over, nothing waits."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toki_verify.algebra.errors import AlgebraError
from toki_verify.stores import JudgeKey, StoreError
from toki_verify.stores.duckdb import DuckdbStore
from toki_verify.stores.errors import NewerVersion, NotAStore, StoreFailed, StoreLocked
from toki_verify.stores.sqlite import SqliteStore

from .conftest import FILES, Opener, needs_duckdb
from .samples import CARRIER, at, fact
from .test_contract import put
from .test_errors import files_in

KEY = JudgeKey(("a", "b"), "t")


@pytest.fixture(params=FILES)
def engine(request: pytest.FixtureRequest) -> Any:
    return SqliteStore if request.param.startswith("sqlite") else DuckdbStore


def test_a_session_is_on_the_same_file_wherever_the_process_has_gone(
    engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    store = engine("file", CARRIER)
    put(store, fact("f"))
    monkeypatch.chdir(tmp_path / "there")
    session = store.session()
    assert session.rows() == [fact("f")]
    put(session.session(), fact("g"))
    assert store.rows() == [fact("f"), fact("g")] and files_in(tmp_path / "there") == []
    for used in (store, session):
        used.shut()


@pytest.mark.parametrize("when", ["while it is open", "afterwards"])
def test_a_file_with_two_names_is_refused(engine: Any, tmp_path: Path, when: str) -> None:
    """Each name would have a write-ahead log of its own: what is committed in one would not be there in the other."""
    store = engine(tmp_path / "file", CARRIER)
    put(store, fact("f"))
    if when == "afterwards":
        store.shut()
    os.link(tmp_path / "file", tmp_path / "other")
    with pytest.raises(StoreFailed, match="hard links"):
        engine(tmp_path / "other", CARRIER)
    if when == "while it is open":
        session = store.session()
        put(session, fact("g"))
        assert store.rows() == [fact("f"), fact("g")]
        session.shut()
        store.shut()
    (tmp_path / "file").unlink()
    again = engine(tmp_path / "other", CARRIER)
    assert again.rows()[0] == fact("f")
    again.shut()


def test_a_symbolic_link_is_the_file_itself(engine: Any, tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to(tmp_path / "file")
    store, other = engine(tmp_path / "file", CARRIER, busy_seconds=0), engine(tmp_path / "other", CARRIER)
    transaction = store.begin()
    other.busy_seconds = 0.0
    with pytest.raises(StoreLocked):
        engine(tmp_path / "other", CARRIER, busy_seconds=0).begin()
    transaction.insert(fact("f"))
    transaction.commit()
    put(other, fact("g"))
    assert store.rows() == other.rows() == [fact("f"), fact("g")]
    store.shut()
    other.shut()


@needs_duckdb
def test_a_duckdb_file_that_was_renamed_while_it_is_open(tmp_path: Path) -> None:
    store = DuckdbStore(tmp_path / "file", CARRIER)
    put(store, fact("f"))
    (tmp_path / "file").rename(tmp_path / "other")
    with pytest.raises(StoreFailed, match="another name"):
        DuckdbStore(tmp_path / "other", CARRIER)
    put(store, fact("g"))
    store.shut()


OPEN = """
import sys
from toki_verify.algebra.carriers import carrier
from toki_verify.stores import DuckdbStore, StoreError
try:
    DuckdbStore(sys.argv[1], carrier("multidegree"), busy_seconds=0)
    print("opened")
except StoreError as error:
    print(type(error).__name__)
"""


@needs_duckdb
def test_sessions_do_not_let_other_processes_in(tmp_path: Path) -> None:
    """DuckDB's lock of a file is lost when the process closes any other descriptor of it."""
    store = DuckdbStore(tmp_path / "file", CARRIER)
    more = [store.session(), DuckdbStore(tmp_path / "file", CARRIER)]
    more[0].shut()
    ran = subprocess.run([sys.executable, "-c", OPEN, str(tmp_path / "file")], capture_output=True, text=True)
    assert ran.stdout.strip() == "StoreLocked", (ran.stdout, ran.stderr)
    put(store, fact("f"))
    for used in (store, *more):
        used.shut()


@pytest.mark.parametrize("kind", ["fifo", "device", "socket"])
def test_what_is_no_regular_file_is_refused_at_once(engine: Any, tmp_path: Path, kind: str) -> None:
    import socket

    path = tmp_path / "file"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        bound = socket.socket(socket.AF_UNIX)
        bound.bind(os.path.relpath(path))
        bound.close()
    else:
        path = Path("/dev/null")
    with pytest.raises(StoreFailed, match="no regular file"):
        engine(path, CARRIER)


@pytest.mark.parametrize("path", [b"file", None, 5, [], object(), "a\0b", ""])
def test_what_is_no_path_is_refused(engine: Any, path: Any) -> None:
    with pytest.raises(StoreFailed) as refused:
        engine(path, CARRIER)
    assert refused.value.expected.startswith("the name of a file")


def test_a_name_that_is_no_unicode(engine: Any, tmp_path: Path) -> None:
    """SQLite takes it, DuckDB cannot."""
    name = tmp_path / os.fsdecode(b"\xff.db")
    if engine is DuckdbStore:
        with pytest.raises(StoreFailed, match="Unicode"):
            engine(name, CARRIER)
        return
    store = engine(name, CARRIER)
    put(store, fact("f"))
    store.shut()
    assert b"\xff.db" in os.listdir(os.fsencode(tmp_path))  # noqa: PTH208


@pytest.mark.parametrize("mark", ["application_id", "user_version"])
def test_an_empty_sqlite_database_of_another_program_is_left_as_it_is(tmp_path: Path, mark: str) -> None:
    raw = sqlite3.connect(tmp_path / "file")
    raw.execute(f"PRAGMA {mark} = 42")
    raw.close()
    before = (tmp_path / "file").read_bytes()
    with pytest.raises(NotAStore, match=f"{mark} 42"):
        SqliteStore(tmp_path / "file", CARRIER)
    assert (tmp_path / "file").read_bytes() == before and files_in(tmp_path) == ["file"]


@needs_duckdb
@pytest.mark.parametrize(
    "made",
    ["SEQUENCE mine", "TYPE mine AS ENUM ('a')", "SCHEMA mine", "MACRO mine(x) AS x + 1", "VIEW mine AS SELECT 1"],
)
def test_a_duckdb_database_of_another_program_without_tables(tmp_path: Path, made: str) -> None:
    import duckdb

    duckdb.connect(str(tmp_path / "file")).execute(f"CREATE {made}").close()
    with pytest.raises(NotAStore):
        DuckdbStore(tmp_path / "file", CARRIER)


@pytest.mark.parametrize(
    ("version", "error"),
    [("0", NotAStore), ("9" * 5000, NotAStore), ("-1", NotAStore), ("٢", NotAStore), ("2", NewerVersion)],
)
def test_versions_that_there_are_not(make_file: Opener, version: str, error: type[Exception]) -> None:
    store = make_file("file")
    store._side.query("UPDATE toki_meta SET value = ? WHERE name = 'version'", (version,))
    store.shut()
    with pytest.raises(NotAStore) as refused:
        make_file("file")
    assert type(refused.value) is error and len(str(refused.value)) < 500


def raw_sqlite(file: Path, *statements: str) -> None:
    """What SQLite lets anybody write."""
    raw = sqlite3.connect(file, isolation_level=None)
    raw.execute("PRAGMA writable_schema = 1")
    for statement in statements:
        raw.execute(statement)
    raw.close()


NO_TEXT = "CAST(X'ff' AS TEXT)"
DAMAGE = {
    "a column that is no UTF-8": (f"UPDATE agent_memory SET object = {NO_TEXT}",),
    "an element that is no text": ("UPDATE agent_memory SET provenance_id = X'00'",),
    "a carrier that is no UTF-8": (f"UPDATE toki_meta SET value = {NO_TEXT} WHERE name = 'carrier'",),
    "a table's name that is no UTF-8": (f"UPDATE sqlite_master SET name = {NO_TEXT} WHERE name = 'judge_log'",),
    "a schema that is none": ("UPDATE sqlite_master SET sql = 'nonsense' WHERE name = 'agent_memory'",),
    "a kind of timestamps": ("UPDATE toki_meta SET value = 'stellar' WHERE name = 'timestamps'",),
    "a vote without a winner": (
        "DROP TABLE judge_log",
        "CREATE TABLE judge_log (request, theta, winner, seq)",
        'INSERT INTO judge_log VALUES (\'{"members": ["a", "b"], "predicate": "", "subject": ""}\', \'t\', NULL, 1)',
    ),
    "a vote about nothing": (
        "DROP TABLE judge_log",
        "CREATE TABLE judge_log (request, theta, winner, seq)",
        "INSERT INTO judge_log VALUES (NULL, NULL, NULL, 1)",
    ),
    "a request in another form": (
        "DROP TABLE judge_log",
        "CREATE TABLE judge_log (request, theta, winner, seq)",
        'INSERT INTO judge_log VALUES (\'{"subject": "", "members": ["a", "b"], "predicate": ""}\', \'t\', \'a\', 1)',
    ),
    "members that are numbers": (
        "DROP TABLE judge_log",
        "CREATE TABLE judge_log (request, theta, winner, seq)",
        'INSERT INTO judge_log VALUES (\'{"members": [1], "predicate": "", "subject": ""}\', \'t\', \'a\', 1)',
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_no_store(tmp_path: Path, damage: str) -> None:
    store = SqliteStore(tmp_path / "file", CARRIER)
    put(store, fact("f"))
    store.judge_log.insert_if_absent(KEY, "a")
    store.shut()
    raw_sqlite(tmp_path / "file", *DAMAGE[damage])
    with pytest.raises(NotAStore):
        again = SqliteStore(tmp_path / "file", CARRIER)
        try:
            again.rows()
            again.judge_log.entries()
        finally:
            again.shut()


def everything(engine: Any, file: Path) -> None:
    store = engine(file, CARRIER, busy_seconds=0)
    try:
        store.rows()
        store.judge_log.entries()
        transaction = store.begin()
        try:
            transaction.open_rows("s1", "p")
            transaction.insert(fact("new", start=900))
            transaction.commit()
        finally:
            transaction.rollback()
    finally:
        store.shut()


def test_any_damage_is_a_typed_error_and_never_try_again(engine: Any, tmp_path: Path) -> None:
    """Bytes of the file are changed, or it is cut."""
    store = engine(tmp_path / "file", CARRIER)
    put(store, *(fact(f"f{number}", subject=f"s{number % 3}", start=number) for number in range(100)))
    store.judge_log.insert_if_absent(KEY, "a")
    store.shut()
    whole, chosen, refused = (tmp_path / "file").read_bytes(), random.Random(3), list[StoreError]()
    for number in range(60 if engine is SqliteStore else 25):
        content = bytearray(whole)
        for _ in range(chosen.choice((1, 5, 50))):
            content[chosen.randrange(12, len(content))] = chosen.choice((0, 255, chosen.randrange(256)))
        directory = tmp_path / str(number)
        directory.mkdir()
        (directory / "file").write_bytes(content[: chosen.randrange(len(content))] if number % 5 == 0 else content)
        try:
            everything(engine, directory / "file")
        except StoreError as error:
            refused.append(error)
        shutil.rmtree(directory)
    assert len(refused) > 8
    assert not [error for error in refused if isinstance(error, StoreLocked)]
    assert sum(isinstance(error, NotAStore) for error in refused) > len(refused) / 2


def test_what_transactions_are_given_is_checked(store: Any) -> None:
    for use in (
        lambda begun: begun.insert(5),
        lambda begun: begun.close(5, at(1)),
        lambda begun: begun.close(fact("f"), "later"),
        lambda begun: begun.open_rows(5, "p"),
        lambda begun: begun.open_rows("s", []),
        lambda begun: begun.open_rows("s", "\ud800"),
    ):
        transaction = store.begin()
        with pytest.raises(AlgebraError) as refused:
            use(transaction)
        assert refused.value.what and refused.value.expected
        put(store.session(), fact(f"f{len(store.rows())}"))  # it has ended
