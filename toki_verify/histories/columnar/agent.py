"""The anomalies of agent memories: N1, N1[observed], N2[lifted], N2[printed], the callback boundary."""

from __future__ import annotations

import numpy as np

from ..trace import J, K
from .arrays import NEVER, Bools, Ints, distinct, find, groups, ints, numbers, ordered, span, suffix_min, where, wide
from .found import Found, found
from .missed import Missed, concurrent
from .reading import UNDECIDED, Reading, decides


def _votes(reading: Reading, calls: Ints) -> Found | None:
    """Two calls at one key with different known votes."""
    key, vote = ints(reading.trace.key)[calls], ints(reading.trace.vote)[calls]
    calls, key, vote = calls[vote >= 0], key[vote >= 0], vote[vote >= 0]
    order, first, _ = groups(key)
    leads = np.repeat(vote[order[first]], np.diff(np.append(first, len(order)))) if len(order) else vote
    at = np.flatnonzero(vote[order] != leads)
    if not len(at):
        return None
    lead = first[np.searchsorted(first, at[0], side="right") - 1]
    return found(calls[order[lead]], calls[order[at[0]]])


def _open_votes(reading: Reading, calls: Ints) -> bool:
    """Whether a key recurs and one of its calls has no known vote."""
    key, vote = ints(reading.trace.key)[calls], ints(reading.trace.vote)[calls]
    count = np.bincount(key)
    return bool(((count[key] > 1) & (vote < 0)).any())


def _calls(reading: Reading, committed: bool) -> Ints:
    index = reading.index
    calls = index.kind == J
    return where(calls & index.committed[index.txn] if committed else calls)


@decides("N1")
def n1(reading: Reading) -> Found | None:
    """Two committed judge calls at one key with different votes."""
    return _votes(reading, _calls(reading, True))


@decides("N1[observed]")
def n1_observed(reading: Reading) -> Found | None:
    """As N1, whoever committed."""
    return _votes(reading, _calls(reading, False))


UNDECIDED["N1"] = lambda reading: _open_votes(reading, _calls(reading, True))
UNDECIDED["N1[observed]"] = lambda reading: _open_votes(reading, _calls(reading, False))


@decides("CB")
def cb(reading: Reading) -> Found | None:
    """A write by await without a read of its item and then a callback before it: the last callback before the write
    stands behind the transaction's first read of the item, if any does."""
    index = reading.index
    awaits = index.writes[reading.trace.by_await[index.version[index.writes]]]
    calls = where(index.kind == K)
    order = calls[ordered(index.txn[calls])]
    width = reading.trace.events + 1
    keys = wide(index.txn[order]) * width + index.event[order]
    at = np.searchsorted(keys, wide(index.txn[awaits]) * width + index.event[awaits]) - 1
    read = index.pair_first_read[index.pair[awaits]]
    if len(order):
        call = order[np.maximum(at, 0)]
        kept = (at >= 0) & (index.txn[call] == index.txn[awaits])
        kept &= (read >= 0) & (index.event[np.maximum(read, 0)] < index.event[call])
    else:
        kept = np.zeros(len(awaits), bool)
    missing = awaits[~kept]
    return found(missing[0]) if len(missing) else None


# -- N2[lifted] --------------------------------------------------------------------------------------------------------
def _partition_finals(reading: Reading) -> tuple[Ints, Ints]:
    """Keys (transaction, partition), sorted, and the last write (a place) of each, of committed transactions."""
    index = reading.index
    partition = ints(reading.trace.partition)[index.item[index.writes]]
    kept = (partition >= 0) & index.committed[index.txn[index.writes]]
    places, partition = index.writes[kept], partition[kept]
    order, first, keys = groups(wide(index.txn[places]) * _width(reading) + partition)
    last = np.append(first[1:], len(order)) - 1 if len(first) else first
    return keys, places[order[last]]


def _width(reading: Reading) -> int:
    return max(len(reading.trace.partitions), 1)


