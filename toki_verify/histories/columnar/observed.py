"""What transactions observed in full: wr, and pwr from every change that a row's reader saw.

Needed where a formula has read dependencies without ww beside them. pwr in full is the rows read times their changes;
it is not made, but asked for pairs of transactions, or said by chains.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Ints, dense, find, full, groups, ints, numbers, prefix_max, span, unfold, where, wide
from .edges import Edges
from .graphs import Graph
from .reading import Reading


def inside(reading: Reading, edges: Edges) -> Edges:
    """The edges inside components of all edges."""
    labels = reading.everything.components
    return edges.only((labels[edges.source] >= 0) & (labels[edges.source] == labels[edges.target]))


def changes_seen(reading: Reading, observer: Ints, source: Ints) -> tuple[Ints, Ints, Ints]:
    """pwr in full, for pairs of different transactions: the pair, the row's reader (a place in `readers`), the slot.

    It costs the writes of the sources, and for each the rows of its item that the observer read.
    """
    index, readers, status = reading.index, reading.index.readers, reading.status
    keys, slots = index.own_slots
    none = full(0, 0)
    if not len(status.changes) or not len(keys):
        return none, none, none
    pair, at = span(keys, source, index.items)
    slot = slots[at]
    of_reader = wide(readers.txn) * index.items + readers.item
    wanted = wide(observer[pair]) * index.items + index.slot_item[slot]
    which, place = unfold(
        ints(np.searchsorted(of_reader, wanted, side="left")), ints(np.searchsorted(of_reader, wanted, side="right"))
    )
    pair, slot = pair[which], slot[which]
    kept = (readers.row[place] > 0) & (readers.slot[place] >= slot)
    pair, place, slot = pair[kept], place[kept], slot[kept]
    changed = find(status.changes, wide(readers.predicate[place]) * status.size + slot)[1]
    return pair[changed], place[changed], slot[changed]


def happens_before(reading: Reading) -> Graph:
    """Sessions, wr and pwr in full, linear: the changes of a row are links of a chain.

    A change leads to its link, a link to the next one, and the link of the last change that a row's reader saw to the
    reader. A transaction that is among the changes before its own read comes back to itself this way: that joins no two
    transactions that pwr does not join.
    """
    index, readers, status = reading.index, reading.index.readers, reading.status
    changes, size = status.changes, index.txns
    slot = ints(changes % status.size)
    row = wide(changes // status.size) * index.items + index.slot_item[slot]
    follows = where(row[1:] == row[:-1])
    rows = where(readers.row > 0)
    seen = wide(readers.predicate[rows]) * status.size + readers.slot[rows]
    at = ints(np.searchsorted(changes, seen, side="right")) - 1
    some = at >= 0
    some[some] = row[at[some]] == (wide(readers.predicate[rows]) * index.items + readers.item[rows])[some]
    rows, at = rows[some], at[some]
    link = size + numbers(len(changes))
    none = full(len(follows), -1)
    # A link stands behind all changes up to it, and before the next link.
    latest = prefix_max(index.slot_end[slot], dense(row)[1])
    step = len(changes) + 1
    time = np.concatenate([wide(index.end) * step, wide(latest) * step + 1 + np.arange(len(changes))])
    return Graph(
        (
            reading.edges.wr,
            reading.edges.session1,
            Edges(index.slot_txn[slot], link, index.slot_access[slot], full(len(changes), -1)),
            Edges(link[follows], link[follows + 1], none, none),
            Edges(link[at], readers.txn[rows], full(len(rows), -1), readers.access[rows]),
        ),
        time,
    )


@dataclass(frozen=True)
class Earliest:
    """Of edges from a transaction to one that observed it, per pair (observer, observed): the earliest event, and the
    earliest one on another item than that one's; with the accesses."""

    keys: Ints
    edge: Ints
    other_edge: Ints
    edges: Edges
    event: Ints
    item: Ints
    size: int

    @classmethod
    def of(cls, reading: Reading, edges: Edges) -> Earliest:
        """The table of some edges that end in accesses."""
        index = reading.index
        event, item = index.event[edges.target_access], index.item[edges.target_access]
        order = np.argsort(event, kind="stable")
        sort, first, keys = groups(wide(edges.target[order]) * index.txns + edges.source[order])
        order = order[sort]
        one = order[first]
        group = np.repeat(numbers(len(first)), np.diff(np.append(first, len(order))))
        differs = np.flatnonzero(item[order] != item[one][group])
        other = full(len(first), -1)
        other[group[differs[::-1]]] = order[differs[::-1]]  # the first of each group is written last
        return cls(keys, ints(one), other, edges, event, item, index.txns)

    def any(self, observer: Ints, source: Ints) -> Ints:
        """The earliest edge of each pair, -1: none."""
        at, there = find(self.keys, wide(observer) * self.size + source)
        return np.where(there, self.edge[np.minimum(at, len(self.edge) - 1)], -1) if len(self.edge) else -1 + 0 * at

    def on_other_item(self, observer: Ints, source: Ints, item: Ints) -> Ints:
        """The earliest edge of each pair on another item than this one, -1: none."""
        at, there = find(self.keys, wide(observer) * self.size + source)
        if not len(self.edge):
            return full(len(at), -1)
        at = np.minimum(at, len(self.edge) - 1)
        one = self.edge[at]
        return np.where(there, np.where(self.item[one] != item, one, self.other_edge[at]), -1)

    def before(self, edge: Ints, event: Ints) -> Ints:
        """The edges (or -1) that end before an event; the others are -1."""
        if not len(self.event):
            return edge
        return np.where((edge >= 0) & (self.event[edge] < event), edge, -1)
