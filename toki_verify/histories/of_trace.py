"""A part of a trace as a schedule: some of its transactions, for the concrete reading to judge and explain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np

from ..events import (
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Write,
    WriteKind,
)
from .columns import ABORTED, COMMITTED
from .trace import J, K, M, N, R, Trace, W


def schedule_of_part(trace: Trace, transactions: Iterable[int], *, name: str | None = None) -> Schedule:
    """The schedule of some transactions of a trace, in the order of their events (`part_of`)."""
    return part_of(trace, transactions, name=name)[0]


def part_of(trace: Trace, transactions: Iterable[int], *, name: str | None = None) -> tuple[Schedule, tuple[int, ...]]:
    """The schedule of some transactions of a trace, in the order of their events, and the number of each event.

    A read, or a row of a predicate read, that saw a version of a transaction that is left out, is left out with it;
    what predicate reads saw is listed, and they claim nothing about other rows. Version orders are those of the trace.
    What is kept of a callback is that it came. Raises ScheduleError where nothing is left, or more than a schedule may
    have.
    """
    chosen = sorted(set(transactions))
    kept = np.isin(trace.txn, chosen)
    # A place too many at the end of each, which -1 names: what has no version, and what nobody here wrote.
    owner = np.append(trace.writer, np.int32(-1))[trace.version]
    foreign = ~np.append(kept, True)[owner]
    places = np.flatnonzero(kept & ~foreign).tolist()
    events: list[tuple[int, Event]] = []
    rows: dict[int, list[int]] = {}
    for place in places:
        if trace.kind[place] in (M, N):
            rows.setdefault(int(trace.event[place]), []).append(place)
        else:
            events.append((int(trace.event[place]), _event(trace, place)))
    events += [(position, _predicate_read(trace, found)) for position, found in rows.items()]
    first: dict[int, int] = {}
    for place in places:
        first.setdefault(int(trace.txn[place]), int(trace.event[place]))
    for txn in chosen:
        if first.get(txn, trace.events) > trace.start[txn]:
            events.append((int(trace.start[txn]), Begin(trace.transactions[txn])))
        if trace.outcome[txn] in (COMMITTED, ABORTED) and trace.end[txn] > trace.start[txn]:
            end = Commit if trace.outcome[txn] == COMMITTED else Abort
            events.append((int(trace.end[txn]), end(trace.transactions[txn])))
    events.sort(key=lambda pair: pair[0])
    items = {int(item) for item in trace.item[places] if item >= 0}
    made = Schedule(
        [event for _, event in events],
        init={_item(trace, item): about for item in sorted(items) if (about := _initial(trace, item)) is not None},
        order=_orders(trace, places, items),
        sessions=_sessions(trace, chosen),
        partitions={
            _item(trace, item): cast(Partition, trace.partitions[int(trace.partition[item])])
            for item in items
            if trace.partition[item] >= 0
        },
        surface=trace.surface,
        name=name,
    )
    return made, tuple(number for number, _ in events)


def _item(trace: Trace, number: int) -> Item:
    return cast(Item, trace.items[number])


def _label(trace: Trace, version: int) -> str:
    """A label that no other version of the item has: versions without one are named by their place."""
    return trace.labels[version] or f"v{version}"


def _event(trace: Trace, place: int) -> Event:
    txn, kind = trace.transactions[int(trace.txn[place])], int(trace.kind[place])
    version = int(trace.version[place])
    if kind == R:
        return Read(txn, item=_item(trace, int(trace.item[place])), version=_label(trace, version))
    if kind == J:
        reads, theta = cast("tuple[str, str]", trace.keys[int(trace.key[place])])
        vote = int(trace.vote[place])
        return Judge(txn, reads=reads, theta=theta, vote=None if vote < 0 else cast(str, trace.votes[vote]))
    if kind == K:
        return Callback(txn, reads="R", request="h", winner=1)
    assert kind == W
    prov = int(trace.prov[version])
    return Write(
        txn,
        item=_item(trace, int(trace.item[place])),
        version=_label(trace, version),
        kind=_kind(trace, version),
        predicates=_matched(trace, version),
        prov=None if prov < 0 else trace.provenances[prov],
        operator="await" if trace.by_await[version] else None,
    )


def _kind(trace: Trace, version: int) -> WriteKind:
    """A trace does not say what inserts; that an item was no row before its first version does."""
    if not trace.row[version]:
        return WriteKind.DELETE
    first = trace.rank[version] == 1 and not trace.row[int(trace.version_item[version])]
    return WriteKind.INSERT if first else WriteKind.UPDATE


def _matched(trace: Trace, version: int) -> tuple[str, ...]:
    numbers = trace.matches[int(trace.first_match[version]) : int(trace.first_match[version + 1])]
    return tuple(cast(Predicate, trace.predicates[int(number)]).name for number in numbers)


def _predicate_read(trace: Trace, places: list[int]) -> Event:
    rows: dict[int, list[Row]] = {M: [], N: []}
    for place in places:
        item = _item(trace, int(trace.item[place]))
        rows[int(trace.kind[place])].append(Row(item, _label(trace, int(trace.version[place]))))
    return PredicateRead(
        trace.transactions[int(trace.txn[places[0]])],
        predicate=cast(Predicate, trace.predicates[int(trace.predicate[places[0]])]),
        matched=tuple(rows[M]),
        unmatched=tuple(rows[N]),
        partial=True,
    )


def _initial(trace: Trace, item: int) -> InitialVersion | None:
    """What is to be said of an initial version: that it is a row, what it matches, its provenance."""
    prov = int(trace.prov[item])
    if not trace.row[item] and not _matched(trace, item) and prov < 0:
        return None
    return InitialVersion(None, _matched(trace, item), None if prov < 0 else trace.provenances[prov])


def _orders(trace: Trace, places: list[int], items: set[int]) -> dict[Item, tuple[str, ...]]:
    versions: dict[int, list[int]] = {}
    for place in places:
        version = int(trace.version[place])
        if trace.kind[place] == W and trace.rank[version] > 0:
            versions.setdefault(int(trace.item[place]), []).append(version)
    return {
        _item(trace, item): tuple(_label(trace, one) for one in sorted(found, key=lambda one: int(trace.rank[one])))
        for item, found in versions.items()
        if item in items
    }


def _sessions(trace: Trace, chosen: list[int]) -> dict[str, tuple[str, ...]]:
    members: dict[int, list[int]] = {}
    for txn in chosen:
        if trace.session[txn] >= 0:
            members.setdefault(int(trace.session[txn]), []).append(txn)
    return {
        trace.sessions[session]: tuple(trace.transactions[txn] for txn in sorted(of, key=lambda t: int(trace.place[t])))
        for session, of in members.items()
    }
