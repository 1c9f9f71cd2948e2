"""The shipped JSON Schema accepts what is written and read, and refuses what is not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from toki_verify.checker import check
from toki_verify.events import Schedule
from toki_verify.jsonform import read_json, schedule_object, trace_objects
from toki_verify.jsonform.schema import schema
from toki_verify.notation import parse_text
from toki_verify.report.json import verdict_object
from toki_verify.search.strategies import schedules

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted((ROOT / "schedules").rglob("*.sched"))


@cache
def validator(part: str | None = None) -> Draft202012Validator:
    return Draft202012Validator(schema(part))


def faults(value: object, part: str | None = None) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(part).iter_errors(value)]


def parsed(path: Path) -> list[Schedule]:
    return parse_text(path.read_text(encoding="utf-8"))


def test_the_schema_is_a_schema() -> None:
    whole = schema()
    Draft202012Validator.check_schema(whole)
    for name in whole["$defs"]:
        part = schema(name)
        # Checked above; once a part would take seconds.
        assert part.pop("$defs") == whole["$defs"]
        Draft202012Validator.check_schema(part)


def test_an_unknown_part_is_refused() -> None:
    with pytest.raises(KeyError, match="nothing"):
        schema("nothing")


def test_every_reference_resolves() -> None:
    text = json.dumps(schema())
    named = {piece.split('"')[0] for piece in text.split("#/$defs/")[1:]}
    assert {name for name in named if not name.startswith("event.")} <= set(schema()["$defs"])


def test_there_are_schedules_to_validate() -> None:
    assert len(FILES) >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_shipped_schedule_validates(path: Path) -> None:
    objects = [schedule_object(schedule, file=path.name, line=1) for schedule in parsed(path)]
    assert faults(objects) == []
    assert [fault for found in objects for fault in faults(found, "schedule")] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_verdicts_validate_with_levels_as_booleans_and_as_objects(path: Path) -> None:
    verdicts = [check(schedule, level="SI", file=path.name, line=2) for schedule in parsed(path)[:4]]
    objects = [verdict_object(verdict) for verdict in verdicts]
    objects += [verdict_object(verdict, evidence=True) for verdict in verdicts[:2]]
    assert faults(json.loads(json.dumps(objects))) == []


TRACES = sorted((ROOT.parent / "shared" / "traces").glob("*.jsonl"))


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_recorded_traces_validate(path: Path) -> None:
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    assert faults(events) == []
    assert [fault for event in events for fault in faults(event, "event")] == []


@given(schedules(json_only=True))
def test_generated_schedules_and_traces_validate(schedule: Schedule) -> None:
    written = schedule_object(schedule)
    assert faults(written) == []
    assert faults([written]) == []
    assert [fault for event in trace_objects(schedule) for fault in faults(event, "event")] == []


READ = {"op": "r", "txn": "1", "item": "x", "version": "0"}
WRITE = {"op": "w", "txn": "1", "item": "x", "version": "1"}
JUDGE = {"op": "j", "txn": "1", "R": "R", "theta": "t"}
CALLBACK = {"op": "cb", "txn": "1", "R": "R", "h": "h", "k": 1}

WRONG_EVENTS: list[dict[str, Any]] = [
    {},
    {"op": "r"},
    {"txn": "1"},
    {"op": "read", "txn": "1", "item": "x"},
    {"op": "c"},
    {"op": "c", "txn": ""},
    {"op": "c", "txn": None},
    {"op": "c", "txn": -1},
    {"op": "c", "txn": 1.5},
    {"op": "c", "txn": True},
    {"op": "c", "txn": "x" * 1025},
    {"op": "c", "txn": "1", "t": "now"},
    {"op": "c", "txn": "1", "session": []},
    {"op": "r", "txn": "1"},
    READ | {"item": []},
    READ | {"version": {}},
    READ | {"table": False},
    READ | {"partition": 3},
    READ | {"partition": "alice"},
    {"op": "r", "txn": "1", "predicate": []},
    {"op": "r", "txn": "1", "predicate": "P", "matched": "x0"},
    {"op": "r", "txn": "1", "predicate": "P", "matched": ["x0"]},
    {"op": "r", "txn": "1", "predicate": "P", "matched": [{"version": "0"}]},
    {"op": "r", "txn": "1", "predicate": "P", "unmatched": [{"item": "x", "version": True}]},
    {"op": "r", "txn": "1", "predicate": "P", "partial": "yes"},
    WRITE | {"predicates": "P"},
    WRITE | {"predicates": [None]},
    WRITE | {"insert": 1},
    WRITE | {"insert": True, "delete": True},
    WRITE | {"prov": 1},
    WRITE | {"prov": ""},
    WRITE | {"operator": "mine"},
    {"op": "w", "txn": "1"},
    {"op": "j", "txn": "1", "R": "R"},
    {"op": "j", "txn": "1", "theta": "t"},
    JUDGE | {"theta": 1},
    JUDGE | {"theta": ""},
    JUDGE | {"R": None},
    {"op": "cb", "txn": "1", "R": "R", "h": "h"},
    CALLBACK | {"k": -1},
    CALLBACK | {"k": "1"},
    CALLBACK | {"k": 10**9},
    CALLBACK | {"k": True},
    CALLBACK | {"h": ""},
]


@pytest.mark.parametrize("event", WRONG_EVENTS, ids=lambda event: json.dumps(event)[:60])
def test_wrong_events_are_refused_by_schema_and_reader(event: dict[str, Any]) -> None:
    assert faults(event, "event")
    assert faults({"events": [event]})
    assert read_json(json.dumps({"events": [event]}))[1]


GOOD = {"events": [READ]}
WRONG_SCHEDULES: list[Any] = [
    None,
    1,
    "r1[x0]",
    {},
    {"events": []},
    {"events": {}},
    {"events": None},
    {"events": "r1[x0]"},
    [1],
    [[GOOD]],
    GOOD | {"format": "toki-schedule/2"},
    GOOD | {"schedule": ""},
    GOOD | {"schedule": []},
    GOOD | {"source": 1},
    GOOD | {"note": ["a"]},
    GOOD | {"init": []},
    GOOD | {"init": {"x": {"predicates": "P"}}},
    GOOD | {"init": {"x": {"prov": 2}}},
    GOOD | {"order": []},
    GOOD | {"order": {"x": "0 1"}},
    GOOD | {"order": {"x": [True]}},
    GOOD | {"sessions": []},
    GOOD | {"sessions": {"": ["1"]}},
    GOOD | {"sessions": {"s": [[]]}},
    GOOD | {"surface": "closed"},
    GOOD | {"surface": ["open"]},
    GOOD | {"surface": ["closed:"]},
    GOOD | {"expect": {}},
    GOOD | {"expect": [{}]},
    GOOD | {"expect": [{"present": []}]},
    GOOD | {"expect": [{"present": ["P4"], "absent": ["P0"]}]},
    GOOD | {"expect": [{"present": ["a b"]}]},
    GOOD | {"expect": [{"present": ["P4"], "family": "adya"}]},
    GOOD | {"expect": [{"level": ["RC"], "family": "a b"}]},
    GOOD | {"expect": [{"level": ["RC"], "more": 1}]},
]


@pytest.mark.parametrize("value", WRONG_SCHEDULES, ids=lambda value: json.dumps(value)[:80])
def test_wrong_schedules_are_refused_by_schema_and_reader(value: Any) -> None:
    assert faults(value)
    assert read_json(json.dumps(value))[1]


WRONG_VERDICTS: list[dict[str, Any]] = [
    {"line": 0},
    {"file": 1},
    {"levels": []},
    {"levels": {"graph": True}},
    {"levels": {"graph": {"SI": "yes"}}},
    {"levels": {"graph": {"SI": {}}}},
    {"levels": {"graph": {"SI": {"holds": 1}}}},
    {"levels": {"graph": {"SI": {"holds": True, "serial_order": "1 2"}}}},
    {"levels": {"graph": {"SI": {"holds": True, "timestamps": {"1": [1]}}}}},
    {"phenomena": {"P4": True}},
    {"phenomena": {"P4": {}}},
    {"phenomena": {"P4": {"present": "yes"}}},
    {"phenomena": {"P4": {"present": False, "evidence": {"events": [0], "text": "x"}}}},
    {"phenomena": {"P4": {"present": True, "evidence": {"events": [-1], "text": "x"}}}},
    {"phenomena": {"P4": {"present": True, "evidence": {"events": [0]}}}},
    {"phenomena": {"P4": {"present": True, "evidence": {"events": [0], "text": "x", "cycle": [{"from": "1"}]}}}},
    {"expected": {"ok": True}},
    {"expected": {"ok": 1, "failed": []}},
    {"expected": {"ok": True, "failed": [1]}},
    {"reasons": {"graph.SI": None}},
    {"warnings": "none"},
    {"declared": {"holds": True}},
    {"maximal_levels": ["SI"]},
]


@pytest.mark.parametrize("more", WRONG_VERDICTS, ids=lambda value: json.dumps(value)[:80])
def test_wrong_verdicts_are_refused(more: dict[str, Any]) -> None:
    assert faults(GOOD | more)


RIGHT: list[Any] = [
    GOOD,
    [GOOD],
    [],
    [READ, WRITE],
    GOOD | {"unknown": [1]},
    {"events": [READ | {"unknown": None, "t": 0.5}]},
    {"events": [{"op": "r", "txn": 1, "item": "x", "version": 0}]},
    GOOD | {"init": {"x": 100}},
    GOOD | {"init": {"x": {"a": 1}}},
    GOOD | {"schedule": None, "init": None, "order": None},
    {"events": [JUDGE | {"theta": {"prompt": "p", "seed": 1}, "vote": None}]},
    GOOD | {"levels": {"graph": {"SI": None, "RC": {"holds": None}}}, "reasons": {"graph.SI": "a bound was hit"}},
    GOOD | {"phenomena": {"N1": {"present": None}}, "expected": {"ok": None, "failed": []}},
]


@pytest.mark.parametrize("value", RIGHT, ids=lambda value: json.dumps(value)[:80])
def test_right_values_are_accepted(value: Any) -> None:
    assert faults(value) == []
    if value:
        assert read_json(json.dumps(value))[1] == []
