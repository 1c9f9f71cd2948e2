"""Edges between transactions, in blocks of one kind; what made an edge is looked up only when it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..columns import Int32, Int64
from .prepared import Prepared

#: `so` session order, `wr` reads-from, `ww` version order, `rw` a read of what the target overwrites, `forced` what an
#: axiom of the level says (through a read), `rt` real time, `initial` the initial versions come first.
Kind = Literal["so", "wr", "ww", "rw", "forced", "rt", "initial"]


@dataclass(frozen=True)
class Edge:
    """One edge. Transactions are numbers of the history, -1 for the one that wrote the initial versions; `operations`
    those that make it (of `wr` the write and the read, of `ww` the writes, of `rw` the read and the write, of `forced`
    the read, and behind them those that the words name besides; a write of an initial version is left out); `key` -1
    where there is none. `chosen`: it stands for a choice of version order that the text around it explains."""

    kind: Kind
    source: int
    target: int
    key: int = -1
    operations: tuple[int, ...] = ()
    chosen: bool = False


@dataclass(frozen=True)
class Block:
    """Edges of one kind between nodes: source, target (E,); `made(e)`: the key and operations of edge e."""

    kind: Kind
    source: Int32
    target: Int32
    made: Callable[[int], tuple[int, tuple[int, ...]]]
    #: Whether the edges stand for choices (`Edge.chosen`).
    chosen: bool = False


@dataclass(frozen=True)
class Graph:
    """Blocks as one graph of `size` nodes. Nodes from `virtual` on are no transactions: real time goes through them."""

    blocks: tuple[Block, ...]
    size: int
    virtual: int

    def source(self) -> Int32:
        """The sources of all edges, block by block."""
        return np.concatenate([block.source for block in self.blocks] or [np.zeros(0, np.int32)])

    def target(self) -> Int32:
        """The targets of all edges, block by block."""
        return np.concatenate([block.target for block in self.blocks] or [np.zeros(0, np.int32)])

    def with_blocks(self, *more: Block) -> Graph:
        """This graph with more blocks."""
        return Graph((*self.blocks, *more), self.size, self.virtual)

    def shown(self, prepared: Prepared, numbers: Sequence[int]) -> tuple[Edge, ...]:
        """The edges of a path or cycle, `numbers` in the numbering of `source()`; steps through virtual nodes joined.

        A cycle may begin at a virtual node: it is turned so that it does not.
        """
        found: list[tuple[Block, int]] = []
        starts = np.cumsum([0, *(len(block.source) for block in self.blocks)])
        for number in numbers:
            which = int(np.searchsorted(starts, number, side="right")) - 1
            found.append((self.blocks[which], int(number - starts[which])))
        while found and int(found[0][0].source[found[0][1]]) >= self.virtual:
            found = [*found[1:], found[0]]
        edges: list[Edge] = []
        begin = -1
        for block, at in found:
            source, target = int(block.source[at]), int(block.target[at])
            begin = source if source < self.virtual else begin
            if target >= self.virtual:
                continue
            key, operations = block.made(at)
            edges.append(Edge(block.kind, name(prepared, begin), name(prepared, target), key, operations, block.chosen))
        return tuple(edges)


def name(prepared: Prepared, node: int) -> int:
    """The transaction of a node, -1 for the initial one."""
    return -1 if node == prepared.size else int(prepared.txn[node])


def nothing(_: int) -> tuple[int, tuple[int, ...]]:
    """What made a session or real-time edge: no key, no operations."""
    return -1, ()


def session_block(prepared: Prepared) -> Block:
    """Each transaction of a session to the next."""
    target = np.flatnonzero(prepared.before >= 0).astype(np.int32)
    return Block("so", prepared.before[target], target, nothing)


def read_block(prepared: Prepared) -> Block:
    """wr: each writer to its readers, reads of initial versions left out."""
    reads = np.flatnonzero(prepared.read_from != prepared.size)
    # One edge for all reads of one transaction from another is enough.
    reader = np.repeat(np.arange(prepared.size, dtype=np.int32), np.diff(prepared.read_first))[reads]
    source = prepared.read_from[reads]
    _, once = np.unique(source.astype(np.int64) * (prepared.size + 1) + reader, return_index=True)
    reads, reader, source = reads[once], reader[once], source[once]

    def made(at: int) -> tuple[int, tuple[int, ...]]:
        read = int(prepared.read_op[reads[at]])
        history = prepared.history
        return int(prepared.read_key[reads[at]]), (int(history.writer[history.version[read]]), read)

    return Block("wr", source, reader, made)


def step_block(prepared: Prepared) -> Block:
    """ww: steps of known version orders that are not between last writes (`Prepared.step_from`)."""

    def made(at: int) -> tuple[int, tuple[int, ...]]:
        return int(prepared.step_key[at]), (int(prepared.step_op_from[at]), int(prepared.step_op_to[at]))

    return Block("ww", prepared.step_from, prepared.step_to, made)


def forced_block(prepared: Prepared, rows: Int32) -> Block:
    """forced: rows (t2, t1, read) of the kernels."""

    def made(at: int) -> tuple[int, tuple[int, ...]]:
        read = int(rows[at, 2])
        return int(prepared.read_key[read]), (int(prepared.read_op[read]),)

    return Block("forced", rows[:, 0].copy(), rows[:, 1].copy(), made)


def write_block(prepared: Prepared, source: Int64, target: Int64, *, chosen: bool = False) -> Block:
    """ww: from write to write, both places in `Prepared.write_op`."""

    def made(at: int) -> tuple[int, tuple[int, ...]]:
        first, second = int(source[at]), int(target[at])
        return int(prepared.write_key[first]), (int(prepared.write_op[first]), int(prepared.write_op[second]))

    return Block("ww", prepared.write_node[source], prepared.write_node[target], made, chosen)


def anti_block(prepared: Prepared, reader: Int32, reads: Int64, writes: Int64, *, chosen: bool = False) -> Block:
    """rw: from reads (places in `read_op`, `reader` the node of every read) to writes, where these are of two
    transactions."""
    other = reader[reads] != prepared.write_node[writes]
    reads, writes = reads[other], writes[other]

    def made(at: int) -> tuple[int, tuple[int, ...]]:
        read = int(reads[at])
        return int(prepared.read_key[read]), (int(prepared.read_op[read]), int(prepared.write_op[writes[at]]))

    return Block("rw", reader[reads], prepared.write_node[writes], made, chosen)


def initial_block(prepared: Prepared, forced: Int32) -> Block:
    """initial: the initial versions before the transactions that `forced` puts before them (a cycle, at once)."""
    target = np.unique(forced[forced[:, 1] == prepared.size, 0]).astype(np.int32)
    return Block("initial", np.full(len(target), prepared.size, np.int32), target, nothing)


def real_time(prepared: Prepared, virtual: int) -> tuple[tuple[Block, ...], int]:
    """Every transaction that ended before another began to that one, and how many virtual nodes they go through.

    Linear in size: the ends, sorted, are a chain of nodes; each transaction goes to its own end, and the latest end
    before its begin to each. Raises ValueError if the history has no times.
    """
    history = prepared.history
    if history.begun is None or history.ended is None:
        raise ValueError("the history has no times, so real-time order is not known")
    begun, ended = history.begun[prepared.txn], history.ended[prepared.txn]
    over = np.flatnonzero(ended >= 0)
    over = over[np.argsort(ended[over], kind="stable")]
    nodes = np.arange(virtual, virtual + len(over), dtype=np.int32)
    before = np.searchsorted(ended[over], begun) - 1
    late = np.flatnonzero((before >= 0) & (begun >= 0))
    return (
        Block("rt", over.astype(np.int32), nodes, nothing),
        Block("rt", nodes[:-1], nodes[1:], nothing),
        Block("rt", nodes[before[late]], late.astype(np.int32), nothing),
    ), len(over)
