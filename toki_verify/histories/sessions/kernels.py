"""The loops of RC, RA and CC: which transactions must come before which (AWDIT: Møldrup and Pavlogiannis, PLDI 2025).

All take the arrays of `Prepared`. n is the number of nodes and also the node of the initial versions. A forced edge is
a row (t2, t1, read): t2 must come before t1 since the read saw the version of t1 and its transaction had to see t2,
which writes the same key. Only edges that the others do not imply are made.
"""

from __future__ import annotations

import numpy as np

from ..columns import Int32, Int64
from .jit import compiled


@compiled
def forced_rc(
    read_first: Int64, read_key: Int32, read_from: Int32, write_first: Int64, write_key: Int32, keys: int
) -> Int32:
    """RC: a read puts the versions of transactions that earlier reads of its transaction saw before its own (AWDIT,
    algorithm 1): O(N^1.5) for N operations.

    Backwards over the reads of a transaction. For a transaction t2 that is read first here, and a key of it that is
    read later, only the first later read that saw another transaction t1 needs an edge: the reads behind that one are
    ordered behind t1 by t1's own edges. So the nearest two sources of a key are enough.
    """
    n = len(read_first) - 1
    out = np.empty((1024, 3), np.int32)
    size = 0
    stamp = np.full(keys, -1, np.int32)
    near = np.empty(keys, np.int32)
    near_read = np.empty(keys, np.int32)
    far = np.empty(keys, np.int32)
    far_read = np.empty(keys, np.int32)
    seen = np.full(n + 1, -1, np.int32)
    most = 0
    for t in range(n):
        most = max(most, read_first[t + 1] - read_first[t])
    is_first = np.empty(most, np.bool_)
    behind = np.empty(most, np.int32)
    for t in range(n):
        low, high = read_first[t], read_first[t + 1]
        if high - low < 2:
            continue
        for r in range(low, high):
            is_first[r - low] = seen[read_from[r]] != t
            seen[read_from[r]] = t
        count = 0
        for r in range(high - 1, low - 1, -1):
            t2 = read_from[r]
            if is_first[r - low] and t2 != n and count > 0:
                start, end = write_first[t2], write_first[t2 + 1]
                by_writes = end - start <= count
                for i in range(end - start if by_writes else count):
                    if by_writes:
                        key = write_key[start + i]
                        if stamp[key] != t:
                            continue
                    else:
                        key = behind[i]
                        at = start + np.searchsorted(write_key[start:end], key)
                        if at == end or write_key[at] != key:
                            continue
                    t1, read = near[key], near_read[key]
                    if t1 == t2:
                        t1, read = far[key], far_read[key]
                    if t1 >= 0:
                        if size == len(out):
                            bigger = np.empty((2 * size, 3), np.int32)
                            bigger[:size] = out
                            out = bigger
                        out[size, 0], out[size, 1], out[size, 2] = t2, t1, read
                        size += 1
            key = read_key[r]
            if stamp[key] != t:
                stamp[key] = t
                near[key], near_read[key], far[key], far_read[key] = t2, r, -1, -1
                behind[count] = key
                count += 1
            elif near[key] != t2:
                far[key], far_read[key] = near[key], near_read[key]
                near[key], near_read[key] = t2, r
            else:
                near_read[key] = r
    return out[:size].copy()


