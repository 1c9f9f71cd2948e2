"""Schedules over Σ⁺ for the claims of the bridge: calls at several keys, callbacks, predicates, aborts, a partition.

Built from left to right of small independent steps, each fitted to what the steps before it left (one that fits nothing
is dropped), so nothing is filtered and a counterexample shrinks by losing steps. A version may be any that the
transaction could name, so every level is left. How calls vote is a choice of its own, since the hypotheses of Lemma 1
speak of that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from toki_verify.bridge.disciplines import Discipline
from toki_verify.bridge.protocol import Bound, Protocol, State
from toki_verify.events import (
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
    Write,
    WriteKind,
)

#: How calls vote. `free`: either way. `row`: as the row that SEMANTICS §6 lets them see, the latest of an operator that
#: has not aborted, their own first; so later calls return the row. `first`: as the first call at the key.
VOTING = ("free", "row", "first")
THETA = '"theta"'
PREDICATE = Predicate("facts", "P")
PARTITIONS = (None, Partition("alice", "lives_in"), Partition("alice", "works_at"))


class Step(NamedTuple):
    """One step before it is fitted: what, by whom, on what, and which of the choices there are."""

    op: str
    txn: int
    item: int
    pick: int


@dataclass
class _Draft:
    """A schedule while it is made."""

    voting: str
    keys: str = "RS"
    events: list[Event] = field(default_factory=list)
    ended: dict[str, bool] = field(default_factory=dict)
    writes: dict[Item, list[Write]] = field(default_factory=dict)
    #: Per key: who filled the row, with which vote.
    rows: dict[str, list[tuple[str, str]]] = field(default_factory=dict)

    @property
    def started(self) -> list[str]:
        return list(dict.fromkeys(event.txn for event in self.events))

    def choices(self, txn: str, item: Item) -> list[Write | None]:
        """The versions that a transaction may see; None is the initial one."""
        mine = [write for write in self.writes.get(item, ()) if write.txn == txn]
        return [mine[-1]] if mine else [None, *self.writes.get(item, ())]

    def take(self, step: Step, items: tuple[Item, ...], txns: int) -> None:
        txn = str(step.txn % txns + 1)
        if txn in self.ended or step.op == "-":
            return
        item = items[step.item % len(items)]
        if step.op in "ca":
            if txn in self.started:
                self.ended[txn] = step.op == "c"
                self.events.append(Commit(txn) if step.op == "c" else Abort(txn))
            return
        self.events.append(self.event(step, txn, item, items))

    def event(self, step: Step, txn: str, item: Item, items: tuple[Item, ...]) -> Event:
        if step.op == "r":
            choices = self.choices(txn, item)
            return Read(txn, item, _label(choices[step.pick % len(choices)]))
        if step.op in "wid":
            label = str(len(self.writes.setdefault(item, [])) + 1)
            kind = WriteKind.DELETE if step.op == "d" else WriteKind.UPDATE
            write = Write(txn, item, label, None, kind, (PREDICATE.name,) if step.op == "i" else ())
            self.writes[item].append(write)
            return write
        if step.op == "p":
            return self.predicate_read(step, txn, items)
        if step.op == "k":
            return Callback(txn, "RS"[step.item % 2], "h", step.pick % 2)
        return self.call(step, txn)

    def predicate_read(self, step: Step, txn: str, items: tuple[Item, ...]) -> PredicateRead:
        """Every row's version is stated, so none is omitted wrongly."""
        matched, unmatched = [], []
        for place, item in enumerate(items):
            choices = self.choices(txn, item)
            chosen = choices[(step.pick >> place) % len(choices)]
            if chosen is not None and chosen.matches(PREDICATE):
                matched.append(Row(item, chosen.version))
            elif chosen is not None:
                unmatched.append(Row(item, chosen.version))
            elif self.writes.get(item):
                unmatched.append(Row(item, INITIAL))
        return PredicateRead(txn, PREDICATE, tuple(matched), tuple(unmatched))

    def call(self, step: Step, txn: str) -> Judge:
        key, vote = self.keys[step.item % len(self.keys)], str(step.pick % 2)
        rows = self.rows.setdefault(key, [])
        alive = [row for row in rows if self.ended.get(row[0], True)]
        seen = [*alive, *(row for row in alive if row[0] == txn)]
        if self.voting == "row" and seen:
            vote = seen[-1][1]
        elif self.voting == "first" and rows:
            vote = rows[0][1]
        if not seen or seen[-1][1] != vote:
            rows.append((txn, vote))
        return Judge(txn, key, THETA, vote)

    def finish(self, endings: list[int], complete: bool) -> None:
        for place, txn in enumerate(self.started):
            how = endings[place]
            if txn not in self.ended and (complete or how < 2):
                self.ended[txn] = how != 1
                self.events.append(Abort(txn) if how == 1 else Commit(txn))


