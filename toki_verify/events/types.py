"""Checks of types and of canonical values: a Schedule built from Python is as sound as one that was read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache

from .kinds import (
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    InitialVersion,
    Item,
    Judge,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Write,
    WriteKind,
)
from .problems import Problem
from .values import json_text

_OPERATIONS = ("b", "c", "a", "r", "w", "j", "cb")
#: The keys that event objects have in JSON, and the operations that read them.
KNOWN_KEYS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("op", "txn", "t", "session"), frozenset(_OPERATIONS)),
    **dict.fromkeys(("table", "item", "version", "value", "partition"), frozenset("rw")),
    **dict.fromkeys(("predicate", "matched", "unmatched", "partial"), frozenset("r")),
    **dict.fromkeys(("predicates", "insert", "delete", "prov", "operator"), frozenset("w")),
    **dict.fromkeys(("theta", "vote"), frozenset("j")),
    "R": frozenset(("j", "cb")),
    **dict.fromkeys(("h", "k"), frozenset(("cb",))),
}


def value_fault(text: object) -> str | None:
    """What is wrong with a value: it is kept as canonical JSON text, so that equal values are equal texts."""
    if not isinstance(text, str):
        return f"is of type {type(text).__name__}, not JSON text"
    return _short_fault(text) if len(text) <= _SHORT else _text_fault(text)


#: Most values are a few characters, and the same ones again and again.
_SHORT = 32


@lru_cache(maxsize=10_000)
def _short_fault(text: str) -> str | None:
    return _text_fault(text)


def _text_fault(text: str) -> str | None:
    try:
        canonical = json_text(json.loads(text))
    except ValueError:
        return "is no JSON text"
    return None if canonical == text else f"is not canonical: it is written {canonical[:60]}"


def _pair(value: object, kind: type) -> bool:
    return type(value) is kind and all(isinstance(part, str) for part in value[:2])  # type: ignore[index]


def _extra(pairs: object) -> Iterator[str]:
    if not isinstance(pairs, tuple) or not all(isinstance(p, tuple) and len(p) == 2 for p in pairs):
        yield "unknown keys that are no tuple of pairs"
        return
    for key, value in pairs:
        if not isinstance(key, str):
            yield "an unknown key that is no string"
        elif fault := value_fault(value):
            yield f"the value of the unknown key {key!r} {fault}"


def _faults(event: object) -> Iterator[str]:
    """What is wrong with the types of an event."""
    if type(event) not in (Begin, Commit, Abort, Read, PredicateRead, Write, Judge, Callback):
        yield f"an event of type {type(event).__name__}"
        return
    assert isinstance(event, Event)
    yield from _extra(event.extra)
    if isinstance(event.extra, tuple):
        for pair in event.extra:
            if isinstance(pair, tuple) and pair and event.op in KNOWN_KEYS.get(str(pair[0]), ()):
                yield f"an unknown key {pair[0]!r}, which this event has itself"
    if event.time is not None and (value_fault(event.time) or not event.time.lstrip("-")[:1].isdigit()):
        yield "a time that is no canonical JSON number"
    if isinstance(event, (Read, Write)):
        if not _pair(event.item, Item):
            yield "an item that is no Item(table, name) of strings"
        if event.value is not None and (fault := value_fault(event.value)):
            yield f"a value that {fault}"
    if isinstance(event, Write):
        if not isinstance(event.kind, WriteKind):
            yield "a kind that is no WriteKind"
        if not isinstance(event.predicates, tuple):
            yield "predicates that are no tuple"
    elif isinstance(event, PredicateRead):
        if not _pair(event.predicate, Predicate):
            yield "a predicate that is no Predicate(table, name) of strings"
        for rows in (event.matched, event.unmatched):
            if not isinstance(rows, tuple) or not all(type(row) is Row and _pair(row.item, Item) for row in rows):
                yield "rows that are no tuple of Row"
            else:
                for row in rows:
                    yield from _extra(row.extra)
    elif isinstance(event, Judge):
        for what, value in (("θ", event.theta), ("a vote", event.vote)):
            if (value is not None or what == "θ") and (fault := value_fault(value)):
                yield f"{what} that {fault}"
        if event.vote == "null":
            yield "the vote null (an unknown vote is None)"
        if isinstance(event.theta, str) and event.theta[:1] not in ('"', "{"):
            yield "θ that is neither a name nor an object"
    elif isinstance(event, Callback) and type(event.winner) is not int:
        yield "a winner index that is no int"


def check_types(events: tuple[Event, ...], init: Mapping[Item, InitialVersion]) -> list[Problem]:
    """Every part of every event has its type, and every value its canonical form."""
    expected = "what the constructors of events take (toki_verify.events.values.json_text makes values)"
    problems = [
        Problem(what, expected, "type", position) for position, event in enumerate(events) for what in _faults(event)
    ]
    for item, initial in init.items():
        if not _pair(item, Item) or type(initial) is not InitialVersion or not isinstance(initial.predicates, tuple):
            problems.append(Problem("an init entry that is no Item: InitialVersion", expected, "type"))
        elif initial.value is not None and (fault := value_fault(initial.value)):
            problems.append(Problem(f"an initial value that {fault}", expected, "type"))
    return problems
