"""NOTATION, "JSON": schedule objects, arrays, JSON Lines, traces and their events."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from toki_verify.events import (
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Expectation,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Surface,
    Write,
    WriteKind,
)
from toki_verify.jsonform import FORMAT, event_object, read_json, read_json_lines, schedule_object, trace_objects

X, MEMORY = Item("facts", "x"), Item("memories", "m0")
TRACES = sorted((Path(__file__).resolve().parents[4] / "shared" / "traces").glob("*.jsonl"))


def read(value: object, **options: str) -> Schedule:
    found, problems = read_json(json.dumps(value), **options)
    assert problems == [], [str(problem) for problem in problems]
    (schedule,) = found
    return schedule


def event(value: dict[str, Any]) -> Event:
    return read([value]).events[0]


EVENTS: list[tuple[dict[str, Any], Event]] = [
    ({"op": "b", "txn": "1"}, Begin("1")),
    ({"op": "c", "txn": "1"}, Commit("1")),
    ({"op": "a", "txn": "1"}, Abort("1")),
    ({"op": "r", "txn": "1", "table": "facts", "item": "x", "version": "0"}, Read("1", X, "0")),
    ({"op": "r", "txn": "1", "table": "facts", "item": "x"}, Read("1", X)),
    (
        {"op": "r", "txn": "1", "table": "memories", "item": "m0", "version": "0", "value": {"a": [1]}},
        Read("1", MEMORY, "0", '{"a":[1]}'),
    ),
    ({"op": "r", "txn": "1", "table": "facts", "item": "x", "value": None}, Read("1", X, None, "null")),
    (
        {
            "op": "r",
            "txn": "1",
            "table": "memories",
            "predicate": "user=alice",
            "matched": [{"item": "m0", "version": "0"}],
            "unmatched": [{"item": "m1", "version": "0"}],
            "partial": True,
        },
        PredicateRead(
            "1", Predicate("memories", "user=alice"), (Row(MEMORY, "0"),), (Row(Item("memories", "m1"), "0"),), True
        ),
    ),
    (
        {"op": "r", "txn": "1", "table": "facts", "predicate": "P", "matched": []},
        PredicateRead("1", Predicate("facts", "P")),
    ),
    (
        {
            "op": "w",
            "txn": "1",
            "table": "memories",
            "item": "m0",
            "version": "1",
            "value": "v",
            "predicates": ["user=alice"],
            "insert": True,
            "prov": "p1+p2",
            "operator": "await",
        },
        Write("1", MEMORY, "1", '"v"', WriteKind.INSERT, ("user=alice",), "p1+p2", "await"),
    ),
    (
        {"op": "w", "txn": "1", "table": "facts", "item": "x", "version": "1", "predicates": ["P"], "delete": True},
        Write("1", X, "1", None, WriteKind.DELETE, ("P",)),
    ),
    ({"op": "j", "txn": "1", "R": "d4600592", "theta": "t", "vote": [1]}, Judge("1", "d4600592", '"t"', "[1]")),
    (
        {"op": "j", "txn": "1", "R": "R", "theta": {"model": "stub", "seed": 1}},
        Judge("1", "R", '{"model":"stub","seed":1}'),
    ),
    ({"op": "cb", "txn": "1", "R": "R", "h": "h", "k": 1}, Callback("1", "R", "h", 1)),
    (
        {"t": 0.5, "op": "c", "txn": "1", "text": "..", "more": {"b": 1, "a": 2}},
        Commit("1", time="0.5", extra=(("text", '".."'), ("more", '{"a":2,"b":1}'))),
    ),
]


@pytest.mark.parametrize(("value", "meaning"), EVENTS, ids=[json.dumps(value)[:50] for value, _ in EVENTS])
def test_event_objects(value: dict[str, Any], meaning: Event) -> None:
    assert event(value) == meaning
    assert event_object(meaning) == json.loads(json.dumps(value))


@pytest.mark.parametrize(
    ("value", "meaning"),
    [
        ({"op": "r", "txn": 1, "item": "x", "version": 0}, Read("1", X, "0")),
        ({"op": "r", "txn": "1", "item": "x", "version": None, "table": None, "predicate": None}, Read("1", X)),
        ({"op": "w", "txn": "1", "item": "x", "version": "1", "insert": False, "delete": None}, Write("1", X, "1")),
        ({"op": "w", "txn": "1", "item": "x", "version": "1", "prov": " p1 + p2 "}, Write("1", X, "1", prov="p1+p2")),
        ({"op": "r", "txn": "1", "item": "e\u0301", "version": "0"}, Read("1", Item("facts", "é"), "0")),
        ({"op": "j", "txn": "1", "R": "R", "theta": "θ", "vote": None}, Judge("1", "R", '"theta"')),
        (
            {"op": "r", "txn": "1", "predicate": "P", "matched": [{"table": "facts", "item": "x", "version": "0"}]},
            PredicateRead("1", Predicate("facts", "P"), (Row(X, "0"),)),
        ),
        ({"op": "c", "txn": "1", "t": None}, Commit("1")),
        ({"op": "c", "txn": "1", "t": 1.0}, Commit("1", time="1")),
    ],
)
def test_other_ways_to_say_the_same(value: dict[str, Any], meaning: Event) -> None:
    assert event(value) == meaning


def test_unknown_keys_of_events_rows_and_schedules_are_kept() -> None:
    value = {
        "format": FORMAT,
        "events": [
            {
                "op": "r",
                "txn": "1",
                "table": "facts",
                "predicate": "P",
                "score": 1,
                "matched": [{"item": "x", "version": "0", "rank": 1}],
            }
        ],
        "run": "a",
    }
    found = read(value)
    (event,) = found.events
    assert isinstance(event, PredicateRead)
    assert (found.extra, event.extra, event.matched[0].extra) == (
        (("run", '"a"'),),
        (("score", "1"),),
        (("rank", "1"),),
    )
    assert schedule_object(found) == value


def test_a_delete_matches_nothing_whatever_predicates_says() -> None:
    found = read(
        [
            {"op": "w", "txn": "1", "item": "x", "version": "1", "predicates": ["P"], "delete": True},
            {"op": "r", "txn": "2", "predicate": "P", "matched": []},
        ]
    )
    assert found.resolved.rows[1][0].seen == -1
    assert (
        read_json(
            json.dumps(
                [
                    {"op": "w", "txn": "1", "item": "x", "version": "1", "predicates": ["P"], "delete": True},
                    {"op": "r", "txn": "2", "predicate": "P", "matched": [{"item": "x", "version": "1"}]},
                ]
            )
        )[1][0].rule
        == "predicate-match"
    )


WHOLE: dict[str, Any] = {
    "format": "toki-schedule/1",
    "schedule": "H4-lost-update",
    "source": "Berenson",
    "note": "a\nb",
    "init": {"x": {"value": 100, "predicates": ["P"], "prov": "p1"}, "memories:alice.likes/m1": {}},
    "order": {"x": ["0", "2", "1"]},
    "sessions": {"s1": ["1", "2"]},
    "surface": ["closed", "history:log"],
    "events": [
        {"op": "w", "txn": "1", "table": "facts", "item": "x", "version": "1"},
        {"op": "c", "txn": "1"},
        {"op": "w", "txn": "2", "table": "facts", "item": "x", "version": "2"},
        {"op": "c", "txn": "2"},
    ],
    "expect": [{"present": ["P4"]}, {"absent": ["P0", "P1"]}, {"level": ["PL-2"], "family": "adya"}],
}


def test_schedule_objects() -> None:
    found = read(WHOLE)
    memory = Item("memories", "m1")
    assert (found.name, found.source, found.note) == ("H4-lost-update", "Berenson", "a\nb")
    assert found.init == {X: InitialVersion("100", ("P",), "p1"), memory: InitialVersion()}
    assert found.order == {X: ("2", "1")}
    assert found.sessions == {"s1": ("1", "2")}
    assert found.surface == (Surface("closed"), Surface("history", "log"))
    assert found.partitions == {memory: Partition("alice", "likes")}
    assert found.expect == (
        Expectation("present", ("P4",)),
        Expectation("absent", ("P0", "P1")),
        Expectation("level", ("PL-2",), "adya"),
    )
    assert schedule_object(found) == WHOLE


def test_verdicts_in_an_object_are_not_read() -> None:
    verdict = {
        "file": "f",
        "line": 3,
        "levels": {"graph": {"SI": True}},
        "phenomena": {"P4": {"present": True}},
        "expected": {"ok": False, "failed": []},
        "reasons": {},
        "warnings": ["w"],
    }
    assert read(WHOLE | verdict) == read(WHOLE)


def test_order_may_leave_out_version_0_and_init_may_be_a_value() -> None:
    found = read({"init": {"x": 1, "y": {"a": 1}, "z": None}, "order": {"x": []}, "events": [{"op": "c", "txn": "1"}]})
    assert [initial.value for initial in found.init.values()] == ["1", '{"a":1}', "null"]
    assert found.order == {X: ()}


@pytest.mark.parametrize(
    ("text", "partition"),
    [
        ("alice.lives_in", Partition("alice", "lives_in")),
        ('"a.b".c', Partition("a.b", "c")),
        ('a."b/c"', Partition("a", "b/c")),
        (f"{'a' * 1_000}.{'b' * 1_000}", Partition("a" * 1_000, "b" * 1_000)),
    ],
)
def test_partitions(text: str, partition: Partition) -> None:
    found = read([{"op": "r", "txn": "1", "item": "x", "version": "0", "partition": text}])
    assert found.partitions == {X: partition}
    assert trace_objects(found)[0]["partition"] == text


# -- arrays, lines, traces ---------------------------------------------------------------------------------------------

SMALL: dict[str, Any] = {"events": [{"op": "c", "txn": "1"}]}


def test_one_object_an_array_or_lines() -> None:
    one = read(SMALL)
    assert read_json(json.dumps([SMALL, SMALL])) == ([one, one], [])
    assert read_json_lines(f"{json.dumps(SMALL)}\r\n\n{json.dumps(SMALL)}") == ([one, one], [])


def test_a_trace_is_one_event_a_line_in_order() -> None:
    lines = [
        {"op": "w", "txn": "1", "item": "x", "version": "1", "session": "s"},
        {"op": "c", "txn": "1", "session": "s"},
        {"op": "r", "txn": "2", "item": "x", "version": "1", "session": "s", "t": 3},
        {"op": "c", "txn": "2"},
    ]
    (found,), problems = read_json_lines("\n".join(map(json.dumps, lines)), stem="trace")
    assert problems == []
    assert (found.name, found.sessions, found.resolved.saw) == ("trace", {"s": ("1", "2")}, {2: 0})
    assert [entry.get("session") for entry in trace_objects(found)] == ["s"] * 4


def test_the_session_of_an_event_counts_in_a_schedule_object_too() -> None:
    found = read(
        {
            "events": [{"op": "c", "txn": "1", "session": "s"}, {"op": "c", "txn": "2", "session": "s"}],
            "sessions": {"t": []},
        }
    )
    assert found.sessions == {"t": (), "s": ("1", "2")}


def test_the_stem_names_what_has_no_name() -> None:
    assert read(SMALL, stem="f").name == "f"
    assert read(SMALL | {"schedule": "a"}, stem="f").name == "a"


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_recorded_traces(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (found,), problems = read_json_lines(text, file=path.name)
    assert problems == []
    lines = [json.loads(line) for line in text.splitlines() if line.strip()]
    assert len(found.events) == len(lines)
    for written, line in zip(trace_objects(found), lines, strict=True):
        assert {key: value for key, value in line.items() if key not in written} == {}
        assert all(written[key] == value for key, value in line.items() if key not in ("matched", "unmatched"))
