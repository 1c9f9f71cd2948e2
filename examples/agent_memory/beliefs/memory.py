"""Beliefs in a table. Where two contradict, the judge says which one is kept, and the other is retired."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any

from .judge_log import JudgeLog

#: The judge: given two beliefs by id, the id of the one to keep. A language model, in real life.
Judge = Callable[[str, str], str]
#: Told every step of a call, in the trace form of toki-verify: `note("w", table="beliefs", item="b1", delete=True)`.
Note = Callable[..., Any]

PROMPT = "keep-one/v1"


def _ignore(op: str, **fields: object) -> None:
    """What is told to nobody."""


class Memory:
    """The beliefs of a file. Agents that share the file have a memory each."""

    def __init__(self, path: str, log: JudgeLog, judge: Judge) -> None:
        self.db = sqlite3.connect(path, isolation_level=None, timeout=30)
        self.db.execute("CREATE TABLE IF NOT EXISTS beliefs (id TEXT PRIMARY KEY, text TEXT, held INTEGER)")
        self.log, self.judge = log, judge

    def add(self, belief: str, text: str) -> None:
        """Hold a belief."""
        self.db.execute("INSERT INTO beliefs VALUES (?, ?, 1)", (belief, text))

    def held(self) -> dict[str, str]:
        """The beliefs that are held, by id."""
        return dict(self.db.execute("SELECT id, text FROM beliefs WHERE held ORDER BY id").fetchall())

    def settle(self, first: str, second: str, note: Note = _ignore) -> str:
        """Settle a contradiction: the belief that is kept. `note` is told what happened."""
        first, second = sorted((first, second))
        kept = self.log.decide((first, second), PROMPT, lambda: self.judge(first, second))
        note("j", R=f"{first}_{second}", theta=PROMPT, vote=kept)
        other = first if kept == second else second
        if self.db.execute("UPDATE beliefs SET held = 0 WHERE id = ? AND held", (other,)).rowcount:
            note("w", table="beliefs", item=other, delete=True)
        note("c")
        return kept

    def close(self) -> None:
        """Close the connection; the log is closed by whoever opened it."""
        self.db.close()
