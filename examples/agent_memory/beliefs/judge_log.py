"""What the judge has decided, for good: asked again about the same beliefs, a memory must not change its mind."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence

_SCHEMA = "CREATE TABLE IF NOT EXISTS verdicts (members TEXT, prompt TEXT, winner TEXT, PRIMARY KEY (members, prompt))"


class JudgeLog:
    """Verdicts by the beliefs that were compared and the prompt of the judge. `decide` is the versions' own."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None, timeout=30)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = NORMAL")
        self.db.execute(_SCHEMA)

    def get(self, members: Sequence[str], prompt: str) -> str | None:
        """The verdict, if there is one."""
        query = "SELECT winner FROM verdicts WHERE members = ? AND prompt = ?"
        row = self.db.execute(query, (json.dumps(list(members)), prompt)).fetchone()
        return None if row is None else str(row[0])

    def decide(self, members: Sequence[str], prompt: str, ask: Callable[[], str]) -> str:
        """The verdict; the judge is asked only where there is none yet."""
        raise NotImplementedError

    def rows(self) -> list[tuple[tuple[str, ...], str, str]]:
        """Every verdict, the oldest first."""
        rows = self.db.execute("SELECT members, prompt, winner FROM verdicts ORDER BY rowid").fetchall()
        return [(tuple(json.loads(members)), prompt, winner) for members, prompt, winner in rows]

    def close(self) -> None:
        """Close the connection."""
        self.db.close()


class JudgeLogV1(JudgeLog):
    """The bug: get, then put. A judge takes seconds, and whoever answers later replaces the verdict that an agent has
    already acted on, and acts on another one itself."""

    def decide(self, members: Sequence[str], prompt: str, ask: Callable[[], str]) -> str:
        found = self.get(members, prompt)
        if found is None:
            found = ask()
            row = (json.dumps(list(members)), prompt, found)
            self.db.execute("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?)", row)
        return found


class JudgeLogV2(JudgeLog):
    """The repair: the first verdict stays, and everybody acts on what the log has."""

    def decide(self, members: Sequence[str], prompt: str, ask: Callable[[], str]) -> str:
        found = self.get(members, prompt)
        if found is None:
            row = (json.dumps(list(members)), prompt, ask())
            self.db.execute("INSERT INTO verdicts VALUES (?, ?, ?) ON CONFLICT DO NOTHING", row)
            found = self.get(members, prompt)
            assert found is not None  # no verdict is ever removed
        return found
