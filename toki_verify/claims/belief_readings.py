"""The readings of Corollary 1's scenario, each judged: what it shows, at which levels, what the serial oracle says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ..events.kinds import Read, Write
from .belief_programs import Fold, Scenario, lifted, printed, winning_fact
from .judged import yes
from .serial_oracle import PIN, Run, interleavings, judge, run_at, run_shows

#: The confidences of the example, and its revision: the second row overtakes the first.
GIVEN: Final = (1, 0)
REVISED: Final = ("m2", 2)
LEVELS: Final = ("RC", "SI", PIN, "SR")
NAMES: Final = ("A5B", "P4", "N2", "N2[lifted]", "N2[printed]")
_F: Final[Fold] = winning_fact

READINGS: Final[dict[str, Callable[[], Scenario]]] = {
    "rows are items, f_bc outside the partition": lambda: printed(GIVEN, _F, *REVISED),
    "rows are items, f_bc a row of the partition that only T_q writes and nobody reads": lambda: printed(
        GIVEN, _F, *REVISED
    ).with_cache_inside(),
    "rows are items, f_bc outside, T_w reads it too": lambda: printed(GIVEN, _F, *REVISED, reads_cache=True),
    "rows are items, f_bc a row of the partition and read with it": lambda: printed(
        GIVEN, _F, *REVISED, reads_cache=True
    ).with_cache_inside(),
    "T_q reads the partition twice, f_bc outside": lambda: printed(GIVEN, _F, *REVISED, twice=True),
    "the partition is one item, f_bc outside": lambda: lifted(GIVEN, _F, *REVISED, cache_inside=False),
    "the partition is one item, f_bc a part of it": lambda: lifted(GIVEN, _F, *REVISED, cache_inside=True),
}


def short(level: str) -> str:
    """A level without the names of the partition."""
    return level.replace(PIN, "RC+SR@partition")


def concurrent(scenario: Scenario) -> list[Run]:
    """The executions of the corollary: both read before either writes, and nothing uncommitted is overwritten."""
    found = []
    for run in interleavings(scenario.programs, scenario.initial):
        reads = [place for place, event in enumerate(run.events) if isinstance(event, Read)]
        writes = [place for place, event in enumerate(run.events) if isinstance(event, Write)]
        if max(reads) < min(writes) and run_at(run, "RC", scenario.inside):
            found.append(run)
    return found


@dataclass(frozen=True)
class Row:
    """A reading of the scenario and of 'I holds': the parts (i), (ii), (iii) of the corollary, and what the serial
    oracle says at each level."""

    reading: str
    invariant: str
    shows: tuple[str, ...]
    levels: tuple[str, ...]
    broken_at_si: bool
    restored: bool
    said: tuple[tuple[str, str], ...]

    @property
    def parts(self) -> tuple[bool, bool, bool]:
        """(i) write skew on the partition; (ii) under SI both commit and I is violated; (iii) SR on the partition
        excludes it and restores I."""
        return "A5B" in self.shows, self.broken_at_si, PIN not in self.levels and self.restored

    def __str__(self) -> str:
        said = "; ".join(
            f"{word} at {', '.join(short(level) for level, each in self.said if each == word)}"
            for word in dict.fromkeys(word for _, word in self.said)
        )
        one, two, three = map(yes, self.parts)
        parts = f"(i) {one}, (ii) {two}, (iii) {three}"
        return (
            f"{self.reading}; I {self.invariant}: {parts}. Shows {', '.join(self.shows) or 'nothing'}, at "
            f"{', '.join(map(short, self.levels))}; serial oracle: {said}"
        )


def table(readings: dict[str, Callable[[], Scenario]] = READINGS) -> list[Row]:
    """Every reading of the scenario with every reading of the invariant."""
    found = []
    for reading, make in readings.items():
        scenario = make()
        both = concurrent(scenario)
        shows = tuple(name for name in NAMES if all(run_shows(run, name, scenario.inside) for run in both))
        levels = tuple(level for level in LEVELS if any(run_at(run, level, scenario.inside) for run in both))
        for invariant, keeps in scenario.invariants().items():
            judged = {
                level: judge(scenario.programs, scenario.initial, keeps, level, scenario.inside) for level in LEVELS
            }
            broken = any(not keeps(run) and run_at(run, "SI", scenario.inside) for run in both)
            restored = judged[PIN].violation is None and judged[PIN].anomaly is not None
            said = tuple((level, each.said) for level, each in judged.items())
            found.append(Row(reading, invariant, shows, levels, broken, restored, said))
    return found
