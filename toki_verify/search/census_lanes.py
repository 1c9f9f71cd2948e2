"""Every small complete schedule as lanes: bit i of a whole number is a truth value in schedule i.

A *canonical* complete schedule is one representative of all that differ only in the names of transactions, items and
versions. A schedule is its events (reads, writes, one commit or abort at the end of every transaction, each of which
does something besides ending), the order in which they stand, and the version every read sees; the version order is
the default one. Every class up to renaming is made exactly once:

- transactions are numbered by size, largest first, and those of one size by their first events. No two transactions
  have their first events in one place, so exactly one numbering fits (`Interleavings`);
- items are numbered by first use in the order of the slots, which the numbering of the transactions fixes (`growth`);
- versions have no names: a read names the slot of the write it sees (SEMANTICS §1: the initial version or any earlier
  write of another transaction, but always its own latest write if there is one).

What schedules of one `Share` (sizes of the transactions, items of the slots) differ in lies in the lanes: kinds of
events, interleaving, sources of reads, commits and aborts. The items stand still because they decide which relations
are empty. The formulas are then read once for hundreds of thousands of schedules (`relations/symbolic.py` over
`booleans.Lanes`), by the code that also makes the circuits of the bounded reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import factorial, prod
from operator import itemgetter
from typing import Final, NamedTuple

from ..relations.booleans import Lanes
from ..relations.unknown import INITIAL_VERSION, Unknown
from .features import Frame, frames

#: Schedules in one evaluation, about: whole numbers of this many bits still stay in a processor's cache.
WIDTH: Final = 1 << 18
#: Characters of selected columns that are kept, since the same selections of interleavings recur.
_KEPT: Final = 1 << 26


@dataclass(frozen=True, order=True)
class Share:
    """The schedules of one frame whose slots touch the same items: the unit of work of a census."""

    sizes: tuple[int, ...]
    items: tuple[int, ...]

    @property
    def events(self) -> int:
        """How many events each of its schedules has."""
        return sum(self.sizes)

    @property
    def weight(self) -> int:
        """A rough measure of how many schedules it has, for progress and for the order of the work."""
        alike = prod(factorial(self.sizes.count(size)) for size in set(self.sizes))
        number = factorial(self.events) // prod(map(factorial, self.sizes)) // alike
        return number << len(self.sizes) + len(self.items)


def growth(slots: int, items: int) -> Iterator[tuple[int, ...]]:
    """Every choice of an item per slot in which items are numbered by first use (restricted growth strings)."""

    def extend(chosen: tuple[int, ...], used: int) -> Iterator[tuple[int, ...]]:
        if len(chosen) == slots:
            yield chosen
            return
        for item in range(min(used + 1, items)):
            yield from extend((*chosen, item), max(used, item + 1))

    return extend((), 0)


def shares(events: int, transactions: int, items: int) -> Iterator[Share]:
    """The shares of all canonical complete schedules of exactly so many events and at most so many of the others."""
    for count in range(1, transactions + 1):
        for frame in frames(events, count):
            for chosen in growth(len(frame.slots), items):
                yield Share(frame.sizes, chosen)


class Interleavings:
    """Every order of the events of a frame: columns of bits, one bit an order.

    A column is kept as text of 0 and 1, which selects and joins fast and becomes a whole number in linear time. The
    first `len(pairs)` columns say that the one slot stands before the other, the rest that a transaction ended before
    a slot.
    """

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.txn_of = Frame(sizes, (True,) * len(sizes)).slots
        slots, txns = range(len(self.txn_of)), range(len(sizes))
        self.pairs = [(f, g) for f, g in combinations(slots, 2) if self.txn_of[f] != self.txn_of[g]]
        self.ends = [(t, g) for t in txns for g in slots if self.txn_of[g] != t]
        rows = [self._row(order, sizes) for order in orders_of(sizes)]
        self.count = len(rows)
        self.columns = ["".join(column) for column in zip(*rows, strict=True)]
        self.every = (1 << self.count) - 1
        #: Per pair of slots of different transactions the orders in which the one stands before the other.
        self.before: dict[tuple[int, int], int] = {}
        for (f, g), column in zip(self.pairs, self.columns, strict=False):
            self.before[f, g] = int(column, 2)
            self.before[g, f] = self.every ^ self.before[f, g]
        self._selected: dict[int, list[str]] = {self.every: self.columns}
        self._kept = 0

    def _row(self, order: tuple[int, ...], sizes: tuple[int, ...]) -> str:
        """The bits of one order, given as the transaction of every position."""
        places: list[list[int]] = [[] for _ in sizes]
        for position, txn in enumerate(order):
            places[txn].append(position)
        slots = [position for found in places for position in found[:-1]]
        bits = [slots[f] < slots[g] for f, g in self.pairs]
        bits += [places[t][-1] < slots[g] for t, g in self.ends]
        return "".join("01"[bit] for bit in bits)

    def select(self, mask: int) -> list[str]:
        """The columns of the orders of a mask only, in their order."""
        found = self._selected.get(mask)
        if found is None:
            chosen = [place for place, bit in enumerate(f"{mask:0{self.count}b}") if bit == "1"]
            pick = itemgetter(*chosen)
            found = ["".join(pick(column)) for column in self.columns]
            self._kept += len(chosen) * len(found)
            if self._kept > _KEPT:
                self._selected.clear()
                self._kept = 0
            self._selected[mask] = found
        return found


@lru_cache(maxsize=2)
def interleavings(sizes: tuple[int, ...]) -> Interleavings:
    """The interleavings of a frame; shares of one frame follow each other and use them together."""
    return Interleavings(sizes)


def orders_of(sizes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every sequence with `sizes[t]` entries t in which those of one size begin in the order of their numbers."""

    def extend(order: tuple[int, ...], left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield order
        for txn, rest in enumerate(left):
            waits = txn > 0 and rest == sizes[txn] == sizes[txn - 1] == left[txn - 1]
            if rest and not waits:
                yield from extend((*order, txn), (*left[:txn], rest - 1, *left[txn + 1 :]))

    return extend((), sizes)


class Block(NamedTuple):
    """Schedules that differ in interleaving, commits and aborts alone: `orders` are the interleavings that fit."""

    writes: tuple[bool, ...]
    sources: dict[int, int]
    orders: int


def blocks(share: Share, every: Interleavings) -> Iterator[Block]:
    """All kinds of events and, for each read, all versions that it may see."""
    txn_of, items = every.txn_of, share.items
    slots = range(len(txn_of))
    of_item = [[f for f in slots if items[f] == items[s]] for s in slots]

    def options(slot: int, writes: tuple[bool, ...]) -> list[tuple[int, int]]:
        """The versions a read may see, each with the interleavings in which it may."""
        written = [f for f in of_item[slot] if writes[f]]
        own = [f for f in written if txn_of[f] == txn_of[slot] and f < slot]
        if own:
            return [(own[-1], every.every)]
        foreign = [f for f in written if txn_of[f] != txn_of[slot]]
        return [(INITIAL_VERSION, every.every), *((f, every.before[f, slot]) for f in foreign)]

    def choose(place: int, chosen: dict[int, int], orders: int) -> Iterator[Block]:
        if place == len(reads):
            yield Block(writes, dict(chosen), orders)
            return
        slot = reads[place]
        for source, fitting in offered[place]:
            if orders & fitting:
                chosen[slot] = source
                yield from choose(place + 1, chosen, orders & fitting)

    for writes in product((False, True), repeat=len(txn_of)):
        reads = [slot for slot in slots if not writes[slot]]
        offered = [options(slot, writes) for slot in reads]
        yield from choose(0, {}, every.every)


def size_of(share: Share) -> int:
    """How many schedules a share has, without making them."""
    found = blocks(share, interleavings(share.sizes))
    return sum(block.orders.bit_count() for block in found) << len(share.sizes)


def lanes_of(share: Share, width: int = WIDTH) -> Iterator[tuple[Unknown, int]]:
    """The schedules of a share as unknown schedules over lanes, each with its number of lanes.

    No number exceeds `width` unless one block of interleavings alone does. Every lane is a well-formed schedule, and
    no two lanes of a share are the same one.
    """
    every = interleavings(share.sizes)
    room = max(1, width >> len(share.sizes))
    batch: list[Block] = []
    used = 0
    for block in blocks(share, every):
        size = block.orders.bit_count()
        if batch and used + size > room:
            yield _unknown(share, every, batch)
            batch, used = [], 0
        batch.append(block)
        used += size
    if batch:
        yield _unknown(share, every, batch)


class _Columns:
    """Columns over the lanes of a batch: blocks one behind the other, the whole repeated for each set of commits."""

    def __init__(self, batch: Sequence[Block], txns: int) -> None:
        self.txns = txns
        self.widths = [block.orders.bit_count() for block in batch]
        self.single = sum(self.widths)
        self.lanes = Lanes(self.single << txns)
        self._runs = {width: ("0" * width, "1" * width) for width in set(self.widths)}

    def join(self, parts: Iterator[str]) -> int:
        """The column whose part in each block is given."""
        value = int("".join(parts), 2)
        for doubled in range(self.txns):
            value |= value << (self.single << doubled)
        return value

    def constant(self, truth: Iterator[bool]) -> int:
        """The column whose value is the same all over a block."""
        return self.join(self._runs[width][bit] for width, bit in zip(self.widths, truth, strict=True))

    def committed(self, txn: int) -> int:
        """In every other repetition (every other two, four …) the transaction commits."""
        run = self.single << txn
        value = ((1 << run) - 1) << run
        for doubled in range(txn + 1, self.txns):
            value |= value << (self.single << doubled)
        return value


def _unknown(share: Share, every: Interleavings, batch: Sequence[Block]) -> tuple[Unknown, int]:
    """The unknown schedule whose lanes are the schedules of some blocks."""
    txn_of, items = every.txn_of, share.items
    slots, txns = range(len(txn_of)), len(share.sizes)
    columns = _Columns(batch, txns)
    lanes = columns.lanes
    unknown = Unknown(lanes, txn_of, txns, max(items) + 1)
    selected = [every.select(block.orders) for block in batch]
    for place, (f, g) in enumerate(every.pairs):
        unknown.before[f][g] = columns.join(found[place] for found in selected)
        unknown.before[g][f] = lanes.negate(unknown.before[f][g])
    for place, (t, g) in enumerate(every.ends, len(every.pairs)):
        unknown.end_before[t][g] = columns.join(found[place] for found in selected)
    for f, g in combinations(slots, 2):
        if txn_of[f] == txn_of[g]:
            unknown.before[f][g] = lanes.true
    for txn in range(txns):
        unknown.committed[txn] = columns.committed(txn)
        unknown.aborted[txn] = lanes.negate(unknown.committed[txn])
    unknown.present = [lanes.true] * unknown.items
    for slot in slots:
        wrote = columns.constant(block.writes[slot] for block in batch)
        unknown.write[slot] = {items[slot]: wrote}
        unknown.read[slot] = {items[slot]: lanes.negate(wrote)}
        sources = {block.sources[slot] for block in batch if not block.writes[slot]}
        unknown.seen[slot] = {
            items[slot]: {
                source: columns.constant(block.sources.get(slot) == source for block in batch)
                for source in sorted(sources)
            }
        }
    # The default version order: that of the final writes, which `installed` picks.
    unknown.order = {(f, g): unknown.before[f][g] for f in slots for g in slots if unknown.before[f][g]}
    return unknown, columns.single << txns


__all__ = [
    "WIDTH",
    "Block",
    "Interleavings",
    "Share",
    "blocks",
    "growth",
    "interleavings",
    "lanes_of",
    "orders_of",
    "shares",
    "size_of",
]
