"""Evidence as data: events, edges, orders, timestamps."""

from __future__ import annotations

from dataclasses import dataclass

from ..events import Item, Predicate


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of a cycle: from a transaction to another, its kind, its item or predicate, its two events.

    `events` are empty for session and start edges, which no two events make.
    """

    source: str
    target: str
    kind: str
    item: Item | None = None
    predicate: Predicate | None = None
    events: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """What makes "present" or "does not hold" true: the events, the cycle if there is one, and words."""

    events: tuple[int, ...]
    cycle: tuple[Edge, ...]
    text: str
    phenomenon: str | None = None


@dataclass(frozen=True, slots=True)
class Support:
    """What makes "a level holds" true: an order of the committed transactions or timestamps, and what is absent.

    `kind` names the order (`serial_order`, `commit_order`, …) or is `timestamps` (start and commit per transaction).
    """

    kind: str
    order: tuple[str, ...] = ()
    timestamps: tuple[tuple[str, int, int], ...] = ()
    absent: tuple[str, ...] = ()
