"""The agreement of the counters can fail: broken ones, in place of right ones, show on a few schedules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from columnar_cases import crowded_schedule, snapshot_schedule
from count_cases import LIMIT, WRITTEN, differences
from count_oracle import oracle
from count_relations import Counts
from random_schedules import random_schedule

from toki_verify.events import Schedule
from toki_verify.histories.columnar import (
    count_events,
    count_forks,
    count_groups,
    count_lifted,
    count_pairs,
    count_pivots,
    count_reach,
    count_reads,
    count_single,
    events,
    instances,
    missed,
    reads,
)
from toki_verify.histories.columnar.arrays import Ints
from toki_verify.histories.columnar.counting import COUNTERS, Counter, Instances
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.trace import of_schedule


@cache
def pool() -> tuple[tuple[Schedule, Mapping[str, Counts]], ...]:
    found = [Schedule.parse(text) for text in WRITTEN]
    found += [*map(crowded_schedule, range(6)), *(random_schedule(seed, 30) for seed in range(0, 24, 2))]
    found += [snapshot_schedule(seed) for seed in (38, 55, 166, 12)]
    return tuple((schedule, oracle(schedule)) for schedule in found)


def disagreements(names: Iterable[str]) -> int:
    """How often the counters of these phenomena are wrong in the pool, or fail."""
    wrong = 0
    for schedule, expected in pool():
        reading = Reading(of_schedule(schedule))
        for name in names:
            try:
                made = COUNTERS[name].count(reading, LIMIT + len(expected[name]))
                wrong += differences(name, made, expected[name]) is not None
            except (IndexError, ValueError):
                wrong += 1
    return wrong


def _as_they_stand(self: Instances, limit: int) -> Ints:
    return np.arange(min(limit, len(self.time)))


def _by_time_of_the_first_access(reading: Reading, *columns: Ints) -> tuple[Ints, Ints, Ints]:
    table, _, place = _timed(reading, *columns)
    at = np.where(table >= 0, reading.index.event[table], 1 << 40).astype(np.int64)
    return table, at.min(axis=1, initial=1 << 40), place


_timed = instances.timed


def _every_row(key: Ints, time: Ints, place: Ints) -> Ints:
    return np.arange(len(key))


def _last_of(key: Ints, time: Ints, place: Ints) -> Ints:
    return _first_of(key, -time, -place)


_first_of = instances.first_of


def _one_fewer(self: Counter) -> Callable[[Reading, int], Instances]:
    def count(reading: Reading, limit: int) -> Instances:
        made = self.count(reading, limit)
        return replace(made, number=max(made.number - 1, 0))

    return count


def _whoever_committed(reading: Reading, limit: int) -> Instances:
    """G1a without the reader's commit."""
    places, _, writer = reads._foreign(reading)
    return count_reads._reads(reading, places, ~reading.index.committed[writer])


def _own_slot_next(reading: Reading) -> tuple[Ints, Ints]:
    slot, read = _stalest(reading)
    return np.where(read >= 0, slot - 1, slot), read


_stalest = count_reads._stalest


def _when_all_are_there(self: count_groups.Circles) -> tuple[Ints, Ints]:
    """A group is complete when all of its edges are."""
    begin, _ = _complete(self)
    label = self.edges[1]
    return begin, np.searchsorted(label, label[begin], side="right") if len(label) else begin


_complete = count_groups.Circles.complete.func  # type: ignore[attr-defined]


def _any_edge(reading: Reading, graph: Any, chosen: Ints | None = None) -> Instances:
    return _groups(reading, graph)


_groups = count_groups._groups


def _first_goal_only(graph: Any, start: Ints, goal: Ints) -> tuple[Any, bool]:
    kept, exact = _reached(graph, start, goal)
    return kept & (goal == (goal[kept][0] if kept.any() else -1)), exact


_reached = count_reach.reached


def _all_reached(graph: Any, start: Ints, goal: Ints) -> tuple[Any, bool]:
    return np.ones(len(start), bool), True


