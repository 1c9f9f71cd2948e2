"""Parts of histories, histories of schedules and schedules of histories: each says what the other said."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toki_verify.events import Read, Schedule, ScheduleError, Write
from toki_verify.histories.columns import NOBODY, READ, WRITE, History
from toki_verify.histories.from_schedule import history_of
from toki_verify.histories.minimise import minimise
from toki_verify.histories.restrict import of_transactions, restrict
from toki_verify.histories.to_schedule import schedule_of
from toki_verify.levels import families
from toki_verify.relations.concrete import Concrete

from .histories import histories, plain

LOST = "session s: 1 3\nr1[x0] r2[x0] w2[x1] c2 w1[x2] c1 r3[x2] w3[y1] c3 w4[y2] a4"


def lost() -> History:
    from toki_verify.notation import parse_text

    return history_of(parse_text(f"schedule lost\n{LOST}\n")[0])


def said(history: History) -> set[tuple[str, str, str, str]]:
    """What each transaction did: its name, read or write, the key, the value."""
    txn_of = history.txn_of()
    return {
        (history.transactions[txn_of[at]], "rw"[history.kind[at]], history.keys[history.key[at]], value(history, at))
        for at in range(history.size)
    }


def value(history: History, at: int) -> str:
    return history.values[int(history.version[at])]


# -- a schedule as a history -------------------------------------------------------------------------------------------
def test_a_schedule_is_its_sessions_and_what_they_read_and_wrote() -> None:
    history = lost()
    assert said(history) == {
        ("1", "r", "x", "nil"), ("1", "w", "x", "2"), ("2", "r", "x", "nil"), ("2", "w", "x", "1"),
        ("3", "r", "x", "2"), ("3", "w", "y", "1"), ("4", "w", "y", "2"),
    }  # fmt: skip
    assert list(history.transactions) == ["1", "3", "2", "4"]
    assert [history.sessions[number] for number in history.session] == ["s", "s", "T2", "T4"]
    assert list(history.outcome) == [1, 1, 1, 0]
    ranks = {
        (history.keys[key], text): int(rank)
        for key, text, rank in zip(history.version_key, history.values, history.rank, strict=True)
    }
    assert ranks == {("x", "nil"): 0, ("y", "nil"): 0, ("x", "1"): 1, ("x", "2"): 2, ("y", "1"): 1, ("y", "2"): -1}


def test_what_a_history_cannot_hold_is_said() -> None:
    schedule = Schedule.parse("r1{P: x0} j1(R, theta)=0 j1(R, theta)=0 cb1(R, h, 1) c1")
    assert history_of(schedule).warnings == (
        "1 predicate reads are left out: a history has reads and writes of keys",
        "2 judge calls are left out: a history has reads and writes of keys",
        "1 callbacks are left out: a history has reads and writes of keys",
    )


def test_a_list_shows_no_version_that_is_not_installed() -> None:
    with pytest.raises(ValueError, match="T2 reads a version of x that is not installed"):
        history_of(Schedule.parse("w1[x1] r2[x1] a1 c2"), "append")


# -- a history as a schedule -------------------------------------------------------------------------------------------
def level(schedule: Schedule) -> dict[str, bool]:
    """The session levels, whatever the interleaving."""
    concrete = Concrete(schedule)
    return {found.id: bool(concrete.holds(found.formula)) for found in families()["session"].levels}


@pytest.mark.parametrize(
    "text",
    [
        LOST,
        "r1[x0] w1[x1] c1 r2[x1] w2[x2] c2",
        "session s: 1 2\nw1[x1] w1[y1] c1 r2[x1] r2[y1] c2 r3[x1] r3[y0] c3",
        "order x: 2 1\nw1[x1] c1 w2[x2] c2 r3[x1] c3",
        "w1[x1] r2[x1] a1 c2",
    ],
)
def test_a_schedule_comes_back_at_the_same_levels(text: str) -> None:
    from toki_verify.notation import parse_text

    schedule = parse_text(f"schedule one\n{text}\n")[0]
    again = schedule_of(history_of(schedule))
    assert level(again) == level(schedule)
    assert said(history_of(again)) == said(history_of(schedule))


@given(histories(wild=False))
def test_a_schedule_of_a_history_says_what_the_history_said(history: History) -> None:
    try:
        schedule = schedule_of(history)
    except ScheduleError as error:
        assert {problem.rule for problem in error.problems} <= {"own-write"}
        return
    except ValueError as error:
        assert "no order of the events" in str(error)
        return
    shown = {
        (event.txn, event.op, event.item.name, "nil" if event.version == "0" else event.version)
        for event in schedule.events
        if isinstance(event, (Read, Write))
    }
    assert shown == said(history)


def test_what_no_order_has_is_refused() -> None:
    circle = "r1[x1] w1[y1] r2[y1] w2[x1]"
    with pytest.raises(ValueError, match="no order of the events"):
        schedule_of(plain(circle))
    with pytest.raises(ValueError, match="nobody wrote"):
        schedule_of(plain("r1[x1]"))


# -- a part of a history -----------------------------------------------------------------------------------------------
@given(histories(), st.randoms(use_true_random=False))
def test_a_part_says_less_and_nothing_else(history: History, random: Random) -> None:
    kept = np.array([random.random() < 0.7 for _ in range(history.size)], np.bool_)
    part = restrict(history, kept)
    before, after = said(history), said(part)
    assert after <= before
    writes = history.kind == WRITE
    assert {at for at in before if at[1] == "w"} >= {at for at in after if at[1] == "w"}
    assert int((part.kind == WRITE).sum()) == int((writes & kept).sum())
    # No read has lost its write on the way: who read what nobody wrote did so before.
    orphans = {
        (part.keys[part.key[at]], value(part, at)) for at in range(part.size) if part.writer[part.version[at]] == NOBODY
    }
    assert orphans <= {
        (history.keys[history.key[at]], value(history, at))
        for at in range(history.size)
        if history.writer[history.version[at]] == NOBODY
    }
    for at in range(part.size):
        source = int(part.writer[part.version[at]])
        assert part.version_key[part.version[at]] == part.key[at]
        assert source < 0 or (part.kind[source] == WRITE and part.version[source] == part.version[at])


@given(histories())
def test_all_of_a_history_is_the_history(history: History) -> None:
    part = restrict(history, np.ones(history.size, bool))
    assert said(part) == said(history)
    assert list(part.session) == list(history.session)
    assert len(part.garbage) == len(history.garbage)


# -- the smallest part -------------------------------------------------------------------------------------------------
def test_the_smallest_part_is_two_transactions_that_both_read_before_they_write() -> None:
    history = lost()

    def shows(part: History) -> bool:
        """Two committed transactions read the initial version of a key and write the key."""
        txn_of = part.txn_of()
        readers = {(int(txn_of[at]), int(part.key[at])) for at in range(part.size) if part.version[at] == part.key[at]}
        writers = {(int(txn_of[at]), int(part.key[at])) for at in range(part.size) if part.kind[at] == WRITE}
        keys = [key for _, key in readers & writers]
        return any(keys.count(key) > 1 for key in keys)

    found = minimise(history, shows)
    assert said(found) == {("1", "r", "x", "nil"), ("1", "w", "x", "2"), ("2", "r", "x", "nil"), ("2", "w", "x", "1")}
    assert said(minimise(history, shows, start=[0, 2])) == said(found)


@given(histories())
def test_nothing_can_be_taken_from_the_smallest_part(history: History) -> None:
    def shows(part: History) -> bool:
        return bool((part.kind == READ).any() and (part.kind == WRITE).any())

    if not shows(history):
        with pytest.raises(ValueError, match="does not show"):
            minimise(history, shows)
        return
    assert minimise(history, shows).size == 2


def test_tests_are_bounded() -> None:
    asked = [0]

    def shows(part: History) -> bool:
        asked[0] += 1
        return part.size > 2

    minimise(lost(), shows, tests=5)
    assert asked[0] <= 6


def test_transactions_are_chosen_by_number() -> None:
    history = lost()
    assert {txn for txn, *_ in said(restrict(history, of_transactions(history, [0, 3])))} == {"1", "4"}
