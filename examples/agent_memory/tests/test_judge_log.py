"""The laws of judge logs, checked on ours: the adapter is all that there is to write."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import beliefs

from toki_verify.stores import JudgeKey, LogEntry
from toki_verify.testing import judge_log_suite

FOLDER = tempfile.TemporaryDirectory()
NUMBERS = itertools.count()


def read_set(key: JudgeKey) -> tuple[str, ...]:
    """What our log calls the members: facts of other partitions may have the same names."""
    return (key.subject, key.predicate, *key.members)


class Adapter:
    """Our log under the names that the suite calls."""

    def __init__(self, path: str, seconds: float = 0) -> None:
        """`seconds` is how long the judge thinks: races are found where there is time for them."""
        self.path, self.log, self.seconds = path, beliefs.open_log(path), seconds

    def get(self, key: JudgeKey) -> str | None:
        return self.log.get(read_set(key), key.theta)

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        def ask() -> str:
            time.sleep(self.seconds)
            return winner

        return self.log.decide(read_set(key), key.theta, ask)

    def entries(self) -> Sequence[LogEntry]:
        return [
            LogEntry(JudgeKey(members, prompt, subject, predicate), winner)
            for (subject, predicate, *names), prompt, winner in self.log.rows()
            for members in [tuple(names)]
        ]

    def session(self) -> Adapter:
        """Another agent's connection to the same file."""
        return Adapter(self.path, seconds=0.005)

    def shut(self) -> None:
        self.log.close()


def make_log() -> Adapter:
    """An empty log."""
    return Adapter(str(Path(FOLDER.name, f"{next(NUMBERS)}.db")))


def reopen(log: Adapter) -> Adapter:
    """The log after a restart."""
    log.shut()
    return Adapter(log.path)


TestJudgeLog = judge_log_suite(make_log, reopen=reopen)
