"""Rows and the values in them: immutable, hashable, comparable, and JSON when they are printed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

#: What a column may hold, besides tuples of them.
SCALARS: Final = (str, int, float, bool, type(None))
#: Nesting of tuples and mappings in a value.
DEPTH: Final = 16


class ValueProblem(TypeError):
    """A value that a row or a key cannot hold."""


def frozen(value: object, depth: int = 0) -> Any:
    """A value that is immutable: lists become tuples, mappings tuples of pairs under their sorted names, sets sorted
    tuples. A row stands for its key.

    Raises ValueProblem for anything else than text, numbers, booleans, None and these.
    """
    if depth > DEPTH:
        raise ValueProblem(f"a value nested more than {DEPTH} deep")
    if isinstance(value, Row):
        return value.key
    if isinstance(value, bool) or value is None or type(value) in (str, int):
        return value
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise ValueProblem(f"{value!r} is no number that JSON has")
        return value
    if isinstance(value, (list, tuple)):
        return tuple(frozen(part, depth + 1) for part in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((frozen(part, depth + 1) for part in value), key=repr))
    if isinstance(value, Mapping):
        return tuple(sorted((str(name), frozen(part, depth + 1)) for name, part in value.items()))
    raise ValueProblem(f"{type(value).__name__} {value!r:.60}: a value is text, a number, a boolean, None or a list of them")


class Row(Mapping[str, Any]):
    """A version of a row as a transaction saw it: its columns by name, and where it stands.

    `table` and `key` identify the row, `version` the version seen (`0` is the initial one), `prov` is its provenance.
    Rows are equal when all of these are.
    """

    __slots__ = ("_columns", "_hash", "_named", "key", "prov", "table", "version")

    table: str
    key: str
    version: str
    prov: str | None

    def __init__(self, table: str, key: str, columns: Mapping[str, Any], version: str = "0", prov: str | None = None):
        self.table, self.key, self.version, self.prov = table, key, version, prov
        self._named = dict(columns)
        self._columns = tuple(sorted(self._named.items()))
        self._hash = hash((table, key, version, prov, self._columns))

    def __getitem__(self, name: str) -> Any:
        return self._named[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._named)

    def __len__(self) -> int:
        return len(self._named)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Row)
            and self._hash == other._hash
            and (self.table, self.key, self.version, self.prov, self._columns)
            == (other.table, other.key, other.version, other.prov, other._columns)
        )

    def __repr__(self) -> str:
        columns = ", ".join(f"{name}={value!r}" for name, value in self._named.items())
        return f"<{self.table}:{self.key}@{self.version} {columns}>"

    @property
    def content(self) -> tuple[tuple[str, Any], ...]:
        """The columns and what they hold, by name."""
        return self._columns

    def with_(self, columns: Mapping[str, Any], version: str, prov: str | None) -> Row:
        """The row after an update of some columns."""
        return Row(self.table, self.key, {**self._named, **columns}, version, prov)


def key_text(value: object) -> str:
    """The text of a key, a read set R or a decoder θ: text as it is, other values as canonical JSON.

    Raises ValueProblem for values that are none (SEMANTICS §1: a judge key is compared, so it must be a value).
    """
    if isinstance(value, str):
        return value
    plain = frozen(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
