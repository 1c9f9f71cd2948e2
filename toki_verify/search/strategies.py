"""Hypothesis strategies: names, values, events and well-formed schedules of everything the model has.

A schedule is built from left to right: a list of small independent steps is drawn, and each is fitted to the state that
the steps before it left (a step that fits nothing is dropped). So nothing is filtered, and a counterexample shrinks by
deleting steps. Every feature beyond `r w c` is switched on by a set that shrinks to the empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ..events import (
    DEFAULT_TABLE,
    INITIAL,
    OPERATORS,
    SURFACE_PARTS,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Expectation,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Surface,
    Write,
    WriteKind,
)
from ..events.limits import EVENTS
from ..events.names import name_fault, normal_name
from ..events.values import JsonText, json_text

Extra = tuple[tuple[str, JsonText], ...]

#: Names that are hard to print or to read back, each for another reason.
HARD_NAMES: Final = (
    "in", "prov", "by", "0", "7", "00", "01", "1a", "m0", "x.y", "a-b", "-", "-a", ".", "...", ".a", "a.", "_", "T",
    "T1", "user 7/pref", "a:b", "a/b", 'q"uote', "back\\slash", "#", "a#b", "[", "]", "{P: x0}", "x@1", "=", ",", ";",
    " ", "\t", "\n", "\u2028", "\ufeff", "\x85", "\x7f", "é", "ß", "数据", "\u0301x", "x\u0323", "क्षि", "٣", "x٣", "²",
    "Ⅷ", "😀", "null", "true", "1e5", "theta", "schedule", "note",
)
_LETTERS: Final = "abcxyzÅéλж字ाः\u0323_.-0179"
_FEATURES: Final = (
    "values", "kinds", "predicates", "partial", "unlabelled", "labels", "begin", "prov", "operators", "judges",
    "callbacks", "names", "tables", "partitions", "init", "order", "sessions", "surface", "words", "expect",
)
_JSON_FEATURES: Final = ("times", "extra", "theta")


def names() -> SearchStrategy[str]:
    """Names of items, tables, transactions, versions …: plain ones first, then every kind that needs quotes."""
    return st.one_of(
        st.sampled_from(("x", "y", "z", "alice", "lives_in")),
        st.text(_LETTERS, min_size=1, max_size=6).map(normal_name),
        st.sampled_from(HARD_NAMES).map(normal_name),
        st.text(min_size=1, max_size=6).map(_made_name),
    )


def _made_name(text: str) -> str:
    name = normal_name(text.replace("\0", "0"))
    return "x" if name_fault(name) else name


def json_values(*, max_leaves: int = 4) -> SearchStrategy[JsonText]:
    """JSON values as canonical text, nested ones too."""
    if max_leaves < 1:
        raise ValueError(f"max_leaves must be at least 1, not {max_leaves}")
    return _values(max_leaves)


def _values(max_leaves: int) -> SearchStrategy[JsonText]:
    scalars: SearchStrategy[object] = st.one_of(
        st.integers(0, 100), st.none(), st.booleans(), st.integers(), names(), st.text(max_size=6),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from(("e\u0301", "50", "-1", "NaN", 10**20, 10**22, 1e21, -0.0, 5e-324, 0.1, "a b", "")),
    )
    nested = st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=max_leaves)
    return nested.map(json_text)


_LEAF: Final = _values(3)
_NAME: Final = names()
_TXN: Final = st.one_of(st.integers(0, 99).map(str), _NAME)
_LABEL: Final = st.one_of(st.integers(1, 99).map(str), _NAME)
_TABLE: Final = st.one_of(st.just(DEFAULT_TABLE), _NAME)
_PROV: Final = st.lists(
    st.lists(st.sampled_from(("p1", "p2", "t1", "2", "p1^2", "é.1")), min_size=1, max_size=3).map("*".join),
    min_size=1, max_size=3).map("+".join)
_LINE: Final = st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), min_size=1, max_size=12).map(
    lambda text: text.strip() or "note")
_EXTRA: Final[SearchStrategy[Extra]] = st.dictionaries(
    st.one_of(st.sampled_from(("text", "model", "réf", " ", "x y")), st.text(max_size=3).map("_{}".format)), _LEAF,
    max_size=2).map(lambda found: tuple(found.items()))
_TIME: Final = st.one_of(st.integers(0, 10**6), st.floats(-1e9, 1e9)).map(json_text)
_THETA_NAME: Final = _NAME.filter(lambda name: name != "θ").map(json_text)
_THETA_TUPLE: Final = st.fixed_dictionaries({}, optional={
    "prompt": st.text(max_size=4), "seed": st.integers(0, 9), "model": st.just("stub"),
    "temperature": st.floats(0, 2), "tool_hash": st.none(),
}).map(json_text)
_MAYBE_LEAF: Final = st.none() | _LEAF
_MAYBE_PROV: Final = st.none() | _PROV
_MAYBE_OPERATOR: Final = st.none() | st.sampled_from(OPERATORS)
_MAYBE_TIME: Final = st.none() | _TIME
_MAYBE_NAME: Final = st.none() | _NAME
_TEXT: Final = st.none() | st.lists(_LINE, min_size=1, max_size=2).map("\n".join)
_THETA: Final = st.just('"theta"') | _THETA_NAME
_ANY_THETA: Final = st.just('"theta"') | _THETA_TUPLE | _THETA_NAME
_MATCHES: Final = st.lists(st.integers(0, 1), max_size=2, unique=True).map(tuple)
_TXNS: Final = st.sampled_from((2, 3, 26))
_ITEMS: Final = st.sampled_from((2, 1, 26))
_MOSTLY: Final = st.sampled_from((True, True, False, True, True))
_ENDING: Final = st.sampled_from((0, 1, 0, 2, 0, 0))
_ORDER: Final = st.sampled_from((0, 1, 2, 1))
_LEAST: Final = st.sampled_from((1, 4, 8))
_WORDS: Final = st.lists(
    st.sampled_from(("P0", "P4", "A5B", "P3[broad]", "G-single", "N3[audit]", "RC", "SR@judge_log", "PL-3")),
    min_size=1, max_size=3).map(tuple)
_SURFACE: Final = st.lists(
    st.builds(Surface, st.sampled_from(SURFACE_PARTS), _MAYBE_NAME), max_size=3, unique=True)
_EXPECTATION: Final = st.one_of(
    st.builds(Expectation, st.sampled_from(("present", "absent")), _WORDS),
    st.builds(Expectation, st.just("level"), _WORDS, st.sampled_from((None, "adya", "session"))))


def events(*, json_only: bool = False) -> SearchStrategy[Event]:
    """Single events of every kind, each by itself (no schedule around it need exist).

    With `json_only` also times, unknown keys and decoder tuples, which text cannot hold.
    """
    item = st.builds(Item, _TABLE, _NAME)
    value = _MAYBE_LEAF
    rest: dict[str, SearchStrategy[Any]] = {"time": _MAYBE_TIME, "extra": _EXTRA} if json_only else {}
    theta = _THETA_NAME | _THETA_TUPLE if json_only else _THETA_NAME
    vote = st.none() | _LEAF.filter(lambda text: text != "null")
    return st.one_of(
        st.builds(Begin, _TXN, **rest), st.builds(Commit, _TXN, **rest), st.builds(Abort, _TXN, **rest),
        st.builds(Read, _TXN, item, st.none() | _LABEL, value, **rest),
        st.builds(Write, _TXN, item, st.none() | _LABEL, value, st.sampled_from(WriteKind),
                  st.lists(_NAME, max_size=2, unique=True).map(tuple), st.none() | _PROV,
                  st.none() | st.sampled_from(OPERATORS), **rest),
        _predicate_reads(json_only, rest),
        st.builds(Judge, _TXN, _NAME, theta, vote, **rest),
        st.builds(Callback, _TXN, _NAME, _NAME, st.integers(0, 999), **rest))


def _predicate_reads(json_only: bool, rest: dict[str, SearchStrategy[Any]]) -> SearchStrategy[PredicateRead]:
    row = st.tuples(_NAME, st.none() | _LABEL, _EXTRA if json_only else st.just(()))

    def build(table: str, name: str, rows: list[tuple[str, str | None, Extra]], cut: int, partial: bool, txn: str,
              **others: Any) -> PredicateRead:
        made = [Row(Item(table, item), label, extra) for item, label, extra in rows]
        return PredicateRead(txn, Predicate(table, name), tuple(made[:cut]), tuple(made[cut:]), partial, **others)

    return st.builds(build, _TABLE, _NAME, st.lists(row, max_size=3, unique_by=lambda found: found[0]),
                     st.integers(0, 3), st.booleans(), _TXN, **rest)


def schedules(
    *,
    classical: bool = False,
    json_only: bool = False,
    max_events: int = 16,
    max_txns: int = 4,
    max_items: int = 3,
) -> SearchStrategy[Schedule]:
    """Well-formed schedules.

    `classical`: only begins, item reads, updates, commits and aborts, with version numbers. `json_only`: also what text
    cannot hold (times, unknown keys, decoder tuples). At most `max_events` events of `max_txns` transactions on
    `max_items` items.
    """
    if classical and json_only:
        raise ValueError("classical schedules hold nothing of JSON alone: pass one of classical and json_only")
    if not 1 <= max_events <= EVENTS:
        raise ValueError(f"max_events must be 1 to {EVENTS}, not {max_events}")
    if not 1 <= max_txns <= 26:
        raise ValueError(f"max_txns must be 1 to 26, not {max_txns}")
    if not 1 <= max_items <= 26:
        raise ValueError(f"max_items must be 1 to 26, not {max_items}")
    features = ("begin",) if classical else (*_FEATURES, *_JSON_FEATURES) if json_only else _FEATURES
    return _schedules(features, max_events, max_txns, max_items)


@st.composite
def _schedules(draw: DrawFn, features: Sequence[str], max_events: int, max_txns: int, max_items: int) -> Schedule:
    on = draw(_features(tuple(features)))
    # Few transactions on few items meet more often; a longer least length makes the short schedules rarer.
    txns, items = min(draw(_TXNS), max_txns), min(draw(_ITEMS), max_items)
    builder = _Builder(_vocabulary(draw, on, txns, items), max_events)
    least = min(draw(_LEAST), max_events)
    for step in draw(st.lists(_step(on, txns, items), min_size=least, max_size=max_events)):
        builder.take(step)
    builder.finish(draw(st.lists(_ENDING, min_size=txns, max_size=txns)))
    return _dressed(draw, on, builder)


@cache
def _features(features: tuple[str, ...]) -> SearchStrategy[frozenset[str]]:
    return st.one_of(
        st.just(frozenset[str]()), st.frozensets(st.sampled_from(features)), st.just(frozenset(features)))


# -- what a schedule speaks of ---------------------------------------------------------------------------------------


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


@st.composite
def _step(draw: DrawFn, on: frozenset[str], max_txns: int, max_items: int) -> _Step:
    # Reads and writes are what schedules are about. The simplest comes first.
    ops = ["r", "w", "c", "r", "w", "a"]
    ops += ["b"] if "begin" in on else []
    ops += ["cb"] if "callbacks" in on else []
    ops += ["j", "j"] if "judges" in on else []
    ops += ["p", "p"] if "predicates" in on else []
    ops += ["r", "w", "c", "w"]
    step = _Step(draw(st.sampled_from(ops)), draw(st.integers(0, max_txns - 1)))
    more: dict[str, Any] = {}
    if step.op in ("r", "w"):
        more["item"] = draw(st.integers(0, max_items - 1))
        if "values" in on:
            more["value"] = draw(_MAYBE_LEAF)
        if "unlabelled" in on:
            more["labelled"] = draw(_MOSTLY)
    if step.op in ("r", "p", "j"):
        more["pick"] = draw(st.integers(0, 7))
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
        more["request"], more["pick"] = draw(_NAME), draw(st.integers(0, 10**9 - 1))
    if "times" in on:
        more["time"] = draw(_MAYBE_TIME)
    if "extra" in on:
        more["extra"] = draw(_EXTRA)
    return replace(step, **more)


# -- fitting steps to states -----------------------------------------------------------------------------------------


@dataclass
class _Builder:
    words: _Vocabulary
    room: int
    events: list[Event] = field(default_factory=list)
    started: list[str] = field(default_factory=list)
    ended: dict[str, bool] = field(default_factory=dict)
    writes: dict[Item, list[Write]] = field(default_factory=dict)
    shown_initial: set[tuple[Item, Predicate]] = field(default_factory=set)
    mentioned: dict[Item, None] = field(default_factory=dict)

    def take(self, step: _Step) -> None:
        """Add the event that the step means now, if it means one."""
        txns = self.words.txns
        txn = next((txn for txn in (*txns[step.txn :], *txns[: step.txn]) if txn not in self.ended), None)
        if txn is None or len(self.events) >= self.room:
            return
        fit: Callable[[str, _Step], Event | None] = getattr(self, f"_{step.op}")
        event = fit(txn, step)
        if event is None:
            return
        if step.time is not None or step.extra:
            event = replace(event, time=step.time, extra=step.extra)
        self._add(event)

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
            if txn in self.started and txn not in self.ended and how < 2 and len(self.events) < self.room:
                self._add(Commit(txn) if how == 0 else Abort(txn))

    def _b(self, txn: str, step: _Step) -> Event | None:
        return None if txn in self.started else Begin(txn)

    def _c(self, txn: str, step: _Step) -> Event | None:
        return Commit(txn)

    def _a(self, txn: str, step: _Step) -> Event | None:
        return Abort(txn)

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
        return Write(txn, item, label if step.labelled else None, step.value, step.kind,
                     tuple(mine[index] for index in step.matches), step.prov, step.operator)

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
            (write.version, write) for write in self.writes.get(item, ()) if write.version is not None]
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
            self.ended.get(write.txn, True) and not write.matches(predicate) for write in self.writes.get(item, ()))


# -- what a file says about the events -------------------------------------------------------------------------------


def _dressed(draw: DrawFn, on: frozenset[str], builder: _Builder) -> Schedule:
    words = builder.words
    init = _init(draw, on, builder)
    more: dict[str, Any] = {"init": init}
    mentioned = [item for item in words.items if item in builder.mentioned or item in init]
    if "order" in on:
        more["order"] = _order(draw, builder, mentioned)
    if "sessions" in on:
        members: dict[str, list[str]] = {}
        keys = draw(st.lists(_NAME, min_size=2, max_size=2, unique=True)) if "names" in on else ["s1", "2"]
        for txn in draw(st.permutations(builder.started)):
            number = draw(st.integers(0, 2))
            if number:
                members.setdefault(keys[number - 1], []).append(txn)
        more["sessions"] = members
    if "surface" in on:
        more["surface"] = draw(_SURFACE)
    if "words" in on:
        more["name"], more["source"], more["note"] = draw(_MAYBE_NAME), draw(_TEXT), draw(_TEXT)
    if "expect" in on:
        more["expect"] = draw(st.lists(_EXPECTATION, max_size=3))
    if "extra" in on:
        more["extra"] = draw(_EXTRA)
    more["partitions"] = {item: words.partitions[item] for item in mentioned if item in words.partitions}
    return Schedule(builder.events, **more)


def _init(draw: DrawFn, on: frozenset[str], builder: _Builder) -> dict[Item, InitialVersion]:
    init: dict[Item, InitialVersion] = {}
    for item in builder.words.items:
        needed = [predicate.name for predicate in builder.words.predicates
                  if (item, predicate) in builder.words.initial - builder.shown_initial]
        if "init" in on and draw(st.booleans()):
            prov = draw(_MAYBE_PROV) if "prov" in on else None
            init[item] = InitialVersion(draw(_MAYBE_LEAF), tuple(needed), prov)
        elif needed:
            init[item] = InitialVersion(None, tuple(needed))
    return init


def _order(draw: DrawFn, builder: _Builder, mentioned: list[Item]) -> dict[Item, tuple[str, ...]]:
    order: dict[Item, tuple[str, ...]] = {}
    for item in mentioned:
        final = {write.txn: write.version for write in builder.writes.get(item, ())}
        installed = [label for txn, label in final.items() if builder.ended.get(txn, False)]
        labels = [label for label in installed if label is not None]
        how = draw(_ORDER) if len(labels) == len(installed) else 0
        if how:
            order[item] = tuple(reversed(labels) if how == 1 else draw(st.permutations(labels)))
    return order


__all__ = ["HARD_NAMES", "events", "json_values", "names", "schedules"]
