"""The strategies generate what they promise, quickly, and counterexamples shrink to what matters."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, find, given, seed, settings
from hypothesis.errors import InvalidArgument

from toki_verify.events import (
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Judge,
    PredicateRead,
    Read,
    Schedule,
    Write,
    WriteKind,
)
from toki_verify.events.names import name_fault
from toki_verify.events.values import json_text
from toki_verify.levels import parse_spec
from toki_verify.phenomena.catalogue import UnknownName, phenomenon
from toki_verify.relations.algebra import txn
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import rw, wr, ww
from toki_verify.search.stores import STORES
from toki_verify.search.strategies import (
    at_level,
    conflict_pairs,
    interleavings,
    json_values,
    names,
    programs,
    schedules,
)

QUIET = settings(max_examples=10_000, database=None, derandomize=True, deadline=None)
BARE = ("init", "order", "sessions", "surface", "partitions", "expect", "extra")


def lost_update(schedule: Schedule) -> bool:
    return Concrete(schedule).holds(phenomenon("P4").formula)


@pytest.mark.parametrize(
    "options",
    [{}, {"classical": True}, pytest.param({"json_only": True}, marks=pytest.mark.heavy)],
    ids=["all", "classical", "json"],
)
def test_a_lost_update_shrinks_to_two_transactions_without_extras(options: dict[str, bool]) -> None:
    found = find(schedules(**options), lost_update, settings=QUIET)
    assert len(found.resolved.txns) == 2
    assert len(found.events) <= 6
    assert {type(event) for event in found.events} == {Read, Write, Commit}
    assert not any(getattr(found, name) for name in BARE)
    assert (found.name, found.source, found.note) == (None, None, None)
    for event in found.events:
        assert (event.time, event.extra) == (None, ())
        if isinstance(event, (Read, Write)):
            assert event.value is None and event.item.table == "facts" and event.item.name in "xyz"
        if isinstance(event, Write):
            assert (event.kind, event.predicates, event.prov, event.operator) == (WriteKind.UPDATE, (), None, None)


def test_everything_is_generated() -> None:
    seen: Counter[str] = Counter()

    def note(schedule: Schedule) -> None:
        resolved = schedule.resolved
        seen.update(type(event).__name__ for event in schedule.events)
        for name in (*BARE, "name", "source", "note"):
            seen[name] += bool(getattr(schedule, name))
        seen["unfinished"] += len(resolved.end) < len(resolved.txns)
        seen["reordered"] += any(list(order) != sorted(order) for order in resolved.order.values())
        for position, event in enumerate(schedule.events):
            if isinstance(event, Write):
                seen[event.kind.name] += 1
                seen["unlabelled"] += event.version is None
                seen["matching"] += bool(event.predicates)
                seen["prov"] += event.prov is not None
                seen["operator"] += event.operator is not None
                seen["other table"] += event.item.table != "facts"
            elif isinstance(event, Read):
                source = resolved.saw[position]
                seen["dirty"] += source >= 0 and not resolved.committed_by(schedule.events[source].txn, position)
                seen["value"] += event.value is not None
            elif isinstance(event, PredicateRead):
                seen["matched"] += bool(event.matched)
                seen["unmatched"] += bool(event.unmatched)
                seen["partial"] += event.partial
                seen["unlisted"] += len(resolved.rows[position]) > len(event.matched) + len(event.unmatched)
            seen["time"] += event.time is not None
            seen["unknown key"] += bool(event.extra)
            seen["theta"] += isinstance(event, Judge) and event.theta.startswith("{")

    wanted = {kind.__name__ for kind in (Begin, Read, PredicateRead, Write, Commit, Abort, Judge, Callback)}
    wanted |= {*BARE, "name", "source", "note", "unfinished", "reordered", "INSERT", "DELETE", "UPDATE", "unlabelled"}
    wanted |= {"matching", "prov", "operator", "other table", "dirty", "value", "matched", "unmatched", "partial"}
    wanted |= {"unlisted", "time", "unknown key", "theta"}
    # Rare ones come in about two of a hundred schedules: several rounds, until everything has been seen.
    for round_ in range(10):
        collect = seed(round_)(
            settings(max_examples=300, database=None, deadline=None)(given(schedules(json_only=True))(note))
        )
        collect()
        if all(seen[name] for name in wanted):
            break
    assert {name: seen[name] for name in wanted if not seen[name]} == {}


@given(schedules(classical=True, max_events=8, max_txns=2, max_items=1))
def test_classical_schedules_are_classical_and_within_the_limits(schedule: Schedule) -> None:
    assert {type(event) for event in schedule.events} <= {Begin, Read, Write, Commit, Abort}
    assert not any(getattr(schedule, name) for name in BARE)
    assert len(schedule.events) <= 8
    assert set(schedule.resolved.txns) <= {"1", "2"}
    assert {name for _, name in schedule.resolved.items} <= {"x"}
    assert all(
        event.version is not None and event.version.isdigit()
        for event in schedule.events
        if isinstance(event, (Read, Write))
    )


@given(names())
def test_names_are_names(name: str) -> None:
    assert name_fault(name) is None


@given(json_values())
def test_values_are_canonical(value: str) -> None:
    assert json_text(json.loads(value)) == value


@pytest.mark.parametrize(
    "options",
    [
        {"classical": True, "json_only": True},
        {"max_events": 0},
        {"max_events": 5_001},
        {"max_txns": 0},
        {"max_txns": 27},
        {"max_items": 0},
        {"max_items": 27},
    ],
    ids=str,
)
def test_options_are_checked(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"max_|classical"):
        schedules(**options)
    with pytest.raises(ValueError, match="max_leaves"):
        json_values(max_leaves=0)


@pytest.mark.parametrize(
    "options",
    [
        {"min_events": 9, "max_events": 8},
        {"min_events": True},
        {"min_events": 1.5},
        {"min_txns": 0},
        {"min_txns": 3, "max_txns": 2},
        {"max_events": 3, "min_txns": 4},
        {"max_events": 3, "min_txns": 2, "complete": True},
        {"judges": 1},
        {"aborts": None},
    ],
    ids=str,
)
def test_bounds_are_refused_in_the_manner_of_hypothesis(options: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=r"m(ax|in)_|judges|aborts"):
        schedules(**options)  # type: ignore[arg-type]


@given(schedules(min_events=6, max_events=9, min_txns=2, max_txns=3, max_items=2, complete=True, aborts=False))
def test_bounds_are_kept(schedule: Schedule) -> None:
    assert 6 <= len(schedule.events) <= 9
    assert 2 <= len(schedule.resolved.txns) <= 3
    assert set(schedule.resolved.end) == set(schedule.resolved.txns)
    assert not schedule.resolved.aborted


PLAIN: tuple[str, ...] = (
    "predicates",
    "kinds",
    "judges",
    "callbacks",
    "orders",
    "sessions",
    "partitions",
    "tables",
    "values",
)
PLAIN += ("unlabelled", "begins", "names", "annotations")


@given(schedules(**{name: False for name in PLAIN if name != "judges"}))
def test_what_is_switched_off_is_not_there(schedule: Schedule) -> None:
    assert {type(event) for event in schedule.events} <= {Read, Write, Commit, Abort, Judge}
    assert not any(getattr(schedule, name) for name in BARE)


def holds(name: str) -> Callable[[Schedule], bool]:
    return lambda schedule: Concrete(schedule).holds(phenomenon(name).formula)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("P0", "w1[x1] w2[x2] c1 c2"),
        ("P1", "w1[x1] r2[x1] c1 c2"),
        ("P2", "r1[x0] w2[x1] r1[x1] c1 c2"),
        ("P4", "r1[x0] w2[x1] c2 w1[x2] c1"),
        ("A5A", "w1[x1] w1[y1] c1 r2[x0] r2[y1] c2"),
        ("A5B", "w1[x1] r1[y0] c1 r2[x0] w2[y1] c2"),
    ],
)
def test_pairs_shrink_to_the_smallest_schedule(name: str, text: str) -> None:
    """The smallest there is: the textbook schedule without what the formula does not need."""
    found = find(conflict_pairs(), holds(name), settings=QUIET)
    assert str(found) == text


def test_a_phantom_shrinks() -> None:
    phantoms = interleavings(programs(max_txns=2, max_ops=2, predicates=1))
    assert str(find(phantoms, holds("P3"), settings=QUIET)) == "w1[x1 in P] c1 r2{P:} w2[x2] c2"


def test_a_judge_that_changes_its_mind_shrinks() -> None:
    off = {name: False for name in PLAIN if name != "judges"}
    found = find(schedules(max_events=6, max_txns=2, max_items=1, **off), holds("N1"), settings=QUIET)
    assert [type(event) for event in found.events] == [Judge, Judge, Commit]


def test_a_write_skew_at_si_shrinks() -> None:
    found = find(at_level("SI", max_txns=2, max_ops=2), holds("A5B"), settings=QUIET)
    assert (len(found.events), len(found.resolved.txns)) == (6, 2)


def test_programs_shrink() -> None:
    wanted = find(programs(), lambda found: any(len(events) > 2 for events in found), settings=QUIET)
    assert [str(Schedule(events)) for events in wanted] == ["r1[x] r1[x] c1"]


@given(programs(min_txns=2, max_txns=3, max_ops=3, max_items=2, predicates=2, aborts=True))
def test_programs_are_programs(found: list[tuple[Event, ...]]) -> None:
    assert 2 <= len(found) <= 3
    for number, events in enumerate(found, start=1):
        assert {event.txn for event in events} == {str(number)} and len(events) <= 4
        assert isinstance(events[-1], (Commit, Abort))
        assert not any(isinstance(event, (Commit, Abort)) for event in events[:-1])


INCREMENTS = ("r1[x] w1[x] c1", "r2[x] w2[x] c2")


@pytest.mark.parametrize(("store", "lost"), [("free", True), ("single", True), ("snapshot", False), ("locking", False)])
def test_a_design_loses_updates_or_does_not(store: str, lost: bool) -> None:
    """What users do with it: two increments of one row, in a store of each kind."""
    seen: list[bool] = []

    @settings(max_examples=40, database=None, deadline=None, derandomize=True)
    @given(interleavings(INCREMENTS, store=store))
    def note(schedule: Schedule) -> None:
        seen.append(lost_update(schedule))
        for number in ("1", "2"):
            mine = [event for event in schedule.events if event.txn == number]
            assert isinstance(mine[-1], (Commit, Abort))
            assert [event.op for event in mine if not isinstance(event, (Commit, Abort))] == ["r", "w"][: len(mine) - 1]

    note()
    assert any(seen) is lost


PROMISES = [("committed", "RC"), ("stale", "RC"), ("snapshot", "SI"), ("locking", "SR"), ("locking", "berenson:SR")]


@pytest.mark.parametrize(("store", "level"), PROMISES)
def test_a_store_keeps_its_promise(store: str, level: str) -> None:
    @settings(max_examples=60, database=None, deadline=None)
    @given(interleavings(programs(predicates=2, aborts=True), store=store))
    def kept(schedule: Schedule) -> None:
        assert Concrete(schedule).holds(parse_spec(level).formula)

    kept()


@pytest.mark.parametrize("level", ["RU", "RC", "SI", "SR", "adya:PL-2+", "session:PC", "RC+SR@facts", "RR"])
def test_schedules_at_a_level(level: str) -> None:
    spec = parse_spec(level, default="berenson" if level == "RR" else "graph")

    @settings(max_examples=40, database=None, deadline=None)
    @given(at_level(spec, predicates=1))
    def at(schedule: Schedule) -> None:
        assert Concrete(schedule).holds(spec.formula)

    at()


@settings(suppress_health_check=[HealthCheck.filter_too_much])  # three at once are filtered three times
@given(conflict_pairs(), conflict_pairs(kinds=["wr"], store="committed"), conflict_pairs(kinds="ww"))
def test_pairs_conflict(either: Schedule, reads: Schedule, writes: Schedule) -> None:
    for schedule in (either, reads, writes):
        assert schedule.resolved.committed == {"1", "2"}
    assert any(any(Concrete(either).term(txn(edge))) for edge in (wr, ww, rw))
    assert any(Concrete(reads).term(txn(wr)))
    assert any(Concrete(writes).term(txn(ww)))


@pytest.mark.parametrize(
    "make",
    [
        lambda: programs(max_txns=0),
        lambda: programs(min_txns=4),
        lambda: programs(max_ops=0),
        lambda: programs(max_items=27),
        lambda: programs(predicates=9),
        lambda: programs(predicates=True),
        lambda: programs(aborts=1),  # type: ignore[arg-type]
        lambda: interleavings(INCREMENTS, store="oracle"),
        lambda: interleavings([]),
        lambda: interleavings(["r1[x]", "w1[x]"]),
        lambda: interleavings(["r1[x] r2[x]"]),
        lambda: conflict_pairs(kinds=()),
        lambda: conflict_pairs(kinds=["war"]),
        lambda: conflict_pairs(max_ops=0),
        lambda: at_level("SI", max_txns=0),
        lambda: at_level("SI", programs=[]),  # type: ignore[arg-type]
    ],
)
def test_arguments_of_the_others_are_checked(make: Callable[[], object]) -> None:
    with pytest.raises(InvalidArgument):
        make()


def test_a_level_that_is_not_known() -> None:
    with pytest.raises(UnknownName, match="did you mean SR or SI"):
        at_level("SJ")


def test_the_stores_are_named_in_the_documentation() -> None:
    assert all(f"`{store}`" in (interleavings.__doc__ or "") for store in STORES)


def test_hypothesis_finds_the_strategy_of_a_schedule() -> None:
    """The entry point names a function that makes `from_type(Schedule)` work and imports little at once."""
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    entries = declared["project"]["entry-points"]["hypothesis"]
    assert set(entries) == {"toki_verify", "toki_verify_profiles"}
    target = entries["toki_verify"]
    module, _, name = target.partition(":")
    code = (
        f"import sys, {module} as entry\n"
        "import hypothesis\n"
        f"entry.{name}()\n"
        "heavy = [m for m in sys.modules if m.startswith('toki_verify.')"
        " and not m.startswith(('toki_verify.events', 'toki_verify.search.hypothesis_entry'))"
        # The other entry point, where the package is installed.
        " and m not in ('toki_verify.testing', 'toki_verify.testing.hypothesis_entry')]\n"
        "assert heavy == ['toki_verify.search'], heavy\n"
        "from toki_verify import Schedule\n"
        "from hypothesis import given, settings, strategies as st\n"
        "@settings(max_examples=5, database=None, deadline=None)\n"
        "@given(st.from_type(Schedule))\n"
        "def check(schedule): assert isinstance(schedule, Schedule)\n"
        "check()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
