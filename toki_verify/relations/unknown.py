"""An unknown schedule: truth values for everything that a schedule may be, in a fixed frame (SEMANTICS §5, reading 2).

The frame fixes how many transactions, slots and items there are. A *slot* is the place of one event in its transaction
(slots beat positions as the index: SEMANTICS §5); which event it is, on which item, what it saw and how the slots of
different transactions interleave are truth values. What makes them a well-formed schedule is said where they are made
(`search/frames.py`, `search/census.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..events import DEFAULT_TABLE
from .booleans import Booleans
from .surface import Recovery, recovery

INITIAL_VERSION = -1


def initial_key(item: int) -> int:
    """Version 0 of an item among versions, of which those that are written are named by their slots."""
    return -1 - item


#: Truth values by a whole number: an item, a slot, a predicate, a key …
Values = dict[int, int]


def zeros(size: int) -> list[int]:
    """That many falsehoods."""
    return [0] * size


def empties(size: int) -> list[Values]:
    """That many empty tables."""
    return [{} for _ in range(size)]


@dataclass
class Unknown:
    """Truth values of a schedule; what is missing from a table is false. `txn_of` is the transaction of each slot.

    `read`, `write`, `matched` and `unmatched` say per slot on which item it is such an access (a predicate read is one
    at every row); `seen[slot][item][source]` that the access saw the write in slot `source` (or INITIAL_VERSION).
    `before` orders slots, `end_before[t][slot]` says that transaction t ended before. `order[f, g]` says ≪ of two
    installed versions of one item. The rest is named as in SEMANTICS §1.
    """

    booleans: Booleans
    txn_of: list[int]
    txns: int
    items: int
    read: list[Values] = field(init=False)
    write: list[Values] = field(init=False)
    matched: list[Values] = field(init=False)
    unmatched: list[Values] = field(init=False)
    seen: list[dict[int, Values]] = field(init=False)
    predicate: list[Values] = field(init=False)
    in_predicate: list[Values] = field(init=False)
    judge: list[int] = field(init=False)
    key: list[Values] = field(init=False)
    vote: list[Values] = field(init=False)
    log_fill: list[int] = field(init=False)
    callback: list[int] = field(init=False)
    by_await: list[int] = field(init=False)
    before: list[list[int]] = field(init=False)
    end_before: list[list[int]] = field(init=False)
    committed: list[int] = field(init=False)
    aborted: list[int] = field(init=False)
    present: list[int] = field(init=False)
    initial_matches: list[Values] = field(init=False)
    partition: list[Values] = field(init=False)
    table: list[Values] = field(init=False)
    inserted: list[int] = field(init=False)
    deleted: list[int] = field(init=False)
    stated: list[int] = field(init=False)
    #: Of two different versions (slots and `initial_key`s): the provenance of the one is ⪯ that of the other.
    below: dict[tuple[int, int], int] = field(default_factory=dict)
    #: What the store keeps at most, and for a part that is listed here: whether it does.
    recovery: Recovery = field(default_factory=lambda: recovery(()))
    keeps: dict[str, int] = field(default_factory=dict)
    order: dict[tuple[int, int], int] = field(default_factory=dict)
    session: dict[tuple[int, int], int] = field(default_factory=dict)
    #: What the numbers of tables and partitions are called in a pinned level.
    tables: list[str] = field(default_factory=list)
    partitions: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        slots = len(self.txn_of)
        self.slots_of: list[list[int]] = [[] for _ in range(self.txns)]
        for slot, txn in enumerate(self.txn_of):
            self.slots_of[txn].append(slot)
        for name in ("read", "write", "matched", "unmatched", "predicate", "in_predicate", "key", "vote"):
            setattr(self, name, empties(slots))
        self.seen = [{} for _ in range(slots)]
        self.judge, self.callback, self.by_await = zeros(slots), zeros(slots), zeros(slots)
        self.log_fill = zeros(slots)
        self.before = [zeros(slots) for _ in range(slots)]
        self.end_before = [zeros(slots) for _ in range(self.txns)]
        self.committed, self.aborted = zeros(self.txns), zeros(self.txns)
        self.inserted, self.deleted = zeros(slots), zeros(slots)
        self.present, self.stated = zeros(self.items), zeros(self.items)
        self.initial_matches, self.partition, self.table = (
            empties(self.items),
            empties(self.items),
            empties(self.items),
        )

    # -- what follows -----------------------------------------------------------------------------------------------
    def later_own(self, slot: int) -> list[int]:
        """The slots of the same transaction behind a slot."""
        own = self.slots_of[self.txn_of[slot]]
        return own[own.index(slot) + 1 :]

    def final(self, slot: int, item: int) -> int:
        """The slot writes the item, and no later slot of its transaction does."""
        wrote = self.write[slot].get(item, 0)
        if not wrote:
            return 0
        again = self.booleans.any(self.write[later].get(item, 0) for later in self.later_own(slot))
        return self.booleans.both(wrote, self.booleans.negate(again))

    def installed(self, slot: int, item: int) -> int:
        """A final write of a committed transaction."""
        return self.booleans.both(self.final(slot, item), self.committed[self.txn_of[slot]])

    def holds_row(self, item: int) -> int:
        """Version 0 of the item is a row: `stated_rows` of `surface.py` over truth values."""
        booleans = self.booleans
        slots = range(len(self.txn_of))
        installed = [self.installed(slot, item) for slot in slots]
        inserts = booleans.any(
            booleans.all(
                (
                    installed[slot],
                    self.inserted[slot],
                    booleans.negate(
                        booleans.any(
                            booleans.both(installed[other], self.order.get((other, slot), 0))
                            for other in slots
                            if other != slot
                        )
                    ),
                )
            )
            for slot in slots
            if self.inserted[slot]
        )
        read = booleans.any(
            booleans.both(self.read[slot].get(item, 0), self.seen[slot].get(item, {}).get(INITIAL_VERSION, 0))
            for slot in slots
        )
        return booleans.any(
            (
                self.stated[item],
                *self.initial_matches[item].values(),
                booleans.both(read, booleans.negate(inserts)),
            )
        )

    def in_tables(self, item: int, test: Callable[[str], bool]) -> int:
        """The item is of a table of which the test holds; without tables, all are of the default one."""
        if not self.tables:
            return self.booleans.true if test(DEFAULT_TABLE) else 0
        return self.booleans.any(value for number, value in self.table[item].items() if test(self.tables[number]))

    def same(self, one: Values, other: Values) -> int:
        """Some name has both."""
        booleans = self.booleans
        return booleans.any(booleans.both(value, other[name]) for name, value in one.items() if name in other)

    def differ(self, one: Values, other: Values) -> int:
        """The one has a name and the other another one."""
        booleans = self.booleans
        return booleans.any(
            booleans.both(value, against)
            for name, value in one.items()
            for other_name, against in other.items()
            if name != other_name
        )

    def union(self, values: Iterable[int]) -> int:
        """The disjunction."""
        return self.booleans.any(values)
