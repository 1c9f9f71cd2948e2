"""What the reports for builds on histories and large traces share: how a SARIF log, a JUnit file and annotations of
problems look. What they say is decided in `history_ci.py` and `trace_ci.py`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from xml.etree import ElementTree as Xml

from .. import __version__
from ..events import Problem
from .github import command
from .junit import NO_FILE, _case, _counts, _outcome
from .markdown import cell_text
from .plain import visible
from .sarif import SCHEMA, _notification, _whole, uri

Json = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """A case of JUnit: its name, its outcome (`failure`, `skipped`, or "": passed), what is said of it in short and in
    full, what kind of failure, and warnings."""

    name: str
    outcome: str = ""
    message: str = ""
    text: str = ""
    kind: str | None = None
    warnings: Sequence[str] = ()


def unreadable(problems: Iterable[Problem]) -> list[str]:
    """An annotation for GitHub of each problem."""
    return [
        command("error", f"unreadable input [{one.rule}]", f"{one.what}, expected {one.expected}",
                file=one.file, line=one.line, col=one.column)
        for one in problems
    ]  # fmt: skip


def sarif_log(rules: Sequence[Json], results: Sequence[Json], problems: Iterable[Problem]) -> str:
    """One run with these rules and results; problems of the input as notifications."""
    notes = [_notification(problem) for problem in problems]
    invocation: Json = {"executionSuccessful": not notes} | ({"toolExecutionNotifications": notes} if notes else {})
    run = {
        "tool": {"driver": {"name": "toki-verify", "version": __version__, "rules": list(rules)}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": list(results),
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def location(file: str, line: int | None, kind: str) -> Json:
    """Where in a file something is; the file is a logical place of this kind, too."""
    physical: Json = {"artifactLocation": {"uri": uri(file)}} | ({"region": {"startLine": line}} if line else {})
    return {"physicalLocation": physical, "logicalLocations": [{"name": _whole(file), "kind": kind}]}


def junit_file(suites: Iterable[tuple[str, Sequence[Case]]], problems: Iterable[Problem]) -> str:
    """A suite a file, with an error for each problem of the input, or with its cases."""
    made: list[tuple[str, list[Xml.Element]]] = []
    for file, wrong in groupby(problems, lambda problem: problem.file or NO_FILE):
        made.append((file, [_problem(problem) for problem in wrong]))
    made += ((file, [_made(case, file) for case in cases]) for file, cases in suites)
    root = Xml.Element("testsuites", {"name": "toki-verify"})
    for file, cases in made:
        Xml.SubElement(root, "testsuite", {"name": visible(file), **_counts(cases), "time": "0"}).extend(cases)
    for key, value in _counts([case for _, cases in made for case in cases]).items():
        root.set(key, value)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _problem(problem: Problem) -> Xml.Element:
    case = _case(problem.place(), problem.file)
    case.append(_outcome("error", f"{problem.what}, expected {problem.expected}", str(problem), problem.rule))
    return case


def _made(one: Case, file: str) -> Xml.Element:
    case = _case(one.name, file)
    if one.outcome:
        case.append(_outcome(one.outcome, one.message, one.text, one.kind))
    if one.warnings:
        Xml.SubElement(case, "system-out").text = visible("\n".join(one.warnings), keep="\n")
    return case


def table(titles: Sequence[str], rows: Iterable[Sequence[str]], problems: Iterable[Problem]) -> str:
    """A table in Markdown, and what could not be read."""
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    lines += ["| " + " | ".join(map(cell_text, row)) + " |" for row in rows]
    left = [f"- {cell_text(str(problem))}" for problem in problems]
    return "\n".join([*lines, *(["", *left] if left else [])]) + "\n"
