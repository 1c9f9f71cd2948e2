"""Well-formed schedules of everything the model has."""

from collections.abc import Sequence
from functools import cache
from typing import Any

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
    _EXPECTATION,
    _EXTRA,
    _FEATURES,
    _ITEMS,
    _JSON_FEATURES,
    _LEAST,
    _MAYBE_LEAF,
    _MAYBE_NAME,
    _MAYBE_PROV,
    _NAME,
    _ORDER,
    _SURFACE,
    _TEXT,
    _TXNS,
)
from .builder import _Builder, _step, _vocabulary


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
    return st.one_of(st.just(frozenset[str]()), st.frozensets(st.sampled_from(features)), st.just(frozenset(features)))


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
