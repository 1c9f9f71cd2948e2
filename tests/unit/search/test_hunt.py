"""The random search, its stores and its shrinker, as a library."""

from __future__ import annotations

from itertools import islice

import pytest

from toki_verify.events import Item, Partition, Predicate, Read, Schedule, ScheduleError
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.search.hunt import Bounds, bounds_of, hunt, random_schedules
from toki_verify.search.query import parse_query
from toki_verify.search.shrink import shrink, size
from toki_verify.search.stores import STORES, ProgramError, program, run

INCREMENTS = [program("r1[x] w1[x]"), program("r2[x] w2[x] c2")]


def bounds(query: str) -> Bounds:
    return bounds_of(parse_query(query).formula)


def test_what_a_query_cannot_see_is_not_generated() -> None:
    plain = bounds("SI and P4")
    assert not (plain.judges or plain.callbacks or plain.sessions or plain.partitions)
    assert bounds("P4").predicates == 0 and plain.predicates > 0
    assert bounds("N1").judges and bounds("cb").callbacks and bounds("session:RC").sessions
    assert bounds("N2").partitions == (Partition("alice", "lives_in"),)
    assert Partition("bob", "owns") in bounds("SR@partition(bob, owns)").partitions
    assert bounds("RC+SR@judge_log").tables == ("judge_log", "facts")


def test_random_schedules_depend_on_the_seed_alone() -> None:
    first, again, other = (
        [str(schedule) for schedule in islice(random_schedules(bounds("SI"), seed), 30)] for seed in (1, 1, 2)
    )
    assert first == again != other


@pytest.mark.parametrize(
    "query",
    [
        "P4",
        "SI and P3",
        "SI and read-only-anomaly",
        pytest.param("session:PSI and not session:SI", marks=pytest.mark.heavy),
        "adya:PL-3 and P0",
    ],
)
def test_what_is_found_satisfies_the_query_and_cannot_lose_an_event(query: str) -> None:
    parsed = parse_query(query)
    found = hunt(parsed, seconds=60)
    assert found.schedule is not None and found.first is not None
    assert Concrete(found.schedule).holds(parsed.formula) and Concrete(found.first).holds(parsed.formula)
    for place in range(len(found.schedule)):
        events = [event for position, event in enumerate(found.schedule.events) if position != place]
        try:
            fewer = Schedule(events, init=found.schedule.init)
        except ScheduleError:
            continue
        complete = len(fewer.resolved.end) == len(fewer.resolved.txns)
        assert not (complete and Concrete(fewer).holds(parsed.formula))


def test_nothing_found_counts_the_schedules() -> None:
    found = hunt(parse_query("P4 and not P4"), tries=7)
    assert (found.schedule, found.tried) == (None, 7)


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"tries": 0}, {"max_events": 0}, {"transactions": 0}, {"items": 0}])
def test_bounds_of_a_hunt_are_checked(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        hunt(parse_query("P4"), **wrong)  # type: ignore[arg-type]


# -- shrinking ---------------------------------------------------------------------------------------------------------
LONG = """\
schedule long
  source somewhere
  init y0=5 z0 in P
  order alice.likes/x: 0 1 2
  session s: 7 Tb
  rTb[y0=5] w7[t:u1] r7[alice.likes/x0] wTb[alice.likes/x1 in P prov p1] r5{P: z0; y0} w5[+y1=3] cTb w7[alice.likes/x2]
  j7(R, theta)=1 c7 a5
  expect P4
  note a long one
"""


def test_a_schedule_shrinks_to_what_matters() -> None:
    def lost(schedule: Schedule) -> bool:
        return Concrete(schedule).holds(phenomenon("G2-item").formula)

    long = Schedule.parse(LONG)
    small = shrink(long, lost)
    assert lost(small) and size(small) < size(long) and len(small) <= 5
    assert not (small.name or small.init or small.sessions or small.partitions or small.expect or small.note)
    assert small.resolved.txns == ["1", "2"] and {item.name for item in small.resolved.items} == {"x"}
    assert shrink(small, lost) == small


def test_a_property_that_does_not_hold() -> None:
    with pytest.raises(ValueError, match="does not have the property"):
        shrink(Schedule.parse("c1"), lambda schedule: False)


def test_candidates_are_bounded() -> None:
    tried: list[Schedule] = []
    shrink(Schedule.parse(LONG), lambda schedule: not tried.append(schedule), candidates=3)  # type: ignore[func-returns-value]
    assert len(tried) == 4


# -- stores ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("store", STORES)
def test_the_first_choice_is_the_serial_run(store: str) -> None:
    made = run(INCREMENTS, store, lambda count: 0)
    second = 0 if store in ("free", "stale") else 1
    assert str(made) == f"r1[x0] w1[x1] c1 r2[x{second}] w2[x2] c2"


@pytest.mark.parametrize(
    ("store", "text"),
    [
        ("single", "r2[x0] r1[x0] w2[x1] w1[x2] c2 c1"),
        ("committed", "r2[x0] r1[x0] w2[x1] c2 w1[x2] c1"),
        ("snapshot", "r2[x0] r1[x0] w2[x1] c2 a1"),
        ("locking", "r2[x0] r1[x0] a2 w1[x1] c1"),
    ],
)
def test_stores_wait_and_abort(store: str, text: str) -> None:
    turn = iter([1, 0, 1, 0, 1, 0])
    assert str(run(INCREMENTS, store, lambda count: next(turn) % count)) == text


def test_a_snapshot_is_stated_where_the_rule_would_see_more() -> None:
    """T1 selects from its snapshot: the row that T2 has taken out of P since is listed, one put in is not."""
    x, p = Item("facts", "x"), Predicate("facts", "P")
    programs = [program("r1[z] r1{P:} c1"), program("w2[x] w2[y in P] c2")]
    turn = iter([0, 1, 1, 1, 0])
    made = run(programs, "snapshot", lambda count: next(turn), matching=[(x, p)])
    assert str(made) == "r1[z0] w2[x1] w2[y1 in P] c2 r1{P: x0} c1"
    assert Concrete(made).holds(parse_query("SI").formula)


def test_programs_are_read() -> None:
    assert [event.op for event in program("r1[x] w1[x]")] == ["r", "w", "c"]
    assert program([Read("1", Item("facts", "x"))])[-1].op == "c"
    for wrong, message in (([], "without events"), ("r1[x] r2[x]", "several transactions: 1, 2")):
        with pytest.raises(ProgramError, match=message):
            program(wrong)
    with pytest.raises(ProgramError, match="1 events behind its end"):
        program([*INCREMENTS[0], Read("1", Item("facts", "x"))])
    with pytest.raises(ProgramError, match="unknown store"):
        run(INCREMENTS, "oracle", lambda count: 0)
    with pytest.raises(ProgramError, match="two programs of one transaction"):
        run([INCREMENTS[0], INCREMENTS[0]], "free", lambda count: 0)
    with pytest.raises(ProgramError, match="no programs"):
        run([], "free", lambda count: 0)
