"""Rows and the values in them: immutable, hashable, comparable, and JSON when they are printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

from ..events.names import normal_name
from ..events.provenance import polynomial_fault

#: What a column may hold, besides tuples of them.
SCALARS: Final = (str, int, float, bool, type(None))
#: Nesting of tuples and mappings in a value.
DEPTH: Final = 16
#: Names that need no quotes within a list of them.
_PLAIN: Final = re.compile(r"[\w.:/@=-]+( [\w.:/@=-]+)*")


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
        return int(value) if value.is_integer() and abs(value) < 1e21 else value  # as JSON text has it
    if isinstance(value, (list, tuple)):
        return tuple(frozen(part, depth + 1) for part in value)
    if isinstance(value, (set, frozenset)):
        return tuple(sorted((frozen(part, depth + 1) for part in value), key=repr))
    if isinstance(value, Mapping):
        return tuple(sorted((str(name), frozen(part, depth + 1)) for name, part in value.items()))
    said = f"{type(value).__name__} {repr(value)[:60]}"
    raise ValueProblem(f"{said}: a value is text, a number, a boolean, None or a list of them")


class Row(Mapping[str, Any]):
    """A version of a row as a transaction saw it: its columns by name, and where it stands.

    `table` and `key` identify the row, `version` the version seen (`0` is the initial one), `prov` is its provenance:
    the one that was `stated`, or a fresh variable of the version. Rows are equal when all of these are.
    """

    __slots__ = ("_columns", "_hash", "_named", "_text", "key", "prov", "stated", "table", "version")

    table: str
    key: str
    version: str
    prov: str
    stated: bool

    def __init__(self, table: str, key: str, columns: Mapping[str, Any], version: str = "0", prov: str | None = None):
        self.table, self.key, self.version = table, key, version
        self.stated = prov is not None
        self.prov = fresh_variable(table, key, version) if prov is None else prov
        self._named = dict(columns)
        self._columns = tuple(sorted(self._named.items()))
        self._text = repr(self._columns)  # in which 1, 1.0 and True are three
        self._hash = hash((table, key, version, prov, self._text))

    def __getitem__(self, name: str) -> Any:
        try:
            return self._named[name]
        except KeyError:
            if name in ("key", "prov", "table", "version"):
                raise KeyError(f"{name} is no column: it is the row's attribute, row.{name}") from None
            raise KeyError(f"{name}; the columns are {', '.join(self._named) or 'none'}") from None

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
            and (self.table, self.key, self.version, self.prov, self._text)
            == (other.table, other.key, other.version, other.prov, other._text)
        )

    def __repr__(self) -> str:
        columns = ", ".join(f"{name}={value!r}" for name, value in self._named.items())
        return f"<{self.table}:{self.key}@{self.version} {columns}>"

    @property
    def content(self) -> tuple[tuple[str, Any], ...]:
        """The columns and what they hold, by name."""
        return self._columns

    @property
    def told(self) -> str | None:
        """The provenance, if it was stated."""
        return self.prov if self.stated else None

    def at(self, version: str) -> Row:
        """The row as another version of its item."""
        return Row(self.table, self.key, self._named, version, self.told)


def fresh_variable(table: str, key: str, version: str) -> str:
    """The provenance variable of a version that states no provenance (SEMANTICS §3, N3): `fresh.facts.m0.1`."""
    name = f"fresh.{table}.{key}.{version}"
    plain = re.sub(r"[^\w.]", "_", name)
    return plain if plain == name else f"{plain}.{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"


def prov_text(value: object) -> str | None:
    """A stated provenance. Raises ValueProblem for what is no polynomial."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise ValueProblem(f"prov is {value!r:.60}, expected a polynomial such as 'p1+p2*t1'")
    wrong = polynomial_fault(value)
    if wrong:
        raise ValueProblem(f"prov {value!r:.60}: {wrong}, expected a polynomial such as 'p1+p2*t1'")
    return value


def key_text(value: object) -> str:
    """The text of a key, a read set R or a decoder θ: text as it is, a list of plain names as `{a, b}`, other values
    as canonical JSON. Different values have different texts.

    Raises ValueProblem for values that are none (SEMANTICS §1: a judge key is compared, so it must be a value).
    """
    if value is None:
        raise ValueProblem("the key is None, expected a value")
    plain = frozen(value)
    if isinstance(plain, str) and not plain.startswith("{"):
        return normal_name(plain)
    if isinstance(plain, tuple) and plain and all(isinstance(part, str) and _PLAIN.fullmatch(part) for part in plain):
        return normal_name("{" + ", ".join(plain) + "}")
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
