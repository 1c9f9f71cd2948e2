"""How many pairs of readers show a long fork: T2 observed T1 and missed T3, T4 observed T3 and missed T1.

All quadruples are gone through as in `forks.py`, up to a cap. An edge between two transactions is shown by the accesses
that are complete first, and a pair of readers by the writers with which it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from .arrays import Ints, distinct, find, ints, unfold, wide
from .forks import turns
from .instances import CAP, PIECE, Instances, best, counts, stacked
from .missed import between, up_to
from .observed import changes_seen
from .reading import Reading
from .stale import stale

#: How many quadruples are looked at, and how many are kept to be compared.
_LOOKED: Final = CAP >> 2
_KEPT: Final = CAP >> 4


@counts("long-fork", "pairs of transactions that saw two writers in opposite orders")
def long_fork(reading: Reading, limit: int) -> Instances:
    """Pairs {T2, T4} for which `cycle(read_dependency, anti, read_dependency, anti)` goes through T1 … T4."""
    found, looked, kept = list[tuple[Ints, ...]](), 0, 0
    for cost, quadruples in _quadruples(reading):
        looked += cost
        kept += len(quadruples[0])
        found.append(quadruples)
        if kept and (looked > _LOOKED or kept > _KEPT):
            break
    one, two, three, four = stacked(found, 4)
    parts = (
        _observed_by(reading, two, one),
        _missed_by(reading, two, three),
        _observed_by(reading, four, three),
        _missed_by(reading, four, one),
    )
    key = np.minimum(wide(two), four) * reading.index.txns + np.maximum(two, four)
    columns = (column for table in parts for column in table.T)
    return best(reading, key, *columns, exact=looked <= _LOOKED and kept <= _KEPT)


def _quadruples(reading: Reading) -> Iterator[tuple[int, tuple[Ints, ...]]]:
    """Pieces of T1 … T4, as far as one of the two turns of every fork is among them, and what each has cost."""
    index, order, size = reading.index, reading.ordered.places, reading.index.txns
    made = turns(reading, *stale(reading).backward_pairs)
    if made is None:
        return
    readers = index.readers
    missed_first, missed, seen_first, observers = made.missed_first, made.missed, made.seen_first, made.observers
    for piece in up_to(reading, made.places, order, made.bound):
        pairs = distinct(wide(readers.txn[piece.reader]) * size + index.slot_txn[piece.slot])
        for begin in range(0, len(pairs), PIECE >> 3):
            four, one = (ints(part) for part in np.divmod(pairs[begin : begin + (PIECE >> 3)], size))
            # T2 observed T1; T3 was missed by T2 and observed by T4.
            pair, at = unfold(seen_first[one], seen_first[one + 1])
            one, two, four = one[pair], observers[at], four[pair]
            apart = two != four
            one, two, four = one[apart], two[apart], four[apart]
            for start in range(0, max(len(one), 1), PIECE >> 3):
                part = slice(start, start + (PIECE >> 3))
                pair, at = unfold(missed_first[two[part]], missed_first[two[part] + 1])
                three, quad = missed[at], (one[part][pair], two[part][pair], four[part][pair])
                near = (three != quad[0]) & (three != quad[2])
                near &= (order[three] <= order[quad[0]]) & (order[three] <= order[quad[2]])
                three, (first, reader, other) = three[near], (member[near] for member in quad)
                seen = find(made.read, wide(three) * size + other)[1]
                seen[changes_seen(reading, other, three)[0]] = True
                yield len(at) + 1, (first[seen], reader[seen], three[seen], other[seen])


def _missed_by(reading: Reading, reader: Ints, writer: Ints) -> Ints:
    """For each pair the read and the write of the anti-dependency that is complete first: (n, 2)."""
    keys = wide(reader) * reading.index.txns + writer
    pairs = distinct(keys)
    pair, missed = between(reading, ints(pairs // reading.index.txns), ints(pairs % reading.index.txns))
    access = reading.index.readers.access[missed.reader]
    found = best(reading, pair, access, reading.index.slot_access[missed.slot])
    return found.accesses[np.searchsorted(pairs, keys)]


def _observed_by(reading: Reading, reader: Ints, writer: Ints) -> Ints:
    """For each pair the write and the read of the read dependency that is complete first: (n, 2)."""
    index, wr = reading.index, reading.edges.wr
    keys = wide(reader) * index.txns + writer
    pairs = distinct(keys)
    at, there = find(pairs, wide(wr.target) * index.txns + wr.source)
    changed, place, slot = changes_seen(reading, ints(pairs // index.txns), ints(pairs % index.txns))
    pair = np.concatenate([at[there], changed])
    source = np.concatenate([wr.source_access[there], index.slot_access[slot]])
    target = np.concatenate([wr.target_access[there], index.readers.access[place]])
    return best(reading, pair, source, target).accesses[np.searchsorted(pairs, keys)]
