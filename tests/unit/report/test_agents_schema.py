"""What a report says of agents as JSON is what the schema says, of every key."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.agreement.random_schedules import random_schedule
from toki_verify.events import Schedule
from toki_verify.histories.columnar.by_agent import by_agent
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.readers.lines import read_trace
from toki_verify.histories.trace import of_schedule
from toki_verify.jsonform import trace_objects
from toki_verify.jsonform.schema import schema
from toki_verify.report.agents_data import agent_object

PLANTED = (
    "j1(R, t)=0 c1 j2(R, t)=1 c2 j3(R, t) c3 r4[s.p/x0] r5[s.p/y0] w4[s.p/y1] w5[s.p/x1] c4 c5",
    "session agent-1: 1 2\nj1(R, t)=0 c1 j2(R, t)=1 c2 j3(R, u) c3",
    "w1[x1 prov p] c1 w2[x2 prov p+q] c2 w3[x3 prov q] c3 w4[y1 prov z] c4 w5[-y2] c5",
    "r1[x0] c1",
)


@cache
def agents() -> Draft202012Validator:
    whole = schema("trace")
    return Draft202012Validator({**whole, "$ref": "#/$defs/trace/properties/agents"})


def faults(value: object) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in agents().iter_errors(value)]


def reports() -> Iterator[dict[str, Any]]:
    """Of schedules, and of traces with lines."""
    planted = [Schedule.parse(text) for text in PLANTED if "session" not in text]
    for schedule in [*planted, *map(random_schedule, range(60))]:
        yield agent_object(by_agent(Reading(of_schedule(schedule))))
        found, _ = read_trace("".join(json.dumps(one) + "\n" for one in trace_objects(schedule)).encode(), "t.jsonl")
        if found is not None:
            yield agent_object(by_agent(Reading(found)))


def test_what_is_printed_of_agents_is_what_the_schema_says() -> None:
    seen: set[str] = set()
    for found in reports():
        again = json.loads(json.dumps(found))
        assert faults(again) == [], again
        seen |= {name for name, part in again.items() if part is not None}
        seen |= {"a version" for surface in (again["erasure"] or {}).get("surfaces", {}).values() if surface["first"]}
        seen |= {"a skew" for row in (again["drift"] or {}).get("by_partition", ()) if row["N2"]["first"]}
        seen |= {"a group" for part in (again["votes"] or {}).values() if part["first"]}
    assert seen == {"votes", "drift", "erasure", "a version", "a skew", "a group"}


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects inside, but for what a user wrote (θ, votes)."""
    if isinstance(value, dict):
        yield value
        for name, one in value.items():
            yield from objects(one) if name not in ("theta", "vote") else ()
    elif isinstance(value, list):
        for one in value:
            yield from objects(one)


@pytest.mark.parametrize("text", [PLANTED[0], PLANTED[2]])
def test_no_object_may_have_more_keys_or_fewer(text: str) -> None:
    """Every key is in the schema: one more is refused wherever it stands, and so is one less, but for two that say
    where nothing is known."""
    whole = agent_object(by_agent(Reading(of_schedule(Schedule.parse(text)))))
    assert faults(whole) == []
    count = 0
    for one in list(objects(whole)):
        one["more"] = 1
        assert faults(whole) != [], one
        del one["more"]
        for name in set(one) - {"session", "line"}:
            value = one.pop(name)
            assert faults(whole) != [], (name, one)
            one[name] = value
            count += 1
    assert count > 30 and faults(whole) == []


def descriptions(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (name for name in value.get("properties", ()))
        for one in value.values():
            yield from descriptions(one)
    elif isinstance(value, list):
        for one in value:
            yield from descriptions(one)


def test_every_object_that_is_printed_of_agents_is_explained() -> None:
    parts = schema()["$defs"]
    named = [name for name in parts if name.startswith(("agent_", "vote_", "drift_", "eras"))]
    assert len(named) == 9 and all(parts[name]["description"].endswith(".") for name in named)
    assert {"dropped_by", "undecided", "by_partition"} <= {key for name in named for key in descriptions(parts[name])}
