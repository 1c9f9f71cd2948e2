"""The smallest part of a schedule shows the same, is a part, and nothing more can be left out of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.agreement.random_schedules import random_schedule
from toki_verify.events import INIT, Abort, Commit, Event, PredicateRead, Read, Schedule, Write
from toki_verify.histories import smallest as module
from toki_verify.histories.of_trace import schedule_of_part
from toki_verify.histories.smallest import _Whole, smallest
from toki_verify.histories.trace import of_schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete


def bare(event: Event) -> Event:
    """An event without rows, of which a part may have fewer."""
    return replace(event, matched=(), unmatched=(), partial=True) if isinstance(event, PredicateRead) else event


def sources(schedule: Schedule) -> set[tuple[object, object]]:
    """Every read with the write that it saw."""
    resolved = schedule.resolved
    saw = [(place, seen) for place, seen in resolved.saw.items()]
    return {(schedule.events[at], "init" if seen == INIT else schedule.events[seen]) for at, seen in saw}


def in_full(seed: int) -> Schedule:
    """A random schedule in which every version is stated, as parts of traces are."""
    trace = of_schedule(random_schedule(seed, 24))
    return schedule_of_part(trace, range(len(trace.transactions)))


def cases(first: int, end: int) -> list[tuple[Schedule, str]]:
    found = []
    for seed in range(first, end):
        schedule = in_full(seed)
        reading = Concrete(schedule)
        present = [entry for entry in catalogue().values() if "[" not in entry.id and entry.id[:2] != "N3"]
        found += [(schedule, entry.id) for entry in present if reading.holds(entry.formula)]
    return found


def faults(schedule: Schedule, name: str, part: Schedule) -> list[str]:
    """What is wrong with a part that is said to be the smallest one that shows a phenomenon."""

    def shows(one: Schedule) -> bool:
        return Concrete(one).holds(catalogue()[name].formula)

    wrong = [] if shows(part) else ["it does not show it"]
    rest = iter([bare(event) for event in schedule.events])
    if not all(bare(event) in rest for event in part.events):
        wrong.append("its events are none of the schedule in their order")
    if not sources(part) <= sources(schedule):
        wrong.append("a read saw something else")
    whole = _Whole(part, shows, 10_000)
    ends = {(type(event), event.txn) for event in schedule.events if isinstance(event, (Commit, Abort))}
    stay = {event.txn for event in part.events}
    if {(type(event), event.txn) for event in part.events if isinstance(event, (Commit, Abort))} != {
        end for end in ends if end[1] in stay
    }:
        wrong.append("a transaction does not end as it did")
    for place, event in enumerate(part.events):
        if isinstance(event, (Commit, Abort)):
            continue
        fewer = whole.part([other for other in range(len(part)) if other != place])
        if fewer is not None and shows(fewer):
            wrong.append(f"{part.events[place]} is not needed")
    return wrong


def test_nothing_can_be_left_out_of_the_smallest_part() -> None:
    seen = set()
    for schedule, name in cases(0, 30):
        formula = catalogue()[name].formula
        part = smallest(schedule, lambda one, formula=formula: Concrete(one).holds(formula))  # type: ignore[misc]
        assert faults(schedule, name, part) == [], f"{name}\n{schedule!r}\n{part!r}"
        seen.add(name)
    assert len(seen) > 15


def test_too_large_parts_and_versions_without_labels_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    dirty = Schedule.parse("w1[x1] r3[y0] w2[x2] c1 c2 c3")
    p0 = catalogue()["P0"].formula
    assert str(smallest(dirty, lambda one: Concrete(one).holds(p0))) == str(Schedule.parse("w1[x1] w2[x2] c1 c2"))
    assert len(smallest(dirty, lambda one: Concrete(one).holds(p0), keep=[1])) == 6
    unlabelled = Schedule.parse("w1[x] r3[y] w2[x] c1 c2 c3")
    assert smallest(unlabelled, lambda one: True) is unlabelled
    monkeypatch.setattr(module, "EVENTS", 3)
    assert smallest(dirty, lambda one: True) is dirty
    with pytest.raises(ValueError, match="does not show"):
        smallest(dirty, lambda one: False)


def reads_stay(self: _Whole, place: int, number: int, chosen: set[int]) -> bool:
    return True


def one_round(self: _Whole, kept: list[int], groups: list[list[int]]) -> list[int]:
    return list(kept)


def ends_go(self: _Whole, kept: list[int], groups: list[list[int]], *, right: Any = _Whole.without) -> list[int]:
    return right(self, list(kept), [[place] for place in kept])  # type: ignore[no-any-return]


MUTANTS = {
    "reads of what is gone stay": ("_there", reads_stay),
    "nothing is left out": ("without", one_round),
    "commits are left out": ("without", ends_go),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_mutant_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    attribute, broken = MUTANTS[name]
    wrong: list[str] = []
    for schedule, phenomenon in cases(0, 12):
        formula = catalogue()[phenomenon].formula
        with monkeypatch.context() as patch:
            patch.setattr(_Whole, attribute, broken)
            try:
                part = smallest(schedule, lambda one, formula=formula: Concrete(one).holds(formula))  # type: ignore[misc]
            except IndexError:
                wrong.append("it falls over")
                continue
        wrong += faults(schedule, phenomenon, part)
    assert wrong


def test_the_budget_ends_it() -> None:
    tested = []

    def shows(one: Schedule) -> bool:
        tested.append(one)
        return any(isinstance(event, Write) for event in one.events)

    part = smallest(Schedule.parse("w1[x1] r2[x1] r2[y0] r2[z0] c1 c2"), shows, tests=2)
    assert len(tested) == 3 and any(isinstance(event, Read) for event in part.events) in (True, False)
    assert shows(part)
