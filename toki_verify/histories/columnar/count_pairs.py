"""How many pairs of transactions show A5A, OTV, A5B, P3[skew], N2 and causality violations.

As in `stale.py`: of each of these one anti-dependency is among the backward ones, of which that module keeps the pairs
(reader, writer). What the one read and the other overwrote is unfolded for pairs that can close a cycle (`between`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from .arrays import Bools, Ints, distinct, find, groups, unfold, wide
from .count_reach import reached
from .cycles import ends_of
from .instances import PIECE, Instances, best, counts, enough, first_ways, over, stacked
from .missed import PRW, RW, Missed, between
from .observed import happens_before
from .reading import Reading
from .stale import stale


def _keys(reading: Reading) -> Ints:
    """The backward pairs as keys `reader * transactions + writer`, ascending."""
    reader, writer = stale(reading).backward_pairs
    return wide(reader) * reading.index.txns + writer


def _ends(reading: Reading, missed: Missed) -> tuple[Ints, Ints]:
    """The reads and the writes of anti-dependencies."""
    return reading.index.readers.access[missed.reader], reading.index.slot_access[missed.slot]


def _observed(reading: Reading, earlier: bool) -> Instances:
    """Pairs (T, U): T missed U's version of one item and read a version of U of another; `earlier`: before that."""
    index, wr = reading.index, reading.edges.wr
    keys, found, looked = _keys(reading), list[tuple[Ints, ...]](), 0
    seen = wide(wr.target) * index.txns + wr.source
    closing = np.flatnonzero(find(keys, seen)[1])
    order, first, pairs = groups(seen[closing])
    closing = closing[order]
    last = np.append(first[1:], len(closing))
    for begin in range(0, len(pairs), PIECE >> 5):
        part = slice(begin, begin + (PIECE >> 5))
        pair, missed = between(reading, pairs[part] // index.txns, pairs[part] % index.txns)
        kept = (missed.kinds & RW) > 0
        pair, (read, write) = pair[kept], _ends(reading, missed.only(kept))
        which, at = unfold(first[part][pair], last[part][pair])
        looked += len(missed) + len(which)
        read, write, edge = read[which], write[which], closing[at]
        source, target = wr.source_access[edge], wr.target_access[edge]
        shown = index.item[target] != index.item[read]
        if earlier:
            shown &= index.event[target] < index.event[read]
        found.append(first_ways(reading, seen[edge[shown]], read[shown], write[shown], source[shown], target[shown]))
        if enough(found, looked):
            break
    key, *columns = stacked(found, 5)
    return best(reading, key, *columns, exact=not over(looked))


@counts("A5A", "pairs of a transaction and one that it saw on one item and missed on another")
def a5a(reading: Reading, limit: int) -> Instances:
    """Pairs (T, U) that `(rw >> (same_txn - same_item) >> wr) & same_txn` relates."""
    return _observed(reading, False)


@counts("OTV", "pairs of a transaction and one that it saw on one item and after that missed on another")
def otv(reading: Reading, limit: int) -> Instances:
    """Pairs (T, U) that `(rw >> (same_txn - same_item) >> wr) & ~program_order` relates."""
    return _observed(reading, True)


#: Which of the anti-dependencies forth and back (kinds, items) make an instance.
_Test = Callable[[Reading, Missed, Missed], Bools]


def _both(reading: Reading) -> Iterator[tuple[Ints, Missed, Missed]]:
    """Backward pairs {T, U}, each once, with the anti-dependencies of T on U and of U on T; in pieces."""
    index = reading.index
    keys = _keys(reading)
    one, other = keys // max(index.txns, 1), keys % max(index.txns, 1)
    pairs = distinct(np.minimum(wide(one), other) * index.txns + np.maximum(one, other))
    for begin in range(0, len(pairs), PIECE >> 5):
        part = pairs[begin : begin + (PIECE >> 5)]
        one, other = part // index.txns, part % index.txns
        pair, forth = between(reading, one, other)
        some = distinct(pair)
        again, back = between(reading, other[some], one[some])
        again = some[again]
        # Of each pair everything forth with everything back.
        order, first, members = groups(again)
        at, there = find(members, pair)
        at = np.minimum(at, max(len(members) - 1, 0))
        last = np.append(first[1:], len(order))
        forth, pair, at = forth.only(there), pair[there], at[there]
        if len(pair):
            which, place = unfold(first[at], last[at])
            yield part[pair[which]], forth.only(which), back.only(order[place])


def _skews(reading: Reading, test: _Test) -> Instances:
    found, looked = list[tuple[Ints, ...]](), 0
    for key, forth, back in _both(reading):
        looked += len(key)
        at = np.flatnonzero(test(reading, forth, back))
        found.append(first_ways(reading, key[at], *_ends(reading, forth.only(at)), *_ends(reading, back.only(at))))
        if enough(found, looked):
            break
    key, *columns = stacked(found, 5)
    return best(reading, key, *columns, exact=not over(looked))


def _two_items(reading: Reading, forth: Missed, back: Missed) -> Bools:
    item = reading.index.slot_item
    return np.asarray(((forth.kinds & back.kinds & RW) > 0) & (item[forth.slot] != item[back.slot]))


def _one_predicate(reading: Reading, forth: Missed, back: Missed) -> Bools:
    return np.asarray(((forth.kinds | back.kinds) & PRW) > 0)


def _two_rows(reading: Reading, forth: Missed, back: Missed) -> Bools:
    one, other = (reading.index.slot_item[missed.slot] for missed in (forth, back))
    partition = reading.trace.partition
    return np.asarray((one != other) & (partition[one] == partition[other]) & (partition[one] >= 0))


@counts("A5B", "pairs of transactions that each changed an item that the other had read")
def a5b(reading: Reading, limit: int) -> Instances:
    """Pairs {T, U} that `(rw >> (same_txn - same_item) >> rw) & same_txn` relates."""
    return _skews(reading, _two_items)


@counts("P3[skew]", "pairs of transactions that each changed what a read of the other had seen, one of a predicate")
def p3_skew(reading: Reading, limit: int) -> Instances:
    """Pairs {T, U} with prw one way and anti the other."""
    return _skews(reading, _one_predicate)


@counts("N2", "pairs of transactions that each changed, in one partition, a row that the other had read")
def n2(reading: Reading, limit: int) -> Instances:
    """Pairs {T, U} that `(anti_dependency >> other_row >> anti_dependency) & same_txn` relates."""
    return _skews(reading, _two_rows)


@counts("causality-violation", "pairs of a transaction and one that happens before it and that it missed")
def causality_violation(reading: Reading, limit: int) -> Instances:
    """Pairs (T, U) of `anti >> happens_before` that come back: T missed U, and U happens before T.

    Shown by the anti-dependency that is complete first, and a shortest way from U to T.
    """
    index = reading.index
    reader, writer = (wide(side) for side in stale(reading).backward_pairs)
    graph = happens_before(reading)
    kept, exact = reached(graph, writer, reader)
    reader, writer = reader[kept], writer[kept]
    pair, missed = between(reading, reader, writer)
    instances = best(reading, pair, *_ends(reading, missed), exact=exact)

    def more(i: int) -> tuple[int, ...]:
        read, write = instances.accesses[i]
        return tuple(ends_of(graph.way(int(index.txn[write]), int(index.txn[read]))))

    return replace(instances, more=more)
