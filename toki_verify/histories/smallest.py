"""The smallest part of a schedule that still shows something: delta debugging (Zeller and Hildebrandt 2002).

Nothing is changed of what is kept, as `search/shrink.py` would: names stay, with a version that is left out all reads
and rows that saw it are left out, since they saw it and nothing else, and a transaction of which anything stays ends as
it did. So the part is a part of the trace, and shows nothing that comes of a commit that is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..events import (
    INIT,
    Abort,
    Commit,
    Event,
    Item,
    PredicateRead,
    Read,
    Schedule,
    ScheduleError,
    Write,
)

#: Whether a schedule shows what is looked for.
Shows = Callable[[Schedule], bool]
#: Schedules of more events are left as they are: each test of one costs more than linear time.
EVENTS = 400


def smallest(schedule: Schedule, shows: Shows, *, keep: Iterable[int] = (), tests: int = 250) -> Schedule:
    """A part of the schedule that shows it, and from which no single transaction and no single event can be left out.

    The events at the places `keep` stay: those that show it in the whole, so that it is not something else that shows
    where a read or a write is left out that was in its way.
    After so many `tests` what has been found by then is returned; a larger part is no wrong one. A schedule in which
    labels of versions are missing is returned as it is. Raises ValueError where the schedule itself does not show it.
    """
    if not shows(schedule):
        raise ValueError("the schedule does not show what a part of it is to show")
    if len(schedule) > EVENTS or not all(_labelled(event) for event in schedule.events):
        return schedule
    whole, needed = _Whole(schedule, shows, tests), set(keep)
    needless = [group for group in whole.groups.values() if not needed & set(group)]
    kept = whole.without(range(len(schedule)), needless)
    ends = {place for place in kept if isinstance(schedule.events[place], (Commit, Abort))}
    kept = whole.without(kept, [[place] for place in reversed(kept) if place not in needed | ends])
    kept = whole.without(kept, [group for group in needless if set(group) & set(kept)])
    return whole.part(kept) or schedule


class _Whole:
    """A schedule, and tests of its parts: sets of places."""

    def __init__(self, schedule: Schedule, shows: Shows, tests: int) -> None:
        self.schedule, self.shows, self.left = schedule, shows, tests
        resolved = schedule.resolved
        self.saw = {place: [seen] for place, seen in resolved.saw.items()}
        self.saw |= {place: [row.seen for row in rows] for place, rows in resolved.rows.items()}
        self.groups: dict[str, list[int]] = {}
        for place, event in enumerate(schedule.events):
            self.groups.setdefault(event.txn, []).append(place)

    def without(self, kept: Iterable[int], groups: list[list[int]]) -> list[int]:
        """What is left of some places when groups of them are left out, runs of groups first, then one by one, until
        none can be: ddmin, of which only the complements are tried."""
        found = list(kept)
        size = max(len(groups) // 2, 1)
        while groups and self.left > 0:
            at, changed = 0, False
            while at < len(groups):
                gone = {place for group in groups[at : at + size] for place in group}
                fewer = [place for place in found if place not in gone]
                if len(fewer) < len(found) and self._holds(fewer):
                    found, changed = fewer, True
                    del groups[at : at + size]
                else:
                    at += size
            if size == 1 and not changed:
                break
            size = max(size // 2, 1)
        return found

    def _holds(self, places: list[int]) -> bool:
        if self.left <= 0:
            return False
        part = self.part(places)
        if part is None:
            return False
        self.left -= 1
        return self.shows(part)

    def part(self, places: list[int]) -> Schedule | None:
        """The schedule of the events at some places, without the reads of what is left out; None: there is none."""
        schedule, chosen = self.schedule, set(places)
        events: list[Event] = []
        for place in places:
            event = schedule.events[place]
            if isinstance(event, Read) and not self._there(place, 0, chosen):
                continue
            if isinstance(event, PredicateRead):
                event = self._rows(place, event, chosen)
            events.append(event)
        txns = {event.txn for event in events}
        items = {item for event in events for item in _items(event)}
        try:
            return Schedule(
                events,
                init={item: about for item, about in schedule.init.items() if item in items},
                order=_orders(events, schedule),
                sessions={
                    name: left
                    for name, members in schedule.sessions.items()
                    if (left := tuple(txn for txn in members if txn in txns))
                },
                partitions={item: one for item, one in schedule.partitions.items() if item in items},
                surface=schedule.surface,
                name=schedule.name,
            )
        except ScheduleError:
            return None

    def _there(self, place: int, number: int, chosen: set[int]) -> bool:
        seen = self.saw[place][number]
        return seen == INIT or seen in chosen

    def _rows(self, place: int, event: PredicateRead, chosen: set[int]) -> PredicateRead:
        """A predicate read with the rows that are left: it claims nothing about others."""
        rows = self.schedule.resolved.rows[place]
        gone = {row.item for number, row in enumerate(rows) if not self._there(place, number, chosen)}
        return replace(
            event,
            matched=tuple(row for row in event.matched if row.item not in gone),
            unmatched=tuple(row for row in event.unmatched if row.item not in gone),
            partial=True,
        )


def _labelled(event: Event) -> bool:
    """Whether an event says which versions it is about."""
    if isinstance(event, (Read, Write)):
        return event.version is not None
    if isinstance(event, PredicateRead):
        return all(row.version is not None for row in (*event.matched, *event.unmatched))
    return True


def _items(event: Event) -> Iterable[Item]:
    if isinstance(event, (Read, Write)):
        yield event.item
    elif isinstance(event, PredicateRead):
        yield from (row.item for row in (*event.matched, *event.unmatched))


def _orders(events: list[Event], schedule: Schedule) -> dict[Item, tuple[str, ...]]:
    """The version orders of what is left: of each item the labels of the versions that are still installed."""
    committed = {event.txn for event in events if isinstance(event, Commit)}
    last = {(event.item, event.txn): event.version for event in events if isinstance(event, Write)}
    aborted = {event.txn for event in events if isinstance(event, Abort)}
    out: dict[Item, tuple[str, ...]] = {}
    for item, order in schedule.resolved.order.items():
        rank = {getattr(schedule.events[write], "version", None): place for place, write in enumerate(order)}
        left = [
            label
            for (of, txn), label in last.items()
            if of == item and txn in committed and txn not in aborted and label is not None
        ]
        if len(left) > 1 and all(label in rank for label in left):
            out[item] = tuple(sorted(left, key=lambda label: rank[label]))
    return out
