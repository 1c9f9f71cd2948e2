"""A small history as a schedule, so that it can be drawn, kept as a `.sched` file and checked again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..events import Abort, Commit, Event, Item, Read, Schedule, Write
from .columns import COMMITTED, READ, UNKNOWN, WRITE, History
from .interleaving import interleaved
from .own_reads import reads_first
from .sessions.prepared import counting


def schedule_of(
    history: History, *, name: str | None = None, note: str | None = None, realtime: bool = False
) -> Schedule:
    """The history in one order of events that fits it: session order, and reads behind the commits of what they saw,
    or at least behind the writes. A history does not say how its transactions interleaved, so the order is one of many:
    one without dirty writes and dirty reads where there is one (`interleaving.py`). With `realtime` what ended before
    another began comes first. Of lists a read behind own appends stands before them (`own_reads.py`).

    A transaction of unknown outcome that counts (`sessions.prepared.prepare`: somebody saw what it wrote) is committed,
    another one has no end. The version order is stated where it is known (`_order`). Raises ValueError where a value
    that nobody wrote is read, or where no order has every read behind its write; ScheduleError where the history is
    none that a schedule can be: a read behind an own write of another version, two transactions of one name.
    """
    texts = labels_of(history)
    history = replace(history, outcome=np.where(counting(history), COMMITTED, history.outcome).astype(np.int8))
    history = reads_first(history)
    found = interleaved(history, realtime=realtime)
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
        order=_order(history, texts, found),
        sessions={session: tuple(members) for session, members in sessions.items() if len(members) > 1},
        name=name,
        source=history.source or None,
        note=note,
    )


def labels_of(history: History) -> list[str]:
    """A label for each version: its value where that can be one, 0 for the initial version, else `v` and its number."""
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


def _order(history: History, texts: list[str], found: list[int]) -> dict[Item, tuple[str, ...]]:
    """The version orders that are known: of keys all of whose installed versions have a rank. Of a list that somebody
    read, elements that nobody read stand behind the others: in the order in which they are committed here."""
    txn_of = history.txn_of()
    last: dict[tuple[int, int], int] = {}
    for node in np.flatnonzero(history.kind == WRITE):
        if history.outcome[txn_of[node]] == COMMITTED:
            last[int(txn_of[node]), int(history.key[node])] = int(history.version[node])
    installed: dict[int, list[int]] = {}
    for (_, key), version in last.items():
        installed.setdefault(key, []).append(version)
    ended = {node - history.size: at for at, node in enumerate(found) if node >= history.size}
    orders: dict[Item, tuple[str, ...]] = {}
    for key, of in installed.items():
        known = sorted((one for one in of if history.rank[one] > 0), key=lambda one: int(history.rank[one]))
        unread = [one for one in of if history.rank[one] <= 0]
        if known and (not unread or history.model == "append"):
            unread.sort(key=lambda one: ended[int(txn_of[history.writer[one]])])
            orders[Item("facts", history.keys[key])] = tuple(texts[one] for one in (*known, *unread))
    return orders
