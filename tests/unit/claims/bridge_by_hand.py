"""The questions of Lemma 1 by hand: events walked over, and the brute-force decider on a schedule and on its image.

Written from SEMANTICS §1-§3 and §6. Of the package it uses events, `image`, and, through `tests/agreement/oracle.py`,
nothing that judges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.agreement.oracle import LEVELS, PHENOMENA, Facts, Region
from toki_verify.bridge.image import Image, image
from toki_verify.events import Abort, Commit, Event, Judge, PredicateRead, Read, Schedule, ScheduleError, Write
from toki_verify.search.census import Alphabet, event_lists

KINDS = ("wr", "ww", "rw", "prw", "pwr")
CLASSICAL = ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B")
LOGS = ("judge_log", "callback_log")


class Scan:
    """The judge log of a schedule, call by call. `fills`: the calls that fill; `reads`: (row, call) that reads it;
    `there`: (row, call) that could see the row. `sees_rolled_back` is a mutant: rows outlive their transactions."""

    def __init__(self, schedule: Schedule, *, sees_rolled_back: bool = False) -> None:
        self.events = schedule.events
        self.committed = {e.txn: at for at, e in enumerate(self.events) if isinstance(e, Commit)}
        gone = {e.txn: at for at, e in enumerate(self.events) if isinstance(e, Abort)}
        self.calls = {at: e for at, e in enumerate(self.events) if isinstance(e, Judge)}
        self.fills: list[int] = []
        self.reads: list[tuple[int, int]] = []
        self.there: list[tuple[int, int]] = []
        for at, call in self.calls.items():
            visible = [
                row
                for row in self.fills
                if self.key(row) == self.key(at) and (sees_rolled_back or not gone.get(self.calls[row].txn, at) < at)
            ]
            self.there += [(row, at) for row in visible]
            mine = [row for row in visible if self.calls[row].txn == call.txn]
            row = mine[-1] if mine else visible[-1] if visible else None
            if row is None or self.differ(row, at):
                self.fills.append(at)
            else:
                self.reads.append((row, at))

    def key(self, call: int) -> tuple[str, str]:
        return self.calls[call].reads, self.calls[call].theta

    def differ(self, one: int, other: int) -> bool:
        votes = [self.calls[one].vote, self.calls[other].vote]
        return None not in votes and votes[0] != votes[1]

    def clean(self, row: int, call: int) -> bool:
        """The row is the call's own, or of a transaction that has committed before."""
        writer = self.calls[row].txn
        return writer == self.calls[call].txn or self.committed.get(writer, call) < call

    @property
    def returned(self) -> bool:
        """RETURN: no call fills that has another one at its key before it."""
        return not any(self.key(one) == self.key(fill) for fill in self.fills for one in self.calls if one < fill)

    @property
    def read_committed(self) -> bool:
        """COMMIT: the rows that are read are committed."""
        return all(self.clean(row, call) for row, call in self.reads)

    @property
    def all_committed(self) -> bool:
        """CLEAN: the rows that could be seen are committed."""
        return all(self.clean(row, call) for row, call in self.there)

    @property
    def literal(self) -> bool:
        """LITERAL: no committed operator wrote a row."""
        return not any(self.calls[fill].txn in self.committed for fill in self.fills)

    @property
    def plain(self) -> bool:
        """PLAIN: all votes are known, or there is one call and nothing to compare; only calls touch the log."""
        told = len(self.calls) == 1 or all(call.vote is not None for call in self.calls.values())
        rows = [e.item for e in self.events if isinstance(e, Read | Write)]
        rows += [row.item for e in self.events if isinstance(e, PredicateRead) for row in (*e.matched, *e.unmatched)]
        return told and not any(item.table == "judge_log" for item in rows)

    @property
    def overruled(self) -> bool:
        """OVERRULED: a committed call fills although it could see a row."""
        return any(call in self.fills and self.calls[call].txn in self.committed for _, call in self.there)

    @property
    def refilled(self) -> bool:
        """REFILLED: a committed call fills behind a committed one at its key."""
        used = [at for at, call in self.calls.items() if call.txn in self.committed]
        return any(self.key(one) == self.key(fill) for fill in self.fills if fill in used for one in used if one < fill)


@dataclass(frozen=True)
class Case:
    """A schedule and its image, each judged by the oracle."""

    schedule: Schedule

    @cached_property
    def made(self) -> Image:
        return image(self.schedule)

    @cached_property
    def before(self) -> Facts:
        return Facts(self.schedule)

    @cached_property
    def behind(self) -> Facts:
        assert self.made.schedule is not None, str(self.schedule)
        return Facts(self.made.schedule)

    @cached_property
    def log(self) -> Facts:
        return self.behind.within(Region("judge_log", None))

    @cached_property
    def scan(self) -> Scan:
        return Scan(self.schedule)

    def shows(self, name: str) -> bool:
        return PHENOMENA[name](self.before) is True

    def shows_behind(self, name: str) -> bool:
        return PHENOMENA[name](self.behind) is True

    def on_log(self, name: str) -> bool:
        return PHENOMENA[name](self.log) is True

    def gained(self, name: str) -> bool:
        return self.shows_behind(name) and not self.shows(name)

    @property
    def h1(self) -> bool:
        return self.scan.returned and self.scan.read_committed

    def edges(self, kind: str) -> tuple[set[tuple[object, ...]], set[tuple[object, ...]]]:
        """The edges of S and those of π_J(S) outside of the logs, with their events in S."""
        place = {step.target: step.source for step in self.made.steps}
        outside = [e for e in self.behind.of(kind) if e.item.table not in LOGS]
        return (
            {(e.source, e.target, e.item, e.at, e.predicate) for e in self.before.of(kind)},
            {(e.source, e.target, e.item, place[e.at], e.predicate) for e in outside},
        )

    def adds(self, kind: str) -> bool:
        return any(e.item.table in LOGS for e in self.behind.of(kind))


