"""Everything about a trace at once: every phenomenon and every level, three-valued where votes are unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from ...levels.lattice import families
from ...levels.spec import Part
from ...phenomena.catalogue import catalogue
from ..trace import Trace
from . import agent, cycles, engine, erasure, events, pivots, reads, rows, stale
from . import levels as _levels
from .by_agent import AgentReport, by_agent
from .counting import Counted, counted
from .found import Found
from .reading import LEVELS, PHENOMENA, UNDECIDED, Reading
from .region import holds_part
from .shown import Shows, shows

#: The modules that register deciders.
MODULES: Final = (agent, cycles, engine, erasure, events, _levels, pivots, reads, rows, stale)

#: What is told of long work: what is done, how much of it, of how much.
Tell = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Decided:
    """What a trace shows: `present` by id (None: undecided, an unknown vote), what shows the present ones, and which
    levels hold, by `family:id`; of a specification that was asked for, which of its parts hold; how often each present
    phenomenon is there, what agents did to their memory, and the orders that show levels, where that was asked for.

    Where Ctrl-C came before everything was decided, `interrupted` says so; `unreached` are the phenomena and levels
    that nobody came to, which are None."""

    present: dict[str, bool | None]
    found: dict[str, Found]
    holds: dict[str, bool | None]
    parts: tuple[bool | None, ...] = ()
    counts: dict[str, Counted] = field(default_factory=dict)
    agents: AgentReport | None = None
    shows: Shows | None = None
    interrupted: bool = False
    unreached: frozenset[str] = frozenset()

    @property
    def declared(self) -> bool | None:
        """Whether all parts of the specification hold; None where that is open, or none was asked for."""
        return False if False in self.parts else None if None in self.parts or not self.parts else True


def decide(
    trace: Trace,
    *,
    phenomena: Iterable[str] | None = None,
    levels: Iterable[str] | None = None,
    parts: tuple[Part, ...] = (),
    limit: int | None = None,
    evidence: bool = False,
    tell: Tell | None = None,
) -> Decided:
    """Decide phenomena (ids; None: all) and levels (`family:id`; None: all) of a trace, and the parts of a
    specification (`levels/spec.py`). With `limit` count, too, and find so many of the first ones by time; with
    `evidence` find a serial order or timestamps.

    Edges and graphs are made once. The time is about linear; where it is not, the functions say so (`missed.py`,
    `graphs.py`, `rows.py`). `tell` hears how far it is; then Ctrl-C ends the deciding, and what is known is kept.
    Raises KeyError for a name that is not in `registered()`.
    """
    names = list(catalogue() if phenomena is None else phenomena)
    # No built-in level has a phenomenon in its formula that can be undecided, so none of them is (a test asserts it).
    asked = list(all_levels() if levels is None else levels)
    made = _Deciding(trace, tell)
    try:
        made.decide(names, asked, parts, limit, evidence)
        interrupted = False
    except KeyboardInterrupt:
        if tell is None:
            raise
        interrupted = True
    return Decided(
        {name: made.present.get(name) for name in names},
        made.shown,
        {name: made.holds.get(name) for name in asked},
        (*made.parts, *[None] * (len(parts) - len(made.parts))),
        made.counts,
        made.agents,
        made.shows,
        interrupted,
        frozenset({*names, *asked} - {*made.present, *made.holds}),
    )


@dataclass
class _Deciding:
    """What is known so far."""

    trace: Trace
    tell: Tell | None
    present: dict[str, bool | None] = field(default_factory=dict)
    shown: dict[str, Found] = field(default_factory=dict)
    holds: dict[str, bool | None] = field(default_factory=dict)
    parts: list[bool | None] = field(default_factory=list)
    counts: dict[str, Counted] = field(default_factory=dict)
    agents: AgentReport | None = None
    shows: Shows | None = None

    def decide(
        self, names: list[str], levels: list[str], parts: tuple[Part, ...], limit: int | None, evidence: bool
    ) -> None:
        """Decide all of it, in this order."""
        reading = Reading(self.trace)
        for number, name in enumerate(names):
            self._tell("phenomena", number, len(names))
            answer = reading.present(name)
            if answer is not None:
                self.shown[name] = answer
            self.present[name] = True if answer is not None else self._undecided(reading, name)
        for number, level in enumerate(levels):
            self._tell("levels", number, len(levels))
            self.holds[level] = reading.holds(level)
        for part in parts:
            self.parts.append(holds_part(reading, part))
        if limit is not None:
            self.count(reading, limit)
        if evidence:
            self._tell("orders", 0, 1)
            self.shows = shows(reading)

    def count(self, reading: Reading, limit: int) -> None:
        """Count what is present."""
        # Without a provenance or a surface every overwritten version is N3, which tells nothing.
        silent = not speaks_of_recovery(self.trace)
        names = [name for name in self.shown if not (silent and catalogue()[name].annotated)]
        for number, name in enumerate(names):
            self._tell("counts", number, len(names))
            found = counted(reading, name, limit)
            if found is not None:
                self.counts[name] = found
        self._tell("agents", 0, 1)
        self.agents = by_agent(reading, limit)

    def _undecided(self, reading: Reading, name: str) -> bool | None:
        return None if name in UNDECIDED and UNDECIDED[name](reading) else False

    def _tell(self, what: str, done: int, total: int) -> None:
        if self.tell is not None:
            self.tell(what, done, total)


def speaks_of_recovery(trace: Trace) -> bool:
    """Whether a trace states a provenance, or what the store keeps: only then is N3 an anomaly of it."""
    return bool((trace.prov >= 0).any() or trace.surface)


def all_levels() -> list[str]:
    """Every built-in level by `family:id`."""
    return [level.full_id for family in families().values() for level in family.levels]


def registered() -> tuple[set[str], set[str]]:
    """The phenomena and the levels that have a decider here."""
    return set(PHENOMENA), set(LEVELS)


def missing() -> tuple[set[str], set[str]]:
    """The phenomena and the levels that have none."""
    return set(catalogue()) - set(PHENOMENA), set(all_levels()) - set(LEVELS)
