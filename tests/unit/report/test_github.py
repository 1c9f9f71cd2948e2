"""GitHub annotations: one line a message, nothing gets out of its place."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import unquote

from report_samples import LOST_UPDATE, SERIAL, UNKNOWN_VOTE, verdict

from toki_verify.checker import check
from toki_verify.events import Problem
from toki_verify.report.github import command, github
from toki_verify.report.plain import visible
from toki_verify.verdict import Judged, Verdict

COMMAND = re.compile(r"::(?P<level>error|warning) (?P<properties>[^:\r\n]*)::(?P<text>[^\r\n]*)")


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A command as the runner reads it."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line
    pairs = (part.split("=", 1) for part in match["properties"].split(","))
    return match["level"], {key: unquote(value) for key, value in pairs}, unquote(match["text"])


def test_an_anomaly_where_nothing_is_declared_is_an_error() -> None:
    lines = github([verdict(LOST_UPDATE, file="a.sched", line=3)], []).splitlines()
    level, properties, text = parsed(lines[0])
    assert (level, properties) == ("error", {"file": "a.sched", "line": "1", "title": "P4 lost update"})
    assert "the update in between is lost" in text
    assert lines[0].startswith("::error file=a.sched,line=1,title=P4 lost update::")


def test_a_declared_level_that_holds_leaves_nothing_to_say() -> None:
    assert github([verdict(LOST_UPDATE, level="RC"), verdict(SERIAL)], []) == ""


def test_a_declared_level_that_does_not_hold_is_one_error() -> None:
    (line,) = github([verdict(LOST_UPDATE, level="SI")], []).splitlines()
    level, properties, text = parsed(line)
    assert level == "error" and properties == {"line": "1", "title": "not level graph:SI: P4 lost update"}
    assert "T1 → T2" in text or "T2 → T1" in text


def test_a_failed_expectation_stands_at_its_own_line() -> None:
    (line,) = github([verdict(f"schedule s\n{LOST_UPDATE}\nexpect not P4", file="f", line=1)], []).splitlines()
    level, properties, text = parsed(line)
    assert (level, properties["line"]) == ("error", "3")
    assert properties["title"] == "failed: expect not P4"
    assert "P4 is present" in text and "the update in between is lost" in text


def test_undecided_and_odd_are_warnings() -> None:
    found = [parsed(line)[0] for line in github([verdict(UNKNOWN_VOTE)], []).splitlines()]
    assert found == ["warning"]
    odd = verdict("w1[x1=5] c1 r2[x1=6] c2")
    (line,) = github([odd], []).splitlines()
    level, properties, text = parsed(line)
    assert (level, properties["title"]) == ("warning", "recording") and "read x = 6" in text


def test_an_undecided_expectation_is_a_warning() -> None:
    known = verdict(SERIAL)
    undecided = replace(known, judged=(Judged("expect N1", None, "N1 is undecided"),))
    assert parsed(github([undecided], []).strip())[0] == "warning"


def test_problems_come_first_with_their_place() -> None:
    problem = Problem("a, b: 100%\n", "c", "rule", file="x:y,z.sched", line=2, column=5)
    (first, *_) = github([verdict(LOST_UPDATE)], [problem]).splitlines()
    assert first == (
        "::error file=x%3Ay%2Cz.sched,line=2,col=5,title=unreadable input [rule]::a, b: 100%25%0A, expected c"
    )


def test_escapes() -> None:
    assert command("error", "a:b,c%d", "e:f,g%h\r\ni", file=None) == "::error title=a%3Ab%2Cc%25d::e:f,g%25h%0D%0Ai"


def test_hostile_names_stay_in_their_place(hostile: Verdict) -> None:
    text = github([hostile, check(hostile.schedule, level="SR", file=hostile.file)], [])
    for line in text.splitlines():
        _, properties, message = parsed(line)
        assert set(properties) <= {"file", "line", "title"}
        assert properties["file"] == visible(hostile.file or "", keep="\r\n")
        assert message.startswith(visible(hostile.name, keep="\r\n"))


def test_the_whole_library_is_as_expected_and_so_silent_but_for_odd_values(library: list[Verdict]) -> None:
    lines = github(library, []).splitlines()
    assert {parsed(line)[1]["title"] for line in lines} <= {"recording"}
    assert github(library, []) == github(library, [])
