"""The rule pages: one per phenomenon, and every schedule and guard on them is true."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from toki_verify.events import Schedule, ScheduleError, Write
from toki_verify.levels.lattice import DEFAULT_FAMILY, family
from toki_verify.notation.printer import print_schedule
from toki_verify.phenomena.catalogue import UnknownName, catalogue, phenomenon
from toki_verify.relations.concrete import Concrete

PAGES: dict[str, dict[str, Any]] = tomllib.loads(
    files("toki_verify.phenomena").joinpath("pages.toml").read_text(encoding="utf-8")
)
ABSENT = PAGES.pop("_absent")
ELSEWHERE = PAGES.pop("_elsewhere")
TEXTS = {"meaning", "hurts", "example", "clean", "guard", "guard_note"}
LISTS = {"relatives", "references"}
ISOLATION = ("RU", "RC", "SI", "SR")

#: At the level just below a guard ("-": at SR) a schedule shows the phenomenon; here where the page's example is lower.
AT_LEVEL_BELOW = {
    "P2": "r1[x0] w2[x1] c2 r1[x1] c1",
    "P3": "r1{P:} r2[x0] w1[x1] c1 w2[+y1 in P] c2",
    "A3": "r1{P:} w2[+y1 in P] c2 r1{P: y1} c1",
    "P4[event]": "r1[x0] w2[x1] a2 w1[x2] c1",
    "A5B[event]": "w3[x1] c3 r1[x1] r2[y0] w1[y1] c1 w2[x2] c2\norder x: 2 1",
    "G0": "w1[x1] w1[y1] c1 w2[x2] w2[y2] c2\norder y: 2 1",
    "G1c": "w1[x1] c1 r2[x1] w2[x2] c2\norder x: 2 1",
    "G1": "w1[x1] c1 r2[x1] w2[x2] c2\norder x: 2 1",
    "causality-violation": "w1[x1] c1 r2[x0] c2\nsession s: 1 2",
}
#: Pages whose guard_note says that a lower level is enough when no version order is stated.
ONLY_WITH_STATED_ORDER = {"A5B[event]", "G0", "G1c", "G1"}

each_page = pytest.mark.parametrize("name", list(catalogue()))


def shows(schedule: Schedule, name: str) -> bool:
    return Concrete(schedule).holds(catalogue()[name].formula)


def at(schedule: Schedule, level: str) -> bool:
    return Concrete(schedule).holds(family(DEFAULT_FAMILY).level(level).formula)


def without_one_event(schedule: Schedule) -> Iterator[Schedule]:
    """Every well-formed schedule that has one event less."""
    for position in range(len(schedule.events)):
        events = schedule.events[:position] + schedule.events[position + 1 :]
        written = {(event.item, event.version) for event in events if isinstance(event, Write)}
        txns = {event.txn for event in events}
        orders = {item: tuple(v for v in labels if (item, v) in written) for item, labels in schedule.order.items()}
        sessions = {key: tuple(t for t in members if t in txns) for key, members in schedule.sessions.items()}
        try:
            yield Schedule(
                events,
                init=schedule.init,
                order={item: labels for item, labels in orders.items() if labels},
                sessions=sessions,
                partitions=schedule.partitions,
                surface=schedule.surface,
            )
        except ScheduleError:
            continue


def test_every_phenomenon_has_a_page_and_every_page_a_phenomenon() -> None:
    assert list(PAGES) == list(catalogue())


@each_page
def test_page_has_its_texts(name: str) -> None:
    page = PAGES[name]
    assert (TEXTS | LISTS) - {"guard_note"} <= set(page) <= TEXTS | LISTS
    for key in TEXTS & set(page):
        assert isinstance(page[key], str) and page[key] == page[key].strip() != "", key
    for key in LISTS:
        assert page[key] and all(isinstance(entry, str) and entry for entry in page[key]), key
    assert not any("://" in entry for entry in page["references"])
    for key in ("meaning", "hurts"):
        assert page[key].endswith("."), key


@each_page
def test_example_shows_it_and_clean_neighbour_does_not(name: str) -> None:
    example, clean = (Schedule.parse(PAGES[name][key]) for key in ("example", "clean"))
    assert shows(example, name)
    assert not shows(clean, name)


@each_page
def test_schedules_are_printed_canonically_and_their_events_on_one_line(name: str) -> None:
    for key in ("example", "clean"):
        schedule = Schedule.parse(PAGES[name][key])
        assert print_schedule(schedule).rstrip() == PAGES[name][key]
        assert PAGES[name][key].count("\n") == bool(schedule.surface)


@each_page
def test_no_event_of_the_example_can_be_left_out(name: str) -> None:
    shorter = [str(s) for s in without_one_event(Schedule.parse(PAGES[name]["example"])) if shows(s, name)]
    assert shorter == []


@each_page
def test_relatives_exist(name: str) -> None:
    relatives = PAGES[name]["relatives"]
    assert set(relatives) <= set(catalogue()) - {name}
    assert len(set(relatives)) == len(relatives)


@each_page
def test_guard_is_a_level_that_its_example_lacks(name: str) -> None:
    guard = PAGES[name]["guard"]
    assert guard in (*ISOLATION, "cb", "-")
    if guard == "-":
        assert PAGES[name].get("guard_note"), "a page without a guard says why"
    else:
        assert not at(Schedule.parse(PAGES[name]["example"]), guard)


@each_page
def test_no_weaker_level_is_the_guard(name: str) -> None:
    guard = PAGES[name]["guard"]
    below = "SR" if guard in ("-", "cb") else ISOLATION[ISOLATION.index(guard) - 1]
    witness = Schedule.parse(AT_LEVEL_BELOW.get(name, PAGES[name]["example"]))
    assert shows(witness, name)
    assert at(witness, below)
    if guard == "-":
        assert at(witness, "cb")
    assert bool(witness.order) == (name in ONLY_WITH_STATED_ORDER)


def test_the_page_of_closed_rows_is_about_what_is_closed() -> None:
    """Where rows are closed, not all of them: the example and its clean neighbour differ in nothing else."""
    example, clean = (Schedule.parse(PAGES["N3[closed]"][key]) for key in ("example", "clean"))
    assert example.events == clean.events
    assert [[entry.part for entry in schedule.surface] for schedule in (example, clean)] == [["closed"], ["closed"]]
    assert example.surface != clean.surface


def test_names_that_stand_elsewhere_are_no_phenomena() -> None:
    for name, text in ELSEWHERE.items():
        page = "docs/designs.md" if "[" in name else "docs/bridge.md"
        assert name == name.casefold() and page in text and not text.endswith(".")
        with pytest.raises(UnknownName, match=re.escape(page)):
            phenomenon(name)


def test_absent_names_are_explained_and_absent() -> None:
    assert set(ABSENT) == {"P4C", "G-cursor"}
    assert not set(ABSENT) & set(catalogue())
    assert all(isinstance(text, str) and text.endswith(".") for text in ABSENT.values())


def test_patterns_have_no_guard() -> None:
    """A phenomenon the catalogue calls a pattern also occurs in serializable schedules."""
    assert [name for name, entry in catalogue().items() if entry.pattern and PAGES[name]["guard"] != "-"] == []
