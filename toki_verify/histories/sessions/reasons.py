"""Why a transaction must have seen another one: the steps of session order, reads and real time that lead to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ..columns import READ, WRITE, History, Int64
from .edges import Edge
from .prepared import Mask, counting, written_twice

_SO: Final = -1
_RT: Final = -2


@dataclass(frozen=True)
class _Step:
    """That `later` sees `earlier`: by the read `how`, an operation, or by _SO or _RT."""

    earlier: int
    later: int
    how: int


class Reasons:
    """What the transactions of a history see, looked up when a sentence wants it. `realtime`: a transaction sees what
    ended before it began, too (PC and above)."""

    def __init__(self, history: History, *, realtime: bool = False) -> None:
        self.history, self.realtime = history, realtime

    def steps(self, source: int, read: int) -> tuple[Edge, ...]:
        """Why the transaction of a read sees `source`: a shortest chain of edges (so, wr, rt), the first into the
        reader, each next into the source of the one before, the last from `source`; empty if there is none, which is
        so where only version orders lead there. What the reader itself read comes before all else, and that which it
        read first. Each edge has the write and the read that make it. O(N)."""
        reader = self.owner(read)
        found = self._search(reader, source)
        edges = []
        at = source
        while at in found:
            step = found[at]
            edges.append(self._edge(step))
            at = step.later
        return tuple(reversed(edges)) if at == reader else ()

    def owner(self, operation: int) -> int:
        """The transaction of an operation."""
        return int(np.searchsorted(self.history.first, operation, side="right")) - 1

    def last_write(self, txn: int, key: int) -> int:
        """The last write of a transaction to a key, -1 if there is none (as of the initial state)."""
        if txn < 0:
            return -1
        begin, end = int(self.history.first[txn]), int(self.history.first[txn + 1])
        writes = (self.history.kind[begin:end] == WRITE) & (self.history.key[begin:end] == key)
        return begin + int(np.flatnonzero(writes)[-1]) if writes.any() else -1

    def overwriting(self, write: int, later: int) -> int | None:
        """Why the version of the write `later` stands behind that of `write` (-1: the initial one), where the order of
        versions does not say it: the read behind which one of the two transactions writes, with no version between the
        two (PSI and above); that of `later`, if it read what `write` wrote. -1 where it is said, or needs no reason;
        None where it follows from more than that."""
        history = self.history
        if write < 0:
            return -1
        version = int(history.version[write])
        one, two = int(history.rank[version]), int(history.rank[history.version[later]])
        if 0 <= one < two or (one >= 0 > two and history.model == "append"):
            return -1
        read, own = self._read_before(later), self._read_before(write)
        if read is not None and int(history.version[read]) == version:
            return read
        return own

    def _read_before(self, write: int) -> int | None:
        """The last read of a version of others before a write of the key in its transaction."""
        history, txn = self.history, self.owner(write)
        for read in range(write - 1, int(history.first[txn]) - 1, -1):
            if history.kind[read] == READ and history.key[read] == history.key[write]:
                writer = int(history.writer[history.version[read]])
                if writer < 0 or self.owner(writer) != txn:
                    return read
        return None

    def _edge(self, step: _Step) -> Edge:
        if step.how < 0:
            return Edge("so" if step.how == _SO else "rt", step.earlier, step.later)
        write = int(self.history.writer[self.history.version[step.how]])
        return Edge("wr", step.earlier, step.later, int(self.history.key[step.how]), (write, step.how))

    def _search(self, reader: int, source: int) -> dict[int, _Step]:
        """Backwards from the reader, all transactions at one distance at a time, until the source is met."""
        found: dict[int, _Step] = {}
        front = [reader]
        passed = _Passed(self)
        while front and source not in found:
            steps = [*passed.reads(front), *passed.sessions(front), *(passed.times(front) if self.realtime else ())]
            front = []
            for step in steps:
                if step.earlier != reader and step.earlier not in found:
                    found[step.earlier] = step
                    front.append(step.earlier)
        return found

    @cached_property
    def counts(self) -> Mask:
        """Which transactions count: (T,)."""
        return counting(self.history)

    @cached_property
    def told(self) -> Mask:
        """Which operations are reads that say what they saw: (N,)."""
        history = self.history
        told: Mask = (history.kind == READ) & (history.writer[history.version] >= 0)
        return told & ~written_twice(history)[history.version]

    @cached_property
    def members(self) -> tuple[Int64, Int64]:
        """The transactions that count, session by session, each in its order, and the place of each there."""
        there = np.flatnonzero(self.counts & (self.history.session >= 0))
        there = there[np.argsort(self.history.session[there], kind="stable")]
        place = np.full(len(self.history.session), -1, np.int64)
        place[there] = np.arange(len(there))
        return there, place

    @cached_property
    def over(self) -> Int64:
        """The transactions that count and ended, by their ends."""
        assert self.history.ended is not None
        there = np.flatnonzero(self.counts & (self.history.ended >= 0))
        return there[np.argsort(self.history.ended[there], kind="stable")]


class _Passed:
    """How far a search has gone in each session and in time, so that nothing is looked at twice."""

    def __init__(self, reasons: Reasons) -> None:
        self.reasons = reasons
        #: Of each session the places that were passed; how many of `Reasons.over` were.
        self.until: dict[int, int] = {}
        self.ended = 0

    def reads(self, front: list[int]) -> list[_Step]:
        """What the transactions of the front read from others."""
        history, told = self.reasons.history, self.reasons.told
        txns = np.array(front, np.int64)
        begin, count = history.first[txns].astype(np.int64), np.diff(history.first)[txns].astype(np.int64)
        reader = np.repeat(txns, count)
        reads = np.arange(len(reader)) + np.repeat(begin - np.cumsum(count) + count, count)
        reader, reads = reader[told[reads]], reads[told[reads]]
        writers = np.searchsorted(history.first, history.writer[history.version[reads]], side="right") - 1
        reader, reads, writers = (column[writers != reader] for column in (reader, reads, writers))
        first = np.sort(np.unique(writers, return_index=True)[1])
        columns = (column[first].tolist() for column in (writers, reader, reads))
        return [_Step(writer, txn, read) for writer, txn, read in zip(*columns, strict=True)]

    def sessions(self, front: list[int]) -> list[_Step]:
        """What comes before the transactions of the front in their sessions."""
        history = self.reasons.history
        members, place = self.reasons.members
        steps = []
        for txn in front:
            session, end = int(history.session[txn]), int(place[txn])
            if session < 0 or end < 0:
                continue
            begin = self.until.get(session, -1)
            if begin < 0:
                begin = int(np.searchsorted(history.session[members], session))
            steps += [_Step(before, txn, _SO) for before in members[begin:end].tolist()]
            self.until[session] = max(begin, end)
        return steps

    def times(self, front: list[int]) -> list[_Step]:
        """What ended before one of the front began."""
        history, over = self.reasons.history, self.reasons.over
        if history.begun is None or history.ended is None:
            return []
        latest = max(front, key=lambda txn: int(history.begun[txn]))  # type: ignore[index]
        until = int(np.searchsorted(history.ended[over], history.begun[latest]))
        steps = [_Step(before, latest, _RT) for before in over[self.ended : until].tolist()]
        self.ended = max(self.ended, until)
        return steps
