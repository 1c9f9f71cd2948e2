"""What a design declares, checked: tables, levels, votes, the recovery surface, and the initial rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from ..events.names import name_fault
from .checks import columns_fault, prov_fault, votes_fault
from .guard import shown
from .limits import ROWS
from .model import LEVELS, LOGS, PARTS, Design, Initial, Table
from .values import ValueProblem, frozen


def declared_fault(design: Design) -> str | None:
    """What is wrong with the attributes of a design, or None."""
    if not isinstance(design.tables, Mapping):
        return f"tables is {shown(design.tables)}, expected a dict of names and Tables"
    for name, table in design.tables.items():
        if not isinstance(name, str) or name_fault(name):
            return f"tables has the name {shown(name)}, which {name_fault(name) or 'is no text'}"
        if not isinstance(table, Table):
            return f"tables[{name!r}] is {shown(table)}, expected a Table"
        fault = _table_fault(table) or _part_fault(name, table)
        if fault:
            return f"tables[{name!r}] {fault}"
    if not isinstance(design.isolation, str) or design.isolation not in LEVELS:
        return f"isolation is {shown(design.isolation)}, expected one of {', '.join(LEVELS)}"
    if type(design.retries) is not int or not 0 <= design.retries <= 9:
        return f"retries is {shown(design.retries)}, expected a number from 0 to 9"
    for flag in ("recovers", "deterministic"):
        if type(getattr(design, flag)) is not bool:
            return f"{flag} is {shown(getattr(design, flag))}, expected True or False"
    if not isinstance(design.title, str):
        return f"title is {shown(design.title)}, expected a text"
    if not isinstance(design.surface, (tuple, list)) or any(part not in PARTS for part in design.surface):
        return f"surface is {shown(design.surface)}, expected some of {', '.join(PARTS)}, as a tuple"
    if not isinstance(design.votes, (tuple, list)) or not design.votes:
        return f"votes are {shown(design.votes)}, expected a tuple of at least one"
    try:
        return votes_fault(tuple(frozen(vote) for vote in design.votes))
    except ValueProblem as error:
        return f"votes are {shown(design.votes)}: {error}"


def _table_fault(table: Table) -> str | None:
    partition = table.partition
    if partition is not None and not (_texts(partition) and len(partition) == 2):
        return f"has partition {shown(partition)}, expected two names of columns, or None"
    if table.isolation is not None and table.isolation not in LEVELS:
        return f"has isolation {shown(table.isolation)}, expected one of {', '.join(LEVELS)}"
    if table.part not in (None, *PARTS):
        return f"has part {shown(table.part)}, expected one of {', '.join(PARTS)} or None"
    if not isinstance(table.pins, Mapping):
        return f"has pins {shown(table.pins)}, expected a dict of (subject, predicate) and a level"
    for pinned, level in table.pins.items():
        if not (_texts(pinned) and len(pinned) == 2):
            return f"pins {shown(pinned)}, expected a (subject, predicate) pair"
        if not isinstance(level, str) or level not in LEVELS:
            return f"pins {shown(pinned)} at isolation {shown(level)}, expected one of {', '.join(LEVELS)}"
    if not isinstance(table.predicates, Mapping):
        return f"has predicates {shown(table.predicates)}, expected a dict of names and functions of a row"
    for name, function in table.predicates.items():
        if not isinstance(name, str) or name_fault(name):
            return f"has a predicate named {shown(name)}, which {name_fault(name) or 'is no text'}"
        if not callable(function):
            return f"has the predicate {name!r} {shown(function)}, expected a function of a row"
    if table.closed is not None and not callable(table.closed):
        return f"has closed {shown(table.closed)}, expected a function of a row, or None"
    if table.content is not None and not _texts(table.content):
        return f"has content {shown(table.content)}, expected names of columns"
    return None


def _part_fault(name: str, table: Table) -> str | None:
    """What is wrong with the part of a table of this name: in schedules some names hold no facts (NOTATION)."""
    if name in LOGS and table.part is not None:
        return f"has part {shown(table.part)}, expected None: votes and winners are no part of the recovery surface"
    if name in ("history", "audit") and table.part == "current":
        return f"has part 'current', expected {name!r} or another name: a table that is called so holds no facts"
    return None


def _texts(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(part, str) and not name_fault(part) for part in value)


def rows_of(given: Any) -> tuple[Any, ...]:
    """What `setup` gives, at most one more than there may be."""
    if not isinstance(given, Iterable) or isinstance(given, (str, Mapping)):
        raise TypeError(f"it returned {shown(given)}, expected a list of row(table, key, …)")
    return tuple(islice(given, ROWS + 1))


def rows_fault(rows: tuple[Any, ...], tables: Mapping[str, Table]) -> str | None:
    """What is wrong with the initial rows, or None."""
    if len(rows) > ROWS:
        return f"has more than {ROWS} rows, which is the limit"
    seen: set[tuple[str, str]] = set()
    for entry in rows:
        if not isinstance(entry, Initial):
            return f"gave {shown(entry)}, expected row(table, key, …)"
        if not isinstance(entry.table, str) or entry.table not in tables:
            return f"has a row of table {shown(entry.table)}, which `tables` does not declare"
        where = f"row {shown(entry.key)} of table {entry.table!r}"
        if not isinstance(entry.key, str) or name_fault(entry.key):
            return f"has a {where}, whose key {name_fault(entry.key)}"
        if not isinstance(entry.columns, Mapping):
            return f"has a {where} with columns {shown(entry.columns)}, expected a dict"
        fault = columns_fault(entry.columns.items(), tables[entry.table].partition)
        if fault is None and entry.prov is not None:
            fault = prov_fault(entry.prov)
        if fault is None and any(callable(value) for value in entry.columns.values()):
            fault = "a column is a function"
        if fault:
            return f"has a {where}: {fault}"
        if (entry.table, entry.key) in seen:
            return f"has two rows of one key, {entry.table}:{entry.key}"
        seen.add((entry.table, entry.key))
    return None
