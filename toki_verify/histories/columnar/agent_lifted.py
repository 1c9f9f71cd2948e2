"""All pairs of transactions with N2[lifted], counted without listing them.

Per partition a transaction that read and wrote it has a bound b, from which on it misses last writes, and a last write
f (`agent.n2_lifted`). T and U are a pair iff f(U) ≥ b(T) and f(T) ≥ b(U). Sorted by f, those that T misses are a range;
how many of these have a bound of at most f(T) a wavelet matrix says (Claude, Navarro & Ordóñez 2015): n log n, however
many pairs there are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import agent
from .agent_skews import Pairs, no_pairs
from .arrays import Ints, find, full, groups, ints, starts, unfold, wide
from .reading import Reading


class _Reads(NamedTuple):
    """Reads that miss last writes, by (transaction, partition) and in order: access, key, the event from which on."""

    access: Ints
    key: Ints
    bound: Ints


class _Members(NamedTuple):
    """Transactions that read and wrote a partition, by partition and last write."""

    partition: Ints
    txn: Ints
    bound: Ints
    last: Ints
    write: Ints


def crossings(reading: Reading) -> Pairs:
    """Two transactions each of which wrote a partition after a state of it that the other had read."""
    count = len(reading.trace.partitions)
    reads, members = _members(reading)
    partition, bound, last = members.partition, members.bound, members.last
    if not len(last):
        return no_pairs(count)
    lift = wide(partition) * (reading.trace.events + 2)
    writes, bounds = lift + last, np.sort(lift + bound)
    begin = ints(np.searchsorted(writes, lift + bound))
    end = ints(np.searchsorted(partition, partition, side="right"))
    rank, limit = ints(np.searchsorted(bounds, lift + bound)), ints(np.searchsorted(bounds, writes, side="right"))
    # It is among those that it misses itself, where its last write is not before its bound.
    degree = count_below(rank, begin, end, limit) - (bound <= last)
    pairs = np.zeros(count, np.int64)
    np.add.at(pairs, partition, degree)
    here = np.arange(len(last))
    closing = np.flatnonzero(count_below(rank, np.minimum(begin, here), here, limit) > 0)
    closing = closing[starts(partition[closing])]
    # Of those with which the first closing write makes a pair the one with the first write.
    which, at = unfold(begin[closing], ints(closing))
    shown = bound[at] <= last[closing[which]]
    before = at[shown][starts(which[shown])]
    return Pairs(
        pairs // 2,
        wide(np.bincount(partition[degree > 0], minlength=count)),
        partition[closing],
        _accesses(reading, reads, members, ints(closing), before),
    )


def count_below(values: Ints, first: Ints, last: Ints, limit: Ints) -> Ints:
    """For queries k how many of `values[first[k]:last[k]]` are below `limit[k]`; values and limits from 0 to their
    number. At each bit, from the highest, zeros come before ones, and the ranges follow."""
    out = np.zeros(len(first), np.int64)
    for bit in range(len(values).bit_length() - 1, -1, -1):
        one = (values >> bit & 1).astype(bool)
        zeros = np.concatenate([[0], np.cumsum(~one)])
        upper = (limit >> bit & 1).astype(bool)
        low, high = zeros[first], zeros[last]
        out += np.where(upper, high - low, 0)
        first = np.where(upper, zeros[-1] + first - low, low)
        last = np.where(upper, zeros[-1] + last - high, high)
        values = np.concatenate([values[~one], values[one]])
    return out


def _members(reading: Reading) -> tuple[_Reads, _Members]:
    """The reads that make edges, and the transactions that both read and wrote."""
    index, partitions, width = reading.index, ints(reading.trace.partition), len(reading.trace.partitions)
    seen = index.seen
    seen = seen[index.committed[index.txn[seen]] & (partitions[index.item[seen]] >= 0)]
    finals, write = agent._partition_finals(reading)
    if not len(seen) or not len(finals):
        none = full(0, 0)
        return _Reads(none, none, none), _Members(none, none, none, none, none)
    last = index.event[write]
    key = wide(index.txn[seen]) * width + partitions[index.item[seen]]
    seen, key, bound, at = _missing(reading, seen, key, finals, last)
    order, first, _ = groups(key)
    seen, key, bound = seen[order], key[order], bound[order]
    reads = _Reads(seen, key, bound)
    if not len(seen):
        none = full(0, 0)
        return reads, _Members(none, none, none, none, none)
    least = np.minimum.reduceat(bound, first)
    at = at[order[first]]
    there = np.flatnonzero(at >= 0)
    keys, least, at = key[first][there], least[there], at[there]
    of = ints(keys % width)
    by_write = np.lexsort((last[at], of))
    of, at = of[by_write], at[by_write]
    return reads, _Members(of, ints(keys[by_write] // width), least[by_write], last[at], write[at])


def _missing(reading: Reading, seen: Ints, key: Ints, finals: Ints, last: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """The reads that may miss a write: not those to which their own transaction's last write is the latest. With key,
    bound, and the place in `finals` of that write (-1: it wrote none)."""
    bound = agent._bounds(reading, seen)
    width, events = len(reading.trace.partitions), reading.trace.events + 2
    lift = wide(key % width) * events
    by_event = np.sort(wide(finals % width) * events + last)
    at, there = find(finals, key)
    at = np.where(there, at, -1)
    own = np.where(there, last[at], -1)
    latest = by_event[np.searchsorted(by_event, lift + bound) - 1] - lift
    kept = (own < 0) | (own >= bound) | (latest != own)
    return seen[kept], key[kept], bound[kept], ints(at[kept])


def _accesses(reading: Reading, reads: _Reads, members: _Members, one: Ints, other: Ints) -> Ints:
    """For pairs (places of members) the first reads that missed the other's last write, and these; (n, 4)."""
    width = len(reading.trace.partitions)

    def read(mine: Ints, theirs: Ints) -> Ints:
        key = wide(members.txn[mine]) * width + members.partition[mine]
        begin, end = np.searchsorted(reads.key, key), np.searchsorted(reads.key, key, side="right")
        which, at = unfold(ints(begin), ints(end))
        missed = reads.bound[at] <= members.last[theirs[which]]
        return reads.access[at[missed][starts(which[missed])]]

    swapped = members.txn[one] > members.txn[other]
    one, other = np.where(swapped, other, one), np.where(swapped, one, other)
    return np.stack([read(one, other), members.write[other], read(other, one), members.write[one]], 1)
