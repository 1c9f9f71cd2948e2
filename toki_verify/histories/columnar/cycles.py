"""Phenomena that are cycles: G0, G1c, G2, G2-item, P3, G-single, G-nonadjacent, G-SIb, G-monotonic.

All are on the reduced edges. A cycle of the full relations is one of the reduced relations and ww1, and the other way
round: rw = rw1 ; ww* as far as it leaves the reader, and every formula here has `dep*` behind an anti-dependency.
"""

from __future__ import annotations

import numpy as np

from .arrays import Ints, distinct, find, full, ints, numbers, where, wide
from .edges import Edges
from .found import Found, found
from .graphs import Graph
from .reading import Reading, decides


def ends_of(edges: Edges) -> list[int]:
    """The accesses at the ends of edges."""
    return [int(access) for pair in zip(edges.source_access, edges.target_access, strict=True) for access in pair]


def on_cycle(graph: Graph, chosen: Edges | None = None) -> Found | None:
    """A cycle of the graph, through one of the chosen edges (which are edges of the graph); None: there is none."""
    if not graph.cyclic:
        return None
    near = graph.nearby
    labels, edges = graph.components, near.edges if chosen is None else chosen
    at = np.flatnonzero((labels[edges.source] >= 0) & (labels[edges.source] == labels[edges.target]))
    if not len(at):
        return None
    one = int(at[0])
    way = near.edges.only(ints(near.path(int(edges.target[one]), int(edges.source[one]))))
    return found(edges.source_access[one], edges.target_access[one], *ends_of(way))


def single(graph: Graph, *anti: Edges) -> Found | None:
    """An anti-dependency u → v, and a path of at least one edge of the graph from v to u."""
    for part in anti:
        way = graph.answered(part.target, part.source)
        if way is not None:
            edge, path = way
            return found(part.source_access[edge], part.target_access[edge], *ends_of(path))
    return None


@decides("G0")
def g0(reading: Reading) -> Found | None:
    """A cycle of ww; ww1 is enough, its closure is ww's."""
    return on_cycle(reading.graph(reading.edges.ww1))


@decides("G1c")
def g1c(reading: Reading) -> Found | None:
    """A cycle of dependencies."""
    return on_cycle(reading.dep)


@decides("G2")
def g2(reading: Reading) -> Found | None:
    """An anti-dependency inside a component of the conflict graph."""
    return on_cycle(reading.dsg, reading.edges.anti1)


@decides("G2-item")
def g2_item(reading: Reading) -> Found | None:
    """An rw edge inside a component of dep and rw."""
    return on_cycle(item_graph(reading), reading.edges.rw1)


def item_graph(reading: Reading) -> Graph:
    """dep and rw."""
    return reading.graph(*reading.edges.kinds["dep"], reading.edges.rw1)


@decides("P3")
def p3(reading: Reading) -> Found | None:
    """A prw edge inside a component of the conflict graph."""
    return on_cycle(reading.dsg, reading.edges.prw1)


@decides("G-single")
def g_single(reading: Reading) -> Found | None:
    """One anti-dependency, and dependencies back."""
    return single(reading.dep, reading.edges.rw1, reading.edges.prw1)


@decides("G-nonadjacent")
def g_nonadjacent(reading: Reading) -> Found | None:
    """A closed walk of steps `dep⁺ ; anti` between different transactions."""
    if not reading.dsg.cyclic:
        return None
    graph = alternating(reading)
    if not graph.cyclic:
        return None
    labels, size = graph.components, reading.index.txns
    # Layer 0 of a transaction: a step ends there. Two of them in one component are a closed walk over both.
    ends = np.flatnonzero(labels[:size] >= 0)
    order = ends[np.argsort(labels[ends], kind="stable")]
    pairs = np.flatnonzero(labels[order[1:]] == labels[order[:-1]])
    if not len(pairs):
        return None
    one, other = int(order[pairs[0]]), int(order[pairs[0] + 1])
    near = graph.nearby
    return found(*ends_of(near.edges.only(ints(near.path(one, other) + near.path(other, one)))))


