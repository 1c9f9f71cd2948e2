"""Transactions as small programs with values, every execution a level allows, and the serial oracle (SEMANTICS §3, N2).

The store is multi-version: which version a read sees is a choice, and a level keeps the executions whose schedule
satisfies its formula. A violation that some serial order has too is no isolation anomaly.

`executions` takes every order of the transactions, and lets each read see any version committed before, or the own one.
That is enough for levels that ask for RC and otherwise only for edges (`graph`, and its pins joined with RC): such a
level neither reads what is uncommitted nor overwrites it, so a transaction's events can be moved to its commit without
changing an edge. `interleavings` makes every order of events and every version, committed or not; levels that look at
the order of events (locking) need it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import permutations
from typing import Any, Final

from ..events import Schedule
from ..events.kinds import INITIAL, Commit, Event, Item, Partition, Read, Write
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from ..relations.formulas import Formula

#: What is in the store, or what a program has read, by the name of the item.
State = Mapping[str, Any]
#: The partition that the programs are about, and the level that pins it to SR.
PARTITION: Final = Partition("alice", "lives_in")
PIN: Final = f"RC+SR@partition({PARTITION.subject},{PARTITION.predicate})"
#: How many executions `judge` looks at before it gives up.
LIMIT: Final = 200_000


@dataclass(frozen=True)
class Step:
    """A read of an item; or, with `value`, a write of what it computes from the latest values that the program has seen
    of each item. A `value` that returns None writes nothing."""

    item: str
    value: Callable[[State], Any] | None = None


@dataclass(frozen=True)
class Program:
    """A transaction: its name, and its steps; it commits after the last one."""

    name: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Run:
    """An execution. `events` by the numbers of the programs (from 1), `commits` these numbers in the order of their
    commits, `states` what is committed at first and after every commit."""

    names: tuple[str, ...]
    events: tuple[Event, ...]
    commits: tuple[int, ...]
    states: tuple[State, ...]

    @property
    def final(self) -> State:
        """What is in the store at the end."""
        return self.states[-1]

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The names of the programs in the order of their commits."""
        return tuple(self.names[number - 1] for number in self.commits)

    def schedule(self, inside: frozenset[str]) -> Schedule:
        """The schedule; items `inside` are rows of the partition."""
        return Schedule(self.events, partitions={_item(name): PARTITION for name in inside if self._has(name)})

    def _has(self, name: str) -> bool:
        return any(isinstance(event, (Read, Write)) and event.item == _item(name) for event in self.events)


#: What is asked of an execution.
Invariant = Callable[[Run], bool]


def _item(name: str) -> Item:
    """Rows are facts; the cache is a row of a table of its own."""
    return Item("belief" if name == "f_bc" else "facts", name)


@dataclass
class _Store:
    """Versions of every item: (number of the writer, value), in the order of the writes, and who has committed."""

    initial: State
    written: dict[str, tuple[tuple[int, Any], ...]]
    committed: tuple[int, ...] = ()

    def state(self, committed: tuple[int, ...]) -> State:
        found = dict(self.initial)
        for item, versions in self.written.items():
            for writer, value in versions:
                if writer in committed:
                    found[item] = value
        return found

    def visible(self, item: str, reader: int, dirty: bool) -> list[tuple[int, Any]]:
        versions = self.written.get(item, ())
        own = [version for version in versions if version[0] == reader]
        if own:
            return own[-1:]
        seen = [version for version in versions if dirty or version[0] in self.committed]
        return [(0, self.initial[item]), *seen]


def _advance(
    program: Program, number: int, at: int, seen: State, store: _Store, dirty: bool
) -> Iterator[tuple[State, _Store, tuple[Event, ...]]]:
    """Every outcome of a program's next step; the step after the last one commits."""
    if at == len(program.steps):
        yield seen, _Store(store.initial, store.written, (*store.committed, number)), (Commit(str(number)),)
        return
    step = program.steps[at]
    if step.value is None:
        for writer, value in store.visible(step.item, number, dirty):
            event = Read(str(number), _item(step.item), str(writer) if writer else INITIAL)
            yield {**seen, step.item: value}, store, (event,)
        return
    value = step.value(seen)
    if value is None:
        yield seen, store, ()
        return
    written = {**store.written, step.item: (*store.written.get(step.item, ()), (number, value))}
    event_written = Write(str(number), _item(step.item), str(number))
    yield {**seen, step.item: value}, _Store(store.initial, written, store.committed), (event_written,)


def _whole(
    programs: tuple[Program, ...], order: tuple[int, ...], store: _Store, events: tuple[Event, ...], latest: bool
) -> Iterator[tuple[_Store, tuple[Event, ...]]]:
    """Every execution of the programs one after the other; `latest`: each read sees the last version."""
    if not order:
        yield store, events
        return
    number, program = order[0], programs[order[0] - 1]
    stack: list[tuple[int, State, _Store, tuple[Event, ...]]] = [(0, {}, store, events)]
    while stack:
        at, seen, now, done = stack.pop()
        if at > len(program.steps):
            yield from _whole(programs, order[1:], now, done, latest)
            continue
        outcomes = list(_advance(program, number, at, seen, now, dirty=False))
        for after, left, new in outcomes[-1:] if latest else reversed(outcomes):
            stack.append((at + 1, after, left, (*done, *new)))


