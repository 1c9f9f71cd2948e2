"""A serial order or timestamps are accepted of a trace iff they show it: what the columnar reading finds is accepted,
and over all orders and numbers of a small trace some are accepted iff the level holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement, permutations
from typing import Any

import pytest
from columnar_cases import crowded_schedule, describe, snapshot_schedule
from random_schedules import random_schedule

from toki_verify.events import Schedule
from toki_verify.histories import trace_evidence
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.columnar.shown import shows
from toki_verify.histories.columns import COMMITTED
from toki_verify.histories.trace import Trace, of_schedule
from toki_verify.histories.trace_evidence import check_serial, check_times


def small(first: int, end: int) -> Iterator[tuple[Schedule, Trace, list[int]]]:
    """Schedules of up to three committed transactions."""
    for seed in range(first, end):
        for schedule in (random_schedule(seed, 16), snapshot_schedule(seed)):
            trace = of_schedule(schedule)
            committed = [txn for txn in range(len(trace.start)) if trace.outcome[txn] == COMMITTED]
            if len(committed) <= 3:
                yield schedule, trace, committed


def some_serial(trace: Trace, committed: list[int], sessions: bool) -> bool:
    return any(not check_serial(trace, order, sessions=sessions) for order in permutations(committed))


def some_times(trace: Trace, committed: list[int], sessions: bool) -> bool:
    """Commit numbers 1, 3, 5 in every order, and starts 0, 2, 4 for each."""
    for order in permutations(committed):
        commit = [-1] * len(trace.start)
        for at, txn in enumerate(order):
            commit[txn] = 2 * at + 1
        for chosen in combinations_with_replacement(range(0, 2 * len(order), 2), len(order)):
            for starts in set(permutations(chosen)):
                start = [-1] * len(trace.start)
                for txn, begun in zip(order, starts, strict=True):
                    start[txn] = begun
                if all(start[txn] < commit[txn] for txn in order) and not check_times(
                    trace, start, commit, sessions=sessions
                ):
                    return True
    return False


def disagreements(first: int, end: int) -> tuple[list[str], Counter[tuple[str, bool]]]:
    """Where accepting and holding differ, and how often each answer was met."""
    wrong: list[str] = []
    met: Counter[tuple[str, bool]] = Counter()
    for schedule, trace, committed in small(first, end):
        reading = Reading(trace)
        asked: dict[str, tuple[bool, Callable[[Trace, list[int], bool], bool], bool]] = {
            "graph:SR[G]": (reading.holds("graph:SR[G]"), some_serial, False),
            "graph:SI[G]": (reading.holds("graph:SI[G]"), some_times, False),
            "session:SER": (reading.holds("session:SER"), some_serial, True),
            "session:SI": (reading.holds("session:SI"), some_times, True),
        }
        for name, (holds, some, sessions) in asked.items():
            met[name, holds] += 1
            if some(trace, committed, sessions) is not holds:
                wrong.append(f"{name} {holds}: {describe(schedule)}")
    return wrong, met


def test_some_order_is_accepted_iff_the_level_holds() -> None:
    wrong, met = disagreements(0, 110)
    assert wrong == []
    assert len(met) == 8 and min(met.values()) > 5, met


@pytest.mark.heavy
def test_some_order_is_accepted_iff_the_level_holds_in_many_traces() -> None:
    assert disagreements(1_000, 5_000)[0] == []


def test_what_is_found_is_accepted() -> None:
    met: Counter[str] = Counter()
    for seed in range(150):
        for schedule in (random_schedule(seed, 20), snapshot_schedule(seed), crowded_schedule(seed)):
            trace = of_schedule(schedule)
            reading = Reading(trace)
            found = shows(reading)
            for level, sessions in (("graph:SR[G]", False), ("session:SER", True)):
                if reading.holds(level):
                    assert found.serial is not None
                    assert check_serial(trace, found.serial.tolist(), sessions=sessions) == [], describe(schedule)
                    met[level] += 1
            for level, sessions in (("graph:SI[G]", False), ("session:SI", True)):
                if reading.holds(level):
                    assert found.start is not None and found.commit is not None
                    times = (found.start.tolist(), found.commit.tolist())
                    assert check_times(trace, *times, sessions=sessions) == [], describe(schedule)
                    met[level] += not reading.holds("graph:SR[G]")
    assert met["graph:SI[G]"] > 5 and met["session:SI"] > 3 and met["session:SER"] > 50


def test_orders_that_are_none_are_refused() -> None:
    trace = of_schedule(Schedule.parse("w1[x1] c1 r2[x1] c2 w3[x2] a3"))
    assert check_serial(trace, [0, 1]) == []
    for order in ([0], [1, 0], [0, 1, 2], [0, 0], [0, 1, 1], [0, 7], [-1, 0]):
        assert check_serial(trace, order) != [], order
    assert check_times(trace, [0, 2, -1], [1, 3, -1]) == []
    for start, commit in (
        ([0, 0, -1], [1, 3, -1]),
        ([0, 2, 4], [1, 3, 5]),
        ([0, 2, -1], [3, 3, -1]),
        ([2, 2, -1], [1, 3, -1]),
    ):
        assert check_times(trace, start, commit) != [], (start, commit)


# -- mutants of the checker --------------------------------------------------------------------------------------------
def _nothing(facts: Any) -> None:
    """This part of the check is left out."""


def _no_rows(facts: Any, *, right: Any = trace_evidence._reads) -> None:
    facts.matching = {}
    right(facts)


def _overlapping(facts: Any, *, right: Any = trace_evidence._install) -> None:
    """Writers of one item may overlap."""
    said = list(facts.found)
    right(facts)
    facts.found[:] = [*said, *(text for text in facts.found if "while it ran" not in text)]


def _in_any_order(facts: Any, *, right: Any = trace_evidence._install) -> None:
    """Versions may be installed in another order than they stand in."""
    said = list(facts.found)
    right(facts)
    facts.found[:] = [*said, *(text for text in facts.found if "behind its own" not in text)]


def _uninstalled(facts: Any, *, right: Any = trace_evidence._reads) -> None:
    """Aborted and intermediate versions may be seen."""
    said = list(facts.found)
    right(facts)
    facts.found[:] = [*said, *(text for text in facts.found if "never installed" not in text)]


MUTANTS = {
    "reads are not looked at": ("_reads", _nothing),
    "rows that did not match are not looked at": ("_reads", _no_rows),
    "writers may overlap": ("_install", _overlapping),
    "versions in any order": ("_install", _in_any_order),
    "sessions do not count": ("_sessions", _nothing),
    "what never was installed may be seen": ("_reads", _uninstalled),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_evidence, *MUTANTS[name])
    assert any(disagreements(first, first + 20)[0] for first in range(0, 120, 20))
