"""A store that keeps an account of what a writer does with it: what it reads, writes, commits and has judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..algebra.facts import Fact
from ..stores.protocol import JudgeKey, LogEntry

Verdicts = Mapping[JudgeKey, str]


@dataclass(frozen=True)
class Done:
    """One thing that a writer did: `begin`, `read`, `insert`, `close`, `commit`, `rollback`, `judged`.

    `verdicts` are, of a commit, what the judge log had when it was asked for.
    """

    writer: int
    what: str
    facts: tuple[Fact[Any], ...] = ()
    partition: tuple[str, str] = ("", "")
    key: JudgeKey | None = None
    winner: str = ""
    verdicts: Verdicts = field(default_factory=dict)


@dataclass
class Account:
    """What has been done so far, by all writers. `verdicts` reads the judge log as somebody else sees it."""

    verdicts: Callable[[], Verdicts]
    done: list[Done] = field(default_factory=list)

    def note(self, writer: int, what: str, **more: Any) -> None:
        """Add to it."""
        self.done.append(Done(writer, what, **more))


class RecordingLog:
    """The judge log of a session, with an account."""

    def __init__(self, log: Any, account: Account, writer: int) -> None:
        self._log, self._account, self._writer = log, account, writer

    def get(self, key: JudgeKey) -> str | None:
        """As the log does; a verdict found is a judge call that reads the log (π_J of Lemma 1)."""
        found: str | None = self._log.get(key)
        if found is not None:
            self._account.note(self._writer, "judged", key=key, winner=found)
        return found

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        """As the log does."""
        found: str = self._log.insert_if_absent(key, winner)
        self._account.note(self._writer, "judged", key=key, winner=found)
        return found

    def entries(self) -> Sequence[LogEntry]:
        """As the log does."""
        found: Sequence[LogEntry] = self._log.entries()
        return found


class RecordingTransaction:
    """A transaction, with an account of what it did and not of what it was refused."""

    def __init__(self, transaction: Any, account: Account, writer: int) -> None:
        self._transaction, self._account, self._writer = transaction, account, writer
        self._over = False

    def open_rows(self, subject: str, predicate: str) -> list[Fact[Any]]:
        """As the transaction does."""
        found: list[Fact[Any]] = self._transaction.open_rows(subject, predicate)
        self._account.note(self._writer, "read", facts=tuple(found), partition=(subject, predicate))
        return found

    def insert(self, fact: Fact[Any]) -> None:
        """As the transaction does."""
        self._transaction.insert(fact)
        self._account.note(self._writer, "insert", facts=(fact,))

    def close(self, row: Fact[Any], at: datetime) -> None:
        """As the transaction does."""
        self._transaction.close(row, at)
        self._account.note(self._writer, "close", facts=(row,))

    def commit(self) -> None:
        """As the transaction does. The log is looked at first: H1 is about what it has before the commit."""
        verdicts = self._account.verdicts()
        self._transaction.commit()
        self._over = True
        self._account.note(self._writer, "commit", verdicts=verdicts)

    def rollback(self) -> None:
        """As the transaction does."""
        self._transaction.rollback()
        if not self._over:
            self._over = True
            self._account.note(self._writer, "rollback")


class RecordingStore:
    """A session of a store that one writer uses, with an account of what it does."""

    def __init__(self, store: Any, account: Account, writer: int) -> None:
        self._store, self._account, self._writer = store, account, writer
        self.judge_log = RecordingLog(store.judge_log, account, writer)

    def begin(self) -> RecordingTransaction:
        """As the store does."""
        found = RecordingTransaction(self._store.begin(), self._account, self._writer)
        self._account.note(self._writer, "begin")
        return found

    def session(self) -> RecordingStore:
        """Another session of the same writer."""
        return RecordingStore(self._store.session(), self._account, self._writer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)
