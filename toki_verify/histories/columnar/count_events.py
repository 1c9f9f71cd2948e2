"""How many accesses and pairs show P0, the broad event patterns, and P4, A5A, A5B as they are printed.

The conditions are those of `events.py` and `reads.py`. Of the patterns of two transactions every write of an item is
looked at that comes while somebody who read the item goes on, up to a cap.
"""

from __future__ import annotations

import numpy as np

from ..trace import M
from .arrays import Bools, Ints, find, full, ints, span, wide
from .events import _last, _writes_behind, matched_rows, overwritten
from .index import Sequence
from .instances import Instances, best, counts, each, enough, first_ways, over, stacked
from .loops import latest_other
from .reading import Reading


def _open(reading: Reading, of: Sequence, source: Bools, asks: Bools) -> tuple[Ints, Ints]:
    """The askers before which a source of their group, of another transaction, had not ended; and of these sources
    the one whose transaction ends last."""
    if not len(of.place):
        return full(0, 0), full(0, 0)
    end, access = latest_other(of.group, of.txn, reading.index.end[of.txn], np.where(source, of.place, -1), of.groups)
    at = np.flatnonzero(asks & (end > of.event))
    return access[at], of.place[at]


@counts("P0", "writes of items that another transaction had written and not yet released")
def p0(reading: Reading, limit: int) -> Instances:
    """Accesses b with an a in `((write >> earlier >> write) - same_txn) - ended_before`."""
    of = reading.index.writes_by_item
    return each(reading, *_open(reading, of, of.write, of.write))


@counts("P1[broad]", "reads of items that another transaction had written and not yet released")
def p1_broad(reading: Reading, limit: int) -> Instances:
    """Accesses b with an a in `((write >> earlier >> item_read) - same_txn) - ended_before`."""
    of = reading.index.by_item
    return each(reading, *_open(reading, of, of.write, ~of.write))


@counts("P2[broad]", "writes of items that another transaction had read and not yet released")
def p2_broad(reading: Reading, limit: int) -> Instances:
    """Accesses b with an a in `((item_read >> earlier >> write) - same_txn) - ended_before`."""
    of = reading.index.by_item
    return each(reading, *_open(reading, of, ~of.write, of.write))


@counts("P3[broad]", "writes of rows in predicates that another transaction had read and not yet released")
def p3_broad(reading: Reading, limit: int) -> Instances:
    """Accesses b with an a in the formula of P3[broad]: a row that was listed, or a match of what was read."""
    index = reading.index
    listed = np.asarray(index.kind[index.by_item.place] == M)
    of = reading.once(matched_rows)
    parts = (
        _open(reading, index.by_item, listed, index.by_item.write),
        _open(reading, of, ~of.write, of.write),
    )
    row, write = (np.concatenate(both) for both in zip(*parts, strict=True))
    return best(reading, write, row, write)


@counts("P4[event]", "pairs of a transaction and an item that it read and wrote, and another wrote in between")
def p4_event(reading: Reading, limit: int) -> Instances:
    """Pairs (T, x) for which the formula of P4[event] relates accesses of x by T.

    Shown by T's first read of x, the first write of another behind it, and the first own write behind that one.
    """
    index, width = reading.index, reading.trace.events + 1
    writes, upto = index.writes_by_item, wide(reading.once(_writes_behind))
    pairs = np.flatnonzero((index.pair_first_read >= 0) & (index.pair_last_write > index.pair_first_read))
    read, last = index.pair_first_read[pairs], index.pair_last_write[pairs]
    kept = index.committed[index.txn[read]]
    pairs, read, last = pairs[kept], read[kept], last[kept]
    if not len(pairs):
        return each(reading, read, read, read)
    # Behind the read the first write, or behind the run of own writes that begins there.
    own = wide(writes.txn) * index.items + writes.group
    ends = np.append(np.flatnonzero(own[1:] != own[:-1]), len(own) - 1) + 1
    at = upto[read]
    at = np.where(writes.txn[at] == index.txn[read], ends[np.searchsorted(ends, at, side="right")], at)
    shown = at < upto[last]
    pairs, read, other = pairs[shown], read[shown], writes.place[at[shown]]
    # Own writes by pair, in the order of events.
    own_writes = index.writes[np.argsort(index.pair[index.writes], kind="stable")]
    keys = wide(index.pair[own_writes]) * width + index.event[own_writes]
    again = own_writes[np.searchsorted(keys, wide(pairs) * width + index.event[other])]
    return each(reading, read, other, again)


