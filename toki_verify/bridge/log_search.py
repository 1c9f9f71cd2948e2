"""N1 of a discipline at every level: the smallest history that shows it, or how many were looked at (SEMANTICS §6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from ..events import Schedule
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from .disciplines import Discipline
from .log_levels import CHAIN, height
from .protocol import Bound, Protocol, State

PHENOMENA: Final = ("N1", "N1[observed]")


class Disagreement(Exception):
    """A history of which the search and the definitions do not say the same."""


@dataclass(frozen=True)
class Cell:
    """N1 at a level: the smallest history that shows it, or None, if no history within the bound does."""

    level: str
    phenomenon: str
    schedule: Schedule | None

    @property
    def admitted(self) -> bool:
        """Whether N1 is there."""
        return self.schedule is not None


@dataclass(frozen=True)
class Decided:
    """A discipline, decided: its cells by (phenomenon, level), the bound, and how many histories are within it (up to
    what no definition can tell apart), where the search was not stopped by a witness at the highest level."""

    discipline: Discipline
    reading: str
    bound: Bound
    cells: dict[tuple[str, str], Cell]
    states: int
    confirmed: int

    def admits(self, name: str, level: str) -> bool:
        """Whether the discipline admits a phenomenon at a level."""
        return self.cells[name, level].admitted

    def guard(self, name: str = "N1") -> str:
        """The lowest level of the chain that excludes the phenomenon, or "none"."""
        for level in CHAIN:
            if not self.admits(name, level):
                return level
        return "none"


@dataclass
class _Visit:
    """How a state was reached by the fewest events, how many those are, and the height of its level."""

    parent: State | None
    events: tuple[str, ...]
    size: int
    height: int


def shown(state: State) -> tuple[bool, bool]:
    """Whether a state shows N1, and N1[observed]."""
    all_votes = {vote for _, vote in state.votes}
    if len(all_votes) < 2:
        return False, False
    return len({vote for txn, vote in state.votes if txn in state.committed}) > 1, True


@dataclass
class _Search:
    protocol: Protocol
    judge: Callable[[Schedule], tuple[int, tuple[bool, bool]]]
    #: Whether the definitions are asked about every history that shows N1, or only about those that are reported.
    confirm_all: bool
    visits: dict[State, _Visit] = field(default_factory=dict)
    found: dict[tuple[str, int], Schedule] = field(default_factory=dict)
    confirmed: int = 0

    def path(self, state: State) -> str:
        """The events that lead to a state."""
        parts: list[str] = []
        step: State | None = state
        while step is not None:
            visit = self.visits[step]
            parts.append(" ".join(visit.events))
            step = visit.parent
        return " ".join(part for part in reversed(parts) if part)

    def open(self, level: int) -> bool:
        """Whether some level up to this one has no history with N1 yet."""
        return any(("N1", lower) not in self.found for lower in range(level + 1))

    def run(self) -> None:
        """Histories by their number of events, smaller ones first."""
        start = self.protocol.start()
        self.visits[start] = _Visit(None, (), 0, 3)
        buckets: dict[int, list[State]] = {0: [start]}
        size = 0
        while buckets:
            layer = buckets.pop(size, [])
            showing: list[tuple[State, tuple[bool, bool]]] = []
            for state in layer:  # grows while it is walked: by steps without an event
                visit = self.visits[state]
                if visit.size != size:
                    continue
                flags = shown(state)
                if flags[1]:
                    showing.append((state, flags))
                if flags[0] or not self.open(visit.height):
                    continue
                for step in self.protocol.steps(state):
                    reached = size + len(step.events)
                    known = self.visits.get(step.state)
                    if known is not None and known.size <= reached:
                        continue
                    level = known.height if known else self.height_after(state, step.state, visit.height)
                    self.visits[step.state] = _Visit(state, step.events, reached, level)
                    if self.open(level):
                        (buckets.setdefault(reached, []) if step.events else layer).append(step.state)
            self.take(showing)
            size += 1

    def height_after(self, before: State, after: State, at_most: int) -> int:
        """The height of a state: only a commit or a dirty access can lower it."""
        same = before.committed == after.committed
        if same and before.dirty_read == after.dirty_read and before.dirty_write == after.dirty_write:
            return at_most
        return height(after, at_most)

    def take(self, showing: list[tuple[State, tuple[bool, bool]]]) -> None:
        """Of the histories of one size that show N1: for every level the first by transactions and text."""
        news = [
            entry for entry in showing if self.confirm_all or any(key not in self.found for key in self.keys(*entry))
        ]
        texts = sorted(
            ((len(state.committed | state.aborted), self.path(state), (state, flags)) for state, flags in news),
            key=lambda entry: entry[:2],
        )
        for _, text, (state, flags) in texts:
            open_keys = [key for key in self.keys(state, flags) if key not in self.found]
            if not open_keys and not self.confirm_all:
                continue
            schedule = Schedule.parse(text)
            level = self.visits[state].height
            if self.judge(schedule) != (level, flags):
                raise Disagreement(f"{text}: the search says {level}, {flags}; {self.judge(schedule)}")
            self.confirmed += 1
            self.found |= dict.fromkeys(open_keys, schedule)

    def keys(self, state: State, flags: tuple[bool, bool]) -> list[tuple[str, int]]:
        """The cells that a history with N1 is a witness for."""
        levels = range(self.visits[state].height + 1)
        return [(name, level) for name, flag in zip(PHENOMENA, flags, strict=True) if flag for level in levels]


def judged(schedule: Schedule) -> tuple[int, tuple[bool, bool]]:
    """The height of a schedule in the chain and which N1 it shows, by the definitions."""
    concrete = Concrete(schedule)
    levels = [n for n, name in enumerate(CHAIN) if concrete.holds(parse_spec(name).formula)]
    return max(levels), (
        concrete.holds(phenomenon("N1").formula),
        concrete.holds(phenomenon("N1[observed]").formula),
    )


#: Bounds by what recurs. Reduced ones are small enough for a second decider that walks every interleaving.
FULL: Final = {"within": Bound(1, 3, 1, 0, 1), "across": Bound(2, 2, 1, 1, 1)}
REDUCED: Final = {"within": Bound(1, 2, 1, 0, 1), "across": Bound(2, 1, 1, 0, 1)}


def decide_discipline(
    discipline: Discipline,
    bound: Bound | None = None,
    reading: str = "returned",
    *,
    protocol: Protocol | None = None,
    confirm_all: bool = False,
) -> Decided:
    """Both N1 at every level. Raises Disagreement if the definitions see a history otherwise than the search."""
    bound = bound or FULL[discipline.recurs]
    search = _Search(protocol or Protocol(discipline, bound, reading), judged, confirm_all)
    search.run()
    cells = {
        (name, level): Cell(level, name, search.found.get((name, number)))
        for name in PHENOMENA
        for number, level in enumerate(CHAIN)
    }
    return Decided(discipline, reading, bound, cells, len(search.visits), search.confirmed)
