"""A history without transactions of unknown outcome, for forms that hold none."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from .columns import COMMITTED, READ, UNKNOWN, WRITE, History
from .restrict import Bools, restrict
from .sessions.prepared import counting


@dataclass(frozen=True)
class Known:
    """A history in which every outcome is known, how many transactions were left out of it, and how many were not and
    are committed in it."""

    history: History
    left_out: int
    committed: int


def first_unknown(history: History) -> str | None:
    """The first transaction of unknown outcome and its line, in words; None where there is none."""
    unknown = np.flatnonzero(history.outcome == UNKNOWN)
    return told(history, int(unknown[0])) if len(unknown) else None


def told(history: History, txn: int) -> str:
    """What a transaction is called in a sentence, and the line of its first operation where it has one."""
    begin, end = int(history.first[txn]), int(history.first[txn + 1])
    name = history.transactions[txn]
    place = f" (line {int(history.line[begin])})" if begin < end else ""
    return f"{f'T{name}' if name.lstrip('-').isdigit() else name}{place}"


def without_unknown(history: History) -> Known:
    """The history without the transactions of unknown outcome of which nobody read anything, which fail no level; the
    others have committed, since somebody saw what they wrote (`sessions.prepared.counting`).

    Transactions without operations are left out, too. Raises ValueError where nobody can say whether something of a
    transaction was read: it and another one wrote the same value to the same key, and somebody read that.
    """
    counts = counting(history)
    unknown = history.outcome == UNKNOWN
    left_out = unknown & ~counts
    _doubtful(history, left_out, counts)
    kept = restrict(history, ~left_out[history.txn_of()])
    outcome = np.where(kept.outcome == UNKNOWN, COMMITTED, kept.outcome).astype(np.int8)
    return Known(replace(kept, outcome=outcome), int(left_out.sum()), int((unknown & counts).sum()))


def _doubtful(history: History, left_out: Bools, counts: Bools) -> None:
    """Raise ValueError for a write of those that are left out that may be one that was read."""
    txn = history.txn_of()
    writes = np.flatnonzero(history.kind == WRITE)
    several = np.bincount(history.version[writes], minlength=len(history.version_key)) > 1
    read = np.zeros(len(several), bool)
    reads = (history.kind == READ) & counts[txn]
    read[history.version[reads]] = True
    if history.model == "append":  # Of a list in which an element stands twice no order is known.
        shown = np.zeros(len(history.keys), bool)
        shown[history.key[reads]] = True
        read |= shown[history.version_key]
    unsure = writes[(several & read)[history.version[writes]] & left_out[txn[writes]]]
    if len(unsure):
        at = int(unsure[0])
        what = f"{history.keys[int(history.key[at])]}={history.values[int(history.version[at])]}"
        raise ValueError(
            f"whether somebody read what {told(history, int(txn[at]))} wrote is not known: {what} was written twice"
        )
