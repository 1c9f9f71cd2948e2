"""The levels of the family engine (`toki_verify/levels/engine.py`): what the store of designs lets happen."""

from __future__ import annotations

import numpy as np

from ..trace import N
from .arrays import NEVER, Ints, dense, distinct, full, lower_to, prefix_max, raise_to, suffix_min, where, wide
from .events import matched_rows, unguarded
from .levels import serial
from .loops import latest_other, passes_over, standing
from .missed import concurrent
from .reading import Reading, level
from .reads import seen_changes


def in_order(reading: Reading) -> bool:
    """Final writes stand in ≪ as they were done."""
    index = reading.index
    same = index.slot_item[1:] == index.slot_item[:-1]
    return not bool((same & (index.slot_event[1:] < index.slot_event[:-1])).any())


def _foreign(reading: Reading) -> Ints:
    """All that saw a version that is not its transaction's own (R, M, N), initial versions included."""
    index = reading.index
    foreign: Ints = index.seen[index.version_txn[index.version[index.seen]] != index.txn[index.seen]]
    return foreign


# -- RU ----------------------------------------------------------------------------------------------------------------
@level("engine:RU")
def engine_ru(reading: Reading) -> bool:
    """A read sees the latest write that has not been taken back by then."""
    index = reading.index
    places = reading.once(_foreign)
    writer = index.version_txn[index.version[places]]
    gone = (writer >= 0) & index.aborted[writer] & (index.end[writer] < index.event[places])
    return in_order(reading) and not bool(gone.any()) and not _missed_write(reading)


def _missed_write(reading: Reading) -> bool:
    """A foreign read, and behind the version that it saw a write, before the read, that had not been taken back: of
    reads any write of the item, of rows that did not match one that matches."""
    index = reading.index
    foreign = np.zeros(len(index.kind), bool)
    foreign[_foreign(reading)] = True
    taken_back = np.where(index.aborted, index.end, NEVER)
    for of in (index.by_item, reading.once(matched_rows)):
        if not len(of.place):
            continue
        latest = standing(of.group, of.event, taken_back[of.txn], np.where(of.write, of.place, -1), of.groups)
        asks = foreign[of.place]
        if passes_over(of.place[asks], latest[asks], index.event, index.version, index.version_event):
            return True
    return False


# -- RC ----------------------------------------------------------------------------------------------------------------
def _earliest_missed(reading: Reading) -> tuple[Ints, Ints]:
    """Foreign reads and rows of installed versions, and for each the earliest commit of a later version that makes a
    difference to it (to a row that did not match: one that matches); NEVER where there is none."""
    index, status = reading.index, reading.status
    places = reading.once(_foreign)
    places = places[index.slot_of[index.version[places]] >= 0]
    slot, item = index.slot_of[index.version[places]], index.item[places]
    row = index.kind[places] == N
    out = full(len(places), NEVER)
    least = suffix_min(index.slot_end, index.slot_item)
    behind = np.minimum(slot + 1, max(index.slots - 1, 0))
    later = ~row & (slot + 1 < index.item_slots[item + 1])
    out[later] = least[behind[later]]
    if row.any() and len(status.keys):
        out[row] = _earliest_match(reading, index.predicate[places[row]], item[row], slot[row])
    return places, out


@level("engine:RC")
def engine_rc(reading: Reading) -> bool:
    """A read sees the latest version committed before it."""
    if not (reading.holds("graph:RC") and in_order(reading)):
        return False
    places, missed = reading.once(_earliest_missed)
    return not bool((missed < reading.index.event[places]).any())


@level("engine:2PL")
def engine_2pl(reading: Reading) -> bool:
    """Of conflicting accesses the earlier one's transaction has ended before the later one."""
    broad = ("P1[broad]", "P2[broad]", "P3[broad]")
    return (
        reading.holds("engine:RC")
        and all(reading.present(name) is None for name in broad)
        and unguarded(reading) is None
    )


# -- SI ----------------------------------------------------------------------------------------------------------------
@level("engine:SI")
def engine_si(reading: Reading) -> bool:
    """A read sees the snapshot of its transaction's first access to a row; first updater wins.

    What follows is asked only where graph:SI and `in_order` hold. Then a transaction that has written an item does not
    see a version behind its own one, so no step has to leave out its own writes.
    """
    if not (reading.holds("graph:SI") and in_order(reading)):
        return False
    places, missed = reading.once(_earliest_missed)
    # Missed, and committed before the reader's first event: not concurrent.
    if (missed < reading.index.start[reading.index.txn[places]]).any():
        return False
    return not _too_late(reading) and not _torn(reading)


def _too_late(reading: Reading) -> bool:
    """A version that a transaction saw, or wrote over after its commit, was not committed before that transaction's
    first access to a row."""
    index = reading.index
    first = reading.touched[0]
    places = reading.once(_foreign)
    writer = index.version_txn[index.version[places]]
    read = (writer >= 0) & (index.kind[places] != N)
    late = ~index.committed[writer] | (index.end[writer] > first[index.txn[places]])
    return bool((read & late).any()) or _hidden_late(reading, first) or _overwritten_late(reading, first)


