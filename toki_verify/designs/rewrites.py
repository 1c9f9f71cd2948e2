"""Disciplines as rewritings of a write path: what a writer yields goes through one of these before the engine sees it.

A rewriting is a generator around a generator: it passes operations on, answers some itself, and adds some. Nothing else
about the design changes, so what a discipline does is found by exploring the design anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from .model import Described
from .operations import (
    JUDGE_LOG,
    Abort,
    Aborted,
    Begin,
    Callback,
    Commit,
    Delete,
    Fill,
    Insert,
    Judge,
    Operation,
    Read,
    Select,
    Steps,
    Update,
    abort,
    alone,
    callback,
    insert,
    log_row,
    read,
)
from .values import Row

#: A write path -> the write path under a discipline.
Rewriting = Callable[[Described, Steps[Any]], Steps[Any]]
AUDIT: Final = "audit"


class _Passing:
    """Takes operations out of a generator and gives it answers; aborts that the store reports are thrown into it."""

    def __init__(self, steps: Steps[Any]) -> None:
        self.steps = steps
        self.operation: Operation[Any] | None = None
        self._advance(lambda: next(steps))

    def _advance(self, how: Callable[[], Any]) -> None:
        try:
            self.operation = how()
        except StopIteration:
            self.operation = None

    def answer(self, value: Any) -> None:
        """The answer of the operation; the next one is there then."""
        self._advance(lambda: self.steps.send(value))

    def throw(self, aborted: Aborted) -> None:
        """The operation's transaction was aborted."""
        self._advance(lambda: self.steps.throw(aborted))


def keyed_log(described: Described, steps: Steps[Any]) -> Steps[None]:
    """Every judge call consults the log, and inserts its vote if there is none: what the log has is its answer."""
    passing = _Passing(steps)
    while (operation := passing.operation) is not None:
        try:
            if isinstance(operation, Judge):
                known = yield from alone(read(JUDGE_LOG, log_row(operation.reads, operation.theta)))
                if known is None:
                    vote = yield from operation
                    vote = yield from Fill(operation.reads, operation.theta, vote, own=True)
                else:
                    vote = known["vote"]
                passing.answer(vote)
            elif isinstance(operation, Insert) and operation.table == JUDGE_LOG and not operation.absent:
                passing.answer(Row(JUDGE_LOG, operation.key or "", dict(operation.columns)))  # the log has it already
            else:
                passing.answer((yield operation))
        except Aborted as aborted:
            passing.throw(aborted)


def expected_version(described: Described, steps: Steps[Any]) -> Steps[None]:
    """Every update or delete of a row that the call has read is made only if the row still has that version; otherwise
    the call is rolled back, and repeated as its retry policy says."""
    passing = _Passing(steps)
    seen: dict[tuple[str, str], str] = {}
    while (operation := passing.operation) is not None:
        try:
            if isinstance(operation, (Update, Delete)) and not operation.own and operation.expect is None:
                place = (operation.table, operation.key)
                version = seen.pop(place, None)
                if version is None:
                    passing.answer((yield operation))
                    continue
                done = yield from replace(operation, expect=version)
                if not done:
                    yield from abort()
                    passing.throw(Aborted("conflict"))
                else:
                    passing.answer(done if operation.returning else True)
                continue
            answer = yield operation
            if isinstance(operation, (Read, Select)):
                for row in answer if isinstance(answer, tuple) else (answer,):
                    if isinstance(row, Row):
                        seen.setdefault((row.table, row.key), row.version)
            passing.answer(answer)
        except Aborted as aborted:
            passing.throw(aborted)


