"""How many transactions show dangerous structures and read-only anomalies, and how many pairs of rows PMP."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .arrays import Ints, find, full, groups, ints, raise_to, unfold, wide
from .count_reach import reached
from .cycles import ends_of
from .graphs import rows
from .instances import PIECE, Instances, best, counts, each, enough, over, stacked
from .missed import concurrent, up_to
from .pivots import writers_only
from .reading import Reading


@counts("dangerous-structure", "transactions with anti-dependencies in and out, each between concurrent ones")
def dangerous_structure(reading: Reading, limit: int) -> Instances:
    """Transactions in the range and in the domain of `anti & concurrent`.

    Shown by the anti-dependency in and the one out that are complete first.
    """
    index = reading.index
    incoming, outgoing, looked = list[tuple[Ints, ...]](), list[tuple[Ints, ...]](), 0
    for piece in concurrent(reading):
        looked += len(piece)
        read, write = index.readers.access[piece.reader], index.slot_access[piece.slot]
        for found, txn in ((incoming, index.txn[write]), (outgoing, index.txn[read])):
            one = best(reading, txn, read, write)
            found.append((index.txn[one.accesses[:, 1 if found is incoming else 0]], *one.accesses.T))
        if over(looked) and _joined(reading, incoming, outgoing).number:
            break
    instances = _joined(reading, incoming, outgoing)
    return replace(instances, exact=not over(looked))


def _joined(reading: Reading, incoming: list[tuple[Ints, ...]], outgoing: list[tuple[Ints, ...]]) -> Instances:
    into, out = (best(reading, key, *columns) for key, *columns in (stacked(incoming, 3), stacked(outgoing, 3)))
    # Of the ones coming in the write is the pivot's, of the ones going out the read.
    pivots = reading.index.txn[into.accesses[:, 1]]
    at, there = find(reading.index.txn[out.accesses[:, 0]], pivots)
    return each(reading, *into.accesses[there].T, *out.accesses[at[there]].T)


@counts("read-only-anomaly", "read-only transactions on a cycle that the updates alone do not make")
def read_only_anomaly(reading: Reading, limit: int) -> Instances:
    """Transactions T1 with T1 -anti→ T2 -anti→ T3 and T3 dep⁺ T1, where T1 writes nothing.

    The second anti-dependency is one to the first version that was missed. Shown by the two that are complete first,
    and a shortest way from T3 to T1.
    """
    index, readers, writers = reading.index, reading.index.readers, writers_only(reading)
    if writers.cyclic:
        return each(reading, *[full(0, 0)] * 4)
    order = writers.places
    bound = full(index.txns, -1)
    enters, anti = reading.edges.read_dependency, reading.edges.anti1
    raise_to(bound, enters.target, order[enters.source])
    alone = ~index.is_writer & (bound >= 0) & (reading.dsg.components >= 0)
    places = ints(np.flatnonzero(alone[readers.txn]))
    first, targets, number = rows(index.txns, anti.source, anti.target)
    found = list[tuple[Ints, ...]]()
    for piece in up_to(reading, places, order, bound[readers.txn[places]]):
        one, two = readers.txn[piece.reader], index.slot_txn[piece.slot]
        pair, at = unfold(first[two], first[two + 1])
        near = order[targets[at]] <= bound[one[pair]]
        pair, at = pair[near], number[at[near]]
        found.append((readers.access[piece.reader[pair]], index.slot_access[piece.slot[pair]], at))
    read, write, edge = stacked(found, 3)
    one, three = wide(index.txn[read]), wide(anti.target[edge])
    pairs, which = np.unique(wide(one) * index.txns + three, return_inverse=True)
    kept, exact = reached(reading.dep, pairs % index.txns, pairs // index.txns)
    at = np.flatnonzero(kept[which])
    edge = edge[at]
    ends = (read[at], write[at], anti.source_access[edge], anti.target_access[edge])
    instances = best(reading, one[at], *ends)

    def more(i: int) -> tuple[int, ...]:
        access, graph = instances.accesses[i], reading.dep
        return tuple(ends_of(graph.way(int(index.txn[access[3]]), int(index.txn[access[0]]))))

    return replace(instances, exact=exact, more=more)


@counts("PMP", "pairs of a transaction and a row of which one predicate read saw a change and another did not")
def pmp(reading: Reading, limit: int) -> Instances:
    """Pairs (T, x) for which the formula of PMP relates two rows x of predicate reads of T (`rows.py`)."""
    index, readers = reading.index, reading.index.readers
    places = ints(np.flatnonzero(readers.row > 0))
    order, first, _ = groups(wide(readers.txn[places]) * index.items + readers.item[places])
    places = places[order]
    last = np.append(first[1:], len(places))
    slot = readers.slot[places]
    differs = np.flatnonzero(np.maximum.reduceat(slot, first) != np.minimum.reduceat(slot, first))
    group, earlier = unfold(first[differs], last[differs])
    group = differs[group]
    found, looked = list[tuple[Ints, ...]](), 0
    for begin in range(0, len(earlier), PIECE >> 2):
        part = slice(begin, begin + (PIECE >> 2))
        which, later = unfold(first[group[part]], last[group[part]])
        one, other = places[earlier[part][which]], places[later]
        kept = readers.slot[one] < readers.slot[other]
        cost, *columns = _changed(reading, one[kept], other[kept])
        looked += cost + len(which)
        found.append(tuple(columns))
        if enough(found, looked):
            break
    read, change, again = stacked(found, 3)
    return best(reading, index.pair[read], read, change, again, exact=not over(looked))


def _changed(reading: Reading, one: Ints, other: Ints) -> tuple[int, Ints, Ints, Ints]:
    """What was looked at; and rows `one`, changes of both predicates behind them, and rows `other` that saw these."""
    index, readers, status = reading.index, reading.index.readers, reading.status
    base = wide(readers.predicate[one]) * status.size
    pair, at = unfold(
        ints(np.searchsorted(status.changes, base + readers.slot[one], side="right")),
        ints(np.searchsorted(status.changes, base + readers.slot[other], side="right")),
    )
    slot = ints(status.changes[at] % status.size)
    shown = find(status.changes, wide(readers.predicate[other[pair]]) * status.size + slot)[1]
    shown &= index.slot_txn[slot] != readers.txn[one[pair]]
    pair, slot = pair[shown], slot[shown]
    return len(at), readers.access[one[pair]], index.slot_access[slot], readers.access[other[pair]]
