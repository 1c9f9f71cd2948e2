"""A run of the engine as a schedule (SEMANTICS §1), so that every verdict about it comes from the one checker."""

from __future__ import annotations

from typing import Any

from ..events import (
    Abort,
    Callback,
    Commit,
    Event,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Schedule,
    Surface,
    Write,
)
from ..events import (
    Row as SeenRow,
)
from ..events.values import JsonText, json_text
from ..relations.provenance import variables
from .footprint import Matcher
from .machine import Machine, Record
from .model import LOGS, PARTS, Described
from .statements import Statements
from .values import Row


def schedule_of(
    described: Described,
    statements: Statements,
    machine: Machine,
    history: list[Record] | None = None,
    *,
    name: str | None = None,
) -> Schedule:
    """What happened in a run. Raises ScheduleError where it is no well-formed schedule: a fault of the engine."""
    history = machine.history() if history is None else history
    items = {record.place for record in history if record.what in ("r", "w") and record.place is not None}
    selected = {record.place for record in history if record.what == "p" and record.place is not None}
    tables = {table for table, _ in selected}
    matchers = {key: statements.predicates[key] for key in sorted(selected)}
    written = (record.more[0] for record in history if record.what == "w")
    stated = [row.prov for row in written if row is not None and row.stated]
    mentioned = frozenset(name for text in stated for name in variables(text) if name.startswith("fresh."))
    init: dict[Item, InitialVersion] = {}
    partitions: dict[Item, Partition] = {}
    for entry in described.initial:
        place = (entry.table, entry.key)
        if place in items or entry.table in tables or described.tables[entry.table].part is not None:
            row = entry.row
            init[Item(*place)] = InitialVersion(
                _value(described, row), _matching(matchers, row), _told(described, row, mentioned)
            )
            _partition(described, partitions, row)
    events: list[Event] = []
    for record in history:
        events.append(_event(described, matchers, mentioned, record))
        if record.what == "w" and record.more[0] is not None:
            _partition(described, partitions, record.more[0])
    for place in items:
        version = next((found for found in machine.store.rows.get(place, ()) if found.row is not None), None)
        if version is not None and version.row is not None:
            _partition(described, partitions, version.row)
    return Schedule(events, init=init, partitions=partitions, surface=surface_of(described), name=name)


def surface_of(described: Described) -> tuple[Surface, ...]:
    """The recovery surface that a design keeps: its parts, and the tables in which they are.

    The notation has no tables that are neither facts nor kept: they are said as a history whose rows tell no
    provenance, which keeps nothing. Closed rows of a table of facts are current ones for this purpose, and a table of
    closed rows is a history.
    """
    found = [
        Surface(table.part if table.part in ("current", "audit") and _kept(described, name) else "history", name)
        for name, table in sorted(described.tables.items(), key=lambda entry: _ORDER.index(entry[1].part))
        if name not in LOGS
    ]
    return tuple(found) or (Surface("current"),)


#: Parts in the order of a `surface` line.
_ORDER = (*PARTS, None)


def _kept(described: Described, table: str) -> bool:
    """Whether rows of a table are rows of the recovery surface."""
    return described.tables[table].part in ("current", *described.surface)


def _told(described: Described, row: Row, mentioned: frozenset[str]) -> str | None:
    """The provenance to print: none of what is not kept, and a fresh variable only where another row mentions it."""
    told = _kept(described, row.table) and (row.stated or row.prov in mentioned)
    return row.prov if told else None


def _event(
    described: Described, matchers: dict[tuple[str, str], Matcher], mentioned: frozenset[str], record: Record
) -> Event:
    what, txn, place, label, more = record
    if what == "r":
        assert place is not None
        return Read(txn, Item(*place), label)
    if what == "w":
        assert place is not None
        row, kind, operator = more
        predicates = () if row is None else _matching(matchers, row)
        value = None if row is None else _value(described, row)
        prov = None if row is None else _told(described, row, mentioned)
        return Write(txn, Item(*place), label, value, kind, predicates, prov, operator)
    if what == "p":
        assert place is not None
        matched, unmatched, partial, _ = more
        return PredicateRead(txn, Predicate(*place), _rows(matched), _rows(unmatched), partial)
    if what == "j":
        return Judge(txn, more.reads, json_text(more.theta), json_text(more.vote))
    if what == "cb":
        return Callback(txn, *more)
    return Commit(txn) if what == "c" else Abort(txn)


def _rows(of: Any) -> tuple[SeenRow, ...]:
    return tuple(SeenRow(Item(*place), label) for place, label in of)


def _matching(matchers: dict[tuple[str, str], Matcher], row: Row) -> tuple[str, ...]:
    return tuple(name for (table, name), matches in matchers.items() if table == row.table and matches(row))


def _value(described: Described, row: Row) -> JsonText | None:
    content = described.tables[row.table].content_of(row)
    if not content:
        return None
    return json_text(next(iter(content.values())) if len(content) == 1 else content)


def _partition(described: Described, into: dict[Item, Partition], row: Row) -> None:
    found = described.tables[row.table].partition_of(row)
    if found is not None:
        into[Item(row.table, row.key)] = Partition(*found)
