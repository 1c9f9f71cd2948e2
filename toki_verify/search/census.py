"""Every small schedule, up to renaming: for agreement tests and for implications (SEMANTICS §5).

Transactions, items and version labels are numbered by first use, so that of schedules that differ only in names one is
made. A transaction that does nothing but end is left out: it makes no access, and start order passes through it
without change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

from ..events import (
    DEFAULT_TABLE,
    INITIAL,
    Abort,
    Callback,
    Commit,
    Event,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)

ITEMS = "xyzuv"
PREDICATE = Predicate(DEFAULT_TABLE, "P")
THETA = '"theta"'


@dataclass(frozen=True)
class Alphabet:
    """What the schedules of a census may use."""

    transactions: int = 3
    items: int = 2
    reads: bool = True
    writes: bool = True
    aborts: bool = True
    predicates: bool = False
    deletes: bool = False
    unmatched: bool = False
    judges: bool = False
    votes: tuple[str | None, ...] = ("0", "1", None)
    callbacks: bool = False
    partition: bool = False


class _Maker:
    def __init__(self, alphabet: Alphabet, size: int, complete: bool) -> None:
        self.alphabet, self.size, self.complete = alphabet, size, complete
        self.events: list[Event] = []
        self.txns: list[str] = []
        self.open: list[str] = []
        self.items: list[Item] = []
        self.versions: dict[Item, list[Write]] = {}
        self.own: dict[tuple[str, Item], Write] = {}

    def run(self) -> Iterator[tuple[Event, ...]]:
        if self.events and not (self.complete and self.open):
            yield tuple(self.events)
        if len(self.events) == self.size:
            return
        room = self.size - len(self.events)
        if self.complete and room < len(self.open):
            return
        fresh = str(len(self.txns) + 1)
        candidates = list(self.open)
        if len(self.txns) < self.alphabet.transactions and not (self.complete and room < len(self.open) + 2):
            candidates.append(fresh)
        for txn in candidates:
            new = txn == fresh
            if new:
                self.txns.append(txn)
                self.open.append(txn)
            if not self.complete or room > len(self.open):
                yield from self._work(txn)
            if not new:
                yield from self._ends(txn)
            if new:
                self.txns.pop()
                self.open.remove(txn)

    def _ends(self, txn: str) -> Iterator[tuple[Event, ...]]:
        place = self.open.index(txn)
        self.open.pop(place)
        for event in (Commit(txn), Abort(txn)) if self.alphabet.aborts else (Commit(txn),):
            yield from self._with(event)
        self.open.insert(place, txn)

    def _with(self, event: Event) -> Iterator[tuple[Event, ...]]:
        self.events.append(event)
        yield from self.run()
        self.events.pop()

    def _targets(self) -> Iterator[Item]:
        yield from tuple(self.items)
        if len(self.items) < self.alphabet.items:
            yield Item(DEFAULT_TABLE, ITEMS[len(self.items)])

    def _work(self, txn: str) -> Iterator[tuple[Event, ...]]:
        alphabet = self.alphabet
        for item in self._targets():
            new = item not in self.items
            if new:
                self.items.append(item)
            if alphabet.reads:
                for label in self._labels(txn, item):
                    yield from self._with(Read(txn, item, label))
            if alphabet.writes:
                yield from self._writes(txn, item)
            if new:
                self.items.pop()
        if alphabet.predicates:
            yield from self._predicate_reads(txn)
        if alphabet.judges:
            for vote in alphabet.votes:
                yield from self._with(Judge(txn, "R", THETA, vote))
        if alphabet.callbacks:
            yield from self._with(Callback(txn, "R", "h", 0))

    def _labels(self, txn: str, item: Item) -> list[str]:
        own = self.own.get((txn, item))
        if own is not None:
            return [str(own.version)]
        return [INITIAL, *(str(write.version) for write in self.versions.get(item, []))]

    def _writes(self, txn: str, item: Item) -> Iterator[tuple[Event, ...]]:
        alphabet = self.alphabet
        written = self.versions.setdefault(item, [])
        before = self.own.get((txn, item))
        kinds: list[tuple[WriteKind, tuple[str, ...], str | None]] = [(WriteKind.UPDATE, (), None)]
        if alphabet.predicates:
            kinds.append((WriteKind.UPDATE, (PREDICATE.name,), None))
        if alphabet.deletes:
            kinds.append((WriteKind.DELETE, (), None))
        if alphabet.callbacks:
            kinds.append((WriteKind.UPDATE, (), "await"))
        for kind, predicates, operator in kinds:
            event = Write(txn, item, str(len(written) + 1), None, kind, predicates, None, operator)
            written.append(event)
            self.own[txn, item] = event
            yield from self._with(event)
            written.pop()
            if before is None:
                del self.own[txn, item]
            else:
                self.own[txn, item] = before

    def _predicate_reads(self, txn: str) -> Iterator[tuple[Event, ...]]:
        targets = list(self._targets())
        choices: list[list[tuple[str, Row] | None]] = []
        for item in targets:
            rows: list[tuple[str, Row] | None] = [None]
            for label in self._labels(txn, item):
                write = next((w for w in self.versions.get(item, []) if w.version == label), None)
                if write is None or write.matches(PREDICATE):
                    rows.append(("matched", Row(item, label)))
                if self.alphabet.unmatched and (write is None or not write.matches(PREDICATE)) and item in self.items:
                    rows.append(("unmatched", Row(item, label)))
            choices.append(rows)
        for choice in product(*choices):
            listed = [row for row in choice if row is not None]
            fresh = [row.item for _, row in listed if row.item not in self.items]
            event = PredicateRead(
                txn,
                PREDICATE,
                tuple(r for k, r in listed if k == "matched"),
                tuple(r for k, r in listed if k == "unmatched"),
            )
            self.items += fresh
            yield from self._with(event)
            for item in fresh:
                self.items.remove(item)


def event_lists(size: int, alphabet: Alphabet, *, complete: bool = False) -> Iterator[tuple[Event, ...]]:
    """Event sequences of up to `size` events; some are not well-formed (an omitted row)."""
    return _Maker(alphabet, size, complete).run()


def census(
    size: int, alphabet: Alphabet | None = None, *, complete: bool = False, orders: bool = False
) -> Iterator[Schedule]:
    """Every well-formed schedule of up to `size` events, up to renaming.

    `complete`: only those whose transactions all end. `orders`: also every other version order.
    """
    alphabet = alphabet or Alphabet()
    partitions = {Item(DEFAULT_TABLE, name): Partition("s", "p") for name in ITEMS} if alphabet.partition else {}
    for events in event_lists(size, alphabet, complete=complete):
        try:
            schedule = Schedule(events, partitions=partitions)
        except ScheduleError:
            continue
        yield schedule
        if orders:
            yield from _other_orders(schedule, partitions)


def _other_orders(schedule: Schedule, partitions: dict[Item, Partition]) -> Iterator[Schedule]:
    installed = {item: writes for item, writes in schedule.resolved.order.items() if len(writes) > 1}
    if not installed:
        return
    default = {item: tuple(_label(schedule, w) for w in writes) for item, writes in installed.items()}
    for choice in product(*(permutations(labels) for labels in default.values())):
        order = dict(zip(default, choice, strict=True))
        if order != default:
            try:
                yield Schedule(schedule.events, order=order, partitions=partitions)
            except ScheduleError:
                continue


def _label(schedule: Schedule, write: int) -> str:
    event = schedule.events[write]
    assert isinstance(event, Write) and event.version is not None
    return event.version
