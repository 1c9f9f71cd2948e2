"""SARIF 2.1.0: what code scanning and editors read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from ..events import Problem
from ..notation.printer import event_text
from ..phenomena.catalogue import catalogue
from ..phenomena.pages import page
from ..verdict import Verdict
from .issues import RULES, Issue, issues

Json = dict[str, Any]
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(verdicts: Iterable[Verdict], problems: Iterable[Problem], version: str) -> str:
    """One run: a rule for every phenomenon that occurs, a result for every issue, input problems as notifications."""
    found = [(verdict, issue) for verdict in verdicts for issue in issues(verdict)]
    names = {issue.rule for _, issue in found}
    rules = [name for name in (*catalogue(), *RULES) if name in names]
    index = {name: position for position, name in enumerate(rules)}
    notifications = [_notification(problem) for problem in problems]
    invocation: Json = {"executionSuccessful": not notifications}
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    run = {
        "tool": {"driver": {"name": "toki-verify", "version": version, "rules": [_rule(name) for name in rules]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [_result(verdict, issue, index) for verdict, issue in found],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=1) + "\n"


def _rule(name: str) -> Json:
    if name in RULES:
        title, text = RULES[name]
        return {
            "id": name,
            "name": _pascal(title),
            "shortDescription": {"text": title},
            "fullDescription": {"text": text},
            "help": {"text": text},
        }
    entry, prose = catalogue()[name], page(name) or {}
    meaning = str(prose.get("meaning") or f"{entry.title} ({entry.source}).")
    parts = [meaning, str(prose.get("hurts", ""))]
    if prose.get("guard", "-") != "-":
        parts.append(f"Excluded from level {prose['guard']} up.")
    parts += [str(prose.get("guard_note", "")), f"Source: {entry.source}."]
    return {
        "id": name,
        "name": _pascal(entry.title),
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": meaning},
        "help": {"text": "\n\n".join(filter(None, parts))},
        "properties": {"tags": ["isolation", *entry.aliases]},
    }


def _pascal(title: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in re.findall(r"\w+", title))


def _result(verdict: Verdict, issue: Issue, index: dict[str, int]) -> Json:
    out: Json = {
        "ruleId": issue.rule,
        "ruleIndex": index[issue.rule],
        "level": issue.level,
        "message": {"text": issue.text if issue.rule in catalogue() else f"{issue.title}. {issue.text}"},
        "locations": [_location(verdict, issue.line)],
        "partialFingerprints": {"tokiVerify/v1": _fingerprint(verdict, issue)},
    }
    if issue.evidence is not None and issue.evidence.events:
        steps = [
            {
                "executionOrder": event + 1,
                "location": _location(verdict, _line(verdict, issue, event), _event(verdict, event)),
            }
            for event in issue.evidence.events
        ]
        out["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    return out


def _line(verdict: Verdict, issue: Issue, event: int) -> int | None:
    lines = verdict.schedule.lines
    return lines[event] if lines else issue.line


def _event(verdict: Verdict, position: int) -> str:
    return event_text(verdict.schedule.events[position], verdict.schedule.partitions)


def _location(verdict: Verdict, line: int | None, message: str | None = None) -> Json:
    name = verdict.name
    out: Json = {} if verdict.file is None else {"physicalLocation": _physical(verdict.file, line)}
    if message is None:
        full = name if verdict.file in (None, name) else f"{verdict.file}::{name}"
        out["logicalLocations"] = [{"name": _whole(name), "fullyQualifiedName": _whole(full), "kind": "schedule"}]
    else:
        out["message"] = {"text": message}
    return out


def _physical(file: str, line: int | None, column: int | None = None) -> Json:
    out: Json = {"artifactLocation": {"uri": uri(file)}}
    if line is not None:
        out["region"] = {"startLine": line} | ({} if column is None else {"startColumn": column})
    return out


def uri(file: str) -> str:
    """A path as a URI reference, relative if the path is."""
    encoded = quote(file, safe="/", errors="surrogateescape")
    return f"file://{encoded}" if file.startswith("/") else encoded


def _whole(text: str) -> str:
    """The text without halves of characters, which the name of a file can hold and no JSON file may."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _fingerprint(verdict: Verdict, issue: Issue) -> str:
    """Made of rule, file, name, title and the events of the evidence: a schedule may move within its file."""
    events = [_event(verdict, event) for event in issue.evidence.events] if issue.evidence else [issue.text]
    content = json.dumps([issue.rule, verdict.file, verdict.schedule.name, issue.title, events])
    return sha256(content.encode()).hexdigest()[:32]


def _notification(problem: Problem) -> Json:
    out: Json = {
        "level": "error",
        "descriptor": {"id": problem.rule},
        "message": {"text": f"{problem.what}, expected {problem.expected}"},
    }
    if problem.file is not None:
        out["locations"] = [{"physicalLocation": _physical(problem.file, problem.line, problem.column)}]
    return out
