"""Text, JSON and traces give back the schedule they were made from; schedules are values."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toki_verify.events import Event, Item, Judge, Partition, PredicateRead, Read, Row, Schedule, Write
from toki_verify.events.values import json_value
from toki_verify.jsonform import event_object, read_json, read_json_lines, schedule_object, trace_objects
from toki_verify.notation import event_text, parse_text, print_events, print_schedule, read_text
from toki_verify.notation.files import LINE_BREAK
from toki_verify.notation.formatter import format_text
from toki_verify.notation.names import name_text
from toki_verify.notation.reader import LineReader
from toki_verify.search.strategies import events, json_values, names, schedules


def unplaced(schedule: Schedule) -> Schedule:
    """What a text can say: no times, no unknown keys, θ as its name."""

    def bare(event: Event) -> Event:
        event = replace(event, time=None, extra=())
        if isinstance(event, PredicateRead):
            return replace(
                event,
                matched=tuple(Row(row.item, row.version) for row in event.matched),
                unmatched=tuple(Row(row.item, row.version) for row in event.unmatched),
            )
        if isinstance(event, Judge) and not isinstance(json_value(event.theta), str):
            return replace(event, theta=json.dumps(event.theta, ensure_ascii=False))
        return event

    return rebuilt(schedule, events=[bare(event) for event in schedule.events], extra=())


def rebuilt(schedule: Schedule, **changes: object) -> Schedule:
    fields = {
        name: getattr(schedule, name)
        for name in (
            "events",
            "init",
            "order",
            "sessions",
            "surface",
            "partitions",
            "name",
            "source",
            "note",
            "expect",
            "extra",
        )
    }
    return Schedule(**(fields | changes))  # type: ignore[arg-type]


# -- text ------------------------------------------------------------------------------------------------------------


@given(schedules())
def test_printed_schedules_read_back(schedule: Schedule) -> None:
    printed = print_schedule(schedule)
    assert read_text(printed) == ([schedule], [])
    assert Schedule.parse(printed) == schedule


@given(schedules())
def test_printing_is_a_fixpoint(schedule: Schedule) -> None:
    printed = print_schedule(schedule)
    assert print_schedule(Schedule.parse(printed)) == printed


@given(schedules())
def test_formatting_keeps_canonical_text(schedule: Schedule) -> None:
    formatted, problems = format_text(print_schedule(schedule))
    assert problems == []
    assert parse_text(formatted) == [schedule]
    assert format_text(formatted) == (formatted, [])


@given(schedules(json_only=True))
def test_text_loses_exactly_what_only_json_can_hold(schedule: Schedule) -> None:
    assert Schedule.parse(print_schedule(schedule)) == unplaced(schedule)


@given(st.lists(schedules(max_events=4), min_size=2, max_size=3), st.sampled_from(("\n", "\r\n", "\r")))
def test_several_schedules_stand_in_one_file(found: list[Schedule], end: str) -> None:
    named = [rebuilt(schedule, name=f"s{number}") for number, schedule in enumerate(found)]
    text = "\n".join(map(print_schedule, named))
    assert parse_text(text.replace("\n", end)) == named


@given(schedules(), st.randoms(use_true_random=False))
def test_white_space_and_comments_mean_nothing(schedule: Schedule, random: object) -> None:
    loose = []
    for line in LINE_BREAK.split(print_schedule(schedule)):
        keyword = line.split(None, 1)[0] if line.split() else ""
        loose.append(line if keyword in ("source", "note") else f"\t{line} \u00a0# {{[( a comment")
        loose.append("# another\n\n")
    assert parse_text("\n".join(loose)) == [schedule]


@given(names())
def test_printed_names_read_back(name: str) -> None:
    assert Schedule.parse(f"r1[{name_text(name)}@0] c1").events[0] == Read("1", Item("facts", name), "0")


@given(json_values())
def test_printed_values_read_back(value: str) -> None:
    from toki_verify.notation.printer import value_text

    assert Schedule.parse(f"r1[x0={value_text(value)}] c1").events[0].value == value  # type: ignore[attr-defined]


@given(events())
def test_single_events_read_back(event: Event) -> None:
    faults: list[object] = []
    placed = LineReader(event_text(event, {}), faults.append).read()
    assert faults == []
    assert [entry.event for entry in placed] == [event]


# -- JSON ------------------------------------------------------------------------------------------------------------


@given(schedules(json_only=True))
def test_schedule_objects_read_back(schedule: Schedule) -> None:
    assert read_json(json.dumps(schedule_object(schedule))) == ([schedule], [])


#: Schedules of one file: names are unique in it.
FILES = st.lists(
    schedules(json_only=True, max_events=4), min_size=1, max_size=3, unique_by=lambda found: found.name or object()
)


@given(FILES, st.booleans())
def test_arrays_and_lines_of_schedule_objects_read_back(found: list[Schedule], ascii_only: bool) -> None:
    objects = [schedule_object(schedule, file="a.sched", line=3) for schedule in found]
    assert read_json(json.dumps(objects, indent=1, ensure_ascii=ascii_only)) == (found, [])
    lines = "\n".join(json.dumps(entry, ensure_ascii=ascii_only) for entry in objects)
    assert read_json_lines(lines) == (found, [])


@given(schedules(json_only=True))
def test_writing_json_is_a_fixpoint(schedule: Schedule) -> None:
    written = schedule_object(schedule)
    assert schedule_object(read_json(json.dumps(written))[0][0]) == written


@given(events(json_only=True))
def test_event_objects_are_json(event: Event) -> None:
    written = event_object(event)
    assert json.loads(json.dumps(written)) == written
    assert written["op"] == event.op
    assert written["txn"] == event.txn


def traceable(schedule: Schedule) -> Schedule:
    """What a trace can hold: the events, the sessions in the order of their events, the partitions seen."""
    first = list(dict.fromkeys(event.txn for event in schedule.events))
    of = {txn: session for session, txns in schedule.sessions.items() for txn in txns}
    sessions = {
        session: tuple(txn for txn in first if of.get(txn) == session)
        for session, txns in schedule.sessions.items()
        if txns
    }
    seen = set()
    for event in schedule.events:
        if isinstance(event, (Read, Write)):
            seen.add(event.item)
        elif isinstance(event, PredicateRead):
            seen.update(row.item for row in (*event.matched, *event.unmatched))
    partitions: dict[object, Partition] = {k: v for k, v in schedule.partitions.items() if k in seen}
    return rebuilt(
        schedule,
        sessions=sessions,
        partitions=partitions,
        order={},
        init={},
        surface=(),
        name=None,
        source=None,
        note=None,
        expect=(),
        extra=(),
    )


@given(schedules(json_only=True))
def test_traces_read_back_as_far_as_they_can_hold_a_schedule(schedule: Schedule) -> None:
    if any(initial.predicates for initial in schedule.init.values()):
        schedule = rebuilt(
            schedule,
            events=[event for event in schedule.events if not isinstance(event, PredicateRead)]
            or [schedule.events[-1]],
            init={},
            partitions={},
            order={},
            sessions={},
        )
    lines = "\n".join(json.dumps(entry) for entry in trace_objects(schedule))
    assert read_json_lines(lines) == ([traceable(schedule)], [])
    assert read_json(json.dumps(trace_objects(schedule))) == ([traceable(schedule)], [])


# -- values ----------------------------------------------------------------------------------------------------------


@given(schedules(json_only=True))
def test_copies_and_pickles_are_equal(schedule: Schedule) -> None:
    for other in (copy.copy(schedule), copy.deepcopy(schedule), pickle.loads(pickle.dumps(schedule))):
        assert other == schedule
        assert hash(other) == hash(schedule)
        assert other.resolved == schedule.resolved


@given(schedules(), schedules())
def test_equal_schedules_have_equal_hashes_and_texts(one: Schedule, other: Schedule) -> None:
    assert one == one
    assert (one == other) == (schedule_object(one) == schedule_object(other))
    if one == other:
        assert hash(one) == hash(other)
    assert one != print_events(one)


@given(schedules(json_only=True))
def test_schedules_and_events_cannot_be_changed(schedule: Schedule) -> None:
    for name in Schedule.__slots__:
        with pytest.raises(AttributeError, match="immutable"):
            setattr(schedule, name, ())
        with pytest.raises(AttributeError, match="immutable"):
            delattr(schedule, name)
    for mapping in (schedule.init, schedule.order, schedule.sessions, schedule.partitions):
        with pytest.raises(TypeError):
            mapping["x"] = ()  # type: ignore[index]
    with pytest.raises((FrozenInstanceError, AttributeError)):
        schedule.events[0].txn = "other"  # type: ignore[misc]


def test_the_caller_keeps_no_handle_on_the_parts() -> None:
    events_, init, order = list(Schedule.parse("w1[x1] c1").events), {}, {Item("facts", "x"): ["1"]}
    schedule = Schedule(events_, init=init, order=order)  # type: ignore[arg-type]
    events_.clear()
    order.clear()
    assert (len(schedule.events), dict(schedule.order)) == (2, {("facts", "x"): ("1",)})
