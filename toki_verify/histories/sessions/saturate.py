"""What a level says of the order of versions, inferred from what is known already, until nothing new follows.

A read of the version of t1 by t3, and t2, another writer of the key. First rule: if t2 is known to be before what t3
sees, t2's version is before t1's. Second rule: if t1's version is known to be before t2's, t3 did not see t2 (rw).
Third: then there is a ww (only SI needs the edge, at the other levels the path is one). Known is what is reachable in
the graph of the level, so a version order is excluded as soon as it would close a cycle. This is the saturation of RC,
RA and CC (Biswas and Enea 2019, section 4) with all that the level knows in the place of what happens before; chain by
chain, so that pairs of versions are never written down. At PSI nothing follows from an rw, so the second rule is used
once, at the end.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ..columns import Int32, Int64
from .edges import Edge, Graph, anti_block, forced_block, write_block
from .graph import adjacency, shortest_cycle, topological
from .infer import infer
from .polygraph import Certain, Strong, all_pairs, ends, layers, plain
from .reach import layered, reachable
from .serial import serial_order
from .weak import Base, OutOfTime


@dataclass(frozen=True)
class Saturated:
    """`order`: a serial order, if a run found one (SER). Else `cycle`, if what was inferred has one; else `graph`, all
    that was inferred: nothing new follows from it."""

    order: Int32 | None = None
    cycle: tuple[Edge, ...] = ()
    graph: Graph | None = None


def saturate(start: Base, level: Strong, known: Certain, deadline: float | None = None) -> Saturated:
    """Infer until nothing new follows; at SER, look for a serial order after each round. Raises OutOfTime."""
    prepared, chains = start.prepared, start.chains
    assert chains is not None
    top = (layers(level) - 1) * start.size
    chain, place = layered(chains, start.size, layers(level))
    lower, upper = np.full(len(chain), -1, np.int32), np.full(len(chain), -1, np.int32)
    lower[: prepared.size] = chains.chain
    upper[top : top + prepared.size] = chains.chain
    enters = ends(level, "ww", start.size)[1]
    stamp = np.full(len(prepared.history.keys), -1, np.int32)
    number = 0
    graph = known.graph
    ended = False
    while True:
        shape = plain(graph, level)
        first, targets, _ = adjacency(shape.size, shape.source, shape.target)
        along, _ = topological(first, targets)
        if len(along) < shape.size:
            cycle = shape.number[shortest_cycle(shape.size, shape.source, shape.target)]
            return Saturated(cycle=graph.shown(prepared, cycle[cycle >= 0].tolist()))
        if level == "SER":
            order = serial_order(prepared, known.found, start.size, shape.source, shape.target)
            if len(order) == prepared.size:
                return Saturated(order=order)
        more = [np.zeros((0, 4), np.int32)]
        for which, members in enumerate(chains.members):
            if deadline is not None and time.monotonic() > deadline:
                raise OutOfTime("not all that the level says of version orders was inferred")
            more.append(
                infer(
                    along, first, targets, lower, upper, place, chains.chain, which, members, enters,
                    ended or level != "PSI", level == "SI", prepared.read_first, prepared.read_key, prepared.read_from,
                    prepared.write_first, prepared.write_key, known.found.first, known.found.reads,
                    known.found.reader, stamp, number,
                )
            )  # fmt: skip
            number += 2
        rows = np.concatenate(more)
        if len(rows):
            graph = _with(start, known, graph, rows)
        if ended or (not len(rows) and level != "PSI"):
            return Saturated(graph=graph)
        ended = not len(rows)


def _with(start: Base, known: Certain, graph: Graph, rows: Int32) -> Graph:
    """The graph with rows of `infer`."""
    prepared = start.prepared
    keys = max(1, len(prepared.history.keys))
    spot = prepared.write_node.astype(np.int64) * keys + prepared.write_key

    def written(target: Int32, key: Int32) -> Int64:
        return np.searchsorted(spot, target.astype(np.int64) * keys + key).astype(np.int64)

    one, two, three = (rows[rows[:, 3] == rule] for rule in (1, 2, 3))
    reads, writes = two[:, 2].astype(np.int64), three[:, 2].astype(np.int64)
    return graph.with_blocks(
        forced_block(prepared, one),
        anti_block(prepared, known.found.reader, reads, written(two[:, 1], prepared.read_key[reads])),
        write_block(prepared, writes, written(three[:, 1], prepared.write_key[writes])),
    )


def undecided(
    start: Base, level: Strong, known: Certain, graph: Graph, deadline: float | None = None
) -> tuple[Int64, Int64]:
    """The pairs of segments of a key that a saturated graph leaves open. Raises OutOfTime.

    All edges that the order of a decided pair adds are there already, as paths or by the second and third rule."""
    assert start.chains is not None
    prepared, runs = start.prepared, known.runs
    early, late = all_pairs(runs.first)
    shape = plain(graph, level)
    first, targets, _ = adjacency(shape.size, shape.source, shape.target)
    along, _ = topological(first, targets)
    chain, place = layered(start.chains, start.size, layers(level))
    node = prepared.write_node.astype(np.int64)
    enters, top = ends(level, "ww", start.size)[1], (layers(level) - 1) * start.size
    for _ in range(2):
        end, begin = node[runs.end[early]] + enters, node[runs.begin[late]] + top
        left = ~reachable(along, first, targets, chain, place, end, begin, deadline)
        early, late = late[left], early[left]
    return early, late
