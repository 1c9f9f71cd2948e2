"""The seven events (SEMANTICS §1) as frozen data. Imports nothing of ours but values."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, NamedTuple

from .values import JsonText

DEFAULT_TABLE = "facts"
INITIAL = "0"


class Item(NamedTuple):
    """A data item: identity is (table, name)."""

    table: str
    name: str


class Partition(NamedTuple):
    """The partition (subject, predicate) an item belongs to: an attribute that agrees at every mention."""

    subject: str
    predicate: str


class Predicate(NamedTuple):
    """A selection predicate: identity is (table, name)."""

    table: str
    name: str


class Row(NamedTuple):
    """A row in a predicate read: the item, the version seen (None: by the single-version rule), unknown JSON keys."""

    item: Item
    version: str | None = None
    extra: tuple[tuple[str, JsonText], ...] = ()


class WriteKind(Enum):
    """What a write does to the row; the value is the sign the notation uses."""

    UPDATE = ""
    INSERT = "+"
    DELETE = "-"


OPERATORS = ("lww", "evi", "await", "rule")


@dataclass(frozen=True, slots=True)
class Event:
    """What all events have: the transaction; and what only JSON can hold: a time and unknown keys, kept."""

    op: ClassVar[str] = ""
    txn: str
    time: JsonText | None = field(default=None, kw_only=True)
    extra: tuple[tuple[str, JsonText], ...] = field(default=(), kw_only=True)


@dataclass(frozen=True, slots=True)
class Begin(Event):
    """b_i"""

    op: ClassVar[str] = "b"


@dataclass(frozen=True, slots=True)
class Commit(Event):
    """c_i"""

    op: ClassVar[str] = "c"


@dataclass(frozen=True, slots=True)
class Abort(Event):
    """a_i"""

    op: ClassVar[str] = "a"


@dataclass(frozen=True, slots=True)
class Read(Event):
    """r_i[x v]: an item read of version v (None: the single-version rule), and the value it stated."""

    op: ClassVar[str] = "r"
    item: Item
    version: str | None = None
    value: JsonText | None = None


@dataclass(frozen=True, slots=True)
class PredicateRead(Event):
    """r_i{P: matched; unmatched}: the matching versions seen, and stated versions of rows seen as not matching.

    `partial` (`...`) claims nothing about rows that are not listed.
    """

    op: ClassVar[str] = "r"
    predicate: Predicate
    matched: tuple[Row, ...] = ()
    unmatched: tuple[Row, ...] = ()
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Write(Event):
    """w_i[x v]: installs version v of x if its transaction commits and it is its final write of x.

    `predicates` are the predicates of the item's table that the new version matches; a delete matches none,
    whatever it lists. `prov` is a provenance polynomial, `operator` one of lww, evi, await, rule.
    """

    op: ClassVar[str] = "w"
    item: Item
    version: str | None = None
    value: JsonText | None = None
    kind: WriteKind = WriteKind.UPDATE
    predicates: tuple[str, ...] = ()
    prov: str | None = None
    operator: str | None = None

    def matches(self, predicate: Predicate) -> bool:
        """Whether the version written matches the predicate (SEMANTICS §1, Predicates)."""
        return (
            self.kind is not WriteKind.DELETE
            and predicate.table == self.item.table
            and predicate.name in self.predicates
        )


@dataclass(frozen=True, slots=True)
class Judge(Event):
    """j_i(R, θ)=vote. θ is the JSON text of a name or of a decoder tuple; vote None: unknown."""

    op: ClassVar[str] = "j"
    reads: str
    theta: JsonText
    vote: JsonText | None = None

    @property
    def key(self) -> tuple[str, JsonText]:
        """κ = (R, θ)."""
        return (self.reads, self.theta)


@dataclass(frozen=True, slots=True)
class Callback(Event):
    """cb_i(R, h, k): an external callback for request hash h that returned winner index k."""

    op: ClassVar[str] = "cb"
    reads: str
    request: str
    winner: int


class InitialVersion(NamedTuple):
    """What an `init` line says of version 0 of an item."""

    value: JsonText | None = None
    predicates: tuple[str, ...] = ()
    prov: str | None = None


class Surface(NamedTuple):
    """One part of the recovery surface: current, closed, history or audit, and the table that holds it."""

    part: str
    table: str | None = None


SURFACE_PARTS = ("current", "closed", "history", "audit")


@dataclass(frozen=True, slots=True)
class Expectation:
    """One `expect` line: kind is present, absent or level; family only for level (None: the default family).

    `line` and `columns` are where it and its names stand in their file; they take no part in equality.
    """

    kind: str
    names: tuple[str, ...]
    family: str | None = None
    line: int | None = field(default=None, compare=False)
    columns: tuple[int, ...] = field(default=(), compare=False)
