"""Histories that T5, C4 and L3 print name the row of a key as π_J does, so `toki-verify bridge` finds it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from toki_verify.bridge.image import H1_COMMIT, H1_RETURN, Logging, image
from toki_verify.bridge.keys import row_in
from toki_verify.claims import prompt_sensitivity
from toki_verify.claims.corollary_4 import LAYOUTS, NAMED_MUTABLE, paired_at_sr
from toki_verify.claims.judge_histories import judging, n1_histories, smallest_n1, unpaired
from toki_verify.claims.judge_systems import FULL, NAMED, System
from toki_verify.claims.keyed_log import DISCIPLINES, FREE, PROGRAMS, histories
from toki_verify.claims.theorem_5 import at_two_keys, replay_pair
from toki_verify.events import Judge, Schedule, Write

OWN, DEFAULT = Logging("own"), Logging()
LOGGING = [System("ask", "read", "read", place, clash) for place in ("before", "with") for clash in ("adopt", "keep")]


@cache
def printed() -> tuple[Schedule, ...]:
    """What these claims print, by the functions that they print it with."""

    def found() -> Iterator[Schedule | None]:
        yield smallest_n1(NAMED_MUTABLE, FULL, only=paired_at_sr)
        yield from (judging(system, FULL) for system in (*LOGGING, *NAMED.values()))
        yield from (smallest_n1(system, FULL) for system in LOGGING)
        yield from replay_pair(NAMED["Corollary 2"])
        yield at_two_keys(NAMED["Corollary 2"], NAMED["Algorithm 1, line 14"])
        yield from map(Schedule.parse, LAYOUTS.values())
        for name in DISCIPLINES:
            yield from map(Schedule.parse, histories(name, FREE, PROGRAMS[:2])[::17])
        yield from (Schedule.parse(prompt_sensitivity.deployment(theta, vote)) for theta in (1, 2) for vote in (0, 1))

    return tuple(schedule for schedule in found() if schedule is not None)


def logged(schedule: Schedule) -> set[str]:
    return {str(event.item) for event in schedule.events if isinstance(event, Write)}


def misnamed(schedule: Schedule) -> list[str]:
    """Rows of the log that no judge call of the schedule has."""
    keys = {str(row_in(schedule, event.key)) for event in schedule.events if isinstance(event, Judge)}
    return sorted(logged(schedule) - keys)


def test_rows_are_named_as_the_bridge_names_them() -> None:
    assert len(printed()) > 50
    assert any(map(logged, printed()))
    for schedule in printed():
        assert misnamed(schedule) == [], str(schedule)
    assert misnamed(Schedule.parse("w2[judge_log:k@1=0] c2 j1(k, theta)=0 c1"))


def too_late(schedule: Schedule, logging: Logging) -> set[str]:
    """What of H1 about the commits of rows the bridge finds broken."""
    found = {broken.hypothesis for broken in image(schedule, logging).broken}
    return {name for name in found if name.startswith("H1[") and name != H1_RETURN}


def test_where_rows_precede_their_operators_the_bridge_finds_no_row_too_late() -> None:
    """With a row in a transaction of its own, as these histories have it. The default of `bridge` writes the first row
    again, in the operator's transaction, which it reports: that row is π_J's, whatever the schedule has logged."""
    early = [schedule for schedule in printed() if logged(schedule) and not unpaired(schedule)]
    assert len(early) > 20
    for schedule in early:
        assert too_late(schedule, OWN) == set(), str(schedule)
        assert H1_COMMIT in too_late(schedule, DEFAULT), str(schedule)


def test_a_row_that_is_read_too_early_is_found() -> None:
    text = 'w1[judge_log:"(R, theta)"@1=0] j2(R, theta)=0 c2 j3(R, theta)=0 c3 c1'
    assert unpaired(Schedule.parse(text))
    first = 'j2(R, theta)=0 c2 w1[judge_log:"(R, theta)"@1=0] j3(R, theta)=0 c3 c1'
    assert too_late(Schedule.parse(first), OWN)


def test_a_call_that_does_not_return_the_row_it_finds_is_found() -> None:
    """A loser that keeps its vote: the bridge finds the row by its name, and that the call returned another vote."""
    found = next(n1_histories(System("ask", "read", "read", "before", "keep"), FULL))
    assert H1_RETURN in {broken.hypothesis for broken in image(found, OWN).broken}


@pytest.mark.parametrize("theta", [1, 2])
def test_a_deployment_reads_its_own_row(theta: int) -> None:
    made = image(Schedule.parse(prompt_sensitivity.deployment(theta, 1)), OWN)
    assert [step.role for step in made.steps].count("read") == 1 and not made.broken
