"""PMP: two predicate reads of one transaction, of which one saw a change to both and the other did not."""

from __future__ import annotations

import numpy as np

from .arrays import Ints, groups, ints, unfold, where, wide
from .found import Found, found
from .reading import Reading, decides

_PIECE = 1 << 18


@decides("PMP")
def pmp(reading: Reading) -> Found | None:
    """Rows of one item read by one transaction, at slots s < s', and a slot of another transaction behind s and up to
    s' that changed the match status of both predicates.

    Most groups of rows saw one slot and need no look. Of the others every pair of rows with different slots is looked
    at, and the changes of the one's predicate between the two slots: at worst the square of how often one transaction
    reads one row, times its changes.
    """
    index, readers = reading.index, reading.index.readers
    rows = where(readers.row > 0)
    order, first, _ = groups(wide(readers.txn[rows]) * index.items + readers.item[rows])
    if not len(order):
        return None
    rows = rows[order]
    last = np.append(first[1:], len(rows))
    slot = readers.slot[rows]
    differs = np.flatnonzero(np.maximum.reduceat(slot, first) != np.minimum.reduceat(slot, first))
    # Each row of such a group with each row of the group.
    _, earlier = unfold(first[differs], last[differs])
    group = np.searchsorted(first, earlier, side="right") - 1
    for begin in range(0, len(earlier), _PIECE):
        part = slice(begin, begin + _PIECE)
        which, later = unfold(first[group[part]], last[group[part]])
        one, other = rows[earlier[part][which]], rows[later]
        kept = readers.slot[one] < readers.slot[other]
        shown = _changed(reading, one[kept], other[kept])
        if shown is not None:
            return shown
    return None


def _changed(reading: Reading, one: Ints, other: Ints) -> Found | None:
    index, readers, status = reading.index, reading.index.readers, reading.status
    base = wide(readers.predicate[one]) * status.size
    pair, at = unfold(
        ints(np.searchsorted(status.changes, base + readers.slot[one], side="right")),
        ints(np.searchsorted(status.changes, base + readers.slot[other], side="right")),
    )
    slot = ints(status.changes[at] % status.size)
    again = wide(readers.predicate[other[pair]]) * status.size + slot
    place = np.minimum(np.searchsorted(status.changes, again), max(len(status.changes) - 1, 0))
    shown = (status.changes[place] == again) if len(again) else np.zeros(0, bool)
    hit = np.flatnonzero(shown & (index.slot_txn[slot] != readers.txn[one[pair]]))
    if not len(hit):
        return None
    chosen = hit[0]
    return found(
        readers.access[one[pair[chosen]]], index.slot_access[slot[chosen]], readers.access[other[pair[chosen]]]
    )
