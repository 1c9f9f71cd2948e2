"""assert_design: what a test says of a design, and what it says where that is wrong."""

from __future__ import annotations

import pytest

from tests.unit.designs.small_designs import Appends, AsksTheSame, Awaits, Expects, OneFact, Waits
from toki_verify.designs import Design, DesignError
from toki_verify.phenomena.catalogue import UnknownName
from toki_verify.testing import assert_design


def test_what_a_design_excludes_is_asserted_in_a_chain() -> None:
    found = assert_design(Expects, crashes=0)
    assert found.excludes("P4", "final-state").excludes("p0").admits("N3", "n3[content]") is found
    assert found.review.bound is not None
    assert str(found.review.bound) == "2 writers"


def test_the_smallest_run_is_in_the_message() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_design(Appends, crashes=0).excludes("P0", "P4", "final-state")
    text = str(caught.value)
    assert "Appends admits P4 (lost update): " in text
    assert "Appends admits final-state" in text
    assert "P0" not in text
    assert text.count("w1[") == 2  # a picture each


def test_what_is_not_admitted_says_how_far_that_was_explored() -> None:
    with pytest.raises(AssertionError, match=r"Expects excludes P4 .*: in all runs of 2 writers"):
        assert_design(Expects, crashes=0).admits("P4")
    with pytest.raises(AssertionError, match="vacuously: no run calls a judge"):
        assert_design(Expects, crashes=0).admits("N1")


def test_what_is_undefined_or_undecided_is_neither() -> None:
    found = assert_design(Expects, crashes=0)
    for ask in (found.excludes, found.admits):
        with pytest.raises(AssertionError, match=r"Expects undefined N2\[state\]"):
            ask("N2[state]")
    late = assert_design(Expects, seconds=1e-9)
    for ask in (late.excludes, late.admits):
        with pytest.raises(AssertionError, match="Expects undecided P4"):
            ask("P4")


def test_the_bound_is_what_is_asked_for() -> None:
    assert_design(AsksTheSame, writers=1, crashes=0).excludes("N1")
    assert_design(AsksTheSame, writers=1, crashes=1).admits("N1", "N1[replay]")
    assert_design(AsksTheSame, writers=2, crashes=0).admits("N1").excludes("N1[replay]")


def test_an_instance_will_do_and_states_of_serial_executions_too() -> None:
    assert_design(Awaits(), writers=1).admits("CB")
    assert_design(Waits(), writers=1).excludes("CB")
    assert_design(OneFact, crashes=0).admits("N2[state]", "final-state")


def test_a_cell_that_is_not_there_is_no_cell() -> None:
    found = assert_design(Appends, writers=1, crashes=0)
    with pytest.raises(UnknownName, match=r"N3\[contents\].*did you mean N3\[content\]"):
        found.excludes("N1", "N3[contents]")
    with pytest.raises(ValueError, match="no cell is named"):
        found.excludes()


def test_a_design_that_cannot_be_explored_is_an_error() -> None:
    class Empty(Design):
        """Without a write path."""

    with pytest.raises(DesignError, match="it has no writer"):
        assert_design(Empty)
