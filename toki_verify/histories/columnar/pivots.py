"""Two consecutive anti-dependencies: dangerous structures and the read-only transaction anomaly."""

from __future__ import annotations

import numpy as np

from .arrays import Ints, full, ints, raise_to, unfold, where, wide
from .cycles import ends_of
from .found import Found, found
from .graphs import Graph, rows
from .missed import Missed, concurrent, up_to
from .reading import Reading, decides


@decides("dangerous-structure")
def dangerous_structure(reading: Reading) -> Found | None:
    """A transaction that an anti-dependency enters and one leaves, each between concurrent transactions."""
    index = reading.index
    incoming = full((index.txns, 2), -1)
    outgoing = full((index.txns, 2), -1)
    for piece in concurrent(reading):
        ends = np.stack([index.readers.access[piece.reader], index.slot_access[piece.slot]], axis=1)
        outgoing[index.readers.txn[piece.reader]] = ends
        incoming[index.slot_txn[piece.slot]] = ends
        at = np.flatnonzero((incoming[:, 0] >= 0) & (outgoing[:, 0] >= 0))
        if len(at):
            return found(*incoming[at[0]], *outgoing[at[0]])
    return None


def writers_only(reading: Reading) -> Graph:
    """The conflict graph of the transactions that write; reduced edges stay among them, since ww does."""
    edges = reading.edges.dsg
    writer = reading.index.is_writer
    return reading.graph(edges.only(writer[edges.source] & writer[edges.target]))


@decides("read-only-anomaly")
def read_only_anomaly(reading: Reading) -> Found | None:
    """T1 -anti→ T2 -anti→ T3 and T3 dep⁺ T1, where T1 writes nothing and the writers alone have no cycle.

    Of the second anti-dependency the first target is enough (what is behind it in ≪ it reaches by ww). Of the first one
    all are needed, but in an order of the writers T2 stands before T3, and T3 at or before what T1 depends on.
    """
    if not reading.dsg.cyclic:
        return None
    writers = writers_only(reading)
    if writers.cyclic:
        return None
    index, readers, order = reading.index, reading.index.readers, writers.places
    bound = full(index.txns, -1)
    enters = reading.edges.read_dependency
    raise_to(bound, enters.target, order[enters.source])
    alone = ~index.is_writer & (bound >= 0) & (reading.dsg.components >= 0)
    places = where(alone[readers.txn])
    pieces = list(up_to(reading, places, order, bound[readers.txn[places]]))
    if not pieces:
        return None
    missed = Missed(
        *(np.concatenate([getattr(piece, name) for piece in pieces]) for name in ("reader", "slot", "kinds"))
    )
    one, two = readers.txn[missed.reader], index.slot_txn[missed.slot]
    _, kept = np.unique(wide(one) * index.txns + two, return_index=True)
    missed, one, two = missed.only(ints(kept)), one[kept], two[kept]
    anti = reading.edges.anti1
    first, targets, numbers = rows(index.txns, anti.source, anti.target)
    pair, at = unfold(first[two], first[two + 1])
    within = order[targets[at]] <= bound[one[pair]]
    pair, at = pair[within], at[within]
    return _closed(reading, missed, pair, numbers[at], targets[at], one[pair])


def _closed(reading: Reading, missed: Missed, pair: Ints, edge: Ints, third: Ints, one: Ints) -> Found | None:
    index, anti = reading.index, reading.edges.anti1
    way = reading.dep.answered(third, one)
    if way is None:
        return None
    query, path = way
    at = pair[query]
    return found(
        index.readers.access[missed.reader[at]],
        index.slot_access[missed.slot[at]],
        anti.source_access[edge[query]],
        anti.target_access[edge[query]],
        *ends_of(path),
    )
