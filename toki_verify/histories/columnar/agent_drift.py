"""N2 of a whole trace by partition: how many pairs of transactions, and which one was first.

N2 is two transactions each of which changed, in one (subject, predicate) partition, a row that the other had read, on
two rows (TOKI 2026, section 2.3; SEMANTICS §3). N2[lifted] takes the partition as one item: each wrote it after a state
of it that the other had read. What is counted are pairs of transactions. Of several pairs the first one is that whose
later write stands first (then its earlier write), and of its reads the first ones that missed those writes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .agent_lifted import crossings
from .agent_skews import Pairs, skews
from .arrays import Ints, distinct, ints, wide
from .reading import Reading


@dataclass(frozen=True)
class Skew:
    """Two transactions: a read of the one, the write of the other behind what it read, a read of the other, the write
    of the one behind that; `events`, and `lines` (none: no file) are of these four, `items` of the two reads."""

    transactions: tuple[str, str]
    items: tuple[object, object]
    events: tuple[int, ...]
    lines: tuple[int, ...]


@dataclass(frozen=True)
class PartitionDrift:
    """A partition with N2 or N2[lifted]: the committed transactions that read rows of it and that wrote some; how many
    pairs have N2, how many transactions are in such pairs, and the first pair; and as much of N2[lifted]."""

    partition: object
    readers: int
    writers: int
    pairs: int
    transactions: int
    first: Skew | None
    lifted_pairs: int
    lifted_transactions: int
    lifted_first: Skew | None


@dataclass(frozen=True)
class Drift:
    """How many partitions the items of a trace have, how many of these have N2, how many N2[lifted], how many either;
    the pairs of all. `rows` are those with N2 in the order of their first pairs, then those with N2[lifted] alone."""

    partitions: int
    affected: int
    affected_lifted: int
    affected_any: int
    pairs: int
    lifted_pairs: int
    rows: tuple[PartitionDrift, ...]


def drift_of(reading: Reading, rows: int = 1000) -> Drift | None:
    """N2 by partition, with the first `rows` of those that have it; None where no item has a partition.

    N2[lifted] takes n log n. N2 takes the backward anti-dependencies (`missed.py`) and the pairs that are counted:
    linear where reads are seldom stale.
    """
    partition = reading.trace.partition
    known = distinct(ints(partition[partition >= 0]))
    if not len(known):
        return None
    plain, lifted = skews(reading), crossings(reading)
    alone = np.setdiff1d(lifted.affected, plain.affected)
    shown = [*_by_time(reading, plain, plain.affected), *_by_time(reading, lifted, alone)][: max(rows, 0)]
    first = dict(zip(plain.affected.tolist(), plain.first.tolist(), strict=True))
    lifted_first = dict(zip(lifted.affected.tolist(), lifted.first.tolist(), strict=True))
    read = _transactions(reading, reading.index.seen, shown)
    written = _transactions(reading, reading.index.writes, shown)
    return Drift(
        len(known),
        len(plain.affected),
        len(lifted.affected),
        len(plain.affected) + len(alone),
        int(plain.pairs.sum()),
        int(lifted.pairs.sum()),
        tuple(
            PartitionDrift(
                reading.trace.partitions[one],
                int(read[one]),
                int(written[one]),
                int(plain.pairs[one]),
                int(plain.transactions[one]),
                _skew(reading, first.get(one)),
                int(lifted.pairs[one]),
                int(lifted.transactions[one]),
                _skew(reading, lifted_first.get(one)),
            )
            for one in shown
        ),
    )


def _by_time(reading: Reading, pairs: Pairs, chosen: Ints) -> list[int]:
    """Partitions in the order of the later writes of their first pairs, then of the earlier ones."""
    at = np.searchsorted(pairs.affected, chosen)
    writes = np.sort(reading.index.event[pairs.first[at][:, [1, 3]]], 1)
    found: list[int] = chosen[np.lexsort((chosen, writes[:, 0], writes[:, 1]))].tolist()
    return found


def _transactions(reading: Reading, accesses: Ints, partitions: list[int]) -> Ints:
    """By partition how many committed transactions made some of these accesses, of these partitions alone."""
    index, trace = reading.index, reading.trace
    size, count = max(index.txns, 1), len(trace.partitions)
    asked = np.zeros(count + 1, bool)  # the last place is that of -1: items without a partition
    asked[partitions] = True
    of = ints(trace.partition)[index.item[accesses]]
    kept = asked[of] & index.committed[index.txn[accesses]]
    members = distinct(wide(of[kept]) * size + index.txn[accesses[kept]])
    return np.bincount(members // size, minlength=count)


def _skew(reading: Reading, four: list[int] | None) -> Skew | None:
    """A pair by its accesses."""
    if four is None:
        return None
    trace = reading.trace
    one, other = (int(trace.txn[access]) for access in (four[0], four[2]))
    return Skew(
        (trace.transactions[one], trace.transactions[other]),
        (trace.items[int(trace.item[four[0]])], trace.items[int(trace.item[four[2]])]),
        tuple(int(trace.event[access]) for access in four),
        () if trace.line is None else tuple(int(trace.line[access]) for access in four),
    )
