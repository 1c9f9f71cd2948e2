"""How many reads, and items of one transaction, show P1, A1, G1a, G1b, P2, A2, A3, P4, P2[G-single].

A row of a predicate read counts as a read. "Pairs" are a transaction and an item. The conditions are those of
`reads.py`, where the formulas of `phenomena/berenson.py` and `adya.py` are said in arrays.
"""

from __future__ import annotations

import numpy as np

from ..trace import M
from .arrays import Bools, Ints, full, groups, ints, wide
from .instances import Instances, best, counts, each
from .reading import Reading
from .reads import _foreign, _least_slots, read_again


def _reads(reading: Reading, places: Ints, shown: Bools) -> Instances:
    """Reads, each with the write of the version that it saw."""
    read = places[shown]
    return each(reading, reading.index.writer[reading.index.version[read]], read)


@counts("P1", "reads of versions that were not committed then, or not final")
def p1(reading: Reading, limit: int) -> Instances:
    """Accesses b for which an a is in `(dirty - committed_before) | ((write - final) >> dirty)`."""
    index = reading.index
    places, version, writer = reading.once(_foreign)
    clean = index.committed[writer] & (index.end[writer] < index.event[places])
    return _reads(reading, places, ~clean | ~reading.trace.final[version])


@counts("A1", "reads of versions whose transactions aborted after that")
def a1(reading: Reading, limit: int) -> Instances:
    """Accesses of committed transactions in the range of `(write & aborted) >> (dirty - ended_before)`."""
    index = reading.index
    places, _, writer = reading.once(_foreign)
    later = index.aborted[writer] & (index.end[writer] > index.event[places])
    return _reads(reading, places, later & index.committed[index.txn[places]])


@counts("G1a", "reads of versions that never committed")
def g1a(reading: Reading, limit: int) -> Instances:
    """Accesses of committed transactions in the range of `(write - committed) >> other_version`."""
    index = reading.index
    places, _, writer = reading.once(_foreign)
    return _reads(reading, places, ~index.committed[writer] & index.committed[index.txn[places]])


@counts("G1b", "reads of intermediate versions")
def g1b(reading: Reading, limit: int) -> Instances:
    """Accesses of committed transactions in the range of `(write - final) >> other_version`."""
    index = reading.index
    places, version, _ = reading.once(_foreign)
    return _reads(reading, places, ~reading.trace.final[version] & index.committed[index.txn[places]])


def _differing(reading: Reading, places: Ints, keys: Ints, shown: Ints) -> Instances:
    """Groups of reads with two different values `shown`: the first read of the group, the first that differs from it,
    and the writes of what they saw."""
    order, first, _ = groups(keys)
    size = np.diff(np.append(first, len(order)))
    leads = np.repeat(shown[order[first]], size)
    at = np.flatnonzero(shown[order] != leads)
    group = np.searchsorted(first, at, side="right") - 1
    group, kept = np.unique(group, return_index=True)
    read, again = places[order[first[group]]], places[order[at[kept]]]
    writer = reading.index.writer
    version = reading.index.version
    return each(reading, read, again, writer[version[read]], writer[version[again]])


@counts("P2", "pairs of a transaction and an item of which it saw two versions")
def p2(reading: Reading, limit: int) -> Instances:
    """Pairs (T, x) for which the formula of P2 relates two item reads of x by T."""
    index = reading.index
    places = ints(np.flatnonzero(index.item_read & index.committed[index.txn]))
    places = places[index.version_txn[index.version[places]] != index.txn[places]]
    keys = wide(index.txn[places]) * index.items + index.item[places]
    return _differing(reading, places, keys, wide(index.version[places]))


@counts("A2", "reads that saw what another transaction committed after an earlier read")
def a2(reading: Reading, limit: int) -> Instances:
    """Reads c with `a >> item_read_then_written >> (reads_from & committed_before)`, a the first read of the item."""
    return each(reading, *reading.once(read_again))


@counts("A3", "rows on which two reads of one predicate by one transaction differ")
def a3(reading: Reading, limit: int) -> Instances:
    """Triples (T, P, x) for which the formula of A3 relates two rows x of T's reads of P."""
    index = reading.index
    places = ints(np.flatnonzero(index.row & index.committed[index.txn]))
    places = places[index.pair_last_write[index.pair[places]] < 0]
    predicates = max(len(reading.trace.predicates), 1)
    keys = (wide(index.txn[places]) * index.items + index.item[places]) * predicates + index.predicate[places]
    # Rows that did not match count alike, whatever version they saw.
    shown = np.where(index.kind[places] == M, wide(index.version[places]), -1)
    return _differing(reading, places, keys, shown)


@counts("P4", "pairs of a transaction and an item on which it overwrote an update that it had not read")
def p4(reading: Reading, limit: int) -> Instances:
    """Pairs (T, x) for which `(rw >> ww) & same_txn` relates accesses of x by T.

    Shown by T's first read of the earliest version, the version right behind that one, and T's write.
    """
    index = reading.index
    slot, read = reading.once(_stalest)
    own = index.pair_slot
    at = np.flatnonzero(own > slot + 1)
    return each(reading, read[at], index.slot_access[slot[at] + 1], index.slot_access[own[at]])


def _stalest(reading: Reading) -> tuple[Ints, Ints]:
    """Per pair (transaction, item) the earliest slot that a read with rw edges saw, and the first such read."""
    index, readers = reading.index, reading.index.readers
    slot = reading.once(_least_slots)[0]
    places = np.flatnonzero(readers.rw)
    pair = index.pair[readers.access[places]]
    places, pair = places[readers.slot[places] == slot[pair]], pair[readers.slot[places] == slot[pair]]
    read = full(len(slot), -1)
    read[pair[::-1]] = readers.access[places[::-1]]  # the first one is written last
    return slot, read


@counts("P2[G-single]", "pairs of a transaction and an item that it saw or wrote before and behind another's version")
def p2_g_single(reading: Reading, limit: int) -> Instances:
    """Pairs (T, x) for which `(rw >> same >> (wr | ww)) & same_txn` relates accesses of x by T.

    Shown as P4, or by that read, the version installed by a transaction that it missed, and a read of what that
    transaction wrote.
    """
    index = reading.index
    least, stalest = reading.once(_stalest)
    lost = p4(reading, limit).accesses
    wr = reading.edges.wr
    slot = index.pair_slot[index.pair[wr.source_access]]
    pair = index.pair[wr.target_access]
    at = np.flatnonzero(slot > least[pair])
    none = full(len(lost), -1)
    seen = (stalest[pair[at]], index.slot_access[slot[at]], wr.source_access[at], wr.target_access[at])
    both = (np.concatenate([one, other]) for one, other in zip((*lost.T, none), seen, strict=True))
    return best(reading, np.concatenate([index.pair[lost[:, 2]], pair[at]]), *both)


def either(reading: Reading, *parts: Instances) -> Instances:
    """Reads of several kinds, each once."""
    table = np.concatenate([part.accesses for part in parts])
    return best(reading, table[:, 1], *table.T)
