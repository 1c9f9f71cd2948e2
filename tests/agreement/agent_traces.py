"""Traces of agents with planted offenders, whose numbers are known: as JSON Lines, as arrays, and as schedules."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from columnar_cases import crowded_schedule
from random_schedules import _Draft, annotated

from toki_verify.events import Abort, Commit, Event, Item, Judge, Partition, Schedule, ScheduleError
from toki_verify.histories.columns import COMMITTED
from toki_verify.histories.trace import J, Trace

Json = dict[str, object]


@dataclass(frozen=True)
class Plan:
    """What a trace holds. Each of `keys` judge keys is called once in each of `rounds` rounds and votes 0, but: the
    first `differing` ones vote 1 in the second round; the next `aborted` ones do, in a transaction that aborts; the
    last `unknown` ones do not tell their vote in the last round. Of `partitions` partitions with rows x and y the last
    `skewed` ones are read by `crowd` transactions at once, which then write x and y in turn; the others by one after
    the other. Of `beliefs`, each overwritten once, the first `current` ones are part of what overwrites them, the next
    `history` and `audit` ones of a row of those tables, and the others of nothing."""

    keys: int = 40
    rounds: int = 3
    differing: int = 5
    aborted: int = 4
    unknown: int = 6
    partitions: int = 12
    skewed: int = 3
    crowd: int = 5
    beliefs: int = 30
    current: int = 8
    history: int = 7
    audit: int = 6
    batch: int = 7

    @property
    def pairs(self) -> int:
        """Pairs with N2 of one skewed partition: a writer of x and one of y."""
        return (self.crowd + 1) // 2 * (self.crowd // 2)

    @property
    def lifted_pairs(self) -> int:
        """Pairs with N2[lifted] of one skewed partition: any two."""
        return self.crowd * (self.crowd - 1) // 2


def events_of(plan: Plan) -> Iterator[Json]:
    """The events, as objects of JSON Lines."""
    yield from _judged(plan)
    for number in range(plan.partitions):
        yield from _skewed(plan, number) if number >= plan.partitions - plan.skewed else _serial(number)
    for number in range(plan.beliefs):
        yield from _believed(plan, number)


def lines_of(plan: Plan) -> bytes:
    """The file."""
    return "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events_of(plan)).encode()


def key_name(number: int) -> tuple[str, str]:
    """The key (R, θ) of a number."""
    return f"R{number}", '"theta"'


def _judged(plan: Plan) -> Iterator[Json]:
    calls, txn = 0, 0
    for of_round in range(plan.rounds):
        for key in range(plan.keys):
            call: Json = {"op": "j", "R": f"R{key}", "theta": "theta", "vote": 0}
            if of_round == 1 and plan.differing <= key < plan.differing + plan.aborted:
                yield {**call, "txn": f"gone{key}", "vote": 1}
                yield {"op": "a", "txn": f"gone{key}"}
            if of_round == 1 and key < plan.differing:
                call["vote"] = 1
            if of_round == plan.rounds - 1 and key >= plan.keys - plan.unknown:
                del call["vote"]
            yield {**call, "txn": f"judge{txn}"}
            calls += 1
            if calls % plan.batch == 0:
                yield {"op": "c", "txn": f"judge{txn}"}
                txn += 1
    if calls % plan.batch:
        yield {"op": "c", "txn": f"judge{txn}"}


def _access(op: str, txn: str, partition: int, row: str, version: str) -> Json:
    item = f"{row}{partition}"
    return {"op": op, "txn": txn, "item": item, "version": version, "partition": f"s{partition}.p"}


def _serial(number: int) -> Iterator[Json]:
    """One reads both rows and writes x, then the other reads both rows and writes y."""
    for txn, row in (("a", "x"), ("b", "y")):
        name = f"{txn}{number}"
        yield _access("r", name, number, "x", "0" if row == "x" else f"a{number}")
        yield _access("r", name, number, "y", "0")
        yield _access("w", name, number, row, name)
        yield {"op": "c", "txn": name}


def _skewed(plan: Plan, number: int) -> Iterator[Json]:
    names = [f"t{number}.{one}" for one in range(plan.crowd)]
    for name in names:
        yield _access("r", name, number, "x", "0")
        yield _access("r", name, number, "y", "0")
    for one, name in enumerate(names):
        yield _access("w", name, number, "xy"[one % 2], name)
    for name in names:
        yield {"op": "c", "txn": name}


def _believed(plan: Plan, number: int) -> Iterator[Json]:
    def write(txn: str, table: str, item: str, prov: str, **more: object) -> Json:
        return {"op": "w", "txn": txn, "table": table, "item": item, "version": txn, "prov": prov, **more}

    belief, first, second = f"m{number}", f"first{number}", f"second{number}"
    yield write(first, "beliefs", belief, f"p{number}", insert=True)
    yield {"op": "c", "txn": first}
    kept = number < plan.current
    yield write(second, "beliefs", belief, f"p{number}+q{number}" if kept else f"q{number}")
    place = number - plan.current
    if 0 <= place < plan.history + plan.audit:
        table = "history" if place < plan.history else "audit"
        yield write(second, table, belief, f"p{number}*p{number}", insert=True)
    yield {"op": "c", "txn": second}


def judge_trace(calls: int, keys: int, differing: int, votes: int = 3, batch: int = 5) -> Trace:
    """Judge calls alone, as arrays: call n is at key n modulo `keys`, in a transaction of `batch` calls that commits.
    All vote 0, but at the last `differing` keys call r of a key votes r modulo `votes`."""
    call = np.arange(calls, dtype=np.int64)
    key = (call % keys).astype(np.int32)
    vote = np.where(key >= keys - differing, call // keys % votes, 0).astype(np.int32)
    txn = call // batch
    count = int(txn[-1]) + 1
    end = np.minimum((np.arange(1, count + 1) * (batch + 1)) - 1, calls + count - 1)
    none, nothing = np.full(calls, -1, np.int32), np.zeros(0, np.int32)
    return Trace(
        source="judges",
        events=calls + count,
        start=(np.arange(count) * (batch + 1)).astype(np.int32),
        end=end.astype(np.int32),
        outcome=np.full(count, COMMITTED, np.int8),
        session=np.full(count, -1, np.int32),
        place=np.full(count, -1, np.int32),
        table=nothing,
        partition=nothing,
        kind=np.full(calls, J, np.int8),
        event=(call + txn).astype(np.int32),
        txn=txn.astype(np.int32),
        item=none,
        predicate=none,
        version=none,
        key=key,
        vote=vote,
        version_item=nothing,
        writer=nothing,
        rank=nothing,
        final=nothing.astype(bool),
        row=nothing.astype(bool),
        by_await=nothing.astype(bool),
        first_match=np.zeros(1, np.int32),
        matches=nothing,
        prov=nothing,
        transactions=range_names("T", count),
        sessions=[],
        tables=[],
        partitions=[],
        items=[],
        predicates=[],
        labels=[],
        keys=[(f"R{number}", '"theta"') for number in range(keys)],
        votes=[str(vote) for vote in range(votes)],
        provenances=[],
    )


def range_names(letter: str, count: int) -> list[str]:
    """A name a number."""
    return [f"{letter}{number}" for number in range(count)]


VOTES = ("0", "1", '"a"', None)


def _wide_schedule(rng: random.Random) -> Schedule:
    """A crowded schedule of five or six items, most reads of what was there at first."""
    while True:
        draft = _Draft(rng)
        draft.txns = [str(number + 1) for number in range(rng.randint(5, 9))]
        draft.open = list(draft.txns)
        draft.items = [Item("facts", f"k{number}") for number in range(rng.choice((5, 6)))]
        draft.labelled = draft.calm = draft.clean = True
        draft.work(rng.randint(40, 70))
        try:
            return annotated(draft.schedule(), rng)
        except ScheduleError:
            continue


def agent_schedule(seed: int) -> Schedule:
    """A schedule of many transactions whose items lie in two partitions or none, and in which they call judges."""
    rng = random.Random(f"agents {seed}")
    found = crowded_schedule(seed) if seed % 2 else _wide_schedule(rng)
    partitions: dict[Item, Partition] = {}
    for item in found.resolved.items:
        if rng.random() < 0.9:
            partitions[item] = Partition("s", rng.choice("pq"))
    open_: set[str] = set()
    events: list[Event] = []
    for event in found.events:
        open_.add(event.txn)
        events.append(event)
        if isinstance(event, (Commit, Abort)):
            open_.discard(event.txn)
        while open_ and rng.random() < 0.3:
            txn = rng.choice(sorted(open_))
            events.append(Judge(txn, rng.choice("RSTU"), rng.choice(('"t"', '"u"')), rng.choice(VOTES)))
    return Schedule(
        events,
        init=found.init,
        order=found.order,
        sessions=found.sessions,
        surface=found.surface,
        partitions=partitions,
    )
