"""Checks of the parts of an event, before any rule of order: names, clauses, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from .kinds import (
    OPERATORS,
    SURFACE_PARTS,
    Callback,
    Event,
    Expectation,
    InitialVersion,
    Item,
    Judge,
    Partition,
    PredicateRead,
    Read,
    Surface,
    Write,
)
from .names import name_fault, text_fault
from .problems import Problem
from .provenance import polynomial_fault
from .values import shown

NAME = "a name in NFC, not empty, within the limit"
_WORD = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s#])+')
_FAMILY = re.compile(r"[^\s#\]]+")


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
            fault(f"{kind} {wrong}", NAME, "name", position)

    for position, event in enumerate(events):
        for kind, name in _names(event):
            check(kind, name, position)
        if isinstance(event, Write):
            if event.operator is not None and event.operator not in OPERATORS:
                fault(f"operator tag {event.operator!r}", f"one of {', '.join(OPERATORS)}", "operator", position)
            wrong = polynomial_fault(event.prov) if event.prov is not None else None
            if wrong:
                fault(wrong, "sums of products of numbers and names, such as p1+2*p2*t1", "provenance", position)
            if len(set(event.predicates)) != len(event.predicates):
                fault("a predicate is named twice in one write", "each predicate once", "predicate-twice", position)
        elif isinstance(event, PredicateRead):
            for row in (*event.matched, *event.unmatched):
                if row.item.table != event.predicate.table:
                    fault(
                        f"row {row.item.name} is of table {row.item.table}",
                        f"rows of the predicate's table, {event.predicate.table}",
                        "row-table",
                        position,
                    )
        elif isinstance(event, Callback) and (isinstance(event.winner, bool) or not 0 <= event.winner < 10**9):
            fault(
                f"winner index {shown(str(event.winner))}",
                "a number from 0, of at most nine digits",
                "winner",
                position,
            )
    for item in (*init, *order, *partitions):
        check("a table name", item.table, None)
        check("an item name", item.name, None)
    for session in sessions:
        check("a session name", session, None)
    for partition in partitions.values():
        check("a partition's subject", partition.subject, None)
        check("a partition's predicate", partition.predicate, None)
    return problems


def check_about(
    name: str | None, texts: Iterable[str | None], surface: Iterable[Surface], expect: Iterable[Expectation]
) -> list[Problem]:
    """What a file says about the events is such that a schedule file can say it."""
    problems: list[Problem] = []
    wrong = name_fault(name) if name is not None else None
    if wrong:
        problems.append(Problem(f"the name of the schedule {wrong}", NAME, "name"))
    for text in texts:
        wrong = text_fault(text) if text is not None else None
        if wrong:
            problems.append(Problem(f"a source or note {wrong}", "text of whole characters", "text"))
    for part in surface:
        wrong = name_fault(part.table) if part.table is not None else None
        if wrong:
            problems.append(Problem(f"a table of the recovery surface {wrong}", NAME, "name"))
        if part.part not in SURFACE_PARTS:
            problems.append(Problem(f"surface {part.part!r}", f"one of {', '.join(SURFACE_PARTS)}", "surface"))
    for expectation in expect:
        wrong = expectation_fault(expectation)
        if wrong:
            problems.append(Problem(wrong, "phenomena, `not` and phenomena, or `level` and levels", "expectation"))
    return problems


def expectation_fault(expectation: Expectation) -> str | None:
    """What is wrong with an expectation, or None: it must be what an `expect` line can say."""
    kind, names, family = expectation.kind, expectation.names, expectation.family
    if kind not in ("present", "absent", "level"):
        return f"an expectation of kind {kind!r}"
    if not names:
        return "an expectation without names"
    for name in names:
        if not _WORD.fullmatch(name) or text_fault(name):
            return f"the expected name {shown(name)!r}, which is no single word"
    if kind == "present" and (names[0] in ("not", "level") or names[0].startswith("level[")):
        return f"the word {shown(names[0])!r} as the first phenomenon expected"
    if family is not None and (kind != "level" or not _FAMILY.fullmatch(family) or text_fault(family)):
        return f"the family {shown(family)!r} of an expectation"
    return None
