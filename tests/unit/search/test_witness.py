"""The smallest schedule: what it is, that nothing is smaller, and that it does not depend on the solver."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")
pytest.importorskip("pysat")

from toki_verify.events import Event, Judge, Partition, PredicateRead, Schedule, Write
from toki_verify.levels import parse_spec
from toki_verify.levels.user import parse_levels
from toki_verify.phenomena.catalogue import catalogue, phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.search.census import Alphabet, census
from toki_verify.search.features import Features
from toki_verify.search.limits import BOUNDS, Unfit
from toki_verify.search.naming import contains
from toki_verify.search.witness import Bounds, question, witness

PLAIN = Features(predicates=0, orders=False, sessions=False, partitions=False, callbacks=False, keys=0)


@pytest.mark.parametrize(
    ("phi", "level", "text"),
    [
        ("P0", "RU", "w1[x1] w2[x2] c1 c2"),
        ("P1", "RU", "w1[x1] r2[x1] c1 c2"),
        ("P2", "RC", "r1[x0] w2[x1] c2 r1[x1] c1"),
        ("P4", "RC", "r1[x0] w2[x1] c2 w1[x2] c1"),
        ("A5B", "SI", "r1[x0] r2[y0] w1[y1] c1 w2[x1] c2"),
        ("P3", "SI", "r1[x0] w2[x1] r2{P:} w1[y1 in P] c1 c2"),
        ("N1", "SR", "j1(R, theta)=0 j1(R, theta)=1 c1"),
        ("CB", "SR", "w1[x1 by await] c1"),
    ],
)
def test_textbook_witnesses(phi: str, level: str, text: str) -> None:
    """The text is that of the smallest schedule by our order of preference; both solvers find the same one."""
    for solver in ("z3", "cadical"):
        found = witness(phi, level=level, solver=solver)
        assert str(found.schedule) == text, solver
        assert found.verdict == "found"


@pytest.mark.parametrize("name", ["P0", "P1", "P2", "P4", "A5A", "A5B", "G-single", "OTV", "G-nonadjacent"])
@pytest.mark.parametrize("level", ["RU", "RC"])
def test_nothing_smaller_exists_by_generate_and_test(name: str, level: str) -> None:
    """The size is that of the first schedule in the census, over the same alphabet."""
    wanted = question(name, level=level)
    found = witness(name, level=level, features=PLAIN, bounds=Bounds(events=6, transactions=3, items=2))
    sizes = [
        (len(s.events), len(s.resolved.txns), len(s.resolved.items))
        for s in census(5, Alphabet(transactions=3, items=2), complete=True)
        if Concrete(s).holds(wanted)
    ]
    if sizes:
        assert found.size == min(sizes)
    else:
        assert found.size is None or found.size[0] > 5


def test_every_schedule_of_the_smallest_size_is_enumerated_once() -> None:
    found = witness("P4", level="RC", features=PLAIN, every=True)
    wanted = question("P4", level="RC")
    expected = {
        str(s)
        for s in census(5, Alphabet(transactions=2, items=1), complete=True)
        if len(s.events) == 5 and len(s.resolved.items) == 1 and Concrete(s).holds(wanted)
    }
    assert found.complete
    assert {str(schedule) for schedule in found.schedules} == expected
    assert len(found.schedules) == len(expected) > 1


def test_the_limit_of_an_enumeration_is_said() -> None:
    found = witness("P2", level="RC", every=True, limit=3)
    assert len(found.schedules) == 3
    assert not found.complete


@pytest.mark.parametrize("name", list(catalogue()))
def test_every_phenomenon_has_a_smallest_schedule_that_shows_it(name: str) -> None:
    found = witness(name, bounds=Bounds(events=8), solver="cadical")
    assert found.schedule is not None
    assert Concrete(found.schedule).holds(phenomenon(name).formula)


def test_a_partial_schedule_is_among_the_events() -> None:
    partial = Schedule.parse("r7[acc0=5] r8[bal0] w7[bal1=6]")
    found = witness("A5B", level="SI", partial=partial)
    assert found.schedule is not None
    text = str(found.schedule)
    assert len(found.schedule.events) == 6
    assert "=5" in text
    assert "=6" in text


@pytest.mark.parametrize(
    ("phi", "level", "text"),
    [
        ("N2", "SI", "r1[alice.likes/m0@0=3] w2[alice.likes/m1@new=4]"),
        ("A5B", "SI", "r5[z0] w7[q3]"),
        ("A5B", "SI", "rTann[x0]"),
        ("P3", "SI", "r1{Q: x0} w2[-x9]"),
        ("A5B", "SI", "cb1(S, h, 1) r1[x0]"),
        ("N1", "SR", 'j4(Q, th)="yes" j4(Q, th)=7'),
        ("P4", None, "order x: 2 1\nw1[x1] c1 w2[x2] c2"),
        ("P4", None, "session s: 1 2\nr1[x0] w1[x1] c1 w2[x2] c2"),
        ("P4", None, "w1[judge_log:x1 in P, R] c1 w2[judge_log:x2 prov p1]"),
        ("A5B", "SI+SI@judge_log", "r1[x0] r2[judge_log:y0]"),
        ("session:SI", None, "init y0\nr1[x0]"),
        ("not session:SI", None, "init y0=5\ninit z0=1\nr1[x0]"),
        ("A5A", "RC", "w2[memories:z1] c2"),
        ("P3", "RC", "w1[x1] w2[memories:z1] c2 c1"),
        ("not session:SI", "SI", "session alice: 1 2\nw1[x1] c1 r2[x0]"),
        ("not session:SI", "SI", "session alice: 1\nr1[x0] c1"),
        ("not SR", None, "surface current:x\nj2(R, th) a2"),
        ("not SR", None, "order y: 0\ninit z0\nr1[x0] c1"),
    ],
)
def test_what_a_partial_schedule_names_is_in_the_result(phi: str, level: str | None, text: str) -> None:
    """Its events occur in their order, each with everything that it says."""
    partial = Schedule.parse(text)
    found = witness(phi, level=level, partial=partial).schedule
    assert found is not None
    assert Concrete(found).holds(question(phi, level=level))
    rest = iter(found.events)
    for event in partial.events:
        assert any(event == other or covers(event, other) for other in rest), (text, str(found))
    assert dict(partial.partitions).items() <= dict(found.partitions).items()
    assert {item: about.value for item, about in partial.init.items()}.items() <= {
        item: about.value for item, about in found.init.items()
    }.items()
    assert partial.surface == found.surface
    assert contains(found, partial)


def covers(event: Event, other: Event) -> bool:
    """What the partial schedule did not say may be anything: further rows, the version of a read, predicates."""
    if isinstance(event, PredicateRead) and isinstance(other, PredicateRead):
        same = (event.txn, event.predicate) == (other.txn, other.predicate)
        return same and set(event.matched) <= set(other.matched)
    if isinstance(event, Write) and isinstance(other, Write):
        return (event.txn, event.item, event.version, event.value) == (
            other.txn,
            other.item,
            other.version,
            other.value,
        )
    return isinstance(event, Judge) and isinstance(other, Judge) and event.key == other.key and event.vote is None


def test_what_is_not_contained_is_told_apart() -> None:
    """The check of every result is no rubber stamp."""
    whole = Schedule.parse("init x0=5\nsession s: 1 2\nr1[a.b/x0] w1[a.b/x1=7 in P] c1 r2{P: x1} c2")
    assert contains(whole, Schedule.parse("init x0=5\nr1[a.b/x0] w1[a.b/x1=7 in P] r2{P: x1}"))
    for text in (
        "c1 r2{P: x0}",
        "r1[x0] w1[x1=8]",
        "r1[c.d/x0]",
        "init x0=6\nr1[x0]",
        "r1[y0]",
        "rTA[x0]",
        "r1[x0] w1[x1 in Q]",
        "session s: 2 1\nr1[x0] c2",
        "session t: 1\nr1[x0]",
        "surface current:x\nr1[x0]",
        "c2 c1",
    ):
        assert not contains(whole, Schedule.parse(text)), text


@pytest.mark.parametrize("level", ["RC+SR@partition(s,p)", "SI+SR@partition(s,p)+SR@partition(s,p2)"])
@pytest.mark.parametrize("text", [None, "r1[s.p3/x0]", "r1[s.p/z0]"])
def test_a_partition_of_the_search_takes_no_name_that_a_level_pins(level: str, text: str | None) -> None:
    partial = None if text is None else Schedule.parse(text)
    found = witness("N2", level=level, partial=partial, bounds=Bounds(events=7, transactions=3)).schedule
    assert found is not None
    shown = {partition for item, partition in found.partitions.items() if item.name in ("x", "y")}
    assert shown.isdisjoint({Partition("s", "p")})


def test_two_partitions_stay_two() -> None:
    partial = Schedule.parse("r1[s.p/x0] r2[s.q/y0] w1[s.q/y1] c1 w2[s.p/x1] c2")
    assert witness("N2", level="SI", partial=partial, bounds=Bounds(events=6)).verdict == "undecided"


@pytest.mark.parametrize("text", ["r1[x0] " * 20, "r1[x0] r2[x0] r3[x0] r4[x0] r5[x0] r6[x0]"])
def test_a_partial_schedule_beyond_the_bounds_is_refused(text: str) -> None:
    with pytest.raises(Unfit, match="expected"):
        witness("P4", partial=Schedule.parse(text))


@pytest.mark.parametrize("level", ["SI+SR@facts", "RC+SI@facts", "SI+SR@partition(a,b)", "SI+SR@facts+SR@other"])
def test_a_pin_leaves_room_outside_its_region(level: str) -> None:
    """A level pinned to the default table: other tables exist."""
    found = witness("A5B", level=level)
    assert found.schedule is not None
    assert len(found.schedule.events) == 6


def test_a_partial_schedule_that_rules_it_out_is_undecided() -> None:
    partial = Schedule.parse("w1[x1] c1 w2[x2] c2")
    found = witness("P4", level="RC", partial=partial, bounds=Bounds(events=4))
    assert found.verdict == "undecided"


def test_unfinished_transactions_only_when_asked() -> None:
    assert witness("P0", bounds=Bounds(events=3)).verdict == "undecided"
    found = witness("P0", bounds=Bounds(events=3), features=Features(unfinished=True))
    assert str(found.schedule) == "w1[x1] w2[x2]"


def test_users_levels_and_pins() -> None:
    user = parse_levels("level mine\n  no P4\n  needs RC\n")
    found = witness("A5A", level="mine", user=user)
    assert found.schedule is not None
    assert Concrete(found.schedule).holds(parse_spec("mine", user=user).formula)
    pinned = witness("P4", level="RC+SI@judge_log")
    assert pinned.schedule is not None
    assert Concrete(pinned.schedule).holds(parse_spec("RC+SI@judge_log").formula)


@pytest.mark.parametrize(
    "bounds", [Bounds(events=0), Bounds(events=BOUNDS["events"][1] + 1), Bounds(transactions=0), Bounds(items=99)]
)
def test_bounds_without_sense_are_refused(bounds: Bounds) -> None:
    with pytest.raises(Unfit, match="expected"):
        witness("P4", bounds=bounds)


def test_a_time_limit_is_no_no() -> None:
    found = witness("A5B", level="SR", seconds=0.01)
    assert found.verdict == "undecided"
    assert "time limit" in found.reason
