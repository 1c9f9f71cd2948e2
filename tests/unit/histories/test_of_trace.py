"""A trace as a schedule: all of it is the schedule that it was made of; a part shows what its transactions show."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toki_verify.events import Schedule, Write
from toki_verify.histories.of_trace import schedule_of_part
from toki_verify.histories.trace import of_schedule
from toki_verify.inputs import load
from toki_verify.levels import families
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete
from toki_verify.search.strategies import schedules

SHIPPED = [
    schedule
    for source in load([str(Path(__file__).resolve().parents[3] / "schedules")])
    for schedule, _ in source.schedules
]
#: Phenomena that look at what a predicate read claims of rows that it does not list, or at what a callback says, differ
#: in nothing here: what was seen is listed.
FORMULAS = {
    **{name: entry.formula for name, entry in catalogue().items()},
    **{level.full_id: level.formula for family in families().values() for level in family.levels},
}


def answers(schedule: Schedule) -> dict[str, bool]:
    concrete = Concrete(schedule)
    return {name: bool(concrete.holds(formula)) for name, formula in FORMULAS.items()}


def whole(schedule: Schedule) -> Schedule:
    trace = of_schedule(schedule)
    return schedule_of_part(trace, range(len(trace.transactions)))


@pytest.mark.parametrize("start", range(8))
def test_all_of_a_shipped_schedule_is_that_schedule(start: int) -> None:
    for schedule in SHIPPED[start::8]:
        assert answers(whole(schedule)) == answers(schedule), str(schedule)


@settings(max_examples=60)
@given(schedules())
def test_all_of_a_drawn_schedule_is_that_schedule(schedule: Schedule) -> None:
    assert answers(whole(schedule)) == answers(schedule)


@settings(max_examples=60)
@given(schedules(), st.data())
def test_a_part_has_its_transactions_and_no_foreign_version(schedule: Schedule, data: st.DataObject) -> None:
    trace = of_schedule(schedule)
    chosen = data.draw(st.sets(st.integers(0, len(trace.transactions) - 1), min_size=1))
    try:
        part = schedule_of_part(trace, chosen)
    except ValueError as error:
        assert "without events" in str(error)
        return
    names = {trace.transactions[txn] for txn in chosen}
    assert set(part.resolved.txns) <= names
    written = {(event.item, event.version) for event in part.events if isinstance(event, Write)}
    assert written <= {
        (trace.items[item], trace.labels[version] or f"v{version}")
        for version, item in enumerate(trace.version_item.tolist())
    }