def _any_item(reading: Reading, forth: Any, back: Any) -> Any:
    return ((forth.kinds & back.kinds & missed.RW) > 0) | True


def _twice(reading: Reading) -> Any:
    """Pairs both ways round, each for itself."""
    for key, forth, back in _both(reading):
        yield key, forth, back
        yield key + (1 << 40), forth, back


_both = count_pairs._both


def _until_the_start(reading: Reading, until: Ints) -> Any:
    return _overwritten(reading, reading.index.start)


_overwritten = events.overwritten


def _with_itself(rank: Ints, upto: Ints, below: Ints) -> int:
    return _at_least(rank, upto, below) + len(rank)


_at_least = count_lifted.count_at_least


def _ends_last(reading: Reading, txn: Any, *columns: Any, **more: Any) -> Instances:
    """The edge that is complete last."""
    table, time, place = _timed(reading, *columns)
    kept = _last_of(txn, time, place)
    return Instances(table[kept], time[kept], place[kept], len(kept), more.get("exact", True))


Change = tuple[Any, str, Any]
SOME = ("P2", "P4", "A5B", "G-single", "P3[broad]", "G-SIa")
#: What is broken, and the phenomena whose numbers or times are then wrong.
MUTANTS: Mapping[str, tuple[Change, tuple[str, ...]]] = {
    "the first ones as they stand": ((Instances, "by_time", _as_they_stand), SOME),
    "complete with the first access": ((instances, "timed", _by_time_of_the_first_access), SOME),
    "every way is an instance": ((instances, "first_of", _every_row), ("A5B", "P3[broad]", "long-fork")),
    "complete in the last way": ((instances, "first_of", _last_of), ("A5B", "A5A", "A5B[event]")),
    "readers that did not commit count": ((COUNTERS, "G1a", Counter("reads", _whoever_committed)), ("G1a",)),
    "one too few": ((COUNTERS, "P1", Counter("reads", _one_fewer(COUNTERS["P1"]))), ("P1",)),
    "one's own version is another's": ((count_reads, "_stalest", _own_slot_next), ("P4",)),
    "a group is complete when all of it is": (
        (count_groups.Circles, "complete", property(_when_all_are_there)),
        ("G2", "G2-item"),
    ),
    "a group without an anti-dependency": ((count_groups, "_groups", _any_edge), ("G2",)),
    "only the first goal is reached": ((count_single, "reached", _first_goal_only), ("G-single",)),
    "every goal is reached": ((count_single, "reached", _all_reached), ("G-SIb", "G-monotonic")),
    "every write that was missed happens before": ((count_pairs, "reached", _all_reached), ("causality-violation",)),
    "skews on one item": ((count_pairs, "_two_items", _any_item), ("A5B",)),
    "pairs are ordered": ((count_pairs, "_both", _twice), ("A5B", "N2", "P3[skew]")),
    "nothing is overwritten before the end": ((count_events, "overwritten", _until_the_start), ("A5B[event]",)),
    "everybody is a pair with itself": ((count_lifted, "count_at_least", _with_itself), ("N2[lifted]",)),
    "edges of a fork that are complete last": ((count_forks, "best", _ends_last), ("long-fork",)),
    "anti-dependencies of a pivot that are complete last": (
        (count_pivots, "best", _ends_last),
        ("dangerous-structure",),
    ),
    "G1 is G1c": ((count_reads, "either", lambda reading, *parts: replace(parts[0], number=0)), ("G1",)),
}


def test_the_counters_are_right_in_the_pool() -> None:
    assert disagreements(COUNTERS) == 0


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_broken_counter_is_caught(mutant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (where, what, instead), names = MUTANTS[mutant]
    if isinstance(where, dict):
        monkeypatch.setitem(where, what, instead)
    else:
        monkeypatch.setattr(where, what, instead)
        for module in (count_events, count_forks, count_groups, count_lifted, count_pairs, count_pivots, count_reads):
            if where is instances and hasattr(module, what):
                monkeypatch.setattr(module, what, instead)
    assert disagreements(names) > 0
