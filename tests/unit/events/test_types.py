"""A Schedule built from Python is as sound as one that was read: types, canonical values, immutability."""

from __future__ import annotations

from typing import Any

import pytest

from toki_verify.events import Callback, Commit, InitialVersion, Item, Judge, Read, Schedule, ScheduleError, Write
from toki_verify.events.types import value_fault
from toki_verify.events.values import json_text

X = Item("facts", "x")


@pytest.mark.parametrize("event", [
    Read("1", X, "0", "fifty"), Read("1", X, "0", "1.0"), Read("1", X, "0", "NaN"), Read("1", X, "0", 1),
    Read("1", X, "0", b"1"), Write("1", X, "1", predicates=["P"]), Write("1", X, "1", predicates="PQ"),
    Read("1", ("facts", "x"), "0"), Read("1", None), Callback("1", "R", "h", 1.5), Commit("1", time="soon"),
    Commit("1", extra=(("op", "1"),)), Commit("1", extra=[("a", "1")]), Judge("1", "R", "theta"),
    Judge("1", "R", '"t"', "1.0"), Judge("1", "R", '"t"', "null"), Judge("1", "R", "1"), None, "c1", 1,
])  # fmt: skip
def test_wrong_types_are_schedule_errors(event: Any) -> None:
    with pytest.raises(ScheduleError) as caught:
        Schedule([event])
    assert {problem.rule for problem in caught.value.problems} == {"type"}


def test_wrong_initial_versions() -> None:
    for initial in (InitialVersion("fifty"), InitialVersion("1", ["P"]), 3):  # type: ignore[arg-type]
        with pytest.raises(ScheduleError):
            Schedule([Commit("1")], init={X: initial})  # type: ignore[dict-item]


def test_values_have_one_text() -> None:
    assert value_fault(json_text(1.0)) is None and json_text(1.0) == "1"
    assert value_fault('{"b":1,"a":2}') is not None and value_fault(json_text({"b": 1, "a": 2})) is None


def test_what_follows_from_a_schedule_cannot_be_changed() -> None:
    schedule = Schedule.parse("r1[x0] w1[x1] c1")
    with pytest.raises(AttributeError):
        schedule.resolved.committed.clear()
    with pytest.raises(AttributeError):
        schedule.__init__([Commit("1")])  # type: ignore[misc]
    with pytest.raises(TypeError):
        schedule.resolved.order[X] = []


def test_repr_is_the_schedule() -> None:
    schedule = Schedule.parse("init x0=1\norder x: 0 2 1\nsession s: 1 2\nw1[x1] c1 w2[x2] c2")
    assert eval(repr(schedule), {"Schedule": Schedule}) == schedule
