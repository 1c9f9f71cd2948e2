"""Runs of versions of a key whose order is known step by step, and who reads each version.

A run (segment) is contiguous in every version order that the level allows: the versions of a known order, and, where
the level allows no lost update (PSI, SI, SER), a version and the one that a transaction wrote that had read it: no
version can stand between them, or else that transaction would not have seen it. So the order of a key is an order of
its segments (Cobra and PolySI call this coalescing). The segment with the initial version, the head, is first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..columns import Int32, Int64
from .jit import compiled
from .prepared import Prepared


@dataclass(frozen=True)
class Readers:
    """Who reads which version: version w is write w, and W + key the initial one of a key (W writes). The reads of
    version v are `reads[first[v]:first[v + 1]]`; `reader` is the node of every read."""

    first: Int64
    reads: Int64
    reader: Int32


@dataclass(frozen=True)
class Segments:
    """The segments of every key: `head[k]` the last version of the head of key k (a version as in `Readers`). The other
    segments are sorted by key: those of key k are `first[k]` up to `first[k + 1]`, each with a first and a last write.
    `before`: of every write the version right before it in its segment, or -1."""

    head: Int64
    first: Int64
    begin: Int64
    end: Int64
    before: Int64
    #: Two reads of one version, by transactions that both write the key, if there are such: a lost update.
    lost: tuple[int, int] | None


def readers(prepared: Prepared) -> Readers:
    """Who reads which version."""
    writes, keys = len(prepared.write_op), len(prepared.history.keys)
    reader = np.repeat(np.arange(prepared.size, dtype=np.int32), np.diff(prepared.read_first))
    saw = np.empty(len(reader), np.int64)
    initial = prepared.read_from == prepared.size
    saw[initial] = writes + prepared.read_key[initial]
    place = prepared.write_node.astype(np.int64) * keys + prepared.write_key
    saw[~initial] = np.searchsorted(place, prepared.read_from[~initial].astype(np.int64) * keys
                                    + prepared.read_key[~initial])  # fmt: skip
    # One of several reads of a version by one transaction is enough.
    _, once = np.unique(saw * (prepared.size + 1) + reader, return_index=True)
    return Readers(np.searchsorted(saw[once], np.arange(writes + keys + 1)), once.astype(np.int64), reader)


@compiled
def _ends(after: Int64, starts: Int64) -> Int64:
    out = np.empty(len(starts), np.int64)
    for i in range(len(starts)):
        version = starts[i]
        while after[version] >= 0:
            version = after[version]
        out[i] = version
    return out


def segments(prepared: Prepared, found: Readers, *, overwriting: bool) -> Segments:
    """The segments. `overwriting`: a transaction that reads a version and writes the key writes the next version."""
    writes, keys = len(prepared.write_op), len(prepared.history.keys)
    before = np.full(writes, -1, np.int64)
    after = np.full(writes + keys, -1, np.int64)
    ranked = np.flatnonzero(prepared.write_rank >= 0)
    ranked = ranked[np.lexsort((prepared.write_rank[ranked], prepared.write_key[ranked]))]
    key = prepared.write_key[ranked]
    if len(ranked):
        opens = np.concatenate([[True], key[1:] != key[:-1]])
        before[ranked] = np.where(opens, writes + key, np.concatenate([[0], ranked[:-1]]))
        after[before[ranked]] = ranked
    lost = None
    if overwriting:
        read, write = _updates(prepared, found)
        saw = _saw(prepared, found, read)
        free = (after[saw] < 0) & (before[write] < 0)
        read, write, saw = read[free], write[free], saw[free]
        order = np.argsort(saw, kind="stable")
        twice = np.flatnonzero(saw[order][1:] == saw[order][:-1])
        if len(twice):
            lost = (int(read[order[twice[0]]]), int(read[order[twice[0] + 1]]))
        before[write] = saw
        after[saw] = write
    opening = np.flatnonzero(before < 0)
    opening = opening[np.argsort(prepared.write_key[opening], kind="stable")]
    if lost is not None:  # The runs are of no use then; nothing may be followed in them.
        after[:] = -1
    return Segments(
        head=_ends(after, writes + np.arange(keys)),
        first=np.searchsorted(prepared.write_key[opening], np.arange(keys + 1)),
        begin=opening,
        end=_ends(after, opening),
        before=before,
        lost=lost,
    )


def _updates(prepared: Prepared, found: Readers) -> tuple[Int64, Int64]:
    """Reads whose transaction writes the key, and these writes."""
    keys = max(1, len(prepared.history.keys))
    reads = np.sort(found.reads)
    place = prepared.write_node.astype(np.int64) * keys + prepared.write_key
    wanted = found.reader[reads].astype(np.int64) * keys + prepared.read_key[reads]
    at = np.searchsorted(place, wanted)
    hit = at < len(place)
    hit[hit] = place[at[hit]] == wanted[hit]
    return reads[hit], at[hit]


def _saw(prepared: Prepared, found: Readers, reads: Int64) -> Int64:
    """The version that each of `reads` saw."""
    versions = np.repeat(np.arange(len(found.first) - 1), np.diff(found.first))
    of = np.full(len(found.reader), -1, np.int64)
    of[found.reads] = versions
    return of[reads]
