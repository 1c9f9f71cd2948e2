"""A small agent memory over SQLite: beliefs, and a judge that decides which of two contradicting ones survives."""

from __future__ import annotations

import os

from .judge_log import JudgeLog, JudgeLogV1, JudgeLogV2
from .memory import Memory

#: As shipped, this memory has the bug that its tests find. `BELIEFS_FIXED=1` switches to the repaired log.
BUGGY = os.environ.get("BELIEFS_FIXED") != "1"

__all__ = ["BUGGY", "JudgeLog", "JudgeLogV1", "JudgeLogV2", "Memory", "open_log"]


def open_log(path: str) -> JudgeLog:
    """The judge log of a memory file, in the version that the switch chooses."""
    return JudgeLogV1(path) if BUGGY else JudgeLogV2(path)
