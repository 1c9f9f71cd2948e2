"""Of a large trace all forms of a report tell one example: words, JSON and messages to builds name the same lines."""

from __future__ import annotations

import json
import re

from tests.agreement.random_schedules import random_schedule
from toki_verify.events import Schedule
from toki_verify.histories.checked_trace import CheckedTrace, check_trace
from toki_verify.histories.readers.lines import read_trace
from toki_verify.jsonform import trace_objects
from toki_verify.report import trace_ci
from toki_verify.report.trace import trace_lines, trace_object


def checked(schedule: Schedule, limit: int = 3) -> CheckedTrace:
    text = "".join(json.dumps(one) + "\n" for one in trace_objects(schedule))
    trace, problems = read_trace(text.encode(), "t.jsonl")
    assert trace is not None and problems == []
    return check_trace(trace, limit=limit)


def text_of(found: CheckedTrace) -> str:
    return "\n".join(one.plain for one in trace_lines(found, 400))


LOST = "w1[x1 prov p] c1 w2[x2 prov q] c2 w3[y1 prov r] c3 w4[y2 prov r+s] c4 w5[y3 prov t] c5 w6[z1 prov u] c6"


def test_all_forms_name_the_lines_that_are_told() -> None:
    seen = set()
    for seed in range(60):
        found = checked(random_schedule(seed))
        out, text = trace_object(found), text_of(found)
        steps = {
            result["ruleId"]: [at["location"]["physicalLocation"]["region"]["startLine"] for at in flow]
            for result in json.loads(trace_ci.sarif([found], []))["runs"][0]["results"]
            for flow in [flows["threadFlows"][0]["locations"] for flows in result.get("codeFlows", [])]
        }
        for shown in found.told:
            lines = list(shown.lines)
            seen.add((shown.id, len(found.counts[shown.id].first) > 1 if shown.id in found.counts else None))
            assert out["phenomena"][shown.id]["evidence"]["lines"] == lines, (seed, shown.id)
            assert steps[shown.id] == lines, (seed, shown.id)
            [at] = {issue.line for issue in trace_ci.issues(found) if issue.rule == shown.id}
            assert at == max(lines)
            said = re.findall(r"(explained:|for example) lines? ([\d, ]+)", text.split(f"  {shown.id}  ")[1])[0]
            assert said == ("explained:" if shown.part else "for example", ", ".join(map(str, lines[:8])))
    assert len({name for name, several in seen if several}) > 4


def test_the_example_is_the_first_that_is_listed_where_all_have_as_many_accesses() -> None:
    lost = " ".join(f"r{n}[x{n}@0] r1{n}[x{n}@0] w1{n}[x{n}@1] c1{n} w{n}[x{n}@2] c{n}" for n in range(1, 6))
    found = checked(Schedule.parse(lost), limit=2)
    for name, count in found.counts.items():
        fewest = min(len(place.events) for place in count.first)
        if len(count.first[0].events) == fewest:
            assert found.places[name] == count.first[0], name
    assert found.places["P4"].lines == (1, 3, 5)


def test_of_audit_erasure_the_first_version_is_told_and_nothing_is_called_explained() -> None:
    found = checked(Schedule.parse(LOST))
    [shown] = [shown for shown in found.told if shown.id == "N3"]
    assert shown.place == found.counts["N3"].first[0] == found.places["N3"]
    section = text_of(found).split("  N3  audit erasure\n")[1].split("\n\n")[0]
    assert "for example lines 1, 3" in section and "explained" not in section
    [message] = [issue.text for issue in trace_ci.issues(found) if issue.rule == "N3"]
    assert (
        message
        == "In this trace: 3 versions of facts that were overwritten, and no row that is kept says their source."
    )
    assert "audit erasure" not in message and "⪰" not in text_of(found)
    said = " ".join(text_of(found).split())
    assert "x@1 of T1 (line 1), prov p, was overwritten by T2 (line 3), which dropped its source" in said
    assert (
        "y@1 of T3 (line 5), prov r, was overwritten by T4 (line 7), which kept its source, and dropped by T5 (line 9)"
        in said
    )
    lost = trace_object(found)["agents"]["erasure"]["surfaces"]["N3[audit]"]["first"]
    assert [(one["overwriter"], one["dropped_by"], one["lines"]) for one in lost] == [
        ("2", "2", [1, 3, 3]),
        ("4", "5", [5, 7, 9]),
        ("5", "5", [7, 9, 9]),
    ]
