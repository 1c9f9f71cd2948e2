"""Whether a commit order shows that a history is at a session level: checked from the axioms, in one pass.

It shares nothing with the code that finds orders but the arrays of the history: what a read sees, which transactions
count, and the axioms (Biswas and Enea 2019; for PSI Cerone, Bernardi and Gotsman 2015) are written down again. Versions
of a key are ordered as their writers commit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from .columns import ABORTED, COMMITTED, INITIAL, NOBODY, READ, History

#: The place of the initial versions in every commit order.
_FIRST: Final = -1
#: Entries that all clocks together may have (CC, PSI): transactions times sessions.
_CLOCKS: Final = 50_000_000


def objections(history: History, level: str, order: Sequence[int], most: int = 20) -> list[str]:
    """What is wrong with an order of transactions (their numbers) as evidence that the history is at a level; nothing,
    if it shows it. At most `most` objections. Raises ValueError for a level that is none, and at CC
    and PSI for a history of too many sessions."""
    if level not in _RULES:
        raise ValueError(f"no session level {level}, expected one of {', '.join(_RULES)}")
    facts = _Facts(history, order)
    found: list[str] = []
    for objection in (*facts.wrong, *(() if facts.wrong else _RULES[level](facts))):
        found.append(objection)
        if len(found) >= most:
            break
    return found


class _Facts:
    """What each transaction of the order read from others and wrote at last; what is wrong with that."""

    def __init__(self, history: History, order: Sequence[int]) -> None:
        self.history = history
        self.order = [int(txn) for txn in order]
        self.at = {txn: place for place, txn in enumerate(self.order)}
        self.wrong: list[str] = []
        #: Per transaction: its reads of others as (key, place of the writer), in program order; the keys it writes.
        self.reads: dict[int, list[tuple[int, int]]] = {}
        self.writes: dict[int, dict[int, int]] = {}
        self.kind, self.key = history.kind.tolist(), history.key.tolist()
        self.version, self.writer = history.version.tolist(), history.writer.tolist()
        self.first = history.first.tolist()
        self.owner = history.txn_of().tolist()
        for garbage in history.garbage:
            self.wrong.append(f"{garbage.kind}: {garbage.text}")
        if len(self.at) < len(self.order):
            self.wrong.append("a transaction stands twice in the order")
        for txn in self.order:
            self._writes(txn)
        for txn in self.order:
            self._reads(txn)
        self._complete()
        self._sessions()
        #: Per key: the places of its writers, ascending.
        self.writers: dict[int, list[int]] = {}
        for place, txn in enumerate(self.order):
            for key in self.writes.get(txn, ()):
                self.writers.setdefault(key, []).append(place)
        self._known()

    def name(self, place: int) -> str:
        """A transaction by its place."""
        return "the initial state" if place < 0 else f"T{self.history.transactions[self.order[place]]}"

    def _operations(self, txn: int) -> range:
        return range(self.first[txn], self.first[txn + 1])

    def _writes(self, txn: int) -> None:
        last: dict[int, int] = {}
        for at in self._operations(txn):
            if self.kind[at] != READ:
                last[self.key[at]] = self.version[at]
        self.writes[txn] = last

    def _reads(self, txn: int) -> None:
        own: dict[int, int] = {}
        found = self.reads[txn] = []
        for at in self._operations(txn):
            key, version = self.key[at], self.version[at]
            if self.kind[at] != READ:
                own[key] = version
                continue
            source = self.writer[version]
            if key in own and (version == own[key] or (self.history.model == "append" and source >= 0
                                                       and self.owner[source] == txn)):  # fmt: skip
                continue
            if key in own and self.history.model != "append":
                self.wrong.append(f"{self._who(txn)} reads {self._what(at)} behind a write of its own")
            elif source == NOBODY:
                self.wrong.append(f"{self._who(txn)} reads {self._what(at)}, which nobody wrote")
            elif source == INITIAL:
                found.append((key, _FIRST))
            elif self.owner[source] == txn:
                self.wrong.append(f"{self._who(txn)} reads {self._what(at)} before it writes it")
            elif self.owner[source] not in self.at:
                self.wrong.append(f"{self._who(txn)} reads {self._what(at)} of a transaction that is not in the order")
            elif self.writes[self.owner[source]][key] != version:
                self.wrong.append(f"{self._who(txn)} reads {self._what(at)}, which its writer overwrote")
            else:
                found.append((key, self.at[self.owner[source]]))
                if self.at[self.owner[source]] >= self.at[txn]:
                    self.wrong.append(f"{self._who(txn)} reads {self._what(at)}, which is written later in the order")

    def _who(self, txn: int) -> str:
        return f"T{self.history.transactions[txn]}"

    def _what(self, at: int) -> str:
        return f"{self.history.keys[self.key[at]]}={self.history.values[self.version[at]]}"

    def _complete(self) -> None:
        """Every transaction that committed is in the order, and none that aborted."""
        for txn, outcome in enumerate(self.history.outcome.tolist()):
            if outcome == COMMITTED and txn not in self.at:
                self.wrong.append(f"{self._who(txn)} committed and is not in the order")
            if outcome == ABORTED and txn in self.at:
                self.wrong.append(f"{self._who(txn)} aborted and is in the order")

    def _sessions(self) -> None:
        """Session order, and for each place the place of the one before it in its session (-1: none)."""
        last: dict[int, int] = {}
        self.session: list[int] = [0] * len(self.order)
        self.previous: list[int] = [_FIRST] * len(self.order)
        self.turn: list[int] = [0] * len(self.order)
        self.members: list[list[int]] = []
        numbers: dict[int, int] = {}
        for txn in sorted(self.at):
            session, place = int(self.history.session[txn]), self.at[txn]
            if session >= 0 and session in last:
                self.previous[place] = last[session]
                if last[session] > place:
                    self.wrong.append(f"{self.name(place)} stands before {self.name(last[session])} of its session")
            number = numbers.setdefault(session, len(self.members)) if session >= 0 else len(self.members)
            if number == len(self.members):
                self.members.append([])
            self.session[place], self.turn[place] = number, len(self.members[number])
            self.members[number].append(place)
            last[session] = place

    def _known(self) -> None:
        """The order of the versions that the history knows is that in which their writers commit."""
        rank = self.history.rank.tolist()
        for key, places in self.writers.items():
            known = [rank[self.writes[self.order[place]][key]] for place in places]
            ranked = [one for one in known if one > 0]
            behind = self.history.model == "append" and any(one < 0 < other for one, other in pairwise(known))
            if ranked != sorted(ranked) or behind:
                self.wrong.append(
                    f"the versions of {self.history.keys[key]} are not installed in the order that is known"
                )

    def next_writer(self, key: int, place: int, but: int) -> int:
        """The place of the first writer of a key behind a place, another than `but`; the end, if there is none."""
        places = self.writers.get(key, [])
        at = bisect_right(places, place)
        if at < len(places) and places[at] == but:
            at += 1
        return places[at] if at < len(places) else len(self.order)

    def before(self, place: int) -> set[int]:
        """The places of the transactions that one read from, and of the one before it in its session."""
        return {seen for _, seen in self.reads[self.order[place]]} | {self.previous[place]} - {_FIRST}

    def missed(self, place: int, key: int, seen: int, unseen: int) -> str:
        """The objection that a read should have seen another version."""
        return (
            f"{self.name(place)} reads {self.history.keys[key]} of {self.name(seen)} and must see that of "
            f"{self.name(unseen)}, which is later"
        )


def _read_committed(facts: _Facts) -> Iterator[str]:
    """No read is past a transaction that an earlier read of the same transaction saw."""
    for place, txn in enumerate(facts.order):
        earlier: dict[int, int] = {}
        for key, seen in facts.reads[txn]:
            if earlier.get(key, seen) > seen:
                yield facts.missed(place, key, seen, earlier[key])
            for one in facts.writes[facts.order[seen]] if seen >= 0 else ():
                earlier[one] = max(earlier.get(one, _FIRST), seen)


def _read_atomic(facts: _Facts) -> Iterator[str]:
    """Who is observed, by a read or in the session, is observed whole."""
    for members in facts.members:
        own: dict[int, int] = {}
        for place in members:
            txn = facts.order[place]
            newest = dict(own)
            for seen in {seen for _, seen in facts.reads[txn] if seen >= 0}:
                for key in facts.writes[facts.order[seen]]:
                    newest[key] = max(newest.get(key, _FIRST), seen)
            for key, seen in facts.reads[txn]:
                if newest.get(key, seen) > seen:
                    yield facts.missed(place, key, seen, newest[key])
            for key in facts.writes[txn]:
                own[key] = place


def _clocks(facts: _Facts, versions: bool) -> list[list[int]]:
    """Of each place, how many transactions of each session happen before it (with `versions`, by ww, too)."""
    if len(facts.members) * len(facts.order) > _CLOCKS:
        raise ValueError(
            f"{len(facts.members)} sessions of {len(facts.order)} transactions: too many to check this level"
        )
    clocks: list[list[int]] = []
    latest: dict[int, int] = {}
    for place, txn in enumerate(facts.order):
        clock = [0] * len(facts.members)
        above = facts.before(place)
        if versions:
            above |= {latest[key] for key in facts.writes[txn] if key in latest}
            latest |= dict.fromkeys(facts.writes[txn], place)
        for one in above:
            if one < 0:
                continue
            clock = [max(pair) for pair in zip(clock, clocks[one], strict=True)]
            clock[facts.session[one]] = max(clock[facts.session[one]], facts.turn[one] + 1)
        clocks.append(clock)
    return clocks


def _causal(facts: _Facts) -> Iterator[str]:
    """What happens before is observed."""
    clocks = _clocks(facts, versions=False)
    writers: dict[tuple[int, int], list[int]] = {}
    for number, members in enumerate(facts.members):
        for turn, place in enumerate(members):
            for key in facts.writes[facts.order[place]]:
                writers.setdefault((number, key), []).append(turn)
    for place, txn in enumerate(facts.order):
        for key, seen in facts.reads[txn]:
            for number, count in enumerate(clocks[place]):
                turns = writers.get((number, key), [])
                at = bisect_left(turns, count) - 1
                if at >= 0 and facts.members[number][turns[at]] > seen:
                    yield facts.missed(place, key, seen, facts.members[number][turns[at]])


def _parallel_snapshots(facts: _Facts) -> Iterator[str]:
    """Causal by version order, too, and no version that is overwritten by what happens before is read."""
    clocks = _clocks(facts, versions=True)
    for place, txn in enumerate(facts.order):
        for key, seen in facts.reads[txn]:
            later = facts.next_writer(key, seen, place)
            if later < len(facts.order) and clocks[place][facts.session[later]] > facts.turn[later]:
                yield facts.missed(place, key, seen, later)


def _snapshots(facts: _Facts, conflicts: bool) -> Iterator[str]:
    """Every transaction reads from one prefix of the order that has all it observed; with `conflicts`, from one that
    has all earlier writers of what it writes."""
    latest: dict[int, int] = {}
    for place, txn in enumerate(facts.order):
        start = max(facts.before(place), default=_FIRST)
        if conflicts:
            start = max([start, *(latest[key] for key in facts.writes[txn] if key in latest)])
        for key, seen in facts.reads[txn]:
            later = facts.next_writer(key, seen, place)
            if later <= start:
                yield facts.missed(place, key, seen, later)
        latest |= dict.fromkeys(facts.writes[txn], place)


def _serial(facts: _Facts) -> Iterator[str]:
    """One after the other: every read sees the latest version."""
    latest: dict[int, int] = {}
    for place, txn in enumerate(facts.order):
        for key, seen in facts.reads[txn]:
            if latest.get(key, _FIRST) != seen:
                yield facts.missed(place, key, seen, latest.get(key, _FIRST))
        latest |= dict.fromkeys(facts.writes[txn], place)


_RULES: Final[dict[str, Callable[[_Facts], Iterator[str]]]] = {
    "RC": _read_committed,
    "RA": _read_atomic,
    "CC": _causal,
    "PC": lambda facts: _snapshots(facts, False),
    "PSI": _parallel_snapshots,
    "SI": lambda facts: _snapshots(facts, True),
    "SER": _serial,
}
