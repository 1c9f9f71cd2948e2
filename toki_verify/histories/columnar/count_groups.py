"""How many groups of transactions depend on each other in a circle: G0, G1c, G2, G2-item, G-nonadjacent; rows of P3.

A group is a strongly connected component in which a cycle of the phenomenon lies. Its time is when the first such cycle
is complete, of edges in their reduced form (`edges.py`: between neighbours in ≪, to the first version missed), each
complete with the later of its accesses. The group is shown by a cycle that is complete by then: the shortest of those
through one of the first few edges (by time) that a cycle of the phenomenon goes through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

from .arrays import Bools, Ints, dense, distinct, full, ints, lower_to, numbers, raise_to, unfold, wide
from .cycles import alternating, ends_of, item_graph
from .edges import Edges
from .graphs import Graph
from .instances import Instances, best, counts, timed
from .reading import Reading

#: Through how many edges a short cycle is looked for.
STARTS: Final = 16

#: Which edges on cycles make a cycle of the phenomenon: of some edges (by number, with the component that each lies in
#: or -1) those.
Marks = Callable[[Ints, Ints], Bools]


@dataclass(frozen=True)
class Circles:
    """The components of a graph in time: the edges inside them by component and time."""

    reading: Reading
    graph: Graph
    marks: Marks

    @cached_property
    def edges(self) -> tuple[Ints, Ints, Ints]:
        """The numbers of the edges inside components, sorted by component and time; their components; their times."""
        graph = self.graph
        inside = np.flatnonzero(graph.within())
        label = wide(graph.components[graph.edges.source[inside]])
        _, time, place = timed(self.reading, graph.edges.source_access[inside], graph.edges.target_access[inside])
        order = np.lexsort((inside, place, time, label))
        return inside[order], label[order], time[order]

    def of(self, edges: Ints) -> Ints:
        """Of a part of the edges, the component in that part of each that lies on a cycle there, or -1."""
        source, target = self.graph.edges.source[edges], self.graph.edges.target[edges]
        size, node = dense(np.concatenate([source, target]))
        if not size:
            return full(0, 0)
        one, other = node[: len(edges)], node[len(edges) :]
        matrix = csr_matrix((np.ones(len(edges), np.int32), (one, other)), shape=(size, size))
        label = wide(connected_components(matrix, directed=True, connection="strong")[1])
        return np.where(label[one] == label[other], label[one], -1)

    @cached_property
    def complete(self) -> tuple[Ints, Ints]:
        """For each component with a cycle of the phenomenon where its edges begin in `edges`, and where those end that
        are complete when the first such cycle is. Looked for with ever more edges, then by halves."""
        _, label, time = self.edges
        if not len(label):
            return full(0, 0), full(0, 0)
        # Edges that are complete at one time come together: the ends of such moments.
        apart = label[1:] != label[:-1]
        ends = np.append(np.flatnonzero(apart | (time[1:] != time[:-1])), len(label) - 1) + 1
        finish = np.append(np.flatnonzero(apart), len(label) - 1) + 1
        begin = np.concatenate([[0], finish[:-1]])
        have = self._have(begin, finish)
        begin, finish = begin[have], finish[have]
        # By number of a moment: no cycle up to `low`, one up to `high`.
        low, high = np.searchsorted(ends, begin, side="right") - 1, np.searchsorted(ends, finish)
        growing, size = np.ones(len(begin), bool), 2
        while len(at := np.flatnonzero(high - low > 1)):
            half = (low[at] + high[at]) // 2
            probe = np.where(growing[at], np.minimum(low[at] + size, high[at] - 1), half)
            have = self._have(begin[at], ends[probe])
            high[at[have]], low[at[~have]] = probe[have], probe[~have]
            growing[at[have]] = False
            size *= 2
        return begin, ends[high]

    def _have(self, begin: Ints, upto: Ints) -> Bools:
        which, at = unfold(begin, upto)
        number = self.edges[0][at]
        out = np.zeros(len(begin), bool)
        out[which[self.marks(number, self.of(number))]] = True
        return out

    def instances(self, around: Callable[[Circles, Ints, Ints], list[int]]) -> Instances:
        """The groups; `around` makes of the edges of one up to its time, and of those that are marked, a cycle."""
        begin, upto = self.complete
        edges, graph = self.edges[0], self.graph
        _, when, place = timed(
            self.reading,
            graph.edges.source_access[edges[upto - 1]],
            graph.edges.target_access[edges[upto - 1]],
        )

        def more(i: int) -> tuple[int, ...]:
            part = edges[begin[i] : upto[i]]
            label = self.of(part)
            marked = np.flatnonzero(self.marks(part, label))
            marked = marked[label[marked] == label[marked[0]]]
            return named(graph, around(self, part, part[marked]))

        return Instances(full((len(begin), 1), -1), when, place, len(begin), more=more)


def named(graph: Graph, way: list[int]) -> tuple[int, ...]:
    """The accesses at the ends of edges."""
    edges = graph.edges
    return tuple(int(access) for n in way for access in (edges.source_access[n], edges.target_access[n]))


class Part:
    """Some edges of a graph as a graph of their own nodes."""

    def __init__(self, graph: Graph, edges: Ints) -> None:
        self.edges = edges
        source, target = graph.edges.source[edges], graph.edges.target[edges]
        self.nodes = distinct(np.concatenate([source, target]))
        ends = ints(np.searchsorted(self.nodes, source)), ints(np.searchsorted(self.nodes, target))
        none = full(len(edges), -1)
        self.graph = Graph((Edges(*ends, none, none),), numbers(len(self.nodes)))

    def path(self, start: int, goal: int) -> list[int]:
        """The numbers of the edges on a shortest path of at least one edge, in the whole graph."""
        one, other = (int(np.searchsorted(self.nodes, node)) for node in (start, goal))
        return [int(self.edges[edge]) for edge in self.graph.path(one, other)]


def _shortest(circles: Circles, part: Ints, marked: Ints) -> list[int]:
    """Of the cycles through one of the first marked edges, each closed by a shortest path, the shortest."""
    edges, small = circles.graph.edges, Part(circles.graph, part)
    ways = [[int(n), *small.path(int(edges.target[n]), int(edges.source[n]))] for n in marked[:STARTS]]
    return min(ways, key=len)


def _forth_and_back(circles: Circles, part: Ints, marked: Ints) -> list[int]:
    """Of the walks from where the first marked edge ends, to where another one does, and back, the shortest."""
    target, small = circles.graph.edges.target, Part(circles.graph, part)
    one = int(target[marked[0]])
    others = [int(node) for node in dict.fromkeys(target[marked].tolist()) if node != one]
    ways = [(small.path(one, other), small.path(other, one)) for other in others[:STARTS]]
    return min((forth + back for forth, back in ways), key=len)


def _on_cycles(number: Ints, label: Ints) -> Bools:
    return label >= 0


def _groups(reading: Reading, graph: Graph, chosen: Ints | None = None) -> Instances:
    """The components in which one of the chosen edges (by number; None: any) lies on a cycle."""
    if chosen is None:
        return Circles(reading, graph, _on_cycles).instances(_shortest)
    wanted = np.zeros(len(graph.edges), bool)
    wanted[chosen] = True
    return Circles(reading, graph, lambda number, label: (label >= 0) & wanted[number]).instances(_shortest)


@counts("G0", "groups of transactions that overwrote each other in a circle")
def g0(reading: Reading, limit: int) -> Instances:
    """Components of `ww` of two or more transactions."""
    return _groups(reading, reading.graph(reading.edges.ww1))


@counts("G1c", "groups of transactions that depend on each other in a circle")
def g1c(reading: Reading, limit: int) -> Instances:
    """Components of `dep` of two or more transactions."""
    return _groups(reading, reading.dep)


@counts("G2", "groups of transactions that depend on or read past each other in a circle")
def g2(reading: Reading, limit: int) -> Instances:
    """Components of `dsg` in which an anti-dependency lies."""
    return _groups(reading, reading.dsg, np.arange(len(reading.edges.dep), len(reading.dsg.edges)))


@counts("G2-item", "groups of transactions that depend on or read items past each other in a circle")
def g2_item(reading: Reading, limit: int) -> Instances:
    """Components of `dep | txn(rw)` in which an rw edge lies."""
    graph = item_graph(reading)
    return _groups(reading, graph, np.arange(len(reading.edges.dep), len(graph.edges)))


@counts("G-nonadjacent", "groups of transactions between which ways of dependencies and single anti-dependencies lead")
def g_nonadjacent(reading: Reading, limit: int) -> Instances:
    """Components of `(dep.plus >> anti) - self` of two or more transactions.

    They are those of the graph of `cycles.alternating` with two or more nodes at which a step ends.
    """
    graph = alternating(reading)
    steps = len(graph.edges) - len(reading.edges.anti2)
    target = wide(graph.edges.target)

    def marks(number: Ints, label: Ints) -> Bools:
        ends = np.flatnonzero((label >= 0) & (number >= steps))
        out = np.zeros(len(number), bool)
        count, which = dense(label[ends])
        least, most = np.full(count, len(graph.time)), np.full(count, -1)
        lower_to(least, which, target[number[ends]])
        raise_to(most, which, target[number[ends]])
        out[ends[(least < most)[which]]] = True
        return out

    return Circles(reading, graph, marks).instances(_forth_and_back)


@counts("P3", "rows that predicate reads saw, and a change that they missed leads back to the reader")
def p3(reading: Reading, limit: int) -> Instances:
    """Rows that a prw edge T → U leaves, with U `dsg.star` T. The time is that of the row and of the first change that
    it missed; the way back is a shortest one."""
    graph, prw = reading.dsg, reading.edges.prw1
    labels = graph.components
    edges = prw.only((labels[prw.source] >= 0) & (labels[prw.source] == labels[prw.target]))
    instances = best(reading, edges.source_access, edges.source_access, edges.target_access)

    def more(i: int) -> tuple[int, ...]:
        read, write = instances.accesses[i]
        txn = reading.index.txn
        return tuple(ends_of(graph.way(int(txn[write]), int(txn[read]))))

    return replace(instances, more=more)
