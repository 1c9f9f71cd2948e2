"""The independent parts of a history: transactions that no key and no session connects.

Two transactions are connected if they use a common key, or are of one session; a component is all that is connected. At
every session level a history has the level iff each of its components has it. For: every axiom of Biswas and Enea 2019
(Definitions 2.3 to 2.5 and Figure 2: RC, RA, CC, PC, SI, SER) and of Cerone, Bernardi and Gotsman 2015 (PSI) speaks of
a read of key x by t3 from t1 and of another writer t2 of x, so these three are in one component, and concludes that t2
is before t1 if t2 comes before t3 by steps

- of so and wr, which stay in a component (RC, RA, CC);
- of so, wr and ww, ww between writers of one key, which stay in it, too (PSI);
- of the commit order up to some t4, and from there to t3 by so or wr (PC), or since t4 and t3 write a common key (SI):
  then t4 is in the component of t3, and of the commit order only the order within that component is asked;
- of the commit order directly (SER): t2 and t3 both use x.

So a commit order of the whole, restricted to a component, is one of the component; and orders of the components, one
behind the other, are one of the whole: they extend so and wr, and known version orders, since all of these stay in a
component. The transaction that wrote the initial versions is the first in each. What is wrong with single reads and
writes is found at one key.

Real time connects everything that does not overlap: with it a history is one part.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from ..columns import History, Int32, Int64


def components(history: History) -> Int32:
    """The component of each transaction: (T,), counted by the earliest line in each (transactions without operations
    and of no session come last)."""
    from scipy.sparse import csr_matrix  # type: ignore[import-untyped]
    from scipy.sparse.csgraph import connected_components  # type: ignore[import-untyped]

    count, keys = len(history.session), len(history.keys)
    if not count:
        return np.zeros(0, np.int32)
    # Transactions, then keys, then sessions are the nodes; each use of a key and each membership is an edge.
    member = np.flatnonzero(history.session >= 0)
    source = np.concatenate([history.txn_of(), member.astype(np.int32)])
    target = np.concatenate([history.key + np.int32(count), history.session[member] + np.int32(count + keys)])
    size = count + keys + int(history.session.max()) + 1
    matrix = csr_matrix((np.ones(len(source), np.int8), (source, target)), (size, size))
    found, label = connected_components(matrix, directed=False)
    label = label[:count]
    earliest = np.full(found, np.iinfo(np.int64).max, np.int64)
    np.minimum.at(earliest, label[history.txn_of()], history.line.astype(np.int64))
    # Where lines say nothing (they may all be the same) the first transaction does.
    first = np.full(found, count, np.int64)
    np.minimum.at(first, label, np.arange(count))
    turn = np.empty(found, np.int32)
    turn[np.lexsort((first, earliest))] = np.arange(found, dtype=np.int32)
    used: Int32 = turn[label]
    return np.unique(used, return_inverse=True)[1].astype(np.int32)


def parts(history: History, component: Int32, share: int) -> Int32:
    """The part of each transaction: (T,). Neighbouring components are put together until a part has `share` operations
    or more. It depends on nothing else, so that evidence is the same however many processes there are."""
    weights = np.bincount(component, weights=np.diff(history.first), minlength=1).astype(np.int64)
    part = np.zeros(len(weights), np.int32)
    number, filled = 0, 0
    for at, weight in enumerate(weights.tolist()):
        if filled and filled + weight > share:
            number, filled = number + 1, 0
        part[at], filled = number, filled + weight
    return part[component]


@dataclass(frozen=True)
class Part:
    """A part of a history as one of its own, with the numbers that its transactions, operations and keys have in the
    whole. Names are numbers, and nothing is said of duplicates: what is said of it is said in terms of the whole."""

    history: History
    txn: Int64
    operation: Int64
    key: Int64


class Parts:
    """The parts of a history (`parts` says which transaction is in which), each made when it is asked for."""

    def __init__(self, history: History, part: Int32) -> None:
        self.history = history
        self._count = int(part.max(initial=-1)) + 1
        self._txn = _Sorted(part, self._count)
        of_operation = np.repeat(part, np.diff(history.first))
        self._operation = _Sorted(of_operation, self._count)
        of_key = np.zeros(len(history.keys), np.int32)
        of_key[history.key] = of_operation
        self._key = _Sorted(of_key, self._count)
        # Initial versions have the numbers of their keys; they stay first in each part.
        self._version = _Sorted(of_key[history.version_key], self._count)

    def __len__(self) -> int:
        return self._count

    def size(self, number: int) -> int:
        """How many operations a part has."""
        return len(self._operation.of(number))

    def __getitem__(self, number: int) -> Part:
        if not 0 <= number < self._count:
            raise IndexError(number)
        whole = self.history
        txns, operations, keys = self._txn.of(number), self._operation.of(number), self._key.of(number)
        versions = self._version.of(number)
        writer = whole.writer[versions].copy()
        written = writer >= 0
        writer[written] = self._operation.place[writer[written]]
        size = whole.first[txns + 1] - whole.first[txns]
        history = replace(
            whole,
            session=whole.session[txns],
            outcome=whole.outcome[txns],
            first=np.concatenate([[0], np.cumsum(size)]).astype(np.int32),
            kind=whole.kind[operations],
            key=self._key.place[whole.key[operations]],
            version=self._version.place[whole.version[operations]],
            line=whole.line[operations],
            version_key=self._key.place[whole.version_key[versions]],
            writer=writer,
            rank=whole.rank[versions],
            transactions=Numbers(len(txns)),
            sessions=Numbers(len(whole.sessions)),
            keys=Numbers(len(keys)),
            values=Numbers(len(versions)),
            begun=None if whole.begun is None else whole.begun[txns],
            ended=None if whole.ended is None else whole.ended[txns],
            garbage=(),
            warnings=(),
        )
        return Part(history, txns, operations, keys)


class _Sorted:
    """Things sorted by part, and the place of each within its part."""

    def __init__(self, part: Int32, count: int) -> None:
        self.order = np.argsort(part, kind="stable")
        self.first = np.concatenate([[0], np.cumsum(np.bincount(part, minlength=count))]).astype(np.int64)
        self.place = np.empty(len(part), np.int32)
        self.place[self.order] = np.arange(len(part)) - np.repeat(self.first[:-1], np.diff(self.first))

    def of(self, number: int) -> Int64:
        """The things of a part, in their order."""
        return self.order[self.first[number] : self.first[number + 1]]


class Numbers(Sequence[str]):
    """The names 0, 1, …, made when they are asked for."""

    def __init__(self, count: int) -> None:
        self._count = count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [str(at) for at in range(*index.indices(self._count))]
        return str(range(self._count)[index])


__all__ = ["Numbers", "Part", "Parts", "components", "parts"]
