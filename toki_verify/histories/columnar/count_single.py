"""How many reads are on a cycle with one anti-dependency: G-single, G-SIb, G-monotonic; and accesses of G-SIa.

An instance is an anti-dependency in its reduced form: a read (or row) r of T, and the first version that it missed, of
U, where a way of dependencies leads from U back to T. r misses all versions behind that one, too, but their
transactions depend on U, so that r is on a cycle iff that reduced anti-dependency is. The time is that of the read and
of the write that it missed; the way back is a shortest one.
"""

from __future__ import annotations

import numpy as np

from .arrays import Bools, Ints, distinct, find, full, ints, ordered, prefix_max, wide
from .count_reach import reached
from .cycles import _times, ends_of, started
from .edges import Edges
from .graphs import Graph
from .instances import Instances, best, counts, first_of, timed
from .reading import Reading
from .reads import seen_changes


def _with_way(reading: Reading, graph: Graph, anti: Edges, goal: Ints) -> Instances:
    """The reads of these anti-dependencies from whose targets a path of the graph leads to the goals."""
    kept, exact = reached(graph, anti.target, goal)
    return _closed(reading, graph, anti.only(kept), goal[kept], exact)


def _closed(reading: Reading, graph: Graph, anti: Edges, goal: Ints, exact: bool) -> Instances:
    at = np.arange(len(anti))
    table, time, place = timed(reading, anti.source_access[at], anti.target_access[at])
    # A listed row may leave by rw and by prw.
    first = first_of(table[:, 0], time, place)
    at = at[first]

    def more(i: int) -> tuple[int, ...]:
        return tuple(ends_of(graph.way(int(anti.target[at[i]]), int(goal[at[i]]))))

    return Instances(table[first], time[first], place[first], len(at), exact, more)


def _on_single(reading: Reading) -> tuple[Graph, Edges, Bools, bool]:
    """Dependencies and anti-dependencies inside components of all edges; which of these a path of those closes; whether
    that is known of all."""
    labels = reading.dsg.components

    def inside(edges: Edges) -> Edges:
        return edges.only((labels[edges.source] >= 0) & (labels[edges.source] == labels[edges.target]))

    graph, anti = reading.graph(inside(reading.edges.dep)), inside(reading.edges.anti1)
    kept, exact = reached(graph, anti.target, anti.source)
    return graph, anti, kept, exact


@counts("G-single", "reads past an update that the reader depends on")
def g_single(reading: Reading, limit: int) -> Instances:
    """Accesses that an anti-dependency T → U leaves with U `dep.plus` T."""
    graph, anti, kept, exact = reading.once(_on_single)
    return _closed(reading, graph, anti.only(kept), anti.source[kept], exact)


@counts("G-SIb", "reads past an update that the reader depends on or started behind")
def g_sib(reading: Reading, limit: int) -> Instances:
    """Accesses that an anti-dependency T → U leaves with U `(dep | start_edge).plus` T."""
    return _with_way(reading, started(reading), reading.edges.anti1, reading.edges.anti1.source)


@counts("G-monotonic", "reads past an update that the reader depended on by then")
def g_monotonic(reading: Reading, limit: int) -> Instances:
    """Accesses r that an anti-dependency T → U leaves, with U `dep.star` V and a dependency of V into an access of T
    that stands before r or in its event. Between transactions that is a cycle of G-single."""
    single, anti, kept, exact = reading.once(_on_single)
    index, dep, anti = reading.index, single.edges, anti.only(kept) if exact else anti
    size, events = index.txns, max(reading.trace.events, 1)
    # A node for each event that a dependency enters or an anti-dependency leaves (`cycles.g_monotonic`).
    entered = wide(dep.target) * events + index.event[dep.target_access]
    left = wide(anti.source) * events + index.event[anti.source_access]
    keys = distinct(np.concatenate([entered, left]))
    follows = ints(np.flatnonzero(keys[1:] // events == keys[:-1] // events))
    none = full(len(follows), -1)
    parts = (
        dep,
        Edges(dep.source, size + find(keys, entered)[0], dep.source_access, dep.target_access),
        Edges(size + follows, size + follows + 1, none, none),
    )
    graph = Graph(parts, _times(index.end, keys // events))
    return _with_way(reading, graph, anti, size + find(keys, left)[0])


@counts("G-SIa", "reads, rows and writes that depend on a transaction that was not committed when theirs started")
def g_sia(reading: Reading, limit: int) -> Instances:
    """Accesses b with an a in `dependency` whose transactions `dep - start_edge` relates.

    A read is shown by the write of what it saw; a write by the earlier version whose transaction committed last, a row
    by the change whose transaction committed last.
    """
    index, wr = reading.index, reading.edges.wr
    at = np.flatnonzero(index.end[wr.source] > index.start[wr.target])
    sources, targets = [wr.source_access[at]], [wr.target_access[at]]
    if index.slots:
        latest = prefix_max(index.slot_end, index.slot_item)[:-1]
        follows = index.slot_item[1:] == index.slot_item[:-1]
        slot = np.flatnonzero(follows & (latest > index.of_slots(index.start)[1:])) + 1
        # A transaction has one slot of an item: item and end name it.
        width = reading.trace.events + 2
        keys = wide(index.slot_item) * width + index.slot_end + 1
        order = ordered(keys)
        one = order[find(keys[order], wide(index.slot_item[slot]) * width + latest[slot - 1] + 1)[0]]
        sources.append(index.slot_access[one])
        targets.append(index.slot_access[slot])
    value, source, rows = seen_changes(reading, index.end)
    late = np.flatnonzero(value > index.start[index.readers.txn[rows]])
    sources.append(source[late])
    targets.append(index.readers.access[rows[late]])
    target = np.concatenate(targets)
    return best(reading, target, np.concatenate(sources), target)