def alternating(reading: Reading) -> Graph:
    """Two layers: (t, 0) where a step ended, (t, 1) behind at least one dependency of the next one.

    Each reader's anti-dependencies go to their first two targets. One is not enough, since a step from a transaction to
    itself does not count: let all steps of a closed walk lead to first targets that are one transaction t. In full some
    step leads to another one u behind t in ≪ of the item, so `t ww⁺ u`, and u comes back to t. Then the next slot
    behind t that the reader's edges end in comes back to t, too, by way of u: the second target, which is not t.
    """
    size, edges = reading.index.txns, reading.edges
    dep, anti = edges.dep, edges.anti2
    both = (
        Edges(dep.source, dep.target + size, dep.source_access, dep.target_access),
        Edges(dep.source + size, dep.target + size, dep.source_access, dep.target_access),
        Edges(anti.source + size, anti.target, anti.source_access, anti.target_access),
    )
    return Graph(both, np.concatenate([reading.index.end, reading.index.end]))


@decides("G-SIb")
def g_sib(reading: Reading) -> Found | None:
    """One anti-dependency, and dependencies and start edges back."""
    return single(started(reading), reading.edges.rw1, reading.edges.prw1)


def started(reading: Reading) -> Graph:
    """Dependencies and start order, linear: T → U for all U that start after T committed goes by way of a chain.

    One link for each start, in the order of time. T leads to the first link behind its commit, a link to the next one
    and to the transaction that starts there.
    """
    index = reading.index
    size = index.txns
    by_start = ints(np.argsort(index.start, kind="stable"))
    starts = index.start[by_start]
    committed = where(index.committed)
    link = ints(np.searchsorted(starts, index.end[committed], side="right"))
    committed, link = committed[link < size], link[link < size]
    chain = numbers(size)
    source = np.concatenate([committed, size + chain[:-1], size + chain])
    target = np.concatenate([size + link, size + chain[1:], by_start])
    none = full(len(source), -1)
    # Twice, so that a link lies between the events around it. A commit without events before it starts as it ends.
    time = np.concatenate([2 * wide(index.end), 2 * wide(starts) - 1])
    return Graph((*reading.edges.kinds["dep"], Edges(source, target, none, none)), time)


@decides("G-monotonic")
def g_monotonic(reading: Reading) -> Found | None:
    """One anti-dependency that leaves a transaction at or behind an event by which it depends on what is missed.

    Beside the transactions the graph has a node for each event of a transaction that a dependency enters or an
    anti-dependency leaves, each with an edge to the next one of its transaction; no edge leads from them back to the
    transactions. ww into an access is ww* and ww1 into the same access, and pwr into a row is ww* and pwr1 into it.
    """
    if reading.present("G-single") is None:
        return None  # between transactions it is a cycle with a single anti-dependency
    index, dep, anti = reading.index, reading.edges.dep, reading.edges.anti1
    size = index.txns
    events = max(reading.trace.events, 1)
    entered = wide(dep.target) * events + index.event[dep.target_access]
    left = wide(anti.source) * events + index.event[anti.source_access]
    keys = distinct(np.concatenate([entered, left]))
    follows = where(keys[1:] // events == keys[:-1] // events)
    none = full(len(follows), -1)
    graph = Graph(
        (
            dep,
            Edges(dep.source, size + find(keys, entered)[0], dep.source_access, dep.target_access),
            Edges(size + follows, size + follows + 1, none, none),
        ),
        _times(index.end, keys // events),
    )
    leaves = Edges(size + find(keys, left)[0], anti.target, anti.source_access, anti.target_access)
    return single(graph, leaves)


def _times(end: Ints, txn: Ints) -> Ints:
    """Places for transactions and for their events: the events of one stand behind each other at its end."""
    behind = np.concatenate([np.zeros(len(end), np.int64), np.arange(1, len(txn) + 1)])
    return np.asarray(wide(np.concatenate([end, end[txn]])) * (len(txn) + 1) + behind)
