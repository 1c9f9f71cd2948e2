"""The few loops that arrays cannot say, compiled: running through events, through graphs."""

from __future__ import annotations

import heapq

import numpy as np

from .arrays import Ints, ints, wide
from .compiled import compiled


def latest_other(group: Ints, txn: Ints, value: Ints, source: Ints, groups: int) -> tuple[Ints, Ints]:
    """For each element of a sequence: the greatest value of an earlier element of its group and of another
    transaction that is a source (`source` ≥ 0: its access), and that source; -1, -1 where there is none.

    Per group the best value of two different transactions is kept: one of them is not the asker's. An element is
    asked before it is a source.
    """
    return _latest_other(ints(group), ints(txn), ints(value), ints(source), groups)


@compiled
def _latest_other(group: Ints, txn: Ints, value: Ints, source: Ints, groups: int) -> tuple[Ints, Ints]:
    best = np.full((groups, 2), -1, value.dtype)
    holder = np.full((groups, 2), -1, txn.dtype)
    access = np.full((groups, 2), -1, source.dtype)
    out = np.full(len(group), -1, value.dtype)
    at = np.full(len(group), -1, source.dtype)
    for i in range(len(group)):
        g, t = group[i], txn[i]
        which = 0 if holder[g, 0] != t else 1
        out[i], at[i] = best[g, which], access[g, which]
        if source[i] < 0:
            continue
        if holder[g, 0] == t:
            if value[i] > best[g, 0]:
                best[g, 0], access[g, 0] = value[i], source[i]
        elif value[i] > best[g, 0]:
            best[g, 1], holder[g, 1], access[g, 1] = best[g, 0], holder[g, 0], access[g, 0]
            best[g, 0], holder[g, 0], access[g, 0] = value[i], t, source[i]
        elif value[i] > best[g, 1]:
            best[g, 1], holder[g, 1], access[g, 1] = value[i], t, source[i]
    return out, at


def standing(group: Ints, event: Ints, gone: Ints, write: Ints, groups: int) -> Ints:
    """For each element of a sequence in the order of events: the last earlier write of its group that was not taken
    back by then (`write` ≥ 0: its access; `gone`: the event of the abort, or never), or -1.

    A write that was taken back stays so: it is dropped from the stack of its group when it is met on top.
    """
    return _standing(ints(group), ints(event), ints(gone), ints(write), groups)


@compiled
def _standing(group: Ints, event: Ints, gone: Ints, write: Ints, groups: int) -> Ints:
    top = np.full(groups, -1, np.int32)
    below = np.full(len(group), -1, np.int32)
    out = np.full(len(group), -1, write.dtype)
    for i in range(len(group)):
        g = group[i]
        while top[g] >= 0 and gone[top[g]] < event[i]:
            top[g] = below[top[g]]
        if top[g] >= 0:
            out[i] = write[top[g]]
        if write[i] >= 0:
            below[i] = top[g]
            top[g] = i
    return out


def passes_over(place: Ints, latest: Ints, event: Ints, version: Ints, wrote: Ints) -> bool:
    """Whether an access saw a version that was written (`wrote`, by version) before the latest write that stood then
    (an access, -1: none)."""
    return _passes_over(ints(place), ints(latest), ints(event), ints(version), ints(wrote))


@compiled
def _passes_over(place: Ints, latest: Ints, event: Ints, version: Ints, wrote: Ints) -> bool:
    for i in range(len(place)):  # noqa: SIM110  (compiled)
        if latest[i] >= 0 and event[latest[i]] > wrote[version[place[i]]]:
            return True
    return False


def next_slots(slot: Ints, txn: Ints, last: Ints, slot_txn: Ints) -> tuple[Ints, Ints]:
    """The first two slots behind each slot, and before the last one, that are not of a transaction, which has one slot
    of an item at most; -1: none."""
    return _next_slots(ints(slot), ints(txn), ints(last), ints(slot_txn))


@compiled
def _next_slots(slot: Ints, txn: Ints, last: Ints, slot_txn: Ints) -> tuple[Ints, Ints]:
    first, second = np.full(len(slot), -1, slot.dtype), np.full(len(slot), -1, slot.dtype)
    for i in range(len(slot)):
        at = slot[i] + 1
        if at < last[i] and slot_txn[at] == txn[i]:
            at += 1
        if at < last[i]:
            first[i] = at
            at += 1
            if at < last[i] and slot_txn[at] == txn[i]:
                at += 1
            if at < last[i]:
                second[i] = at
    return first, second


def kahn(first: Ints, target: Ints, degree: Ints, key: Ints, of_key: Ints) -> Ints:
    """A topological order of an acyclic graph, of the nodes that may come next the one with the least key: the place
    of each node. `key` numbers the nodes, `of_key` is its inverse; `degree` is used up."""
    return _kahn(wide(first), wide(target), wide(degree), wide(key), wide(of_key))


@compiled
def _kahn(first: Ints, target: Ints, degree: Ints, key: Ints, of_key: Ints) -> Ints:
    place = np.zeros(len(degree), np.int64)
    ready = [np.int64(-1)]
    ready.pop()
    for node in range(len(degree)):
        if degree[node] == 0:
            heapq.heappush(ready, key[node])
    count = 0
    while len(ready) > 0:
        node = of_key[heapq.heappop(ready)]
        place[node] = count
        count += 1
        for at in range(first[node], first[node + 1]):
            other = target[at]
            degree[other] -= 1
            if degree[other] == 0:
                heapq.heappush(ready, key[other])
    return place


def reach(first: Ints, target: Ints, place: Ints, start: Ints, goal: Ints) -> tuple[int, Ints]:
    """Of the queries start[k] → goal[k] (sorted by start) the first that a path answers, and each node's parent on it.

    From each start a search goes no further than the greatest place of its goals. (-1, …): none is answered.
    """
    return _reach(wide(first), ints(target), wide(place), ints(start), ints(goal))


@compiled
def _reach(first: Ints, target: Ints, place: Ints, start: Ints, goal: Ints) -> tuple[int, Ints]:
    nodes = len(first) - 1
    stamp = np.full(nodes, -1, np.int32)
    parent = np.full(nodes, -1, np.int32)
    stack = np.empty(nodes + 1, np.int32)
    k = 0
    while k < len(start):
        last, limit = k, place[goal[k]]
        while last + 1 < len(start) and start[last + 1] == start[k]:
            last += 1
            limit = max(limit, place[goal[last]])
        depth = 0
        stack[0] = start[k]
        begun = start[k]
        while depth >= 0:
            node = stack[depth]
            depth -= 1
            for at in range(first[node], first[node + 1]):
                other = target[at]
                if stamp[other] != k and place[other] <= limit:
                    stamp[other] = k
                    parent[other] = node
                    if other != begun:
                        depth += 1
                        stack[depth] = other
        for query in range(k, last + 1):
            if stamp[goal[query]] == k:
                return query, parent
        k = last + 1
    return -1, parent


def shortest(first: Ints, target: Ints, start: int, goal: int) -> Ints:
    """Each node's parent on a shortest path from start to goal (of at least one edge); -1 where none is known."""
    return _shortest(wide(first), ints(target), start, goal)


@compiled
def _shortest(first: Ints, target: Ints, start: int, goal: int) -> Ints:
    nodes = len(first) - 1
    parent = np.full(nodes, -1, np.int32)
    queue = np.empty(nodes + 1, np.int32)
    queue[0] = start
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for at in range(first[node], first[node + 1]):
            other = target[at]
            if parent[other] < 0:
                parent[other] = node
                if other == goal:
                    return parent
                queue[tail] = other
                tail += 1
    return parent
