"""The formulas and the oracle answer alike: every phenomenon, every level, every conflict edge.

Exhaustively on small schedules, on the shipped schedules, on random ones and by Hypothesis.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from deciders import REGIONS, assert_agree, describe, disagreements, library, oracle_answers, shipped
from hypothesis import given
from oracle import LEVELS, PHENOMENA, Facts
from random_schedules import random_schedule

from toki_verify.events import Schedule
from toki_verify.levels import families, parse_spec
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete
from toki_verify.search.census import Alphabet, census
from toki_verify.search.strategies import schedules

#: name -> (size, alphabet, complete, version orders, at least so many schedules).
CENSUSES = {
    "classical": (4, Alphabet(), False, True, 4_000),
    "two transactions in one partition": (6, Alphabet(transactions=2, aborts=False, partition=True), True, True, 6_500),
    "predicates": (5, Alphabet(aborts=False, predicates=True), True, True, 6_500),
    "deletes, stated rows, aborts": (
        3,
        Alphabet(transactions=2, predicates=True, deletes=True, unmatched=True),
        False,
        True,
        4_000,
    ),
    "deletes, stated rows, a partition": (
        4,
        Alphabet(predicates=True, deletes=True, unmatched=True, partition=True),
        True,
        True,
        2_000,
    ),
    "judges": (4, Alphabet(reads=False, writes=False, judges=True), False, False, 2_000),
    "callbacks": (3, Alphabet(callbacks=True), False, False, 1_000),
    "callbacks of one transaction": (4, Alphabet(transactions=1, items=1, callbacks=True), False, False, 250),
}
HEAVY = {
    "classical": (5, Alphabet(), False, True, 70_000),
    "three transactions in one partition": (6, Alphabet(aborts=False, partition=True), True, True, 7_500),
    "predicates": (6, Alphabet(aborts=False, predicates=True), True, False, 100_000),
    "predicates and aborts": (5, Alphabet(predicates=True), True, True, 20_000),
    "deletes, stated rows, aborts": (
        4,
        Alphabet(transactions=2, predicates=True, deletes=True, unmatched=True),
        False,
        False,
        120_000,
    ),
    "deletes, stated rows, a partition": (
        5,
        Alphabet(items=1, predicates=True, deletes=True, unmatched=True, partition=True),
        True,
        True,
        15_000,
    ),
    "judges": (5, Alphabet(reads=False, writes=False, judges=True), False, False, 20_000),
    "callbacks": (4, Alphabet(callbacks=True), False, False, 30_000),
}


def test_the_oracle_knows_every_phenomenon_and_level() -> None:
    assert PHENOMENA.keys() == catalogue().keys()
    assert LEVELS.keys() == {(family.id, level.id) for family in families().values() for level in family.levels}


@pytest.mark.parametrize("name", CENSUSES)
def test_census(name: str) -> None:
    size, alphabet, complete, orders, least = CENSUSES[name]
    assert_agree(census(size, alphabet, complete=complete, orders=orders), least)


@pytest.mark.heavy
@pytest.mark.parametrize("name", HEAVY)
def test_larger_census(name: str) -> None:
    size, alphabet, complete, orders, least = HEAVY[name]
    assert_agree(census(size, alphabet, complete=complete, orders=orders), least)


def test_library() -> None:
    assert_agree(library(), 250, pins=True)


@given(schedules())
def test_schedules_of_every_kind(schedule: Schedule) -> None:
    found = disagreements(schedule, pins=True)
    assert not found, f"{describe(schedule)}\n(formulas, oracle): {found}"


def test_the_callback_axis_can_be_pinned() -> None:
    """A pinned level is the condition on the items of the region: no boundary here, in the region or outside."""
    schedule = Schedule.parse("r1[x0] cb1(R, h, 0) w1[x1 by await] c1")
    assert LEVELS["graph", "cb"](Facts(schedule).within(REGIONS[0]))
    assert Concrete(schedule).holds(parse_spec("cb@facts").formula)


def randoms(first: int, end: int) -> Iterator[Schedule]:
    for seed in range(first, end):
        yield random_schedule(seed)


def test_random_schedules() -> None:
    assert_agree(randoms(0, 1_000), 1_000, pins=True)


@pytest.mark.heavy
def test_many_random_schedules() -> None:
    assert_agree(randoms(1_000, 21_000), 20_000, pins=True)


def test_random_schedules_reach_every_answer() -> None:
    """The agreement says something: each phenomenon and level is met both ways."""
    met: Counter[tuple[str, object]] = Counter()
    for schedule in randoms(0, 6_000):
        for name, answer in oracle_answers(schedule).items():
            if isinstance(answer, bool):
                met[name, answer] += 1
    always = {(name, side) for name in shipped().formulas for side in (True, False) if not met[name, side]}
    assert always == {("level[graph] RU", False)}