@decides("N2[lifted]")
def n2_lifted(reading: Reading) -> Found | None:
    """Two transactions each wrote a partition after a state of it that the other had read.

    A read (R, M, N) misses the last write of a partition by a transaction iff that stands behind the read, or is or
    stands behind a version of the row later than the one read. So each read has a bound, an event, and misses what
    stands there or later. A read whose own transaction's write is the latest that it saw makes no edge. Per transaction
    and partition the least bound b counts, and the last write f: T and U are found iff f(U) ≥ b(T) and f(T) ≥ b(U).
    """
    index, partitions = reading.index, ints(reading.trace.partition)
    seen = index.seen
    seen = seen[index.committed[index.txn[seen]] & (partitions[index.item[seen]] >= 0)]
    finals, final_access = _partition_finals(reading)
    if not len(seen) or not len(finals):
        return None
    bound = _bounds(reading, seen)
    partition, txn = partitions[index.item[seen]], index.txn[seen]
    final_event = index.event[final_access]
    of_partition = ints(finals % _width(reading))
    width = reading.trace.events + 2
    by_event = np.sort(wide(of_partition) * width + final_event)
    # The last write of the partition before the bound: the own one?
    at, there = find(finals, wide(txn) * _width(reading) + partition)
    own = np.where(there, final_event[np.minimum(at, len(finals) - 1)], -1)
    lift = wide(partition) * width
    latest = by_event[np.searchsorted(by_event, lift + bound) - 1] - lift
    kept = (own < 0) | (own >= bound) | (latest != own)
    seen, bound, partition, txn = seen[kept], bound[kept], partition[kept], txn[kept]
    if not len(seen):
        return None
    order = np.argsort(bound, kind="stable")
    sort, first, keys = groups((wide(txn) * _width(reading) + partition)[order])
    reads = order[sort][first]
    # Transactions that read and wrote a partition: bound b, last write f.
    at, there = find(finals, keys)
    at = np.minimum(at, len(finals) - 1)[there]
    shown = _crossing(of_partition[at], bound[reads[there]], final_event[at], seen[reads[there]], final_access[at])
    if shown is None:
        return None
    # What the bounds of the two reads hang on: later versions of their rows, and writes that they saw beside their own.
    both = ints([shown[0], shown[2]])
    limits = _bounds(reading, both)
    at = np.searchsorted(by_event, wide(partitions[index.item[both]]) * width + limits) - 1
    events = np.concatenate([limits, by_event[np.maximum(at, 0)] % width])
    return found(*shown, *index.writes[np.isin(index.event[index.writes], events)])


def _bounds(reading: Reading, seen: Ints) -> Ints:
    """The first event at which a write of the partition is missed by each read."""
    index = reading.index
    least = suffix_min(index.slot_event, index.slot_item)
    slot = index.slot_of[index.version[seen]]
    behind = np.minimum(slot + 1, max(index.slots - 1, 0))
    later = (slot >= 0) & (slot + 1 < index.item_slots[index.item[seen] + 1])
    return np.minimum(index.event[seen] + 1, np.where(later, least[behind], NEVER))


def _crossing(partition: Ints, bound: Ints, last: Ints, read: Ints, write: Ints) -> tuple[int, ...] | None:
    """Two of one partition with last ≥ the other's bound both ways.

    Sorted by last write, of a pair the one with the later write f has b ≤ f of the other. Candidates for it are those
    from its bound up to itself; of them the one with the least bound decides (a table of least bounds of runs of 2^k).
    """
    order = np.lexsort((last, partition))
    partition, bound, last, read, write = partition[order], bound[order], last[order], read[order], write[order]
    width = NEVER
    keys = wide(partition) * width + last
    first = np.searchsorted(keys, wide(partition) * width + bound)
    here = numbers(len(keys))
    length = here - first
    chosen = ints(np.where(length > 0, first, here))
    power, table = 1, here.copy()  # table: the place of the least bound of the run of `power` that begins here
    while power <= len(keys):
        fits = (length >= power) & (length < 2 * power)
        at = np.flatnonzero(fits)
        one, other = table[first[at]], table[here[at] - power]
        chosen[at] = np.where(bound[one] <= bound[other], one, other)
        if 2 * power > len(keys):
            break
        left, right = table[:-power], table[power:]
        table = np.where(bound[left] <= bound[right], left, right)
        power *= 2
    hit = np.flatnonzero((length > 0) & (bound[chosen] <= last))
    if not len(hit):
        return None
    late, early = int(hit[0]), int(chosen[hit[0]])
    return int(read[late]), int(write[early]), int(read[early]), int(write[late])


