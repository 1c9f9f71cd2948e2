"""Which judge calls fill their row of the judge log and which read it: the rule of π_J (SEMANTICS §6).

The first call at a key fills its row. A later one sees the latest row of its key whose transaction has not aborted, its
own transaction's latest before any other (SEMANTICS §1: a transaction reads its own version); it reads that row if the
votes do not differ, and fills anew where no such row is left or its vote is another.
"""

from __future__ import annotations

from ..events import Judge, Schedule
from ..events.values import JsonText


def log_rows(schedule: Schedule) -> dict[int, int | None]:
    """For every judge event, by its index: the event that filled the row it reads, or None where it fills itself.

    Rows that a schedule writes to the table judge_log by events of its own are not looked at.
    """
    resolved = schedule.resolved
    rows: dict[tuple[str, JsonText], list[int]] = {}
    found: dict[int, int | None] = {}
    for position, event in enumerate(schedule.events):
        if not isinstance(event, Judge):
            continue
        of_key = rows.setdefault(event.key, [])
        alive = [row for row in of_key if not resolved.aborted_by(schedule.events[row].txn, position)]
        own = [row for row in alive if schedule.events[row].txn == event.txn]
        seen: int | None = [None, *alive, *own][-1]
        if seen is not None and differ(vote_of(schedule, seen), event.vote):
            seen = None
        found[position] = seen
        if seen is None:
            of_key.append(position)
    return found


def vote_of(schedule: Schedule, position: int) -> JsonText | None:
    """The vote of a judge event; None where it is unknown."""
    event = schedule.events[position]
    assert isinstance(event, Judge)
    return event.vote


def differ(one: JsonText | None, other: JsonText | None) -> bool:
    """Whether two votes are known and not the same; votes of different types (1, "1", true) differ."""
    return one is not None and other is not None and one != other