def _hidden_late(reading: Reading, first: Ints) -> bool:
    """Of rows that did not match: a slot up to the one seen, right behind one that matches, or the version itself where
    it is right behind one that matches, committed too late."""
    index, status = reading.index, reading.status
    keys = status.keys
    places = reading.once(_foreign)
    places = places[(index.kind[places] == N) & (index.slot_of[index.version[places]] >= 0)]
    if not len(places) or not len(keys):
        return False
    matching = keys % status.size
    inside = matching + 1 < index.item_slots[index.slot_item[matching] + 1]
    hides = keys[inside] + 1
    slot = hides % status.size
    segment = wide(hides // status.size) * index.items + index.slot_item[slot]
    _, numbered = dense(segment)
    latest = prefix_max(index.slot_end[slot], numbered)
    at = (
        np.searchsorted(
            hides, wide(index.predicate[places]) * status.size + index.slot_of[index.version[places]], side="right"
        )
        - 1
    )
    wanted = wide(index.predicate[places]) * index.items + index.item[places]
    if not len(hides):
        return False
    chosen = np.maximum(at, 0)
    return bool(((at >= 0) & (segment[chosen] == wanted) & (latest[chosen] > first[index.txn[places]])).any())


def _overwritten_late(reading: Reading, first: Ints) -> bool:
    """A write, and another transaction that wrote the item and committed before it and after the first access.

    Without P0 all others that wrote the item before had ended by then: the latest of their commits decides.
    """
    index = reading.index
    of = index.writes_by_item
    if not len(of.place):
        return False
    source = np.where(index.committed[of.txn], of.place, -1)
    latest, _ = latest_other(of.group, of.txn, index.end[of.txn], source, of.groups)
    return bool((latest > first[of.txn]).any())


def _torn(reading: Reading) -> bool:
    """T3 misses T1 and depends on T2, and T1 had committed before the last access of T2 to a row.

    For each T3 the earliest commit of what it misses, and the latest last access of what it depends on.
    """
    index = reading.index
    earliest = earliest_missed_commit(reading)
    last = reading.touched[1]
    latest = full(index.txns, -1)
    wr = reading.edges.wr
    raise_to(latest, wr.target, last[wr.source])
    if index.slots:
        before = prefix_max(index.of_slots(last), index.slot_item)[:-1]
        follows = np.flatnonzero((index.slot_item[1:] == index.slot_item[:-1]) & (before >= 0))
        raise_to(latest, index.slot_txn[follows + 1], before[follows])
    value, _, rows = seen_changes(reading, last)
    raise_to(latest, index.readers.txn[rows], value)
    return bool((earliest < latest).any())


def earliest_missed_commit(reading: Reading) -> Ints:
    """For each transaction the earliest commit of one that its anti-dependencies lead to, NEVER without: (T,).

    Asked where graph:SI and `in_order` hold. Left out are rows that matched: of another's version they are item reads,
    which miss all that is later; of one's own, what is later commits after oneself. A transaction's own commit may be
    among the commits (where it wrote behind what it read). Every use compares with an access before one's own commit.
    """
    index, readers, keys = reading.index, reading.index.readers, reading.status.keys
    out = full(index.txns, NEVER)
    if not index.slots:
        return out
    least = suffix_min(index.slot_end, index.slot_item)
    later = readers.rw & (readers.slot + 1 < index.item_slots[readers.item + 1])
    lower_to(out, readers.txn[later], least[readers.slot[later] + 1])
    rows = np.flatnonzero(readers.row == 2)
    if len(rows) and len(keys):
        commit = _earliest_match(reading, readers.predicate[rows], readers.item[rows], readers.slot[rows])
        lower_to(out, readers.txn[rows], commit)
    return out


def _earliest_match(reading: Reading, predicate: Ints, item: Ints, slot: Ints) -> Ints:
    """The earliest commit of the later slots that match a predicate, NEVER without; some slot must match some one."""
    index, status = reading.index, reading.status
    keys = status.keys
    matching = keys % status.size
    segment = wide(keys // status.size) * index.items + index.slot_item[matching]
    _, numbered = dense(segment)
    least = suffix_min(index.slot_end[matching], numbered)
    at = np.searchsorted(keys, wide(predicate) * status.size + slot, side="right")
    inside = np.minimum(at, len(keys) - 1)
    return np.where((at < len(keys)) & (segment[inside] == wide(predicate) * index.items + item), least[inside], NEVER)


# -- SR ----------------------------------------------------------------------------------------------------------------
@level("engine:SR")
def engine_sr(reading: Reading) -> bool:
    """SI, serializable, and no dangerous structure in which T3 commits first."""
    return reading.holds("engine:SI") and serial(reading) and not _dangerous(reading)


def _dangerous(reading: Reading) -> bool:
    """T1 -anti→ T2 -anti→ T3 where accesses tell that T3 commits first.

    Asked only where SI holds. Then T1 and T2 are concurrent: T1 missed T2, so T2 had not committed before T1 began, and
    each condition has an access of T1 or T2, or T1's commit, behind one of the other. All conditions are easiest for
    the T3 that commits first, and false where that is T1 or T2 itself.
    """
    index = reading.index
    third = earliest_missed_commit(reading)
    last = reading.touched[1]
    places = where(index.write | index.item_read | index.row)
    width = reading.trace.events + 1
    touches = np.sort(wide(index.txn[places]) * width + index.event[places])

    def last_before(txn: Ints, limit: Ints) -> Ints:
        """The last access to a row by a transaction before an event; less than 0 where there is none."""
        lift = wide(txn) * width
        at = np.searchsorted(touches, lift + limit) - 1
        return np.where(at >= 0, touches[np.maximum(at, 0)] - lift, -1)

    for piece in concurrent(reading):
        one, two = index.readers.txn[piece.reader], index.slot_txn[piece.slot]
        pairs = distinct(wide(one) * index.txns + two)
        one, two = pairs // index.txns, pairs % index.txns
        commit = third[two]
        between = (last_before(two, index.end[one]) > commit) | (last_before(one, index.end[two]) > commit)
        both = (commit < last[one]) & (commit < last[two])
        if ((between | both) & (index.is_writer[one] | (commit < index.start[one]))).any():
            return True
    return False
