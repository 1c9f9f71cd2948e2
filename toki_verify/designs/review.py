"""What is known of a design, as data: the verdict matrix, what was explored, the smallest runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations_with_replacement
from typing import Literal

from .cells import Cell
from .engine import Engine
from .machine import Machine
from .model import Described, Writer
from .runs import Run
from .straighten import straighten

Verdict = Literal["admits", "excludes", "undefined", "undecided"]


@dataclass(frozen=True, order=True)
class Bound:
    """How many writers and crashes a run may have."""

    writers: int
    crashes: int

    def __str__(self) -> str:
        crashes = f", {counted(self.crashes, 'crash', 'crashes')}" if self.crashes else ""
        return f"{counted(self.writers, 'writer', 'writers')}{crashes}"


@dataclass
class Found:
    """The smallest run that shows something: the bound and the write paths with which it came about."""

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
    #: How many answers the judge calls of its runs may have.
    votes: tuple[int, ...] = ()

    @property
    def bound(self) -> Bound | None:
        """The largest bound that was explored to its end."""
        return self.explored[-1].bound if self.explored else None

    @property
    def runs(self) -> int:
        """Schedules up to equivalence, of all bounds that were explored to their end."""
        return sum(entry.runs for entry in self.explored)

    @property
    def said(self) -> str:
        """The bound in words: of which runs the verdicts speak."""
        if not self.explored:
            return "no runs"
        most = max(self.votes, default=0)
        least = min(self.votes, default=0)
        votes = (
            "" if not most else f", {least} to {most} votes" if least < most else f", {counted(most, 'vote', 'votes')}"
        )
        return f"all runs of {self.explored[-1].bound}{votes}: {self.runs:,} schedules up to equivalence"

    def __getitem__(self, name: str) -> CellResult:
        return self.results[name]

    def admitted(self) -> tuple[str, ...]:
        """The cells that it admits, facets by surface left out."""
        return tuple(name for name, found in self.results.items() if found.verdict == "admits" and "@" not in name)


def counted(number: int, one: str, many: str) -> str:
    """`1 crash`, `2 crashes`."""
    return f"{number} {one if number == 1 else many}"


def bounds(writers: int, crashes: int) -> Iterator[Bound]:
    """The bounds up to one, smaller ones first."""
    for count in range(1, writers + 1):
        for number in range(crashes + 1):
            yield Bound(count, number)


def workloads(described: Described, writers: int) -> list[tuple[Writer, ...]]:
    """Which write paths the writers take: every choice, up to their order."""
    return list(combinations_with_replacement(described.writers, writers))