Question = Callable[[Case], bool]


def _level(spec: str, facts: Facts) -> bool:
    return LEVELS["graph", spec](facts) is True


def questions() -> dict[str, Question]:
    """By the ids under which the claims ask: whether a schedule is what they look for."""
    found: dict[str, Question] = {}
    for kind in KINDS:
        found[f"L1.graph.{kind}"] = lambda c, k=kind: c.edges(k)[0] != c.edges(k)[1]  # type: ignore[misc]
        found[f"L1.graph.log.{kind}"] = lambda c, k=kind: c.adds(k)  # type: ignore[misc]
    for name in CLASSICAL:
        own = "H1" if name in ("P3", "A5A") else "under-H1"
        lost: Question = lambda c, n=name: c.shows(n) and not c.shows_behind(n)  # type: ignore[misc] # noqa: E731
        gained: Question = lambda c, n=name: c.gained(n)  # type: ignore[misc] # noqa: E731
        both = name in ("P1", "P3", "A5A")
        under: Question = (  # noqa: E731
            lambda c, n=name, b=both: (c.h1 if b else c.scan.returned) and c.gained(n)  # type: ignore[misc]
        )
        found |= {f"L1.transfer.{name}.{what}": q for what, q in (("lost", lost), ("gained", gained), (own, under))}
    for spec in ("RC", "SI", "SR"):
        down: Question = lambda c, s=spec: _level(s, c.before) and not _level(s, c.behind)  # type: ignore[misc] # noqa: E731
        up: Question = lambda c, s=spec: _level(s, c.behind) and not _level(s, c.before)  # type: ignore[misc] # noqa: E731
        found[f"L1.transfer.level.{spec}"] = down
        found[f"L1.transfer.level.{spec}.H1"] = lambda c, d=down: c.h1 and d(c)  # type: ignore[misc]
        found[f"L1.transfer.level.{spec}.back"] = up
    return found | {
        "L1.n1.literal.if": lambda c: c.scan.plain and c.shows("N1") and not (c.on_log("P2") or c.on_log("P3")),
        "L1.n1.literal.only-if": lambda c: c.scan.plain and (c.on_log("P2") or c.on_log("P3")) and not c.shows("N1"),
        "L1.n1.H1": lambda c: c.scan.plain and c.scan.literal and c.shows("N1"),
        "L1.n1.commit.if": lambda c: c.scan.plain and c.scan.read_committed and c.shows("N1") and not c.on_log("P2"),
        "L1.n1.commit.only-if": (
            lambda c: c.scan.plain and c.scan.read_committed and c.on_log("P2") and not c.shows("N1")
        ),
        "L1.n1.no-P3": lambda c: c.scan.plain and c.on_log("P3"),
        "L1.n1.no-N1": lambda c: c.scan.plain and c.scan.returned and c.shows("N1"),
        "L1.n1.no-P2": lambda c: c.scan.plain and c.scan.returned and c.on_log("P2"),
        "L1.n1.P2-is-N1": lambda c: c.scan.plain and c.scan.all_committed and c.on_log("P2") and not c.shows("N1"),
        "L1.n1.N1-refills": lambda c: c.scan.plain and c.scan.all_committed and c.shows("N1") and not c.scan.refilled,
        "L1.n1.refill-sees": (
            lambda c: c.scan.plain and c.scan.all_committed and c.scan.refilled and not c.scan.overruled
        ),
        "L1.n1.refill-differs": (
            lambda c: c.scan.plain and c.scan.all_committed and c.scan.overruled and not c.shows("N1")
        ),
        "L1.n1.RC-is-clean": lambda c: c.scan.plain and _level("RC", c.log) and not c.scan.all_committed,
    }


# -- schedules ---------------------------------------------------------------------------------------------------------
CALLS = Alphabet(reads=False, writes=False, judges=True)
MIXED = Alphabet(items=1, judges=True, transactions=2)
PREDICATES = Alphabet(items=1, judges=True, transactions=2, predicates=True, aborts=False)


def known(size: int, alphabet: Alphabet) -> Iterator[Schedule]:
    """The complete schedules of up to so many events that have a judge call and know their votes, the first vote 0."""
    for events in event_lists(size, alphabet, complete=True):
        votes = [event.vote for event in events if isinstance(event, Judge)]
        if votes[:1] == ["0"] and None not in votes:
            yield from well_formed([events])


def unknown(size: int, alphabet: Alphabet) -> Iterator[Schedule]:
    """Those of which a vote is not known; some transactions may not have ended."""
    for events in event_lists(size, alphabet):
        if any(isinstance(event, Judge) and event.vote is None for event in events):
            yield from well_formed([events])


def well_formed(lists: Iterable[tuple[Event, ...]]) -> Iterator[Schedule]:
    """The lists of events that are schedules; a predicate read may leave out a row that it must have seen."""
    for events in lists:
        try:
            yield Schedule(events)
        except ScheduleError as error:
            assert {problem.rule for problem in error.problems} == {"omitted-row"}
