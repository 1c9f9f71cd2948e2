"""Shrinking: from a schedule with a property to a small one that still has it.

Candidates are simpler schedules (an event less, a transaction less, two items made one, a read of version 0, …), and
one is taken when it still has the property and is smaller by `size`. Every step makes `size` smaller, so this ends;
where it ends no single simplification is left, which is small and not proved smallest.

Hypothesis shrinks too, but how a schedule was drawn, not the schedule: this shrinks any schedule (a recorded trace,
say), needs no test library at run time, and gives the same result with every version of one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..events import (
    INITIAL,
    Abort,
    Begin,
    Commit,
    Event,
    Item,
    PredicateRead,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)

#: Candidates that are tried at most.
CANDIDATES = 20_000
_ITEMS = "xyzuvwabcdefghijklmnopqrst"


def shrink(schedule: Schedule, holds: Callable[[Schedule], bool], *, candidates: int = CANDIDATES) -> Schedule:
    """A small schedule that `holds`, from one that does; the same for the same schedule.

    At most `candidates` schedules are tried. Raises ValueError if `holds` is false of the schedule to begin with.
    """
    if not holds(schedule):
        raise ValueError("the schedule to shrink does not have the property")
    best, left = schedule, candidates
    seen: set[str] = set()
    improved = True
    while improved and left > 0:
        improved = False
        for make in (_fewer, _merged, _simpler, _canonical, _moved):
            again = True
            while again and left > 0:
                again = False
                for draft in make(best):
                    made = draft.schedule()
                    if made is None or not _smaller(made, best):
                        continue
                    key = repr(made)
                    if key in seen:
                        continue
                    seen.add(key)
                    left -= 1
                    if holds(made):
                        best, improved, again = made, True, True
                        break
                    if left <= 0:
                        break
    return best


def size(schedule: Schedule) -> tuple[Any, ...]:
    """What shrinking makes smaller, most important first."""
    events = schedule.events
    resolved = schedule.resolved
    names = {txn: number for number, txn in enumerate(resolved.txns)}
    inversions = sum(
        names[one.txn] > names[other.txn] for place, one in enumerate(events) for other in events[place + 1 :]
    )
    return (
        len(events),
        len(resolved.txns),
        len(resolved.items),
        _decoration(schedule),
        sum(isinstance(event, Read) and event.version != INITIAL for event in events),
        inversions,
        str(schedule),
    )


def _smaller(one: Schedule, other: Schedule) -> bool:
    return len(one) < len(other) or (len(one) == len(other) and size(one) < size(other))


def _decoration(schedule: Schedule) -> int:
    count = sum(len(labels) for labels in schedule.order.values()) + len(schedule.order)
    count += sum(map(len, schedule.sessions.values())) + len(schedule.partitions) + len(schedule.surface)
    count += sum(1 + 2 * len(entry.predicates) for entry in schedule.init.values())
    count += sum(item.table != "facts" for item in schedule.resolved.items)
    count += sum(text is not None for text in (schedule.name, schedule.source, schedule.note))
    count += len(schedule.expect) + len(schedule.extra)
    for event in schedule.events:
        count += 2 * isinstance(event, (Begin, Abort)) + (event.time is not None) + len(event.extra)
        if isinstance(event, Write):
            count += len(event.predicates) + (event.kind is not WriteKind.UPDATE) + (event.value is not None)
            count += (event.prov is not None) + (event.operator is not None)
        elif isinstance(event, PredicateRead):
            count += 3 + 2 * len(event.matched) + 2 * len(event.unmatched) + event.partial
        elif isinstance(event, Read):
            count += (event.value is not None) + (event.version is None)
    return count


# -- drafts ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Draft:
    """The parts of a schedule that may not fit any more; `schedule` makes them fit, or gives up."""

    events: tuple[Event, ...]
    like: Schedule
    init: Mapping[Item, Any] | None = None
    order: Mapping[Item, tuple[str, ...]] | None = None
    sessions: Mapping[str, tuple[str, ...]] | None = None
    partitions: Mapping[Item, Any] | None = None

    def schedule(self) -> Schedule | None:
        like = self.like
        init = like.init if self.init is None else self.init
        order = like.order if self.order is None else self.order
        sessions = like.sessions if self.sessions is None else self.sessions
        partitions = like.partitions if self.partitions is None else self.partitions
        events = _fitted(self.events)
        items = {item for event in events for item in _items(event)}
        txns = {event.txn for event in events}
        try:
            return Schedule(
                events,
                init={item: entry for item, entry in init.items() if item in items},
                order=_orders(events, order),
                sessions={
                    name: kept for name, group in sessions.items() if (kept := tuple(t for t in group if t in txns))
                },
                partitions={item: entry for item, entry in partitions.items() if item in items},
            )
        except ScheduleError:
            return None


def _items(event: Event) -> Iterator[Item]:
    if isinstance(event, (Read, Write)):
        yield event.item
    elif isinstance(event, PredicateRead):
        yield from (row.item for row in (*event.matched, *event.unmatched))


def _fitted(events: Iterable[Event]) -> tuple[Event, ...]:
    """Reads of versions that are gone see the initial one; reads behind an own write see that."""
    written: dict[Item, set[str]] = {}
    own: dict[tuple[str, Item], str | None] = {}
    out: list[Event] = []

    def seen(txn: str, item: Item, label: str | None) -> str | None:
        if (txn, item) in own:
            return own[txn, item]
        return label if label is None or label in written.get(item, ()) else INITIAL

    for event in events:
        if isinstance(event, Read):
            event = replace(event, version=seen(event.txn, event.item, event.version))
        elif isinstance(event, PredicateRead):
            rows = [
                tuple(row._replace(version=seen(event.txn, row.item, row.version)) for row in group)
                for group in (event.matched, event.unmatched)
            ]
            event = replace(event, matched=rows[0], unmatched=rows[1])
        elif isinstance(event, Write):
            own[event.txn, event.item] = event.version
            if event.version is not None:
                written.setdefault(event.item, set()).add(event.version)
        out.append(event)
    return tuple(out)


def _orders(events: Iterable[Event], order: Mapping[Item, tuple[str, ...]]) -> dict[Item, tuple[str, ...]]:
    """The stated orders that still say something, of the versions that are still installed."""
    committed = {event.txn for event in events if isinstance(event, Commit)}
    final: dict[tuple[Item, str], str | None] = {}
    for event in events:
        if isinstance(event, Write) and event.txn in committed:
            final.pop((event.item, event.txn), None)
            final[event.item, event.txn] = event.version
    out = {}
    for item, labels in order.items():
        installed = [label for (of, _), label in final.items() if of == item]
        kept = tuple(label for label in labels if label in installed)
        if len(kept) == len(installed) and list(kept) != installed:
            out[item] = kept
    return out


# -- simplifications -------------------------------------------------------------------------------------------------


def _fewer(schedule: Schedule) -> Iterator[_Draft]:
    """A transaction, a run of events, one event, an event and what reads it less."""
    events = schedule.events
    for txn in reversed(schedule.resolved.txns):
        yield _Draft(tuple(event for event in events if event.txn != txn), schedule)
    length = len(events) // 2
    while length:
        for start in range(len(events) - length, -1, -1):
            yield _Draft(events[:start] + events[start + length :], schedule)
        length = length // 2 if length > 4 else length - 1
    for event in events:
        if isinstance(event, Write):
            gone = {
                position
                for position, other in enumerate(events)
                if other is event
                or (isinstance(other, Read) and (other.item, other.version) == (event.item, event.version))
            }
            yield _Draft(tuple(other for place, other in enumerate(events) if place not in gone), schedule)


def _merged(schedule: Schedule) -> Iterator[_Draft]:
    """Two transactions, or two items of one table, made one."""
    txns = schedule.resolved.txns
    for place, other in enumerate(txns):
        for one in txns[:place]:
            ends = [e for e in schedule.events if e.txn in (one, other) and isinstance(e, (Commit, Abort))]
            events = tuple(e for e in schedule.events if e not in ends[:-1])
            yield _Draft(tuple(replace(e, txn=one) if e.txn == other else e for e in events), schedule)
    items = list(schedule.resolved.items)
    for index, second in enumerate(items):
        for first in items[:index]:
            if first.table == second.table:
                yield _renamed(schedule, {second: first}, {})


def _simpler(schedule: Schedule) -> Iterator[_Draft]:
    """One decoration less."""
    events = schedule.events
    yield _Draft(events, schedule, order={}, sessions={}, partitions={}, init={})
    for part in ("order", "sessions", "partitions", "init"):
        held = dict(getattr(schedule, part))
        for key in held:
            rest = {other: value for other, value in held.items() if other != key}
            yield _Draft(events, schedule, **{part: rest})
    for name, txns in schedule.sessions.items():
        for txn in txns:
            fewer = tuple(other for other in txns if other != txn)
            yield _Draft(events, schedule, sessions={**schedule.sessions, name: fewer})
    for position, event in enumerate(events):
        for plain in _plainer(event, schedule.resolved.items):
            yield _Draft((*events[:position], plain, *events[position + 1 :]), schedule)


def _plainer(event: Event, items: Iterable[Item]) -> Iterator[Event]:
    if event.time is not None or event.extra:
        yield replace(event, time=None, extra=())
    if isinstance(event, Abort):
        yield Commit(event.txn)
    elif isinstance(event, Read):
        if event.value is not None:
            yield replace(event, value=None)
        if event.version != INITIAL:
            yield replace(event, version=INITIAL)
    elif isinstance(event, Write):
        yield replace(event, kind=WriteKind.UPDATE, predicates=(), value=None, prov=None, operator=None)
        yield replace(event, kind=WriteKind.UPDATE)
        yield replace(event, predicates=())
        yield replace(event, value=None, prov=None)
        yield replace(event, operator=None)
        for name in event.predicates:
            yield replace(event, predicates=tuple(other for other in event.predicates if other != name))
    elif isinstance(event, PredicateRead):
        for row in (*event.matched, *event.unmatched):
            yield Read(event.txn, row.item, row.version)
        for item in items:
            if item.table == event.predicate.table:
                yield Read(event.txn, item, INITIAL)
        for row in event.matched:
            yield replace(event, matched=tuple(other for other in event.matched if other is not row))
        for row in event.unmatched:
            yield replace(event, unmatched=tuple(other for other in event.unmatched if other is not row))
        if event.partial:
            yield replace(event, partial=False)


def _canonical(schedule: Schedule) -> Iterator[_Draft]:
    """Transactions, items, versions, predicates named by first use."""
    tables: dict[str, int] = {}
    items: dict[Item, Item] = {}
    for item in dict.fromkeys((*(i for event in schedule.events for i in _items(event)), *schedule.resolved.items)):
        number = tables.get(item.table, 0)
        tables[item.table] = number + 1
        items[item] = Item(item.table, _ITEMS[number] if number < len(_ITEMS) else item.name)
    txns = {txn: str(number) for number, txn in enumerate(schedule.resolved.txns, start=1)}
    yield _renamed(schedule, items, txns)
    yield _renamed(schedule, {}, txns)
    yield _renamed(schedule, items, {})


def _moved(schedule: Schedule) -> Iterator[_Draft]:
    """Neighbouring events exchanged."""
    events = schedule.events
    for place in range(len(events) - 1):
        one, other = events[place : place + 2]
        yield _Draft((*events[:place], other, one, *events[place + 2 :]), schedule)


def _renamed(schedule: Schedule, items: Mapping[Item, Item], txns: Mapping[str, str]) -> _Draft:
    """The schedule under other names; the versions are numbered anew, in the order of their writes."""
    labels: dict[tuple[Item, str | None], str] = {}
    count: dict[Item, int] = {}
    for event in schedule.events:
        if isinstance(event, Write) and event.version is not None:
            target = items.get(event.item, event.item)
            count[target] = count.get(target, 0) + 1
            labels[event.item, event.version] = str(count[target])

    def row(old: Row) -> Row:
        label = labels.get((old.item, old.version), old.version)
        return Row(items.get(old.item, old.item), label, old.extra)

    events: list[Event] = []
    for event in schedule.events:
        event = replace(event, txn=txns.get(event.txn, event.txn))
        if isinstance(event, (Read, Write)):
            label = labels.get((event.item, event.version), event.version)
            event = replace(event, item=items.get(event.item, event.item), version=label)
        elif isinstance(event, PredicateRead):
            listed = [tuple({new.item: new for new in map(row, g)}.values()) for g in (event.matched, event.unmatched)]
            event = replace(event, matched=listed[0], unmatched=listed[1])
        events.append(event)
    order: dict[Item, tuple[str, ...]] = {}
    for item, versions in schedule.order.items():
        target = items.get(item, item)
        order[target] = (*order.get(target, ()), *(labels.get((item, version), version) for version in versions))
    return _Draft(
        tuple(events),
        schedule,
        init={items.get(item, item): entry for item, entry in schedule.init.items()},
        order=order,
        sessions={name: tuple(txns.get(txn, txn) for txn in group) for name, group in schedule.sessions.items()},
        partitions={items.get(item, item): entry for item, entry in schedule.partitions.items()},
    )
