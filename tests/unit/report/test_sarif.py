"""SARIF: the shape that the 2.1.0 schema asks for, and what stands in it."""

from __future__ import annotations

import json
from typing import Any

from report_samples import LOST_UPDATE, SERIAL, UNKNOWN_VOTE, verdict

from toki_verify.checker import check
from toki_verify.events import Problem, Schedule
from toki_verify.report.sarif import sarif, uri
from toki_verify.verdict import Verdict

#: Object: (required, optional) properties of the 2.1.0 schema that we use; it allows no others.
SHAPE = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"columnKind", "invocations", "results"}),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": ({"id"}, {"name", "shortDescription", "fullDescription", "help", "properties"}),
    "invocation": ({"executionSuccessful"}, {"toolExecutionNotifications"}),
    "notification": ({"message"}, {"level", "descriptor", "locations"}),
    "result": ({"message"}, {"ruleId", "ruleIndex", "level", "locations", "partialFingerprints", "codeFlows"}),
    "location": (set(), {"physicalLocation", "logicalLocations", "message"}),
    "physical": ({"artifactLocation"}, {"region"}),
    "region": ({"startLine"}, {"startColumn"}),
    "logical": ({"name"}, {"fullyQualifiedName", "kind"}),
}


def shaped(kind: str, value: dict[str, Any]) -> dict[str, Any]:
    """The object, once it has every required property and no unknown one."""
    required, optional = SHAPE[kind]
    assert required <= set(value) <= required | optional, (kind, value)
    return value


def located(location: dict[str, Any]) -> None:
    shaped("location", location)
    if "physicalLocation" in location:
        physical = shaped("physical", location["physicalLocation"])
        assert set(physical["artifactLocation"]) == {"uri"}
        assert physical["artifactLocation"]["uri"].isascii()
        if "region" in physical:
            assert all(isinstance(n, int) and n >= 1 for n in shaped("region", physical["region"]).values())
    for logical in location.get("logicalLocations", []):
        shaped("logical", logical)


def run_of(text: str) -> dict[str, Any]:
    """The run of a log that keeps to the schema."""
    text.encode("utf-8")
    log = shaped("log", json.loads(text))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    shaped("run", run)
    assert set(run["tool"]) == {"driver"}
    rules = shaped("driver", run["tool"]["driver"])["rules"]
    for rule in rules:
        shaped("rule", rule)
        assert all(rule[key]["text"] for key in ("shortDescription", "fullDescription", "help"))
        tags = rule.get("properties", {}).get("tags", [])
        assert len(tags) == len(set(tags))
    assert len({rule["id"] for rule in rules}) == len(rules)
    for invocation in run["invocations"]:
        for notification in shaped("invocation", invocation).get("toolExecutionNotifications", []):
            shaped("notification", notification)
            for location in notification.get("locations", []):
                located(location)
    for result in run["results"]:
        shaped("result", result)
        assert result["level"] in ("error", "warning", "note") and result["message"]["text"]
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        for location in result["locations"]:
            located(location)
        for flow in result.get("codeFlows", []):
            for thread in flow["threadFlows"]:
                assert thread["locations"]
                for step in thread["locations"]:
                    assert set(step) == {"executionOrder", "location"}
                    located(step["location"])
    return run


def test_an_anomaly() -> None:
    run = run_of(sarif([verdict(LOST_UPDATE, file="dir a/é#1:x.sched", line=3)], [], "1.2"))
    assert run["tool"]["driver"]["version"] == "1.2"
    first = run["results"][0]
    assert (first["ruleId"], first["level"]) == ("P4", "error")
    assert "the update in between is lost" in first["message"]["text"]
    assert first["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "dir%20a/%C3%A9%231%3Ax.sched"},
        "region": {"startLine": 1},
    }
    (thread,) = first["codeFlows"][0]["threadFlows"]
    assert [step["location"]["message"]["text"] for step in thread["locations"]] == ["r1[x0]", "w2[x1]", "w1[x2]"]
    assert [step["executionOrder"] for step in thread["locations"]] == [1, 3, 5]
    rule = run["tool"]["driver"]["rules"][first["ruleIndex"]]
    assert (rule["name"], rule["shortDescription"]["text"]) == ("LostUpdate", "lost update")
    assert "Excluded from level SI up" in rule["help"]["text"]


def test_levels_of_results() -> None:
    declared = run_of(sarif([verdict(LOST_UPDATE, level="SI")], [], "1"))["results"]
    assert [(r["ruleId"], r["level"]) for r in declared][:2] == [("level", "error"), ("P4", "note")]
    undecided = run_of(sarif([verdict(UNKNOWN_VOTE)], [], "1"))["results"]
    assert [(r["ruleId"], r["level"]) for r in undecided] == [("N1", "warning")]
    failed = run_of(sarif([verdict(f"{SERIAL}\nexpect P4")], [], "1"))["results"]
    assert [(r["ruleId"], r["level"]) for r in failed] == [("expectation", "error")]


def test_a_clean_run() -> None:
    run = run_of(sarif([verdict(SERIAL)], [], "1"))
    assert run["results"] == [] and run["tool"]["driver"]["rules"] == []
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_problems_are_notifications() -> None:
    problems = [Problem("a", "b", "rule", file="x y", line=2, column=3), Problem("c", "d", "other")]
    (invocation,) = run_of(sarif([], problems, "1"))["invocations"]
    assert invocation["executionSuccessful"] is False
    first, second = invocation["toolExecutionNotifications"]
    assert (first["level"], first["message"]["text"], first["descriptor"]) == ("error", "a, expected b", {"id": "rule"})
    assert first["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "x%20y"}, "region": {"startLine": 2, "startColumn": 3}}}
    ]
    assert "locations" not in second


def test_paths() -> None:
    assert uri("/a b") == "file:///a%20b"
    assert uri("../a%20") == "../a%2520"
    run_of(sarif([verdict(LOST_UPDATE, file="\udcff.sched")], [Problem("a", "b", "r", file="\udcff")], "1"))


def fingerprints(found: Verdict) -> list[str]:
    return [result["partialFingerprints"]["tokiVerify/v1"] for result in run_of(sarif([found], [], "1"))["results"]]


def test_fingerprints_tell_results_apart_and_survive_a_move() -> None:
    here = verdict(LOST_UPDATE, file="a", line=1)
    prints = fingerprints(here)
    assert len(set(prints)) == len(prints)
    assert prints == fingerprints(verdict(LOST_UPDATE, file="a", line=9))
    assert not set(prints) & set(fingerprints(verdict(LOST_UPDATE, file="b", line=1)))
    assert not set(prints) & set(fingerprints(check(Schedule.parse(LOST_UPDATE.replace("x", "y")), file="a", line=1)))


def test_hostile_names(hostile: Verdict) -> None:
    run = run_of(sarif([hostile], [], "1"))
    assert run["results"][0]["locations"][0]["logicalLocations"][0]["name"] == hostile.name


def test_the_whole_library(library: list[Verdict]) -> None:
    text = sarif(library, [], "1")
    results = run_of(text)["results"]
    assert {result["level"] for result in results} <= {"note", "warning"}
    assert text == sarif(library, [], "1")
