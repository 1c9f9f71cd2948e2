"""How many keys, writes and versions show N1, CB and N3. Conditions as in `agent.py`, `erasure.py`."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...events import SURFACE_PARTS
from ..trace import K
from .agent import _calls
from .arrays import Ints, groups, ints, ordered, wide
from .instances import COUNTERS, Counter, Instances, counts, each
from .kept_rows import overwritten
from .reading import Reading


def _votes(reading: Reading, calls: Ints) -> Instances:
    """Keys with two known votes: the first call, and the first one with another vote."""
    key, vote = ints(reading.trace.key)[calls], ints(reading.trace.vote)[calls]
    calls, key, vote = calls[vote >= 0], key[vote >= 0], vote[vote >= 0]
    order, first, _ = groups(key)
    leads = np.repeat(vote[order[first]], np.diff(np.append(first, len(order))))
    at = np.flatnonzero(vote[order] != leads)
    group, kept = np.unique(np.searchsorted(first, at, side="right") - 1, return_index=True)
    return each(reading, calls[order[first[group]]], calls[order[at[kept]]])


@counts("N1", "keys of judge calls at which committed calls returned different votes")
def n1(reading: Reading, limit: int) -> Instances:
    """Keys κ with two calls in `committed >> (same_key & other_vote) >> committed`."""
    return _votes(reading, _calls(reading, True))


@counts("N1[observed]", "keys of judge calls at which calls returned different votes")
def n1_observed(reading: Reading, limit: int) -> Instances:
    """Keys κ with two calls in `same_key & other_vote`."""
    return _votes(reading, _calls(reading, False))


@counts("CB", "writes by await without a read of the item and then a callback")
def cb(reading: Reading, limit: int) -> Instances:
    """Writes in `by_await` that are not in the domain of the rest of CB's formula."""
    index, width = reading.index, reading.trace.events + 1
    awaits = index.writes[reading.trace.by_await[index.version[index.writes]]]
    calls = ints(np.flatnonzero(index.kind == K))
    order = calls[ordered(index.txn[calls])]
    if not len(order):
        return each(reading, awaits)
    # The last callback before the write.
    keys = wide(index.txn[order]) * width + index.event[order]
    at = np.searchsorted(keys, wide(index.txn[awaits]) * width + index.event[awaits]) - 1
    call, read = order[np.maximum(at, 0)], index.pair_first_read[index.pair[awaits]]
    kept = (at >= 0) & (index.txn[call] == index.txn[awaits])
    kept &= (read >= 0) & (index.event[np.maximum(read, 0)] < index.event[call])
    return each(reading, awaits[~kept])


def _erased(part: int) -> Counter:
    def made(reading: Reading) -> Instances:
        """Versions in `fact - domain(dominated_by >> surface)` behind which another is installed (`erasure.erased`).

        An instance is the lost version's write and the one that overwrote it.
        """
        index = reading.index
        slots, first = overwritten(reading)
        at = slots[first > part]
        # The last version of the item, too: without it, that one's predecessor would be a current row.
        last = index.item_slots[index.slot_item[at] + 1] - 1
        instances = each(reading, index.slot_access[at], index.slot_access[at + 1])
        return replace(
            instances,
            more=lambda i: (int(index.slot_access[last[i]]),),
        )

    def count(reading: Reading, limit: int) -> Instances:
        return reading.once(made)

    return Counter("versions of facts that were overwritten, and no row that is kept says their source", count)


for _number, _name in enumerate(SURFACE_PARTS):
    COUNTERS[f"N3[{_name}]"] = _erased(_number)
COUNTERS["N3"] = COUNTERS["N3[audit]"]
