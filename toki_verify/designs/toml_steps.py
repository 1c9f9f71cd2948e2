"""The steps of the declarative form: each is one operation, done where its conditions hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Final

from . import operations as store
from .guard import shown
from .model import LEVELS
from .operations import Aborted, Operation, Steps
from .toml_lines import Path, path_text
from .toml_source import Source
from .toml_values import Condition, Reference, Scope, Wrong, condition, references, valued
from .values import Row, frozen

#: What a step may do: the keys it must have, and those it may have. `*`: other keys are columns.
DOES: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "begin": (("isolation",), ()),
    "read": (("table",), ("key", "reads", "theta")),
    "select": (("table",), ("where", "top", "columns", "*")),
    "insert": (("table",), ("key", "prov", "operator", "if_absent", "columns", "*")),
    "update": ((), ("table", "key", "row", "expect", "prov", "operator", "whole", "columns", "*")),
    "delete": ((), ("table", "key", "row", "expect", "operator")),
    "judge": (("reads",), ("theta", "votes")),
    "callback": (("reads", "request"), ("winners",)),
    "log_insert_if_absent": (("reads", "vote"), ("theta",)),
    "lock": (("name",), ()),
    "unlock": (("name",), ()),
    "commit": ((), ()),
    "abort": ((), ()),
    "retry": ((), ()),
    "stop": ((), ()),
}
_COMMON: Final = ("do", "when", "each", "as", "alone")
_ANSWERS: Final = ("read", "select", "insert", "update", "delete", "judge", "callback", "log_insert_if_absent")
_FLAGS: Final = ("if_absent", "whole")
_NAMES: Final = ("table", "where", "operator", "name")


@dataclass(frozen=True)
class Step:
    """One step: what it does, with which values, for which rows, on which conditions, and how its answer is called."""

    do: str
    given: Mapping[str, Any]
    columns: Mapping[str, Any]
    each: Reference | None
    when: tuple[Condition, ...]
    alone: bool
    bound: str | None
    path: Path

    def perform(self, scope: dict[str, Any]) -> Steps[bool]:
        """Do it where it is to be done; whether the writer goes on."""
        try:
            rows = [None] if self.each is None else _rows(self.each, scope)
            answers: list[Any] = []
            for row in rows:
                here = scope if self.each is None else {**scope, self.each.name: row}
                if not all(found.of(here) for found in self.when):
                    continue
                if self.do == "stop":
                    return False
                if self.do == "retry":
                    raise Aborted("retry")
                made = _OPERATIONS[self.do](self, here)
                answers.append((yield from (store.alone(made) if self.alone else made)))
        except Wrong as error:
            raise Wrong(f"{path_text(self.path)}: {error}") from None
        if self.bound and (answers or self.each is not None):
            scope[self.bound] = tuple(answers) if self.each is not None else answers[0]
        return True

    def value(self, name: str, scope: Scope, default: Any = None) -> Any:
        """A value that the step gives."""
        return valued(self.given[name], scope) if name in self.given else default

    def target(self, scope: Scope) -> tuple[str, Any]:
        """The row that is written: table and key."""
        if "table" in self.given:
            return self.given["table"], self.value("key", scope)
        reference = self.given.get("row", self.each)
        row = reference.of(scope)
        if not isinstance(row, Row):
            what = "nothing" if row is None else shown(row)
            raise Wrong(f'{reference} is {what} here, expected a row (a condition: when = "{reference} found")')
        return row.table, row

    def filled(self, scope: Scope) -> dict[str, Any]:
        """The columns it gives."""
        return {name: valued(value, scope) for name, value in self.columns.items()}


def _rows(each: Reference, scope: Scope) -> list[Any]:
    value = each.of(scope)
    if value is None:
        return []
    rows = list(value) if isinstance(value, tuple) else [value]
    if not all(isinstance(row, Row) for row in rows):
        raise Wrong(f"each: {each} is {shown(value)}, expected rows")
    return rows


def _read(step: Step, scope: Scope) -> Operation[Any]:
    if "reads" in step.given:
        return store.read(
            store.JUDGE_LOG, store.log_key(step.value("reads", scope), step.value("theta", scope, "theta"))
        )
    return store.read(step.given["table"], step.value("key", scope))


def _select(step: Step, scope: Scope) -> Operation[Any]:
    columns = tuple(sorted(_frozen(step.filled(scope))))
    return store.Select(step.given["table"], step.given.get("where"), columns, step.given.get("top"))


def _written(step: Step, scope: Scope) -> dict[str, Any]:
    more = {"prov": step.value("prov", scope), "operator": step.given.get("operator")}
    return {name: value for name, value in more.items() if value is not None}


def _frozen(columns: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, frozen(value)) for name, value in columns.items())


def _insert(step: Step, scope: Scope) -> Operation[Any]:
    columns = step.filled(scope)
    made = store.insert(
        step.given["table"],
        step.value("key", scope),
        if_absent=step.given.get("if_absent", False),
        **_written(step, scope),
    )
    return replace(made, columns=_frozen(columns))


def _update(step: Step, scope: Scope) -> Operation[Any]:
    table, key = step.target(scope)
    made = store.update(
        table, key, expect=step.value("expect", scope), whole=step.given.get("whole", False), **_written(step, scope)
    )
    return replace(made, columns=_frozen(step.filled(scope)))


def _delete(step: Step, scope: Scope) -> Operation[Any]:
    return store.delete(*step.target(scope), expect=step.value("expect", scope), operator=step.given.get("operator"))


_OPERATIONS: Final[dict[str, Callable[[Step, Scope], Operation[Any]]]] = {
    "begin": lambda step, scope: store.begin(step.given["isolation"]),
    "read": _read,
    "select": _select,
    "insert": _insert,
    "update": _update,
    "delete": _delete,
    "judge": lambda step, scope: store.judge(
        step.value("reads", scope), step.value("theta", scope, "theta"), step.value("votes", scope, ())
    ),
    "callback": lambda step, scope: store.callback(
        step.value("reads", scope), step.value("request", scope), step.value("winners", scope, (0, 1))
    ),
    "log_insert_if_absent": lambda step, scope: store.log_insert_if_absent(
        step.value("reads", scope), step.value("theta", scope, "theta"), step.value("vote", scope)
    ),
    "lock": lambda step, scope: store.lock(step.given["name"]),
    "unlock": lambda step, scope: store.unlock(step.given["name"]),
    "commit": lambda step, scope: store.commit(),
    "abort": lambda step, scope: store.abort(),
}


def step_of(source: Source, path: Path, table: dict[str, Any], names: set[str], tables: Mapping[str, Any]) -> Step:
    """A step of the file, checked. `names` are those that earlier steps have bound."""
    if "do" not in table:
        raise source.wrong(path, f"`do` is missing, expected one of {', '.join(DOES)}")
    do = source.one_of(path, table, "do", DOES)
    needed, more = DOES[do]
    known = (*_COMMON, *needed, *(name for name in more if name != "*"))
    columns = source.take(path, table, "columns", "table", {}) if "columns" in known else {}
    if "*" in more:
        columns = {**_inline(source, path, table, known), **columns}
    else:
        source.known(path, table, known)
    for name in needed:
        if name not in table:
            raise source.wrong(path, f"`{name}` is missing: {do} needs it")
    given: dict[str, Any] = {}
    for name in known:
        if name in table and name not in (*_COMMON, "columns"):
            given[name] = _given(source, path, table, name, tables)
    each = _reference(source, path, table, "each")
    if "row" in given:
        given["row"] = _reference(source, path, table, "row")
    conditions = _conditions(source, path, table)
    step = Step(
        do,
        given,
        {name: source.parsed((*path, name), value) for name, value in columns.items()},
        each,
        conditions,
        source.take(path, table, "alone", "flag", False),
        source.take(path, table, "as", "text"),
        path,
    )
    _targets(source, step)
    for reference in references([given, step.columns, conditions, each or []]):
        if reference.name not in names:
            close = get_close_matches(reference.name, names, 1)
            hint = (
                f"did you mean ${close[0]}?" if close else f"there is {', '.join(f'${name}' for name in sorted(names))}"
            )
            raise source.wrong(_holding(path, table, reference), f"no earlier step binds ${reference.name}; {hint}")
    if step.bound is not None:
        if do not in _ANSWERS:
            raise source.wrong((*path, "as"), f"{do} has no answer to be called {step.bound!r}")
        if not step.bound.isidentifier() or step.bound in ("me", "row"):
            raise source.wrong((*path, "as"), f"{step.bound!r}, expected a name: letters, digits and _, not me or row")
        names.add(step.bound)
    return step


def _inline(source: Source, path: Path, table: dict[str, Any], known: tuple[str, ...]) -> dict[str, Any]:
    """The keys of a step that are columns. One that is nearly a key of the form is taken for a slip."""
    found = {}
    for name, value in table.items():
        if name in known:
            continue
        close = get_close_matches(name, known, 1, 0.8)
        if close:
            raise source.wrong(
                (*path, name), f"did you mean {close[0]!r}? (a column of this name is written columns.{name} = …)"
            )
        found[name] = value
    return found


def _given(source: Source, path: Path, table: dict[str, Any], name: str, tables: Mapping[str, Any]) -> Any:
    if name in _FLAGS:
        return source.take(path, table, name, "flag")
    if name == "top":
        return source.take(path, table, name, "number")
    if name == "isolation":
        return source.one_of(path, table, name, LEVELS)
    if name == "table":
        return source.one_of(path, table, name, tables)
    if name in _NAMES:
        return source.take(path, table, name, "text")
    if name in ("votes", "winners"):
        return source.parsed((*path, name), source.take(path, table, name, "list"))
    return source.parsed((*path, name), table[name])


def _reference(source: Source, path: Path, table: dict[str, Any], name: str) -> Reference | None:
    if name not in table:
        return None
    found = source.parsed((*path, name), table[name])
    if not isinstance(found, Reference) or found.column is not None:
        raise source.wrong((*path, name), f"{shown(table[name])}, expected the $name of what an earlier step read")
    return found


def _conditions(source: Source, path: Path, table: dict[str, Any]) -> tuple[Condition, ...]:
    value = table.get("when", [])
    found = []
    for part in value if isinstance(value, list) else [value]:
        try:
            found.append(condition(part))
        except Wrong as error:
            raise source.wrong((*path, "when"), str(error)) from None
    return tuple(found)


def _targets(source: Source, step: Step) -> None:
    """Which row a step is about must be said in one way."""
    given, path = step.given, step.path
    if step.do == "read" and ("key" in given) is ("reads" in given):
        raise source.wrong(path, "expected `key`, or of judge_log `reads` (and `theta`)")
    if step.do == "read" and "reads" in given and given["table"] != store.JUDGE_LOG:
        raise source.wrong((*path, "reads"), f"only {store.JUDGE_LOG} is read by `reads`, expected `key`")
    if step.do in ("update", "delete"):
        if ("table" in given) is not ("key" in given) or ("table" in given and "row" in given):
            raise source.wrong(path, f"expected `row`, or `table` and `key`, or `each`: the row to {step.do}")
        if "table" not in given and "row" not in given and step.each is None:
            raise source.wrong(path, f"`row` is missing, or `table` and `key`, or `each`: the row to {step.do}")


def _holding(path: Path, table: dict[str, Any], reference: Reference) -> Path:
    """The key whose text has the reference."""
    return next(((*path, name) for name, value in table.items() if f"${reference.name}" in str(value)), path)
