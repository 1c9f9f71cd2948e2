"""Phenomena that one read, or the reads of one item by one transaction, show: P1, A1, G1a, G1b, P2, A2, A3, P4, …"""

from __future__ import annotations

import numpy as np

from ..trace import M
from .arrays import Bools, Ints, dense, full, groups, ints, lower_to, ordered, prefix_max, where, wide
from .found import Found, found
from .loops import latest_other
from .reading import Reading, decides


def _of(reading: Reading, places: Ints, shown: Bools) -> Found | None:
    """The first of the reads that shows it, and the write of the version that it saw."""
    at = np.flatnonzero(shown)
    if not len(at):
        return None
    read = places[at[0]]
    return found(reading.index.writer[reading.index.version[read]], read)


def _foreign(reading: Reading) -> tuple[Ints, Ints, Ints]:
    """All that saw a version that another transaction wrote (R, M, N): places, versions, their writers."""
    index = reading.index
    version = index.version[index.seen]
    writer = index.version_txn[version]
    kept = (writer >= 0) & (writer != index.txn[index.seen])
    return index.seen[kept], version[kept], writer[kept]


@decides("P1")
def p1(reading: Reading) -> Found | None:
    """A version that was not committed by then, or not final."""
    index = reading.index
    places, version, writer = reading.once(_foreign)
    clean = index.committed[writer] & (index.end[writer] < index.event[places])
    return _of(reading, places, ~clean | ~reading.trace.final[version])


@decides("A1")
def a1(reading: Reading) -> Found | None:
    """A committed reader of a version whose transaction aborts after that."""
    index = reading.index
    places, _, writer = reading.once(_foreign)
    later = index.aborted[writer] & (index.end[writer] > index.event[places])
    return _of(reading, places, later & index.committed[index.txn[places]])


@decides("G1a")
def g1a(reading: Reading) -> Found | None:
    """A committed reader of a version that never committed."""
    index = reading.index
    places, _, writer = reading.once(_foreign)
    return _of(reading, places, ~index.committed[writer] & index.committed[index.txn[places]])


@decides("G1b")
def g1b(reading: Reading) -> Found | None:
    """A committed reader of a version that is not final."""
    index = reading.index
    places, version, _ = reading.once(_foreign)
    return _of(reading, places, ~reading.trace.final[version] & index.committed[index.txn[places]])


@decides("G1")
def g1(reading: Reading) -> Found | None:
    """G1a, G1b or G1c."""
    return reading.present("G1a") or reading.present("G1b") or reading.present("G1c")


def _two_versions(reading: Reading, places: Ints, keys: Ints) -> Found | None:
    """Two of the reads of one group that saw different versions."""
    order, first, _ = groups(keys)
    version = reading.index.version[places[order]]
    leads = np.repeat(version[first], np.diff(np.append(first, len(order))))
    at = np.flatnonzero(version != leads)
    if not len(at):
        return None
    other = order[first[np.searchsorted(first, at[0], side="right") - 1]]
    read, again = places[other], places[order[at[0]]]
    versions = reading.index.version[[read, again]]
    return found(read, again, *reading.index.writer[versions])


@decides("P2")
def p2(reading: Reading) -> Found | None:
    """Two item reads of one item that saw two versions, neither its own."""
    index = reading.index
    foreign = index.item_read & index.committed[index.txn]
    places = where(foreign)
    places = places[index.version_txn[index.version[places]] != index.txn[places]]
    return _two_versions(reading, places, wide(index.txn[places]) * index.items + index.item[places])


def read_again(reading: Reading) -> tuple[Ints, Ints, Ints]:
    """What shows A2: first reads of items, writes of others behind them that were committed when the third, reads of
    what they wrote, came."""
    index = reading.index
    places, version, writer = reading.once(_foreign)
    first = index.pair_first_read[index.pair[places]]
    shown = (
        index.item_read[places]
        & index.committed[index.txn[places]]
        & index.committed[writer]
        & (index.end[writer] < index.event[places])
        & (index.event[np.maximum(first, 0)] < index.version_event[version])
        & (first >= 0)
    )
    return first[shown], index.writer[version[shown]], places[shown]


@decides("A2")
def a2(reading: Reading) -> Found | None:
    """A read, a write of another transaction that commits, and a read of that write."""
    first, write, again = reading.once(read_again)
    return found(first[0], write[0], again[0]) if len(first) else None


@decides("A3")
def a3(reading: Reading) -> Found | None:
    """Two reads of one predicate that differ on a row that the transaction has not written."""
    index = reading.index
    places = where(index.row & index.committed[index.txn])
    txn, item = index.txn[places], index.item[places]
    kept = index.pair_last_write[index.pair[places]] < 0
    places, txn, item = places[kept], txn[kept], item[kept]
    predicates = max(len(reading.trace.predicates), 1)
    order, first, _ = groups((wide(txn) * index.items + item) * predicates + index.predicate[places])
    if not len(order):
        return None
    ordered = places[order]
    matched = index.kind[ordered] == M
    # Rows that did not match count alike, whatever version they saw; a read has one row of an item.
    shown = np.where(matched, index.version[ordered], -1)
    leads = np.repeat(shown[first], np.diff(np.append(first, len(order))))
    at = np.flatnonzero(shown != leads)
    if not len(at):
        return None
    lead = ordered[first[np.searchsorted(first, at[0], side="right") - 1]]
    return found(lead, ordered[at[0]], *index.writer[index.version[[lead, ordered[at[0]]]]])


