"""Record a trace of a real SQLite file, written through two connections, and check it.

    python examples/01_record_sqlite.py [FOLDER]

Two agents add a fact to one memory row: read it, extend the text, write it back. The first recording does it in
autocommit mode, as many memories do; the second inside transactions. Every row carries a version number, so the trace
states which version each read saw: nothing is guessed.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import tempfile
from pathlib import Path
from time import monotonic


class Recorder:
    """A connection that writes down what it does, one JSON object a line."""

    def __init__(self, database: Path, txn: str, lines: list[str], *, transactions: bool) -> None:
        self.connection = sqlite3.connect(database, isolation_level=None, timeout=0)
        self.txn, self.lines, self.transactions = txn, lines, transactions

    def note(self, op: str, **fields: object) -> None:
        self.lines.append(json.dumps({"t": round(monotonic(), 6), "op": op, "txn": self.txn, **fields}))

    def begin(self) -> None:
        if self.transactions:
            self.connection.execute("BEGIN")
        self.note("b")

    def read(self, item: str) -> str:
        version, text = self.connection.execute("SELECT version, text FROM memories WHERE id = ?", (item,)).fetchone()
        self.note("r", table="memories", item=item, version=str(version), value=text)
        return str(text)

    def write(self, item: str, text: str) -> None:
        self.connection.execute(
            "UPDATE memories SET text = ?, version = (SELECT last + 1 FROM counter) WHERE id = ?", (text, item)
        )
        self.connection.execute("UPDATE counter SET last = last + 1")
        version = self.connection.execute("SELECT version FROM memories WHERE id = ?", (item,)).fetchone()[0]
        self.note("w", table="memories", item=item, version=str(version), value=text)

    def commit(self) -> None:
        if self.transactions:
            self.connection.execute("COMMIT")
        self.note("c")

    def abort(self) -> None:
        if self.transactions:
            self.connection.execute("ROLLBACK")
        self.note("a")


def record(folder: Path, name: str, *, transactions: bool) -> Path:
    """Run the two agents against a new database file; the trace."""
    database = folder / f"{name}.db"
    database.unlink(missing_ok=True)
    setup = sqlite3.connect(database, isolation_level=None)
    setup.execute("PRAGMA journal_mode = WAL")
    setup.execute("CREATE TABLE memories (id TEXT PRIMARY KEY, version INTEGER, text TEXT)")
    setup.execute("CREATE TABLE counter (last INTEGER)")
    setup.execute("INSERT INTO counter VALUES (0)")
    setup.execute("INSERT INTO memories VALUES ('m0', 0, 'Alice likes pizza')")
    setup.close()
    lines: list[str] = []
    one, two = (Recorder(database, txn, lines, transactions=transactions) for txn in ("1", "2"))
    one.begin()
    seen_by_one = one.read("m0")
    two.begin()
    seen_by_two = two.read("m0")
    two.write("m0", seen_by_two + " and olives")
    two.commit()
    try:
        one.write("m0", seen_by_one + " and cheese")
        one.commit()
    except sqlite3.OperationalError:  # the snapshot of the first agent is stale: SQLite refuses its write
        one.abort()
    trace = folder / f"{name}.jsonl"
    trace.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return trace


def main() -> int:
    from toki_verify.cli.main import main as toki_verify

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    autocommit = record(folder, "sqlite_autocommit", transactions=False)
    transactional = record(folder, "sqlite_transactions", transactions=True)
    found = toki_verify(["check", str(autocommit)])
    clean = toki_verify(["check", str(transactional), "--level", "SI"])
    return 0 if (found, clean) == (1, 0) else 1


if __name__ == "__main__":
    sys.exit(main())
