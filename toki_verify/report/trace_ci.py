"""Checked large traces for builds: GitHub annotations, SARIF, JUnit, Markdown.

The messages are those of `issues.py`: errors are what makes the check fail, warnings what is undecided or odd, notes
anomalies that nothing was asked about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from ..events import Problem
from ..histories.checked_trace import CheckedTrace, Place
from ..levels.lattice import families
from ..phenomena.catalogue import Phenomenon, catalogue
from .builds import Case, junit_file, location, sarif_log, table, unreadable
from .github import command
from .issues import RULES, Issue
from .markdown import _OUTCOME
from .sarif import _rule
from .trace import count_text, held_text, interrupted_text, number_text

Json = dict[str, Any]


def issues(checked: CheckedTrace) -> list[Issue]:
    """Errors, then warnings, then notes."""
    found = [*_judged(checked), *_anomalies(checked), *_undecided(checked)]
    texts = [*([interrupted_text(checked)] if checked.interrupted else []), *checked.warnings]
    found += [Issue("warning", "input", "recording", text) for text in texts]
    return sorted(found, key=lambda issue: ("error", "warning", "note").index(issue.level))


def _judged(checked: CheckedTrace) -> Iterator[Issue]:
    for judged in checked.judged:
        if judged.met is None:
            yield Issue("warning", "level", f"undecided: {judged.text}", judged.detail or "undecided")
        elif judged.met is False and judged.text.startswith("no "):
            entry = catalogue()[judged.text.removeprefix("no ")]
            yield _present(checked, entry, "error")
        elif judged.met is False:
            yield _level(checked, judged.text, judged.detail)


def _level(checked: CheckedTrace, title: str, detail: str) -> Issue:
    assert checked.declared is not None
    found = checked.refutation(checked.declared)
    if found is None:
        return Issue("error", "level", f"not {title}", detail)
    shown, why = found
    entry = catalogue().get(why.phenomenon or shown.id, shown.phenomenon)
    return Issue(
        "error", "level", f"not {title}: {entry.id} {entry.title}", f"{detail}. {why.text}", _line(shown.place)
    )


def _anomalies(checked: CheckedTrace) -> Iterator[Issue]:
    judged = {one.text for one in checked.judged}
    for shown in checked.told:
        if f"no {shown.id}" not in judged:
            yield _present(checked, shown.phenomenon, "note" if checked.judged else "error")


def _present(checked: CheckedTrace, entry: Phenomenon, level: str) -> Issue:
    shown = next((one for one in checked.told if one.id == entry.id), None)
    count = checked.counts.get(entry.id)
    # The title stands before it already, so that it is no explanation.
    texts = [
        "" if shown is None or shown.evidence is None else shown.evidence.text,
        "" if count is None else f"In this trace: {count_text(count)}.",
    ]
    return Issue(
        level,
        entry.id,
        f"{entry.id} {entry.title}",
        " ".join(filter(None, texts)) or entry.title,
        _line(checked.places[entry.id]),
    )


def _line(place: Place) -> int | None:
    """The last line of a place, where it is complete."""
    return max(place.lines, default=None)


def _undecided(checked: CheckedTrace) -> Iterator[Issue]:
    for entry in [] if checked.judged else checked.undecided():
        if entry.id not in checked.decided.unreached:
            text = f"{entry.title} is undecided: {entry.reason}"
            yield Issue("warning", entry.id, f"{entry.id} undecided", text)


def github(found: Iterable[CheckedTrace], problems: Iterable[Problem]) -> str:
    """`::error` for what fails, `::warning` for what is undecided or odd; notes are not mentioned."""
    lines = unreadable(problems)
    for checked in found:
        lines += [
            command(issue.level, issue.title, issue.text, file=checked.source, line=issue.line)
            for issue in issues(checked)
            if issue.level != "note"
        ]
    return "".join(f"{line}\n" for line in lines)


def sarif(found: Iterable[CheckedTrace], problems: Iterable[Problem]) -> str:
    """One run: a rule for every phenomenon that occurs, a result an issue, input problems as notifications."""
    said = [(checked, issue) for checked in found for issue in issues(checked)]
    names = {issue.rule for _, issue in said}
    rules = [name for name in (*catalogue(), *RULES) if name in names]
    results = [_result(checked, issue, rules.index(issue.rule)) for checked, issue in said]
    return sarif_log([_rule(name) for name in rules], results, problems)


def _result(checked: CheckedTrace, issue: Issue, index: int) -> Json:
    place = checked.places.get(issue.rule)
    out: Json = {
        "ruleId": issue.rule,
        "ruleIndex": index,
        "level": issue.level,
        "message": {"text": issue.text if issue.rule in catalogue() else f"{issue.title}. {issue.text}"},
        "locations": [location(checked.source, issue.line, "trace")],
        "partialFingerprints": {"tokiVerify/v1": _fingerprint(checked, issue)},
    }
    if place is not None and place.lines:
        steps = [{"location": location(checked.source, line, "trace")} for line in place.lines]
        out["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    return out


def _fingerprint(checked: CheckedTrace, issue: Issue) -> str:
    content = json.dumps([issue.rule, checked.source, issue.title, issue.text])
    return sha256(content.encode()).hexdigest()[:32]


def junit(found: Iterable[CheckedTrace], problems: Iterable[Problem]) -> str:
    """A suite a trace; a case for each thing that was asked, and where nothing was, one for all anomalies."""
    return junit_file(((checked.source, _cases(checked)) for checked in found), problems)


def _cases(checked: CheckedTrace) -> list[Case]:
    said = issues(checked)
    warnings = [f"{issue.title}: {issue.text}" for issue in said if issue.level == "warning"]
    if not checked.judged:
        wrong = [issue for issue in said if issue.level == ("error" if checked.ok is False else "warning")]
        return [_case("no anomaly", checked.ok, wrong, warnings if checked.ok is not None else [])]
    cases: list[Case] = []
    for judged in checked.judged:
        rule = "level" if judged.text.startswith("level ") else judged.text.removeprefix("no ")
        wrong = [issue for issue in said if issue.rule == rule and issue.level == "error"]
        open_ = [Issue("warning", rule, judged.text, judged.detail)]
        cases.append(_case(judged.text, judged.met, wrong or open_, warnings if not cases else []))
    return cases


def _case(name: str, met: bool | None, wrong: list[Issue], warnings: list[str]) -> Case:
    if met:
        return Case(name, warnings=warnings)
    text = "\n".join(f"{issue.title}: {issue.text}" for issue in wrong)
    message = "; ".join(issue.title for issue in wrong)
    if met is None:
        return Case(name, "skipped", message, text, warnings=warnings)
    return Case(name, "failure", message, text, wrong[0].rule if wrong else None, warnings)


def markdown(found: Iterable[CheckedTrace], problems: Iterable[Problem]) -> str:
    """The traces with their anomalies, how often each is there, and levels; then what could not be read."""
    shown = ("graph", "adya", "session")
    rows = [
        [
            checked.source,
            _OUTCOME[checked.ok],
            _listed(checked),
            *(held_text(checked, family) for family in families() if family in shown),
        ]
        for checked in found
    ]
    return table(
        ("trace", "outcome", "anomalies", *(family for family in families() if family in shown)), rows, problems
    )


def _listed(checked: CheckedTrace) -> str:
    names = []
    for shown in checked.told:
        count = checked.counts.get(shown.id)
        often = "" if count is None else f" ({number_text(count)})"
        names.append(f"{shown.id} {shown.phenomenon.title}{often}")
    undecided = "".join(f", {entry.id} undecided" for entry in checked.undecided())
    return (", ".join(names) or "none") + undecided
