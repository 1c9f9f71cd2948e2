"""What shows that a level holds of a large trace: a serial order, or timestamps (SEMANTICS §4).

`histories/trace_evidence.py` checks them by code that shares nothing with what makes them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .arrays import Ints, full, raise_to, where, wide
from .levels import layered
from .reading import Reading


@dataclass(frozen=True)
class Shows:
    """A serial order of the committed transactions (their numbers), and start and commit numbers of all transactions
    (-1: not committed). None: there are none. Both respect sessions where they can."""

    serial: Ints | None
    start: Ints | None
    commit: Ints | None


def shows(reading: Reading) -> Shows:
    """The serial order of a trace whose conflict graph has no cycle, and the timestamps of one that is snapshot.

    Commit numbers are places in an order of `dep ; anti?`; a transaction starts behind the last commit of those that it
    depends on, which is before the commit of every one that it missed, since that is behind theirs in this order.
    """
    serial = None
    for graph in (reading.everything, reading.dsg):
        if not graph.cyclic:
            serial = _committed(reading, graph.places)
            break
    if serial is not None:
        start, commit = full(reading.index.txns, -1), full(reading.index.txns, -1)
        start[serial] = 2 * wide(np.arange(len(serial)))
        commit[serial] = start[serial] + 1
        return Shows(serial, start, commit)
    for edges in (reading.edges.ordered, reading.edges.dep):
        graph = layered(reading, edges)
        if not graph.cyclic:
            order = _committed(reading, graph.places[: reading.index.txns])
            commit, latest = full(reading.index.txns, -1), full(reading.index.txns, -1)
            commit[order] = 2 * wide(np.arange(len(order))) + 1
            raise_to(latest, edges.target, commit[edges.source])
            start = np.where(commit >= 0, latest + 1, -1)
            return Shows(None, start, commit)
    return Shows(None, None, None)


def _committed(reading: Reading, places: Ints) -> Ints:
    """The committed transactions in the order of their places; those at one place by their ends."""
    txns = where(reading.index.committed)
    return txns[np.lexsort((reading.index.end[txns], wide(places[txns])))]
