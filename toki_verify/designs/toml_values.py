"""Values of the declarative form: references, texts with references in them, conditions. Nothing is evaluated: a
reference is looked up, a condition compares two values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from .guard import shown
from .values import Row, ValueProblem

#: `$me`, `$old`, `$old.object`; `${old.object}` where a letter follows. `$$` is a dollar.
_REFERENCE: Final = re.compile(r"\$(?:\$|([^\W\d]\w*(?:\.\w+)?)|\{([^\W\d]\w*(?:\.[^{}]+)?)\})")
_CONDITION: Final = re.compile(r"""\s*(\S.*?)\s*(?:(!=|=)\s*(\S.*?)|\s(not\s+found|found))\s*$""", re.DOTALL)

Scope = Mapping[str, Any]


class Wrong(ValueProblem):
    """A value that is not as the form has it; the message completes `PATH: `."""


@dataclass(frozen=True)
class Reference:
    """What a name stands for, or a column of the row that it stands for."""

    name: str
    column: str | None = None

    def __str__(self) -> str:
        return f"${self.name}" + (f".{self.column}" if self.column else "")

    def of(self, scope: Scope) -> Any:
        """Its value. Raises Wrong for a column of what is no row."""
        value = scope.get(self.name)
        if self.column is None:
            return value
        if isinstance(value, tuple):
            raise Wrong(f"{self} is a column of {len(value)} rows, expected one row: take them one by one with `each`")
        if not isinstance(value, Row):
            raise Wrong(f"{self} is a column of {shown(value)}, expected a row")
        if self.column not in value:
            close = get_close_matches(self.column, list(value), 1)
            hint = f"did you mean {close[0]!r}?" if close else f"it has {', '.join(value) or 'none'}"
            raise Wrong(f"row {value.key!r} has no column {self.column!r}; {hint}")
        return value[self.column]

    def found(self, scope: Scope) -> bool:
        """Whether there is something: a row, some rows, a value that is not null, a column."""
        value = scope.get(self.name)
        if self.column is not None:
            return isinstance(value, Row) and value.get(self.column) is not None
        return value is not None and value != () and value is not False


@dataclass(frozen=True)
class Text:
    """A text with references in it."""

    parts: tuple[str | Reference, ...]

    def of(self, scope: Scope) -> str:
        """The text. A row stands for its key; raises Wrong for several rows and for nothing."""
        return "".join(part if isinstance(part, str) else _plain(part, part.of(scope)) for part in self.parts)


def _plain(reference: Reference, value: Any) -> str:
    if isinstance(value, Row):
        return value.key
    if value is None or isinstance(value, tuple):
        what = "nothing" if value is None else f"{len(value)} values"
        raise Wrong(f"{reference} is {what} here, expected a row, a text or a number within a text")
    return value if isinstance(value, str) else json.dumps(value)


@dataclass(frozen=True)
class Condition:
    """Two values that are equal or not, or something that is found or not."""

    left: Any
    test: str
    right: Any = None

    def of(self, scope: Scope) -> bool:
        """Whether it holds. 1 and true are different, 1 and 1.0 are not."""
        if self.test.endswith("found"):
            return self.left.found(scope) is (self.test == "found")
        return (_compared(valued(self.left, scope)) == _compared(valued(self.right, scope))) is (self.test == "=")


def _compared(value: Any) -> tuple[bool, Any]:
    return (isinstance(value, bool), value.key if isinstance(value, Row) else value)


def parsed(value: Any) -> Any:
    """A value of the file with its references found. Raises Wrong for values that no row can hold."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return [parsed(part) for part in value]
    if isinstance(value, dict):
        return {name: parsed(part) for name, part in value.items()}
    if isinstance(value, float) and value - value != 0:
        raise Wrong(f"{value} is no number that JSON has")
    if not isinstance(value, (bool, int, float)):
        raise Wrong(f"{value} is a {type(value).__name__}, expected a text in quotes, a number, true, false or a list")
    return value


def _text(value: str) -> Any:
    parts: list[str | Reference] = []
    at = 0
    for match in _REFERENCE.finditer(value):
        parts.append(value[at : match.start()])
        at = match.end()
        name = match[1] or match[2]
        if name is None:
            parts.append("$")
            continue
        head, _, column = name.partition(".")
        parts.append(Reference(head, column or None))
    parts.append(value[at:])
    if "$" in _REFERENCE.sub("", value):
        raise Wrong(f"{value!r} has a $ with no name behind it, expected $name, $name.column or $$ for a dollar")
    kept = [part for part in parts if part != ""]
    if len(kept) == 1 and isinstance(kept[0], Reference):
        return kept[0]
    if all(isinstance(part, str) for part in kept):
        return "".join(map(str, kept))
    return Text(tuple(kept))


def condition(value: Any) -> Condition:
    """`A = B`, `A != B`, `A found`, `A not found`. Raises Wrong for anything else."""
    expected = "expected `A = B`, `A != B`, `$name found` or `$name not found`"
    if not isinstance(value, str):
        raise Wrong(f"{shown(value)} is no condition, {expected}")
    match = _CONDITION.fullmatch(value)
    if match is None:
        raise Wrong(f"{value!r} is no condition, {expected}")
    left, test, right, found = match.groups()
    if found:
        subject = _text(left)
        if not isinstance(subject, Reference):
            raise Wrong(f"{left!r} cannot be found, expected $name or $name.column before `{found}`")
        return Condition(subject, " ".join(found.split()))
    return Condition(_operand(left), test, _operand(right))


def _operand(text: str) -> Any:
    """A reference, a JSON value, or a text without quotes."""
    try:
        value = json.loads(text)
    except ValueError:
        if text[0] in "\"'[{":
            raise Wrong(f"{text!r} is no value, expected $name, a JSON value or a bare text") from None
        return _text(text)
    if isinstance(value, (list, dict)):
        raise Wrong(f"{text!r} is a list or an object, expected a single value")
    return None if value is None else parsed(value)


def valued(value: Any, scope: Scope) -> Any:
    """What a parsed value stands for."""
    if isinstance(value, (Reference, Text)):
        return value.of(scope)
    if isinstance(value, list):
        return [valued(part, scope) for part in value]
    if isinstance(value, dict):
        return {name: valued(part, scope) for name, part in value.items()}
    return value


def references(value: Any) -> Iterator[Reference]:
    """The references in a parsed value or condition."""
    if isinstance(value, Reference):
        yield value
    elif isinstance(value, Text):
        yield from (part for part in value.parts if isinstance(part, Reference))
    elif isinstance(value, Condition):
        yield from references(value.left)
        yield from references(value.right)
    elif isinstance(value, Mapping) and not isinstance(value, Row):
        for part in value.values():
            yield from references(part)
    elif isinstance(value, Iterable) and not isinstance(value, (str, Row)):
        for part in value:
            yield from references(part)
