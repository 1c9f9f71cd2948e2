"""A part of a history: some of its operations, and nothing that depends on others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .columns import NOBODY, READ, WRITE, Garbage, History, Int32

Bools = NDArray[np.bool_]


def of_transactions(history: History, transactions: Int32 | list[int]) -> Bools:
    """Which operations are those of some transactions: (N,)."""
    chosen = np.zeros(len(history.session), bool)
    chosen[np.asarray(transactions, np.int64)] = True
    return chosen[history.txn_of()]


def restrict(history: History, kept: Bools) -> History:
    """The history of the operations that `kept` (N,) names, with the transactions, keys and versions that they need.

    A read is left out with the write that it saw: else it would be of a value that nobody wrote. Names, lines and ranks
    stay. A read of a value that nobody wrote at first stays what it is.
    """
    writes = np.flatnonzero((history.kind == WRITE) & kept)
    written = np.full(len(history.version_key), NOBODY, np.int32)
    written[history.version[writes[::-1]]] = writes[::-1]
    gone = (history.writer >= 0) & (written < 0)
    kept = kept & ~((history.kind == READ) & gone[history.version])
    place = np.cumsum(kept, dtype=np.int32) - 1
    txns, counts = np.unique(history.txn_of()[kept], return_counts=True)
    key_of, key = np.unique(history.key[kept], return_inverse=True)
    made = history.version[kept]
    others = np.unique(made[made >= len(history.keys)])
    version = np.full(len(history.version_key), -1, np.int32)
    version[key_of] = np.arange(len(key_of))
    version[others] = np.arange(len(key_of), len(key_of) + len(others))
    versions = np.concatenate([key_of, others]).astype(np.int64)
    # A place too many, so that there is one to look up where nothing is kept.
    places = np.append(place, np.int32(NOBODY))
    writer = np.where(history.writer[versions] < 0, history.writer[versions], places[np.maximum(written[versions], 0)])
    number = np.full(len(history.keys), -1, np.int32)
    number[key_of] = np.arange(len(key_of))
    return replace(
        history,
        session=history.session[txns],
        outcome=history.outcome[txns],
        first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        kind=history.kind[kept],
        key=key.astype(np.int32),
        version=version[made],
        line=history.line[kept],
        version_key=number[history.version_key[versions]],
        writer=writer.astype(np.int32),
        rank=history.rank[versions],
        transactions=[history.transactions[int(txn)] for txn in txns],
        keys=[history.keys[int(one)] for one in key_of],
        values=[history.values[int(one)] for one in versions],
        begun=None if history.begun is None else history.begun[txns],
        ended=None if history.ended is None else history.ended[txns],
        garbage=tuple(
            _kept(found, kept, place, number) for found in history.garbage if kept[list(found.operations)].all()
        ),
    )


def _kept(found: Garbage, kept: Bools, place: Int32, number: Int32) -> Garbage:
    return replace(found, operations=tuple(int(place[at]) for at in found.operations), key=int(number[found.key]))


def numbered(history: History) -> History:
    """The same history with numbers for keys and values: from 0 the keys, from 1 the values that somebody wrote."""
    count = len(history.keys)
    return replace(
        history,
        keys=[str(number) for number in range(count)],
        values=["nil" if version < count else str(version - count + 1) for version in range(len(history.version_key))],
    )
