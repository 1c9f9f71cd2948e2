"""PC, PSI, SI and SER as a graph in which some orders of versions are still to be chosen (Papadimitriou's polygraph).

With the version order known, each level is one condition on so, wr, ww and rw (`levels/session.py`; D is so ∪ wr ∪ ww):
SER: no cycle. SI: no cycle without two adjacent rw, so acyclic(D ; rw?). PC: acyclic((so ∪ wr) ; rw? ∪ ww). PSI: no
cycle with at most one rw. Immediate steps of ww, and rw to the immediate successor, are enough: rw to a later version
is the immediate rw and then ww steps, and at every level a ww step may follow wherever the rw may end (in SI and SER ww
is in D; in PC a ww step may follow anything; in PSI a cycle D⁺;rw;ww* turns to ww*;D⁺;rw).

SI and PC become plain acyclicity of a graph with two copies of each node: one (0) that has just been entered by an edge
after which an rw may come, and one (1) from which only other edges leave; 0 → 1 is free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..columns import Int32, Int64
from .edges import Block, Graph, anti_block, forced_block, write_block
from .segments import Readers, Segments, readers, segments
from .weak import Base

Strong = Literal["PC", "PSI", "SI", "SER"]
STRONG: Final[tuple[Strong, ...]] = ("PC", "PSI", "SI", "SER")
#: The copies that an edge leaves and enters; in the levels that are not here there is one copy.
_LAYERS: Final = {
    "SI": {"rw": (0, 1)},
    "PC": {"rw": (0, 1), "ww": (1, 1), "forced": (1, 1)},
}
_USUAL: Final = (1, 0)


class TooMany(Exception):
    """There are more choices than may be tried."""


class LostUpdate(Exception):
    """Two transactions read one version and both write the key: `reads`, places in `Prepared.read_op`."""

    def __init__(self, reads: tuple[int, int]) -> None:
        super().__init__("lost update")
        self.reads = reads


@dataclass(frozen=True)
class Certain:
    """What a level takes for certain: the graph of it, the segments, and who reads what."""

    graph: Graph
    runs: Segments
    found: Readers


@dataclass(frozen=True)
class Polygraph:
    """A graph of what is certain, and the choices. Choice c (counted from 1) is whether segment `early[c - 1]` comes
    before `late[c - 1]`, which adds the edges of `ww` and `rw` whose literal is c; else those whose literal is -c."""

    known: Graph
    runs: Segments
    early: Int64
    late: Int64
    ww: Block
    ww_literal: Int32
    rw: Block
    rw_literal: Int32


def certain(start: Base, level: Strong, forced: Int32) -> Certain:
    """What is certain at a level; `forced`: the forced edges of CC, which hold. Raises LostUpdate.

    A forced edge (t2, t1) of CC is a step of the version order at each of these levels: with t1's version first, the
    reader would have an rw to t2, which happens before it.
    """
    prepared = start.prepared
    found = readers(prepared)
    runs = segments(prepared, found, overwriting=level != "PC")
    if runs.lost is not None:
        raise LostUpdate(runs.lost)
    # Inside segments, and from the head of a key to all its other segments.
    inner = np.flatnonzero(runs.before >= 0)
    owner = np.repeat(np.arange(len(runs.head)), np.diff(runs.first))
    old = np.concatenate([runs.before[inner], runs.head[owner]])
    new = np.concatenate([inner, runs.begin])
    written = old < len(prepared.write_op)
    reads, which = _reads_of(found, old)
    known = Graph(
        (
            *start.observed.blocks,
            *start.times,
            *start.known[:1],  # the steps; the others are among those below
            write_block(prepared, old[written], new[written]),
            forced_block(prepared, forced),
            anti_block(prepared, found.reader, reads, new[which]),
        ),
        start.size,
        prepared.size + 1,
    )
    return Certain(known, runs, found)


def pairs(known: Certain) -> int:
    """How many pairs of segments of one key there are."""
    per_key = np.diff(known.runs.first)
    return int((per_key * (per_key - 1) // 2).sum())


def polygraph(start: Base, known: Certain, most: int) -> Polygraph:
    """What is certain, and a choice for each pair of segments. Raises TooMany."""
    if pairs(known) > most:
        raise TooMany(f"the order of {pairs(known)} pairs of versions is not known, and at most {most} are tried")
    return choosing(start, known, *all_pairs(known.runs.first), most)


def choosing(start: Base, known: Certain, early: Int64, late: Int64, most: int) -> Polygraph:
    """What is certain, and choices for some pairs of segments. Raises TooMany."""
    prepared, runs, found = start.prepared, known.runs, known.found
    literal = np.arange(1, len(early) + 1, dtype=np.int32)
    old = np.concatenate([runs.end[early], runs.end[late]])
    new = np.concatenate([runs.begin[late], runs.begin[early]])
    ww_literal = np.concatenate([literal, -literal])
    readings = int((found.first[old + 1] - found.first[old]).sum())
    if len(early) > most or readings > 8 * most:
        raise TooMany(
            f"the order of {len(early)} pairs of versions with {readings} readers is not known, and at most {most} "
            f"with {8 * most} are tried"
        )
    reads, which = _reads_of(found, old)
    other = found.reader[reads] != prepared.write_node[new[which]]
    reads, which = reads[other], which[other]
    return Polygraph(
        known=known.graph,
        runs=runs,
        early=early,
        late=late,
        ww=write_block(prepared, old, new, chosen=True),
        ww_literal=ww_literal,
        rw=anti_block(prepared, found.reader, reads, new[which], chosen=True),
        rw_literal=ww_literal[which],
    )


def _reads_of(found: Readers, versions: Int64) -> tuple[Int64, Int64]:
    """All reads of the versions, and for each the place of its version in `versions`."""
    count = found.first[versions + 1] - found.first[versions]
    which = np.repeat(np.arange(len(versions)), count)
    offset = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
    return found.reads[found.first[versions][which] + offset], which


def all_pairs(first: Int64) -> tuple[Int64, Int64]:
    """All pairs of segments of one key."""
    early, late = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    count = np.diff(first)
    for size in np.unique(count[count > 1]).tolist():
        one, two = np.triu_indices(size, 1)
        starts = first[:-1][count == size]
        early.append((starts[:, None] + one[None, :]).ravel())
        late.append((starts[:, None] + two[None, :]).ravel())
    return np.concatenate(early), np.concatenate(late)


def layers(level: Strong) -> int:
    """How many copies of each node the graph of a level has."""
    return 2 if level in _LAYERS else 1


def ends(level: Strong, kind: str, size: int) -> tuple[int, int]:
    """What is added to the nodes at the ends of an edge of a kind, in the graph of a level of `size` nodes a copy."""
    if level not in _LAYERS:
        return 0, 0
    leaves, enters = _LAYERS[level].get(kind, _USUAL)
    return leaves * size, enters * size


@dataclass(frozen=True)
class Plain:
    """The graph of a level as plain edges: source, target (E,), the number of each in `Graph.source()` (-1: free)."""

    size: int
    source: Int32
    target: Int32
    number: Int32


def plain(graph: Graph, level: Strong, active: NDArray[np.bool_] | None = None) -> Plain:
    """The graph that the level wants without cycles (PSI: without rw, which is looked at apart); `active`: which edges
    it has, all if absent."""
    sources, targets, numbers = [], [], []
    begin = 0
    for block in graph.blocks:
        count = len(block.source)
        if not (level == "PSI" and block.kind == "rw"):
            at = np.arange(count) if active is None else np.flatnonzero(active[begin : begin + count])
            leaves, enters = ends(level, block.kind, graph.size)
            sources.append(block.source[at] + np.int32(leaves))
            targets.append(block.target[at] + np.int32(enters))
            numbers.append((at + begin).astype(np.int32))
        begin += count
    size = graph.size * layers(level)
    if size > graph.size:
        free = np.arange(graph.size, dtype=np.int32)
        sources.append(free)
        targets.append(free + np.int32(graph.size))
        numbers.append(np.full(graph.size, -1, np.int32))
    return Plain(size, np.concatenate(sources), np.concatenate(targets), np.concatenate(numbers))
