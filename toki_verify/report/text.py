"""The report people read: what was found, why, which levels hold, what to do about it. Built from rich Text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..events import Problem
from ..events.values import shown
from ..levels.lattice import families
from ..notation.printer import event_text, wrapped
from ..phenomena.pages import page
from ..verdict import Finding, Verdict
from .lanes import lanes

if TYPE_CHECKING:
    from rich.text import Text

MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}
#: Schedules of up to this many events are shown whole; of longer ones only the events that matter.
SHOWN_EVENTS = 40


def _text(*parts: tuple[str, str] | str) -> Text:
    from rich.text import Text

    out = Text()
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        else:
            out.append(part[0], style=part[1])
    return out


def _folded(text: str, indent: str, width: int) -> Iterator[str]:
    from textwrap import wrap

    yield from wrap(text, max(width, 40), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def heading(verdict: Verdict) -> Text:
    """The first line: mark, name, place."""
    mark, colour = MARKS[verdict.ok]
    place = "" if verdict.file is None else verdict.file + (f":{verdict.line}" if verdict.line else "")
    return _text((mark, f"bold {colour}"), " ", (verdict.name, "bold"), *((f"  {place}", "dim"),) if place else ())


def details(verdict: Verdict, width: int = 100, family: str | None = None) -> Iterator[Text]:
    """The whole report on one schedule."""
    yield heading(verdict)
    schedule = verdict.schedule
    picture = lanes(schedule, width - 2)
    if picture:
        yield from (_text(f"  {row}") for row in picture)
    elif len(schedule) <= SHOWN_EVENTS:
        for row in wrapped((event_text(event, schedule.partitions) for event in schedule.events), "  "):
            yield _text(row)
    else:
        yield _text(f"  {len(schedule)} events of {len(schedule.resolved.txns)} transactions")
    for judged in verdict.judged:
        if judged.met is not True:
            mark, colour = MARKS[judged.met]
            yield _text("  ", (f"{mark} {judged.text}", colour), f": {judged.detail}" if judged.detail else "")
    for warning in verdict.warnings:
        yield _text("  ", ("! ", "yellow"), warning)
    yield from findings(verdict, width)
    yield from levels(verdict, width, family)


def findings(verdict: Verdict, width: int) -> Iterator[Text]:
    """What is present, the important ones explained, the others named once."""
    told: list[Finding] = []
    also: list[Finding] = []
    anomalies = verdict.anomalies()
    for finding in sorted(anomalies, key=lambda f: not f.phenomenon.core):
        covered = any(_covers(other, finding) for other in told)
        (also if covered and not finding.phenomenon.core else told).append(finding)
    for finding in told:
        yield _text()
        yield _text("  ", (finding.phenomenon.id, "bold red"), "  ", (finding.phenomenon.title, "bold"))
        evidence = finding.evidence
        if evidence is None:
            continue
        yield from (_text(row) for row in _folded(evidence.text, "    ", width))
        if verdict.schedule.events[evidence.events[0]].time is not None or len(verdict.schedule) > SHOWN_EVENTS:
            yield from _events(verdict, evidence.events)
        prose = page(finding.phenomenon.id)
        if prose and finding.phenomenon.core:
            yield from (_text((row, "dim")) for row in _folded("Why it matters: " + str(prose["hurts"]), "    ", width))
            if prose["guard"] != "-":
                yield _text((f"    Excluded from level {prose['guard']} up; toki-verify rule {finding.phenomenon.id} "
                             "says more.", "dim"))
    if also:
        yield _text()
        yield from (_text(row) for row in _folded(
            "By the same events: " + ", ".join(f"{f.phenomenon.id} ({f.phenomenon.title})" for f in also), "  ", width))
    known = {id(f) for f in anomalies}
    patterns = [f.phenomenon.id for f in verdict.present() if id(f) not in known]
    if patterns:
        yield from (_text((row, "dim")) for row in _folded("Patterns and other readings: " + ", ".join(patterns), "  ",
                                                           width))
    for finding in verdict.undecided():
        yield _text("  ", (f"? {finding.phenomenon.id}", "yellow"), f" is undecided: {finding.reason}")
    if not anomalies:
        yield _text("  ", ("no anomaly", "green"), " of the default readings")


def _covers(told: Finding, finding: Finding) -> bool:
    one, other = told.evidence, finding.evidence
    return one is not None and other is not None and set(other.events) <= set(one.events)


def _events(verdict: Verdict, events: Iterable[int]) -> Iterator[Text]:
    """The events that matter of a recorded trace, with index and time."""
    for position in events:
        event = verdict.schedule.events[position]
        time = "" if event.time is None else f"  t={event.time}"
        yield _text((f"      event {position}{time}  ", "dim"),
                    shown(event_text(event, verdict.schedule.partitions), 110))


def levels(verdict: Verdict, width: int, family: str | None = None) -> Iterator[Text]:
    """The maximal levels by family; of the chosen family the weakest level refuted, why, and all that follow."""
    yield _text()
    parts: list[tuple[str, str] | str] = ["  Levels: "]
    for index, name in enumerate(verdict.levels):
        if name == "user":
            continue
        maximal = verdict.maximal(name)
        parts += [", " if index else "", f"{name} ", (" ".join(maximal) or "none", "bold cyan")]
    yield _text(*parts)
    user = verdict.levels.get("user", {})
    for found in user.values():
        yield _text("  ", (MARKS[found.holds][0], MARKS[found.holds][1]), f" {found.level.id} ({found.level.meaning})")
    chosen = verdict.declared.level.family if verdict.declared else family or "graph"
    shown_levels = [verdict.declared] if verdict.declared and verdict.declared.holds is False else (
        verdict.weakest_refuted(chosen) if chosen in verdict.levels else [])
    for found in shown_levels:
        over = [] if chosen == "user" else [
            level.id for level in families()[chosen].over(found.level) if not level.variant] if found.level.id in [
            level.id for level in families()[chosen].levels] else []
        follows = f"; so not {', '.join(over)} either" if over else ""
        reason = found.refutation
        why = "" if reason is None else (
            f"{reason.phenomenon} is present" if reason.phenomenon in {f.phenomenon.id for f in verdict.anomalies()}
            else reason.text)
        yield from (_text(row) for row in _folded(f"Not {found.level.full_id}{follows}: {why}", "  ", width))
    if not shown_levels and chosen in verdict.levels and chosen != "user":
        top = verdict.levels[chosen][verdict.maximal(chosen)[-1]]
        if top.support is not None and top.support.order:
            order = " ".join(f"T{txn}" for txn in top.support.order)
            yield from (_text((row, "dim")) for row in _folded(
                f"{top.level.id} is shown by the {top.support.kind.replace('_', ' ')} {order}.", "  ", width))


def problem_lines(problem: Problem) -> Iterator[Text]:
    """A problem of an input, in the manner of a compiler."""
    yield _text((problem.place(), "bold"), ": ", ("error", "bold red"), f": {problem.what}; expected {problem.expected} "
                f"[{problem.rule}]")
    if problem.context and problem.context.strip():
        yield _text((f"    {problem.context.strip()}", "dim"))


def summary(groups: list[tuple[str, list[Verdict], int]]) -> Iterator[object]:
    """A table: a row a file, and the totals. A group is a file, its verdicts, and how many problems it had."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("file", "schedules", "as expected", "not", "undecided", "unreadable"):
        table.add_column(title, justify="left" if title == "file" else "right", overflow="fold")
    totals = [0] * 5
    for file, verdicts, problems in groups:
        row = [len(verdicts), sum(v.ok is True for v in verdicts), sum(v.ok is False for v in verdicts),
               sum(v.ok is None for v in verdicts), problems]
        totals = [a + b for a, b in zip(totals, row, strict=True)]
        table.add_row(_text(file), *_cells(row))
    table.add_section()
    table.add_row(_text((f"{len(groups)} files", "bold")), *_cells(totals))
    yield table


def _cells(row: list[int]) -> list[Text]:
    colours = ["", "green", "red", "yellow", "red"]
    return [_text((str(count) if count or not index else "·", colour if count else "dim"))
            for index, (count, colour) in enumerate(zip(row, colours, strict=True))]
