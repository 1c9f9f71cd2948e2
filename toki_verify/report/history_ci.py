"""Checked histories for builds: GitHub annotations, SARIF, JUnit, Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..events import Problem
from ..histories.checked import LEVELS, Checked
from ..histories.named import in_words
from .builds import Case, junit_file, location, sarif_log, table, unreadable
from .github import command

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
        names = in_words(refuted.phenomena)
        text = f"{refuted.text} The smallest part found shows {names}." if names else refuted.text
        yield Message("error" if wrong else "note", f"session:{refuted.level}", text, at)
    for name, reason in checked.reasons.items():
        yield Message("warning", f"session:{name}", f"undecided: {reason}", None)
    for text in checked.history.warnings:
        yield Message("warning", "input", text, None)


def github(found: Iterable[Checked], problems: Iterable[Problem]) -> str:
    """An annotation a message."""
    lines = unreadable(problems)
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
    results: list[Json] = [
        {
            "ruleId": message.rule,
            "ruleIndex": names.index(message.rule),
            "level": message.level,
            "message": {"text": message.text},
            "locations": [location(checked.history.source, message.line, "history")],
        }
        for checked, message in all_found
    ]
    return sarif_log([{"id": name, "shortDescription": {"text": name}} for name in names], results, problems)


def junit(found: Iterable[Checked], problems: Iterable[Problem]) -> str:
    """A suite a history; a case a level, and one for the reads."""
    return junit_file(((checked.history.source, _cases(checked)) for checked in found), problems)


def _cases(checked: Checked) -> list[Case]:
    said = list(messages(checked))
    wrong = "; ".join(one.text for one in said if one.level == "error" and not one.rule.startswith("session:"))
    cases = [Case("reads", "failure" if wrong else "", wrong, wrong)]
    for level, holds in checked.levels.items():
        asked = checked.declared in (None, level)
        outcome = "" if holds else "skipped" if holds is None or not asked else "failure"
        text = "; ".join(one.text for one in said if one.rule == f"session:{level}")
        text = text or f"{checked.history.source} is not at {level}"
        cases.append(Case(level, outcome, text, text))
    return cases


def markdown(found: Iterable[Checked], problems: Iterable[Problem]) -> str:
    """A table: a row a history, a column a level."""
    rows = []
    for checked in found:
        marks = [_MARKS[checked.levels[name]] if name in checked.levels else "" for name in LEVELS]
        findings = ", ".join(f"{finding.kind} ({finding.count:,})" for finding in checked.findings) or "none"
        rows.append([checked.history.source, *marks, findings])
    return table(("history", *LEVELS, "findings"), rows, problems)
