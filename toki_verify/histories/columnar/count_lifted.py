"""How many pairs of transactions show N2[lifted] and N2[printed]: the variants of belief-drift skew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .agent import _bounds, _Outside, _partition_finals, _shares, _width
from .arrays import Ints, distinct, find, full, ints, span, wide
from .compiled import compiled
from .instances import Instances, best, counts, each, enough, over, stacked, timed
from .missed import concurrent
from .reading import Reading


@counts("N2[lifted]", "pairs of transactions in a partition that each wrote it behind what the other had read")
def n2_lifted(reading: Reading, limit: int) -> Instances:
    """Triples ({T, U}, partition) for which N2[lifted] relates accesses of T, U and the partition.

    Each has a read with the least bound b (the first such by event) and a last write f, two are a pair iff f ≥ b of the
    other, both ways (`agent.n2_lifted`). All pairs are counted; made are the first ones by time. The time of a pair
    is that of these four accesses.
    """
    index, partitions = reading.index, ints(reading.trace.partition)
    seen = index.seen
    seen = seen[index.committed[index.txn[seen]] & (partitions[index.item[seen]] >= 0)]
    finals, final_access = _partition_finals(reading)
    if not len(seen) or not len(finals):
        return each(reading, full(0, 0), full(0, 0), full(0, 0), full(0, 0))
    bound, partition, txn = wide(_bounds(reading, seen)), partitions[index.item[seen]], index.txn[seen]
    final_event, of_partition = wide(index.event[final_access]), wide(finals % _width(reading))
    width = reading.trace.events + 2
    by_event = np.sort(wide(of_partition) * width + final_event)
    at, there = find(finals, wide(txn) * _width(reading) + partition)
    own = np.where(there, final_event[np.minimum(at, len(finals) - 1)], -1)
    # A read whose own transaction's write is the latest that it saw misses nothing.
    lift = wide(partition) * width
    kept = (own < 0) | (own >= bound) | (by_event[np.searchsorted(by_event, lift + bound) - 1] - lift != own)
    kept &= there  # who did not write it is in no pair
    seen, bound, at = seen[kept], bound[kept], at[kept]
    order = np.lexsort((index.event[seen], bound, at))
    first = order[np.concatenate([[True], at[order][1:] != at[order][:-1]])] if len(order) else order
    read, bound, at = seen[first], bound[first], at[first]
    write, group = final_access[at], of_partition[at]
    table, time, place = timed(reading, read, write)
    order = np.lexsort((place, time))
    group, bound, final = (wide(values)[order] for values in (group, bound, index.event[write]))
    one, other = first_pairs(group, bound, final, _width(reading), max(limit, 1))
    columns = table[order][one], table[order][other]
    table, time, place = timed(reading, *columns[0].T, *columns[1].T)

    def more(i: int) -> tuple[int, ...]:
        # What the bounds hang on: later versions of the rows, and the writes that the reads saw beside their own.
        both = ints(table[i, [0, 2]])
        limits = wide(_bounds(reading, both))
        near = np.searchsorted(by_event, wide(partitions[index.item[both]]) * width + limits) - 1
        events = np.concatenate([limits, by_event[np.maximum(near, 0)] % width])
        return tuple(int(w) for w in index.writes[np.isin(index.event[index.writes], events)])

    return Instances(table, time, place, _number_of_pairs(group, bound, final), more=more)


def _number_of_pairs(group: Ints, bound: Ints, last: Ints) -> int:
    """How many pairs of one group have last ≥ the other's bound, both ways.

    Sorted by bound, an element j has as partners before it those i with b(i) ≤ f(j), a beginning of the group, and
    f(i) ≥ b(j): they are counted by a tree over the places of f.
    """
    order = np.lexsort((bound, group))
    group, bound, last = group[order], bound[order], last[order]
    span = int(max(bound.max(initial=0), last.max(initial=0))) + 2
    by_bound, by_last = wide(group) * span + bound, np.sort(wide(group) * span + last)
    upto = np.minimum(np.searchsorted(by_bound, wide(group) * span + last, side="right"), np.arange(len(group)))
    rank = np.searchsorted(by_last, wide(group) * span + last)
    below = np.searchsorted(by_last, by_bound)
    queries = np.argsort(upto, kind="stable")
    return int(count_at_least(wide(rank), wide(upto[queries]), wide(below[queries])))


@compiled
def count_at_least(rank: Ints, upto: Ints, below: Ints) -> int:
    """The sum over queries k (`upto` ascends) of how many of `rank[: upto[k]]` are at least `below[k]`."""
    size = len(rank)
    tree = np.zeros(size + 1, np.int64)
    total, done = 0, 0
    for k in range(len(upto)):
        while done < upto[k]:
            at = rank[done] + 1
            while at <= size:
                tree[at] += 1
                at += at & -at
            done += 1
        total += done
        at = below[k]
        while at > 0:
            total -= tree[at]
            at -= at & -at
    return total


@compiled
def first_pairs(group: Ints, bound: Ints, last: Ints, groups: int, limit: int) -> tuple[Ints, Ints]:
    """Pairs of one group with last ≥ the other's bound, both ways, by the place of the later one: at least `limit` of
    them where there are as many, and all of one place.

    From each one back to where all earlier ones of its group have a last before its bound: those that are open beside
    it, mostly.
    """
    size = len(group)
    newest = np.full(groups, -1, np.int64)
    link = np.full(size, -1, np.int64)
    most = np.full(size, -1, np.int64)  # the greatest last of the group up to here
    one, other = [np.int64(0)], [np.int64(0)]
    one.pop()
    other.pop()
    for late in range(size):
        early = newest[group[late]]
        link[late], most[late] = early, last[late]
        if early >= 0:
            most[late] = max(most[late], most[early])
        newest[group[late]] = late
        while early >= 0 and most[early] >= bound[late]:
            if last[early] >= bound[late] and last[late] >= bound[early]:
                one.append(np.int64(late))
                other.append(np.int64(early))
            early = link[early]
        if len(one) >= limit:
            break
    return np.array(one), np.array(other)


@counts("N2[printed]", "pairs of a transaction and one that revised a row of a partition from which it derived a value")
def n2_printed(reading: Reading, limit: int) -> Instances:
    """Pairs (T, U) for which N2[printed] relates a read of T and a write of U: these two are the instance's own."""
    index, partitions = reading.index, ints(reading.trace.partition)
    keys = index.pair_keys[distinct(index.pair[index.seen])]
    written, last_write = index.written
    outside, found, looked = _Outside(reading, written), list[tuple[Ints, ...]](), 0
    for piece in concurrent(reading):
        partition = partitions[index.slot_item[piece.slot]]
        one, other = index.readers.txn[piece.reader], index.slot_txn[piece.slot]
        apart = (partition >= 0) & outside.write(one, partition) & ~_shares(written, one, other, index.items)
        looked += len(piece)
        piece = piece.only(apart)
        one, other, partition = one[apart], other[apart], partition[apart]
        # Both read a row of the partition.
        pair, at = span(keys, other, index.items)
        item = keys[at] % max(index.items, 1)
        common = (partitions[item] == partition[pair]) & find(keys, wide(one[pair]) * index.items + item)[1]
        kept = distinct(pair[common])
        looked += len(pair)
        found.append((index.readers.access[piece.reader[kept]], index.slot_access[piece.slot[kept]]))
        if enough(found, looked):
            break
    read, write = stacked(found, 2)
    key = wide(index.txn[read]) * index.txns + index.txn[write]
    instances = best(reading, key, read, write, exact=not over(looked))

    def more(i: int) -> tuple[int, ...]:
        # A write of T outside the partition, and the reads of a row of it by both.
        one, other = (int(txn) for txn in index.txn[instances.accesses[i]])
        partition = partitions[index.item[instances.accesses[i, 0]]]
        mine = last_write[span(written, ints([one]), index.items)[1]]
        seen = index.seen[partitions[index.item[index.seen]] == partition]
        both = [{int(index.item[a]): int(a) for a in seen[index.txn[seen] == txn][::-1]} for txn in (one, other)]
        item = min(set(both[0]) & set(both[1]))
        return int(mine[partitions[index.item[mine]] != partition][0]), both[0][item], both[1][item]

    return replace(instances, more=more)
