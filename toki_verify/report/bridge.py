"""π_J(S) beside S: what became of every event, which hypotheses are broken, which verdicts moved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..bridge.image import Broken, Image, Step, logs_itself
from ..bridge.moved import Moved
from ..events import Schedule
from ..explain.words import short_event
from ..jsonform import schedule_object
from ..notation.printer import event_text
from .line import Line, line
from .plain import columns

FORMAT = "toki-bridge/1"
#: Events that are named where several break one hypothesis in one way.
SHOWN = 3
_SAID = {True: "present", False: "absent", None: "undecided"}
_HELD = {True: "holds", False: "does not hold", None: "undecided"}
_COLOURS = {"kept": "dim", "first fill": "green", "second fill": "yellow", "unlogged call": "red"}


def bridge_lines(name: str, place: str, made: Image, changed: list[Moved]) -> Iterator[Line]:
    """The report that people read."""
    yield line((name, "bold"), *((f"  {place}", "dim"),) if place else ())
    yield from _side_by_side(made)
    if made.schedule is None:
        long = all(problem.rule.startswith("limit-") for problem in made.problems)
        why = ("is too long", ": try --writer operator") if long and made.logging.writer == "own" else None
        why = why or (
            ("is too long", "")
            if long
            else ("is no well-formed schedule", ": S touches the log as no writer of it can")
        )
        yield line("  ", (f"π_J(S) {why[0]}", "yellow"), why[1])
        yield from (line(f"    {problem.what}, expected {problem.expected}") for problem in made.problems)
    yield line()
    if logs_itself(made.source):
        yield line(
            "  S writes to judge_log itself. π_J adds a row for the first call at every key all the same, by "
            "definition: a vote that S logs by an event of its own is logged twice."
        )
    if not made.broken and not made.undecided:
        yield line("  ", ("H1 and H2 hold", "green"))
    yield from _told(made, made.broken, "broken")
    yield from _told(made, made.undecided, "undecided")
    if made.schedule is not None:
        yield from _moves(changed)


def _told(made: Image, entries: tuple[Broken, ...], word: str) -> Iterator[Line]:
    """A line for each hypothesis and each way to break it, with the first of the events that do."""
    places: dict[tuple[str, str], list[str]] = {}
    for entry in entries:
        event = short_event(made.source.events[entry.event], made.source)
        places.setdefault((entry.hypothesis, entry.what), []).append(event)
    for (hypothesis, what), events in places.items():
        more = f" and at {len(events) - SHOWN} more" if len(events) > SHOWN else ""
        yield line("  ", (hypothesis, "yellow"), f" is {word} at {', '.join(events[:SHOWN])}{more}: {what}")


def _side_by_side(made: Image) -> Iterator[Line]:
    rows = [
        (
            _text(made.source, step.source),
            "" if step.role == "kept" else step.role,
            _target(made, step),
            f"  {step.why}" if step.why else "",
        )
        for step in made.steps
    ]
    head = ("S", "", "π_J(S)", "")
    wide = [max(int(columns(row[place])) for row in (head, *rows)) for place in range(3)]
    yield line(("  " + "  ".join(_padded(text, size) for text, size in zip(head[:3], wide, strict=True)), "dim"))
    for row, step in zip(rows, made.steps, strict=True):
        cells = [_padded(text, size) for text, size in zip(row[:3], wide, strict=True)]
        yield line(f"  {cells[0]}  ", (cells[1], _COLOURS.get(step.role, "cyan")), f"  {cells[2]}", (row[3], "dim"))


def _padded(text: str, size: int) -> str:
    return text + " " * (size - int(columns(text)))


def _text(schedule: Schedule, position: int | None) -> str:
    return "" if position is None else event_text(schedule.events[position], schedule.partitions)


def _target(made: Image, step: Step) -> str:
    if step.target is None:
        return "-"
    return event_text(made.events[step.target], made.source.partitions)


def _moves(changed: list[Moved]) -> Iterator[Line]:
    if not changed:
        yield line("  no verdict moved: every phenomenon and level is the same of S and of π_J(S)")
        return
    yield line("  ", ("verdicts that moved", "bold"), " (of S → of π_J(S))")
    rows: dict[tuple[str, str], list[str]] = {}
    for entry in changed:
        words = _HELD if entry.level else _SAID
        family, _, id = entry.name.partition(".") if entry.level else ("phenomena", "", entry.name)
        rows.setdefault((family, f"{words[entry.before]} → {words[entry.after]}"), []).append(id)
    wide = max(len(said) for _, said in rows)
    for (family, said), names in rows.items():
        yield line("    ", (family.ljust(10), "dim"), f"{said.ljust(wide)}  ", (" ".join(names), "bold"))


def bridge_object(made: Image, changed: list[Moved], file: str | None, number: int | None) -> dict[str, Any]:
    """The report that programs read."""
    return {
        "format": FORMAT,
        "file": file,
        "line": number,
        "logging": {"writer": made.logging.writer, "mismatch": made.logging.mismatch},
        "schedule": schedule_object(made.source),
        "image": None if made.schedule is None else schedule_object(made.schedule),
        "problems": [{"what": p.what, "expected": p.expected, "rule": p.rule} for p in made.problems],
        "trace": [
            {"event": s.source, "became": s.target, "role": s.role, "row": s.row, "why": s.why or None}
            for s in made.steps
        ],
        "broken": [_broken(entry) for entry in made.broken],
        "undecided": [_broken(entry) for entry in made.undecided],
        "moved": [
            {"level" if m.level else "phenomenon": m.name, "before": m.before, "after": m.after} for m in changed
        ],
    }


def _broken(entry: Broken) -> dict[str, Any]:
    return {"hypothesis": entry.hypothesis, "event": entry.event, "what": entry.what}
