"""Labels for accesses that have none: what the single-version rule makes of them, said (SEMANTICS §1).

π_J adds writes to rows of the judge log. A read without a label would then see one of those, and not what it saw in S.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import count

from ..events import INITIAL, Event, Item, PredicateRead, Read, Row, Schedule, Write


def labelled(schedule: Schedule, items: Collection[Item]) -> tuple[Event, ...]:
    """The events, of which those that access the items all name the version that they write or see."""
    chosen = frozenset(items).intersection(schedule.resolved.items)
    if not chosen:
        return schedule.events
    labels = _labels(schedule, chosen)

    def of(seen: int) -> str:
        return labels.get(seen, INITIAL)

    def row(position: int, row: Row) -> Row:
        if row.version is not None or row.item not in chosen:
            return row
        seen = next(found.seen for found in schedule.resolved.rows[position] if found.item == row.item)
        return row._replace(version=of(seen))

    events: list[Event] = []
    for position, event in enumerate(schedule.events):
        if isinstance(event, (Read, Write)) and event.item in chosen and event.version is None:
            seen = position if isinstance(event, Write) else schedule.resolved.saw[position]
            events.append(replace(event, version=of(seen)))
        elif isinstance(event, PredicateRead):
            rows = (tuple(row(position, one) for one in part) for part in (event.matched, event.unmatched))
            matched, unmatched = rows
            events.append(replace(event, matched=matched, unmatched=unmatched))
        else:
            events.append(event)
    return tuple(events)


def free_labels(stated: Collection[str | None]) -> Iterator[str]:
    """1, 2, 3 … but for those that are stated."""
    return (label for number in count(1) if (label := str(number)) not in stated)


def _labels(schedule: Schedule, items: Collection[Item]) -> dict[int, str]:
    """The label of every write of the items, by its index."""
    found: dict[int, str] = {}
    for item in items:
        writes = [
            (position, event)
            for position, event in enumerate(schedule.events)
            if isinstance(event, Write) and event.item == item
        ]
        free = free_labels({event.version for _, event in writes})
        found |= {position: next(free) if event.version is None else event.version for position, event in writes}
    return found


__all__ = ["free_labels", "labelled"]
