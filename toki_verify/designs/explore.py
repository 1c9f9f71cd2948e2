"""Every run of a few writers, each equivalence class once: source-set DPOR with sleep sets.

Two runs are equivalent where one comes from the other by exchanging neighbouring steps that are independent
(`footprint.py`); everything that is decided about a run is the same for the whole class. At a state not every writer
that could go on is tried: one is, and others where a race of a later step with the step taken here shows that the order
matters (source sets: Abdulla, Aronsson, Jonsson and Sagonas 2014). Sleep sets (Godefroid 1996) keep a class from being
finished twice. A race for a lock is one between the steps that take it: what lies between, its being given back, is no
obstacle. All votes, callbacks and crashes of a writer that is tried are tried.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random

from .engine import Engine
from .footprint import Footprint
from .machine import Machine, Step

#: A finished run: its last state, its steps.
Visit = Callable[[Machine, tuple[Step, ...]], None]


#: Steps that a run may have: writers times attempts times operations, with room.
_DEEP = 50_000


@contextmanager
def deep() -> Iterator[None]:
    """Recursion as deep as a run is long."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class Stopped(Exception):
    """The exploration was stopped: by a limit, or because who asked knows enough."""


@dataclass
class Counts:
    """What an exploration did: finished runs, runs given up because a sleep set covers them, steps."""

    runs: int = 0
    covered: int = 0
    steps: int = 0


@dataclass(slots=True)
class Event:
    """A step that was taken."""

    step: Step
    footprint: Footprint
    #: Indices of the events that happen before this one, as bits.
    before: int


@dataclass(slots=True)
class _Frame:
    machine: Machine
    options: dict[int, list[Step]]
    sleep: dict[Step, Footprint]
    backtrack: list[int] = field(default_factory=list)


class Explorer:
    """Explores from one state. `visit` sees each finished run; `limit` bounds the steps (Stopped beyond it). With a
    `seed` the writers are tried in a shuffled order: other runs come first, and stand for their classes."""

    def __init__(
        self, engine: Engine, visit: Visit, *, limit: int | None = None, reduce: bool = True, seed: str | None = None
    ) -> None:
        self.engine, self.visit, self.limit, self.reduce = engine, visit, limit, reduce
        self._random = None if seed is None else Random(seed)
        self.counts = Counts()
        self._events: list[Event] = []
        self._frames: list[_Frame] = []

    def explore(self, machine: Machine, sleep: dict[Step, Footprint] | None = None) -> Counts:
        """Every run from a state, up to equivalence; steps in `sleep` are covered elsewhere."""
        with deep():
            self._go(machine, dict(sleep or {}))
        return self.counts

    def _go(self, machine: Machine, sleep: dict[Step, Footprint]) -> None:
        writers = list(machine.writers())
        if self._random is not None:
            self._random.shuffle(writers)
        options = {writer: found for writer in writers if (found := self.engine.options(machine, writer))}
        if not options:
            self.counts.runs += 1
            self.visit(machine, tuple(event.step for event in self._events))
            return
        frame = _Frame(machine, options, sleep)
        # A writer of which no way to go on sleeps: its races show which others to try. Where there is none, all that do
        # not sleep are tried, for a way that sleeps is not gone here, and its races would not be seen. Nor does one
        # that waits, and can only crash, stand for what it does when it waits no more.
        whole = [
            writer for writer, found in options.items() if sleep.keys().isdisjoint(found) and not _waits(frame, writer)
        ]
        able = [writer for writer, found in options.items() if any(step not in sleep for step in found)]
        if not able:
            self.counts.covered += 1
            return
        frame.backtrack = (whole[:1] or able) if self.reduce else list(options)
        self._frames.append(frame)
        tried = 0
        while tried < len(frame.backtrack):
            writer = frame.backtrack[tried]
            tried += 1
            for step in options[writer]:
                if step in sleep:
                    continue
                self.counts.steps += 1
                if self.limit is not None and self.counts.steps > self.limit:
                    raise Stopped(f"{self.limit} steps")
                done = self.engine.step(machine, step)
                event = self._event(step, done.footprint, done.behind)
                if self.reduce:
                    self._races(event)
                self._events.append(event)
                footprint = done.footprint
                awake = {
                    other: touched
                    for other, touched in sleep.items()
                    if other.writer != writer and not touched.conflicts(footprint)
                }
                self._go(done.machine, awake)
                self._events.pop()
                sleep[step] = footprint
        self._frames.pop()

    def _event(self, step: Step, footprint: Footprint, behind: Iterable[int]) -> Event:
        return Event(step, footprint, happened_before(self._events, step, footprint, behind))

    def _races(self, event: Event) -> None:
        """Where the event races with an earlier one, the writers to try there too."""
        events, writer = self._events, event.step.writer
        depends = [
            index
            for index, other in enumerate(events)
            if other.step.writer == writer or other.footprint.conflicts(event.footprint)
        ]
        for index in depends:
            other = events[index].step.writer
            if other == writer or self._hidden(index, other, depends):
                continue
            frame = self._frames[index]
            wanted = [
                found
                for found, step in self._initials(index, event)
                if found in frame.options and (step.choice == "crash" or not _waits(frame, found))
            ]
            if any(found in frame.backtrack for found in wanted):
                continue
            if wanted:
                frame.backtrack.append(writer if writer in wanted else wanted[0])

    def _hidden(self, index: int, other: int, depends: list[int]) -> bool:
        """Whether an event of a third writer, or an earlier one of this writer, lies between: then the race is with
        that one. Later steps of the other writer are no obstacle: they may be the giving back of what this one needs,
        which it can only wait for."""
        bit = 1 << index
        return any(
            self._events[between].before & bit and self._events[between].step.writer != other for between in depends
        )

    def _initials(self, index: int, event: Event) -> list[tuple[int, Step]]:
        """The writers that can go first in the events behind `index` that do not need it, and then the event; and how
        each goes."""
        mask, first = 0, dict[int, int]()
        for later in range(index + 1, len(self._events)):
            found = self._events[later]
            if not found.before >> index & 1:
                mask |= 1 << later
                first.setdefault(found.step.writer, later)
        wanted = [(writer, self._events[at].step) for writer, at in first.items() if not self._events[at].before & mask]
        if event.step.writer not in first and not event.before & mask:
            wanted.append((event.step.writer, event.step))
        return wanted


