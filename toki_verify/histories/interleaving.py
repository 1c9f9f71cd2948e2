"""One order of events for a history, which says none: one that invents as little as may be.

A history at a session level is so by some commit order. In that order each transaction stands in one piece, so that
nothing is written or read that is not committed (no P0, no P1). Only what read a version that is overwritten by then
stands earlier: at the last moment at which all that the transaction read was current (a snapshot); where there is none,
or where somebody else writes what it had written by then, each read before its first write stands as soon as what it
saw is committed.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Final

import numpy as np

from ..events.limits import EVENTS
from .columns import ABORTED, COMMITTED, NOBODY, READ, UNKNOWN, WRITE, History
from .sessions.verdict import decide

#: Levels from the strongest on, and how long a commit order that shows one is looked for.
_LEVELS: Final = ("SER", "SI", "PSI", "PC", "CC", "RA", "RC")
_SECONDS: Final = 1.0
#: Transactions, of which the one comes before the other.
Pairs = list[tuple[int, int]]
#: Histories of more operations are no schedules (`events.limits`), so that no order of theirs is worth a search.
_SIZE: Final = EVENTS


def interleaved(history: History, *, realtime: bool = False) -> list[int]:
    """Operations, and N + t for the end of transaction t, in an order that fits: session order, reads behind what they
    saw; with `realtime` what ended before another began. Raises ValueError where a value that nobody wrote is read, and
    where no order has every read behind its write.
    """
    for node in np.flatnonzero(history.kind == READ).tolist():
        if history.writer[history.version[node]] == NOBODY:
            raise ValueError("a value that nobody wrote is read: no schedule has that")
    before = [*_sessions(history), *(_real_time(history) if realtime else [])]
    found = _in_pieces(history, before)
    for strict in (True, False):
        found = _sorted(history, before, strict) if found is None else found
    if found is None:
        raise ValueError("no order of the events has every read behind the write that it saw")
    return found


# -- in pieces ---------------------------------------------------------------------------------------------------------
def _in_pieces(history: History, before: Pairs) -> list[int] | None:
    """Each transaction from its first write to its end in one piece; None where a read saw what is not committed, or
    where reads and sessions leave no such order."""
    needs = _needs(history, before) if history.size <= _SIZE else None
    if needs is None:
        return None
    orders = _version_orders(history)
    shown = _shown(history)
    for more in ([*orders, *shown], shown, orders, []):
        order = _ordered(history, [*needs, *(pair for chain in more for pair in pairwise(chain))])
        if order is not None:
            return _placed(history, order, before)
    return None


def _needs(history: History, before: Pairs) -> Pairs | None:
    """Transactions that have to end before another begins to write: those that it read from, those before it.
    None where a read saw a write of a transaction that did not commit, or a later one of its own."""
    txn_of = history.txn_of().tolist()
    needs = []
    for node in np.flatnonzero(history.kind == READ).tolist():
        source, reader = int(history.writer[history.version[node]]), txn_of[node]
        if source < 0:
            continue
        if txn_of[source] != reader:
            if history.outcome[txn_of[source]] != COMMITTED:
                return None
            needs.append((txn_of[source], reader))
        elif source > node:
            return None
    return [*needs, *before]


def _sessions(history: History) -> Pairs:
    """Each transaction of a session and the next one."""
    last: dict[int, int] = {}
    pairs = []
    for txn, session in enumerate(history.session.tolist()):
        if session >= 0 and session in last:
            pairs.append((last[session], txn))
        last[session] = txn
    return pairs


def _real_time(history: History) -> Pairs:
    """Transactions of which the one ended before the other began, as far as the history says."""
    if history.begun is None or history.ended is None:
        return []
    begun, ended = history.begun, history.ended
    return [
        (one, other)
        for one in np.flatnonzero(ended >= 0).tolist()
        for other in np.flatnonzero(begun > ended[one]).tolist()
        if one != other
    ]


def _version_orders(history: History) -> list[list[int]]:
    """The committed writers of each key, in the version order as far as it is known."""
    txn_of = history.txn_of().tolist()
    of_key: dict[int, dict[int, int]] = {}
    for node in np.flatnonzero(history.kind == WRITE).tolist():
        rank = int(history.rank[history.version[node]])
        if rank > 0 and history.outcome[txn_of[node]] == COMMITTED:
            of_key.setdefault(int(history.key[node]), {})[txn_of[node]] = rank
    return [sorted(ranks, key=ranks.__getitem__) for ranks in of_key.values()]


def _shown(history: History) -> list[list[int]]:
    """The commit order that shows the strongest level that is found to hold, if any."""
    verdict = decide(history, levels=_LEVELS, seconds=_SECONDS)
    order = next((order for level in _LEVELS if (order := verdict.order(level)) is not None), None)
    return [] if order is None else [list(order)]


def _ordered(history: History, pairs: list[tuple[int, int]]) -> list[int] | None:
    """The transactions in an order; those of unknown outcome, whose writes stay open, as late as may be."""
    size = len(history.session)
    late = sorted(range(size), key=lambda txn: (history.outcome[txn] == UNKNOWN, txn))
    number = {txn: at for at, txn in enumerate(late)}
    after: list[list[int]] = [[] for _ in range(size)]
    for one, other in pairs:
        after[number[one]].append(number[other])
    found = _topological(after)
    return None if found is None else [late[at] for at in found]


def _placed(history: History, order: list[int], before: Pairs) -> list[int]:
    """The pieces in their order, and before them what had to be read earlier than that.

    A transaction that read what is not current any more when its piece comes begins at a moment at which all of it was,
    up to the last of these reads, with what it wrote before them, unless somebody else writes that until its end. Where
    there is none, the reads before its first write stand where what they saw is committed."""
    place = {txn: at for at, txn in enumerate(order)}
    earlier: dict[int, int] = {}
    for one, other in before:
        earlier[other] = max(earlier.get(other, 0), place[one] + 1)
    behind = _overwritten(history, place)
    txn_of = history.txn_of().tolist()
    keys = [set(history.key[_writes(history, txn)].tolist()) for txn in order]
    gaps: list[list[int]] = [[] for _ in order]
    pieces: list[list[int]] = []
    for at, txn in enumerate(order):
        nodes = list(range(int(history.first[txn]), int(history.first[txn + 1])))
        outside, low, soonest = [], [], earlier.get(txn, 0)
        for number, node in enumerate(nodes):
            source = int(history.writer[history.version[node]])
            if history.kind[node] == READ and (source < 0 or txn_of[source] != txn):
                soonest = max(soonest, place[txn_of[source]] + 1 if source >= 0 else 0)
                outside.append(number)
                low.append(soonest)
        late = min((behind.get(int(history.version[nodes[number]]), at) for number in outside), default=at)
        late = min(late, at)
        begun = nodes[: outside[-1] + 1] if outside else []
        written = {int(history.key[node]) for node in begun if history.kind[node] == WRITE}
        if late < at and low[-1] <= late and not any(written & of for of in keys[late:at]):
            gaps[late] += begun
            nodes = nodes[len(begun) :]
        elif late < at:
            while nodes and history.kind[nodes[0]] == READ:
                gaps[low.pop(0)].append(nodes.pop(0))
        pieces.append([*nodes, history.size + txn])
    return [node for gap, piece in zip(gaps, pieces, strict=True) for node in (*gap, *piece)]


def _writes(history: History, txn: int) -> list[int]:
    return [n for n in range(int(history.first[txn]), int(history.first[txn + 1])) if history.kind[n] == WRITE]


def _overwritten(history: History, place: dict[int, int]) -> dict[int, int]:
    """For each version that somebody read the place of the first piece that installs a later one of its key: in the
    version order where it is known, else the next by place."""
    txn_of = history.txn_of().tolist()
    installed: dict[int, dict[int, int]] = {}
    for node in np.flatnonzero(history.kind == WRITE).tolist():
        if history.outcome[txn_of[node]] != ABORTED:
            installed.setdefault(int(history.key[node]), {})[place[txn_of[node]]] = int(history.version[node])
    found: dict[int, int] = {}
    for version in np.unique(history.version[history.kind == READ]).tolist():
        source, rank = int(history.writer[version]), int(history.rank[version])
        at = place[txn_of[source]] if source >= 0 else -1
        later = [
            other
            for other, one in installed.get(int(history.version_key[version]), {}).items()
            if (history.rank[one] > rank if min(rank, history.rank[one]) >= 0 else other > at)
        ]
        if later:
            found[version] = min(later)
    return found


# -- as the operations stand -------------------------------------------------------------------------------------------
def _sorted(history: History, before: Pairs, strict: bool) -> list[int] | None:
    """Operations, and N + t for the end of transaction t, in an order that fits; None where there is none. `strict`: a
    read stands behind the commit of what it saw."""
    size, txns = history.size, len(history.session)
    txn_of = history.txn_of()
    after: list[list[int]] = [[] for _ in range(size + txns)]
    for txn in range(txns):
        chain = [*range(int(history.first[txn]), int(history.first[txn + 1])), size + txn]
        for one, other in pairwise(chain):
            after[one].append(other)
    for one, other in before:
        after[size + one].append(int(history.first[other]) if _has(history, other) else size + other)
    for node in range(size):
        if history.kind[node] == WRITE:
            continue
        source = int(history.writer[history.version[node]])
        if source >= 0 and txn_of[source] != txn_of[node]:
            ended = strict and history.outcome[txn_of[source]] == COMMITTED
            after[size + int(txn_of[source]) if ended else source].append(node)
        elif source > node:
            return None
    return _topological(after)


def _has(history: History, txn: int) -> bool:
    return bool(history.first[txn] < history.first[txn + 1])


def _topological(after: list[list[int]]) -> list[int] | None:
    """Nodes in order, the lowest that is free first."""
    waits = np.zeros(len(after), np.int64)
    for targets in after:
        for target in targets:
            waits[target] += 1
    free = [node for node in range(len(after)) if not waits[node]]
    heapify(free)
    found: list[int] = []
    while free:
        node = heappop(free)
        found.append(node)
        for target in after[node]:
            waits[target] -= 1
            if not waits[target]:
                heappush(free, target)
    return found if len(found) == len(after) else None
