"""Everything about a trace at once: every phenomenon and every level, three-valued where votes are unknown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ...levels.lattice import families
from ...phenomena.catalogue import catalogue
from ..trace import Trace
from . import agent, cycles, engine, erasure, events, pivots, reads, rows, stale
from . import levels as _levels
from .found import Found
from .reading import LEVELS, PHENOMENA, UNDECIDED, Reading

#: The modules that register deciders.
MODULES: Final = (agent, cycles, engine, erasure, events, _levels, pivots, reads, rows, stale)


@dataclass(frozen=True)
class Decided:
    """What a trace shows: `present` by id (None: undecided, an unknown vote), what shows the present ones, and which
    levels hold, by `family:id`."""

    present: dict[str, bool | None]
    found: dict[str, Found]
    holds: dict[str, bool | None]


def decide(trace: Trace, *, phenomena: Iterable[str] | None = None, levels: Iterable[str] | None = None) -> Decided:
    """Decide phenomena (ids; None: all) and levels (`family:id`; None: all) of a trace.

    Edges and graphs are made once. The time is about linear; where it is not, the functions say so (`missed.py`,
    `graphs.py`, `rows.py`). Raises KeyError for a name that is not in `registered()`.
    """
    reading = Reading(trace)
    present: dict[str, bool | None] = {}
    shown: dict[str, Found] = {}
    for name in catalogue() if phenomena is None else phenomena:
        answer = reading.present(name)
        present[name] = answer is not None
        if answer is not None:
            shown[name] = answer
        elif name in UNDECIDED and UNDECIDED[name](reading):
            present[name] = None
    # No built-in level has a phenomenon in its formula that can be undecided, so none of them is (a test asserts it).
    asked = all_levels() if levels is None else levels
    holds: dict[str, bool | None] = {name: reading.holds(name) for name in asked}
    return Decided(present, shown, holds)


def all_levels() -> list[str]:
    """Every built-in level by `family:id`."""
    return [level.full_id for family in families().values() for level in family.levels]


def registered() -> tuple[set[str], set[str]]:
    """The phenomena and the levels that have a decider here."""
    return set(PHENOMENA), set(LEVELS)


def missing() -> tuple[set[str], set[str]]:
    """The phenomena and the levels that have none."""
    return set(catalogue()) - set(PHENOMENA), set(all_levels()) - set(LEVELS)
