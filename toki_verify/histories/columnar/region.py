"""Levels that are pinned to a table or a partition (`SR@judge_log`, SEMANTICS §4): the part of a trace that lies there.

As in the concrete reading (`relations/accesses.py`), accesses on items outside the region do not exist, judge calls and
callbacks stay, and transactions with their beginnings, ends and sessions are those of the whole trace. What an item's
versions are, and which write of a transaction is its last, no region changes.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...events import Partition
from ...levels.spec import Part
from ...relations.formulas import Region
from ..trace import Bools, Trace
from .reading import Reading


def items_in(trace: Trace, region: Region) -> Bools:
    """Which items lie in a region: (I,)."""
    inside = np.ones(len(trace.table), bool)
    if region.table is not None:
        tables = np.array([*(name == region.table for name in trace.tables), False], bool)
        inside &= tables[trace.table]
    if region.partition is not None:
        asked = Partition(*region.partition)
        partitions = np.array([*(one == asked for one in trace.partitions), False], bool)
        inside &= partitions[trace.partition]
    return inside


def within(reading: Reading, region: Region) -> Reading:
    """The reading in which only the accesses of a region exist."""
    trace = reading.trace
    inside = items_in(trace, region)
    kept = np.append(inside, True)[trace.item]
    place = np.append((np.cumsum(kept) - 1).astype(np.int32), np.int32(-1))
    known = inside[trace.version_item]
    part = replace(
        trace,
        **{
            name: getattr(trace, name)[kept]
            for name in ("kind", "event", "txn", "item", "predicate", "version", "key", "vote")
        },
        writer=np.where(known, place[trace.writer], -1).astype(np.int32),
        # Of an item outside only the initial version is left, and nothing that reads it.
        rank=np.where(known | (np.arange(len(known)) < len(inside)), trace.rank, -1).astype(np.int32),
        line=None if trace.line is None else trace.line[kept],
    )
    found = Reading(part)
    # A transaction that writes somewhere is a writer everywhere (`relations/meaning.py`).
    found.index.is_writer = reading.index.is_writer
    return found


def holds_part(reading: Reading, part: Part) -> bool:
    """Whether a part of a specification holds: a level, pinned or not. Raises KeyError for a level that is the
    user's."""
    return (reading if part.region is None else within(reading, part.region)).holds(part.level.full_id)
