"""The report on a large trace: for people, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..explain.evidence import Evidence
from ..explain.support import absent_of
from ..histories.checked_trace import CheckedTrace, Count, Place, Shown
from ..levels.lattice import families
from ..notation.printer import print_events
from .agents import agent_lines
from .agents_data import agent_object
from .lanes import lanes
from .line import Line, folded, line
from .text import MARKS

FORMAT = "toki-trace/1"
Json = dict[str, Any]
#: Events of a part that are drawn.
DRAWN = 40
#: Lines that are named of one place.
LINES = 8


def trace_lines(checked: CheckedTrace, width: int = 100) -> Iterator[Line]:
    """The whole report on one trace."""
    mark, colour = MARKS[checked.ok]
    size = f"{checked.events:,} events of {checked.transactions:,} transactions on {checked.items:,} items"
    yield line((mark, f"bold {colour}"), " ", (checked.source, "bold"), (f"  trace: {size}", "dim"))
    if checked.interrupted:
        yield from folded(f"! {interrupted_text(checked)}", "  ", width, "yellow")
    for judged in checked.judged:
        mark, colour = MARKS[judged.met]
        yield line("  ", (f"{mark} {judged.text}", colour), f": {judged.detail}" if judged.detail else "")
    for warning in checked.warnings:
        yield from folded(f"! {warning}", "  ", width, "yellow")
    for shown in checked.told:
        yield from _shown(checked, shown, width)
    if checked.also:
        yield line()
        yield from folded(
            f"By the same events: {', '.join(_also(checked, name) for name in checked.also)}", "  ", width
        )
    if checked.decided.agents is not None:
        yield from agent_lines(checked.decided.agents, width)
    for entry in checked.undecided():
        if entry.id not in checked.decided.unreached:
            yield from folded(f"? {entry.id} is undecided: {entry.reason}", "  ", width, "yellow")
    yield line()
    held = "; ".join(f"{family} {held_text(checked, family)}" for family in families())
    yield from folded(f"Levels: {held}", "  ", width)
    yield from _refuted(checked, width)


def interrupted_text(checked: CheckedTrace) -> str:
    """What is open of a trace whose check was interrupted."""
    phenomena = sum(":" not in name for name in checked.decided.unreached)
    levels = len(checked.decided.unreached) - phenomena
    if not phenomena and not levels:
        return "interrupted: every phenomenon and level is decided, and not everything is explained"
    return (
        f"interrupted: {phenomena} of {len(checked.decided.present)} phenomena and {levels} of "
        f"{len(checked.decided.holds)} levels are open"
    )


def held_text(checked: CheckedTrace, family: str) -> str:
    """The strongest levels of a family that hold; `or more` where others are open."""
    open_ = any(checked.decided.holds[level.full_id] is None for level in families()[family].levels)
    return (" ".join(checked.maximal(family)) or "none") + (" or more" if open_ else "")


def count_text(count: Count) -> str:
    """How often, in words; units are plurals, whose first word is the noun."""
    noun, _, rest = count.unit.partition(" ")
    return f"{number_text(count)} {noun.removesuffix('s') if count.number == 1 else noun} {rest}".rstrip()


def number_text(count: Count) -> str:
    """How often, as a number."""
    return f"{'' if count.exact else 'at least '}{count.number:,}"


def _also(checked: CheckedTrace, name: str) -> str:
    count = checked.counts.get(name)
    return name if count is None else f"{name} ({number_text(count)})"


def _shown(checked: CheckedTrace, shown: Shown, width: int) -> Iterator[Line]:
    yield line()
    yield line("  ", (shown.phenomenon.id, "bold red"), "  ", (shown.phenomenon.title, "bold"))
    count = checked.counts.get(shown.id)
    if count is not None:
        listed = "" if count.number == 1 and count.first == (shown.place,) else _first(count)
        yield from folded(f"{count_text(count)}{listed}", "    ", width)
    if shown.evidence is not None:
        yield from folded(shown.evidence.text, "    ", width)
    elif not shown.phenomenon.annotated and not checked.interrupted:  # of N3 the schedule would not be the whole truth
        yield from folded("No schedule of these transactions alone shows it again.", "    ", width, "yellow")
    if shown.lines:
        explained = shown.evidence is not None or shown.part is not None
        yield line((f"    {lines_text(shown.place, 'explained: ' if explained else 'for example ')}", "dim"))
    if shown.part is not None and len(shown.part) <= DRAWN:
        drawn = lanes(shown.part, width - 6)
        yield from (line(f"      {row}") for row in drawn)
        if not drawn:
            yield from folded(print_events(shown.part).replace("\n", " "), "      ", width)


def _first(count: Count) -> str:
    """The first ones that are listed, by their lines."""
    if not any(place.lines for place in count.first):
        return ""
    more = "; …" if count.number > len(count.first) else ""
    return f"; the first: {'; '.join(lines_text(place) for place in count.first)}{more}"


def lines_text(place: Place, before: str = "") -> str:
    """The lines of a place, at most so many."""
    shown = ", ".join(map(str, place.lines[:LINES])) + (", …" if len(place.lines) > LINES else "")
    return f"{before}line{'s' * (len(place.lines) != 1)} {shown}"


def _refuted(checked: CheckedTrace, width: int) -> Iterator[Line]:
    """Why the declared level does not hold, where a part shows it."""
    found = None if checked.declared is None else checked.refutation(checked.declared)
    if found is not None:
        shown, why = found
        known = why.phenomenon is not None and any(one.id == why.phenomenon for one in checked.told)
        reason = f"{why.phenomenon} is present" if known else f"the transactions under {shown.id} refute it: {why.text}"
        yield from folded(f"Not {checked.declared}: {reason}", "  ", width)


def trace_object(checked: CheckedTrace, *, evidence: bool = False) -> Json:
    """One trace as JSON: levels and phenomena as a check of a schedule has them, without the events. With `evidence` a
    level is an object, which has what refutes it, where a part of the trace shows that."""
    decided = checked.decided
    phenomena: Json = {name: {"present": present} for name, present in decided.present.items()}
    for name, count in checked.counts.items():
        phenomena[name] |= {
            "count": count.number,
            "unit": count.unit,
            "exact": count.exact,
            "first": [_place(place) for place in count.first],
        }
    for name, place in checked.places.items():
        phenomena[name]["evidence"] = _place(place)
    for shown in checked.told:
        phenomena[shown.id]["evidence"] |= _part(shown, shown.evidence)
    levels: dict[str, Json] = {}
    for name, holds in decided.holds.items():
        family, _, level = name.partition(":")
        levels.setdefault(family, {})[level] = _level(checked, name, holds) if evidence else holds
    out: Json = {
        "format": FORMAT,
        "file": checked.source,
        "trace": {"events": checked.events, "transactions": checked.transactions, "items": checked.items},
        "levels": levels,
        "maximal_levels": {family: list(checked.maximal(family)) for family in families()},
        "phenomena": phenomena,
        "expected": {"ok": checked.ok, "failed": checked.failed()},
    }
    reasons = {entry.id: checked.why_open(entry) for entry in checked.open()}
    reasons |= {name.replace(":", ".", 1): "interrupted" for name, holds in decided.holds.items() if holds is None}
    if reasons:
        out["reasons"] = reasons
    if decided.agents is not None:
        out["agents"] = agent_object(decided.agents)
    if checked.declared is not None:
        out["declared"] = {"level": checked.declared, **_level(checked, checked.declared, decided.declared)}
    if checked.serial_order is not None:
        out["serial_order"] = list(checked.serial_order)
    if checked.timestamps is not None:
        out["timestamps"] = {txn: [start, commit] for txn, start, commit in checked.timestamps}
    if checked.warnings:
        out["warnings"] = list(checked.warnings)
    if checked.interrupted:
        out["interrupted"] = True
    return out


def _support(checked: CheckedTrace, name: str) -> Json:
    """What shows a level: which of the two orders that stand in the object, once for all levels, and what is absent."""
    level = next((one for family in families().values() for one in family.levels if one.full_id == name), None)
    if level is None:
        return {}
    out: Json = {}
    if level.evidence in ("serial_order", "timestamps") and getattr(checked, level.evidence) is not None:
        out["shown_by"] = level.evidence
    absent = absent_of(level)
    return out | ({"absent": list(absent)} if absent else {})


def _place(place: Place) -> Json:
    return {"lines": list(place.lines), "events": list(place.events)}


def _part(shown: Shown, evidence: Evidence | None) -> Json:
    if evidence is None or shown.part is None:
        return {}
    return {"text": evidence.text, "schedule": print_events(shown.part).replace("\n", " ")}


def _level(checked: CheckedTrace, name: str, holds: bool | None) -> Json:
    """A level, and what refutes or shows it; an object even where nothing is known of that."""
    if holds:
        return {"holds": holds, **_support(checked, name)}
    found = checked.refutation(name)
    if found is None:
        return {"holds": holds}
    shown, why = found
    out: Json = {"holds": holds, "evidence": _place(shown.place) | _part(shown, why)}
    return out | ({"phenomenon": why.phenomenon} if why.phenomenon else {})
