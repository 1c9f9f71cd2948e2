"""Algorithm 1 again, from its printed lines (TOKI 2026, §3.4), over rows of numbers: nothing of the write path is used.

A day is a number, an open row ends at None. What the paper says twice is a parameter: whether a duplicate accumulates
(§3.4), whether a winning incumbent is stamped (§3.2), whether the audit half is kept (the schema mode), and whether an
oracle's vote is a function of the two facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .carriers import RINGS, Ring


class Row(NamedTuple):
    """A row of the table, or a fact to be written."""

    id: str
    object: str
    valid: tuple[int, int]
    start: int
    prov: Any = None
    confidence: float = 0.5
    strategy: str = "lww"
    subject: str = "alice"
    end: int | None = None
    kind: str = "current"

    @property
    def key(self) -> tuple[str, int]:
        """Table 12: (fact_id, system_time_start)."""
        return self.id, self.start

    @property
    def days(self) -> range:
        """Every day on which it is valid."""
        return range(*self.valid)


def shares(a: Row, b: Row) -> bool:
    """Whether both are valid on some day: days are listed and met, no endpoints compared."""
    return bool(set(a.days) & set(b.days))


def conflict(a: Row, b: Row) -> bool:
    """a # b (§2.1)."""
    return a.subject == b.subject and a.object != b.object and shares(a, b)


class Refused(Exception):
    """A write that is refused; the message is why."""


@dataclass
class Event:
    """What became of a write: `inserted`, `duplicate`, `resolved`, or why it was refused."""

    kind: str
    winner: Row | None = None
    loser: Row | None = None
    merged: Any = None
    #: The row that stands for the belief afterwards.
    belief: Row | None = None


def beats(new: Row, old: Row) -> bool:
    """Whether a newcomer wins by the selectors of §3.2 that look at the facts."""
    if new.strategy == "evi" and new.confidence != old.confidence:
        return new.confidence > old.confidence
    if new.start != old.start:
        return new.start > old.start
    return new.id > old.id


@dataclass
class Machine:
    """The table, and how the lines are read."""

    ring: Ring = RINGS["multidegree"]
    mode: str = "audit_row"
    accumulate: bool = False
    stamped: bool = False
    wins: Callable[[Row, Row], bool] = beats
    #: Whether two facts of one (fact_id, system_time_start) are no pair that an operator resolves. No key of §3.2
    #: tells them apart; the package refuses them, and the printed lines say nothing: without it the incumbent stays.
    distinct: bool = True
    #: The key of an audit row (Appendix C.3).
    audit_key: Callable[[Row, int], str] = lambda loser, at: f"audit::{loser.id}::{at}"
    #: Raises Refused for a strategy that is none; looked up in line 12, or `first` of all.
    known: Callable[[str], None] = lambda name: None
    first: bool = False
    rows: list[Row] = field(default_factory=list)
    #: The numbers of the lines of the last write that read, ask, write, commit or return.
    lines: list[int] = field(default_factory=list)

    def believed(self) -> list[Row]:
        """Open rows of kind current."""
        return [row for row in self.rows if row.kind == "current" and row.end is None]

    def write(self, new: Row, at: int | None = None) -> Event:
        """One fact through the lines, all or nothing."""
        before, self.lines = list(self.rows), []
        try:
            return self._write(new, new.start if at is None else at)
        except Refused as why:
            self.rows = before
            return Event(str(why))

    def _write(self, new: Row, at: int) -> Event:
        if self.first:
            self.known(new.strategy)
        self.lines.append(1)
        mine = [row for row in self.believed() if row.subject == new.subject]
        for row in mine:
            if row.object == new.object and shares(row, new):
                return self._repeated(row, new, at)
        against = [row for row in mine if conflict(row, new)]
        if not against:
            self._insert(new)
            self.lines.append(7)
            return Event("inserted", belief=new)
        if len(against) > 1:
            self.lines.append(9)
            raise Refused("several incumbents")
        (old,) = against
        self.lines.append(12)
        self.known(new.strategy)
        if self.distinct and new.key == old.key:
            raise Refused("one version twice")
        won = self.wins(new, old)
        winner, loser = (new, old) if won else (old, new)
        merged = self.ring.plus(winner.prov, loser.prov)
        belief = winner._replace(start=at, end=None, prov=merged, strategy=new.strategy)
        if won or self.stamped:
            self._close(old, at)
            self._insert(belief)
            self.lines.append(19)
        if self.mode == "audit_row":
            self._insert(
                loser._replace(
                    id=self.audit_key(loser, at),
                    start=at,
                    end=None,
                    prov=merged,
                    kind="audit",
                    object=f"{winner.object}>{loser.object}",
                )
            )
            self.lines.append(21)
        self.lines += [22, 23]
        return Event("resolved", winner, loser, merged, belief if won or self.stamped else old)

    def _repeated(self, row: Row, new: Row, at: int) -> Event:
        self.lines.append(3)
        if not self.accumulate:
            return Event("duplicate", belief=row)
        self._close(row, at)
        merged = row._replace(start=at, prov=self.ring.plus(row.prov, new.prov))
        self._insert(merged)
        return Event("duplicate", belief=merged)

    def _insert(self, row: Row) -> None:
        if any(row.key == other.key for other in self.rows):
            raise Refused("primary key")
        self.rows.append(row)

    def _close(self, row: Row, at: int) -> None:
        if at <= row.start:
            raise Refused("system-period order")
        self.rows[self.rows.index(row)] = row._replace(end=at)

    def seen(self, day: int, known: int, kind: str) -> list[Row]:
        """AS OF (day, known) of the rows of a kind."""
        return [
            row
            for row in self.rows
            if row.kind == kind and day in row.days and row.start <= known and (row.end is None or known < row.end)
        ]


