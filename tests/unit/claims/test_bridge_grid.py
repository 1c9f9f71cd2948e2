"""Grid.bridge a second time: the four checks of Table 23 by own loops and the brute-force decider, and counted anew."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache

import pytest

pytest.importorskip("z3")

from toki_verify.bridge import image as image_module
from toki_verify.bridge.image import image
from toki_verify.claims import bridge_grid
from toki_verify.claims.bridge_draws import LENGTH, drawn
from toki_verify.claims.bridge_grid import CLAIMS, edges_of, passed
from toki_verify.claims.cells import Cells
from toki_verify.claims.model import Outcome
from toki_verify.events import Commit, Event, Item, Judge, Read, Schedule, Write

from .bridge_by_hand import KINDS, Case

TRIALS = 1_000


def n1(schedule: Schedule, *, committed_only: bool = True) -> bool:
    """Two votes of committed calls at one key."""
    committed = {event.txn for event in schedule.events if isinstance(event, Commit)}
    votes = defaultdict(set)
    for event in schedule.events:
        if isinstance(event, Judge) and (event.txn in committed or not committed_only):
            votes[event.key].add(event.vote)
    return any(len(found) > 1 for found in votes.values())


def p2_on_log(events: Iterable[Event], *, foreign_only: bool = True) -> bool:
    """A committed transaction reads two versions of a row, both of others."""
    events = list(events)
    committed = {event.txn for event in events if isinstance(event, Commit)}
    writer = {(e.item, e.version): e.txn for e in events if isinstance(e, Write)}
    seen = defaultdict(set)
    for event in events:
        if not isinstance(event, Read) or event.item.table != "judge_log" or event.txn not in committed:
            continue
        if not foreign_only or writer[event.item, event.version] != event.txn:
            seen[event.txn, event.item].add(event.version)
    return any(len(versions) > 1 for versions in seen.values())


def by_hand(schedule: Schedule) -> tuple[bool, bool, bool, bool]:
    """The four checks: alphabet, edges, keys, N1 ⇔ P2 on the row."""
    case = Case(schedule)
    behind = case.made.schedule
    assert behind is not None
    asked = Counter(event.reads for event in schedule.events if isinstance(event, Judge))
    rows = [e.item.name for e in behind.events if isinstance(e, Read | Write) and e.item.table == "judge_log"]
    return (
        {type(event).__name__ for event in behind.events} <= {"Begin", "Read", "Write", "Commit", "Abort"},
        all(one == other for one, other in map(case.edges, KINDS)),
        Counter(rows) == Counter({f"({reads}, theta)": number for reads, number in asked.items()}),
        n1(schedule) == p2_on_log(behind.events),
    )


@cache
def counts(obedient: bool) -> tuple[list[int], int]:
    """How many pass each check, and how many show N1."""
    schedules = [drawn(seed, obedient=obedient) for seed in range(TRIALS)]
    return [sum(column) for column in zip(*map(by_hand, schedules), strict=True)], sum(map(n1, schedules))


@cache
def claim() -> Outcome:
    return CLAIMS[0].decide(Cells())


def test_both_ways_of_judging_a_drawn_schedule_agree() -> None:
    found = [drawn(seed, obedient=obedient) for seed in range(150) for obedient in (False, True)]
    assert [str(s) for s in found if tuple(passed(s)) != by_hand(s)] == []
    assert {by_hand(schedule)[3] for schedule in found} == {True, False}


@pytest.mark.heavy
def test_the_counts_are_those_of_the_claim() -> None:
    assert len(claim().evidence) == 2
    for line, obedient in zip(claim().evidence, (False, True), strict=True):
        checks, shown = counts(obedient)
        # "…: of 1000 pass alphabet 1000, edges 1000, keys 1000, N1 ⇔ P2 on the row n; m show N1"
        said = [int(number) for number in re.findall(r"(?<![NP])\b\d+\b", line)]
        assert said == [TRIALS, *checks, shown], line
    structural = all(counts(obedient)[0][:3] == [TRIALS] * 3 for obedient in (False, True))
    equation = [counts(obedient)[0][3] == TRIALS for obedient in (False, True)]
    assert structural and equation == [False, True]
    assert claim().verdict == "depends" and counts(True)[1] == 0
    assert claim().witnesses and not by_hand(claim().witnesses[0])[3]


def test_what_is_drawn() -> None:
    """Twelve events, or fewer where all have ended; the same for a seed; obedient ones return first votes."""
    found = [drawn(seed, obedient=True) for seed in range(200)]
    assert {type(event).__name__ for schedule in found for event in schedule.events} == {
        *("Read", "Write", "Commit", "Abort", "Judge", "Callback")
    }
    assert max(map(len, found)) == LENGTH and sum(len(schedule) == LENGTH for schedule in found) > 150
    assert found == [drawn(seed, obedient=True) for seed in range(200)]
    for schedule in found:
        assert not n1(schedule, committed_only=False)
    assert any(n1(drawn(seed, obedient=False)) for seed in range(20))
    assert {event.reads for schedule in found for event in schedule.events if isinstance(event, Judge)} == {"R", "S"}


# -- mutants -----------------------------------------------------------------------------------------------------------
def test_counts_that_forget_a_word_are_others() -> None:
    free = [drawn(seed, obedient=False) for seed in range(300)]
    behind = [image(schedule).schedule for schedule in free]
    assert sum(map(n1, free)) < sum(n1(schedule, committed_only=False) for schedule in free)
    logs = [schedule.events for schedule in behind if schedule is not None]
    assert len(logs) == len(free)
    assert sum(map(p2_on_log, logs)) < sum(p2_on_log(events, foreign_only=False) for events in logs)


def test_an_image_that_forgets_whose_row_it_is_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def latest(self: image_module._Builder, item: Item, txn: str, position: int) -> image_module._Row | None:
        alive = [row for row in self.rows.get(item, ()) if not self.source.resolved.aborted_by(row.txn, position)]
        return alive[-1] if alive else None

    monkeypatch.setattr(image_module._Builder, "_latest", latest)
    with pytest.raises(ValueError, match="no image"):
        for seed in range(100):
            list(passed(drawn(seed, obedient=False)))


def test_an_image_that_drops_a_write_fails_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of edges sees it: with T1's write its edges to T2 are gone."""
    schedule = Schedule.parse("w1[x1] c1 w2[x2] j2(R, theta)=0 c2")
    assert list(passed(schedule)) == list(by_hand(schedule)) == [True] * 4
    less = Schedule([event for event in schedule.events if event.txn != "1"])
    everywhere = {n: n for n in range(len(schedule))}
    assert edges_of(schedule, everywhere) != edges_of(less, everywhere)
    monkeypatch.setattr(bridge_grid, "image", lambda _: image(less))
    assert list(passed(schedule))[1] is False


def test_a_call_that_is_not_logged_fails_its_check(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = Schedule.parse("j1(R, theta)=0 j1(R, theta)=1 c1")
    assert list(passed(schedule))[2] is True
    unlogged = image_module.Logging(mismatch="unlogged")
    monkeypatch.setattr(bridge_grid, "image", lambda found: image(found, unlogged))
    assert list(passed(schedule))[2] is False