def _run(programs: tuple[Program, ...], store: _Store, events: tuple[Event, ...]) -> Run:
    states = tuple(store.state(store.committed[:count]) for count in range(len(store.committed) + 1))
    return Run(tuple(program.name for program in programs), events, store.committed, states)


def _orders(programs: tuple[Program, ...]) -> Iterator[tuple[int, ...]]:
    return permutations(range(1, len(programs) + 1))


def executions(programs: tuple[Program, ...], initial: State) -> Iterator[Run]:
    """Every execution up to the place of events before their commit: each order of commits, each version read."""
    for order in _orders(programs):
        for store, events in _whole(programs, order, _Store(initial, {}), (), latest=False):
            yield _run(programs, store, events)


def interleavings(programs: tuple[Program, ...], initial: State, *, latest: bool = False) -> Iterator[Run]:
    """Every order of the events, each read with every version written before it, committed or not; `latest`: with the
    last one only, as a store of single versions has it."""

    def extend(at: tuple[int, ...], seen: tuple[State, ...], store: _Store, events: tuple[Event, ...]) -> Iterator[Run]:
        if all(place > len(program.steps) for place, program in zip(at, programs, strict=True)):
            yield _run(programs, store, events)
        for index, program in enumerate(programs):
            if at[index] > len(program.steps):
                continue
            moved = (*at[:index], at[index] + 1, *at[index + 1 :])
            outcomes = list(_advance(program, index + 1, at[index], seen[index], store, dirty=True))
            for after, left, new in outcomes[-1:] if latest else outcomes:
                yield from extend(moved, (*seen[:index], after, *seen[index + 1 :]), left, (*events, *new))

    yield from extend((0,) * len(programs), ({},) * len(programs), _Store(initial, {}), ())


def single_version(programs: tuple[Program, ...], initial: State) -> Iterator[Run]:
    """Every order of the events in a store of single versions, which is what locking levels are about."""
    return interleavings(programs, initial, latest=True)


@dataclass(frozen=True)
class Report:
    """The serial executions, by the order of their programs: those that keep an invariant and those that break it."""

    keep: tuple[Run, ...]
    broken: tuple[Run, ...]

    @property
    def every_order_keeps(self) -> bool:
        """Whether no serial execution breaks it: only then is a violation one of isolation."""
        return not self.broken


def serial_oracle(programs: tuple[Program, ...], initial: State, invariant: Invariant) -> Report:
    """Run the programs in every serial order, each read the latest version, and ask the invariant of each."""
    found: tuple[list[Run], list[Run]] = ([], [])
    for order in _orders(programs):
        store, events = next(_whole(programs, order, _Store(initial, {}), (), latest=True))
        run = _run(programs, store, events)
        found[not invariant(run)].append(run)
    return Report(tuple(found[0]), tuple(found[1]))


@lru_cache(maxsize=50_000)
def _holds(events: tuple[Event, ...], inside: frozenset[str], formula: Formula) -> bool:
    return Concrete(Run((), events, (), ()).schedule(inside)).holds(formula)


def run_at(run: Run, level: str, inside: frozenset[str]) -> bool:
    """Whether an execution is at a level. Raises UnknownName."""
    return _holds(run.events, inside, _level(level))


def run_shows(run: Run, name: str, inside: frozenset[str]) -> bool:
    """Whether an execution shows a phenomenon. Raises UnknownName."""
    return _holds(run.events, inside, phenomenon(name).formula)


@lru_cache
def _level(text: str) -> Formula:
    return parse_spec(text).formula


@dataclass(frozen=True)
class Judgement:
    """Whether a level lets an isolation anomaly happen: True (every serial order keeps the invariant and `violation`
    breaks it), False (nothing breaks it, or a serial order does so too), None for `reason`."""

    anomaly: bool | None
    reason: str
    report: Report
    violation: Run | None = None
    looked_at: int = field(default=0, compare=False)

    @property
    def said(self) -> str:
        """In words."""
        if self.anomaly is None:
            return f"undecided: {self.reason}"
        return "isolation anomaly" if self.anomaly else "kept" if self.violation is None else "no isolation anomaly"


def judge(
    programs: tuple[Program, ...],
    initial: State,
    invariant: Invariant,
    level: str,
    inside: frozenset[str],
    *,
    every: Callable[[tuple[Program, ...], State], Iterator[Run]] = executions,
    limit: int = LIMIT,
) -> Judgement:
    """Look at every execution at a level (no more than `limit` in all) for one that breaks the invariant. The violation
    is one with the fewest events. Raises UnknownName."""
    report = serial_oracle(programs, initial, invariant)
    worst: Run | None = None
    count = 0
    for run in every(programs, initial):
        count += 1
        if count > limit:
            if worst is not None or report.broken:
                break
            return Judgement(None, f"more than {limit} executions", report, worst, count)
        if worst is not None and len(worst.events) <= len(run.events):
            continue
        if not invariant(run) and run_at(run, level, inside):
            worst = run
    if worst is None and count <= limit:
        return Judgement(False, "no execution at the level breaks it", report, None, count)
    if report.broken:
        return Judgement(False, f"the serial order {' '.join(report.broken[0].order)} breaks it", report, worst, count)
    return Judgement(True, "every serial order keeps it", report, worst, count)
