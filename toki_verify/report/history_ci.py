"""Checked histories for builds: GitHub annotations, SARIF, JUnit, Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as Xml

from .. import __version__
from ..events import Problem
from ..histories.checked import LEVELS, Checked
from .github import command
from .markdown import cell_text
from .plain import visible
from .sarif import SCHEMA, uri

Json = dict[str, Any]
_MARKS = {True: "✓", False: "✗", None: "?"}


@dataclass(frozen=True)
class Message:
    """One thing to say to a build: error or warning, what kind, where."""

    level: str
    rule: str
    text: str
    line: int | None


def messages(checked: Checked) -> Iterator[Message]:
    """Errors for what makes the check fail, warnings for what is open or odd."""
    line_of = checked.history.line
    for finding in checked.findings:
        at = int(line_of[finding.places[0][0]]) if finding.places and finding.places[0] else None
        count = f" ({finding.count:,} times)" if finding.count > 1 else ""
        yield Message("error" if finding.refutes else "warning", finding.kind, f"{finding.text}{count}", at)
    for refuted in checked.refuted:
        wrong = checked.declared is None or checked.declared in (refuted.level, *refuted.also)
        at = refuted.lines[0] if refuted.lines else None
        yield Message("error" if wrong else "note", f"session:{refuted.level}", refuted.text, at)
    for name, reason in checked.reasons.items():
        yield Message("warning", f"session:{name}", f"undecided: {reason}", None)
    for text in checked.history.warnings:
        yield Message("warning", "input", text, None)


def github(found: Iterable[Checked], problems: Iterable[Problem]) -> str:
    """An annotation a message."""
    lines = [
        command("error", f"unreadable input [{one.rule}]", f"{one.what}, expected {one.expected}",
                file=one.file, line=one.line, col=one.column)
        for one in problems
    ]  # fmt: skip
    for checked in found:
        lines += [
            command(one.level, one.rule, one.text, file=checked.history.source, line=one.line)
            for one in messages(checked)
            if one.level != "note"
        ]
    return "".join(f"{line}\n" for line in lines)


def sarif(found: Iterable[Checked], problems: Iterable[Problem]) -> str:
    """One run, a result a message, input problems as notifications."""
    all_found = [(checked, message) for checked in found for message in messages(checked)]
    names = list(dict.fromkeys(message.rule for _, message in all_found))
    results: list[Json] = []
    for checked, message in all_found:
        place: Json = {"artifactLocation": {"uri": uri(checked.history.source)}}
        if message.line:
            place["region"] = {"startLine": message.line}
        results.append(
            {
                "ruleId": message.rule,
                "ruleIndex": names.index(message.rule),
                "level": message.level,
                "message": {"text": message.text},
                "locations": [{"physicalLocation": place}],
            }
        )
    notes = [{"level": "error", "message": {"text": str(problem)}} for problem in problems]
    invocation: Json = {"executionSuccessful": not notes} | ({"toolExecutionNotifications": notes} if notes else {})
    rules = [{"id": name, "shortDescription": {"text": name}} for name in names]
    run = {
        "tool": {"driver": {"name": "toki-verify", "version": __version__, "rules": rules}},
        "invocations": [invocation],
        "results": results,
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def junit(found: Iterable[Checked], problems: Iterable[Problem]) -> str:
    """A suite a history; a case a level, and one for the reads."""
    root = Xml.Element("testsuites", {"name": "toki-verify"})
    for problem in problems:
        suite = Xml.SubElement(
            root, "testsuite", {"name": visible(problem.file or "<input>"), "tests": "1", "errors": "1"}
        )
        case = Xml.SubElement(suite, "testcase", {"name": "input", "classname": visible(problem.file or "<input>")})
        Xml.SubElement(case, "error", {"message": visible(f"{problem.what}, expected {problem.expected}")})
    for checked in found:
        _suite(root, checked)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _suite(root: Xml.Element, checked: Checked) -> None:
    name = visible(checked.history.source)
    said = list(messages(checked))
    reads = [one for one in said if one.level == "error" and not one.rule.startswith("session:")]
    cases: list[tuple[str, str, str]] = [("reads", "failure" if reads else "", "; ".join(one.text for one in reads))]
    for level, holds in checked.levels.items():
        asked = checked.declared in (None, level)
        texts = [one.text for one in said if one.rule == f"session:{level}"]
        outcome = "" if holds else "skipped" if holds is None or not asked else "failure"
        cases.append((level, outcome, "; ".join(texts) or f"{checked.history.source} is not at {level}"))
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(outcome == "failure" for _, outcome, _ in cases)),
        "skipped": str(sum(outcome == "skipped" for _, outcome, _ in cases)),
        "errors": "0",
        "time": "0",
    }
    suite = Xml.SubElement(root, "testsuite", {"name": name, **counts})
    for case_name, outcome, text in cases:
        case = Xml.SubElement(suite, "testcase", {"name": case_name, "classname": name, "time": "0"})
        if outcome:
            Xml.SubElement(case, outcome, {"message": visible(text)}).text = visible(text, keep="\n")


def markdown(found: Iterable[Checked], problems: Iterable[Problem]) -> str:
    """A table: a row a history, a column a level."""
    lines = [f"| history | {' | '.join(LEVELS)} | findings |", "|" + "---|" * (len(LEVELS) + 2)]
    for checked in found:
        marks = [_MARKS[checked.levels[name]] if name in checked.levels else "" for name in LEVELS]
        findings = ", ".join(f"{finding.kind} ({finding.count:,})" for finding in checked.findings) or "none"
        lines.append("| " + " | ".join([cell_text(checked.history.source), *marks, cell_text(findings)]) + " |")
    unreadable = [f"- {cell_text(str(problem))}" for problem in problems]
    return "\n".join([*lines, *(["", *unreadable] if unreadable else [])]) + "\n"
