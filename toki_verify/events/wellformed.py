"""Checks of the parts of an event, before any rule of order: names, clauses, numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .kinds import (
    OPERATORS, Callback, Event, InitialVersion, Item, Judge, Partition, PredicateRead, Read, Write,
)
from .names import name_fault
from .problems import Problem


def _names(event: Event) -> Iterator[tuple[str, object]]:
    yield "a transaction id", event.txn
    if isinstance(event, (Read, Write)):
        yield "a table name", event.item.table
        yield "an item name", event.item.name
        if event.version is not None:
            yield "a version label", event.version
    if isinstance(event, Write):
        for name in event.predicates:
            yield "a predicate name", name
    elif isinstance(event, PredicateRead):
        yield "a table name", event.predicate.table
        yield "a predicate name", event.predicate.name
        for row in (*event.matched, *event.unmatched):
            yield "an item name", row.item.name
            if row.version is not None:
                yield "a version label", row.version
    elif isinstance(event, Judge):
        yield "a read set", event.reads
    elif isinstance(event, Callback):
        yield "a read set", event.reads
        yield "a request hash", event.request


def check_names(
    events: tuple[Event, ...],
    init: Mapping[Item, InitialVersion],
    order: Mapping[Item, tuple[str, ...]],
    sessions: Mapping[str, tuple[str, ...]],
    partitions: Mapping[Item, Partition],
) -> list[Problem]:
    """Every name of a schedule is a name, and every clause means something."""
    problems: list[Problem] = []

    def fault(what: str, expected: str, rule: str, position: int | None) -> None:
        problems.append(Problem(what, expected, rule, position))

    def check(kind: str, name: object, position: int | None) -> None:
        wrong = name_fault(name)
        if wrong:
            fault(f"{kind} {wrong}", "a name in NFC, not empty, within the limit", "name", position)

    for position, event in enumerate(events):
        for kind, name in _names(event):
            check(kind, name, position)
        if isinstance(event, Write):
            if event.operator is not None and event.operator not in OPERATORS:
                fault(f"operator tag {event.operator!r}", f"one of {', '.join(OPERATORS)}", "operator", position)
            if len(set(event.predicates)) != len(event.predicates):
                fault("a predicate is named twice in one write", "each predicate once", "predicate-twice", position)
        elif isinstance(event, PredicateRead):
            for row in (*event.matched, *event.unmatched):
                if row.item.table != event.predicate.table:
                    fault(f"row {row.item.name} is of table {row.item.table}",
                          f"rows of the predicate's table, {event.predicate.table}", "row-table", position)
        elif isinstance(event, Callback) and (isinstance(event.winner, bool) or event.winner < 0):
            fault(f"winner index {event.winner}", "a number from 0", "winner", position)
    for item in (*init, *order, *partitions):
        check("a table name", item.table, None)
        check("an item name", item.name, None)
    for session in sessions:
        check("a session name", session, None)
    for partition in partitions.values():
        check("a partition's subject", partition.subject, None)
        check("a partition's predicate", partition.predicate, None)
    return problems
