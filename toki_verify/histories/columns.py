"""A history as arrays: sessions of transactions, what each read and wrote, and which version each read names.

This is what testers of black-box histories record (Biswas and Enea 2019): no interleaving, but sessions; a read names
the version that it saw by a value that one write wrote. Readers of all formats make one (`builder.py`), and the session
levels are decided on it. Nothing is judged here: a value that nobody wrote is kept, with `NOBODY` as its writer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Int8 = NDArray[np.int8]

#: Kinds of operations.
READ: Final = 0
WRITE: Final = 1
#: How a transaction ended; UNKNOWN: nobody was told (Jepsen's `info`, or the history ends before it does).
ABORTED: Final = 0
COMMITTED: Final = 1
UNKNOWN: Final = 2
#: In place of the operation that wrote a version.
INITIAL: Final = -1
NOBODY: Final = -2

Model = Literal["register", "append"]


@dataclass(frozen=True)
class Garbage:
    """Something in a history that no store with any version order can have shown: found while reading, where a version
    cannot say it. `kind` is `duplicate-write` (two writes of one value to one key: which one a read saw, if any, is not
    known), `duplicate-element` (a list that has an element twice), `incompatible-order` (two reads of one list, neither
    of which is a beginning of the other) or `own-write-unseen` (a list read behind an own append that does not end in
    it)."""

    kind: str
    operations: tuple[int, ...]
    key: int
    text: str


@dataclass(frozen=True)
class History:
    """A history, as arrays.

    Transactions are numbered so that those of one session stand in session order. Operations are sorted by transaction
    and stand in program order: those of transaction t are `first[t]` up to `first[t + 1]`.
    """

    format: str
    source: str
    model: Model
    # -- transactions: (T,), first (T + 1,)
    #: The number of the session, or -1 for a transaction of none.
    session: Int32
    outcome: Int8
    first: Int32
    # -- operations: (N,)
    kind: Int8
    key: Int32
    #: The version that was read or written. The initial version of key k is version k.
    version: Int32
    #: The line of the file.
    line: Int32
    # -- versions: (V,)
    version_key: Int32
    #: The operation that wrote it, INITIAL or NOBODY.
    writer: Int32
    #: The place in the version order of its key (the initial version has 0), or -1 where it is not known.
    rank: Int32
    # -- names
    transactions: Sequence[str]
    sessions: Sequence[str]
    keys: Sequence[str]
    #: The value of each version, as text; of a list, its last element.
    values: Sequence[str]
    # -- real time: (T,), or None where the format has none; -1 in `ended`: not known to have ended
    begun: Int64 | None = None
    ended: Int64 | None = None
    #: Who said the version order, where it is not (only) what reads show (`orders.py`).
    version_order: Literal["timestamps", "stated"] | None = None
    garbage: tuple[Garbage, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    @property
    def size(self) -> int:
        """How many operations there are."""
        return len(self.kind)

    def txn_of(self) -> Int32:
        """The transaction of each operation: (N,)."""
        return np.repeat(np.arange(len(self.session), dtype=np.int32), np.diff(self.first))
