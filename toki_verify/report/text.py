"""The report people read: what was found, why, which levels hold, what to do about it. Lines are plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..conflict_graph import edges_of
from ..events import Problem
from ..events.values import shown
from ..explain.evidence import Evidence
from ..explain.words import short_event, txn_name
from ..levels.lattice import families
from ..notation.names import item_text
from ..phenomena.pages import page
from ..verdict import Finding, LevelFinding, Verdict
from .lanes import lanes, timeline
from .line import Line, line
from .plain import columns

MARKS = {True: ("✓", "green"), False: ("✗", "red"), None: ("?", "yellow")}
#: Schedules of up to this many events are shown whole; of longer ones only the events that matter.
SHOWN_EVENTS = 40


def _folded(text: str, indent: str, width: int) -> Iterator[str]:
    from textwrap import wrap

    yield from wrap(text, max(width, 40), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def heading(verdict: Verdict) -> Line:
    """The first line: mark, name, place."""
    mark, colour = MARKS[verdict.ok]
    place = "" if verdict.file is None else verdict.file + (f":{verdict.line}" if verdict.line else "")
    return line((mark, f"bold {colour}"), " ", (verdict.name, "bold"), *((f"  {place}", "dim"),) if place else ())


def details(verdict: Verdict, width: int = 100, family: str | None = None) -> Iterator[Line]:
    """The whole report on one schedule."""
    told, also = verdict.told()
    yield heading(verdict)
    yield from _picture(verdict, told, width)
    for judged in verdict.judged:
        if judged.met is not True or judged.expectation is None:
            mark, colour = MARKS[judged.met]
            yield line("  ", (f"{mark} {judged.text}", colour), f": {judged.detail}" if judged.detail else "")
    for warning in verdict.warnings:
        yield line("  ", ("! ", "yellow"), warning)
    yield from findings(verdict, told, also, width)
    yield from levels(verdict, told, width, family)


def _picture(verdict: Verdict, told: list[Finding], width: int) -> Iterator[Line]:
    schedule = verdict.schedule
    picture = lanes(schedule, width - 2)
    if not picture and len(schedule) <= SHOWN_EVENTS:
        marks: dict[int, list[str]] = {}
        for finding in told:
            for position in finding.evidence.events if finding.evidence else ():
                marks.setdefault(position, []).append(finding.phenomenon.id)
        picture = timeline(schedule, width - 2, {position: " ".join(ids) for position, ids in marks.items()})
    if not picture:
        picture = [f"{len(schedule)} events of {len(schedule.resolved.txns)} transactions"]
    yield from (line(f"  {row}") for row in picture)


def findings(verdict: Verdict, told: list[Finding], also: list[Finding], width: int) -> Iterator[Line]:
    """What is present, the important ones explained, the others named once."""
    for finding in told:
        yield line()
        yield line("  ", (finding.phenomenon.id, "bold red"), "  ", (finding.phenomenon.title, "bold"))
        evidence = finding.evidence
        if evidence is None:
            continue
        yield from (line(row) for row in _folded(evidence.text, "    ", width))
        if len(verdict.schedule) > SHOWN_EVENTS:
            yield from _events(verdict, evidence.events)
        yield from (line(row) for row in _folded(_rows(verdict, evidence), "    ", width))
        prose = page(finding.phenomenon.id)
        if prose and finding.phenomenon.core:
            yield from (line((row, "dim")) for row in _folded("Why it matters: " + str(prose["hurts"]), "    ", width))
            guard = "No isolation level" if prose["guard"] == "-" else f"Level {prose['guard']}"
            yield line((f"    {guard} excludes it; `toki-verify rule {finding.phenomenon.id}` says more.", "dim"))
    if also:
        yield line()
        yield from (
            line(row)
            for row in _folded(
                "By the same events: " + ", ".join(f"{f.phenomenon.id} ({f.phenomenon.title})" for f in also),
                "  ",
                width,
            )
        )
    known = {id(f) for f in (*told, *also)}
    patterns = [f.phenomenon.id for f in verdict.present() if id(f) not in known and not _implied(verdict, f)]
    if patterns:
        yield from (
            line((row, "dim")) for row in _folded("Patterns and other readings: " + ", ".join(patterns), "  ", width)
        )
    for finding in verdict.undecided():
        yield line("  ", (f"? {finding.phenomenon.id}", "yellow"), f" is undecided: {finding.reason}")
    if not told:
        yield line("  ", ("no anomaly", "green"), " of the default readings")


def _implied(verdict: Verdict, finding: Finding) -> bool:
    """N3 on the whole surface says that of each smaller one."""
    phenomenon = finding.phenomenon
    return phenomenon.annotated and "[" in phenomenon.id and bool(verdict.findings[phenomenon.base_id].present)


def _rows(verdict: Verdict, evidence: Evidence) -> str:
    """All rows of the predicate anti-dependencies between the transactions of a cycle, where there is more than one."""
    pairs = {(edge.source, edge.target) for edge in evidence.cycle if edge.kind == "prw"}
    rows: dict[tuple[str, str], dict[str, None]] = {}
    for edge in edges_of(verdict.schedule, ["prw"]) if pairs else ():
        pair = (edge.source, edge.target)
        if (pair in pairs or pair[::-1] in pairs) and edge.item is not None:
            name = item_text(edge.item, verdict.schedule.partitions.get(edge.item))
            rows.setdefault(pair, {})[name] = None
    if sum(map(len, rows.values())) < 2:
        return ""
    listed = (f"{txn_name(a)} → {txn_name(b)} on {', '.join(names)}" for (a, b), names in rows.items())
    return "Rows that changed under a predicate read: " + "; ".join(listed) + "."


def _events(verdict: Verdict, events: Iterable[int]) -> Iterator[Line]:
    """The events that matter of a long trace, with index and time."""
    for position in events:
        event = verdict.schedule.events[position]
        time = "" if event.time is None else f"  t={event.time}"
        yield line((f"      event {position}{time}  ", "dim"), shown(short_event(event, verdict.schedule), 110))


def levels(verdict: Verdict, told: list[Finding], width: int, family: str | None = None) -> Iterator[Line]:
    """The maximal levels by family; of the chosen family the weakest level refuted, why, and all that follow."""
    yield line()
    parts: list[tuple[str, str] | str] = ["  Levels: "]
    for index, name in enumerate(verdict.levels):
        if name != "user":
            parts += [", " if index else "", f"{name} ", (" ".join(verdict.maximal(name)) or "none", "bold cyan")]
    yield line(*parts)
    for found in verdict.levels.get("user", {}).values():
        mark, colour = MARKS[found.holds]
        yield line("  ", (mark, colour), f" {found.level.id} ({found.level.meaning})")
    chosen = verdict.declared.level.family if verdict.declared else family or "graph"
    if verdict.declared is not None and verdict.declared.holds is False:
        refuted = _weakest(verdict, verdict.declared)
    else:
        refuted = verdict.weakest_refuted(chosen) if chosen != "user" else []
    for found in refuted:
        yield from (line(row) for row in _folded(_refuted(found, told), "  ", width))
    if not refuted and chosen != "user":
        yield from (line((row, "dim")) for row in _folded(_shown(verdict, chosen), "  ", width))


def _weakest(verdict: Verdict, declared: LevelFinding) -> list[LevelFinding]:
    """The weakest refuted levels at or below a declared one; that itself, if it is no plain level of a family."""
    group = families().get(declared.level.family)
    if group is None or all(level is not declared.level for level in group.levels):
        return [declared]
    under = group.under(declared.level)
    return [found for found in verdict.weakest_refuted(group.id) if found.level.id in under] or [declared]


def _refuted(found: LevelFinding, told: list[Finding]) -> str:
    """Why a level does not hold, in few words where the reason has been told."""
    group = families().get(found.level.family)
    known = group is not None and any(level is found.level for level in group.levels)
    over = [level.id for level in group.over(found.level) if not level.variant] if group and known else []
    follows = f" (so not {', '.join(over)} either)" if over else ""
    reason = found.refutation
    why = ""
    if reason is not None:
        same = [
            f.phenomenon.id for f in told if f.evidence is not None and set(reason.events) <= set(f.evidence.events)
        ]
        if reason.phenomenon is not None and any(f.phenomenon.id == reason.phenomenon for f in told):
            why = f"{reason.phenomenon} is present"
        elif same:
            why = f"the events under {same[0]} refute it" + (f" ({reason.phenomenon})" if reason.phenomenon else "")
        else:
            why = reason.text
    return f"Not {found.level.full_id}{follows}: {why}"


def _shown(verdict: Verdict, family: str) -> str:
    """What shows that the maximal levels hold."""
    sentences = []
    for name in verdict.maximal(family):
        support = verdict.levels[family][name].support
        if support is not None and support.order:
            order = " ".join(map(txn_name, support.order))
            sentences.append(f"{name} holds by the {support.kind.replace('_', ' ')} {order}.")
        elif support is not None and support.timestamps:
            stamps = ", ".join(f"{txn_name(txn)} {start}–{commit}" for txn, start, commit in support.timestamps)
            sentences.append(f"{name} holds by the snapshot and commit times {stamps}.")
    return " ".join(sentences)


def problem_lines(problem: Problem) -> Iterator[Line]:
    """A problem of an input, in the manner of a compiler."""
    message = f": {problem.what}; expected {problem.expected} [{problem.rule}]"
    yield line((problem.place(), "bold"), ": ", ("error", "bold red"), message)
    if problem.context and problem.context.strip():
        yield line((f"    {problem.context}", "dim"))
        if problem.caret is not None:
            yield line((" " * (4 + round(columns(problem.context[: problem.caret]))) + "^", "bold red"))


def summary(groups: list[tuple[str, list[Verdict], int]]) -> Iterator[Line]:
    """A table: a row a file, and the totals. A group is a file, its verdicts, and how many problems it had."""
    titles = ("schedules", "as expected", "not", "undecided", "problems")
    total = f"{len(groups)} file{'' if len(groups) == 1 else 's'}"
    wide = max(len(total), *(len(file) for file, _, _ in groups))
    rule = "─" * (wide + sum(len(title) + 2 for title in titles))
    yield line(("file".ljust(wide), "bold"), *((f"  {title}", "bold") for title in titles))
    yield line((rule, "dim"))
    totals = [0] * len(titles)
    for file, verdicts, problems in groups:
        row = [
            len(verdicts),
            sum(v.ok is True for v in verdicts),
            sum(v.ok is False for v in verdicts),
            sum(v.ok is None for v in verdicts),
            problems,
        ]
        totals = [a + b for a, b in zip(totals, row, strict=True)]
        yield line(file.ljust(wide), *_cells(row, titles))
    yield line((rule, "dim"))
    yield line((total.ljust(wide), "bold"), *_cells(totals, titles))


def _cells(row: list[int], titles: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    colours = ("", "green", "red", "yellow", "red")
    for index, (count, title) in enumerate(zip(row, titles, strict=True)):
        shown_count = str(count) if count or not index else "·"
        yield shown_count.rjust(len(title) + 2), colours[index] if count else "dim"