def _label(write: Write | None) -> str | None:
    return INITIAL if write is None else write.version


#: A step as one number, so that drawing is quick; 0 is the step that does nothing.
_NUMBER = st.integers(0, 2**12 - 1)


def _step(number: int, ops: str) -> Step:
    """The pick in the low bits, so that small numbers do nothing."""
    op, rest = ops[(number >> 3) % len(ops)], (number >> 3) // len(ops)
    return Step(op, rest % 8, rest // 8, number & 7)


@st.composite
def with_calls(
    draw: DrawFn,
    *,
    voting: tuple[str, ...] = VOTING,
    ops: str = "jjjjrrwwipdkca",
    events: int = 16,
    txns: int = 5,
    items: int = 2,
    keys: str = "RS",
    complete: bool = True,
) -> Schedule:
    """Schedules of up to so many events, transactions and items; where `complete` every transaction ends.

    `ops`: j a call, r and w an item read and a write, i a write into the predicate P, d a delete, p a predicate read,
    k a callback, c and a ends; what stands there twice comes twice as often. Items may lie in
    one of two partitions. Shrinks to few events, of the first transaction first.
    """
    chosen = draw(st.sampled_from(voting))
    count = draw(st.integers(2, txns))
    rows = tuple(Item("facts", name) for name in "xyz"[:items])
    draft = _Draft(chosen, keys)
    for number in draw(st.lists(_NUMBER, min_size=events // 2, max_size=2 * events)):
        if len(draft.events) + len(draft.started) - len(draft.ended) < events - 1:
            draft.take(_step(number, "-" + ops), rows, count)
    draft.finish(draw(st.lists(_END, min_size=count, max_size=count)), complete)
    return partitioned(draft.events or [Commit("1")], draw(st.lists(_PART, min_size=items, max_size=items)))


def partitioned(events: Sequence[Event], chosen: list[int]) -> Schedule:
    """A schedule of these events, its items in the partitions of these numbers, by their names."""
    seen = sorted({row.item for event in events for row in _rows(event)})
    found = ((item, PARTITIONS[number]) for item, number in zip(seen, chosen, strict=False))
    return Schedule(events, partitions={item: partition for item, partition in found if partition is not None})


_PART = st.integers(0, len(PARTITIONS) - 1)
_END = st.sampled_from((0, 0, 0, 0, 1, 2))


def _rows(event: Event) -> tuple[Read | Write | Row, ...]:
    if isinstance(event, PredicateRead):
        return (*event.matched, *event.unmatched)
    return (event,) if isinstance(event, Read | Write) else ()


class Walk(NamedTuple):
    """A history of a logging discipline: every state on the way, with the events so far."""

    states: tuple[State, ...]
    events: tuple[str, ...]


@st.composite
def walks(
    draw: DrawFn, discipline: Discipline, bound: Bound, *, protocol: type[Protocol] = Protocol, length: int = 40
) -> Walk:
    """Random walks of the protocol of a discipline, of up to so many steps; stops where nothing can happen any more."""
    system = protocol(discipline, bound)
    states, events = [system.start()], [""]
    for pick in draw(st.lists(st.integers(0, 23), min_size=min(12, length), max_size=length)):
        found = list(system.steps(states[-1]))
        if not found:
            break
        step = found[pick % len(found)]
        states.append(step.state)
        events.append(" ".join((events[-1], *step.events)).strip())
    return Walk(tuple(states), tuple(events))
