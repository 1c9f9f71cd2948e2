"""How many instances of a phenomenon a trace shows, and the first ones by time.

What an instance is, and when it is complete, the counters say (`count_*.py`, `instances.py`): reads, writes, pairs of a
transaction and an item, pairs of transactions, groups. `number` is at least 1 iff the phenomenon is present.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from . import (
    count_agent,
    count_events,
    count_forks,
    count_groups,
    count_lifted,
    count_pairs,
    count_pivots,
    count_reads,
    count_single,
)
from .found import Found
from .instances import COUNTERS, Counter, Instances, counts, merged
from .reading import Reading

#: The modules that register counters.
MODULES: Final = (
    count_agent,
    count_events,
    count_forks,
    count_groups,
    count_lifted,
    count_pairs,
    count_pivots,
    count_reads,
    count_single,
)


@dataclass(frozen=True)
class Counted:
    """How many instances there are, and what one is, in the plural; `exact` is False where a stated cap was reached
    and there are at least so many. `first` are the first ones by time (when the latest access comes), behind a cap of
    those that were looked at."""

    number: int
    unit: str
    exact: bool
    first: tuple[Found, ...]


def counted(reading: Reading, name: str, limit: int) -> Counted | None:
    """How many instances of a phenomenon there are, with the first `limit` of them; None where nothing counts it.

    Each `Found` is one instance: the transactions of its accesses, and of what these saw, show the phenomenon alone
    (of N3, as `erasure.py` says, only with all of its rows). Only to be asked where the phenomenon is present.
    """
    counter = COUNTERS.get(name)
    if counter is None:
        return None
    instances = counter.count(reading, limit)
    first = tuple(reading.completed(one) for one in instances.first(limit))
    return Counted(instances.number, counter.unit, instances.exact, first)


@counts("G1", "reads of what never was final or committed, and groups that depend on each other in a circle")
def g1(reading: Reading, limit: int) -> Instances:
    """Reads of G1a or G1b, each once, and the groups of G1c."""
    reads = [COUNTERS[name].count(reading, limit) for name in ("G1a", "G1b")]
    return merged(count_reads.either(reading, *reads), COUNTERS["G1c"].count(reading, limit))


__all__ = ["COUNTERS", "MODULES", "Counted", "Counter", "Instances", "counted"]
