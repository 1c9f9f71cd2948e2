"""Preconditions: a lattice on every axis, and pins beside it."""

from __future__ import annotations

from itertools import product

import pytest

from toki_verify.algebra import Pipeline, Precondition
from toki_verify.algebra.operators import AWAIT, EVIDENCE, LWW, OPERATORS, RULE
from toki_verify.algebra.pipeline import precondition
from toki_verify.algebra.preconditions import ISO, REQUIREMENTS, composite

ALL = [
    Precondition(iso, cb, frozenset(pins), schema)
    for iso, cb, pins, schema in product(ISO, (False, True), ((), ("policy",), ("policy", "judge_log")), REQUIREMENTS)
]


def test_the_join_is_the_least_upper_bound() -> None:
    for one, other in product(ALL, repeat=2):
        join = one.join(other)
        assert join == other.join(one) and join.dominates(one) and join.dominates(other)
        assert all(each.dominates(join) for each in ALL if each.dominates(one) and each.dominates(other))


def test_dominance_is_an_order() -> None:
    for one, other in product(ALL, repeat=2):
        assert one.dominates(one)
        assert not (one.dominates(other) and other.dominates(one)) or one == other
    for one, other, third in product(ALL[::3], repeat=3):
        assert not (one.dominates(other) and other.dominates(third)) or one.dominates(third)
        assert one.join(other).join(third) == one.join(other.join(third))


def test_isolation_and_callback_are_incomparable() -> None:
    si, cb = Precondition("SI"), Precondition("RC", cb=True)
    assert not si.dominates(cb) and not cb.dominates(si)
    assert si.join(cb).level == "SI+cb"


def test_what_the_operators_ask_for() -> None:
    asked = {found.id: str(found.precondition) for found in OPERATORS.values()}
    assert asked == {"lww": "RC", "evi": "SI", "await": "RC+cb", "rule": "RC+SR@policy"}
    assert {found.precondition.schema for found in OPERATORS.values()} == {"audit-row"}


def test_the_two_treatments_of_the_policy() -> None:
    assert precondition(RULE, "pin") == RULE.precondition
    assert str(precondition(RULE, "level")) == "SR"
    for found in (LWW, EVIDENCE, AWAIT):
        assert precondition(found, "level") == precondition(found, "pin") == found.precondition
    assert str(Pipeline[int].of("evi", "rule", "await").precondition()) == "SI+cb+SR@policy"
    assert str(Pipeline[int].of("evi", "rule", "await").precondition("level")) == "SR+cb"


def test_the_composite_of_nothing_is_least() -> None:
    assert all(each.dominates(composite([])) for each in ALL)
    assert composite([Precondition(schema="base"), Precondition(schema="audit-row")]).schema == "audit-row"


@pytest.mark.parametrize("pins", [("a", "b"), ("b", "a")])
def test_pins_are_printed_in_order(pins: tuple[str, ...]) -> None:
    assert str(Precondition(pins=frozenset(pins))) == "RC+SR@a+SR@b"
