"""A small history as a schedule, so that it can be drawn, kept as a `.sched` file and checked again."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise

import numpy as np

from ..events import Abort, Commit, Event, Item, Read, Schedule, Write
from .columns import COMMITTED, NOBODY, READ, UNKNOWN, WRITE, History


def schedule_of(history: History, *, name: str | None = None, note: str | None = None) -> Schedule:
    """The history in one order of events that fits it: session order, and reads behind the commits of what they saw,
    or at least behind the writes. A history does not say how its transactions interleaved, so the order is one of many,
    and phenomena that depend on it (P0, P1) mean nothing here.

    The version order is stated where it is known. Raises ValueError where a value that nobody wrote is read, or where
    no order has every read behind its write; ScheduleError where the history is none that a schedule can be: a read
    behind an own write of another version, two transactions of one name.
    """
    texts = _labels(history)
    for strict in (True, False):
        found = _sorted(history, strict)
        if found is not None:
            break
    else:
        raise ValueError("no order of the events has every read behind the write that it saw")
    txn_of = history.txn_of()
    events: list[Event] = []
    for node in found:
        if node >= history.size:
            txn = node - history.size
            outcome = history.outcome[txn]
            if outcome != UNKNOWN:
                events.append((Commit if outcome == COMMITTED else Abort)(history.transactions[txn]))
            continue
        item = Item("facts", history.keys[int(history.key[node])])
        kind = Read if history.kind[node] == READ else Write
        label = texts[int(history.version[node])]
        events.append(kind(history.transactions[int(txn_of[node])], item=item, version=label))
    sessions: dict[str, list[str]] = {}
    for txn, number in enumerate(history.session):
        if number >= 0:
            sessions.setdefault(f"s{history.sessions[int(number)]}", []).append(history.transactions[txn])
    return Schedule(
        events,
        order=_order(history, texts),
        sessions={session: tuple(members) for session, members in sessions.items() if len(members) > 1},
        name=name,
        source=history.source or None,
        note=note,
    )


def _labels(history: History) -> list[str]:
    """A label for each version: its value where that can be one, 0 for the initial version."""
    count, used = len(history.keys), set[tuple[int, str]]()
    found = []
    for version, key in enumerate(history.version_key):
        text = "0" if version < count else history.values[version]
        plain = text.isascii() and text.replace("_", "").replace("-", "").isalnum() and not text.startswith(("-", "0"))
        if version >= count and (not plain or (int(key), text) in used):
            text = f"v{version}"
        used.add((int(key), text))
        found.append(text)
    return found


def _sorted(history: History, strict: bool) -> list[int] | None:
    """Operations, and N + t for the end of transaction t, in an order that fits; None where there is none. `strict`: a
    read stands behind the commit of what it saw."""
    size, txns = history.size, len(history.session)
    txn_of = history.txn_of()
    after: list[list[int]] = [[] for _ in range(size + txns)]
    for txn in range(txns):
        chain = [*range(int(history.first[txn]), int(history.first[txn + 1])), size + txn]
        for one, other in pairwise(chain):
            after[one].append(other)
    last: dict[int, int] = {}
    for txn in range(txns):
        session = int(history.session[txn])
        if session >= 0 and session in last:
            after[size + last[session]].append(int(history.first[txn]) if _has(history, txn) else size + txn)
        last[session] = txn
    for node in range(size):
        if history.kind[node] == WRITE:
            continue
        source = int(history.writer[history.version[node]])
        if source == NOBODY:
            raise ValueError("a value that nobody wrote is read: no schedule has that")
        if source >= 0 and txn_of[source] != txn_of[node]:
            ended = strict and history.outcome[txn_of[source]] == COMMITTED
            after[size + int(txn_of[source]) if ended else source].append(node)
        elif source > node:
            return None
    return _topological(after)


def _has(history: History, txn: int) -> bool:
    return bool(history.first[txn] < history.first[txn + 1])


def _topological(after: list[list[int]]) -> list[int] | None:
    """Nodes in order, the lowest that is free first."""
    waits = np.zeros(len(after), np.int64)
    for targets in after:
        for target in targets:
            waits[target] += 1
    free = [node for node in range(len(after)) if not waits[node]]
    heapify(free)
    found: list[int] = []
    while free:
        node = heappop(free)
        found.append(node)
        for target in after[node]:
            waits[target] -= 1
            if not waits[target]:
                heappush(free, target)
    return found if len(found) == len(after) else None


def _order(history: History, texts: list[str]) -> dict[Item, tuple[str, ...]]:
    """The version orders that are known: of keys all of whose installed versions have a rank."""
    txn_of = history.txn_of()
    last: dict[tuple[int, int], int] = {}
    for node in np.flatnonzero(history.kind == WRITE):
        if history.outcome[txn_of[node]] == COMMITTED:
            last[int(txn_of[node]), int(history.key[node])] = int(history.version[node])
    installed: dict[int, list[int]] = {}
    for (_, key), version in last.items():
        installed.setdefault(key, []).append(version)
    return {
        Item("facts", history.keys[key]): tuple(
            texts[one] for one in sorted(of, key=lambda one: int(history.rank[one]))
        )
        for key, of in installed.items()
        if all(history.rank[version] > 0 for version in of)
    }
