"""What the functions of this package share about one trace: slots, readers, match status; found once, when asked for.

A *slot* is a place in ≪: installed versions sorted by item and rank, numbered through, so that "earlier version of the
item" is a smaller number. A transaction has at most one slot of an item, since only its final write is installed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..columns import ABORTED, COMMITTED
from ..trace import M, N, R, Trace, W
from .arrays import Bools, Ints, full, ints, numbers, ordered, ordered_pairs, starts, where, wide


@dataclass(frozen=True)
class Readers:
    """Reads and rows (R, M, N) of committed transactions that saw an installed version: what anti-dependencies start
    from, and pwr ends in. Sorted by (transaction, item)."""

    access: Ints
    txn: Ints
    item: Ints
    #: The slot of the version seen.
    slot: Ints
    predicate: Ints
    #: Whether rw edges start here: an item read of a version that is not its own.
    rw: Bools
    #: 0: no row; 1: a row that matched (prw to versions that do not match); 2: one that did not match.
    row: Ints
    event: Ints


@dataclass(frozen=True)
class Sequence:
    """Accesses in groups (of an item, or of a row of a predicate), those of one group in the order of events."""

    place: Ints
    group: Ints
    txn: Ints
    event: Ints
    write: Bools
    groups: int


class Index:
    """A trace and what follows from it. Every array is of numbers as `arrays.ints` makes them, or bool, but `kind`
    and keys, which are 64 bits wide."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.kind = trace.kind
        self.event = ints(trace.event)
        self.txn = ints(trace.txn)
        self.item = ints(trace.item)
        self.predicate = ints(trace.predicate)
        self.version = ints(trace.version)
        self.start = ints(trace.start)
        self.end = ints(trace.end)
        self.committed: Bools = np.asarray(trace.outcome == COMMITTED)
        self.aborted: Bools = np.asarray(trace.outcome == ABORTED)
        self.txns = len(self.start)
        self.items = len(trace.table)
        self.rank = ints(trace.rank)
        self.version_item = ints(trace.version_item)
        self.writer = ints(trace.writer)

    # -- accesses ------------------------------------------------------------------------------------------------------
    @cached_property
    def item_read(self) -> Bools:
        """R and M: (A,)."""
        return np.asarray((self.kind == R) | (self.kind == M))

    @cached_property
    def row(self) -> Bools:
        """M and N: (A,)."""
        return np.asarray((self.kind == M) | (self.kind == N))

    @cached_property
    def write(self) -> Bools:
        """W: (A,)."""
        return np.asarray(self.kind == W)

    @cached_property
    def seen(self) -> Ints:
        """The places of all that saw a version: R, M and N."""
        return where(self.item_read | self.row)

    @cached_property
    def writes(self) -> Ints:
        """The places of writes."""
        return where(self.write)

    @cached_property
    def version_txn(self) -> Ints:
        """The transaction that wrote a version, -1 for an initial one: (V,)."""
        return np.where(self.writer >= 0, self.txn[self.writer], -1) if len(self.txn) else np.full_like(self.writer, -1)

    @cached_property
    def version_event(self) -> Ints:
        """The event that wrote a version, -1 for an initial one: (V,)."""
        if not len(self.event):
            return np.full_like(self.writer, -1)
        return np.where(self.writer >= 0, self.event[self.writer], -1)

    @cached_property
    def is_writer(self) -> Bools:
        """Which transactions write: (T,)."""
        marked = np.zeros(self.txns, bool)
        marked[self.txn[self.writes]] = True
        return marked

    # -- slots ---------------------------------------------------------------------------------------------------------
    @cached_property
    def slot_version(self) -> Ints:
        """The version in each slot: (S,). Ranks of an item are 0, 1, … without a gap."""
        installed = where(self.rank >= 0)
        item = self.version_item[installed]
        first = full(self.items + 1, 0)
        np.cumsum(np.bincount(item, minlength=self.items), out=first[1:])
        out = full(len(installed), -1)
        out[first[item] + self.rank[installed]] = installed
        return out

    @cached_property
    def slot_of(self) -> Ints:
        """The slot of a version, -1 where it is not installed: (V,)."""
        out = full(len(self.rank), -1)
        out[self.slot_version] = numbers(len(self.slot_version))
        return out

    @cached_property
    def slots(self) -> int:
        """How many slots there are."""
        return len(self.slot_version)

    @cached_property
    def slot_item(self) -> Ints:
        """The item of each slot, ascending: (S,)."""
        return self.version_item[self.slot_version]

    @cached_property
    def slot_txn(self) -> Ints:
        """The transaction of each slot, -1 for an initial version: (S,)."""
        return self.version_txn[self.slot_version]

    @cached_property
    def slot_access(self) -> Ints:
        """The write of each slot, -1 for an initial version: (S,)."""
        return self.writer[self.slot_version]

    @cached_property
    def slot_event(self) -> Ints:
        """The event of the write of each slot, -1 for an initial version: (S,)."""
        return self.version_event[self.slot_version]

    @cached_property
    def slot_end(self) -> Ints:
        """When the transaction of each slot committed, -1 for an initial version: (S,)."""
        return self.of_slots(self.end)

    def of_slots(self, values: Ints) -> Ints:
        """The value of the transaction of each slot, -1 for an initial version: (S,)."""
        return np.where(self.slot_txn >= 0, values[self.slot_txn], -1)

    @cached_property
    def item_slots(self) -> Ints:
        """The slots of item i are `item_slots[i]` up to before `item_slots[i + 1]`: (I + 1,)."""
        return ints(np.searchsorted(self.slot_item, numbers(self.items + 1)))

    # -- readers -------------------------------------------------------------------------------------------------------
    @cached_property
    def readers(self) -> Readers:
        """The reads that edges of the conflict graph start from or end in (wr apart, which needs no slot)."""
        access = self._pairs[0]
        access = access[~self.write[access] & self.committed[self.txn[access]]]
        access = access[self.slot_of[self.version[access]] >= 0]
        version, kind = self.version[access], self.kind[access]
        return Readers(
            access,
            self.txn[access],
            self.item[access],
            self.slot_of[version],
            self.predicate[access],
            np.asarray((kind != N) & (self.version_txn[version] != self.txn[access])),
            ints(np.where(kind == R, 0, np.where(kind == M, 1, 2))),
            self.event[access],
        )

    # -- pairs (transaction, item) ------------------------------------------------------------------------------------
    @cached_property
    def _pairs(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Accesses with an item, by (transaction, item) and in order; first places; keys; the pair of each access."""
        places = where(self.item >= 0)
        places = places[ordered_pairs(self.txn[places], self.item[places], self.txns)]
        keys = wide(self.txn[places]) * self.items + self.item[places]
        first = starts(keys)
        pair = full(len(self.kind), -1)
        pair[places] = np.repeat(numbers(len(first)), np.diff(np.append(first, len(places))))
        return places, first, keys[first], pair

    @property
    def pair(self) -> Ints:
        """The number of the pair (transaction, item) of each access, -1 without an item: (A,)."""
        return self._pairs[3]

    @property
    def pair_keys(self) -> Ints:
        """`transaction * items + item` of each pair, ascending: (P,)."""
        return self._pairs[2]

    @cached_property
    def pair_first_read(self) -> Ints:
        """The first item read of each pair, -1 without: (P,)."""
        out = full(len(self.pair_keys), -1)
        reads = np.flatnonzero(self.item_read)[::-1]
        out[self.pair[reads]] = reads  # the first one is written last
        return out

    @cached_property
    def pair_last_write(self) -> Ints:
        """The last write of each pair, -1 without: (P,)."""
        out = full(len(self.pair_keys), -1)
        out[self.pair[self.writes]] = self.writes
        return out

    @cached_property
    def pair_slot(self) -> Ints:
        """The slot of each pair, -1 without: (P,)."""
        last = self.pair_last_write
        out = full(len(last), -1)
        made = np.flatnonzero(last >= 0)
        out[made] = self.slot_of[self.version[last[made]]]
        return out

    @cached_property
    def first_reads(self) -> tuple[Ints, Ints]:
        """Keys of pairs with an item read, ascending, and their first item reads."""
        some = np.flatnonzero(self.pair_first_read >= 0)
        return self.pair_keys[some], self.pair_first_read[some]

    @cached_property
    def written(self) -> tuple[Ints, Ints]:
        """Keys of pairs with a write, ascending, and their last writes."""
        some = np.flatnonzero(self.pair_last_write >= 0)
        return self.pair_keys[some], self.pair_last_write[some]

    @cached_property
    def own_slots(self) -> tuple[Ints, Ints]:
        """Keys of pairs with a slot, ascending, and their slots."""
        some = np.flatnonzero(self.pair_slot >= 0)
        return self.pair_keys[some], self.pair_slot[some]

    # -- items in order --------------------------------------------------------------------------------------------
    @cached_property
    def by_item(self) -> Sequence:
        """Item reads and writes, by item."""
        places = where(self.write | self.item_read)
        places = places[ordered(self.item[places])]
        return self.sequence(places, self.item[places], self.items)

    @cached_property
    def writes_by_item(self) -> Sequence:
        """Writes, by item."""
        whole = self.by_item
        kept = whole.write
        return Sequence(
            whole.place[kept], whole.group[kept], whole.txn[kept], whole.event[kept], whole.write[kept], self.items
        )

    def sequence(self, place: Ints, group: Ints, groups: int) -> Sequence:
        """Accesses as a sequence."""
        return Sequence(place, group, self.txn[place], self.event[place], self.write[place], groups)
