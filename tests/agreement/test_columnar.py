"""The columnar reading and the concrete one answer alike: every phenomenon, every level, on every small schedule.

Exhaustively on small schedules, on random ones, by Hypothesis, and on recorded traces where they are at hand. What a
phenomenon is shown by is enough: the transactions of those accesses, alone, show it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from columnar_cases import answers, columnar_answers, crowded_schedule, describe, narrowed, snapshot_schedule
from hypothesis import given, settings
from random_schedules import random_schedule

from toki_verify.checker import check
from toki_verify.events import Schedule
from toki_verify.histories.columnar.decide import all_levels, decide, missing, registered
from toki_verify.histories.trace import of_schedule
from toki_verify.inputs import load_file
from toki_verify.levels import families
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import named
from toki_verify.search.census import Alphabet, census
from toki_verify.search.strategies import schedules

#: name -> (size, alphabet, complete, version orders, how many of one the fast suite takes).
CENSUSES = {
    "classical": (5, Alphabet(), False, True, 90),
    "six events of three transactions": (6, Alphabet(aborts=False), True, True, 30),
    "two transactions in one partition": (6, Alphabet(transactions=2, aborts=False, partition=True), True, True, 40),
    "predicates": (6, Alphabet(aborts=False, predicates=True), True, True, 80),
    "predicates and aborts": (5, Alphabet(predicates=True), True, True, 60),
    "deletes, stated rows, a partition": (
        5,
        Alphabet(items=1, predicates=True, deletes=True, unmatched=True, partition=True),
        True,
        True,
        60,
    ),
    "deletes, stated rows, aborts": (
        3,
        Alphabet(transactions=2, predicates=True, deletes=True, unmatched=True),
        False,
        True,
        40,
    ),
    "judges": (4, Alphabet(reads=False, writes=False, judges=True), False, False, 40),
    "callbacks": (3, Alphabet(callbacks=True), False, False, 20),
}
#: Six events, with everything a schedule has: name -> the same, and in how many parts.
LARGE = {
    "six events": (6, Alphabet(), True, True, 1),
    "six events, unfinished": (6, Alphabet(), False, False, 16),
    "six events, predicates of two transactions": (
        6,
        Alphabet(transactions=2, predicates=True, partition=True),
        True,
        False,
        6,
    ),
    "six events, deletes, stated rows": (
        6,
        Alphabet(transactions=2, items=1, predicates=True, deletes=True, unmatched=True),
        True,
        True,
        4,
    ),
    "six events, predicates of three transactions": (
        6,
        Alphabet(items=1, predicates=True, aborts=False),
        True,
        True,
        1,
    ),
    "six events, judges": (6, Alphabet(reads=False, writes=False, judges=True), False, False, 3),
    "six events, judges among reads and writes": (6, Alphabet(transactions=2, judges=True), True, False, 3),
    "six events, callbacks": (6, Alphabet(transactions=2, callbacks=True), True, False, 3),
}
TRACES = sorted((Path(__file__).parents[2] / "examples").rglob("*.jsonl"))


def assert_agree(found: Iterable[Schedule]) -> int:
    count = 0
    for schedule in found:
        ours, theirs = columnar_answers(schedule), answers(schedule)
        wrong = {name: (ours[name], theirs[name]) for name in theirs if ours[name] != theirs[name]}
        assert not wrong, f"{describe(schedule)}\n(columnar, concrete): {wrong}"
        count += 1
    return count


def test_every_phenomenon_and_level_has_a_decider_and_nothing_else_has() -> None:
    assert missing() == (set(), set())
    assert registered() == (set(catalogue()), set(all_levels()))


def test_no_level_hangs_on_a_phenomenon_that_can_be_undecided() -> None:
    open_ = {entry.id for entry in catalogue().values() if entry.undecided is not None}
    assert open_ == {"N1", "N1[observed]"}
    for family in families().values():
        for level in family.levels:
            assert not open_ & set(named(level.formula))


@pytest.mark.parametrize("name", CENSUSES)
def test_a_share_of_every_census(name: str) -> None:
    size, alphabet, complete, orders, every = CENSUSES[name]
    found = census(size, alphabet, complete=complete, orders=orders)
    assert assert_agree(islice(found, 0, 40 * every, every)) > 30


@pytest.mark.heavy
@pytest.mark.parametrize("name", CENSUSES)
def test_every_census_in_full(name: str) -> None:
    size, alphabet, complete, orders, _ = CENSUSES[name]
    assert assert_agree(census(size, alphabet, complete=complete, orders=orders)) > 250


@pytest.mark.parametrize(
    ("name", "part"),
    [
        pytest.param(name, part, marks=pytest.mark.heavy if part == 0 else pytest.mark.census)
        for name, (*_, parts) in LARGE.items()
        for part in range(parts)
    ],
)
def test_censuses_of_six_events(name: str, part: int) -> None:
    """Every schedule of each. One part is for `make test-all`, the others for `make census`: hours on one core."""
    size, alphabet, complete, orders, parts = LARGE[name]
    found = census(size, alphabet, complete=complete, orders=orders)
    assert assert_agree(islice(found, part, None, parts)) > 10_000


def randoms(first: int, end: int) -> Iterator[Schedule]:
    for seed in range(first, end):
        yield random_schedule(seed, 14 if seed % 2 else 30)


def test_random_schedules() -> None:
    assert assert_agree(randoms(0, 300)) == 300


def test_crowded_schedules() -> None:
    assert assert_agree(map(crowded_schedule, range(100))) == 100


@pytest.mark.heavy
@pytest.mark.parametrize("first", range(1_000, 21_000, 5_000))
def test_many_crowded_schedules(first: int) -> None:
    assert assert_agree(map(crowded_schedule, range(first, first + 5_000))) == 5_000


def test_runs_of_a_store_with_snapshots() -> None:
    assert assert_agree(map(snapshot_schedule, range(200))) == 200


@pytest.mark.heavy
@pytest.mark.parametrize("first", range(1_000, 21_000, 5_000))
def test_many_runs_of_a_store_with_snapshots(first: int) -> None:
    assert assert_agree(map(snapshot_schedule, range(first, first + 5_000))) == 5_000


@pytest.mark.heavy
@pytest.mark.parametrize("first", range(1_000, 101_000, 10_000))
def test_many_random_schedules(first: int) -> None:
    assert assert_agree(randoms(first, first + 10_000)) == 10_000


@settings(max_examples=50)
@given(schedules())
def test_schedules_of_every_kind(schedule: Schedule) -> None:
    assert_agree([schedule])


@pytest.mark.heavy
@pytest.mark.parametrize("part", range(4))
@settings(max_examples=25_000, derandomize=False)
@given(schedule=schedules())
def test_many_schedules_of_every_kind(part: int, schedule: Schedule) -> None:
    """100,000 of them, in parts that several processes can share."""
    assert_agree([schedule])


@pytest.mark.heavy
def test_random_schedules_reach_every_answer() -> None:
    met: Counter[tuple[str, object]] = Counter()
    for schedule in randoms(0, 6_000):
        met.update(columnar_answers(schedule).items())
    always = {(name, side) for name in answers(schedule) for side in (True, False) if not met[name, side]}
    assert always == {("graph:RU", False)}


def test_the_checker_says_the_same_of_unknown_votes() -> None:
    text = "j1(R, t)=0 c1 j2(R, t) c2 w3[x1] c3"
    for events in (text, text.replace("c2", "a2"), text.replace(" c2", "=1 c2 j3(R, t)"), text.replace("=0", "")):
        schedule = Schedule.parse(events)
        verdict, decided = check(schedule), decide(of_schedule(schedule))
        assert decided.present == {name: finding.present for name, finding in verdict.findings.items()}
        assert decided.holds == {
            f"{family}:{name}": finding.holds
            for family, found in verdict.levels.items()
            for name, finding in found.items()
        }
    assert decide(of_schedule(Schedule.parse(text))).present["N1"] is None


def test_what_shows_a_phenomenon_shows_it_alone() -> None:
    shown: Counter[str] = Counter()
    for schedule in map(crowded_schedule, range(60)):
        trace = of_schedule(schedule)
        for name, found in decide(trace, levels=()).found.items():
            assert found.accesses, name
            smaller = narrowed(schedule, trace, found, own_items=name.startswith("N3"))
            if smaller is not None:
                assert Concrete(smaller).holds(catalogue()[name].formula), f"{name}\n{schedule!r}\n{smaller!r}"
                shown[name] += 1
    assert len(shown) > 40


def test_recorded_traces() -> None:
    found = [schedule for file in TRACES for schedule, _ in load_file(file, file.name).schedules]
    assert assert_agree(found) >= len(TRACES) > 1
