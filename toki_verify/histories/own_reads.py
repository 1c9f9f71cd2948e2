"""Reads of lists behind own appends, for schedules.

Such a read says two things: what its transaction appended itself, which its own writes say, and what stands before
that, which is a read of another's version (`appends.py`). A schedule cannot have the second behind the own write, so
the write is put behind the read: the order of the reads, and of the writes of each key, stays, and no level asks for
more.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .columns import READ, WRITE, History, Int32


def reads_first(history: History) -> History:
    """The history with own appends behind the reads that saw what stands before them."""
    if history.model != "append":
        return history
    owner = history.txn_of()
    order: list[int] = []
    for txn in range(len(history.session)):
        order += _reads_first(history, owner, range(int(history.first[txn]), int(history.first[txn + 1])))
    place = np.empty(history.size, np.int32)
    place[order] = np.arange(history.size, dtype=np.int32)
    writer = history.writer.copy()
    written = writer >= 0
    writer[written] = place[writer[written]]
    return replace(
        history,
        kind=history.kind[order],
        key=history.key[order],
        version=history.version[order],
        line=history.line[order],
        writer=writer,
    )


def _reads_first(history: History, owner: Int32, nodes: range) -> list[int]:
    written: set[int] = set()
    last: dict[int, int] = {}
    for node in nodes:
        key = int(history.key[node])
        if history.kind[node] == WRITE:
            written.add(key)
        elif key in written:
            source = int(history.writer[history.version[node]])
            if source < 0 or owner[source] != owner[node]:
                last[key] = node
    out: list[int] = []
    waiting: dict[int, list[int]] = {}
    for node in nodes:
        key = int(history.key[node])
        if history.kind[node] == WRITE and node < last.get(key, -1):
            waiting.setdefault(key, []).append(node)
            continue
        out.append(node)
        if history.kind[node] == READ and last.get(key) == node:
            out += waiting.pop(key)
    return out
