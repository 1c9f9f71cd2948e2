"""A store that keeps an account of what a writer does with it: what it reads, writes, commits and has judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..algebra.facts import Fact
from ..stores.protocol import JudgeKey, LogEntry

Verdicts = Mapping[JudgeKey, str]
#: Does a call of a writer, when it is the writer's turn: `turn("begin", store.begin)`.
Turn = Callable[..., Any]


def at_once(what: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """The turn of a writer that says itself where others come in: the call, now."""
    return call(*arguments, **options)


@dataclass(frozen=True)
class Done:
    """One thing that a writer did: `begin`, `read`, `insert`, `close`, `commit`, `rollback`, `judged`; `given` a fact,
    and `end`: it is done with that, or dead. A read without a partition is one outside of transactions.

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


@dataclass(frozen=True)
class By:
    """Whose calls are recorded, where, whose turn it must be, and how the judge log is read before a commit."""

    account: Account
    writer: int
    turn: Turn = at_once
    verdicts: Callable[[], Verdicts] | None = None

    def note(self, what: str, **more: Any) -> None:
        """Add to the account."""
        self.account.note(self.writer, what, **more)


class RecordingLog:
    """The judge log of a session, with an account."""

    def __init__(self, log: Any, by: By) -> None:
        self._log, self._by = log, by

    def get(self, key: JudgeKey) -> str | None:
        """As the log does; a verdict found is a judge call that reads the log (π_J of Lemma 1)."""
        found: str | None = self._by.turn("get", self._log.get, key)
        if found is not None:
            self._by.note("judged", key=key, winner=found)
        return found

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        """As the log does."""
        found: str = self._by.turn("insert_if_absent", self._log.insert_if_absent, key, winner)
        self._by.note("judged", key=key, winner=found)
        return found

    def entries(self) -> Sequence[LogEntry]:
        """As the log does."""
        found: Sequence[LogEntry] = self._by.turn("entries", self._log.entries)
        return found


class RecordingTransaction:
    """A transaction, with an account of what it did and not of what it was refused."""

    def __init__(self, transaction: Any, by: By) -> None:
        self._transaction, self._by = transaction, by
        self._over = False

    def open_rows(self, subject: str, predicate: str) -> list[Fact[Any]]:
        """As the transaction does."""
        found: list[Fact[Any]] = self._by.turn("open_rows", self._transaction.open_rows, subject, predicate)
        self._by.note("read", facts=tuple(found), partition=(subject, predicate))
        return found

    def insert(self, fact: Fact[Any]) -> None:
        """As the transaction does."""
        self._by.turn("insert", self._transaction.insert, fact)
        self._by.note("insert", facts=(fact,))

    def close(self, row: Fact[Any], at: datetime) -> None:
        """As the transaction does."""
        self._by.turn("close", self._transaction.close, row, at)
        self._by.note("close", facts=(row,))

    def commit(self) -> None:
        """As the transaction does. The log is looked at first: H1 is about what it has before the commit."""
        verdicts: list[Verdicts] = []

        def commit() -> None:
            verdicts.append((self._by.verdicts or self._by.account.verdicts)())
            self._transaction.commit()

        self._by.turn("commit", commit)
        self._over = True
        self._by.note("commit", verdicts=verdicts[0])

    def rollback(self) -> None:
        """As the transaction does."""
        self._by.turn("rollback", self._transaction.rollback)
        if not self._over:
            self._over = True
            self._by.note("rollback")


class RecordingStore:
    """A session of a store that one writer uses, with an account of what it does."""

    def __init__(self, store: Any, by: By) -> None:
        self._store, self._by = store, by
        self.judge_log = RecordingLog(store.judge_log, by)

    def begin(self) -> RecordingTransaction:
        """As the store does."""
        found = RecordingTransaction(self._by.turn("begin", self._store.begin), self._by)
        self._by.note("begin")
        return found

    def session(self) -> RecordingStore:
        """Another session of the same writer."""
        return RecordingStore(self._by.turn("session", self._store.session), self._by)

    def rows(self) -> list[Fact[Any]]:
        """As the store does: a read outside of transactions."""
        found: list[Fact[Any]] = self._by.turn("rows", self._store.rows)
        self._by.note("read", facts=_open(found))
        return found

    def asof(self, valid_time: datetime, system_time: datetime, kind: Any = "current", **of: Any) -> list[Fact[Any]]:
        """As the store does: a read outside of transactions."""
        found: list[Fact[Any]] = self._by.turn("asof", self._store.asof, valid_time, system_time, kind, **of)
        self._by.note("read", facts=_open(found))
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def _open(rows: Sequence[Fact[Any]]) -> tuple[Fact[Any], ...]:
    """What a writer decides by: the rest of what it has read would make schedules long."""
    return tuple(row for row in rows if row.row_kind == "current" and row.is_open)