# -- N2[printed] -------------------------------------------------------------------------------------------------------
@decides("N2[printed]")
def n2_printed(reading: Reading) -> Found | None:
    """T -anti→ U in a partition, T and U overlap, both read a row of it, T writes outside it, no item is written by
    both. The overlapping anti-dependencies one by one, and for each what U read and wrote."""
    index, partitions = reading.index, ints(reading.trace.partition)
    if not (partitions >= 0).any():
        return None
    key = index.pair_keys[distinct(index.pair[index.seen])]
    written, last_write = index.written
    outside = _Outside(reading, written)
    for piece in concurrent(reading):
        partition = partitions[index.slot_item[piece.slot]]
        one, other = index.readers.txn[piece.reader], index.slot_txn[piece.slot]
        piece = piece.only(
            (partition >= 0) & outside.write(one, partition) & ~_shares(written, one, other, index.items)
        )
        shown = _common_row(reading, key, piece)
        if shown is not None:
            at, row_reads = shown
            read = index.readers.access[piece.reader[at]]
            txn = int(index.txn[read])
            mine = last_write[
                np.searchsorted(written, txn * index.items) : np.searchsorted(written, (txn + 1) * index.items)
            ]
            away = mine[partitions[index.item[mine]] != partitions[index.item[read]]]
            return found(read, index.slot_access[piece.slot[at]], away[0], *row_reads)
    return None


class _Outside:
    """Whether transactions write an item that is not in a partition."""

    def __init__(self, reading: Reading, written: Ints) -> None:
        index, partitions = reading.index, ints(reading.trace.partition)
        self.width = _width(reading) + 1
        txn, partition = written // max(index.items, 1), partitions[written % max(index.items, 1)]
        self.keys, self.count = np.unique(wide(txn) * self.width + partition + 1, return_counts=True)
        self.total = np.bincount(txn, minlength=index.txns)

    def write(self, txn: Ints, partition: Ints) -> Bools:
        at, there = find(self.keys, wide(txn) * self.width + partition + 1)
        inside = np.where(there, self.count[np.minimum(at, max(len(self.count) - 1, 0))], 0) if len(self.count) else 0
        return np.asarray(self.total[txn] > inside)


def _shares(keys: Ints, one: Ints, other: Ints, items: int) -> Bools:
    """Whether two transactions have an item in common, of keys (transaction, item), sorted."""
    pair, at = span(keys, other, items)
    out = np.zeros(len(one), bool)
    out[pair[find(keys, wide(one[pair]) * items + keys[at] % items)[1]]] = True
    return out


def _common_row(reading: Reading, keys: Ints, piece: Missed) -> tuple[int, tuple[int, int]] | None:
    """The first anti-dependency whose two transactions read a common row of the partition, and those two reads."""
    index, partitions = reading.index, ints(reading.trace.partition)
    one, other = index.readers.txn[piece.reader], index.slot_txn[piece.slot]
    pair, at = span(keys, other, index.items)
    item = ints(keys[at] % max(index.items, 1))
    shown = (partitions[item] == partitions[index.slot_item[piece.slot[pair]]]) & find(
        keys, wide(one[pair]) * index.items + item
    )[1]
    hit = np.flatnonzero(shown)
    if not len(hit):
        return None
    chosen = hit[0]
    of_item = index.seen[index.item[index.seen] == item[chosen]]
    mine = of_item[index.txn[of_item] == one[pair[chosen]]]
    theirs = of_item[index.txn[of_item] == other[pair[chosen]]]
    return int(pair[chosen]), (int(mine[0]), int(theirs[0]))
