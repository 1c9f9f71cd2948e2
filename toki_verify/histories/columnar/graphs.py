"""Directed graphs as arrays: strongly connected components, topological places, reachability, paths.

Every graph comes with a place in time for each node. Edges that go forward in time need no look: a cycle has an edge
that goes back, and all of a cycle lies in stretches of time that such edges span. So only those stretches are searched,
and a serializable trace costs a comparison an edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

from .arrays import Bools, Ints, dense, distinct, full, ints, lower_to, numbers, ordered, where
from .edges import Edges, joined
from .loops import kahn, reach, shortest


@dataclass(frozen=True)
class Graph:
    """A graph on `nodes` nodes. `time` (nodes,) are the places in time; accesses stand at the ends of edges."""

    parts: tuple[Edges, ...]
    time: Ints

    @cached_property
    def edges(self) -> Edges:
        """The edges of all parts, in their order."""
        return self.parts[0] if len(self.parts) == 1 else joined(*self.parts)

    @cached_property
    def forward(self) -> bool:
        """Whether every edge goes forward in time: asked part by part, since graphs share parts."""
        return all(part.forward(self.time) for part in self.parts)

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return len(self.time)

    @cached_property
    def near(self) -> tuple[Ints, ...]:
        """Of each part the edges (by number) in stretches of time that edges which go back span: those on cycles are
        among them, and in a trace that is almost serializable few others."""
        if self.forward:
            return tuple(full(0, 0) for _ in self.parts)
        # How many backward edges span the step from each moment to the next.
        count, at = dense(self.time)
        change = full(count + 1, 0)
        for part in self.parts:
            if not part.forward(self.time):
                back = where(self.time[part.source] >= self.time[part.target])
                np.add.at(change, at[part.target[back]], 1)
                np.add.at(change, at[part.source[back]], -1)
        spanned = np.cumsum(change)[:-1] > 0
        # Moments of one stretch have one number; the last moment of a stretch belongs to it.
        stretch = ints(np.concatenate([[0], np.cumsum(~spanned)[:-1]]))[at]
        return tuple(where(stretch[part.source] == stretch[part.target]) for part in self.parts)

    @cached_property
    def nearby(self) -> Graph:
        """The graph of these edges: it has the same cycles."""
        return Graph((joined(*(part.only(at) for part, at in zip(self.parts, self.near, strict=True))),), self.time)

    @cached_property
    def components(self) -> Ints:
        """The strongly connected component of each node, -1 for a node alone in its own: (nodes,)."""
        out = full(self.nodes, -1)
        if self.forward:
            return out
        inside = self.nearby.edges
        ends = np.concatenate([inside.source, inside.target])
        nodes = distinct(ends)
        if not len(nodes):
            return out
        count, which = dense(ends)
        labels = _strong(count, which[: len(inside)], which[len(inside) :])
        shared = np.bincount(labels)[labels] > 1
        out[nodes[shared]] = labels[shared]
        return out

    @cached_property
    def cyclic(self) -> bool:
        """Whether there is a cycle of two or more nodes."""
        return not self.forward and bool((self.components >= 0).any())

    def within(self) -> Bools:
        """Which edges lie inside a component, and so on a cycle."""
        labels = self.components
        one = labels[self.edges.source]
        return np.asarray((one >= 0) & (one == labels[self.edges.target]))

    @cached_property
    def places(self) -> Ints:
        """A place for each node such that no edge goes from a later to an earlier one; equal only on one cycle."""
        if self.forward:
            return self.time
        labels = self.components
        alone = np.flatnonzero(labels < 0)
        count = int(labels.max(initial=-1)) + 1
        node = labels.copy()
        node[alone] = count + numbers(len(alone))
        total = count + len(alone)
        source, target = node[self.edges.source], node[self.edges.target]
        kept = source != target
        first, targets, _ = rows(total, source[kept], target[kept])
        earliest = np.full(total, np.iinfo(np.int64).max, np.int64)
        lower_to(earliest, node, self.time)
        of_key = ints(np.argsort(earliest, kind="stable"))
        key = np.empty_like(of_key)
        key[of_key] = numbers(total)
        degree = ints(np.bincount(targets, minlength=total))
        return kahn(first, targets, degree, key, of_key)[node]

    @cached_property
    def rows(self) -> tuple[Ints, Ints, Ints]:
        """The edges by source: `first` (nodes + 1,), targets, and the number of each edge."""
        return rows(self.nodes, self.edges.source, self.edges.target)

    def path(self, start: int, goal: int) -> list[int]:
        """The numbers of the edges on a shortest path of at least one edge; [] where there is none."""
        first, targets, _ = self.rows
        return self._edges_on(shortest(first, targets, start, goal), start, goal)

    def _edges_on(self, parent: Ints, start: int, goal: int) -> list[int]:
        first, targets, numbers = self.rows
        if parent[goal] < 0:
            return []
        out: list[int] = []
        node = goal
        while not out or node != start:
            before = int(parent[node])
            at = np.flatnonzero(targets[first[before] : first[before + 1]] == node)[0]
            out.append(int(numbers[first[before] + at]))
            node = before
        return out[::-1]

    def answered(self, start: Ints, goal: Ints) -> tuple[int, Edges] | None:
        """The first k for which a path of at least one edge goes from start[k] to goal[k] (different nodes), and the
        edges on it; None if there is none.

        What no component of graph and queries together holds is not looked at. The rest is a search from each start
        no further than its goals in a topological order: linear where the order is near to time, at worst the number
        of different starts times the edges of the component.
        """
        if not len(start):
            return None
        part, asked = self.closing(start, goal)
        if not len(asked):
            return None
        asked = asked[part.places[start[asked]] <= part.places[goal[asked]]]
        asked = asked[np.argsort(start[asked], kind="stable")]
        first, targets, _ = part.rows
        query, _parent = reach(first, targets, part.places, start[asked], goal[asked])
        if query < 0:
            return None
        chosen = int(asked[query])
        return chosen, part.edges.only(ints(part.path(int(start[chosen]), int(goal[chosen]))))

    def closing(self, start: Ints, goal: Ints) -> tuple[Graph, Ints]:
        """The edges in components of the graph and queries together, and the queries (by number) in one: a query is
        answered only if an edge from its goal to its start closes a cycle."""
        none = full(len(start), -1)
        closed = Graph((*self.parts, Edges(goal, start, none, none)), self.time)
        if closed.forward:
            return Graph((joined(*(part.only(full(0, 0)) for part in self.parts)),), self.time), full(0, 0)
        labels = closed.components

        def inside(part: Edges, near: Ints) -> Ints:
            one, other = labels[part.source[near]], labels[part.target[near]]
            return ints(near[(one >= 0) & (one == other)])

        kept = [part.only(inside(part, near)) for part, near in zip(self.parts, closed.near[:-1], strict=True)]
        return Graph((joined(*kept),), self.time), inside(closed.parts[-1], closed.near[-1])

    def way(self, start: int, goal: int) -> Edges:
        """The edges on a shortest path; none where there is none."""
        found = self.answered(ints([start]), ints([goal]))
        return self.parts[0].only(full(0, 0)) if found is None else found[1]


def rows(nodes: int, source: Ints, target: Ints) -> tuple[Ints, Ints, Ints]:
    """Edges by source: where those of each node begin (nodes + 1,), their targets, their numbers."""
    order = ordered(source)
    first = np.zeros(nodes + 1, np.int64)
    np.cumsum(np.bincount(source, minlength=nodes), out=first[1:])
    return first, target[order], order


def _strong(nodes: int, source: Ints, target: Ints) -> Ints:
    matrix = csr_matrix((np.ones(len(source), np.int32), (source, target)), shape=(nodes, nodes))
    return ints(connected_components(matrix, directed=True, connection="strong")[1])
