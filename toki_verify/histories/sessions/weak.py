"""RC, RA and CC: the edges that the level forces, and whether so, wr and they have a cycle (AWDIT, PLDI 2025).

Biswas and Enea's axiom of each level has the form: if t3 reads key x from t1, and t2, another writer of x, is among
what the read must have seen (RC: what earlier reads of t3 read from; RA: what comes before t3 directly by so or wr;
CC: what comes before t3 by so and wr), then t2 comes before t1. What must have been seen does not depend on the commit
order, so a commit order exists iff so, wr, known version orders and the forced edges have no cycle.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ..columns import Int32, Int64
from .edges import (
    Block,
    Edge,
    Graph,
    forced_block,
    initial_block,
    read_block,
    real_time,
    session_block,
    step_block,
    write_block,
)
from .graph import adjacency, shortest_cycle, topological
from .jit import compiled
from .kernels import forced_cc, forced_ra, forced_rc
from .prepared import Prepared
from .segments import readers, segments

Weak = Literal["RC", "RA", "CC"]
WEAK: Final[tuple[Weak, ...]] = ("RC", "RA", "CC")


class OutOfTime(Exception):
    """The time that the caller gave is over."""


@dataclass(frozen=True)
class Outcome:
    """What a level came to: `cycle` if it fails, else `order`, all nodes in a commit order."""

    cycle: tuple[Edge, ...]
    order: Int32 | None


@dataclass(frozen=True)
class Chains:
    """The nodes in chains, each before the next by session order and reads-from: `chain` and `place` of each node, and
    the members of each chain."""

    chain: Int32
    place: Int32
    members: tuple[Int32, ...]


@dataclass(frozen=True)
class Base:
    """What all levels have in common: so and wr, an order of the nodes along them (None if they have a cycle), known
    version orders, real time, and the chains."""

    prepared: Prepared
    observed: Graph
    order: Int32 | None
    known: tuple[Block, ...]
    times: tuple[Block, ...]
    size: int
    chains: Chains | None


def base(prepared: Prepared, *, realtime: bool = False) -> Base:
    """The common part. Raises ValueError if real time is wanted and not there."""
    virtual = prepared.size + 1
    times, more = real_time(prepared, virtual) if realtime else ((), 0)
    size = virtual + more
    observed = Graph((session_block(prepared), read_block(prepared)), size, virtual)
    first, targets, _ = adjacency(size, observed.source(), observed.target())
    order, _ = topological(first, targets)
    done = len(order) == size
    order = order[order < prepared.size]
    chains = cover(prepared, order) if done else None
    return Base(prepared, observed, order if done else None, _known(prepared), times, size, chains)


def _known(prepared: Prepared) -> tuple[Block, ...]:
    """Known version orders: immediate steps, and from the last version of known place to those behind it."""
    if not (prepared.write_rank >= 0).any() and not len(prepared.step_from):
        return ()
    runs = segments(prepared, readers(prepared), overwriting=False)
    writes = len(prepared.write_op)
    inner = np.flatnonzero((runs.before >= 0) & (runs.before < writes))
    owner = np.repeat(np.arange(len(runs.head)), np.diff(runs.first))
    head = runs.head[owner]
    use = head < writes
    return (
        step_block(prepared),
        write_block(
            prepared, np.concatenate([runs.before[inner], head[use]]), np.concatenate([inner, runs.begin[use]])
        ),
    )


def cover(prepared: Prepared, order: Int32) -> Chains:
    """The nodes in few chains: every session is one, and one whose first transaction reads from the last one of another
    chain goes on with that (so transactions without a session need not each be a chain)."""
    chain, place, lengths = _cover(order, prepared.before, prepared.read_first, prepared.read_from, _last(prepared))
    by_chain = np.lexsort((place, chain)).astype(np.int32)
    return Chains(chain, place, tuple(np.split(by_chain, np.cumsum(lengths)[:-1])) if len(lengths) else ())


def _last(prepared: Prepared) -> Int32:
    """Of every node the last one of its session."""
    last = np.full(int(prepared.session.max(initial=-1)) + 1, -1, np.int32)
    has_next = np.zeros(prepared.size, bool)
    has_next[prepared.before[prepared.before >= 0]] = True
    ends = np.flatnonzero(~has_next)
    last[prepared.session[ends]] = ends
    return last[prepared.session]


@compiled
def _cover(order: Int32, before: Int32, read_first: Int64, read_from: Int32, last: Int32) -> tuple[Int32, Int32, Int64]:
    n = len(order)
    tail = np.full(n, -1, np.int32)
    chain = np.full(n, -1, np.int32)
    place = np.zeros(n, np.int32)
    lengths = np.zeros(n, np.int64)
    count = 0
    for t in order:
        c = -1
        if before[t] >= 0:
            c = chain[before[t]]
        else:
            for r in range(read_first[t], read_first[t + 1]):
                s = read_from[r]
                if s != n and last[s] == s and tail[chain[s]] == s:
                    c = chain[s]
                    break
            if c < 0:
                c = count
                count += 1
        chain[t], place[t] = c, lengths[c]
        lengths[c] += 1
        tail[c] = t
    return chain, place, lengths[:count].copy()


def forced(start: Base, level: Weak, deadline: float | None = None) -> Int32:
    """The forced edges of a level, rows (t2, t1, read). Raises OutOfTime."""
    p = start.prepared
    keys = len(p.history.keys)
    if level == "RC":
        return forced_rc(p.read_first, p.read_key, p.read_from, p.write_first, p.write_key, keys)
    if level == "RA":
        by_session = np.argsort(p.session, kind="stable").astype(np.int32)
        return forced_ra(p.read_first, p.read_key, p.read_from, p.write_first, p.write_key, keys, by_session, p.session)
    assert start.order is not None and start.chains is not None
    stamp, last = np.full(keys, -1, np.int32), np.empty(keys, np.int32)
    chains = start.chains
    parts = [np.zeros((0, 3), np.int32)]
    for number, members in enumerate(chains.members):
        if deadline is not None and time.monotonic() > deadline:
            raise OutOfTime(f"causal edges of {number} of {len(chains.members)} chains of transactions were made")
        parts.append(
            forced_cc(
                start.order, p.before, p.read_first, p.read_key, p.read_from, p.write_first, p.write_key,
                stamp, last, members, number, chains.chain, chains.place,
            )
        )  # fmt: skip
    return np.concatenate(parts)


def decide_weak(start: Base, level: Weak, rows: Int32 | None = None, deadline: float | None = None) -> Outcome:
    """Whether the level holds; `rows`: its forced edges, if they are at hand. Real time only orders commits here: what
    a read must have seen is not changed by it. Raises OutOfTime."""
    prepared = start.prepared
    if level == "CC" and start.order is None:  # so and wr have a cycle: nothing more is needed.
        rows = np.zeros((0, 3), np.int32)
    elif rows is None:
        rows = forced(start, level, deadline)
    graph = start.observed.with_blocks(
        *start.known, *start.times, forced_block(prepared, rows), initial_block(prepared, rows)
    )
    source, target = graph.source(), graph.target()
    first, targets, _ = adjacency(graph.size, source, target)
    order, _ = topological(first, targets)
    if len(order) == graph.size:
        return Outcome((), order[order < prepared.size])
    del first, targets
    return Outcome(graph.shown(prepared, shortest_cycle(graph.size, source, target).tolist()), None)
