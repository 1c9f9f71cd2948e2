"""What a verdict has to say to a build: errors, warnings and notes. Every machine format is a view of these."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..explain.evidence import Evidence
from ..levels.lattice import DEFAULT_FAMILY
from ..verdict import Finding, Judged, Verdict


@dataclass(frozen=True)
class Issue:
    """One message. `level` is error, warning or note; `rule` the phenomenon's id, or what kind of message it is."""

    level: str
    rule: str
    title: str
    text: str
    line: int | None = None
    evidence: Evidence | None = None


#: The rules that are no phenomena: id, name, what such a message means.
RULES = {
    "expectation": ("expectation", "An expect line of the schedule is not met, or hangs on something undecided."),
    "level": ("declared level", "The schedule is not at the level it was declared to be at."),
    "input": (
        "recording",
        "Something in the input is odd: a value read that the version does not have, an unknown key "
        "that looks like a known one, a transaction that does not end, a pin that covers nothing.",
    ),
}


def issues(verdict: Verdict) -> list[Issue]:
    """Errors, then warnings, then notes.

    Errors are what makes the verdict fail: unmet expectations, the declared level, and where nothing was declared the
    anomalies (one message for those that the same events make). Warnings are what is undecided and the warnings of the
    check. Notes are anomalies that were expected.
    """
    found = [*_judged(verdict), *_anomalies(verdict)]
    found += [Issue("warning", "input", "recording", text, verdict.line) for text in verdict.warnings]
    return sorted(found, key=lambda issue: ("error", "warning", "note").index(issue.level))


def _anomalies(verdict: Verdict) -> Iterator[Issue]:
    level = "note" if verdict.judged else "error"
    told, also = verdict.told()
    for finding in told:
        entry, evidence = finding.phenomenon, finding.evidence
        text = evidence.text if evidence else f"{entry.title}."
        same = [
            f.phenomenon.id for f in also if f.evidence and evidence and set(f.evidence.events) <= set(evidence.events)
        ]
        if same:
            text += f" By the same events: {', '.join(same)}."
        yield Issue(level, entry.id, f"{entry.id} {entry.title}", text, verdict.line_of(evidence), evidence)
    if not verdict.judged:
        for finding in verdict.undecided():
            entry = finding.phenomenon
            yield Issue(
                "warning",
                entry.id,
                f"{entry.id} undecided",
                f"{entry.title} is undecided: {finding.reason}",
                verdict.line,
            )


def _judged(verdict: Verdict) -> Iterator[Issue]:
    for judged in verdict.judged:
        if judged.met is True:
            continue
        line = judged.line if judged.line is not None else verdict.line
        rule = "level" if judged.expectation is None else "expectation"
        if judged.met is None:
            yield Issue("warning", rule, f"undecided: {judged.text}", judged.detail or "undecided", line)
            continue
        evidence = _evidence(judged, verdict)
        said = [judged.detail, *([evidence.text] if evidence else [])]
        text = ". ".join(filter(None, said)) or "not met"
        title = f"failed: {judged.text}" if rule == "expectation" else f"not {judged.text}{_reason(verdict, evidence)}"
        where = line if judged.line is not None else verdict.line_of(evidence)
        yield Issue("error", rule, title, text, where, evidence)


def _reason(verdict: Verdict, evidence: Evidence | None) -> str:
    """The phenomenon behind a refuted level: the one named, or the one told of the same events."""
    if evidence is None:
        return ""
    for finding in verdict.told()[0]:
        entry = finding.phenomenon
        told = finding.evidence
        if entry.id == evidence.phenomenon or (told is not None and set(evidence.events) <= set(told.events)):
            return f": {entry.id} {entry.title}"
    return f": {evidence.phenomenon}" if evidence.phenomenon else ""


def _evidence(judged: Judged, verdict: Verdict) -> Evidence | None:
    """Why it is not met, where something present is the reason: the phenomenon, or what refutes the level."""
    wanted = judged.expectation
    if wanted is None:
        return verdict.declared.refutation if verdict.declared else None
    names = {name.casefold() for name in wanted.names}
    if wanted.kind == "absent":
        return next((f.evidence for f in verdict.present() if names & _names(f)), None)
    if wanted.kind == "level":
        levels = verdict.levels.get(wanted.family or DEFAULT_FAMILY, {})
        return next((f.refutation for name, f in levels.items() if name.casefold() in names and f.holds is False), None)
    return None


def _names(finding: Finding) -> set[str]:
    entry = finding.phenomenon
    return {entry.id.casefold(), *(alias.casefold() for alias in entry.aliases)}


@dataclass(frozen=True)
class Focus:
    """What a picture is about: a short heading and the evidence it highlights."""

    heading: str
    evidence: Evidence


def focus(verdict: Verdict | None) -> Focus | None:
    """The first anomaly; without one, what refutes the declared level, or the weakest refuted of the default family."""
    if verdict is None:
        return None
    for finding in verdict.anomalies():
        if finding.evidence is not None:
            entry = finding.phenomenon
            return Focus(f"{entry.id} {entry.title}", finding.evidence)
    declared = [verdict.declared] if verdict.declared is not None else []
    for refuted in [*declared, *verdict.weakest_refuted(DEFAULT_FAMILY)]:
        if refuted.refutation is not None:
            return Focus(f"{refuted.level.id} does not hold", refuted.refutation)
    return None
