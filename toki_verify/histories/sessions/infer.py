"""One round of inferences about version orders, for the members of one chain (`saturate.py` says which)."""

from __future__ import annotations

import numpy as np

from ..columns import Int32, Int64
from .jit import compiled


@compiled
def infer(
    along: Int32,
    first: Int64,
    targets: Int32,
    lower: Int32,
    upper: Int32,
    place: Int32,
    chain: Int32,
    which: int,
    members: Int32,
    enters: int,
    anti: bool,
    steps: bool,
    read_first: Int64,
    read_key: Int32,
    read_from: Int32,
    write_first: Int64,
    write_key: Int32,
    readers_first: Int64,
    readers: Int64,
    reader: Int32,
    stamp: Int32,
    number: int,
) -> Int32:
    """New edges that have a t2 of chain `which`, of those that others imply only some: rows (source, target, read or
    write that makes it, rule).

    The graph (`along`, `first`, `targets`) is that of the level, with one or two copies of each node. `lower`, `upper`:
    of its nodes, the chain of those in the first and in the last copy, else -1; `place` in the chain; `chain`: of
    transactions. `enters`: the copy that a ww enters, as an offset. `anti`, `steps`: whether the second and the third
    rule make edges. `stamp` holds numbers below `number`, which is this call's, as the next one is.

    `past[v]`: how many of the chain (last copies) lead to v. `future[v]`: the place of the first of the chain (last
    copy) that v leads to; `near[v]`: the same for first copies. Both passes go over the chain with the nodes sorted by
    these, as in `kernels.forced_cc`.
    """
    n, length = len(read_first) - 1, len(members)
    size = len(first) - 1
    past = np.zeros(size, np.int32)
    future = np.full(size, length, np.int32)
    near = np.full(size if steps else 0, length, np.int32)
    for v in along:
        if upper[v] == which:
            past[v] = max(past[v], place[v] + 1)
        if past[v] > 0:
            for at in range(first[v], first[v + 1]):
                past[targets[at]] = max(past[targets[at]], past[v])
    for i in range(size - 1, -1, -1):
        v = along[i]
        for at in range(first[v], first[v + 1]):
            future[v] = min(future[v], future[targets[at]])
            if steps:
                near[v] = min(near[v], near[targets[at]])
        if upper[v] == which:
            future[v] = min(future[v], place[v])
        if steps and lower[v] == which:
            near[v] = min(near[v], place[v])
    last = np.empty(len(stamp), np.int32)
    start = np.zeros(length + 3, np.int64)
    nodes = np.empty(n, np.int32)
    # First rule: t2 before what t3 sees, so t2 before t1.
    before = np.zeros(n, np.int32)
    before_read = np.zeros(n, np.int32)
    strict = np.empty(n, np.int32)
    for v in range(n):
        strict[v] = past[v]
        if chain[v] == which:
            strict[v] = min(strict[v], place[v])
        start[strict[v] + 1] += 1
    for i in range(length + 1):
        start[i + 1] += start[i]
    fill = start.copy()
    for v in range(n):
        nodes[fill[strict[v]]] = v
        fill[strict[v]] += 1
    for i in range(1, length + 1):
        t2 = members[i - 1]
        for w in range(write_first[t2], write_first[t2 + 1]):
            stamp[write_key[w]] = number
            last[write_key[w]] = i
        for at in range(start[i], start[i + 1]):
            t3 = nodes[at]
            for r in range(read_first[t3], read_first[t3 + 1]):
                t1 = read_from[r]
                if t1 == n or stamp[read_key[r]] != number:
                    continue
                j = last[read_key[r]]
                if members[j - 1] != t1 and past[t1 + enters] < j and before[t1] < j:
                    before[t1], before_read[t1] = j, r
    # Second and third rule: t1 before t2, so t3 before t2, and an edge from t1 to t2.
    after = np.full(n, length, np.int32)
    after_read = np.zeros(n, np.int32)
    step = np.full(n, length, np.int32)
    step_write = np.zeros(n, np.int32)
    start[:] = 0
    for v in range(n):
        strict[v] = place[v] + 1 if chain[v] == which else future[v + enters]
        start[strict[v] + 1] += 1
    for i in range(length + 1):
        start[i + 1] += start[i]
    fill = start.copy()
    for v in range(n):
        nodes[fill[strict[v]]] = v
        fill[strict[v]] += 1
    for i in range(length - 1 if anti else -1, -1, -1):
        t2 = members[i]
        for w in range(write_first[t2], write_first[t2 + 1]):
            stamp[write_key[w]] = number + 1
            last[write_key[w]] = i
        for at in range(start[i], start[i + 1]):
            t1 = nodes[at]
            for w in range(write_first[t1], write_first[t1 + 1]):
                if stamp[write_key[w]] != number + 1:
                    continue
                j = last[write_key[w]]
                if steps and near[t1 + size // 2] > j and step[t1] > j:
                    step[t1], step_write[t1] = j, w
                for at_reader in range(readers_first[w], readers_first[w + 1]):
                    t3 = reader[readers[at_reader]]
                    if future[t3] > j and after[t3] > j:
                        after[t3], after_read[t3] = j, readers[at_reader]
    count = 0
    for v in range(n):
        count += (before[v] > 0) + (after[v] < length) + (step[v] < length)
    out = np.empty((count, 4), np.int32)
    count = 0
    for v in range(n):
        if before[v] > 0:
            out[count, 0], out[count, 1], out[count, 2], out[count, 3] = members[before[v] - 1], v, before_read[v], 1
            count += 1
        if after[v] < length:
            out[count, 0], out[count, 1], out[count, 2], out[count, 3] = v, members[after[v]], after_read[v], 2
            count += 1
        if step[v] < length:
            out[count, 0], out[count, 1], out[count, 2], out[count, 3] = v, members[step[v]], step_write[v], 3
            count += 1
    return out
