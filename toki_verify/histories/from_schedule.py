"""A schedule as a black-box history: sessions, and what each transaction read and wrote, without the interleaving.

So other tools can check what this one checks; `toki-verify convert --bridge` writes π_J(S) this way. What such a
history cannot hold is said in its warnings: predicate reads, judge calls and callbacks (π_J makes reads and writes of
the last two).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..events import INIT, Callback, Item, Judge, PredicateRead, Read, Schedule, Write
from ..notation.names import item_text
from .builder import Values
from .columns import ABORTED, COMMITTED, INITIAL, READ, UNKNOWN, WRITE, History, Model


def history_of(schedule: Schedule, model: Model = "register") -> History:
    """The history of a schedule. Transactions that are in no session are each in one of their own.

    With `append` every write appends its version to a list, and a read shows the list up to the version that it saw.
    Raises ValueError where a read saw a version that is in no version order, which a list cannot show.
    """
    resolved = schedule.resolved
    listed = [txn for members in schedule.sessions.values() for txn in members if txn in resolved.start]
    in_session = set(listed)
    alone = [txn for txn in resolved.txns if txn not in in_session]
    txns = [*listed, *alone]
    place = {txn: number for number, txn in enumerate(txns)}
    keys = {item: number for number, item in enumerate(resolved.items)}
    rank = {write: at for order in resolved.order.values() for at, write in enumerate(order, 1)}
    writes = [position for position, event in enumerate(schedule.events) if isinstance(event, Write)]
    version = {write: len(keys) + number for number, write in enumerate(writes)}
    rows: list[tuple[int, int, int, int, int]] = []
    for position, event in enumerate(schedule.events):
        if isinstance(event, (Read, Write)):
            seen = position if isinstance(event, Write) else resolved.saw[position]
            if model == "append" and isinstance(event, Read) and seen != INIT and seen not in rank:
                raise ValueError(
                    f"T{event.txn} reads a version of {item_text(event.item)} that is not installed: no list shows it"
                )
            made = keys[event.item] if seen == INIT else version[seen]
            kind = WRITE if isinstance(event, Write) else READ
            rows.append((place[event.txn], position, kind, keys[event.item], made))
    rows.sort(key=lambda row: row[0])
    columns = np.array(rows, np.int32).reshape(-1, 5)
    written = {position: at for at, (_, position, kind, _, _) in enumerate(rows) if kind == WRITE}
    lines = schedule.lines or tuple(range(1, len(schedule.events) + 1))
    outcome = [
        COMMITTED if txn in resolved.committed else ABORTED if txn in resolved.aborted else UNKNOWN for txn in txns
    ]
    session = {txn: number for number, members in enumerate(schedule.sessions.values()) for txn in members}
    session |= {txn: number for number, txn in enumerate(alone, len(schedule.sessions))}
    labels = [_label(schedule, position) for position in writes]
    return History(
        format="schedule",
        source=schedule.name or "",
        model=model,
        session=np.array([session[txn] for txn in txns], np.int32),
        outcome=np.array(outcome, np.int8),
        first=np.searchsorted(columns[:, 0], np.arange(len(txns) + 1)).astype(np.int32),
        kind=columns[:, 2].astype(np.int8),
        key=np.ascontiguousarray(columns[:, 3]),
        version=np.ascontiguousarray(columns[:, 4]),
        line=np.array([lines[position] for _, position, _, _, _ in rows], np.int32),
        version_key=np.array([*keys.values(), *(keys[_item(schedule, position)] for position in writes)], np.int32),
        writer=np.array([*(INITIAL for _ in keys), *(written[position] for position in writes)], np.int32),
        rank=np.array([*(0 for _ in keys), *(rank.get(position, -1) for position in writes)], np.int32),
        transactions=list(txns),
        sessions=[*schedule.sessions, *(f"T{txn}" for txn in alone)],
        keys=[item_text(item, schedule.partitions.get(item)) for item in keys],
        values=Values(labels, np.array([*(-1 for _ in keys), *range(len(writes))], np.int32)),
        warnings=tuple(_left_out(schedule)),
    )


def _item(schedule: Schedule, position: int) -> Item:
    event = schedule.events[position]
    assert isinstance(event, Write)
    return event.item


def _label(schedule: Schedule, position: int) -> str:
    """A value that no other write of the item has: its label, or its place among the events."""
    event = schedule.events[position]
    assert isinstance(event, Write)
    return event.version if event.version is not None else f"e{position}"


def _left_out(schedule: Schedule) -> Iterator[str]:
    for kind, what in ((PredicateRead, "predicate reads"), (Judge, "judge calls"), (Callback, "callbacks")):
        count = sum(isinstance(event, kind) for event in schedule.events)
        if count:
            yield f"{count} {what} are left out: a history has reads and writes of keys"
