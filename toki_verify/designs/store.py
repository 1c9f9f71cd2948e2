"""The multiversion store as a value: versions, transactions and locks; copied, never shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from ..events import WriteKind
from .footprint import Matcher
from .model import Table
from .operations import Select
from .values import Row

#: A row's place: (table, key).
Place = tuple[str, str]


class Version(NamedTuple):
    """One version of a row. `row` None: deleted. `time` is when it was published, None while it is not."""

    label: str
    txn: str
    row: Row | None
    kind: WriteKind
    time: int | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A predicate that a transaction has read: its table, and which rows match."""

    table: str
    matches: Matcher


class Txn(NamedTuple):
    """A transaction. `reads` and `seen` are those at SR (for SSI), `locked` and `guarded` those under 2PL."""

    name: str
    writer: int
    level: str
    snapshot: int | None = None
    time: int | None = None
    wrote: tuple[Place, ...] = ()
    reads: tuple[tuple[Place, str], ...] = ()
    seen: tuple[tuple[Seen, tuple[tuple[Place, str], ...]], ...] = ()
    locked: tuple[Place, ...] = ()
    guarded: tuple[Seen, ...] = ()
    wrote_serializable: frozenset[Place] = frozenset()


@dataclass(slots=True)
class Store:
    """Rows with their versions in the order of the writes, those of aborted transactions gone; who is active."""

    rows: dict[Place, tuple[Version, ...]] = field(default_factory=dict)
    labels: dict[Place, int] = field(default_factory=dict)
    active: dict[str, Txn] = field(default_factory=dict)
    #: Committed transactions that SSI may still have to look at.
    done: tuple[Txn, ...] = ()
    clock: int = 0
    mutexes: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Store:
        """The same store, to be changed."""
        return Store(dict(self.rows), dict(self.labels), dict(self.active), self.done, self.clock, dict(self.mutexes))

    # -- what a transaction sees ---------------------------------------------------------------------------------------
    def visible(self, place: Place, txn: Txn, level: str) -> Version | None:
        """The version that the transaction sees now, its own before any other; None is the initial absence."""
        versions = self.rows.get(place, ())
        for version in reversed(versions):
            if version.txn == txn.name:
                return version
        if level in ("none", "RU"):
            return versions[-1] if versions else None
        until = txn.snapshot if level in ("SI", "SR") else None
        for version in reversed(versions):
            if version.time is not None and (until is None or version.time <= until):
                return version
        return None

    def latest(self, place: Place) -> Version | None:
        """The latest published version."""
        for version in reversed(self.rows.get(place, ())):
            if version.time is not None:
                return version
        return None

    def open_version(self, place: Place, txn: str) -> Version | None:
        """A version of another transaction that is not published yet."""
        for version in reversed(self.rows.get(place, ())):
            if version.time is None and version.txn != txn:
                return version
        return None

    def places(self, table: str) -> Iterator[Place]:
        """The places of a table, in the order in which they came to be."""
        return (place for place in self.rows if place[0] == table)

    def contents(self, place: Place, txn: str) -> tuple[Row, ...]:
        """What a row said before a transaction, and says by it: what its commit or abort changes. Before it the row
        said what the latest version of a transaction that has ended says, and, where writes do not wait, all since."""
        versions = self.rows.get(place, ())
        own = next((index for index, version in enumerate(versions) if version.txn == txn), len(versions))
        ended = [index for index in range(own) if versions[index].txn not in self.active]
        return tuple(version.row for version in versions[max(ended, default=0) :] if version.row is not None)

    # -- what changes it -----------------------------------------------------------------------------------------------
    def install(self, place: Place, txn: Txn, row: Row | None, kind: WriteKind, published: bool) -> Txn:
        """A new version by a transaction; the transaction as it is then. The row gets its label."""
        number = self.labels.get(place, 0) + 1
        self.labels[place] = number
        if row is not None:
            row = row.at(str(number))
        time = None
        if published:
            self.clock += 1
            time = self.clock
        version = Version(str(number), txn.name, row, kind, time)
        self.rows[place] = (*self.rows.get(place, ()), version)
        if place not in txn.wrote:
            txn = txn._replace(wrote=(*txn.wrote, place))
        self.active[txn.name] = txn
        return txn

    def publish(self, txn: Txn) -> None:
        """The transaction has committed."""
        self.clock += 1
        for place in txn.wrote:
            self.rows[place] = tuple(
                version._replace(time=self.clock) if version.txn == txn.name and version.time is None else version
                for version in self.rows[place]
            )
        del self.active[txn.name]
        if txn.reads or txn.seen or txn.wrote_serializable:
            self.done = (*self.done, txn._replace(time=self.clock))

    def roll_back(self, txn: Txn) -> None:
        """The transaction has aborted: its versions are gone."""
        for place in txn.wrote:
            self.rows[place] = tuple(version for version in self.rows[place] if version.txn != txn.name)
        del self.active[txn.name]

    def state(self) -> dict[str, dict[str, Row]]:
        """The published rows: table -> key -> row."""
        found: dict[str, dict[str, Row]] = {}
        for table, key in self.rows:
            version = self.latest((table, key))
            if version is not None and version.row is not None:
                found.setdefault(table, {})[key] = version.row
        return found


def select_name(of: Select, declared: Table) -> str:
    """What the notation calls a predicate: `alice.lives_in` for a partition, else its columns."""
    partition = declared.partition_of(dict(of.columns))
    rest = () if partition is None else declared.partition or ()
    parts = [] if partition is None else [".".join(partition)]
    parts += [of.named] if of.named else []
    parts += [f"{name}={value}" for name, value in of.columns if name not in rest]
    return ",".join(parts) or "all"