@compiled
def forced_ra(
    read_first: Int64,
    read_key: Int32,
    read_from: Int32,
    write_first: Int64,
    write_key: Int32,
    keys: int,
    by_session: Int32,
    session: Int32,
) -> Int32:
    """RA: a read puts the versions of transactions before its own that its transaction read from or that come before it
    in its session (AWDIT, algorithm 2): O(N^1.5).

    `by_session`: the nodes, session by session, in session order. Of a session only the last writer of a key before the
    reader needs an edge. Two sources of one key each come before the other.
    """
    n = len(read_first) - 1
    out = np.empty((1024, 3), np.int32)
    size = 0
    stamp = np.full(keys, -1, np.int32)
    source = np.empty(keys, np.int32)
    by = np.empty(keys, np.int32)
    last = np.empty(keys, np.int32)
    last_in = np.full(keys, -1, np.int32)
    seen = np.full(n + 1, -1, np.int32)
    most = 0
    for t in range(n):
        most = max(most, read_first[t + 1] - read_first[t])
    read_keys = np.empty(most, np.int32)
    for t in by_session:
        low, high = read_first[t], read_first[t + 1]
        count = 0
        for r in range(low, high):
            key, t1 = read_key[r], read_from[r]
            if size + 3 > len(out):
                bigger = np.empty((2 * len(out), 3), np.int32)
                bigger[:size] = out[:size]
                out = bigger
            if stamp[key] != t:
                stamp[key] = t
                source[key], by[key] = t1, r
                read_keys[count] = key
                count += 1
                if last_in[key] == session[t] and last[key] != t1:
                    out[size, 0], out[size, 1], out[size, 2] = last[key], t1, r
                    size += 1
            elif source[key] != t1:
                if t1 != n:
                    out[size, 0], out[size, 1], out[size, 2] = t1, source[key], by[key]
                    size += 1
                if source[key] != n:
                    out[size, 0], out[size, 1], out[size, 2] = source[key], t1, r
                    size += 1
        for r in range(low, high):
            t2 = read_from[r]
            if t2 == n or seen[t2] == t:
                continue
            seen[t2] = t
            start, end = write_first[t2], write_first[t2 + 1]
            by_writes = end - start <= count
            for i in range(end - start if by_writes else count):
                if by_writes:
                    key = write_key[start + i]
                    if stamp[key] != t:
                        continue
                else:
                    key = read_keys[i]
                    at = start + np.searchsorted(write_key[start:end], key)
                    if at == end or write_key[at] != key:
                        continue
                if source[key] != t2:
                    if size == len(out):
                        bigger = np.empty((2 * size, 3), np.int32)
                        bigger[:size] = out
                        out = bigger
                    out[size, 0], out[size, 1], out[size, 2] = t2, source[key], by[key]
                    size += 1
        for w in range(write_first[t], write_first[t + 1]):
            last[write_key[w]] = t
            last_in[write_key[w]] = session[t]
    return out[:size].copy()


@compiled
def forced_cc(
    order: Int32,
    before: Int32,
    read_first: Int64,
    read_key: Int32,
    read_from: Int32,
    write_first: Int64,
    write_key: Int32,
    stamp: Int32,
    last: Int32,
    members: Int32,
    number: int,
    chain: Int32,
    place: Int32,
) -> Int32:
    """CC, the transactions of one chain: a read puts the versions of those that happen before its transaction (by
    session order and reads-from) before its own (AWDIT, algorithm 3). O(N) a chain, and memory for one chain.

    `order`: the nodes, sorted by what happens before what. `members`: the chain, each before the next; `chain` and
    `place` of each node. `stamp`, `last`: (keys,) scratch, `stamp` below `number` at first, the chain's own
    number. One number a node says how much of the chain happened before it. With nodes sorted by it, one pass over the
    chain knows the last writer of every key. Of all edges to one t1 only that from the latest t2 of the chain is made.
    """
    n = len(read_first) - 1
    length = len(members)
    happened = np.zeros(n + 1, np.int32)
    start = np.zeros(length + 2, np.int64)
    for t in order:
        most = 0
        if before[t] >= 0:
            b = before[t]
            most = place[b] + 1 if chain[b] == number else happened[b]
        for r in range(read_first[t], read_first[t + 1]):
            s = read_from[r]
            if s != n:
                here = place[s] + 1 if chain[s] == number else happened[s]
                most = max(most, here)
        happened[t] = most
        start[most + 1] += 1
    for i in range(length + 1):
        start[i + 1] += start[i]
    fill = start.copy()
    sorted_nodes = np.empty(n, np.int32)
    for t in order:
        sorted_nodes[fill[happened[t]]] = t
        fill[happened[t]] += 1
    best = np.zeros(n + 1, np.int32)
    best_read = np.empty(n + 1, np.int32)
    found = 0
    for i in range(1, length + 1):
        t2 = members[i - 1]
        for w in range(write_first[t2], write_first[t2 + 1]):
            stamp[write_key[w]] = number
            last[write_key[w]] = i
        for at in range(start[i], start[i + 1]):
            t = sorted_nodes[at]
            for r in range(read_first[t], read_first[t + 1]):
                key, t1 = read_key[r], read_from[r]
                if stamp[key] != number:
                    continue
                j = last[key]  # The writer is the j-th of the chain, counted from 1.
                if t1 != n:
                    if chain[t1] == number:
                        if place[t1] + 1 >= j:
                            continue
                    elif happened[t1] >= j:
                        continue
                if best[t1] < j:
                    if best[t1] == 0:
                        found += 1
                    best[t1], best_read[t1] = j, r
    out = np.empty((found, 3), np.int32)
    size = 0
    for t1 in range(n + 1):
        if best[t1] > 0:
            out[size, 0], out[size, 1], out[size, 2] = members[best[t1] - 1], t1, best_read[t1]
            size += 1
    return out
