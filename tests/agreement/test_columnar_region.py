"""Levels pinned to a table or a partition: the part of a trace that lies there, against `Within` over one schedule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests.agreement.random_schedules import random_schedule
from toki_verify.events import Schedule
from toki_verify.histories.columnar import decide as _registers
from toki_verify.histories.columnar import region as pins
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.trace import of_schedule
from toki_verify.levels.lattice import Level, families
from toki_verify.levels.spec import parse_spec, spec_parts
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.formulas import Region, Within

assert _registers
LEVELS = [level for family in families().values() for level in family.levels]
Narrow = Callable[[Reading, Region], Reading]
#: What no generator comes to: T1 writes elsewhere alone, so that T1 → T2 → T3 is dangerous (PostgreSQL); a callback.
WRITTEN = (
    "r1[y0] r2[z0] w3[z1] c3 w2[y1] r1[q0] c2 w1[memories:m1] c1",
    "r1[x0] cb1(R, h, 1) w1[x1 by await] c1 w2[memories:x1] c2",
)


def regions_of(schedule: Schedule) -> list[Region]:
    """Every table and partition of a schedule, and one that it does not have."""
    tables = sorted({item.table for item in schedule.resolved.items})
    partitions = sorted({(one.subject, one.predicate) for one in schedule.partitions.values()})
    both = [Region(table=tables[0], partition=partitions[0])] if tables and partitions else []
    return [*map(Region, tables), *(Region(partition=one) for one in partitions), *both, Region(table="nowhere")]


def schedule_of(case: int | str) -> Schedule:
    """The schedule of a seed or of a text."""
    return Schedule.parse(case) if isinstance(case, str) else random_schedule(case)


@cache
def expected(case: int | str) -> dict[tuple[Region, str], bool]:
    """Every level within every region, by the concrete reading."""
    schedule = schedule_of(case)
    concrete = Concrete(schedule)
    return {
        (region, level.full_id): concrete.holds(Within(level.formula, region))
        for region in regions_of(schedule)
        for level in LEVELS
    }


def wrong(case: int | str, narrow: Narrow) -> Iterator[tuple[Region, str]]:
    """Where a narrowed reading and the concrete one differ."""
    schedule = schedule_of(case)
    reading = Reading(of_schedule(schedule))
    for region in regions_of(schedule):
        part = narrow(reading, region)
        for level in LEVELS:
            if part.holds(level.full_id) is not expected(case)[region, level.full_id]:
                yield region, level.full_id


@pytest.mark.parametrize("block", range(4))
def test_a_pinned_level_is_that_of_the_concrete_reading(block: int) -> None:
    for seed in range(block * 25, block * 25 + 25):
        assert list(wrong(seed, pins.within)) == [], seed


@pytest.mark.parametrize("text", WRITTEN)
def test_what_happens_outside_a_region_can_count_in_it(text: str) -> None:
    assert list(wrong(text, pins.within)) == []


def test_pins_matter() -> None:
    """The levels within a region are often not those of the whole schedule."""
    differing: set[str] = set()
    for seed in range(40):
        concrete = Concrete(random_schedule(seed))
        differing |= {
            level.full_id
            for level in LEVELS
            for (_, name), holds in expected(seed).items()
            if name == level.full_id and holds is not concrete.holds(level.formula)
        }
    assert len(differing) > len(LEVELS) - 4


def test_a_specification_holds_where_all_its_parts_do() -> None:
    for seed in range(60):
        schedule = random_schedule(seed)
        reading = Reading(of_schedule(schedule))
        for text in ("RC+SR@memories", "SI@partition(s,p)+RC@facts", "adya:PL-2+PL-3@facts", "RU+cb"):
            level: Level = parse_spec(text)
            parts = [pins.holds_part(reading, part) for part in spec_parts(text)[1]]
            assert all(parts) is Concrete(schedule).holds(level.formula), (seed, text)


# -- broken versions ---------------------------------------------------------------------------------------------------
def _with(change: Callable[[Reading, Reading, Region], Reading]) -> Narrow:
    return lambda reading, region: change(reading, pins.within(reading, region), region)


def _writers_of_the_part(whole: Reading, part: Reading, region: Region) -> Reading:
    return Reading(part.trace)


def _without_votes(whole: Reading, part: Reading, region: Region) -> Reading:
    kept = part.trace.item >= 0
    place = np.append((np.cumsum(kept) - 1).astype(np.int32), np.int32(-1))
    columns = ("kind", "event", "txn", "item", "predicate", "version", "key", "vote")
    columns_kept = {name: getattr(part.trace, name)[kept] for name in columns}
    found = Reading(replace(part.trace, **columns_kept, writer=place[part.trace.writer]))
    found.index.is_writer = whole.index.is_writer
    return found


MUTANTS: dict[str, Narrow] = {
    "the writers are those of the part": _with(_writers_of_the_part),
    "judge calls and callbacks go": _with(_without_votes),
    "a partition is forgotten": lambda reading, region: pins.within(reading, replace(region, partition=None)),
    "a table is forgotten": lambda reading, region: pins.within(reading, replace(region, table=None)),
    "nothing is narrowed": lambda reading, region: reading,
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_broken_version_is_caught(name: str) -> None:
    assert any(next(wrong(case, MUTANTS[name]), None) for case in (*WRITTEN, *range(20))), name
