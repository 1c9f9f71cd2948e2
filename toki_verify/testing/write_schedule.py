"""What writers did, as a schedule in the project's notation: `b1 r1{…} j1(f1-f2, default)=f1 w1[…] c1`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ..algebra.facts import Fact
from ..events import (
    Abort,
    Begin,
    Commit,
    Event,
    Item,
    Judge,
    Predicate,
    PredicateRead,
    Row,
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)
from ..events.kinds import OPERATORS
from ..events.values import json_text
from ..notation.printer import event_text
from .write_recorder import Done

TABLE: Final = "facts"
AUDIT: Final = "audit"


class _Builder:
    """Events from an account. A transaction of the schedule is an attempt to write: from the judge call before it, if
    there was one, to its commit or rollback."""

    def __init__(self, partial: bool) -> None:
        self.events: list[Event] = []
        self._partial = partial
        self._txn: dict[int, str] = {}
        self._partition: dict[int, tuple[str, str]] = {}
        self._count = 0
        # Rows are items: the row of a fact that was written first is called as the fact, its later versions f1.2, f1.3.
        self._rows: dict[str, list[tuple[Any, ...]]] = {}
        self._labels: dict[tuple[Any, ...], str] = {}
        self._versions: dict[Item, int] = {}

    def add(self, done: Done) -> None:
        """Add what was done."""
        if done.what == "end":
            if done.writer in self._txn:  # it read, and had nothing to write; or it is dead
                self.events.append(Abort(self._txn.pop(done.writer)))
            return
        if done.what == "given":
            self._partition[done.writer] = done.facts[0].partition
            return
        txn = self._txn.get(done.writer) or self._begin(done.writer)
        if done.what == "judged":
            assert done.key is not None
            members, theta = "-".join(done.key.members), json_text(done.key.theta)
            self.events.append(Judge(txn, members, theta, json_text(done.winner)))
        elif done.what == "read":
            # What is read outside of transactions may be the whole table: what is decided by is the fact's partition.
            partition = done.partition if any(done.partition) else self._partition[done.writer]
            read = [fact for fact in done.facts if fact.partition == partition]
            rows = tuple(Row(self._item(fact), self._labels.get(_row(fact))) for fact in read)
            predicate = Predicate(TABLE, ".".join(partition))
            self.events.append(PredicateRead(txn, predicate, rows, partial=self._partial))
        elif done.what in ("insert", "close"):
            self.events.append(self._write(txn, done))
        elif done.what in ("commit", "rollback"):
            self.events.append(Commit(txn) if done.what == "commit" else Abort(txn))
            del self._txn[done.writer]

    def _begin(self, writer: int) -> str:
        self._count += 1
        self._txn[writer] = str(self._count)
        self.events.append(Begin(str(self._count)))
        return str(self._count)

    def _item(self, fact: Fact[Any]) -> Item:
        table = AUDIT if fact.row_kind == "audit" else TABLE
        rows = self._rows.setdefault(fact.fact_id, [])
        if _row(fact)[:2] not in rows:
            rows.append(_row(fact)[:2])
        number = rows.index(_row(fact)[:2]) + 1
        return Item(table, fact.fact_id if number == 1 else f"{fact.fact_id}.{number}")

    def _write(self, txn: str, done: Done) -> Write:
        (fact,) = done.facts
        audit, item = fact.row_kind == "audit", self._item(fact)
        self._versions[item] = self._versions.get(item, 0) + 1
        label = str(self._versions[item])
        closed = done.what == "close"
        self._labels[(*_row(fact)[:2], closed)] = label
        kind = WriteKind.INSERT if label == "1" else WriteKind.UPDATE
        predicates = () if closed or audit else (".".join(fact.partition),)
        operator = fact.resolution_strategy_id if audit and fact.resolution_strategy_id in OPERATORS else None
        return Write(txn, item, label, kind=kind, predicates=predicates, operator=operator)


def _row(fact: Fact[Any]) -> tuple[Any, ...]:
    return fact.fact_id, fact.system_time_start, not fact.is_open


def schedule_of(account: Iterable[Done]) -> Schedule | None:
    """The schedule of an account; None where what was done is no well-formed schedule (a store that is broken enough:
    rows read that nothing wrote)."""
    done = list(account)
    for partial in (False, True):
        try:
            return Schedule(_events(done, partial))
        except ScheduleError:
            continue
    return None


def schedule_text(account: Iterable[Done]) -> str:
    """The schedule of an account as text, a transaction's events in the order in which they were done."""
    done = list(account)
    found = schedule_of(done)
    if found is not None:
        return str(found)
    return " ".join(event_text(event, {}) for event in _events(done, True)) + "  # not well-formed"


def _events(done: Iterable[Done], partial: bool) -> list[Event]:
    builder = _Builder(partial)
    for one in done:
        builder.add(one)
    return builder.events
