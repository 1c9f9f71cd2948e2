"""Swim lanes in plain text: a line a transaction, time from left to right."""

from __future__ import annotations

from ..events import Schedule
from ..explain.words import txn_name
from ..notation.printer import event_text


def lanes(schedule: Schedule, width: int) -> list[str]:
    """The lanes, or nothing where they do not fit into the width or there are too many transactions to be a picture."""
    txns = schedule.resolved.txns
    if len(txns) > 8:
        return []
    names = [txn_name(txn) for txn in txns]
    margin = max(map(len, names)) + 2
    rows = {txn: name.ljust(margin) for txn, name in zip(txns, names, strict=True)}
    at = margin
    for position, event in enumerate(schedule.events):
        text = event_text(event, schedule.partitions)
        alive = {txn for txn in txns if schedule.resolved.start[txn] < position
                 <= schedule.resolved.end.get(txn, len(schedule.events))}
        for txn in txns:
            fill = "─" if txn in alive else " "
            rows[txn] = rows[txn].ljust(at, fill if len(rows[txn]) > margin else " ")
        rows[event.txn] += text
        at += len(text) + 1
        if at > width:
            return []
    return [row.rstrip() for row in rows.values()]