def _waits(frame: _Frame, writer: int) -> bool:
    """Whether a writer waits, and all that it can do is crash."""
    return bool(frame.options[writer][0].choice == "crash")


def happened_before(events: list[Event], step: Step, footprint: Footprint, behind: Iterable[int]) -> int:
    """The events, as bits, that happen before one that follows them."""
    found = 0
    circle = set(behind)
    for index in range(len(events) - 1, -1, -1):
        if found >> index & 1:
            continue
        event = events[index]
        writer = event.step.writer
        if writer == step.writer or writer in circle or event.footprint.conflicts(footprint):
            found |= event.before | 1 << index
    return found


#: A class of runs: what each writer did, and which steps happen before which.
Trace = tuple[frozenset[tuple[tuple[int, int], object]], frozenset[tuple[tuple[int, int], tuple[int, int]]]]


def trace_of(events: list[Event]) -> Trace:
    """The equivalence class of a run."""
    counts: dict[int, int] = {}
    names: list[tuple[int, int]] = []
    for event in events:
        writer = event.step.writer
        names.append((writer, counts.get(writer, 0)))
        counts[writer] = counts.get(writer, 0) + 1
    labels = frozenset((name, event.step.choice) for name, event in zip(names, events, strict=True))
    pairs = frozenset(
        (names[before], names[after])
        for after, event in enumerate(events)
        for before in range(after)
        if event.before >> before & 1
    )
    return labels, pairs


class BruteForce:
    """Every interleaving, one by one: what the reduction is compared with. `traces` are the classes it has seen."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.runs = engine, 0
        self.traces: set[Trace] = set()
        self._events: list[Event] = []

    def explore(self, machine: Machine) -> None:
        """Every run from a state."""
        ended = True
        for writer in machine.writers():
            for step in self.engine.options(machine, writer):
                ended = False
                done = self.engine.step(machine, step)
                before = happened_before(self._events, step, done.footprint, done.behind)
                self._events.append(Event(step, done.footprint, before))
                self.explore(done.machine)
                self._events.pop()
        if ended:
            self.runs += 1
            self.traces.add(trace_of(self._events))
