"""Start and commit numbers that show snapshot isolation, made from a commit order that shows it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .columns import WRITE, History, Int64


def times_of(history: History, order: Sequence[int], *, realtime: bool = False) -> tuple[Int64, Int64]:
    """Start and commit numbers (T,), -1 for transactions that are not in `order`, a commit order that shows SI
    (transactions; Cerone, Bernardi and Gotsman 2015: what a transaction sees is a prefix of it).

    The one at place p commits at 2p + 1 and starts behind the last one that it must see: of its session, whose versions
    it read or overwrites, and with `realtime` of those that ended before it began. Starts are even, commits odd.
    """
    count = len(history.session)
    place = np.full(count, -1, np.int64)
    place[list(order)] = np.arange(len(order))
    txn = history.txn_of()
    sees = np.full(count, -1, np.int64)
    reads = np.flatnonzero(history.kind != WRITE)
    reads = reads[history.writer[history.version[reads]] >= 0]
    owner = txn[history.writer[history.version[reads]]]
    other = owner != txn[reads]
    np.maximum.at(sees, txn[reads][other], place[owner[other]])
    _chain(sees, place, history.session, np.arange(count))
    writes = np.flatnonzero(history.kind == WRITE)
    _chain(sees, place, history.key[writes], txn[writes])
    if realtime and history.begun is not None and history.ended is not None:
        over = np.flatnonzero((history.ended >= 0) & (place >= 0))
        over = over[np.argsort(history.ended[over], kind="stable")]
        before = np.searchsorted(history.ended[over], history.begun) - 1
        last = np.append(np.maximum.accumulate(place[over]), -1)
        sees = np.maximum(sees, np.where(before >= 0, last[before], -1))
    there = place >= 0
    return np.where(there, 2 * sees + 2, -1), np.where(there, 2 * place + 1, -1)


def _chain(sees: Int64, place: Int64, group: np.ndarray, owner: np.ndarray) -> None:
    """Every transaction sees the one before it, by place, of its group (a session, the writers of a key; not -1)."""
    use = (place[owner] >= 0) & (group >= 0)
    group, owner = group[use], owner[use]
    by_place = np.lexsort((place[owner], group))
    group, owner = group[by_place], owner[by_place]
    follows = (group[1:] == group[:-1]) & (owner[1:] != owner[:-1])
    np.maximum.at(sees, owner[1:][follows], place[owner[:-1][follows]])
