"""Hunting: random schedules until one satisfies a query, then shrunk. Finding nothing proves nothing.

Programs are drawn at random and run in a store drawn at random (`stores`): the stores that wait and abort give
schedules that hold a level by construction, so that a query such as `SI and A5B` meets many schedules at SI; the others
give the rest. What no relation of the query can see is not generated: judge calls without a phenomenon about judges,
sessions without a level about sessions.

It needs no Hypothesis: that is an extra, its generation is built for variety and is some ten times slower a schedule
than these programs, and its search stops early where a query is rare.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic

from ..events import (
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
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)
from ..relations.concrete import Concrete
from ..relations.formulas import Formula, Region, Within, children
from ..relations.terms import Base, Term
from .query import Query
from .shrink import shrink
from .stores import Program, run

#: How many schedules of a hundred each store makes.
_SHARES = {"free": 35, "single": 10, "stale": 20, "committed": 10, "snapshot": 15, "locking": 10}
_NAMES = "xyzuvwabcdefghijklmnopqrst"
_TABLE = "facts"
#: Bounds that `hunt` accepts.
MAX_EVENTS, MAX_TXNS, MAX_ITEMS = 500, 50, 26


@dataclass(frozen=True)
class Hunt:
    """What a hunt found: a schedule (None: none in the time given), how many were tried, in how many seconds."""

    schedule: Schedule | None
    tried: int
    seconds: float
    seed: int
    first: Schedule | None = None


@dataclass(frozen=True)
class Bounds:
    """What the schedules of a hunt may use. `judges` … are on where a relation of the query sees them."""

    events: int = 24
    transactions: int = 5
    items: int = 3
    judges: bool = False
    callbacks: bool = False
    sessions: bool = False
    unfinished: bool = False
    partitions: tuple[Partition, ...] = ()
    tables: tuple[str, ...] = (_TABLE,)
    predicates: float = 0.35


def bounds_of(formula: Formula, *, events: int = 24, transactions: int = 5, items: int = 3) -> Bounds:
    """The bounds for a formula: every kind of event and statement that its relations see, and no other.

    Raises ValueError for numbers out of range.
    """
    for name, value, most in (
        ("events", events, MAX_EVENTS),
        ("transactions", transactions, MAX_TXNS),
        ("items", items, MAX_ITEMS),
    ):
        if not 1 <= value <= most:
            raise ValueError(f"{name} must be 1 to {most}, not {value}")
    bases, regions = _vocabulary(formula)
    partitions = [Partition(*region.partition) for region in regions if region.partition is not None]
    if bases & {"same_partition", "partition_final"} or partitions:
        partitions.append(Partition("alice", "lives_in"))
    tables = [region.table for region in regions if region.table is not None]
    return Bounds(
        events,
        transactions,
        items,
        judges=bool(bases & {"judge", "same_key", "other_vote", "unknown_vote", "log_fill"}),
        callbacks=bool(bases & {"callback", "by_await"}),
        sessions="session" in bases,
        partitions=tuple(dict.fromkeys(partitions)),
        tables=tuple(dict.fromkeys([*tables, _TABLE])),
        predicates=0.35 if bases & {"matched", "unmatched", "row_from", "matches", "same_predicate"} else 0.0,
    )


def _vocabulary(formula: Formula) -> tuple[set[str], list[Region]]:
    """The base relations and the regions a formula names, each tree looked at once."""
    bases: set[str] = set()
    regions: list[Region] = []
    seen: set[int] = set()
    stack: list[Term | Formula] = [formula]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Base):
            bases.add(node.name)
        if isinstance(node, Within):
            regions.append(node.region)
        stack += children(node)
    return bases, regions


def hunt(
    query: Query,
    *,
    seconds: float = 10.0,
    seed: int = 0,
    max_events: int = 24,
    transactions: int = 5,
    items: int = 3,
    unfinished: bool = False,
    tries: int | None = None,
    advance: Callable[[], None] = lambda: None,
) -> Hunt:
    """Look for a schedule that satisfies a query, for at most `seconds` and at most `tries` schedules.

    The schedules tried are the same for the same `seed`, query and bounds; `seconds` says only how many of them there
    are. What is found is shrunk: small, not proved smallest. Nothing found says nothing: no such schedule is known.
    Every transaction of it ends, unless `unfinished` ones may be too. `advance` is called for every schedule. Raises
    ValueError for bounds out of range.
    """
    if not seconds > 0:
        raise ValueError(f"seconds must be more than 0, not {seconds}")
    if tries is not None and tries < 1:
        raise ValueError(f"tries must be at least 1, not {tries}")
    bounds = bounds_of(query.formula, events=max_events, transactions=transactions, items=items)
    bounds = replace(bounds, unfinished=unfinished)

    def holds(schedule: Schedule) -> bool:
        resolved = schedule.resolved
        if not unfinished and len(resolved.end) < len(resolved.txns):
            return False
        return Concrete(schedule).holds(query.formula)

    begun = monotonic()
    tried = 0
    for schedule in random_schedules(bounds, seed):
        tried += 1
        advance()
        if holds(schedule):
            small = shrink(schedule, holds)
            return Hunt(small, tried, monotonic() - begun, seed, schedule)
        if monotonic() - begun >= seconds or tried == tries:
            break
    return Hunt(None, tried, monotonic() - begun, seed)


def random_schedules(bounds: Bounds, seed: int) -> Iterator[Schedule]:
    """Schedules without end, the same for the same seed."""
    rng = random.Random(seed)
    while True:
        try:
            yield _Sample(bounds, rng).schedule()
        except ScheduleError:  # a row that a stated order lets no predicate read have missed
            continue


class _Sample:
    """One random schedule: its shape, its programs, its store."""

    def __init__(self, bounds: Bounds, rng: random.Random) -> None:
        self.bounds, self.rng = bounds, rng
        self.room = max(2, rng.randint(min(4, bounds.events), bounds.events))
        most = min(bounds.transactions, max(1, self.room // 2))
        self.txns = [str(number + 1) for number in range(min(most, rng.choice((2, 2, 3, 3, 4, most))))]
        count = min(bounds.items, rng.choice((1, 2, 2, 2, 3, bounds.items)))
        self.items = [Item(rng.choice(bounds.tables), name) for name in _NAMES[:count]]
        self.predicates = ("P", "Q")[: rng.choice((1, 1, 2))] if rng.random() < bounds.predicates * 1.5 else ()
        # How much of a transaction is reads: of all alike, or each only reads or only writes (forks are made of these).
        split = rng.random() < 0.25
        share = rng.choice((0.35, 0.55, 0.55, 0.75))
        self.reading = {txn: rng.choice((0.0, 1.0)) if split else share for txn in self.txns}

    def op(self, txn: str) -> Event:
        rng, bounds = self.rng, self.bounds
        item = rng.choice(self.items)
        roll = rng.random()
        if bounds.judges and roll < 0.25:
            return Judge(txn, rng.choice("RRS"), '"theta"', rng.choice("01"))
        if bounds.callbacks and roll > 0.85:
            return Callback(txn, "R", "h", 0)
        if self.predicates and rng.random() < 0.3:
            return PredicateRead(txn, Predicate(item.table, rng.choice(self.predicates)))
        if rng.random() < self.reading[txn]:
            return Read(txn, item)
        kind = rng.choice((WriteKind.UPDATE, WriteKind.UPDATE, WriteKind.DELETE)) if self.predicates else None
        return Write(
            txn,
            item,
            kind=kind or WriteKind.UPDATE,
            predicates=tuple(name for name in self.predicates if kind is not WriteKind.DELETE and rng.random() < 0.5),
            operator="await" if bounds.callbacks and rng.random() < 0.5 else None,
        )

    def programs(self) -> list[Program]:
        """Operations shared out among the transactions, each with an end."""
        rng = self.rng
        work: dict[str, list[Event]] = {txn: [self.op(txn)] for txn in self.txns}
        for _ in range(self.room - 2 * len(self.txns)):
            txn = rng.choice(self.txns)
            work[txn].append(self.op(txn))
        aborting = 0.0 if rng.random() < 0.7 else 0.25
        return [(*work[txn], Abort(txn) if rng.random() < aborting else Commit(txn)) for txn in self.txns]

    def schedule(self) -> Schedule:
        rng, bounds = self.rng, self.bounds
        (store,) = rng.choices(list(_SHARES), list(_SHARES.values()))
        # A transaction that runs on makes longer stretches than an even choice would.
        sticky = rng.choice((0.0, 0.0, 0.5))
        last = 0

        def choose(count: int) -> int:
            nonlocal last
            last = min(last, count - 1) if rng.random() < sticky else rng.randrange(count)
            return last

        matching = [
            (item, Predicate(item.table, name)) for item in self.items for name in self.predicates if rng.random() < 0.3
        ]
        sessions: dict[str, list[str]] = {}
        if bounds.sessions:
            for txn in self.txns:
                sessions.setdefault(rng.choice(("s1", "s1", "s2", "")), []).append(txn)
            sessions.pop("", None)
        partitions = {}
        if bounds.partitions:
            partitions = {item: rng.choice(bounds.partitions) for item in self.items if rng.random() < 0.85}
        halting = 0.15 if bounds.unfinished and rng.random() < 0.4 else 0.0
        made = run(
            self.programs(),
            store,
            choose,
            partitions=partitions,
            sessions=sessions,
            matching=matching,
            stop=lambda txn: halting > 0 and rng.random() < halting,
        )
        if store == "free" and rng.random() < 0.3:
            return self.reordered(made)
        return made

    def reordered(self, made: Schedule) -> Schedule:
        """The same events with other version orders."""
        order: dict[Item, tuple[str, ...]] = {}
        for item, writes in made.resolved.order.items():
            labels = [str(event.version) for write in writes if isinstance(event := made.events[write], Write)]
            if len(labels) > 1:
                order[item] = tuple(self.rng.sample(labels, len(labels)))
        return Schedule(made.events, init=made.init, order=order, sessions=made.sessions, partitions=made.partitions)
