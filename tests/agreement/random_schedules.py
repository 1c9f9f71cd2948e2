"""Random well-formed schedules from a seed: a second generator beside `toki_verify.search.strategies`.

It is dense where that one is wide: few transactions and rows, so that cycles are frequent.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import count

from toki_verify.events import (
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Surface,
    Write,
    WriteKind,
)

ITEMS = (Item("facts", "x"), Item("facts", "y"), Item("facts", "z"), Item("memories", "x"))
PARTITIONS = (Partition("s", "p"), Partition("s", "q"))
VOTES = ("0", "1", None)


class _Draft:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.calm = rng.random() < 0.6  # everything commits, at the end of its work
        self.txns = [str(i + 1) for i in range(rng.choice((2, 3, 3, 4, 4, 4)))]
        self.items = list(ITEMS[: rng.choice((1, 2, 2, 2, 3))])
        if rng.random() < 0.15:
            self.items.append(ITEMS[3])
        self.names = ("P", "Q")[: rng.choice((1, 1, 2))]
        self.with_predicates = rng.random() < 0.5
        self.with_log = rng.random() < 0.25
        self.labelled = rng.random() < 0.9
        self.clean = rng.random() < 0.5  # read mostly what was committed: anomalies above RC
        self.matching0 = {
            (item, name) for item in self.items for name in self.names if self.with_predicates and rng.random() < 0.3
        }
        self.events: list[Event] = []
        self.open = list(self.txns)
        self.committed: set[str] = set()
        self.aborted: set[str] = set()
        self.labels = count(1)

    def work(self, size: int) -> None:
        for txn in self.txns:
            if self.rng.random() < 0.1:
                self.events.append(Begin(txn))
        while len(self.events) < size and self.open:
            txn = self.rng.choice(self.open)
            if any(event.txn == txn for event in self.events) and self.rng.random() < 0.12:
                self.end(txn)
            else:
                self.step(txn)
        for txn in self.rng.sample(self.open, len(self.open)):
            if self.calm or self.rng.random() < 0.85:
                self.end(txn)

    def end(self, txn: str) -> None:
        abort = not self.calm and self.rng.random() < 0.25
        self.events.append(Abort(txn) if abort else Commit(txn))
        (self.aborted if abort else self.committed).add(txn)
        self.open.remove(txn)

    def step(self, txn: str) -> None:
        roll = self.rng.random()
        if self.with_log and roll < 0.2:
            self.events.append(Judge(txn, self.rng.choice(("R", "R", "S")), '"theta"', self.rng.choice(VOTES)))
        elif self.with_log and roll < 0.3:
            self.events.append(Callback(txn, "R", "h", 0))
        elif self.with_predicates and roll < 0.55:
            self.predicate_read(txn)
        elif roll < 0.75:
            item = self.rng.choice(self.items)
            self.events.append(Read(txn, item, self.version(txn, item)))
        else:
            self.write(txn)

    def writes(self, item: Item) -> list[Write]:
        return [event for event in self.events if isinstance(event, Write) and event.item == item]

    def own(self, txn: str, item: Item) -> Write | None:
        return next((write for write in reversed(self.writes(item)) if write.txn == txn), None)

    def candidates(self, txn: str, item: Item) -> list[Write | None]:
        """The versions that may be read; None is version 0."""
        own = self.own(txn, item)
        if own is not None:
            return [own]
        writes = self.writes(item)
        if self.clean:
            writes = [write for write in writes if write.txn in self.committed or self.rng.random() < 0.1]
        return [None, *writes]

    def version(self, txn: str, item: Item) -> str | None:
        if not self.labelled:
            return None
        chosen = self.rng.choice(self.candidates(txn, item))
        return "0" if chosen is None else chosen.version

    def write(self, txn: str) -> None:
        item = self.rng.choice(self.items)
        predicates = tuple(name for name in self.names if self.with_predicates and self.rng.random() < 0.5)
        kind = self.rng.choice((WriteKind.UPDATE, WriteKind.UPDATE, WriteKind.INSERT, WriteKind.DELETE))
        operator = "await" if self.with_log and self.rng.random() < 0.5 else None
        label = str(next(self.labels)) if self.labelled else None
        self.events.append(Write(txn, item, label, None, kind, predicates, None, operator))

    def predicate_read(self, txn: str) -> None:
        predicate = Predicate(self.rng.choice(self.items).table, self.rng.choice(self.names))
        matched: list[Row] = []
        unmatched: list[Row] = []
        for item in self.items:
            if item.table != predicate.table:
                continue
            if not self.labelled:
                alive = [write for write in self.writes(item) if write.txn not in self.aborted]
                chosen = self.own(txn, item) or (alive[-1] if alive else None)
                stated = False
            else:
                chosen = self.rng.choice(self.candidates(txn, item))
                stated = self.rng.random() < 0.2
            matches = (item, predicate.name) in self.matching0 if chosen is None else chosen.matches(predicate)
            label = None if not self.labelled else "0" if chosen is None else chosen.version
            if matches:
                matched.append(Row(item, label))
            elif stated:
                unmatched.append(Row(item, label))
        self.events.append(PredicateRead(txn, predicate, tuple(matched), tuple(unmatched), self.rng.random() < 0.1))

    def orders(self) -> dict[Item, tuple[str, ...]]:
        orders: dict[Item, tuple[str, ...]] = {}
        for item in self.items:
            final = {write.txn: write.version for write in self.writes(item) if write.txn in self.committed}
            labels = [label for label in final.values() if label is not None]
            if len(labels) == len(final) > 1 and self.rng.random() < 0.4:
                orders[item] = tuple(self.rng.sample(labels, len(labels)))
        return orders

    def schedule(self) -> Schedule:
        sessions: dict[str, tuple[str, ...]] = {}
        present = list(dict.fromkeys(event.txn for event in self.events))
        if self.rng.random() < 0.4:
            self.rng.shuffle(present)
            for txn in present:
                name = self.rng.choice(("s1", "s2"))
                sessions[name] = (*sessions.get(name, ()), txn)
        partitions: dict[Item, Partition] = {}
        if self.rng.random() < 0.5:
            for item in self.items:
                if self.rng.random() < 0.85:
                    partitions[item] = PARTITIONS[self.rng.random() < 0.15]
        init: dict[Item, InitialVersion] = {}
        for item in self.items:
            names = tuple(name for name in self.names if (item, name) in self.matching0)
            if names and self.rng.random() < 0.7:
                init[item] = InitialVersion(None, names)
            elif self.rng.random() < 0.1:
                init[item] = InitialVersion("5")
        if self.rng.random() < 0.05:  # rows that no event names
            init[Item("facts", "u")] = InitialVersion("5")
            partitions[Item("facts", "u")] = partitions[Item("facts", "v")] = PARTITIONS[0]
        return Schedule(self.events, init=init, order=self.orders(), sessions=sessions, partitions=partitions)


PROVENANCES = (None, "p", "q", "p+q", "2*p", "p*q+p", "0", "1+p+q", "p^2")
SURFACES: tuple[tuple[Surface, ...], ...] = (
    (),
    (),
    (Surface("current"),),
    (Surface("closed"),),
    (Surface("history", "audit"), Surface("audit", "memories")),
    (Surface("audit"), Surface("current", "memories")),
    (Surface("closed", "facts"), Surface("audit", "history")),
)


def annotated(schedule: Schedule, rng: random.Random) -> Schedule:
    """The schedule with provenances and a surface; some of its items are rows of a log or of an audit table."""
    chosen: dict[Item, Item] = {}
    if not any(isinstance(event, PredicateRead) for event in schedule.events):
        for item in (*ITEMS, Item("facts", "u"), Item("facts", "v")):
            table = rng.choice((item.table, item.table, "audit", "history"))
            chosen[item] = Item(table, f"{item.table}.{item.name}" if table != item.table else item.name)

    def moved(item: Item) -> Item:
        return chosen.get(item, item)

    events = []
    for event in schedule.events:
        if isinstance(event, Write):
            event = replace(event, item=moved(event.item), prov=rng.choice(PROVENANCES))
        elif isinstance(event, Read):
            event = replace(event, item=moved(event.item))
        events.append(event)
    init = {moved(item): about._replace(prov=rng.choice(PROVENANCES)) for item, about in schedule.init.items()}
    if rng.random() < 0.2:
        init.setdefault(Item("audit", "old"), InitialVersion(None, (), rng.choice(PROVENANCES)))
    return Schedule(
        events,
        init=init,
        order={moved(item): labels for item, labels in schedule.order.items()},
        sessions=schedule.sessions,
        partitions={moved(item): partition for item, partition in schedule.partitions.items()},
        surface=rng.choice(SURFACES),
    )


def random_schedule(seed: int | str, size: int = 14) -> Schedule:
    """A schedule of about `size` events or fewer, the same for the same seed."""
    rng = random.Random(seed)
    while True:
        draft = _Draft(rng)
        draft.work(rng.randint(3, max(3, size - 2)))
        try:
            found = draft.schedule()
        except ScheduleError:
            continue
        more = random.Random(f"annotated {seed}")
        return annotated(found, more) if more.random() < 0.5 else found
