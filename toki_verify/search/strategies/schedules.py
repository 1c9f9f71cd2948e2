"""Well-formed schedules of everything the model has."""

from functools import cache
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ...events import (
    InitialVersion,
    Item,
    Schedule,
)
from ...events.limits import EVENTS
from .atoms import (
    _ENDING,
    _ENDING_GOOD,
    _EXPECTATION,
    _EXTRA,
    _ITEMS,
    _JSON_FEATURES,
    _MAYBE_LEAF,
    _MAYBE_NAME,
    _MAYBE_PROV,
    _NAME,
    _ORDER,
    _SURFACE,
    _TEXT,
    _TXNS,
)
from .bounds import BoundsError, check_range, check_switch
from .builder import _Builder, _renumbered, _steps, _vocabulary

#: What each switch of `schedules` turns on.
_SWITCHES: Final[dict[str, tuple[str, ...]]] = {
    "predicates": ("predicates", "partial"),
    "kinds": ("kinds",),
    "judges": ("judges",),
    "callbacks": ("callbacks", "operators"),
    "orders": ("order",),
    "sessions": ("sessions",),
    "partitions": ("partitions",),
    "tables": ("tables",),
    "values": ("values", "init"),
    "unlabelled": ("unlabelled",),
    "begins": ("begin",),
    "names": ("names", "labels"),
    "annotations": ("prov", "surface", "words", "expect"),
}


def schedules(
    *,
    min_events: int = 1,
    max_events: int = 16,
    min_txns: int = 1,
    max_txns: int = 4,
    max_items: int = 3,
    classical: bool = False,
    json_only: bool = False,
    aborts: bool = True,
    complete: bool = False,
    predicates: bool | None = None,
    kinds: bool | None = None,
    judges: bool | None = None,
    callbacks: bool | None = None,
    orders: bool | None = None,
    sessions: bool | None = None,
    partitions: bool | None = None,
    tables: bool | None = None,
    values: bool | None = None,
    unlabelled: bool | None = None,
    begins: bool | None = None,
    names: bool | None = None,
    annotations: bool | None = None,
) -> SearchStrategy[Schedule]:
    """Well-formed schedules, of everything the model has unless it is switched off.

    Of `min_events` to `max_events` events, `min_txns` to `max_txns` transactions, at most `max_items` items.

    `classical`: only begins, item reads, updates, commits and aborts, with version numbers. `json_only`: also what text
    cannot hold (times, unknown keys, decoder tuples). Without `aborts` no transaction aborts; with `complete` every one
    ends. The other switches say whether some schedules have the feature; None leaves it to `classical`: predicate reads
    (`predicates`), inserts and deletes (`kinds`), judge calls (`judges`), callbacks and operator tags (`callbacks`),
    stated version orders (`orders`), `sessions`, `partitions`, more than one table (`tables`), `values`, reads and
    writes without version (`unlabelled`), `begins`, names and labels that need quotes (`names`), and what a file says
    besides (`annotations`: provenance, surface, texts, expectations).

    Shrinks to few events of few transactions, reads of version 0, x before y, the first transaction first, and no
    feature that the property does not need. Raises InvalidArgument (also a ValueError) for bounds that make no sense.
    """
    given = {
        "predicates": predicates,
        "kinds": kinds,
        "judges": judges,
        "callbacks": callbacks,
        "orders": orders,
        "sessions": sessions,
        "partitions": partitions,
        "tables": tables,
        "values": values,
        "unlabelled": unlabelled,
        "begins": begins,
        "names": names,
        "annotations": annotations,
    }
    for name, switch in {**given, "classical": classical, "json_only": json_only}.items():
        check_switch(name, switch, none=name in given)
    check_switch("aborts", aborts)
    check_switch("complete", complete)
    if classical and json_only:
        raise BoundsError("classical schedules hold nothing of JSON alone: pass one of classical and json_only")
    check_range("max_txns", max_txns, 1, 26)
    check_range("max_items", max_items, 1, 26)
    check_range("min_txns", min_txns, 1, max_txns, "max_txns")
    check_range("max_events", max_events, 1, EVENTS)
    check_range("min_events", min_events, 1, max_events, "max_events")
    if max_events < min_txns * (1 + complete):
        ends = " and their ends" if complete else ""
        raise BoundsError(f"max_events={max_events} is too few for min_txns={min_txns} transactions{ends}")
    features = [
        feature
        for name, switched in _SWITCHES.items()
        if (given[name] if given[name] is not None else not classical or name == "begins")
        for feature in switched
    ]
    if json_only:
        features += _JSON_FEATURES
    return _schedules(tuple(features), (min_events, max_events), (min_txns, max_txns), max_items, aborts, complete)


@st.composite
def _schedules(
    draw: DrawFn,
    features: tuple[str, ...],
    events: tuple[int, int],
    max_min_txns: tuple[int, int],
    max_items: int,
    aborts: bool,
    complete: bool,
) -> Schedule:
    on = draw(_features(features))
    # Few transactions on few items meet more often.
    least, most = max_min_txns
    txns, items = max(least, min(draw(_TXNS), most)), min(draw(_ITEMS), max_items)
    if complete:
        txns = min(txns, events[1] // 2)
    # Two lists: longer schedules than one makes, and each shrinks to nothing.
    some = _steps(on, txns, items, aborts, events[1])
    steps = [*draw(some), *draw(some)]
    endings = draw(st.lists(_ENDING if aborts else _ENDING_GOOD, min_size=txns, max_size=txns))
    # Names come behind the steps, which know only numbers: plain names change nothing before them.
    words = _vocabulary(draw, on, txns, items)
    for _ in range(2):
        builder = _Builder(words, events[1], events[0], least, complete)
        for taken in steps:
            builder.take(taken)
        builder.fill()
        builder.finish(endings)
        words = _renumbered(words, builder)
    return _dressed(draw, on, builder)


@cache
def _features(features: tuple[str, ...]) -> SearchStrategy[frozenset[str]]:
    """Which features are on: none, some or all, as one number that shrinks to 0 and loses one bit at a time."""
    every = (1 << len(features)) - 1
    some = st.one_of(st.just(0), st.integers(0, every), st.just(every))
    return some.map(lambda mask: frozenset(name for bit, name in enumerate(features) if mask >> bit & 1))


# -- what a schedule speaks of ---------------------------------------------------------------------------------------


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
        needed = [
            predicate.name
            for predicate in builder.words.predicates
            if (item, predicate) in builder.words.initial - builder.shown_initial
        ]
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
