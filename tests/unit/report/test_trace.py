"""The report on a large trace: how often and where first, in words and as JSON; the JSON is that of the schema."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.agreement.random_schedules import random_schedule
from toki_verify.checker import check
from toki_verify.events import Problem, Schedule
from toki_verify.histories.checked import check_history
from toki_verify.histories.checked_trace import CheckedTrace, Count, Place, check_trace
from toki_verify.histories.columns import History
from toki_verify.histories.formats import read_history
from toki_verify.histories.readers.lines import read_trace
from toki_verify.histories.trace import Trace, of_schedule
from toki_verify.jsonform import read_json_lines, trace_objects
from toki_verify.jsonform.schema import schema
from toki_verify.report import trace_ci
from toki_verify.report.history_data import history_object
from toki_verify.report.json import verdict_object
from toki_verify.report.trace import count_text, trace_lines, trace_object


@cache
def validator(part: str | None = None) -> Draft202012Validator:
    return Draft202012Validator(schema(part))


def faults(value: object, part: str | None = None) -> list[str]:
    return [f"{error.json_path}: {error.message[:200]}" for error in validator(part).iter_errors(value)]


def lines_of(schedule: Schedule) -> str:
    return "".join(json.dumps(one) + "\n" for one in trace_objects(schedule))


def as_trace(schedule: Schedule) -> Trace:
    """The trace of a schedule, read from its lines."""
    found, problems = read_trace(lines_of(schedule).encode(), "t.jsonl")
    assert found is not None and problems == []
    return found


def losing(times: int) -> Schedule:
    """So many lost updates, one behind the other."""
    text = " ".join(
        f"r{2 * n}[x{n}@0] r{2 * n + 1}[x{n}@0] w{2 * n + 1}[x{n}@1] c{2 * n + 1} w{2 * n}[x{n}@2] c{2 * n}"
        for n in range(1, times + 1)
    )
    return Schedule.parse(text)


def text_of(checked: CheckedTrace, width: int = 200) -> str:
    return "\n".join(one.plain for one in trace_lines(checked, width))


# -- counts ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("limit", [0, 1, 3, 9])
def test_the_first_ones_are_listed_with_their_lines(limit: int) -> None:
    found = check_trace(as_trace(losing(5)), limit=limit)
    lost = trace_object(found)["phenomena"]["P4"]
    assert (lost["count"], lost["exact"]) == (5, True) and lost["unit"].startswith("pairs of a transaction and an item")
    # Of the six events of each the first, the third and the fifth.
    expected = [[6 * n + 1, 6 * n + 3, 6 * n + 5] for n in range(min(limit, 5))]
    assert [place["lines"] for place in lost["first"]] == expected
    assert [place["events"] for place in lost["first"]] == [[line - 1 for line in lines] for lines in expected]
    text = text_of(found)
    assert "5 pairs of a transaction and an item" in text
    places = "; ".join(f"lines {', '.join(map(str, lines))}" for lines in expected)
    more = "; …" if limit < 5 else ""
    assert (f"; the first: {places}{more}\n" in text) is (limit > 0)


def test_only_what_is_present_is_counted_and_each_of_it_is_there() -> None:
    counted: set[str] = set()
    for seed in range(60):
        found = trace_object(check_trace(as_trace(random_schedule(seed))))
        [again], _ = read_json_lines(lines_of(random_schedule(seed)))
        expected = check(again).findings
        for name, one in found["phenomena"].items():
            assert ("count" in one) <= (one["present"] is True), (seed, name)
            assert one["present"] is expected[name].present, (seed, name)
            if "count" in one:
                counted.add(name)
                assert one["count"] >= len(one["first"]) > 0
                assert one["exact"] is False or len(one["first"]) == min(3, one["count"])
                last = [max(place["events"]) for place in one["first"]]
                assert all(place["lines"] for place in one["first"]) and min(last) >= 0
    assert counted >= {"P0", "P1", "P2", "P3", "P4", "G1a", "G1b", "G2", "N1", "CB"}


def test_a_number_is_said_as_it_is() -> None:
    assert count_text(Count(1, "reads of x", True, ())) == "1 read of x"
    assert count_text(Count(2, "reads", True, ())) == "2 reads"
    assert count_text(Count(1_312, "reads of x", False, ())) == "at least 1,312 reads of x"


def test_long_lists_of_lines_are_cut() -> None:
    found = check_trace(as_trace(losing(1)))
    long = Place(tuple(range(30)), tuple(range(1, 31)))
    [shown] = found.told
    text = text_of(replace(found, told=(replace(shown, place=long),), counts={"P4": Count(2, "pairs", True, (long,))}))
    assert "2 pairs; the first: lines 1, 2, 3, 4, 5, 6, 7, 8, …; …" in text


# -- agents ------------------------------------------------------------------------------------------------------------
def test_what_agents_did_is_told() -> None:
    schedule = Schedule.parse("j1(R, t)=0 c1 j2(R, t)=1 c2 j3(R, u)=1 c3")
    found = check_trace(as_trace(schedule))
    assert "1 key with different votes" in text_of(found)
    votes = trace_object(found)["agents"]["votes"]["N1"]
    assert (votes["calls"], votes["keys"], votes["differing"]) == (3, 2, 1)
    assert votes["differing"] == trace_object(found)["phenomena"]["N1"]["count"]


# -- the schema --------------------------------------------------------------------------------------------------------
SOME = losing(2), Schedule.parse("j1(R, t) j2(R, t)=1 c1 c2"), Schedule.parse("r1[x0] w1[x1] c1")


def test_what_is_printed_of_traces_is_what_the_schema_says() -> None:
    found = [check_trace(as_trace(random_schedule(seed)), level="SI", absent=("N1",)) for seed in range(20)]
    found += [check_trace(as_trace(schedule), evidence=True) for schedule in SOME]
    objects = [trace_object(one, evidence=more) for one in found for more in (False, True)]
    assert faults(json.loads(json.dumps(objects))) == []
    assert [fault for one in objects for fault in faults(one) + faults(one, "trace")] == []
    mixed = [*objects[:2], verdict_object(check(losing(1))), history_object(check_history(history()))]
    assert faults(json.loads(json.dumps(mixed))) == []


def test_what_is_printed_of_an_interrupted_check_is_what_the_schema_says() -> None:
    def stop(what: str, done: int, total: int) -> None:
        if (what, done) == ("phenomena", 20):
            raise KeyboardInterrupt

    out = trace_object(check_trace(as_trace(losing(1)), level="SI", tell=stop))
    assert (faults(out), out["interrupted"]) == ([], True)
    assert out["expected"] == {"ok": None, "failed": []} and out["declared"] == {"level": "graph:SI", "holds": None}


def history(text: str = "w(1,9,0,0)\nr(1,9,1,1)\nw(1,1,1,1)\nr(1,9,2,2)\nw(1,2,2,2)\n") -> History:
    found, problems = read_history(text.encode(), source="h.txt", format="plume")
    assert found is not None and problems == []
    return found


def test_what_is_printed_of_histories_is_what_the_schema_says() -> None:
    def stop(level: str) -> None:
        if level == "CC":
            raise KeyboardInterrupt

    found = [
        check_history(history()),
        check_history(history("w(1,0,0,0)\nr(1,0,1,1)\nr(2,7,1,1)\nr(2,7,2,2)\n"), declared="RC"),
        check_history(history(), tell=stop),
    ]
    assert found[2].interrupted and found[1].history.warnings
    objects = [history_object(one, evidence=more) for one in found for more in (False, True)]
    assert faults(json.loads(json.dumps(objects))) == []
    assert [fault for one in objects for fault in faults(one) + faults(one, "history")] == []


WRONG: list[dict[str, Any]] = [
    {"trace": {"events": -1, "transactions": 1, "items": 1}},
    {"phenomena": {"P4": {"present": False, "count": 1, "unit": "pairs", "exact": True, "first": []}}},
    {"phenomena": {"P4": {"present": True, "count": 1}}},
    {"phenomena": {"P4": {"present": True, "evidence": {"lines": [0], "events": [0]}}}},
    {"phenomena": {"P4": {}}},
    {"levels": {"graph": {"SI": "yes"}}},
    {"expected": {"ok": True}},
    {"agents": {"votes": 3, "drift": None, "erasure": None}},
    {"interrupted": False},
    {"format": "toki-trace/2"},
    {"more": 1},
]


@pytest.mark.parametrize("change", WRONG, ids=str)
def test_the_schema_refuses_what_is_none(change: dict[str, Any]) -> None:
    out = trace_object(check_trace(as_trace(losing(1))))
    assert faults(out, "trace") == [] and faults(out | change, "trace") != []
    assert faults([out | change]) != []


# -- builds ------------------------------------------------------------------------------------------------------------
def test_a_message_says_how_often_and_where() -> None:
    found = check_trace(as_trace(losing(3)))
    [issue] = trace_ci.issues(found)
    assert (issue.level, issue.rule, issue.line) == ("error", "P4", max(found.places["P4"].lines))
    assert issue.text.endswith(
        "In this trace: 3 pairs of a transaction and an item on which it overwrote an update that it had not read."
    )
    assert "P4 lost update (3)" in trace_ci.markdown([found], [])


def test_what_no_part_shows_is_said_all_the_same() -> None:
    """A pattern that was forbidden is told by its lines; a level that no part refutes by that alone."""
    found = check_trace(as_trace(losing(1)), level="SR", absent=("P2[broad]",))
    bare = replace(found, told=tuple(replace(one, refuted=()) for one in found.told))
    levels = {issue.rule: (issue.title, issue.text, issue.line) for issue in trace_ci.issues(bare)}
    assert levels["level"] == ("not level graph:SR", "the schedule is not at this level", None)
    assert levels["P2[broad]"][2] == max(found.places["P2[broad]"].lines)
    assert [issue.level for issue in trace_ci.issues(bare)] == ["error", "error", "note"]


def test_an_interrupted_check_is_said_in_each_form() -> None:
    def stop(what: str, done: int, total: int) -> None:
        if what == "levels":
            raise KeyboardInterrupt

    found = check_trace(as_trace(losing(1)), level="SI", tell=stop)
    phenomena, levels = len(found.decided.present), len(found.decided.holds)
    said = f"interrupted: 0 of {phenomena} phenomena and {levels} of {levels} levels are open"
    assert trace_ci.github([found], []).count("::warning") == 2 and said in trace_ci.github([found], [])
    assert said in trace_ci.sarif([found], [])
    assert '<skipped message="level graph:SI">level graph:SI: interrupted' in trace_ci.junit([found], [])
    assert "| undecided | P4 lost update, " in trace_ci.markdown([found], [])
    assert "| none or more | none or more |" in trace_ci.markdown([found], [])
    assert said in text_of(found) and "? level graph:SI: interrupted" in text_of(found)


def test_names_that_would_break_a_report_are_written_out() -> None:
    found = replace(check_trace(of_schedule(losing(1))), source="a\n::error::b|c.jsonl")
    assert trace_ci.github([found], []).count("\n") == 1
    assert (
        "\\|" in trace_ci.markdown([found], []).split("\n")[2] and len(trace_ci.markdown([found], []).split("\n")) == 4
    )
    assert "\n::" not in trace_ci.junit([found], [])
    uri = json.loads(trace_ci.sarif([found], []))["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert uri["artifactLocation"]["uri"] == "a%0A%3A%3Aerror%3A%3Ab%7Cc.jsonl"


def test_a_problem_without_a_file_is_said_too() -> None:
    problem = Problem("nothing", "something", "empty")
    assert "::error title=unreadable input [empty]::nothing, expected something" in trace_ci.github([], [problem])
    assert '<testsuite name="&lt;input&gt;" tests="1" errors="1"' in trace_ci.junit([], [problem])
