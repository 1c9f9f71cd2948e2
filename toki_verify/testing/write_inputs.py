"""What the machine gives to writers: facts of few ids, objects, partitions, periods, so that conflicts are common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from hypothesis import strategies as st

DAY: Final = timedelta(days=1)
BEGINNING: Final = datetime(2026, 3, 1)
#: Valid periods in days after the beginning: open, touching, overlapping, and one that two others share.
PERIODS: Final = ((0, None), (0, 2), (2, None), (1, 3))
OBJECTS: Final = ("penicillin", "amoxicillin", "ibuprofen")
WRITERS: Final = 3


@dataclass(frozen=True)
class What:
    """What is to be written: one of few ids, objects and strategies."""

    fact_id: str
    object: str
    strategy: int
    confidence: float

    def told(self, strategies: Sequence[str]) -> str:
        """For messages, with the names of the strategies."""
        by = strategies[self.strategy % len(strategies)]
        return f"{self.fact_id} {self.object} by {by}, confidence {self.confidence:g}"


@dataclass(frozen=True)
class When:
    """Of whom it is written, for which days, and whether time has passed since the fact before."""

    subject: str
    days: tuple[int, int | None]
    tick: bool

    def __str__(self) -> str:
        begin, end = self.days
        days = f"from day {begin}" if end is None else f"for days {begin} to {end}"
        return f"{self.subject} {days}{'' if self.tick else ', at the same time'}"


SIMPLEST_WHAT: Final = What("f1", OBJECTS[0], 0, 1.0)
SIMPLEST_WHEN: Final = When("alice", PERIODS[0], True)
WHATS: Final = st.sampled_from(
    [What(*found) for found in product(("f1", "f2", "f3", "f4"), OBJECTS, range(4), (1.0, 0.5))]
)
WHENS: Final = st.sampled_from(
    [When(*found) for found in product(("alice", "alice", "bob"), (*PERIODS[:1], *PERIODS), (True, True, False))]
)
NUMBERS: Final = st.integers(0, WRITERS - 1)
#: Of two writers in a race: most often they would elect different members.
VOTES: Final = st.sampled_from(((1, 0), (0, 1), (1, 0), (0, 1), (0, 0), (1, 1)))
#: After how many steps a writer is stopped: a resolution that asks an oracle takes about twelve, and what is read
#: before a transaction begins is read in the first.
CUTS: Final = st.sampled_from((1, 2, 3, 1, 4, 5, 6, 7, 1, 8, 10, 12))
