"""The accesses of a schedule, in order: what the base relations of the concrete reading relate."""

from __future__ import annotations

from dataclasses import dataclass

from ..events import (
    INIT,
    Callback,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Schedule,
    Write,
)
from .formulas import Region


@dataclass(frozen=True, slots=True)
class Access:
    """One access. `kind` is a letter of `base.py`; `event` is its event's index (INIT for an initial version);
    `txn` its transaction (None for an initial version); `seen` the write a read or row saw (INIT: version 0)."""

    kind: str
    event: int
    txn: str | None
    item: Item | None = None
    predicate: Predicate | None = None
    seen: int | None = None


def accesses_of(schedule: Schedule, region: Region | None = None) -> list[Access]:
    """The accesses of a schedule, initial versions first; with a region only those on items in it.

    Judge calls and callbacks are on no item and stay: a region restricts items and edges (SEMANTICS §4), so that a
    pinned level is never stronger than the level itself.
    """
    resolved = schedule.resolved
    found = [Access("I", INIT, None, item) for item in resolved.items]
    for position, event in enumerate(schedule.events):
        txn = event.txn
        if isinstance(event, Read):
            found.append(Access("R", position, txn, event.item, None, resolved.saw[position]))
        elif isinstance(event, Write):
            found.append(Access("W", position, txn, event.item))
        elif isinstance(event, PredicateRead):
            for row in resolved.rows[position]:
                kind = "M" if row.matched else "N"
                found.append(Access(kind, position, txn, row.item, event.predicate, row.seen))
        elif isinstance(event, Judge):
            found.append(Access("J", position, txn))
        elif isinstance(event, Callback):
            found.append(Access("K", position, txn))
    if region is None:
        return found
    return [access for access in found if access.item is None or in_region(schedule, access.item, region)]


def in_region(schedule: Schedule, item: Item, region: Region) -> bool:
    """Whether an item lies in a table or partition."""
    if region.table is not None and item.table != region.table:
        return False
    return region.partition is None or schedule.partitions.get(item) == Partition(*region.partition)
