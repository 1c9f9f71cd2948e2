"""Disciplines: changes of a design that may repair it, each with its name, its words, and the design under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from .engine import Engine
from .machine import Machine
from .model import Described, Table, Writer
from .operations import Begin
from .program import Program
from .rewrites import (
    AUDIT,
    RANK,
    Rewriting,
    at_least,
    audit_row,
    delivered_callback,
    expected_version,
    keyed_log,
)


@dataclass(frozen=True)
class Discipline:
    """A change of a design: its name, what is done in words, and the design under it (None: it has no place there)."""

    id: str
    words: str
    apply: Callable[[Described], Described | None]


def disciplines(described: Described) -> Iterator[Discipline]:
    """Every discipline that has a place in a design, in no order of merit."""
    yield Discipline(
        "audit row",
        "for every fact that is replaced insert a row into a table of part audit: its key, what it said, its prov, "
        "the winner, κ and the vote",
        _with_audit,
    )
    yield Discipline(
        "keyed log",
        "read judge_log at log_key(R, θ); where nothing is there ask, and go on with what log_insert_if_absent answers",
        lambda of: _rewritten(of, keyed_log),
    )
    yield Discipline(
        "expected version",
        "update(…, expect=the row that was read); where that answers False, raise Aborted(): the call is repeated",
        lambda of: _rewritten(of, expected_version),
    )
    yield Discipline(
        "delivered callback",
        "write by await only behind a read of the row and then the delivered callback",
        lambda of: _rewritten(of, delivered_callback),
    )
    # Of those that cost the same the narrower comes first.
    weakest = min(RANK[level] for level in (described.isolation, *described.pins.values(), *_begun(described)))
    levels = [level for level in ("RC", "SI", "SR", "2PL") if RANK[level] > weakest]
    yield from (_raise(level) for level in levels if level in ("RC", "SI"))
    if described.isolation != "none":
        yield from _pins(described)
    yield from (_raise(level) for level in levels if level in ("SR", "2PL"))


def _raise(level: str) -> Discipline:
    return Discipline(f"raise to {level}", f"run the transactions at {level}", _raising(level))


def _pins(described: Described) -> Iterator[Discipline]:
    pinned = {table for (table, _), level in described.pins.items() if RANK[level] >= RANK["SR"]}
    tables = [name for name, table in described.tables.items() if table.part == "current" and name not in pinned]
    for partition in sorted(_partitions(described, tables)):
        yield Discipline(
            f"SR@partition({','.join(partition)})",
            f"pin the partition ({', '.join(partition)}) at SR",
            _pinning([(name, partition) for name in tables]),
        )
    if len(tables) > 1:
        for name in tables:
            yield Discipline(f"SR@{name}", f"pin the table {name} at SR", _pinning([(name, None)]))


def under(described: Described, ids: tuple[str, ...]) -> Described:
    """The design under disciplines. Raises KeyError for an id that has no place in it, ValueError for one that does not
    fit."""
    known = {discipline.id: discipline for discipline in disciplines(described)}
    for name in ids:
        changed = known[name].apply(described)
        if changed is None:
            raise ValueError(f"{name} does not fit the design")
        described = changed
    return described


#: States of a writer that runs alone that are looked at.
_ALONE = 500


def _alone(described: Described) -> Iterator[Machine]:
    """The states of each writer as it runs alone, whatever it is told, as far as a limit."""
    for writer in described.writers:
        engine = Engine(described)
        stack = [engine.start((Program(described, writer, 1),))]
        for _ in range(_ALONE):
            if not stack:
                break
            machine = stack.pop()
            yield machine
            stack += [engine.step(machine, step).machine for step in engine.options(machine, 0)]


def _begun(described: Described) -> set[str]:
    """The levels at which writers begin transactions of their own."""
    operations = (machine.processes[0].node.operation for machine in _alone(described))
    return {operation.isolation for operation in operations if isinstance(operation, Begin)}


def _partitions(described: Described, tables: list[str]) -> set[tuple[str, str]]:
    """The partitions of these tables that have rows at the beginning, or while a writer runs alone."""
    rows = {entry.row for entry in described.initial}
    for machine in _alone(described):
        rows.update(row for found in machine.store.state().values() for row in found.values())
    of = [described.tables[row.table].partition_of(row) for row in rows if row.table in tables]
    return {partition for partition in of if partition is not None}


def _rewritten(of: Described, rewriting: Rewriting) -> Described:
    def around(writer: Writer) -> Writer:
        start = writer.start

        def begin(me: int, start: Callable[[int], Any] = start) -> Any:
            return rewriting(of, start(me))

        return replace(writer, start=begin)

    return replace(of, writers=tuple(around(writer) for writer in of.writers))


def _with_audit(of: Described) -> Described | None:
    if AUDIT in of.tables and of.tables[AUDIT].part != "audit":
        return None
    tables = {AUDIT: Table(None, part="audit"), **of.tables}
    surface = tuple(part for part in ("current", "closed", "history", "audit") if part in (*of.surface, "audit"))
    changed = _rewritten(replace(of, tables=tables, surface=surface), audit_row)
    return changed


def _raising(level: str) -> Callable[[Described], Described]:
    def apply(of: Described) -> Described:
        pins = {place: level if RANK[pin] < RANK[level] else pin for place, pin in of.pins.items()}
        isolation = level if RANK[of.isolation] < RANK[level] else of.isolation
        return replace(_rewritten(of, at_least(level)), isolation=isolation, pins=pins)

    return apply


def _pinning(places: list[tuple[str, tuple[str, str] | None]]) -> Callable[[Described], Described]:
    def apply(of: Described) -> Described:
        return replace(of, pins={**of.pins, **dict.fromkeys(places, "SR")})

    return apply
