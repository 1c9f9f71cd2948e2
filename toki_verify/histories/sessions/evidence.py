"""Evidence checked without the deciders: that a commit order shows a level.

Everything is read from the columns of the history again, in plain loops; nothing of the other modules is used.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from ..columns import ABORTED, INITIAL, UNKNOWN, WRITE, History, Int64

#: Levels whose order is checked.
LEVELS: Final = ("RC", "RA", "CC", "PC", "PSI", "SI", "SER")


class _Facts:
    """What counts in a commit order: places, external reads, last writes, sessions."""

    def __init__(self, history: History, order: Sequence[int]) -> None:
        self.history = history
        self.problems: list[str] = []
        self.place = {int(t): at for at, t in enumerate(order)}
        self.txn = history.txn_of().tolist()
        #: The columns as lists, which plain loops read faster.
        self.first, self.kind, self.key = history.first.tolist(), history.kind.tolist(), history.key.tolist()
        self.version, self.writer, self.rank = history.version.tolist(), history.writer.tolist(), history.rank.tolist()
        self.order = [int(t) for t in order]
        #: (key, writer or -1) of each external read, in program order.
        self.reads: dict[int, list[tuple[int, int]]] = {}
        self.writes: dict[int, list[int]] = {}
        self.before: dict[int, int] = {}
        #: The transactions that write a key, by place.
        self.writers: dict[int, list[int]] = defaultdict(list)
        latest: dict[tuple[int, int], int] = {}
        for at in np.flatnonzero(history.kind == WRITE).tolist():
            latest[self.txn[at], self.key[at]] = at
        if len(self.place) != len(self.order):
            self.problems.append("a transaction stands twice in the order")
        for t in range(len(history.session)):
            if (t in self.place) != (history.outcome[t] != ABORTED) and history.outcome[t] != UNKNOWN:
                self.problems.append(f"{self.name(t)} is missing in the order, or aborted and in it")
        last: dict[int, int] = {}
        for t in sorted(self.place):
            session = int(history.session[t])
            if session >= 0 and session in last:
                self.before[t] = last[session]
            last[session] = t
        for t in self.order:
            self._operations(t, latest)
        for garbage in history.garbage:
            if garbage.kind != "timestamp-order":  # That lists and a clock disagree refutes no level.
                self.problems.append(garbage.text)

    def _operations(self, t: int, latest: dict[tuple[int, int], int]) -> None:
        history = self.history
        own: dict[int, int] = {}
        reads: list[tuple[int, int]] = []
        for at in range(self.first[t], self.first[t + 1]):
            key, version = self.key[at], self.version[at]
            writer = self.writer[version]
            if self.kind[at] == WRITE:
                own[key] = version
            elif key in own and (history.model == "register" or (writer >= 0 and self.txn[writer] == t)):
                # Of a list, what stands before the own elements is read of others.
                if own[key] != version:
                    self.problems.append(f"{self.name(t)} does not see its own write")
            else:
                source = -1 if writer == INITIAL else self.txn[writer] if writer >= 0 else -2
                if source == t or source == -2 or (source >= 0 and source not in self.place):
                    seen = f"{history.keys[key]}={history.values[version]}"
                    self.problems.append(f"{self.name(t)} reads {seen}, which nobody in the order wrote")
                elif source >= 0 and latest[source, key] != writer:
                    self.problems.append(f"{self.name(t)} reads a version that its writer overwrote")
                else:
                    reads.append((key, source))
        self.reads[t] = reads
        self.writes[t] = list(own)
        for key in own:
            self.writers[key].append(self.place[t])

    def name(self, t: int) -> str:
        """What a transaction is called in a sentence: `T2` where the file has bare numbers."""
        name = self.history.transactions[t]
        return f"T{name}" if name.lstrip("-").isdigit() else name

    def overwritten(self, key: int, source: int, until: int) -> bool:
        """Whether a transaction that writes the key stands behind the source, up to and with place `until`."""
        writers = self.writers.get(key, [])
        begin = self.place[source] if source >= 0 else -1
        at = bisect_right(writers, begin)
        return at < len(writers) and writers[at] <= until


def check_order(history: History, level: str, order: Sequence[int], *, realtime: bool = False) -> tuple[str, ...]:
    """What is wrong with the claim that `order` (transactions of the history) is a commit order that shows the level;
    nothing: it does. O(N), times the number of sessions for CC and PSI (and quadratic for PSI with real time). Raises
    ValueError for an unknown level, and with `realtime` for a history without times.

    The axiom of each level (Biswas and Enea 2019; PSI: Cerone, Bernardi and Gotsman 2015): if a read saw the version of
    t1, no other writer of the key that the level lets its transaction see stands behind t1.
    """
    if level not in LEVELS:
        raise ValueError(f"no session level is called {level!r}")
    if realtime and (history.begun is None or history.ended is None):
        raise ValueError("the history has no times, so real-time order is not known")
    facts = _Facts(history, order)
    if facts.problems:
        return tuple(facts.problems)
    problems = [*_extends(facts, realtime), *_known_orders(facts)]
    if not problems:
        problems += _axiom(facts, level, realtime)
    return tuple(problems)


def _extends(facts: _Facts, realtime: bool) -> list[str]:
    """Session order, reads-from and real time against the order."""
    history = facts.history
    problems = []
    latest_begin = -1
    for t in facts.order:
        if t in facts.before and facts.place[facts.before[t]] > facts.place[t]:
            problems.append(
                f"{facts.name(facts.before[t])} comes before {facts.name(t)} in the session, and behind it here"
            )
        for _, source in facts.reads[t]:
            if source >= 0 and facts.place[source] > facts.place[t]:
                problems.append(f"{facts.name(t)} reads from {facts.name(source)}, which stands behind it")
        if realtime and history.begun is not None and history.ended is not None:
            if -1 < history.ended[t] < latest_begin:
                problems.append(f"{facts.name(t)} ended before one that stands before it began")
            latest_begin = max(latest_begin, int(history.begun[t]))
    return problems


def _known_orders(facts: _Facts) -> list[str]:
    """Version orders that the history knows: lists begin with it, registers have it among themselves."""
    history = facts.history
    rank = facts.rank
    problems: list[str] = []
    if not (history.rank > 0).any():
        return problems
    highest: dict[int, int] = {}
    append = history.model == "append"
    if append:
        problems += _shown(facts)
    for t in facts.order:
        made: dict[int, list[int]] = defaultdict(list)
        for at in range(facts.first[t], facts.first[t + 1]):
            if facts.kind[at] == WRITE:
                made[facts.key[at]].append(facts.version[at])
        for key, versions in made.items():
            for version in versions if append else versions[-1:]:
                here = rank[version]
                if here < 0 and append:
                    here = len(rank)  # behind all that somebody saw
                if here >= 0:
                    if here < highest.get(key, 0):
                        problems.append(f"{facts.name(t)} writes {history.keys[key]} too late")
                    highest[key] = max(highest.get(key, 0), here)
    return problems


def _shown(facts: _Facts) -> list[str]:
    """Elements that a list shows before its last one, of transactions that are not in the order."""
    history = facts.history
    top: dict[int, int] = {}
    for t in facts.order:
        for at in range(facts.first[t], facts.first[t + 1]):
            key = facts.key[at]
            top[key] = max(top.get(key, 0), facts.rank[facts.version[at]])
    problems = []
    for version in np.flatnonzero(history.rank > 0).tolist():
        key, writer = int(history.version_key[version]), int(history.writer[version])
        if history.rank[version] <= top.get(key, 0) and (writer < 0 or facts.txn[writer] not in facts.place):
            problems.append(f"{history.keys[key]} shows {history.values[version]}, which nobody in the order wrote")
    return problems


def _axiom(facts: _Facts, level: str, realtime: bool) -> list[str]:
    """The axiom of the level, read by read."""
    history = facts.history
    problems = []
    clocks = _Clocks(facts, level == "PSI", realtime) if level in ("CC", "PSI") else None
    in_session: dict[int, dict[int, int]] = defaultdict(dict)
    current: dict[int, int] = {}
    latest_end = _ends(facts) if realtime and level in ("PC", "SI") else None
    for t in facts.order:
        session = int(history.session[t])
        until = facts.place[t] - 1
        if level in ("PC", "SI"):
            direct = [facts.place[source] for _, source in facts.reads[t] if source >= 0]
            direct += [facts.place[facts.before[t]]] if t in facts.before else []
            direct += [current[key] for key in facts.writes[t] if key in current] if level == "SI" else []
            direct += [latest_end(t)] if latest_end is not None else []
            until = max(direct, default=-1)
        seen: set[int] = set()
        for key, source in facts.reads[t]:
            if level in ("PC", "SI", "SER"):
                wrong = facts.overwritten(key, source, until)
            elif level == "RC":
                wrong = any(_writes(facts, w, key) and facts.place[w] > _place(facts, source) for w in seen)
            elif level == "RA":
                others = {w for _, w in facts.reads[t] if w >= 0}
                wrong = any(_writes(facts, w, key) and facts.place[w] > _place(facts, source) for w in others)
                wrong |= session >= 0 and in_session[session].get(key, -1) > _place(facts, source)
            else:
                assert clocks is not None
                wrong = clocks.sees_later(t, key, source)
            if wrong:
                writer = facts.name(source) if source >= 0 else "the initial state"
                problems.append(
                    f"{facts.name(t)} reads {history.keys[key]} from {writer}, past a later version that "
                    f"{level} lets it see"
                )
            if source >= 0:
                seen.add(source)
        for key in facts.writes[t]:
            current[key] = facts.place[t]
            in_session[session][key] = facts.place[t]
    return problems


def _place(facts: _Facts, source: int) -> int:
    return facts.place[source] if source >= 0 else -1


def _writes(facts: _Facts, t: int, key: int) -> bool:
    return key in facts.writes[t]


def _ends(facts: _Facts) -> Callable[[int], int]:
    """The last place of a transaction that ended before a given one began."""
    history = facts.history
    assert history.begun is not None and history.ended is not None
    begun = history.begun
    over = sorted((int(history.ended[t]), facts.place[t]) for t in facts.order if history.ended[t] >= 0)
    times = [end for end, _ in over]
    best = np.maximum.accumulate(np.array([place for _, place in over] or [-1])).tolist()

    def latest(t: int) -> int:
        at = bisect_right(times, int(begun[t]) - 1)
        return int(best[at - 1]) if at else -1

    return latest


class _Clocks:
    """Of each transaction and session the last member of the session that it sees (vector clocks over sessions)."""

    def __init__(self, facts: _Facts, conflicts: bool, realtime: bool) -> None:
        history = facts.history
        self.facts = facts
        column: dict[int, int] = {}
        self.column_of: dict[int, int] = {}
        for t in facts.order:
            session = int(history.session[t])
            name = session if session >= 0 else -2 - t
            self.column_of[t] = column.setdefault(name, len(column))
        self.clock: dict[int, Int64] = {}
        #: Places of the writers of a key in a session.
        self.writers: dict[tuple[int, int], list[int]] = defaultdict(list)
        current: dict[int, int] = {}
        ended = self._ended() if realtime and conflicts else []
        for t in facts.order:
            clock = np.full(len(column), -1, np.int64)
            seen = [source for _, source in facts.reads[t] if source >= 0]
            seen += [facts.before[t]] if t in facts.before else []
            if conflicts:
                seen += [current[key] for key in facts.writes[t] if key in current]
            if ended and history.begun is not None:
                seen += [u for end, u in ended if end < history.begun[t]]
            for u in seen:
                np.maximum(clock, self.clock[u], out=clock)
                clock[self.column_of[u]] = max(clock[self.column_of[u]], facts.place[u])
            self.clock[t] = clock
            for key in facts.writes[t]:
                current[key] = t
                self.writers[key, self.column_of[t]].append(facts.place[t])

    def _ended(self) -> list[tuple[int, int]]:
        history = self.facts.history
        assert history.ended is not None
        return [(int(history.ended[t]), t) for t in self.facts.order if history.ended[t] >= 0]

    def sees_later(self, t: int, key: int, source: int) -> bool:
        """Whether a transaction that t sees writes the key and stands behind the source."""
        begin = _place(self.facts, source)
        for column, until in enumerate(self.clock[t].tolist()):
            writers = self.writers.get((key, column))
            if until > begin and writers:
                at = bisect_right(writers, begin)
                if at < len(writers) and writers[at] <= until:
                    return True
        return False
