"""The report on a large trace: for people, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..histories.checked_trace import CheckedTrace, Shown
from ..levels.lattice import families
from ..notation.printer import print_events
from .lanes import lanes
from .line import Line, folded, line
from .text import MARKS

FORMAT = "toki-trace/1"
Json = dict[str, Any]
#: Events of a part that are drawn.
DRAWN = 40


def trace_lines(checked: CheckedTrace, width: int = 100) -> Iterator[Line]:
    """The whole report on one trace."""
    trace = checked.trace
    mark, colour = MARKS[checked.ok]
    size = f"{trace.events:,} events of {len(trace.start):,} transactions on {len(trace.table):,} items"
    yield line((mark, f"bold {colour}"), " ", (trace.source, "bold"), (f"  trace: {size}", "dim"))
    for text, outcome in checked.judged.items():
        if not text.startswith("no ") or len(checked.told) == 0:
            mark, colour = MARKS[outcome]
            yield line("  ", (f"{mark} {text}", colour))
    for warning in trace.warnings:
        yield from folded(f"! {warning}", "  ", width, "yellow")
    for shown in checked.told:
        yield from _shown(shown, width)
    if checked.also:
        yield line()
        yield from folded(f"By the same events: {', '.join(checked.also)}", "  ", width)
    yield line()
    held = "; ".join(f"{family} {' '.join(checked.maximal(family)) or 'none'}" for family in families())
    yield from folded(f"Levels: {held}", "  ", width)


def _shown(shown: Shown, width: int) -> Iterator[Line]:
    yield line()
    yield line("  ", (shown.phenomenon.id, "bold red"), "  ", (shown.phenomenon.title, "bold"))
    if shown.evidence is not None:
        yield from folded(shown.evidence.text, "    ", width)
    elif not shown.phenomenon.annotated:  # of N3 the schedule would not be the whole truth
        yield from folded("No schedule of these transactions alone shows it again.", "    ", width, "yellow")
    if shown.lines:
        yield line((f"    lines {', '.join(map(str, shown.lines))}", "dim"))
    if shown.part is not None and len(shown.part.schedule) <= DRAWN:
        yield from (line(f"      {row}") for row in lanes(shown.part.schedule, width - 6))


def trace_object(checked: CheckedTrace) -> Json:
    """One trace as JSON: levels and phenomena as a check of a schedule has them, without the events."""
    trace = checked.trace
    phenomena: Json = {name: {"present": present} for name, present in checked.decided.present.items()}
    for shown in checked.told:
        entry: Json = {"lines": list(shown.lines)}
        if shown.evidence is not None and shown.part is not None:
            entry |= {"text": shown.evidence.text, "schedule": print_events(shown.part.schedule).replace("\n", " ")}
        phenomena[shown.phenomenon.id]["evidence"] = entry
    levels: dict[str, Json] = {}
    for name, holds in checked.decided.holds.items():
        family, _, level = name.partition(":")
        levels.setdefault(family, {})[level] = holds
    return {
        "format": FORMAT,
        "file": trace.source,
        "trace": {"events": trace.events, "transactions": len(trace.start), "items": len(trace.table)},
        "levels": levels,
        "phenomena": phenomena,
        "expected": {
            "ok": checked.ok,
            "failed": [text for text, outcome in checked.judged.items() if outcome is False],
        },
        **({"warnings": list(trace.warnings)} if trace.warnings else {}),
    }
