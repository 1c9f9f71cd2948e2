"""Swim lanes in plain text: time from left to right for short schedules, from top to bottom for recorded traces."""

from __future__ import annotations

from collections.abc import Mapping

from ..events import Event, Schedule
from ..events.values import json_value, shown
from ..explain.words import short_event, txn_name
from ..notation.printer import event_text

#: More lanes than this are no picture any more.
LANES = 8
_COLUMN = 8


def lanes(schedule: Schedule, width: int) -> list[str]:
    """A line a transaction; nothing where it does not fit the width."""
    txns = schedule.resolved.txns
    if len(txns) > LANES:
        return []
    names = [txn_name(txn) for txn in txns]
    margin = max(map(len, names)) + 2
    rows = {txn: name.ljust(margin) for txn, name in zip(txns, names, strict=True)}
    at = margin
    for position, event in enumerate(schedule.events):
        text = event_text(event, schedule.partitions)
        alive = {
            txn
            for txn in txns
            if schedule.resolved.start[txn] < position <= schedule.resolved.end.get(txn, len(schedule.events))
        }
        for txn in txns:
            fill = "─" if txn in alive else " "
            rows[txn] = rows[txn].ljust(at, fill if len(rows[txn]) > margin else " ")
        rows[event.txn] += text
        at += len(text) + 1
        if at > width:
            return []
    return [row.rstrip() for row in rows.values()]


def timeline(schedule: Schedule, width: int, marks: Mapping[int, str]) -> list[str]:
    """A line an event: its index, its time, a column per transaction, the event, and what it is part of."""
    txns = schedule.resolved.txns
    timed = any(event.time is not None for event in schedule.events)
    columns = len(txns) if len(txns) <= LANES else 0
    names = [_short(txn_name(txn)) for txn in txns[:columns]]
    wide = max([3, *map(len, names)])
    head = " " * (5 + (10 if timed else 0)) + " ".join(name.ljust(wide) for name in names)
    out = [head.rstrip()] if columns else []
    for position, event in enumerate(schedule.events):
        time = f"{_clock(event):>9} " if timed else ""
        bars = []
        for txn in txns[:columns]:
            alive = schedule.resolved.start[txn] <= position <= schedule.resolved.end.get(txn, len(schedule.events))
            bars.append(("●" if txn == event.txn else "│" if alive else " ").ljust(wide))
        lead = f"{position:>4} {time}{' '.join(bars)}" if columns else f"{position:>4} {time}{txn_name(event.txn)} "
        note = f"  ◂ {marks[position]}" if position in marks else ""
        out.append(f"{lead} {shown(short_event(event, schedule), max(30, width - len(lead) - len(note) - 1))}{note}")
    return out


def _short(name: str) -> str:
    """A name for the head of a column: a long one by its end, where names of calls differ."""
    return name if len(name) <= _COLUMN else "…" + name[1 - _COLUMN :]


def _clock(event: Event) -> str:
    time = None if event.time is None else json_value(event.time)
    return f"{time:.6f}" if isinstance(time, (int, float)) and abs(time) < 1e5 else str(time or "")
