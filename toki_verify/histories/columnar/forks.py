"""Long fork: T1 -observed→ T2 -missed→ T3 -observed→ T4 -missed→ T1, four different transactions.

In an order that observations respect one of the two anti-dependencies goes back. Let it be T2 → T3, and where both do,
the one whose T3 is the earlier: then T1 does not stand before T3. (If T4 → T1 goes forward, T3 ≤ T4 < T1.) So all four
lie near each other: T3 ≤ T1 ≤ T2, where T2 missed T3, and T4, not before T3, missed T1. With low(T2), the earliest that
T2 missed, T1 is looked for from low(T2) on; and what T4 missed no further than the last T2 with low(T2) ≤ T4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import NEVER, Ints, dense, distinct, find, full, ints, lower_to, prefix_max, unfold, where, wide
from .found import Found, found
from .graphs import rows
from .missed import between, up_to
from .observed import changes_seen, inside
from .reading import Reading

_PIECE = 1 << 17


@dataclass(frozen=True)
class Turns:
    """What quadruples are made of: by T2 the T3 that it missed, by T1 the T2 that observed it (as `graphs.rows` has
    them), the keys (source, target) of wr, and the readers (by place) that may be T4, each with the place in the order
    up to which what it missed may be T1."""

    missed_first: Ints
    missed: Ints
    seen_first: Ints
    observers: Ints
    read: Ints
    places: Ints
    bound: Ints


def turns(reading: Reading, second: Ints, third: Ints) -> Turns | None:
    """Of the pairs T2 → T3 of the backward anti-dependencies (`missed.backward`); None where there is no fork."""
    if not len(second):
        return None
    order, size = reading.ordered.places, reading.index.txns
    low = full(size, NEVER)
    lower_to(low, second, order[third])
    one, two = _observed(reading, low)
    if not len(one):
        return None
    # The furthest that some T2 stands whose low is not behind T4.
    lows = np.flatnonzero(low < NEVER)
    lows = lows[np.argsort(low[lows], kind="stable")]
    furthest = np.maximum.accumulate(order[lows])
    readers, labels = reading.index.readers, reading.everything.components
    wr = inside(reading, reading.edges.wr)
    last = np.searchsorted(low[lows], order[readers.txn], side="right") - 1
    places = where((labels[readers.txn] >= 0) & (last >= 0))
    return Turns(
        *rows(size, second, third)[:2],
        *rows(size, one, two)[:2],
        distinct(wide(wr.source) * size + wr.target),
        places,
        furthest[last[places]],
    )


def fork(reading: Reading, second: Ints, third: Ints) -> Found | None:
    """A long fork, of the pairs T2 → T3 of the backward anti-dependencies."""
    made = turns(reading, second, third)
    if made is None:
        return None
    index, order, size = reading.index, reading.ordered.places, reading.index.txns
    readers, seen_first = index.readers, made.seen_first
    for piece in up_to(reading, made.places, order, made.bound):
        pairs = distinct(wide(readers.txn[piece.reader]) * size + index.slot_txn[piece.slot])
        four, first = ints(pairs // size), ints(pairs % size)
        for begin in range(0, len(four), _PIECE):
            part = slice(begin, begin + _PIECE)
            # T2 observed T1, T3 was missed by T2.
            pair, at = unfold(seen_first[first[part]], seen_first[first[part] + 1])
            quad = np.stack([first[part][pair], made.observers[at], four[part][pair]])
            quad = quad[:, quad[1] != quad[2]]
            shown = _closed(reading, quad, made)
            if shown is not None:
                return shown
    return None


def _closed(reading: Reading, quad: Ints, made: Turns) -> Found | None:
    """Of triples (T1, T2, T4) one with a T3."""
    order = reading.ordered.places
    for begin in range(0, quad.shape[1], _PIECE):
        one, two, four = quad[:, begin : begin + _PIECE]
        pair, at = unfold(made.missed_first[two], made.missed_first[two + 1])
        three, one, two, four = made.missed[at], one[pair], two[pair], four[pair]
        kept = (three != one) & (three != four) & (order[three] <= order[one]) & (order[three] <= order[four])
        one, two, three, four = one[kept], two[kept], three[kept], four[kept]
        direct = np.flatnonzero(find(made.read, wide(three) * reading.index.txns + four)[1])
        if not len(direct):
            direct = changes_seen(reading, four, three)[0]
        if len(direct):
            at = direct[0]
            return _shown(reading, *(int(member[at]) for member in (one, two, three, four)))
    return None


def _observed(reading: Reading, low: Ints) -> tuple[Ints, Ints]:
    """Pairs (T1, T2) in which T2 observed T1, inside components, where T1 does not stand before low(T2)."""
    index, readers, status = reading.index, reading.index.readers, reading.status
    order, labels = reading.ordered.places, reading.everything.components
    wr = inside(reading, reading.edges.wr)
    near = order[wr.source] >= low[wr.target]
    rows_ = where((readers.row > 0) & (low[readers.txn] < NEVER))
    changes = status.changes
    slot = ints(changes % status.size)
    _, row = dense(wide(changes // status.size) * index.items + index.slot_item[slot])
    # The changes of a row from the first one by which some change stands at or behind low.
    lifted = prefix_max(order[index.slot_txn[slot]], row) + wide(row) * (2 * NEVER)
    base = wide(readers.predicate[rows_]) * status.size
    begin = ints(np.searchsorted(changes, base + index.item_slots[readers.item[rows_]]))
    end = ints(np.searchsorted(changes, base + readers.slot[rows_], side="right"))
    rows_, begin, end = rows_[begin < end], begin[begin < end], end[begin < end]
    wanted = low[readers.txn[rows_]] + (wide(row[begin]) * (2 * NEVER) if len(rows_) else 0)
    which, at = unfold(np.maximum(begin, np.searchsorted(lifted, wanted)), end)
    source, target = index.slot_txn[slot[at]], readers.txn[rows_[which]]
    kept = (source != target) & (order[source] >= low[target]) & (labels[source] == labels[target])
    pairs = np.concatenate(
        [wide(wr.source[near]) * index.txns + wr.target[near], (wide(source) * index.txns + target)[kept]]
    )
    pairs = distinct(pairs)
    return ints(pairs // index.txns), ints(pairs % index.txns)


def _shown(reading: Reading, one: int, two: int, three: int, four: int) -> Found:
    index, readers, accesses = reading.index, reading.index.readers, list[int]()
    for reader, writer in ((two, three), (four, one)):
        _, missed = between(reading, ints([reader]), ints([writer]))
        accesses += [int(readers.access[missed.reader[0]]), int(index.slot_access[missed.slot[0]])]
    wr = reading.edges.wr
    for source, observer in ((one, two), (three, four)):
        at = np.flatnonzero((wr.source == source) & (wr.target == observer))
        if len(at):
            accesses += [int(wr.source_access[at[0]]), int(wr.target_access[at[0]])]
        else:
            _, place, slot = changes_seen(reading, ints([observer]), ints([source]))
            accesses += [int(index.slot_access[slot[0]]), int(readers.access[place[0]])]
    return found(*accesses)
