"""GitHub workflow commands: one annotation a line."""

from __future__ import annotations

from collections.abc import Iterable

from ..events import Problem
from ..verdict import Verdict
from .issues import issues
from .plain import visible


def github(verdicts: Iterable[Verdict], problems: Iterable[Problem]) -> str:
    """`::error file=…,line=…,title=…::text` for what fails, `::warning` for what is undecided or odd.

    Anomalies that were expected are not mentioned.
    """
    lines = [
        command(
            "error",
            f"unreadable input [{problem.rule}]",
            f"{problem.what}, expected {problem.expected}",
            file=problem.file,
            line=problem.line,
            col=problem.column,
        )
        for problem in problems
    ]
    for verdict in verdicts:
        lines += [
            command(issue.level, issue.title, f"{verdict.name}: {issue.text}", file=verdict.file, line=issue.line)
            for issue in issues(verdict)
            if issue.level != "note"
        ]
    return "".join(f"{line}\n" for line in lines)


def command(level: str, title: str, text: str, **place: str | int | None) -> str:
    """One workflow command; properties that are None are left out."""
    known = {key: value for key, value in place.items() if value is not None} | {"title": title}
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in known.items())
    return f"::{level} {properties}::{_data(text)}"


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
