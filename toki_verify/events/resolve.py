"""What follows from the events: who ended how, which write each read saw, the version orders (SEMANTICS §1).

Write events are named by their index; version 0 of an item is `INIT` (-1). Every broken rule is collected, so that a
reader can report all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import NamedTuple

from .kinds import (
    INITIAL,
    Abort,
    Begin,
    Commit,
    Event,
    InitialVersion,
    Item,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Write,
)
from .limits import EVENTS
from .problems import Problem

INIT = -1


class RowSeen(NamedTuple):
    """One row of a predicate read: the write it saw (or INIT) and whether it was listed as matching."""

    item: Item
    seen: int
    matched: bool


@dataclass(slots=True)
class Resolved:
    """The resolved facts of a schedule; every index is an index into its events."""

    txns: list[str] = field(default_factory=list)
    start: dict[str, int] = field(default_factory=dict)
    end: dict[str, int] = field(default_factory=dict)
    committed: set[str] = field(default_factory=set)
    aborted: set[str] = field(default_factory=set)
    writes: dict[Item, list[int]] = field(default_factory=dict)
    labels: dict[Item, dict[str, int]] = field(default_factory=dict)
    final: set[int] = field(default_factory=set)
    order: dict[Item, list[int]] = field(default_factory=dict)
    saw: dict[int, int] = field(default_factory=dict)
    rows: dict[int, list[RowSeen]] = field(default_factory=dict)
    items: dict[Item, None] = field(default_factory=dict)
    initial_matches: set[tuple[Item, Predicate]] = field(default_factory=set)

    def freeze(self) -> None:
        """Make every container read-only: a schedule is immutable, and so is what follows from it."""
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, set):
                setattr(self, entry.name, frozenset(value))
            elif isinstance(value, dict):
                setattr(self, entry.name, MappingProxyType(value))

    def committed_by(self, txn: str, position: int) -> bool:
        """Whether the transaction committed before the position."""
        return txn in self.committed and self.end[txn] < position

    def aborted_by(self, txn: str, position: int) -> bool:
        """Whether the transaction aborted before the position."""
        return txn in self.aborted and self.end[txn] < position


def resolve(
    events: tuple[Event, ...],
    init: Mapping[Item, InitialVersion],
    order: Mapping[Item, tuple[str, ...]],
    sessions: Mapping[str, tuple[str, ...]],
    partitions: Mapping[Item, Partition],
) -> tuple[Resolved, list[Problem]]:
    """Resolve the events, and every rule of SEMANTICS §1 that they break."""
    from .orders import resolve_orders
    from .rows import resolve_rows
    from .types import check_types
    from .wellformed import check_names

    if not events:
        return Resolved(), [Problem("a schedule without events", "at least one event", "no-events")]
    if len(events) > EVENTS:
        what = f"a schedule of {len(events)} events"
        return Resolved(), [Problem(what, f"at most {EVENTS} events", "limit-events", EVENTS)]
    problems = check_types(events, init)
    if problems:
        return Resolved(), problems
    problems = check_names(events, init, order, sessions, partitions)
    if problems:
        return Resolved(), problems
    walk = _Walk(events, init)
    walk.run()
    problems += walk.problems
    problems += resolve_orders(events, order, sessions, walk.out)
    if not problems:
        problems += resolve_rows(events, walk.out)
    return walk.out, problems


class _Walk:
    """One pass over the events in order: ends, versions, labels, item reads and listed rows."""

    def __init__(self, events: tuple[Event, ...], init: Mapping[Item, InitialVersion]) -> None:
        self.events = events
        self.out = Resolved()
        self.problems: list[Problem] = []
        self.own: dict[tuple[str, Item], int] = {}
        self.all_labels: dict[Item, set[str]] = {}
        for event in events:
            if isinstance(event, Write) and event.version is not None:
                self.all_labels.setdefault(event.item, set()).add(event.version)
        for event in events:
            if isinstance(event, Commit):
                self.out.committed.add(event.txn)
        for item, initial in init.items():
            self.out.items[item] = None
            for name in initial.predicates:
                self.out.initial_matches.add((item, Predicate(item.table, name)))

    def fault(self, what: str, expected: str, rule: str, event: int) -> None:
        self.problems.append(Problem(what, expected, rule, event))

    def run(self) -> None:
        out = self.out
        for position, event in enumerate(self.events):
            txn = event.txn
            if txn in out.end:
                how = "committed" if isinstance(self.events[out.end[txn]], Commit) else "aborted"
                if isinstance(event, (Commit, Abort)):
                    self.fault(f"T{txn} has already {how}", "one commit or abort per transaction", "one-end", position)
                else:
                    self.fault(
                        f"T{txn} has already {how}", "no event of a transaction after its end", "after-end", position
                    )
                continue
            if txn not in out.start:
                out.start[txn] = position
                out.txns.append(txn)
            elif isinstance(event, Begin):
                self.fault(
                    f"T{txn} has already begun", "begin as the first event of its transaction", "begin-first", position
                )
            if isinstance(event, (Commit, Abort)):
                out.end[txn] = position
                (out.committed if isinstance(event, Commit) else out.aborted).add(txn)
            elif isinstance(event, Write):
                self.write(position, event)
            elif isinstance(event, Read):
                out.items[event.item] = None
                seen = self.version(position, event.txn, event.item, event.version)
                if seen is not None:
                    out.saw[position] = seen
            elif isinstance(event, PredicateRead):
                self.predicate_read(position, event)

    def write(self, position: int, event: Write) -> None:
        out, item = self.out, event.item
        out.items[item] = None
        labels = out.labels.setdefault(item, {})
        if event.version == INITIAL:
            self.fault(
                f"a write of version 0 of {item.name}",
                "any label but 0, which is the initial version",
                "version-0",
                position,
            )
        elif event.version is not None and event.version in labels:
            self.fault(
                f"version {event.version} of {item.name} is written twice",
                "a fresh label for each write",
                "unique-version",
                position,
            )
        elif event.version is not None:
            labels[event.version] = position
        out.writes.setdefault(item, []).append(position)
        previous = self.own.get((event.txn, item))
        if previous is not None:
            out.final.discard(previous)
        out.final.add(position)
        self.own[event.txn, item] = position

    def version(self, position: int, txn: str, item: Item, label: str | None) -> int | None:
        """The write a read of this label saw, by the label or by the single-version rule; None after a fault."""
        seen: int | None
        if label == INITIAL:
            seen = INIT
        elif label is not None:
            seen = self.out.labels.get(item, {}).get(label)
            if seen is None and label in self.all_labels.get(item, ()):
                self.fault(
                    f"version {label} of {item.name} is read before it is written",
                    "a version written earlier, or 0",
                    "read-after-write",
                    position,
                )
            elif seen is None:
                self.fault(
                    f"version {label} of {item.name} is read but nothing writes it",
                    self.known(item),
                    "read-after-write",
                    position,
                )
        else:
            seen = INIT
            for write in reversed(self.out.writes.get(item, [])):
                if not self.out.aborted_by(self.events[write].txn, position):
                    seen = write
                    break
        own = self.own.get((txn, item))
        if seen is not None and own is not None and seen != own:
            self.fault(
                f"T{txn} has written {item.name} and reads another version of it",
                f"its own latest version, {self.named(item, own)}",
                "own-write",
                position,
            )
            return None
        return seen

    def known(self, item: Item) -> str:
        labels = list(self.out.labels.get(item, {}))[-5:]
        return ", ".join([INITIAL, *labels]) + ("" if labels else ", the version from before the schedule begins")

    def named(self, item: Item, write: int) -> str:
        event = self.events[write]
        label = event.version if isinstance(event, Write) else None
        return f"{item.name} (unlabelled)" if label is None else f"{item.name}@{label}"

    def predicate_read(self, position: int, event: PredicateRead) -> None:
        listed: set[Item] = set()
        rows: list[RowSeen] = []
        for matched, group in ((True, event.matched), (False, event.unmatched)):
            for row in group:
                self.out.items[row.item] = None
                if row.item in listed:
                    self.fault(
                        f"row {row.item.name} is listed twice in one predicate read",
                        "at most one version of a row",
                        "one-version-per-row",
                        position,
                    )
                    continue
                listed.add(row.item)
                seen = self.version(position, event.txn, row.item, row.version)
                if seen is not None:
                    rows.append(RowSeen(row.item, seen, matched))
                    if matched and seen == INIT:
                        self.out.initial_matches.add((row.item, event.predicate))
        self.out.rows[position] = rows


__all__ = ["INIT", "Resolved", "Row", "RowSeen", "resolve"]
