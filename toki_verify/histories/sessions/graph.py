"""Directed graphs as arrays: a topological order or what is left of it, and short cycles."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..columns import Int32, Int64
from .jit import compiled

#: How many nodes a shortest cycle is looked for from.
_TRIED: Final = 48


@compiled
def adjacency(size: int, source: Int32, target: Int32) -> tuple[Int64, Int32, Int32]:
    """The edges by source: `first` (size + 1,), and for the places from `first[v]` on the targets and edge numbers."""
    first = np.zeros(size + 1, np.int64)
    for v in source:
        first[v + 1] += 1
    for v in range(size):
        first[v + 1] += first[v]
    fill = first[:-1].copy()
    targets = np.empty(len(source), np.int32)
    numbers = np.empty(len(source), np.int32)
    for e in range(len(source)):
        at = fill[source[e]]
        targets[at], numbers[at] = target[e], e
        fill[source[e]] += 1
    return first, targets, numbers


@compiled
def topological(first: Int64, targets: Int32) -> tuple[Int32, Int32]:
    """An order of the nodes along the edges, as far as there is one, and how many edges still lead into each of the
    others (Kahn 1962). The order has all nodes iff there is no cycle."""
    size = len(first) - 1
    degree = np.zeros(size, np.int32)
    for v in targets:
        degree[v] += 1
    order = np.empty(size, np.int32)
    count = 0
    for v in range(size):
        if degree[v] == 0:
            order[count] = v
            count += 1
    done = 0
    while done < count:
        v = order[done]
        done += 1
        for at in range(first[v], first[v + 1]):
            degree[targets[at]] -= 1
            if degree[targets[at]] == 0:
                order[count] = targets[at]
                count += 1
    return order[:count].copy(), degree


@compiled
def path_back(
    first: Int64, targets: Int32, numbers: Int32, cost: Int32, start: int, goal: int, limit: int, allowed: Int32
) -> Int32:
    """The edges of a cheapest path of at least one edge from `start` to `goal`, in order; none if there is none of cost
    below `limit`. `cost` (of edges): 0 or 1. Only nodes v with `allowed[v]` > 0 are gone through."""
    size = len(first) - 1
    far = 2147483647
    distance = np.full(size, far, np.int32)
    via = np.full(size, -1, np.int32)
    parent = np.full(size, -1, np.int32)
    settled = np.zeros(size, np.bool_)
    now = np.empty(64, np.int32)
    later = np.empty(64, np.int32)
    now[0] = start
    now_size, later_size, level = 1, 0, 0
    begun = False
    while now_size > 0 and level < limit:
        while now_size > 0:
            now_size -= 1
            v = now[now_size]
            if settled[v] and begun:
                continue
            if begun and distance[v] != level:
                continue
            if begun:
                settled[v] = True
            begun = True
            for at in range(first[v], first[v + 1]):
                u = targets[at]
                if allowed[u] <= 0:
                    continue
                reach = level + cost[numbers[at]]
                if reach < distance[u]:
                    distance[u], via[u], parent[u] = reach, numbers[at], v
                    if cost[numbers[at]] == 0:
                        if now_size == len(now):
                            wide = np.empty(2 * len(now), np.int32)
                            wide[:now_size] = now
                            now = wide
                        now[now_size] = u
                        now_size += 1
                    else:
                        if later_size == len(later):
                            wide = np.empty(2 * len(later), np.int32)
                            wide[:later_size] = later
                            later = wide
                        later[later_size] = u
                        later_size += 1
        if distance[goal] <= level:
            break
        now, later = later, now
        now_size, later_size = later_size, 0
        level += 1
    if distance[goal] >= limit:
        return np.empty(0, np.int32)
    length = 0
    v = goal
    while True:
        length += 1
        v = parent[v]
        if v == start:
            break
    path = np.empty(length, np.int32)
    v = goal
    for i in range(length - 1, -1, -1):
        path[i] = via[v]
        v = parent[v]
    return path


def strong_components(size: int, source: Int32, target: Int32) -> Int32:
    """The number of the strongly connected component of every node."""
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
    from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

    matrix = csr_matrix((np.ones(len(source), np.int8), (source, target)), (size, size))
    component: Int32 = connected_components(matrix, directed=True, connection="strong")[1]
    return component


def shortest_cycle(size: int, source: Int32, target: Int32, weight: Int32 | None = None) -> Int32:
    """The edges of a short cycle, in order: the shortest through any of some nodes on cycles; empty if there is none.

    `weight` (0 or 1 an edge, 1 if absent) is what is short; the nodes tried are those of the smallest strong component
    first.
    """
    first, targets, numbers = adjacency(size, source, target)
    order, left = topological(first, targets)
    if len(order) == size:
        return np.zeros(0, np.int32)
    alive = left > 0
    inside = alive[source] & alive[target]
    component = strong_components(size, source[inside], target[inside])
    sizes = np.bincount(component)
    loops = source[(source == target)]
    cyclic = np.flatnonzero(sizes[component] > 1)
    candidates = np.concatenate([loops, cyclic[np.argsort(sizes[component[cyclic]], kind="stable")]])
    cost = np.ones(len(source), np.int32) if weight is None else weight
    best = np.zeros(0, np.int32)
    limit = 2_000_000_000
    degree = np.bincount(source[inside], minlength=size) + np.bincount(target[inside], minlength=size)
    chosen = candidates[:_TRIED]
    chosen = chosen[np.argsort(degree[chosen], kind="stable")] if len(candidates) > _TRIED else chosen
    allowed = left.copy()
    for node in chosen:
        cycle = path_back(first, targets, numbers, cost, int(node), int(node), limit, allowed)
        if len(cycle):
            best, limit = cycle, int(cost[cycle].sum())
            if limit <= 1:
                break
    return best
