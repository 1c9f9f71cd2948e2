"""Two writers of one partition at once, each through Algorithm 1 (TOKI 2026, lines 1, 6, 7, 12, 22)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from ..algebra import Fact, contradicts
from ..algebra.errors import SeveralIncumbents
from .judged import at, shows
from .printed_algorithm import Memory, ingest
from .small_facts import fact, told

#: What each writer does: read the partition (line 1), insert its fact (line 7), commit (line 22).
_STEPS: Final = ("r", "w", "c")
#: Pins of line 12 under which both may run: those of ⊕t, ⊕p, ⊕? and, as a pin of its table alone, ⊕c.
PINS: Final = ("RC", "SI", "RC+cb", "RC+SR@policy")
PAIR: Final = (fact("a", "x", at=1), fact("b", "y", at=2))
#: A third fact, which contradicts both.
THIRD: Final = fact("d", "z", at=3)


@dataclass(frozen=True)
class Race:
    """An order of the steps of two writers of whom neither reads what the other committed, as a schedule in which each
    reads the partition by its predicate; and the rows that are open after it."""

    schedule: str
    rows: tuple[Fact[Any], ...]

    def is_at(self, level: str) -> bool:
        """Whether the schedule is at a level."""
        return at(self.schedule, level)

    @property
    def phantom(self) -> bool:
        """Whether the schedule shows P3."""
        return shows(self.schedule, "P3")


def orders() -> Iterator[tuple[str, ...]]:
    """Every order of the steps of both writers."""
    for places in combinations(range(6), 3):
        steps = {1: iter(_STEPS), 2: iter(_STEPS)}
        numbers = [1 if place in places else 2 for place in range(6)]
        yield tuple(f"{next(steps[number])}{number}" for number in numbers)


_EVENTS: Final = {
    "r": 'r{n}{{facts:"p":}}',
    "w": 'w{n}[+facts:{name}1 in "p"]',
    "c": "c{n}",
}


def races() -> list[Race]:
    """Every order in which both writers read an empty partition, early reads first, and what Algorithm 1 leaves."""
    found = []
    for order in sorted(orders(), key=lambda order: order.index("r1") + order.index("r2")):
        if order.index("r1") > order.index("c2") or order.index("r2") > order.index("c1"):
            continue
        text = " ".join(_EVENTS[step[0]].format(n=step[1], name=PAIR[int(step[1]) - 1].fact_id) for step in order)
        rows = [row for each in PAIR for row in ingest(Memory(), each, each.system_time_start)[0].rows]
        found.append(Race(text, tuple(rows)))
    return found


def contradicting(race: Race) -> bool:
    """Whether two open rows contradict after it."""
    return any(contradicts(*pair) for pair in combinations(race.rows, 2))


def third_is_refused(race: Race) -> bool:
    """Whether a fact that comes then meets both, so that the three are a conflict set, and is refused (line 9)."""
    try:
        ingest(Memory(race.rows), THIRD, THIRD.system_time_start)
    except SeveralIncumbents:
        return all(contradicts(*pair) for pair in combinations((*race.rows, THIRD), 2))
    return False


def told_race(race: Race) -> str:
    """The facts of the two writers, and the schedule."""
    return f"T1 writes {told(PAIR[0])}; T2 writes {told(PAIR[1])}: {race.schedule}"