def audit_row(described: Described, steps: Steps[Any]) -> Steps[None]:
    """For every fact that a transaction replaces it inserts, before it ends, an audit row: the loser with its
    provenance, the winner, and the judge calls that decided."""
    passing = _Passing(steps)
    lost: list[tuple[Row, dict[str, Any]]] = []
    new: list[Row] = []
    votes: list[Any] = []
    while (operation := passing.operation) is not None:
        try:
            fact = isinstance(operation, (Update, Delete)) and described.tables[operation.table].part == "current"
            if isinstance(operation, (Update, Delete)) and fact:
                row = yield replace(operation, returning=True)
                if row is not None and operation.own:
                    yield from alone(_audit(described, row, (yield from _became(operation)), new, votes))
                elif row is not None:
                    lost.append((row, (yield from _became(operation))))
                passing.answer(row if operation.returning else row is not None)
                continue
            if isinstance(operation, Commit):
                for row, became in lost:
                    yield from _audit(described, row, became, new, votes)
            answer = yield operation
            if isinstance(operation, (Commit, Abort)):
                lost, new = [], []
            elif isinstance(operation, Judge):
                votes.append((operation.reads, log_row(operation.reads, operation.theta), answer))
            elif isinstance(operation, Insert) and isinstance(answer, Row):
                new.append(answer)
            elif isinstance(operation, (Read, Select)):
                for row in answer if isinstance(answer, tuple) else (answer,):
                    if isinstance(row, Row) and row.table == JUDGE_LOG:
                        votes.append((row.key, row.key, row.get("vote")))
            passing.answer(answer)
        except Aborted as aborted:
            lost, new = [], []
            passing.throw(aborted)


def _became(by: Update | Delete) -> Steps[dict[str, Any]]:
    """What a write makes of a row: its columns, read back where they were computed."""
    if isinstance(by, Delete):
        return {}
    columns = {name: value for name, value in by.columns if not callable(value)}
    if len(columns) < len(by.columns):
        row = yield from replace(read(by.table, by.key), own=by.own)
        columns = {} if row is None else {name: row[name] for name, _ in by.columns}
    return columns


def _audit(described: Described, row: Row, became: dict[str, Any], new: list[Row], votes: list[Any]) -> Operation[Row]:
    table = described.tables[row.table]
    same = [other.key for other in new if described.tables[other.table].partition_of(other) == table.partition_of(row)]
    columns = {f"old_{name}": value for name, value in table.content_of(row).items()}
    columns |= {f"new_{name}": value for name, value in became.items()}
    return insert(AUDIT, prov=row.prov, loser=row.key, winner=tuple(same), votes=tuple(votes), **columns)


def delivered_callback(described: Described, steps: Steps[Any]) -> Steps[None]:
    """A write that awaits a confirmation is preceded by a read of its row and then the delivered callback; without one
    the call is rolled back."""
    passing = _Passing(steps)
    while (operation := passing.operation) is not None:
        try:
            if isinstance(operation, (Insert, Update, Delete)) and operation.operator == "await" and operation.key:
                yield from read(operation.table, operation.key)
                winner = yield from callback(operation.key, ("write", operation.table, operation.key))
                if winner is None:
                    yield from abort()
                    return
            passing.answer((yield operation))
        except Aborted as aborted:
            passing.throw(aborted)


def at_least(level: str) -> Rewriting:
    """Transactions that the write path opens at a level of its own are at this one instead."""

    def raised(described: Described, steps: Steps[Any]) -> Steps[None]:
        passing = _Passing(steps)
        while (operation := passing.operation) is not None:
            try:
                if isinstance(operation, Begin) and RANK[operation.isolation] < RANK[level]:
                    operation = Begin(level)
                passing.answer((yield operation))
            except Aborted as aborted:
                passing.throw(aborted)

    return raised


#: How strong a level is; SR and 2PL both give serializable transactions.
RANK: Final = {"none": 0, "RU": 1, "RC": 2, "SI": 3, "SR": 4, "2PL": 4}
__all__ = [
    "AUDIT",
    "RANK",
    "Callback",
    "Rewriting",
    "at_least",
    "audit_row",
    "delivered_callback",
    "expected_version",
    "keyed_log",
]
