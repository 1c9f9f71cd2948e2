"""Both readings side by side, by one set of names; and the part of a schedule that some accesses name."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import count

from random_schedules import ITEMS as RANDOM_ITEMS
from random_schedules import _Draft, annotated

from toki_verify.events import (
    INIT,
    Abort,
    Callback,
    Commit,
    Event,
    InitialVersion,
    Item,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)
from toki_verify.histories.columnar.decide import decide
from toki_verify.histories.columnar.found import Found
from toki_verify.histories.trace import Trace, of_schedule
from toki_verify.levels import families
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.surface import stated_rows

LEVELS = {level.full_id: level for family in families().values() for level in family.levels}


def answers(schedule: Schedule) -> Mapping[str, bool | None]:
    """What the concrete reading says of every phenomenon and level (None: undecided)."""
    concrete = Concrete(schedule)
    out: dict[str, bool | None] = {}
    for entry in catalogue().values():
        holds: bool | None = concrete.holds(entry.formula)
        if not holds and entry.undecided is not None and concrete.holds(entry.undecided):
            holds = None
        out[entry.id] = holds
    return out | {name: concrete.holds(level.formula) for name, level in LEVELS.items()}


def columnar_answers(schedule: Schedule) -> Mapping[str, bool | None]:
    """What the columnar reading says."""
    decided = decide(of_schedule(schedule))
    return {**decided.present, **decided.holds}


def describe(schedule: Schedule) -> str:
    """The schedule for a message."""
    return repr(schedule)


def narrowed(schedule: Schedule, trace: Trace, found: Found, *, own_items: bool = False) -> Schedule | None:
    """The transactions of some accesses, and of what they read, alone; None where that cannot be written down.

    Rows that a predicate read saw are all stated, and so is the order of versions, so that what is left out changes
    nothing of what is left. With `own_items` only what they do to the items of these accesses: of N3, a row of another
    item that is no longer overwritten would be a current one.
    """
    resolved, events = schedule.resolved, schedule.events
    chosen = {trace.transactions[trace.txn[access]] for access in found.accesses}
    saw = {**{at: [seen] for at, seen in resolved.saw.items()}}
    saw |= {at: [row.seen for row in rows] for at, rows in resolved.rows.items()}
    while True:
        more = {events[seen].txn for at in saw if events[at].txn in chosen for seen in saw[at] if seen != INIT}
        if more <= chosen:
            break
        chosen |= more
    if chosen >= set(resolved.txns) or any(isinstance(event, Write) and event.version is None for event in events):
        return None

    def label(write: int) -> str:
        event = events[write]
        assert write == INIT or isinstance(event, Write)
        return "0" if write == INIT else str(getattr(event, "version", None))

    kept = []
    items = {trace.items[trace.item[access]] for access in found.accesses}
    for at, event in enumerate(events):
        if event.txn not in chosen:
            continue
        if own_items and (isinstance(event, PredicateRead) or getattr(event, "item", None) not in {*items, None}):
            continue
        if isinstance(event, PredicateRead):
            rows = [(Row(row.item, label(row.seen)), row.matched) for row in resolved.rows[at]]
            event = replace(
                event,
                matched=tuple(row for row, matched in rows if matched),
                unmatched=tuple(row for row, matched in rows if not matched),
                partial=True,
            )
        kept.append(event)
    stated = [item for item in stated_rows(schedule) if not own_items or item in items]
    init = {item: schedule.init.get(item, InitialVersion()) for item in stated}
    for item, predicate in resolved.initial_matches if not own_items else ():
        about = init.get(item, InitialVersion())
        init[item] = about._replace(predicates=tuple(dict.fromkeys((*about.predicates, predicate.name))))
    try:
        return Schedule(
            kept,
            init=init,
            order={
                item: tuple(label(write) for write in order if events[write].txn in chosen)
                for item, order in resolved.order.items()
                if sum(events[write].txn in chosen for write in order) > 1 and (not own_items or item in items)
            },
            sessions={name: tuple(t for t in members if t in chosen) for name, members in schedule.sessions.items()},
            surface=schedule.surface,
            partitions=schedule.partitions,
        )
    except ScheduleError:
        return None


ITEMS = tuple(Item("facts", name) for name in "xyz")


def snapshot_schedule(seed: int) -> Schedule:
    """A run of a store with snapshots, almost: now and then a read or a write is not what the snapshot allows.

    Random schedules are seldom at SI; these mostly are, so that what the levels of engines ask on top is met both ways.
    Predicate reads state every row.
    """
    rng = random.Random(f"snapshot {seed}")
    txns = [str(number + 1) for number in range(rng.choice((3, 3, 4, 5)))]
    items = ITEMS[: rng.choice((1, 2, 3, 3))]
    slack = rng.choice((0.0, 0.0, 0.05, 0.2))
    events: list[Event] = []
    #: item -> committed versions as (commit, label, whether it matches P); what is open, by transaction.
    versions: dict[Item, list[tuple[int, str, bool]]] = {item: [(-1, "0", rng.random() < 0.3)] for item in items}
    matching = tuple(item for item in items if versions[item][0][2])
    snapshot: dict[str, int] = {}
    own: dict[str, dict[Item, tuple[str, bool]]] = {txn: {} for txn in txns}
    left = {txn: rng.randint(1, 4) for txn in txns}
    label = count(1)

    def seen(txn: str, item: Item) -> tuple[str, bool]:
        if item in own[txn]:
            return own[txn][item]
        limit = len(events) if rng.random() < slack else snapshot[txn]
        return next(version[1:] for version in reversed(versions[item]) if version[0] < limit)

    while left:
        txn, item = rng.choice(list(left)), rng.choice(items)
        if not left[txn]:
            del left[txn]
            for one, (name, matches) in own[txn].items():
                versions[one].append((len(events), name, matches))
            events.append(Commit(txn))
            continue
        left[txn] -= 1
        if rng.random() < 0.1:
            events.append(Callback(txn, "R", "h", 0))
            continue
        snapshot.setdefault(txn, len(events))
        roll = rng.random()
        if roll < 0.35:
            events.append(Read(txn, item, seen(txn, item)[0]))
        elif roll < 0.55:
            rows = [(Row(one, name), matches) for one in items for name, matches in [seen(txn, one)]]
            split = [tuple(row for row, matches in rows if matches is side) for side in (True, False)]
            events.append(PredicateRead(txn, Predicate("facts", "P"), split[0], split[1], True))
        else:
            taken = any(item in own[other] for other in left if other != txn) or versions[item][-1][0] > snapshot[txn]
            if taken and rng.random() >= slack:
                events.append(Abort(txn))
                del left[txn]
                own[txn] = {}
                continue
            own[txn][item] = (str(next(label)), rng.random() < 0.5)
            kind = WriteKind.UPDATE
            predicates = ("P",) if own[txn][item][1] else ()
            events.append(Write(txn, item, own[txn][item][0], None, kind, predicates))
    return Schedule(events, init={item: InitialVersion(None, ("P",)) for item in matching})


def crowded_schedule(seed: int) -> Schedule:
    """A random schedule of many transactions: components of some size, paths of some length."""
    rng = random.Random(f"crowded {seed}")
    while True:
        draft = _Draft(rng)
        draft.txns = [str(number + 1) for number in range(rng.randint(6, 14))]
        draft.open = list(draft.txns)
        draft.items = list(RANDOM_ITEMS[: rng.choice((2, 3, 3, 4))])
        draft.labelled = draft.labelled or rng.random() < 0.8
        draft.work(rng.randint(20, 70))
        try:
            return annotated(draft.schedule(), rng)
        except ScheduleError:
            continue
