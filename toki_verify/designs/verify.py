"""A design's verdict matrix: every run up to a bound, and what each question is answered by it.

Bounds grow: one writer, then two; without crashes, then with. The first run that shows something is thereby of the
fewest writers; among the runs of a bound the one with the fewest crashes, repeated attempts and events is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Literal

from .cells import Cell, Oracle, cells
from .engine import Engine
from .explore import Explorer, Stopped
from .machine import Machine, Step
from .model import Described, Design, Writer, describe
from .program import Program
from .runs import Run
from .serial import oracle
from .straighten import straighten

Verdict = Literal["admits", "excludes", "undefined", "undecided"]
#: Told of progress: what is being explored, runs so far.
Progress = Callable[["Bound", int], None]


@dataclass(frozen=True, order=True)
class Bound:
    """How many writers and crashes a run may have."""

    writers: int
    crashes: int

    def __str__(self) -> str:
        crashes = f", {_count(self.crashes, 'crash', 'crashes')}" if self.crashes else ""
        return f"{_count(self.writers, 'writer', 'writers')}{crashes}"


@dataclass
class Found:
    """The smallest run that shows something, and how it came about."""

    run: Run
    bound: Bound
    workload: tuple[str, ...]
    engine: Engine
    start: Machine

    @cached_property
    def straight(self) -> Run:
        """The run in its most readable order: the same class, so the same verdicts."""
        machine, steps = straighten(self.engine, self.start, self.run.steps)
        return Run(self.run.described, self.engine.statements, machine, steps)


@dataclass
class CellResult:
    """One cell: what the design does, and why. `vacuous` says that no run has anything of what it speaks of, `serial`
    that serial executions show it, too."""

    cell: Cell
    verdict: Verdict
    reason: str = ""
    found: Found | None = None
    vacuous: bool = False
    serial: bool = False


@dataclass
class Explored:
    """One bound: runs up to equivalence that belong to no smaller one, and the steps it took to find them."""

    bound: Bound
    runs: int = 0
    steps: int = 0
    serial_states: int = 0


@dataclass
class Review:
    """What is known of a design: its cells, and the bounds that were explored to their end."""

    described: Described
    results: dict[str, CellResult] = field(default_factory=dict)
    explored: list[Explored] = field(default_factory=list)
    stopped: str = ""
    seconds: float = 0.0

    @property
    def bound(self) -> Bound | None:
        """The largest bound that was explored to its end."""
        return self.explored[-1].bound if self.explored else None

    @property
    def said(self) -> str:
        """The bound in words: of which runs the verdicts speak."""
        if not self.explored:
            return "no runs"
        votes = _count(len(self.described.votes), "vote", "votes")
        runs = sum(entry.runs for entry in self.explored)
        return f"all runs of {self.explored[-1].bound}, {votes}: {runs:,} schedules up to equivalence"

    def __getitem__(self, name: str) -> CellResult:
        return self.results[name]


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def bounds(writers: int, crashes: int) -> Iterator[Bound]:
    """The bounds up to one, smaller ones first."""
    for count in range(1, writers + 1):
        for number in range(crashes + 1):
            yield Bound(count, number)


def workloads(described: Described, writers: int) -> Iterator[tuple[Writer, ...]]:
    """Which write paths the writers take: every choice, up to their order."""
    yield from combinations_with_replacement(described.writers, writers)


@dataclass
class _Asked:
    cell: Cell
    found: Found | None = None
    size: tuple[int, ...] = ()
    concerned: bool = False
    serial: bool = False


class Verifier:
    """Explores a design bound by bound. `only` are the cells to decide (default: all)."""

    def __init__(
        self,
        of: type[Design] | Design | Described,
        *,
        only: tuple[str, ...] | None = None,
        limit: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
        until_all_admit: bool = False,
    ) -> None:
        self.described = of if isinstance(of, Described) else describe(of)
        asked = [cell for cell in cells(self.described) if only is None or cell.id in only]
        self.asked = [_Asked(cell) for cell in asked if not cell.undefined]
        self.undefined = [cell for cell in asked if cell.undefined]
        self.limit, self.seconds, self.progress, self.until_all_admit = limit, seconds, progress, until_all_admit
        self.started = time.monotonic()
        self.review = Review(self.described)
        self.programs: dict[tuple[str, int], Program] = {}
        self.runs = 0

    def verify(self, writers: int = 2, crashes: int = 1) -> Review:
        """Explore up to a bound; the matrix. Raises DesignError for a design that cannot be explored."""
        for bound in bounds(writers, crashes):
            try:
                self._bound(bound)
            except Stopped as stopped:
                self.review.stopped = f"{stopped} while exploring {bound}"
                break
        self.review.results = {cell.id: self._undefined(cell) for cell in self.undefined}
        self.review.results |= {asked.cell.id: self._result(asked) for asked in self.asked}
        order = [cell.id for cell in cells(self.described)]
        self.review.results = {name: self.review.results[name] for name in order if name in self.review.results}
        self.review.seconds = time.monotonic() - self.started
        return self.review

    def _program(self, of: Writer, me: int) -> Program:
        key = (of.name, me)
        if key not in self.programs:
            self.programs[key] = Program(self.described, of, me)
        return self.programs[key]

    def _bound(self, bound: Bound) -> None:
        explored = Explored(bound)
        open_ = [asked for asked in self.asked if asked.found is None]
        for workload in workloads(self.described, bound.writers):
            engine = Engine(self.described)
            programs = tuple(self._program(writer, me) for me, writer in enumerate(workload, 1))
            start = engine.start(programs, bound.crashes)
            serial = Oracle()
            if any(asked.cell.serial for asked in self.asked):
                serial = oracle(engine, start, [asked.cell for asked in self.asked])
                explored.serial_states += len(serial.states)
                for asked in self.asked:
                    asked.serial |= asked.cell.id in serial.failed
            names = tuple(writer.name for writer in workload)

            def keep(run: Run, engine: Engine = engine, start: Machine = start, names: tuple[str, ...] = names) -> Found:
                return Found(run, bound, names, engine, start)

            def visit(
                machine: Machine,
                steps: tuple[Step, ...],
                engine: Engine = engine,
                serial: Oracle = serial,
                keep: Callable[[Run], Found] = keep,
            ) -> None:
                self.runs += 1
                if self.progress is not None and self.runs & 63 == 0:
                    self.progress(bound, self.runs)
                if self.seconds is not None and time.monotonic() - self.started > self.seconds:
                    raise Stopped(f"{self.seconds:g} seconds were over")
                if machine.crashes:  # such a run belongs to a smaller bound
                    return
                explored.runs += 1
                self._look(Run(self.described, engine.statements, machine, steps), serial, open_, keep)
                if self.until_all_admit and all(entry.found is not None for entry in self.asked):
                    raise Stopped("everything asked for is admitted")

            explorer = Explorer(engine, visit, limit=self.limit)
            try:
                explorer.explore(start)
            finally:
                explored.steps += explorer.counts.steps
        self.review.explored.append(explored)

    def _look(self, run: Run, serial: Oracle, asked: list[_Asked], keep: Callable[[Run], Found]) -> None:
        for entry in asked:
            cell = entry.cell
            entry.concerned = entry.concerned or cell.concerns(run)
            if entry.found is not None and run.size >= entry.size:
                continue
            if cell.shows(run, serial):
                entry.found, entry.size = keep(run), run.size

    def _undefined(self, cell: Cell) -> CellResult:
        return CellResult(cell, "undefined", cell.undefined)

    def _result(self, asked: _Asked) -> CellResult:
        cell = asked.cell
        if asked.found is not None:
            reason = "a serial execution shows it, too: no isolation anomaly" if asked.serial else ""
            return CellResult(cell, "admits", reason, asked.found, serial=asked.serial)
        if self.review.stopped:
            done = f"; excluded in {self.review.said}" if self.review.explored else ""
            return CellResult(cell, "undecided", f"stopped: {self.review.stopped}{done}")
        if not asked.concerned and cell.nothing:
            return CellResult(cell, "excludes", f"vacuously: {cell.nothing}", vacuous=True)
        return CellResult(cell, "excludes", f"in {self.review.said}")


def verify(of: type[Design] | Design | Described, *, writers: int = 2, crashes: int = 1) -> Review:
    """The verdict matrix of a design, decided on all runs of so many writers and crashes.

    Raises DesignError for a design that cannot be explored.
    """
    return Verifier(of).verify(writers, crashes)
