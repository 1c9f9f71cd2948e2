"""All pairs of transactions with N2, by partition: for each backward anti-dependency, what was missed in turn."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .arrays import Bools, Ints, distinct, find, full, groups, ints, starts, wide
from .missed import Missed, backward, between
from .reading import Reading

#: Anti-dependencies of which the other direction is looked at, at once.
_PIECE: Final = 1 << 17
#: 64 bits: numbers of two.
_Wide = NDArray[np.int64]


class Pairs(NamedTuple):
    """Pairs of transactions by partition: how many there are, and how many transactions are in them, (P,); the
    partitions that have one, ascending, (F,); and of each the first pair by four accesses, (F, 4): a read of the
    transaction that began first, the write of the other that it missed, a read of that one, the write that it missed.
    """

    pairs: _Wide
    transactions: _Wide
    affected: Ints
    first: Ints


def no_pairs(partitions: int) -> Pairs:
    """No pair in any partition."""
    none = np.zeros(partitions, np.int64)
    return Pairs(none, none, full(0, 0), full((0, 4), 0))


def skews(reading: Reading) -> Pairs:
    """Two transactions that missed, in one partition, a row of each other, and not the same one."""
    index, readers, trace = reading.index, reading.index.readers, reading.trace
    count = len(trace.partitions)
    of_slot, of_reader = ints(trace.partition)[index.slot_item], ints(trace.partition)[readers.item]
    written = np.flatnonzero((of_slot >= 0) & (index.slot_txn >= 0))
    wrote = distinct(wide(index.slot_txn[written]) * count + of_slot[written])
    read = distinct((wide(readers.txn) * count + of_reader)[of_reader >= 0])
    found = _Skews(reading)
    if len(wrote) and len(read):
        for piece in backward(reading):
            of = of_slot[piece.slot]
            piece = piece.only(of >= 0)
            one, other, of = readers.txn[piece.reader], index.slot_txn[piece.slot], of[of >= 0]
            # Only where the reader wrote the partition, too, and the writer read it.
            both = find(wrote, wide(one) * count + of)[1] & find(read, wide(other) * count + of)[1]
            found.look(piece.only(both))
    return found.pairs(count)


class _Skews:
    """Pairs as they are found: partition and pair of each, and the first one of each partition so far."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.index = reading, reading.index
        self.found: list[tuple[Ints, _Wide]] = []
        self.first: list[tuple[Ints, Ints]] = []

    def look(self, piece: Missed) -> None:
        """What the writers of these anti-dependencies missed of their readers."""
        if not len(piece):
            return
        # A version is missed by the first read that missed it.
        order, first, _ = groups(wide(piece.slot) * self.index.txns + self.index.readers.txn[piece.reader])
        piece = piece.only(order[first])
        for begin in range(0, len(piece), _PIECE):
            part = slice(begin, begin + _PIECE)
            self._both(piece.reader[part], piece.slot[part])

    def _both(self, reader: Ints, slot: Ints) -> None:
        index, readers, partition = self.index, self.index.readers, ints(self.reading.trace.partition)
        one, other = readers.txn[reader], index.slot_txn[slot]
        pair, back = between(self.reading, other, one)
        x, y = index.slot_item[slot[pair]], index.slot_item[back.slot]
        at = np.flatnonzero((x != y) & (partition[x] == partition[y]))
        if not len(at):
            return
        pair, back = pair[at], back.only(at)
        mine = np.stack([readers.access[reader[pair]], index.slot_access[slot[pair]]], 1)
        theirs = np.stack([readers.access[back.reader], index.slot_access[back.slot]], 1)
        swapped = (one > other)[pair]
        four = np.where(swapped[:, None], np.hstack([theirs, mine]), np.hstack([mine, theirs]))
        of = partition[x[at]]
        low, high = np.minimum(one, other)[pair], np.maximum(one, other)[pair]
        numbers = wide(low) * index.txns + high
        order = np.lexsort((numbers, of))
        kept = order[_changes(of[order], numbers[order])]
        self.found.append((of[kept], numbers[kept]))
        self.first.append(self._earliest(of, four))

    def _earliest(self, of: Ints, four: Ints) -> tuple[Ints, Ints]:
        """Of each partition the accesses of the pair whose later write stands first, then the earlier write, reads."""
        event = self.index.event[four]
        reads, writes = np.sort(event[:, [0, 2]], 1), np.sort(event[:, [1, 3]], 1)
        order = np.lexsort((reads[:, 0], reads[:, 1], writes[:, 0], writes[:, 1], of))
        kept = order[starts(of[order])]
        return of[kept], four[kept]

    def pairs(self, count: int) -> Pairs:
        """All of them, each once, of so many partitions."""
        if not self.found:
            return no_pairs(count)
        of = np.concatenate([part[0] for part in self.found])
        numbers = np.concatenate([part[1] for part in self.found])
        order = np.lexsort((numbers, of))
        kept = order[_changes(of[order], numbers[order])]
        of, numbers = of[kept], numbers[kept]
        size = self.index.txns
        members = distinct(np.concatenate([wide(of) * size + numbers // size, wide(of) * size + numbers % size]))
        affected, first = self._earliest(*(np.concatenate(part) for part in zip(*self.first, strict=True)))
        return Pairs(
            wide(np.bincount(of, minlength=count)), wide(np.bincount(members // size, minlength=count)), affected, first
        )


def _changes(one: Ints, other: _Wide) -> Bools:
    """Where a row of two columns is not the row before it."""
    return np.append(True, (one[1:] != one[:-1]) | (other[1:] != other[:-1]))
