"""Rows that maintenance writes: the smallest schedules, found again by a walk that knows neither π_J nor a formula."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from toki_verify.bridge.image import Logging, image
from toki_verify.claims import lemma_1_maintenance as module
from toki_verify.claims.cells import Cells
from toki_verify.claims.lemma_1_maintenance import MAINTENANCE_CLAIM, QUESTIONS, judged, smallest, texts
from toki_verify.events import Commit, Judge, Schedule, Write

Event = tuple[str, str, str]


def walk(text: str) -> list[Event]:
    """The events as (kind, transaction, vote)."""
    return [
        ("j", event.txn, str(event.vote))
        if isinstance(event, Judge)
        else ("w", event.txn, str(event.value))
        if isinstance(event, Write)
        else ("c", event.txn, "")
        for event in Schedule.parse(text).events
        if isinstance(event, Judge | Write | Commit)
    ]


def answers(text: str) -> tuple[bool, bool, bool]:
    """N1; whether every call returned the row that was there; whether that row was committed. All commit in the end."""
    events = walk(text)
    votes = {vote for kind, _, vote in events if kind == "j"}
    row, dirty, returned, clean = "", "", True, True
    for kind, txn, vote in events:
        if kind == "j" and row:
            returned &= row == vote
            clean &= dirty in ("", txn)
            row = vote
        elif kind in "jw":
            row = vote
            dirty = txn if kind == "w" else ""
        elif dirty == txn:
            dirty = ""
    return len(votes) > 1, returned, clean


def small(most: int) -> Iterator[str]:
    for events in range(3, most + 1):
        yield from texts(events)


@pytest.mark.parametrize("most", [5, pytest.param(7, marks=pytest.mark.heavy)])
def test_a_walk_says_the_same_of_every_small_schedule(most: int) -> None:
    looked = 0
    for text in small(most):
        found = judged(text)
        n1, returned, clean = answers(text)
        if found is not None and returned:
            looked += 1
            assert (found.n1, found.h1, found.refilled) == (n1, clean, False), text
    assert looked > 10


def test_nothing_smaller_breaks_it() -> None:
    found, _ = smallest()
    assert set(found) == set(QUESTIONS)
    one = found["N1 although nothing breaks H1"]
    assert len(one.schedule) == 5
    assert not any(n1 and returned and clean for n1, returned, clean in map(answers, small(4)))


def test_what_is_printed_is_so() -> None:
    outcome = MAINTENANCE_CLAIM.decide(Cells())
    assert outcome.verdict == "refuted" and outcome.counterexample is not None
    made = image(Schedule.parse(str(outcome.counterexample)), Logging(writer="own"))
    assert made.broken == () and made.schedule is not None
    votes = {event.vote for event in made.source.events if isinstance(event, Judge)}
    assert len(votes) == 2


def test_where_the_row_does_not_change_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Maintenance that writes the vote that is there."""
    kept = [text for text in small(6) if len({vote for _, _, vote in walk(text) if vote}) == 1]
    monkeypatch.setattr(module, "texts", lambda events: (text for text in kept if len(walk(text)) == events))
    smallest.cache_clear()
    try:
        assert smallest(6)[0] == {}
        assert MAINTENANCE_CLAIM.decide(Cells()).verdict == "holds"
    finally:
        smallest.cache_clear()


def test_every_pair_of_texts_is_two_schedules() -> None:
    every = list(small(5))
    assert all(one != other for one, other in combinations(every, 2))
