"""The strategies generate what they promise, quickly, and counterexamples shrink to what matters."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from hypothesis import find, given, seed, settings

from toki_verify.events import (
    Abort,
    Begin,
    Callback,
    Commit,
    Judge,
    PredicateRead,
    Read,
    Schedule,
    Write,
    WriteKind,
)
from toki_verify.events.names import name_fault
from toki_verify.events.values import json_text
from toki_verify.phenomena.catalogue import phenomenon
from toki_verify.relations.concrete import Concrete
from toki_verify.search.strategies import json_values, names, schedules

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
def test_options_are_checked(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"max_|classical"):
        schedules(**options)
    with pytest.raises(ValueError, match="max_leaves"):
        json_values(max_leaves=0)