History = tuple[Row, ...]


@dataclass
class Ran:
    """A history, what became of its writes, the table, and the machine that has it."""

    history: History
    events: list[Event]
    machine: Machine

    @property
    def rows(self) -> list[Row]:
        """The table at the end."""
        return self.machine.rows


def run(history: History, **settings: Any) -> Ran:
    """A history through an empty machine."""
    machine = Machine(**settings)
    return Ran(history, [machine.write(row) for row in history], machine)


# -- the small histories of one partition ------------------------------------------------------------------------------


def _fact(name: str, value: str, valid: tuple[int, int], at: int, wish: str) -> Row:
    confidence = {"last": 0.5, "weaker": 0.2, "stronger": 0.8}[wish]
    token = RINGS["multidegree"].token(name)
    return Row(name, value, valid, at, token, confidence, "lww" if wish == "last" else "evi")


def _objects(length: int) -> Iterator[str]:
    """Objects up to renaming: restricted growth strings."""
    texts = [""]
    for _ in range(length):
        texts = [text + letter for text in texts for letter in "xyz"[: len(set(text)) + 1]]
    yield from texts


def _periods(instants: int) -> list[tuple[int, int]]:
    ends = range(instants + 1)
    return [(a, b) for a in ends for b in ends if a < b]


def histories(length: int, times: tuple[int, ...] = (1, 2, 3)) -> Iterator[History]:
    """Every history of a length: objects up to renaming, all periods over three instants (two for three facts), every
    later fact as the last one or with weaker or stronger evidence. The first fact is a plain one."""
    for objects in _objects(length):
        partial: list[History] = [()]
        for place in range(length):
            wishes = ("last", "weaker", "stronger") if place else ("last",)
            partial = [
                (*before, _fact("abc"[place], objects[place], valid, times[place], wish))
                for before in partial
                for valid in _periods(3 if length < 3 else 2)
                for wish in wishes
            ]
        yield from partial


def rising() -> list[History]:
    """Every small history, one fact a day."""
    return [history for length in (1, 2, 3) for history in histories(length)]


CLOCKS = ((1, 1), (2, 1), (1, 1, 2), (1, 3, 2))


def odd() -> list[History]:
    """Those whose clock stands still or goes back."""
    return [history for clock in CLOCKS for history in histories(len(clock), clock)]


def repeated(*, rising: bool) -> list[History]:
    """Histories in which some facts share an id, valid in one of two periods side by side, the first in the first,
    weaker evidence at most; the clock rises, or stands still at the last write."""
    found = []
    for length in (2, 3):
        times = (1, 2, 3)[:length] if rising else (1, 1) if length == 2 else (1, 2, 2)
        for names in _names(length):
            for history in histories(length, times):
                if history[0].valid != (0, 1) or any(
                    row.valid not in ((0, 1), (1, 2)) or row.confidence > 0.5 for row in history
                ):
                    continue
                token = RINGS["multidegree"].token
                found.append(tuple(r._replace(id=n, prov=token(n)) for r, n in zip(history, names, strict=True)))
    return found


def _names(length: int) -> list[str]:
    """Every way to share names, up to renaming, but the one in which all differ."""
    texts = [""]
    for _ in range(length):
        texts = [text + letter for text in texts for letter in "abc"[: len(set(text)) + 1]]
    return [text for text in texts if len(set(text)) < length]
