"""Judge logs that are wrong in one way."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from tests.laws.mutants.base import Mutant
from toki_verify.stores import JudgeKey, LogEntry
from toki_verify.testing import judge_log_suite


class Log:
    """A log that is right, in one thread: a dict."""

    def __init__(self) -> None:
        self.votes: dict[Any, tuple[JudgeKey, str]] = {}

    def at(self, key: JudgeKey) -> Any:
        return key

    def get(self, key: JudgeKey) -> str | None:
        found = self.votes.get(self.at(key))
        return found and found[1]

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        return self.votes.setdefault(self.at(key), (key, winner))[1]

    def entries(self) -> list[LogEntry]:
        return [LogEntry(*found) for found in self.votes.values()]


class Overwrites(Log):
    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        self.votes[key] = (key, winner)
        return winner


class TellsCaller(Log):
    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        super().insert_if_absent(key, winner)
        return winner


class TellsBefore(Log):
    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        before = self.get(key)
        super().insert_if_absent(key, winner)
        return before or ""


class Races(Log):
    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        found = self.get(key)
        if found is not None:
            return found
        time.sleep(0)  # another thread may run here, as it may without this line, less often
        self.votes[key] = (key, winner)
        return winner


class Unordered(Log):
    def at(self, key: JudgeKey) -> Any:
        return frozenset(key.members), key.theta


class WithoutTheta(Log):
    def at(self, key: JudgeKey) -> Any:
        return key.members


class Joined(Log):
    def at(self, key: JudgeKey) -> Any:
        return ",".join(key.members), key.theta


class Sorted(Log):
    def entries(self) -> list[LogEntry]:
        return sorted(super().entries(), key=lambda entry: entry.key)


class NeverNone(Log):
    def get(self, key: JudgeKey) -> str | None:
        return super().get(key) or ""


class PerSession(Log):
    def session(self) -> PerSession:
        return PerSession()


# law, name, what is broken, the log
_ENTRIES: tuple[tuple[str, str, str, Callable[[], Any]], ...] = (
    ("H1.later", "log-overwrites", "the last winner is kept", Overwrites),
    ("H1.later", "log-tells-caller", "every caller is told its own winner", TellsCaller),
    ("H1.first", "log-tells-before", "a caller is told what was there before", TellsBefore),
    ("H1.linear", "log-races", "it looks, and then puts: another may have put meanwhile", Races),
    ("H1.key", "log-unordered-key", "members in another order are the same key", Unordered),
    ("H1.key", "log-without-theta", "θ is no part of the key", WithoutTheta),
    ("H1.key", "log-joined-key", "the key is the members joined by commas", Joined),
    ("H1.entries", "log-sorted", "entries are sorted by key", Sorted),
    ("H1.get", "log-never-none", "get tells an empty winner where there is none", NeverNone),
    ("H1.sessions", "log-per-session", "every session has a log of its own", PerSession),
    ("H1.durable", "log-forgets", "opened again it is empty", Log),
)


def _suite(make: Any) -> Any:
    return lambda: judge_log_suite(make, reopen=lambda log: type(log)())


MUTANTS = tuple(Mutant(name, broken, "judge_log_suite", law, _suite(make)) for law, name, broken, make in _ENTRIES)
