"""Timestamps as evidence: that start and commit numbers of the transactions show snapshot isolation.

The conditions are those of Li et al. 2025 (Chronos: EXT, INT, NOCONFLICT, SESSION; ties as their TimeKiller has them):
a read sees the last version that was committed at or before the start of its transaction, of two transactions that
write a key one commits at or before the start of the other, and so does each transaction of a session for the next.
What is read of the history is its columns; nothing of the deciders is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ..columns import ABORTED, COMMITTED, INITIAL, READ, WRITE, History

#: Contradictions that are named; the rest are not looked for.
MOST: Final = 20
_COMMIT, _BOTH, _START = 0, 1, 2


@dataclass(frozen=True)
class Contradiction:
    """Why timestamps are no witness: in words, and the lines of the history that show it."""

    text: str
    lines: tuple[int, ...]


def check_times(
    history: History, begun: Sequence[int], ended: Sequence[int], *, realtime: bool = False
) -> tuple[Contradiction, ...]:
    """What is wrong with the claim that start and commit numbers show SI, the first by time first (MOST at most);
    nothing: they do. `begun`, `ended` (T,): of each transaction; -1 in `ended`: it did not commit, or nobody knows.
    `realtime`: what ended before another began, by the times of the history, commits before that starts, too.
    O(N + T log T)."""
    check = _Check(history, list(begun), list(ended))
    check.alone()
    check.sessions()
    if realtime:
        check.real_time()
    if not check.found:
        check.sweep()
    return tuple(check.found[:MOST])


class _Check:
    """Events in the order of their times, and the last version of each key as it is then."""

    def __init__(self, history: History, begun: list[int], ended: list[int]) -> None:
        self.history = history
        self.begun, self.ended = [int(one) for one in begun], [int(one) for one in ended]
        self.found: list[Contradiction] = []
        self.first, self.kind = history.first.tolist(), history.kind.tolist()
        self.key, self.version = history.key.tolist(), history.version.tolist()
        self.writer, self.rank = history.writer.tolist(), history.rank.tolist()
        self.txn, self.line = history.txn_of().tolist(), history.line.tolist()
        self.append = history.model == "append"
        #: Of each key the last committed version, its transaction, and the highest rank so far.
        keys = len(history.keys)
        self.current, self.owner, self.top = list(range(keys)), [-1] * keys, [0] * keys

    def alone(self) -> None:
        """Transactions without a time, or that end before they start; what is wrong with single operations."""
        outcome = self.history.outcome.tolist()
        for garbage in self.history.garbage:
            if garbage.kind != "timestamp-order":
                self._say(garbage.text, *garbage.operations)
        for t, (start, end) in enumerate(zip(self.begun, self.ended, strict=True)):
            if end < 0:
                if outcome[t] == COMMITTED:
                    self._tell(f"{self._name(t)} committed and has no commit timestamp", t)
            elif outcome[t] == ABORTED:
                self._tell(f"{self._name(t)} aborted and has a commit timestamp", t)
            elif not 0 <= start <= end:
                self._tell(f"{self._name(t)} commits at {end}, before its start at {start}", t)

    def sessions(self) -> None:
        """Each transaction of a session commits before the next starts."""
        last: dict[int, int] = {}
        writes = self._writers()
        for t, session in enumerate(self.history.session.tolist()):
            if session < 0 or self.ended[t] < 0:
                continue
            before = last.get(session, -1)
            if before >= 0 and self.begun[before] == self.ended[t] and writes[t]:  # The sweep has writers first.
                text = (
                    f"{self._name(before)} and {self._name(t)}, which is behind it in its session, start and commit at "
                    f"one time, {self.ended[t]}: a time does not say what the first sees of the second"
                )
                self._tell(text, before, t)
            if before >= 0 and self.ended[before] > self.begun[t]:
                text = (
                    f"{self._name(t)} starts at {self.begun[t]}, before {self._name(before)}, "
                    f"which is before it in its session, commits at {self.ended[before]}"
                )
                self._tell(text, t, before)
            last[session] = t

    def real_time(self) -> None:
        """What ended before another began, for those who looked, commits before that starts."""
        history = self.history
        if history.begun is None or history.ended is None:
            raise ValueError("the history has no times, so real-time order is not known")
        seen_begun, seen_ended, writes = history.begun.tolist(), history.ended.tolist(), self._writers()
        there = [t for t, end in enumerate(self.ended) if end >= 0]
        over = sorted((seen_ended[t], t) for t in there if seen_ended[t] >= 0)
        following, latest, at_once = 0, -1, -1
        for begin, t in sorted((seen_begun[t], t) for t in there):
            while following < len(over) and over[following][0] < begin:
                other = over[following][1]
                latest = other if latest < 0 or self.ended[other] > self.ended[latest] else latest
                if self.begun[other] == self.ended[other]:
                    at_once = max(at_once, self.ended[other])
                following += 1
            late = latest >= 0 and self.ended[latest] > self.begun[t]
            if late or (at_once == self.begun[t] == self.ended[t] and writes[t]):
                text = (
                    f"{self._name(t)} starts at {self.begun[t]}, and {self._name(latest)}, which ended in real time "
                    f"before it began, commits at {self.ended[latest]}"
                )
                self._tell(text, t, latest)

    def _writers(self) -> list[bool]:
        """Which transactions write: (T,)."""
        writes = [False] * len(self.ended)
        for t, kind in zip(self.txn, self.kind, strict=True):
            if kind == WRITE:
                writes[t] = True
        return writes

    def sweep(self) -> None:
        """All starts and commits in order: at one time commits first, then what starts and commits at once."""
        begun, ended = np.array(self.begun, np.int64), np.array(self.ended, np.int64)
        there = np.flatnonzero(ended >= 0)
        writes = np.array(self._writers(), bool)
        once = there[writes[there] & (begun[there] == ended[there])]
        others = np.setdiff1d(there, once)
        number = np.concatenate([others, once, others])
        phase = np.repeat([_COMMIT, _BOTH, _START], [len(others), len(once), len(others)])
        time = np.concatenate([ended[others], begun[once], begun[others]])
        order = np.lexsort((number, phase, time))
        # What reads only, and starts when it commits, commits after it starts; nobody sees that.
        at_once = (-1, -1)
        for t, what in zip(number[order].tolist(), phase[order].tolist(), strict=True):
            if what == _BOTH:
                if at_once[0] == self.begun[t]:
                    text = (
                        f"{self._name(at_once[1])} and {self._name(t)} write, and start and commit at one time, "
                        f"{self.begun[t]}: nothing says which is first"
                    )
                    self._tell(text, at_once[1], t)
                at_once = (self.begun[t], t)
            if what != _COMMIT:
                self._start(t)
            if what != _START:
                self._commit(t)
            if len(self.found) >= MOST:
                return

    def _start(self, t: int) -> None:
        """Its reads see what is there now; behind own writes, these."""
        own: dict[int, int] = {}
        for at in range(self.first[t], self.first[t + 1]):
            key, version = self.key[at], self.version[at]
            if self.kind[at] != READ:
                own[key] = version
                continue
            writer = self.writer[version]
            mine = key in own and (not self.append or (writer >= 0 and self.txn[writer] == t))
            if mine:  # Of a list, what stands before the own elements is read of others.
                if own[key] != version:
                    self._say(f"{self._read(t, at)} behind an own write of another value", at)
            elif version != self.current[key]:
                self._wrong_read(t, at)

    def _wrong_read(self, t: int, at: int) -> None:
        key, writer = self.key[at], self.writer[self.version[at]]
        last = self.owner[key]
        if last >= 0:
            write = self.writer[self.current[key]]
            has = f"{self._name(last)} committed {self._value(self.current[key])} at {self.ended[last]}"
        else:
            write, has = -1, "nobody had committed a write to it"
        source = self._source(writer)
        self._say(f"{self._read(t, at)} {source}, and when it started, at {self.begun[t]}, {has}", at, writer, write)

    def _source(self, writer: int) -> str:
        if writer < 0:
            return "as at first" if writer == INITIAL else "which nobody wrote"
        owner = self.txn[writer]
        if self.ended[owner] < 0:
            return f"of {self._name(owner)}, which has no commit timestamp"
        return f"of {self._name(owner)}, which committed at {self.ended[owner]}"

    def _commit(self, t: int) -> None:
        """Nobody has committed a write to its keys since it started; its versions are the last ones now."""
        made: dict[int, list[int]] = {}
        for at in range(self.first[t], self.first[t + 1]):
            if self.kind[at] == WRITE:
                made.setdefault(self.key[at], []).append(at)
        for key, writes in made.items():
            other = self.owner[key]
            if other >= 0 and self.ended[other] > self.begun[t]:  # Committed at the start is before it, and seen.
                text = (
                    f"{self._name(other)} ({self.begun[other]} to {self.ended[other]}) and {self._name(t)} "
                    f"({self.begun[t]} to {self.ended[t]}) overlap, and both write {self.history.keys[key]}"
                )
                self._say(text, self.writer[self.current[key]], writes[-1])
            for at in writes if self.append else writes[-1:]:
                self._install(t, key, at)
            self.owner[key] = t

    def _install(self, t: int, key: int, at: int) -> None:
        """A version, which must be next in the order that is known."""
        version = self.version[at]
        rank, top = self.rank[version], self.top[key]
        if rank > 0 and (rank != top + 1 if self.append else rank <= top):
            before = self.current[key]
            behind = f"behind {self._value(before)}" if before != key else "first"
            text = f"{self._name(t)} commits {self._value(version)} at {self.ended[t]}, {behind}: "
            self._say(text + "the known order of versions is another", at, self.writer[before])
        self.current[key] = version
        # Of a list, what nobody saw stands behind all that somebody saw.
        self.top[key] = max(rank, top) if rank > 0 else len(self.rank) if self.append else top

    def _name(self, t: int) -> str:
        name = self.history.transactions[t]
        return f"T{name}" if name.lstrip("-").isdigit() else name

    def _value(self, version: int) -> str:
        return f"{self.history.keys[int(self.history.version_key[version])]}={self.history.values[version]}"

    def _read(self, t: int, at: int) -> str:
        return f"{self._name(t)} reads {self._value(self.version[at])}"

    def _tell(self, text: str, *transactions: int) -> None:
        """A contradiction between whole transactions, shown at their first operations."""
        self._say(text, *(self.first[t] for t in transactions if self.first[t] < self.first[t + 1]))

    def _say(self, text: str, *operations: int) -> None:
        lines = tuple(dict.fromkeys(self.line[at] for at in operations if at >= 0))
        if len(self.found) < MOST:
            self.found.append(Contradiction(text, lines))
