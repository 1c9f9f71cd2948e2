"""Random serializable histories as arrays, up to tens of millions of operations; the same for a seed on every machine.

Transactions run in groups of a few at a time. Those of one group use different keys, so any interleaving of them is
equivalent to the serial order 0, 1, 2 …, in which every read sees the latest write. The shape is that of the
generator that the contracts of this project name: half of the operations read, values are unique, 0 is the initial one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Bools = NDArray[np.bool_]

#: How many transactions overlap.
CONCURRENCY: Final = 4
_SEED: Final = 7


@dataclass(frozen=True)
class Shape:
    """How large a history is: transactions (a multiple of CONCURRENCY), operations of each, sessions and keys."""

    transactions: int
    operations: int = 8
    sessions: int = 20
    keys: int = 4

    @property
    def size(self) -> int:
        """How many reads and writes there are."""
        return self.transactions * self.operations

    @staticmethod
    def of(size: int) -> Shape:
        """About so many operations, eight a transaction, forty a key: the proportions of the contracts' generator."""
        groups = max(1, round(size / 8 / CONCURRENCY))
        transactions = groups * CONCURRENCY
        return Shape(transactions, keys=max(2 * CONCURRENCY, transactions // 5 // CONCURRENCY * CONCURRENCY))


@dataclass(frozen=True)
class Made:
    """A history; operation i belongs to transaction i // shape.operations, and operations stand in serial order."""

    shape: Shape
    #: The session of each transaction: (T,).
    session: Int32
    #: Whether an operation writes, its key, and the value that it writes or sees: (N,).
    writes: Bools
    key: Int32
    value: Int32
    #: The last value of each key: (K,).
    last: Int32


def make(shape: Shape, seed: int = _SEED) -> Made:
    """A serializable history of this shape. Raises ValueError if groups, keys and sessions do not go together."""
    if shape.transactions % CONCURRENCY or shape.keys % CONCURRENCY or shape.sessions % CONCURRENCY:
        raise ValueError(f"transactions, keys and sessions must be multiples of {CONCURRENCY}")
    chosen = np.random.default_rng(seed)
    slot = np.arange(shape.transactions, dtype=np.int32) % CONCURRENCY
    # Transactions that overlap belong to different sessions, and use different keys.
    session = chosen.integers(shape.sessions // CONCURRENCY, size=shape.transactions, dtype=np.int32)
    session = session * CONCURRENCY + slot
    key = chosen.integers(shape.keys // CONCURRENCY, size=shape.size, dtype=np.int32)
    key = key * CONCURRENCY + np.repeat(slot, shape.operations)
    writes = chosen.random(shape.size, dtype=np.float32) < 0.5
    value, last = _values(key, writes, shape.keys)
    return Made(shape, session.astype(np.int32), writes, key.astype(np.int32), value, last)


def _values(key: Int32, writes: Bools, keys: int) -> tuple[Int32, Int32]:
    """What each operation writes or sees, and the last value of each key, if they run one after another."""
    value = np.cumsum(writes, dtype=np.int32)
    value[~writes] = 0
    by_key = np.argsort(key, kind="stable").astype(np.int32)
    sorted_key = key[by_key]
    begins = np.searchsorted(sorted_key, np.arange(keys + 1)).astype(np.int32)
    # The place of the latest write of the key, or the place before its first operation.
    places = np.where(writes[by_key], np.arange(len(key), dtype=np.int32), np.int32(-1))
    latest = np.maximum.accumulate(places)
    seen = np.where(latest >= begins[sorted_key], value[by_key[np.maximum(latest, 0)]], 0)
    value[by_key] = seen
    ends = np.append(latest, np.int32(-1))[begins[1:] - 1]
    last = np.where((ends >= begins[:-1]) & (begins[1:] > begins[:-1]), value[by_key[np.maximum(ends, 0)]], 0)
    return value, last.astype(np.int32)


def interleaved(made: Made, seed: int = _SEED) -> Int32:
    """Events in an order of time, groups one after another, each shuffled at random without changing the order within a
    transaction: (T * (operations + 2),). Event e of transaction t (begin, operations, commit) is
    t * (operations + 2) + e."""
    events = made.shape.operations + 2
    chosen = np.random.default_rng(seed + 1)
    times = chosen.random((made.shape.transactions, events), dtype=np.float32)
    times.sort(axis=1)
    groups = times.reshape(-1, CONCURRENCY * events)
    order = np.argsort(groups, axis=1, kind="stable").astype(np.int32)
    order += np.arange(len(groups), dtype=np.int32)[:, None] * np.int32(CONCURRENCY * events)
    return order.ravel()
