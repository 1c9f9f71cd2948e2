"""The classes of schedules that a level of `graph` allows and the store never makes, by positions of events."""

from __future__ import annotations

from collections.abc import Callable

import engine_oracle
from oracle import Facts, p1_broad, p2_broad, p3_broad

from toki_verify.events import WriteKind


def of_no_row(f: Facts) -> bool:
    """An update or delete of a row that is not there, or an insert of one that is: the store then reads instead."""
    for at, write in f.writes.items():
        alive = [
            (one.txn == write.txn, other, one.kind)
            for other, one in f.writes.items()
            if other < at and one.item == write.item and f.abort.get(one.txn, at) >= at
        ]
        there = max(alive)[2] is not WriteKind.DELETE if alive else write.item.name != "k"
        if there is (write.kind is WriteKind.INSERT):
            return True
    return False


def past_the_latest_write(f: Facts) -> bool:
    """A read at RU of a version that is not the latest one, or that has been taken back."""
    return not engine_oracle.ru(f)


def older_committed(f: Facts) -> bool:
    """A read of a version that was not the latest committed one any more."""
    return not engine_oracle.rc(f)


def _first(f: Facts) -> dict[str, int]:
    return {txn: min(found) for txn, found in engine_oracle.touches(f).items()}


def newer_than_snapshot(f: Facts) -> bool:
    """A read of what was committed after the transaction's first read or write."""
    first = _first(f)
    return any(
        f.writes[version].txn != seen.txn and engine_oracle.committed_at(f, version) > first[seen.txn]
        for seen in engine_oracle.foreign(f)
        for version in engine_oracle.shown(f, seen)
    )


def older_than_snapshot(f: Facts) -> bool:
    """A read of a version that had been overwritten when the transaction began."""
    first = _first(f)
    return any(
        engine_oracle.committed_at(f, version) < first[seen.txn]
        for seen in engine_oracle.foreign(f)
        for version in engine_oracle.missed(f, seen)
    )


def second_updater(f: Facts) -> bool:
    """A write of a row of which another's version was committed after the snapshot: the first updater has won."""
    first = _first(f)
    return any(
        one.item == write.item and first[write.txn] < engine_oracle.committed_at(f, other) < at
        for at, write in f.writes.items()
        for other, one in f.writes.items()
        if one.txn != write.txn
    )


def false_positive(f: Facts) -> bool:
    """A dangerous structure in no cycle: SSI aborts one of the transactions, though a serial order exists."""
    commit = f.commit
    writers = {write.txn for write in f.writes.values()}
    return any(
        two == pivot
        and commit[third] < min(commit[pivot], commit[first])
        and (first in writers or commit[third] < f.first[first])
        for first, pivot in f.anti
        for two, third in f.anti
    )


def lock_order(f: Facts) -> bool:
    """A read or write of what another transaction, that has not ended, has read or written."""
    return p1_broad(f) or p2_broad(f) or p3_broad(f) or engine_oracle.unguarded(f)


NO_ROW, FALSE_POSITIVE = "writes a row that is not there", "false positive of SSI"
Gap = Callable[[Facts], "bool | None"]
_SNAPSHOT: dict[str, Gap] = {
    NO_ROW: of_no_row,
    "reads a version committed after its snapshot": newer_than_snapshot,
    "reads a version older than its snapshot": older_than_snapshot,
    "overlapping writers, the second one after the first one's commit": second_updater,
}
GAPS: dict[str, dict[str, Gap]] = {
    "RU": {NO_ROW: of_no_row, "reads past the latest write": past_the_latest_write},
    "RC": {NO_ROW: of_no_row, "reads an older committed version": older_committed},
    "SI": _SNAPSHOT,
    "SR": {**_SNAPSHOT, FALSE_POSITIVE: false_positive},
    "2PL": {
        NO_ROW: of_no_row,
        "reads an older committed version": older_committed,
        "order of locks": lock_order,
    },
}
