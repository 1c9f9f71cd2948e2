"""A serial order, found by running the transactions: often there, and then every level holds."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

import numpy as np

from ..columns import Int32, Int64
from .graph import adjacency
from .jit import compiled
from .prepared import Prepared
from .segments import Readers


def serial_order(prepared: Prepared, found: Readers, size: int, source: Int32, target: Int32) -> Int32:
    """Nodes in an order in which every read sees the latest write, as far as it was found; all of them: the history is
    serializable. If some are missing, nothing follows.

    `source`, `target`: edges that a serial order must have anyway; the better known, the seldomer the run gets stuck.
    Tried in the order of begins or else of the file, and with the sessions side by side.
    """
    writes, keys = len(prepared.write_op), len(prepared.history.keys)
    first, targets, _ = adjacency(size, source, target)
    versions = np.repeat(np.arange(writes + keys), np.diff(found.first))
    by_reader = np.argsort(found.reader[found.reads], kind="stable")
    reader = found.reader[found.reads][by_reader]
    best = np.zeros(0, np.int32)
    for when in _turns(prepared):
        # Nodes that are no transactions never wait.
        whose = np.concatenate([np.arange(prepared.size, size), np.argsort(when, kind="stable")]).astype(np.int32)
        turn = np.empty(size, np.int64)
        turn[whose] = np.arange(size)
        order = _run(
            first,
            targets,
            np.bincount(target, minlength=size).astype(np.int32),
            np.searchsorted(reader, np.arange(prepared.size + 1)).astype(np.int64),
            versions[by_reader].astype(np.int64),
            prepared.write_first,
            prepared.write_key,
            np.diff(found.first).astype(np.int32),
            keys,
            turn,
            whose,
        )
        if len(order) > len(best):
            best = order
        if len(best) == prepared.size:
            break
    return best


def _turns(prepared: Prepared) -> Iterator[Int64]:
    """In which orders to try: a number for each node, small ones first."""
    history = prepared.history
    if history.begun is not None:
        yield history.begun[prepared.txn].astype(np.int64)
    opening = history.first[prepared.txn]
    line = history.line[np.minimum(opening, max(0, history.size - 1))] if history.size else opening
    yield line.astype(np.int64)
    # The place in its session, scaled so that all sessions end together.
    by_session = np.argsort(prepared.session, kind="stable")
    session = prepared.session[by_session]
    begin = np.searchsorted(session, session, side="left")
    length = np.searchsorted(session, session, side="right") - begin
    scaled = np.empty(prepared.size, np.int64)
    scaled[by_session] = ((np.arange(prepared.size) - begin) * 1_000_000_007) // np.maximum(length, 1)
    yield scaled


@compiled
def _run(
    first: Int64,
    targets: Int32,
    degree: Int32,
    read_first: Int64,
    saw: Int64,
    write_first: Int64,
    write_key: Int32,
    unread: Int32,
    keys: int,
    turn: Int64,
    whose: Int32,
) -> Int32:
    """Run a transaction when all that must come before it has run and nobody still has to read what it overwrites.

    What it reads is then current: its writer ran, and a version is overwritten only when no reader of it is left. Of
    the nodes that can run the one whose turn is first does; `whose` is the inverse of `turn`. Transactions that have to
    wait are parked at the key whose readers they wait for.
    """
    size, n, writes = len(first) - 1, len(read_first) - 1, len(write_key)
    current = np.arange(writes, writes + keys)
    parked = np.full(keys, -1, np.int32)
    following = np.full(size, -1, np.int32)
    mine = np.full(writes + keys, -1, np.int32)
    ready = [turn[v] for v in range(size) if degree[v] == 0]
    heapq.heapify(ready)
    order = np.empty(n, np.int32)
    count = 0
    while len(ready) > 0:
        v = whose[heapq.heappop(ready)]
        if v < n:
            for r in range(read_first[v], read_first[v + 1]):
                mine[saw[r]] = v
            wait = -1
            for w in range(write_first[v], write_first[v + 1]):
                old = current[write_key[w]]
                if unread[old] > (1 if mine[old] == v else 0):
                    wait = write_key[w]
                    break
            if wait >= 0:
                following[v] = parked[wait]
                parked[wait] = v
                continue
            order[count] = v
            count += 1
            for r in range(read_first[v], read_first[v + 1]):
                unread[saw[r]] -= 1
                if unread[saw[r]] <= 1:
                    key = saw[r] - writes if saw[r] >= writes else write_key[saw[r]]
                    while parked[key] >= 0:
                        heapq.heappush(ready, turn[parked[key]])
                        parked[key] = following[parked[key]]
            for w in range(write_first[v], write_first[v + 1]):
                key = write_key[w]
                current[key] = w
                if unread[w] <= 1:
                    while parked[key] >= 0:
                        heapq.heappush(ready, turn[parked[key]])
                        parked[key] = following[parked[key]]
        for at in range(first[v], first[v + 1]):
            degree[targets[at]] -= 1
            if degree[targets[at]] == 0:
                heapq.heappush(ready, turn[targets[at]])
    return order[:count].copy()
