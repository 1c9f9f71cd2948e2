"""JUnit XML: a suite a file, a case a schedule."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as Xml

from ..events import Problem
from ..verdict import Verdict
from .issues import Issue, issues
from .plain import visible

NO_FILE = "<input>"
_KINDS = {"error": "errors", "failure": "failures", "skipped": "skipped"}


def junit(verdicts: Iterable[Verdict], problems: Iterable[Problem]) -> str:
    """A failure for what is not as expected, skipped for what is undecided, an error for unreadable input."""
    cases: dict[str, list[Xml.Element]] = {}
    for problem in problems:
        case = _case(problem.place(), problem.file)
        case.append(_outcome("error", f"{problem.what}, expected {problem.expected}", str(problem), problem.rule))
        cases.setdefault(problem.file or NO_FILE, []).append(case)
    for verdict in verdicts:
        cases.setdefault(verdict.file or NO_FILE, []).append(_judged(verdict))
    root = Xml.Element("testsuites", {"name": "toki-verify"})
    for file, found in cases.items():
        suite = Xml.SubElement(root, "testsuite", {"name": visible(file), **_counts(found), "time": "0"})
        suite.extend(found)
    for key, value in _counts([case for found in cases.values() for case in found]).items():
        root.set(key, value)
    Xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(root, encoding="unicode") + "\n"


def _counts(cases: list[Xml.Element]) -> dict[str, str]:
    counts = {"tests": len(cases)}
    for tag, key in _KINDS.items():
        counts[key] = sum(case.find(tag) is not None for case in cases)
    return {key: str(value) for key, value in counts.items()}


def _case(name: str, file: str | None) -> Xml.Element:
    return Xml.Element("testcase", {"name": visible(name), "classname": visible(file or NO_FILE), "time": "0"})


def _outcome(tag: str, message: str, text: str, kind: str | None = None) -> Xml.Element:
    out = Xml.Element(tag, {"message": visible(message)})
    if kind is not None:
        out.set("type", kind)
    out.text = visible(text, keep="\n")
    return out


def _judged(verdict: Verdict) -> Xml.Element:
    case = _case(verdict.name, verdict.file)
    found = issues(verdict)
    errors = [issue for issue in found if issue.level == "error"]
    warnings = [issue for issue in found if issue.level == "warning"]
    if verdict.ok is False:
        case.append(_outcome("failure", _message(errors), _text(errors), errors[0].rule if errors else None))
    elif verdict.ok is None:
        case.append(_outcome("skipped", _message(warnings), _text(warnings)))
        warnings = [issue for issue in warnings if issue.rule == "input"]
    if warnings:
        out = Xml.SubElement(case, "system-out")
        out.text = visible(_text(warnings), keep="\n")
    return case


def _message(found: list[Issue]) -> str:
    return "; ".join(issue.title for issue in found)


def _text(found: list[Issue]) -> str:
    return "\n".join(f"{issue.title}: {issue.text}" for issue in found)
