"""Steps, and the schedule they are fitted into, from left to right."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ...events import (
    DEFAULT_TABLE,
    INITIAL,
    Abort,
    Begin,
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
    Write,
    WriteKind,
)
from ...events.values import JsonText
from .atoms import (
    _ANY_THETA,
    _DRESSED,
    _EXTRA,
    _LABEL,
    _MATCHES,
    _MAYBE_LEAF,
    _MAYBE_OPERATOR,
    _MAYBE_PROV,
    _MAYBE_TIME,
    _MOSTLY,
    _NAME,
    _THETA,
    _TXN,
    Extra,
)


@dataclass(frozen=True)
class _Vocabulary:
    items: list[Item]
    predicates: list[Predicate]
    txns: list[str]
    reads: list[str]
    initial: frozenset[tuple[Item, Predicate]]
    partitions: dict[Item, Partition]


def _vocabulary(draw: DrawFn, on: frozenset[str], max_txns: int, max_items: int) -> _Vocabulary:
    letters = "xyzabcdefghijklmnopqrstuvw"
    items = list(letters[:max_items])
    predicates, txns, reads = ["P", "Q"], [str(number + 1) for number in range(max_txns)], ["R", "S"]
    if "names" in on:
        # Items and predicates have different names: `r1[P]` is a predicate read where P is a predicate.
        found = draw(st.lists(_NAME, min_size=max_items + 2, max_size=max_items + 2, unique=True))
        items, predicates = found[:max_items], found[max_items:]
        txns = draw(st.lists(_TXN, min_size=max_txns, max_size=max_txns, unique=True))
        reads = draw(st.lists(_NAME, min_size=2, max_size=2))
    tables = [DEFAULT_TABLE, draw(_NAME) if "names" in on else "memories"] if "tables" in on else [DEFAULT_TABLE]
    table_of = st.sampled_from(tables)
    placed = [Item(draw(table_of) if len(tables) > 1 else DEFAULT_TABLE, name) for name in items]
    selections = [Predicate(table, name) for table in dict.fromkeys(tables) for name in predicates]
    initial: frozenset[tuple[Item, Predicate]] = frozenset()
    pairs = [(item, predicate) for item in placed for predicate in selections if item.table == predicate.table]
    if "predicates" in on and pairs:
        initial = draw(st.frozensets(st.sampled_from(pairs), max_size=3))
    partitions = {}
    if "partitions" in on:
        part = st.builds(Partition, _NAME, _NAME) if "names" in on else st.just(Partition("alice", "lives_in"))
        for item, partition in zip(placed, draw(st.tuples(*(st.none() | part for _ in placed))), strict=True):
            if partition is not None:
                partitions[item] = partition
    return _Vocabulary(placed, selections, txns, reads, initial, partitions)


# -- steps -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Step:
    """One step before it is fitted to a state; numbers are taken modulo what there is to choose from."""

    op: str
    txn: int
    item: int = 0
    pick: int = 0
    labelled: bool = True
    label: str | None = None
    value: JsonText | None = None
    kind: WriteKind = WriteKind.UPDATE
    matches: tuple[int, ...] = ()
    prov: str | None = None
    operator: str | None = None
    rows: tuple[int, ...] = ()
    partial: bool = False
    theta: JsonText = '"theta"'
    request: str = "h"
    time: JsonText | None = None
    extra: Extra = ()


_NOTHING = _Step("", 0)


@cache
def _kinds_of_step(on: frozenset[str], aborts: bool) -> SearchStrategy[str]:
    # Reads and writes are what schedules are about. The simplest step is none at all: what a property does not need
    # shrinks to nothing in one step, and need not be deleted.
    ops = ["", "r", "w", "c", "r", "w", "a" if aborts else "r"]
    ops += ["b"] if "begin" in on else []
    ops += ["cb"] if "callbacks" in on else []
    ops += ["j", "j"] if "judges" in on else []
    ops += ["p", "p"] if "predicates" in on else []
    ops += ["r", "w", "c", "w"]
    return st.sampled_from(ops)


@cache
def _below(bound: int) -> SearchStrategy[int]:
    return st.integers(0, bound - 1)


@cache
def _steps(on: frozenset[str], max_txns: int, max_items: int, aborts: bool, most: int) -> SearchStrategy[list[_Step]]:
    return st.lists(_step(on, max_txns, max_items, aborts), max_size=most)


@st.composite
def _step(draw: DrawFn, on: frozenset[str], max_txns: int, max_items: int, aborts: bool) -> _Step:
    op = draw(_kinds_of_step(on, aborts))
    if not op:
        return _NOTHING
    step = _Step(op, draw(_below(max_txns)))
    more: dict[str, Any] = {}
    if step.op in ("r", "w"):
        more["item"] = draw(_below(max_items))
    if step.op in ("r", "p", "j"):
        more["pick"] = draw(_below(8))
    # One choice that shrinks to a bare event, drawn whatever is switched on: a feature can then be switched off without
    # a change in the choices of the steps.
    if not draw(_DRESSED) and step.op not in ("p", "j", "cb"):
        return replace(step, **more)
    if step.op in ("r", "w"):
        if "values" in on:
            more["value"] = draw(_MAYBE_LEAF)
        if "unlabelled" in on:
            more["labelled"] = draw(_MOSTLY)
    if step.op == "w":
        if "labels" in on:
            more["label"] = draw(_LABEL)
        if "kinds" in on:
            more["kind"] = draw(st.sampled_from(WriteKind))
        if "predicates" in on:
            more["matches"] = draw(_MATCHES)
        if "prov" in on:
            more["prov"] = draw(_MAYBE_PROV)
        if "operators" in on:
            more["operator"] = draw(_MAYBE_OPERATOR)
    elif step.op == "p":
        more["rows"] = draw(st.lists(st.integers(0, 7), min_size=max_items, max_size=max_items).map(tuple))
        more["partial"] = draw(st.booleans()) if "partial" in on else False
    elif step.op == "j":
        more["theta"] = draw(_ANY_THETA if "theta" in on else _THETA)
        more["value"] = draw(_MAYBE_LEAF)
    elif step.op == "cb":
        more["request"], more["pick"] = draw(_NAME), draw(_below(10**9))
    if "times" in on:
        more["time"] = draw(_MAYBE_TIME)
    if "extra" in on:
        more["extra"] = draw(_EXTRA)
    return replace(step, **more)


# -- fitting steps to states -----------------------------------------------------------------------------------------


def _renumbered(words: _Vocabulary, built: "_Builder") -> _Vocabulary:
    """The vocabulary in which transactions and items are named in the order in which they come up.

    Of schedules that differ in names alone so one is made; and as steps know numbers, not names, leaving out a step
    changes nothing about the others.
    """
    order = [*built.started, *(txn for txn in words.txns if txn not in built.started)]
    txns = [words.txns[order.index(txn)] for txn in words.txns]
    items = words.items
    if not words.initial and not words.partitions and len({item.table for item in items}) == 1:
        met = [item for item in built.mentioned if item in items]
        met += [item for item in items if item not in built.mentioned]
        items = [items[met.index(item)] for item in items]
    return replace(words, txns=txns, items=items)


@dataclass
class _Builder:
    words: _Vocabulary
    room: int
    least: int = 0
    least_txns: int = 0
    complete: bool = False
    events: list[Event] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    ended: dict[str, bool] = field(default_factory=dict)
    writes: dict[Item, list[Write]] = field(default_factory=dict)
    shown_initial: set[tuple[Item, Predicate]] = field(default_factory=set)
    mentioned: dict[Item, None] = field(default_factory=dict)

    def take(self, step: _Step) -> None:
        """Add the event that the step means now, if it means one."""
        if not step.op:
            return
        txns = self.words.txns
        txn = next((txn for txn in (*txns[step.txn :], *txns[: step.txn]) if txn not in self.ended), None)
        if txn is None or not self._fits(txn, step.op):
            return
        fit: Callable[[str, _Step], Event | None] = getattr(self, f"_{step.op}")
        event = fit(txn, step)
        if event is None:
            return
        if step.time is not None or step.extra:
            event = replace(event, time=step.time, extra=step.extra)
        self._add(event)

    def _fits(self, txn: str, op: str) -> bool:
        """Whether there is room for the step, and for the ends that must follow; and whether not too little follows."""
        open_ = len(self.started) - len(self.ended)
        if op in ("c", "a"):
            if open_ - (txn in self.started) == 0 and len(self.events) + 1 < self.least:
                return False
            return len(self.events) + (open_ if self.complete else 1) + self._owed(txn) <= self.room
        ends = open_ + (txn not in self.started) if self.complete else 0
        return len(self.events) + 1 + ends + self._owed(txn) <= self.room

    def _owed(self, txn: str) -> int:
        """The events of the transactions that must still come, besides this one."""
        missing = self.least_txns - len(self.started) - (txn not in self.started)
        return max(0, missing) * (1 + self.complete)

    def fill(self) -> None:
        """Reads of the first item, until there are enough transactions and events."""
        while len(self.started) < self.least_txns:
            self._read_something(next(txn for txn in self.words.txns if txn not in self.started))
        while len(self.events) + (len(self.started) - len(self.ended)) * self.complete < self.least:
            open_ = [txn for txn in self.started if txn not in self.ended]
            self._read_something(open_[0] if open_ else next(txn for txn in self.words.txns if txn not in self.ended))

    def _read_something(self, txn: str) -> None:
        event = self._r(txn, _Step("r", 0))
        self._add(event if event is not None else Commit(txn))

    def _add(self, event: Event) -> None:
        self.events.append(event)
        if event.txn not in self.started:
            self.started.append(event.txn)
        if isinstance(event, (Commit, Abort)):
            self.ended[event.txn] = isinstance(event, Commit)
        if isinstance(event, (Read, Write)):
            self.mentioned[event.item] = None
        if isinstance(event, Write):
            self.writes.setdefault(event.item, []).append(event)
        elif isinstance(event, PredicateRead):
            self.mentioned.update((row.item, None) for row in (*event.matched, *event.unmatched))

    def finish(self, endings: list[int]) -> None:
        """End the open transactions: 0 commits, 1 aborts, 2 leaves unfinished."""
        for txn, how in zip(self.words.txns, endings, strict=True):
            if self.complete and how == 2:
                how = 0
            if txn in self.started and txn not in self.ended and how < 2 and len(self.events) < self.room:
                self._add(Commit(txn) if how == 0 else Abort(txn))

    def _b(self, txn: str, step: _Step) -> Event | None:
        return None if txn in self.started else Begin(txn)

    def _c(self, txn: str, step: _Step) -> Event | None:
        return Commit(txn) if txn in self.started else None

    def _a(self, txn: str, step: _Step) -> Event | None:
        return Abort(txn) if txn in self.started else None

    def _j(self, txn: str, step: _Step) -> Event | None:
        vote = None if step.value == "null" else step.value
        return Judge(txn, self.words.reads[step.pick % 2], step.theta, vote)

    def _cb(self, txn: str, step: _Step) -> Event | None:
        return Callback(txn, self.words.reads[step.pick % 2], step.request, step.pick)

    def _w(self, txn: str, step: _Step) -> Event | None:
        item = self.words.items[step.item]
        taken = {INITIAL, *(write.version for write in self.writes.get(item, ()))}
        label = step.label
        if label is None or label in taken:
            label = next(str(number) for number in range(1, len(taken) + 2) if str(number) not in taken)
        mine = [predicate.name for predicate in self.words.predicates if predicate.table == item.table]
        return Write(
            txn,
            item,
            label if step.labelled else None,
            step.value,
            step.kind,
            tuple(mine[index] for index in step.matches),
            step.prov,
            step.operator,
        )

    def _latest(self, item: Item) -> Write | None:
        """What a read without label sees: the latest write of a transaction that has not aborted."""
        alive = [write for write in self.writes.get(item, ()) if self.ended.get(write.txn, True)]
        return alive[-1] if alive else None

    def _own(self, txn: str, item: Item) -> Write | None:
        mine = [write for write in self.writes.get(item, ()) if write.txn == txn]
        return mine[-1] if mine else None

    def _choices(self, txn: str, item: Item) -> list[tuple[str | None, Write | None]]:
        """The versions that the transaction may name now, each with its write (None: version 0)."""
        own, latest = self._own(txn, item), self._latest(item)
        labelled: list[tuple[str | None, Write | None]] = [
            (write.version, write) for write in self.writes.get(item, ()) if write.version is not None
        ]
        found = [*([] if own else [(INITIAL, None)]), *labelled, (None, latest)]
        return [(label, write) for label, write in found if own is None or write is own]

    def _r(self, txn: str, step: _Step) -> Event | None:
        item = self.words.items[step.item]
        choices = self._choices(txn, item)
        if step.labelled:
            choices = [choice for choice in choices if choice[0] is not None] or choices
        else:
            choices = [choice for choice in choices if choice[0] is None] or choices
        if not choices:
            return None
        return Read(txn, item, choices[step.pick % len(choices)][0], step.value)

    def _matches(self, item: Item, write: Write | None, predicate: Predicate) -> bool:
        return (item, predicate) in self.words.initial if write is None else write.matches(predicate)

    def _p(self, txn: str, step: _Step) -> Event | None:
        predicate = self.words.predicates[step.pick % len(self.words.predicates)]
        matched: list[Row] = []
        unmatched: list[Row] = []
        partial = step.partial
        for item, number in zip(self.words.items, step.rows, strict=True):
            if item.table != predicate.table:
                continue
            options: list[tuple[str | None, Write | None] | None] = list(self._choices(txn, item))
            own = self._own(txn, item)
            if self._may_omit(item, own, predicate):
                options.insert(0, None)
            elif partial:
                options.append(None)
            chosen = options[number % len(options)] if options else None
            if not options:
                partial = True
            if chosen is None:
                continue
            label, write = chosen
            listed = matched if self._matches(item, write, predicate) else unmatched
            listed.append(Row(item, label, step.extra))
            if write is None and listed is matched:
                self.shown_initial.add((item, predicate))
        return PredicateRead(txn, predicate, tuple(matched), tuple(unmatched), partial)

    def _may_omit(self, item: Item, own: Write | None, predicate: Predicate) -> bool:
        if own is not None:
            return not own.matches(predicate)
        return not self._matches(item, None, predicate) or any(
            self.ended.get(write.txn, True) and not write.matches(predicate) for write in self.writes.get(item, ())
        )


# -- what a file says about the events -------------------------------------------------------------------------------
