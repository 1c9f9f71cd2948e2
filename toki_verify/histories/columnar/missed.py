"""Anti-dependencies in full, as far as a pattern can use them: unfolded in pieces, most often none at all.

A reader that saw slot s of an item misses every later slot of the item. That is quadratic in the worst case, so:

- `backward`: a pattern that closes a cycle has an anti-dependency that goes back in any total order of the
  transactions, and its transactions are in one component of all edges. So only slots are unfolded whose transaction is
  not behind the reader's in an order that dependencies and sessions respect, in a component. How many there are is how
  stale the reads are: none in a serializable trace, a few a read in one of snapshots.
- `concurrent`: only slots whose transaction overlaps the reader's in time. How many there are is how many transactions
  overwrite an item while one that read it is open.

The slots that are of use are within a range that two sorted arrays bound, since the least place of all slots from here
to the last of the item only grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from .arrays import NEVER, Bools, Ints, ints, prefix_max, span, suffix_min, unfold, where, wide
from .reading import Reading

#: Kinds of anti-dependencies, as bits.
RW: Final = 1
PRW: Final = 2
#: How many are unfolded at once.
_PIECE: Final = 1 << 20


@dataclass(frozen=True)
class Missed:
    """Anti-dependencies: readers (places in `Index.readers`), the slots that they missed, their kinds as bits."""

    reader: Ints
    slot: Ints
    kinds: Ints

    def only(self, kept: Bools | Ints) -> Missed:
        """Some of them."""
        return Missed(self.reader[kept], self.slot[kept], self.kinds[kept])

    def __len__(self) -> int:
        return len(self.reader)


def kinds(reading: Reading, reader: Ints, slot: Ints) -> Ints:
    """The kinds of edges from readers to the transactions of later slots of the item, as bits (0: no edge)."""
    readers = reading.index.readers
    row, txn = readers.row[reader], readers.txn[reader]
    # No reader misses what its own transaction writes.
    other = reading.index.slot_txn[slot] != txn
    found = np.where(readers.rw[reader], RW, 0)
    rows = np.flatnonzero(row > 0)
    matching = reading.status.matching(readers.predicate[reader[rows]], slot[rows])
    found[rows] |= np.where(matching == (row[rows] == 2), PRW, 0)
    return np.where(other & (slot > readers.slot[reader]), found, 0)


def _pieces(reading: Reading, places: Ints, first: Ints, last: Ints) -> Iterator[Missed]:
    """The ranges of slots of some readers, unfolded, in pieces."""
    behind = np.cumsum(np.maximum(last - first, 0))
    done = 0
    while done < len(places):
        base = behind[done - 1] if done else 0
        upto = max(int(np.searchsorted(behind, base + _PIECE, side="right")), done + 1)
        which, slot = unfold(first[done:upto], last[done:upto])
        reader = places[done:upto][which]
        done = upto
        if len(reader):
            piece = Missed(reader, slot, kinds(reading, reader, slot))
            yield piece.only(piece.kinds > 0)


def up_to(reading: Reading, places: Ints, value: Ints, bound: Ints) -> Iterator[Missed]:
    """What readers (by place) missed, of transactions whose `value` (T,) is at most the reader's bound."""
    index, readers = reading.index, reading.index.readers
    least = suffix_min(index.of_slots(value), index.slot_item)
    # Most often the reader is before all that it missed.
    item, behind = readers.item[places], readers.slot[places] + 1
    some = where(behind < index.item_slots[item + 1])
    some = some[least[behind[some]] <= bound[some]]
    places, bound, item = places[some], bound[some], item[some]
    least = least + wide(index.slot_item) * (2 * NEVER)
    last = ints(np.searchsorted(least, bound + wide(item) * (2 * NEVER), side="right"))
    first = readers.slot[places] + 1
    for piece in _pieces(reading, places, first, np.minimum(last, index.item_slots[item + 1])):
        at = np.searchsorted(places, piece.reader)
        yield piece.only(value[index.slot_txn[piece.slot]] <= bound[at])


def backward(reading: Reading) -> Iterator[Missed]:
    """Anti-dependencies inside components of all edges that do not go forward in an order of `ordered`."""
    labels, readers = reading.everything.components, reading.index.readers
    places = where(labels[readers.txn] >= 0)
    if not len(places):
        return
    order = reading.ordered.places
    for piece in up_to(reading, places, order, order[readers.txn[places]]):
        one, other = readers.txn[piece.reader], reading.index.slot_txn[piece.slot]
        yield piece.only(labels[one] == labels[other])


def concurrent(reading: Reading) -> Iterator[Missed]:
    """Anti-dependencies between transactions of which neither ended before the other's first event."""
    index, readers = reading.index, reading.index.readers
    places, first, last = reading.once(_overlapping)
    for piece in _pieces(reading, places, first, last):
        one, other = readers.txn[piece.reader], index.slot_txn[piece.slot]
        yield piece.only((index.start[other] < index.end[one]) & (index.end[other] > index.start[one]))


def _overlapping(reading: Reading) -> tuple[Ints, Ints, Ints]:
    """Readers (by place), and from which slot up to before which those stand that may overlap them in time."""
    index, readers = reading.index, reading.index.readers
    least = suffix_min(index.of_slots(index.start), index.slot_item)
    # Most often all that overwrote the version began after the reader's end.
    places = where(readers.slot + 1 < index.item_slots[readers.item + 1])
    places = places[least[readers.slot[places] + 1] < index.end[readers.txn[places]]]
    shift = wide(index.slot_item) * (2 * NEVER)
    starts = least + shift
    ends = prefix_max(index.slot_end, index.slot_item) + shift
    item, txn = readers.item[places], readers.txn[places]
    lift = wide(item) * (2 * NEVER)
    # From the first slot by which some transaction ends behind the start of the reader's …
    first = ints(np.searchsorted(ends, index.start[txn] + lift, side="right"))
    # … up to the last one that starts before its end.
    last = ints(np.searchsorted(starts, index.end[txn] + lift, side="left"))
    first = np.maximum(first, readers.slot[places] + 1)
    return places, first, np.minimum(last, index.item_slots[item + 1])


def between(reading: Reading, reader: Ints, writer: Ints) -> tuple[Ints, Missed]:
    """For pairs of transactions all that the one read and the other overwrote: the pair of each, and what was missed.

    It costs the writes of the writers, and for each the reads of its item by the reader.
    """
    index, readers = reading.index, reading.index.readers
    keys, slots = index.own_slots
    pair, at = span(keys, writer, index.items)
    slot = slots[at]
    of_reader = wide(readers.txn) * index.items + readers.item
    wanted = wide(reader[pair]) * index.items + index.slot_item[slot]
    which, place = unfold(
        np.searchsorted(of_reader, wanted, side="left"), np.searchsorted(of_reader, wanted, side="right")
    )
    out = Missed(ints(place), slot[which], kinds(reading, ints(place), slot[which]))
    return pair[which][out.kinds > 0], out.only(out.kinds > 0)
