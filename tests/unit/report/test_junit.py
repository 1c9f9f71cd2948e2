"""JUnit XML: it parses whatever is in names, and counts what it holds."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as Xml

from report_samples import LOST_UPDATE, SERIAL, UNKNOWN_VOTE, verdict

from toki_verify.events import Problem
from toki_verify.report.junit import junit
from toki_verify.report.plain import visible
from toki_verify.verdict import Verdict

COUNTS = {"errors": "error", "failures": "failure", "skipped": "skipped"}


def parsed(text: str) -> Xml.Element:
    """The root; its counts and those of every suite are true."""
    root = Xml.fromstring(text.encode("utf-8"))
    assert root.tag == "testsuites"
    for element in (root, *root):
        cases = element.findall(".//testcase")
        assert element.get("tests") == str(len(cases))
        for key, tag in COUNTS.items():
            assert element.get(key) == str(sum(case.find(tag) is not None for case in cases))
    return root


def test_a_suite_a_file_and_a_case_a_schedule() -> None:
    one = verdict(f"schedule one\n{LOST_UPDATE}", file="a", line=1)
    two = verdict(f"schedule two\n{SERIAL}", file="a", line=4)
    root = parsed(junit([one, two, verdict(UNKNOWN_VOTE, file="b")], [Problem("x", "y", "rule", file="a", line=9)]))
    assert [suite.get("name") for suite in root] == ["a", "b"]
    outcomes = [[child.tag for child in case] for case in root.iter("testcase")]
    assert outcomes == [["error"], ["failure"], [], ["skipped"]]
    assert [case.get("name") for case in root.iter("testcase")] == ["a:9", "one", "two", "b"]


def test_the_failure_says_what_and_why() -> None:
    failure = parsed(junit([verdict(LOST_UPDATE)], [])).find(".//failure")
    assert failure is not None and failure.text is not None
    assert (failure.get("message") or "").startswith("P4 lost update")
    assert failure.get("type") == "P4"
    assert "the update in between is lost" in failure.text


def test_an_error_says_what_was_expected() -> None:
    error = parsed(junit([], [Problem("a line of 5\x00", "less", "limit", line=2, column=1)])).find(".//error")
    assert error is not None
    assert error.get("message") == "a line of 5\\u0000, expected less" and error.get("type") == "limit"
    assert error.text == "<input>:2:1: a line of 5\\u0000, expected less [limit]"


def test_warnings_of_a_case_that_passes_are_kept() -> None:
    odd = verdict("w1[x1=5] c1 r2[x1=6] c2")
    case = parsed(junit([odd], [])).find(".//testcase")
    assert case is not None and [child.tag for child in case] == ["system-out"]
    assert "read x = 6" in (case[0].text or "")


def test_a_failing_case_is_a_failure_though_something_is_undecided_too() -> None:
    both = verdict(f"{UNKNOWN_VOTE}\nexpect N1\nexpect P4")
    root = parsed(junit([both], []))
    assert root.get("failures") == "1" and root.get("skipped") == "0"


def test_hostile_names(hostile: Verdict) -> None:
    problem = Problem(hostile.name, "x", "r", file=hostile.file)
    root = parsed(junit([hostile, replace(hostile, file="other")], [problem]))
    assert [suite.get("name") for suite in root] == [visible(hostile.file or ""), "other"]
    assert root[1][0].get("name") == visible(hostile.name)


def test_the_whole_library(library: list[Verdict]) -> None:
    text = junit(library, [])
    root = parsed(text)
    assert root.get("tests") == str(len(library)) and root.get("failures") == "0" and root.get("errors") == "0"
    assert len(root) == len({verdict.file for verdict in library})
    assert text == junit(library, [])


def test_nothing_at_all() -> None:
    assert parsed(junit([], [])).get("tests") == "0"
