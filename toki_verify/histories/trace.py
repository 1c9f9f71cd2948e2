"""A sequenced trace as arrays: the accesses of a schedule (`relations/accesses.py`), its versions and their order.

The columnar reading of phenomena and levels works on this. `of_schedule` makes one of a schedule, so that the reading
can be compared with the concrete one; `readers/lines.py` makes the same one of a file, without objects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..events import INIT, Judge, Predicate, Schedule, Surface, Write, WriteKind
from ..relations.accesses import accesses_of
from ..relations.surface import stated_rows
from .columns import ABORTED, COMMITTED, UNKNOWN, Int8, Int32

#: Kinds of accesses, by the letters of `relations/base.py`. Initial versions are versions, and no accesses here.
KINDS: Final = "RWMNJK"
R, W, M, N, J, K = range(len(KINDS))
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Trace:
    """The accesses of a trace in the order of their events, with all that a phenomenon or a level can ask."""

    source: str
    #: How many events there are.
    events: int
    # -- transactions (T,), in the order of their first events
    #: The first event, and the commit or abort (`events` where there is none).
    start: Int32
    end: Int32
    outcome: Int8
    #: The session (-1: none) and the place in its order.
    session: Int32
    place: Int32
    # -- items (I,)
    table: Int32
    partition: Int32
    # -- accesses (A,); -1 where a kind has no such thing
    kind: Int8
    event: Int32
    txn: Int32
    item: Int32
    predicate: Int32
    #: The version that a write made, or that a read or a row saw.
    version: Int32
    #: Of judge calls: κ and the vote (-1: unknown).
    key: Int32
    vote: Int32
    # -- versions (V,); version i below I is the initial one of item i
    version_item: Int32
    #: The access that wrote it, -1 for an initial one.
    writer: Int32
    #: The place in ≪ (0: the initial version), or -1 where it is not installed.
    rank: Int32
    #: Whether it is its transaction's last of the item, holds a row, was written by await.
    final: Bools
    row: Bools
    by_await: Bools
    #: The predicates that a version matches: `matches[first_match[v] : first_match[v + 1]]`, ascending.
    first_match: Int32
    matches: Int32
    #: The provenance stated with it (-1: none).
    prov: Int32
    # -- names
    transactions: Sequence[str]
    sessions: Sequence[str]
    tables: Sequence[str]
    partitions: Sequence[object]
    items: Sequence[object]
    predicates: Sequence[object]
    labels: Sequence[str]
    keys: Sequence[object]
    votes: Sequence[object]
    provenances: Sequence[str]
    #: What the store keeps (`Schedule.surface`).
    surface: tuple[Surface, ...] = ()
    #: The line of each access in its file, where there is one.
    line: Int32 | None = None
    warnings: tuple[str, ...] = field(default=())


class _Numbers:
    """Numbers for things, in the order in which they come."""

    def __init__(self) -> None:
        self.of: dict[object, int] = {}

    def __call__(self, thing: object) -> int:
        return -1 if thing is None else self.of.setdefault(thing, len(self.of))

    @property
    def names(self) -> list[object]:
        return list(self.of)


def of_schedule(schedule: Schedule) -> Trace:
    """The same schedule, as arrays."""
    resolved, events = schedule.resolved, schedule.events
    txns = {txn: number for number, txn in enumerate(resolved.txns)}
    items = {item: number for number, item in enumerate(resolved.items)}
    tables, partitions, predicates, keys, votes, provs = (_Numbers() for _ in range(6))
    writes = [position for position, event in enumerate(events) if isinstance(event, Write)]
    versions = {position: len(items) + number for number, position in enumerate(writes)}
    accesses = [access for access in accesses_of(schedule) if access.kind != "I"]
    at = {access.event: place for place, access in enumerate(accesses) if access.kind == "W"}
    rank = {position: place for order in resolved.order.values() for place, position in enumerate(order, 1)}
    stated = stated_rows(schedule)
    columns: dict[str, list[int]] = {name: [] for name in ("item", "predicate", "version", "key", "vote")}
    for access in accesses:
        event = events[access.event]
        columns["item"].append(-1 if access.item is None else items[access.item])
        columns["predicate"].append(predicates(access.predicate))
        seen = access.event if access.kind == "W" else access.seen
        source = -1 if seen is None else items[access.item] if seen == INIT else versions[seen]  # type: ignore[index]
        columns["version"].append(source)
        columns["key"].append(keys(event.key) if isinstance(event, Judge) else -1)
        columns["vote"].append(votes(event.vote) if isinstance(event, Judge) else -1)
    matched: list[list[int]] = [
        sorted(predicates(predicate) for one, predicate in resolved.initial_matches if one == item) for item in items
    ]
    made = [event for event in events if isinstance(event, Write)]
    matched += [sorted(predicates(found) for found in _matched(write)) for write in made]
    initial = [schedule.init.get(item) for item in items]
    session = dict.fromkeys(resolved.txns, (-1, -1))
    for number, members in enumerate(schedule.sessions.values()):
        session |= {txn: (number, place) for place, txn in enumerate(members)}
    outcome = [
        COMMITTED if txn in resolved.committed else ABORTED if txn in resolved.aborted else UNKNOWN for txn in txns
    ]
    return Trace(
        source=schedule.name or "",
        events=len(events),
        start=_ints(resolved.start[txn] for txn in txns),
        end=_ints(resolved.end.get(txn, len(events)) for txn in txns),
        outcome=np.array(outcome, np.int8),
        session=_ints(session[txn][0] for txn in txns),
        place=_ints(session[txn][1] for txn in txns),
        table=_ints(tables(item.table) for item in items),
        partition=_ints(partitions(schedule.partitions.get(item)) for item in items),
        kind=np.array([KINDS.index(access.kind) for access in accesses], np.int8),
        event=_ints(access.event for access in accesses),
        txn=_ints(txns[access.txn] for access in accesses if access.txn is not None),
        item=_ints(columns["item"]),
        predicate=_ints(columns["predicate"]),
        version=_ints(columns["version"]),
        key=_ints(columns["key"]),
        vote=_ints(columns["vote"]),
        version_item=_ints([*range(len(items)), *(items[write.item] for write in made)]),
        writer=_ints([*(-1 for _ in items), *(at[position] for position in writes)]),
        rank=_ints([*(0 for _ in items), *(rank.get(position, -1) for position in writes)]),
        final=np.array([*(True for _ in items), *(position in resolved.final for position in writes)], bool),
        row=np.array([*(item in stated for item in items), *(w.kind is not WriteKind.DELETE for w in made)], bool),
        by_await=np.array([*(False for _ in items), *(write.operator == "await" for write in made)], bool),
        first_match=_ints(np.cumsum([0, *map(len, matched)])),
        matches=_ints(number for found in matched for number in found),
        prov=_ints([*(provs(None if one is None else one.prov) for one in initial), *(provs(w.prov) for w in made)]),
        transactions=list(txns),
        sessions=list(schedule.sessions),
        tables=[str(name) for name in tables.names],
        partitions=partitions.names,
        items=list(items),
        predicates=predicates.names,
        labels=["0" for _ in items] + [write.version or "" for write in made],
        keys=keys.names,
        votes=votes.names,
        provenances=[str(name) for name in provs.names],
        surface=schedule.surface,
    )


def _matched(write: Write) -> list[object]:
    if write.kind is WriteKind.DELETE:
        return []
    return [Predicate(write.item.table, name) for name in dict.fromkeys(write.predicates)]


def _ints(values: object) -> Int32:
    return np.array(list(values), np.int32)  # type: ignore[call-overload]
