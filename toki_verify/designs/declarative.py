"""The declarative form: a design without code, as a TOML file (docs/designs-toml.md). Reading it runs nothing of it.

A file becomes a subclass of `Design` whose writers take the steps of the file, so that all else is the same: the
engine, the questions, the repairs. Errors name the lines of the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any, Final

from .checks import columns_fault, prov_fault
from .guard import shown
from .model import LEVELS, LOGS, PARTS, Design, Initial, Table, writer
from .toml_lines import Path
from .toml_source import Source
from .toml_steps import Step, step_of
from .toml_values import Condition, Wrong, condition, references
from .values import Row, ValueProblem, key_text

_KEYS: Final = (
    *("name", "isolation", "retries", "recovers", "votes", "deterministic", "surface", "sources"),
    *("tables", "rows", "writers"),
)
_OF_TABLE: Final = ("partition", "isolation", "part", "content", "pins", "closed", "predicates")


def load_toml(content: bytes, file: str) -> type[Design]:
    """The design of a TOML file. Raises DesignError, with line and place, for what is none."""
    source = Source(content, file)
    data = source.data
    source.known((), data, _KEYS)
    given = source.take((), data, "tables", "table", {"facts": {}})
    tables = {name: _table(source, ("tables", name), table) for name, table in given.items()}
    known = {**LOGS, **tables}
    rows = [_row(source, ("rows", index), row, known) for index, row in enumerate(source.tables((), data, "rows"))]
    name = source.take((), data, "name", "text", FilePath(file).stem)
    members: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": f"{name}, of {file}.",
        "_toki_place": (file, 1),
        "title": name,
        "tables": tables,
        "isolation": source.one_of((), data, "isolation", LEVELS, Design.isolation),
        "retries": source.take((), data, "retries", "number", Design.retries),
        "recovers": source.take((), data, "recovers", "flag", Design.recovers),
        "deterministic": source.take((), data, "deterministic", "flag", Design.deterministic),
        "votes": _votes(source, data),
        "surface": _surface(source, data),
        "sources": source.take((), data, "sources", "table", {}),
        "setup": lambda self: rows,
    }
    if not 0 <= members["retries"] <= 9:
        raise source.wrong(("retries",), f"{members['retries']}, expected a number from 0 to 9")
    writers = source.take((), data, "writers", "table", {})
    if not writers:
        raise source.wrong((), "it has no writer, expected [[writers.NAME]] with its steps")
    for path_name in writers:
        members[path_name] = _writer(source, path_name, source.tables(("writers",), writers, path_name), known, members)
    made: type[Design] = type(_class_name(name), (Design,), members)
    return made


def _class_name(name: str) -> str:
    words = re.findall(r"[^\W_]+", name)
    found = "".join(word[:1].upper() + word[1:] for word in words)
    return found if found.isidentifier() else f"Design{found}"


def _votes(source: Source, data: dict[str, Any]) -> tuple[Any, ...]:
    votes = source.take((), data, "votes", "list")
    if votes is None:
        return Design.votes
    if not votes:
        raise source.wrong(("votes",), "[], expected at least one")
    return tuple(source.constant(("votes",), vote) for vote in votes)


def _surface(source: Source, data: dict[str, Any]) -> tuple[str, ...]:
    surface: tuple[str, ...] = source.texts((), data, "surface", PARTS)
    for index, part in enumerate(surface):
        if part not in PARTS:
            raise source.wrong(("surface", index), f"{part!r}, expected one of {', '.join(PARTS)}")
    return surface


def _table(source: Source, path: Path, table: Any) -> Table:
    if not isinstance(table, dict):
        raise source.wrong(path, f"{shown(table)}, expected a table")
    source.known(path, table, _OF_TABLE)
    partition: Any = source.texts(path, table, "partition", ("subject", "predicate"))
    if len(partition) not in (0, 2):
        raise source.wrong((*path, "partition"), f"{list(partition)}, expected two names of columns, or [] for none")
    part = source.one_of(path, table, "part", (*PARTS, "none"), "current")
    pins: dict[tuple[str, str], str] = {}
    for index, pin in enumerate(source.tables(path, table, "pins")):
        here = (*path, "pins", index)
        source.known(here, pin, ("partition", "isolation"))
        pinned = source.texts(here, pin, "partition", ())
        if len(pinned) != 2:
            raise source.wrong(here, 'expected partition = ["subject", "predicate"] and isolation')
        level = source.one_of(here, pin, "isolation", LEVELS)
        if level is None:
            raise source.wrong(here, "`isolation` is missing")
        pins[pinned] = level
    predicates = source.take(path, table, "predicates", "table", {})
    return Table(
        partition=partition or None,
        isolation=source.one_of(path, table, "isolation", LEVELS),
        pins=pins,
        predicates={name: _holds(source, (*path, "predicates", name), value) for name, value in predicates.items()},
        part=None if part == "none" else part,
        closed=_holds(source, (*path, "closed"), table["closed"]) if "closed" in table else None,
        content=source.texts(path, table, "content"),
    )


def _holds(source: Source, path: Path, value: Any) -> Callable[[Row], bool]:
    """Conditions on `$row` as a function of a row."""
    conditions: list[Condition] = []
    for part in value if isinstance(value, list) else [value]:
        try:
            conditions.append(condition(part))
        except Wrong as error:
            raise source.wrong(path, str(error)) from None
    for reference in references(conditions):
        if reference.name != "row":
            raise source.wrong(path, f"{reference} is not known here, expected $row.column")

    def holds(row: Row) -> bool:
        return all(found.of({"row": row}) for found in conditions)

    placed: Callable[[Row], bool] = source.placed(holds, path)
    return placed


def _row(source: Source, path: Path, row: dict[str, Any], tables: Mapping[str, Table]) -> Initial:
    for name in ("table", "key"):
        if name not in row:
            raise source.wrong(path, f"`{name}` is missing: a row has a table and a key")
    table = source.one_of(path, row, "table", tables)
    columns = {name: value for name, value in row.items() if name not in ("table", "key", "prov", "columns")}
    columns |= source.take(path, row, "columns", "table", {})
    prov = source.take(path, row, "prov", "text")
    fault = None if prov is None else prov_fault(prov)
    if fault:
        raise source.wrong((*path, "prov"), fault)
    filled = {name: source.constant((*path, name), value) for name, value in columns.items()}
    try:
        made = Initial(table, key_text(row["key"]), filled, prov)
    except ValueProblem as error:
        raise source.wrong(path, str(error)) from None
    fault = columns_fault(filled.items(), tables[table].partition)
    if fault:
        raise source.wrong(path, fault)
    return made


def _writer(
    source: Source, name: str, steps: list[dict[str, Any]], tables: Mapping[str, Table], taken: Mapping[str, Any]
) -> Any:
    path: Path = ("writers", name)
    if not name.isidentifier() or name.startswith("_") or hasattr(Design, name) or name in taken:
        raise source.wrong(
            path, f"{name!r} cannot be the name of a writer, expected letters, digits and _, no word of the form"
        )
    if not steps:
        raise source.wrong(path, "it has no step")
    names = {"me"}
    made = tuple(step_of(source, (*path, index), step, names, tables) for index, step in enumerate(steps))
    performers = tuple((step, source.placed(_perform, step.path)) for step in made)

    def method(self: Design, me: int) -> Any:
        yield from _run(performers, me)

    placed = source.placed(method, (*path, 0), name)
    return writer(placed)


def _run(performers: tuple[tuple[Step, Any], ...], me: int) -> Any:
    scope: dict[str, Any] = {"me": me}
    for step, perform in performers:
        if not (yield from perform(step, scope)):
            return


def _perform(step: Step, scope: dict[str, Any]) -> Any:
    return (yield from step.perform(scope))