@counts("A5A[event]", "pairs of a transaction and one that wrote two items between its reads of these")
def a5a_event(reading: Reading, limit: int) -> Instances:
    """Pairs (T, U) of the formula of A5A[event]: T reads x, U writes x, then y, and commits, T reads y."""
    index, width = reading.index, reading.trace.events + 1
    reads = ints(np.flatnonzero(index.item_read))
    by_pair = reads[np.argsort(index.pair[reads], kind="stable")]
    again_keys = wide(index.pair[by_pair]) * width + index.event[by_pair]
    own, last_write = index.written
    found, looked = list[tuple[Ints, ...]](), 0
    for read, write in overwritten(reading, _last(reading, reads)):
        kept = index.committed[index.txn[write]]
        read, write = read[kept], write[kept]
        one, other = index.txn[read], index.txn[write]
        pair, at = span(own, other, index.items)
        looked += len(read) + len(pair)
        later, item = last_write[at], own[at] % index.items
        place, there = find(index.pair_keys, wide(one[pair]) * index.items + item)
        wanted = there & (item != index.item[read[pair]]) & (index.event[later] > index.event[write[pair]])
        pair, later, place = pair[wanted], later[wanted], place[wanted]
        # T's first read of y behind U's commit.
        at = np.searchsorted(again_keys, wide(place) * width + index.end[other[pair]], side="right")
        at_most = np.minimum(at, len(by_pair) - 1)
        wanted = (at < len(by_pair)) & (index.pair[by_pair[at_most]] == place)
        ends = (read[pair[wanted]], write[pair[wanted]], later[wanted], by_pair[at_most[wanted]])
        found.append(first_ways(reading, wide(index.txn[ends[0]]) * index.txns + index.txn[ends[1]], *ends))
        if enough(found, looked):
            break
    key, *columns = stacked(found, 5)
    return best(reading, key, *columns, exact=not over(looked))


@counts("A5B[event]", "pairs of transactions that each read an item before the other wrote it")
def a5b_event(reading: Reading, limit: int) -> Instances:
    """Pairs {T, U} of the formula of A5B[event]: both commit, T reads x before U writes it, U y before T does."""
    index, width = reading.index, reading.trace.events + 1
    keys, first_read = index.first_reads
    own = index.written[0]
    by_pair = index.writes[np.argsort(index.pair[index.writes], kind="stable")]
    write_keys = wide(index.pair[by_pair]) * width + index.event[by_pair]
    found, looked = list[tuple[Ints, ...]](), 0
    for read, write in overwritten(reading, _last(reading, index.writes)):
        kept = index.committed[index.txn[read]] & index.committed[index.txn[write]]
        read, write = read[kept], write[kept]
        one, other = index.txn[read], index.txn[write]
        pair, at = span(own, one, index.items)
        looked += len(read) + len(pair)
        item = own[at] % index.items
        place, there = find(keys, wide(other[pair]) * index.items + item)
        wanted = there & (item != index.item[read[pair]])
        pair, back, place = pair[wanted], own[at[wanted]], place[wanted]
        # T's first write of y behind U's first read of y.
        seen, number = first_read[place], find(index.pair_keys, back)[0]
        at = np.searchsorted(write_keys, wide(number) * width + index.event[seen], side="right")
        at_most = np.minimum(at, len(by_pair) - 1)
        wanted = (at < len(by_pair)) & (index.pair[by_pair[at_most]] == number)
        ends = (read[pair[wanted]], write[pair[wanted]], seen[wanted], by_pair[at_most[wanted]])
        one, other = wide(index.txn[ends[0]]), wide(index.txn[ends[1]])
        found.append(first_ways(reading, np.minimum(wide(one), other) * index.txns + np.maximum(one, other), *ends))
        if enough(found, looked):
            break
    key, *columns = stacked(found, 5)
    return best(reading, key, *columns, exact=not over(looked))