def _least_slots(reading: Reading) -> tuple[Ints, Ints]:
    """Per pair (transaction, item) the earliest slot that a reader with rw edges saw, and one such reader (a place in
    `readers`): (P,), -1 where there is none."""
    index, readers = reading.index, reading.index.readers
    places = where(readers.rw)
    pair = index.pair[readers.access[places]]
    slot = full(len(index.pair_keys), index.slots)
    lower_to(slot, pair, readers.slot[places])
    least = np.flatnonzero(readers.slot[places] == slot[pair])
    reader = full(len(slot), -1)
    reader[pair[least]] = places[least]
    return slot, reader


@decides("P4")
def p4(reading: Reading) -> Found | None:
    """rw and ww back, on one item: between the slot read and the transaction's own one there is another's."""
    index, readers = reading.index, reading.index.readers
    slot, reader = reading.once(_least_slots)
    own = index.pair_slot
    at = np.flatnonzero(own > slot + 1)
    if not len(at):
        return None
    one = at[0]
    return found(readers.access[reader[one]], index.slot_access[slot[one] + 1], index.slot_access[own[one]])


@decides("P2[G-single]")
def p2_g_single(reading: Reading) -> Found | None:
    """rw and wr or ww back, on one item: P4, or a read of what a transaction wrote whose slot another read missed."""
    index, readers = reading.index, reading.index.readers
    lost = reading.present("P4")
    if lost is not None:
        return lost
    least, reader = reading.once(_least_slots)
    wr = reading.edges.wr
    # Any write of the transaction may have been read; what counts for rw is its slot.
    slot = index.pair_slot[index.pair[wr.source_access]]
    pair = index.pair[wr.target_access]
    edges = np.flatnonzero(slot > least[pair])
    if not len(edges):
        return None
    one = edges[0]
    read = readers.access[reader[pair[one]]]
    return found(read, index.slot_access[slot[one]], wr.source_access[one], wr.target_access[one])


@decides("P0")
def p0(reading: Reading) -> Found | None:
    """A write over one of a transaction that had not ended. Neighbours among the writes of an item are enough: the
    first write of another transaction behind the earlier one has that transaction's write before it."""
    index = reading.index
    of = index.writes_by_item
    late = (of.txn[:-1] != of.txn[1:]) & (index.end[of.txn[:-1]] > of.event[1:])
    at = np.flatnonzero((of.group[:-1] == of.group[1:]) & late)
    return found(of.place[at[0]], of.place[at[0] + 1]) if len(at) else None


@decides("G-SIa")
def g_sia(reading: Reading) -> Found | None:
    """A dependency on a transaction that had not committed when the dependent one started.

    wr edge by edge. Of ww, a slot's transaction depends on all earlier ones: the latest of their commits counts. Of
    pwr, the latest commit of all changes up to the slot seen, but one's own.
    """
    index, edges = reading.index, reading.edges
    wr = edges.wr
    at = np.flatnonzero(index.end[wr.source] > index.start[wr.target])
    if len(at):
        return found(wr.source_access[at[0]], wr.target_access[at[0]])
    if not index.slots:
        return None
    latest = prefix_max(index.slot_end, index.slot_item)[:-1]
    follows = (index.slot_item[1:] == index.slot_item[:-1]) & (latest > index.of_slots(index.start)[1:])
    late = np.flatnonzero(follows)
    if len(late):
        slot = int(late[0])
        one = slot - int(np.argmax(index.slot_end[: slot + 1][::-1] == latest[slot]))
        return found(index.slot_access[one], index.slot_access[slot + 1])
    return _late_change(reading)


def _late_change(reading: Reading) -> Found | None:
    value, source, rows = seen_changes(reading, reading.index.end)
    readers = reading.index.readers
    at = np.flatnonzero(value > reading.index.start[readers.txn[rows]])
    return found(source[at[0]], readers.access[rows[at[0]]]) if len(at) else None


def seen_changes(reading: Reading, of: Ints) -> tuple[Ints, Ints, Ints]:
    """For each row of a reader the greatest value `of` (T,) of another transaction that it depends on by pwr, the
    change (an access), and the place of the reader; -1 where there is none."""
    index, readers, status = reading.index, reading.index.readers, reading.status
    rows = where(readers.row > 0)
    changes = status.changes
    slot = ints(changes % status.size)
    key = np.concatenate([changes, wide(readers.predicate[rows]) * status.size + readers.slot[rows]])
    # In the order of slots per predicate, at one slot the change before the rows that saw it.
    order = ordered(key)
    group = np.concatenate(
        [
            wide(changes // status.size) * index.items + index.slot_item[slot],
            wide(readers.predicate[rows]) * index.items + readers.item[rows],
        ]
    )
    count, group = dense(group)
    txn = np.concatenate([index.slot_txn[slot], readers.txn[rows]])
    source = np.concatenate([index.slot_access[slot], full(len(rows), -1)])
    best, access = latest_other(group[order], txn[order], of[txn][order], source[order], count)
    out, at = np.empty_like(best), np.empty_like(access)
    out[order], at[order] = best, access
    return out[len(changes) :], at[len(changes) :], rows
