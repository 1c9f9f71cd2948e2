"""The levels of the family `engine` a second time: by positions of events, over the facts of the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from toki_verify.events.kinds import Write

if TYPE_CHECKING:
    from oracle import Facts, Seen


def in_order(f: Facts) -> bool:
    """The version order is the order of the writes."""
    orders = [f.order[item] for item in {write.item for write in f.writes.values()}]
    return all(order == sorted(order) for order in orders)


def foreign(f: Facts) -> Iterator[Seen]:
    """The rows that were seen in a version that is not the reader's own."""
    return (seen for seen in f.seen if f.txn_of(seen.version) != seen.txn)


def tells(f: Facts, seen: Seen, version: int) -> bool:
    """Whether it makes a difference that a version was not the one seen: to a row not listed, only if it matches."""
    return seen.listed or (seen.predicate is not None and f.matches(seen.item, version, seen.predicate))


def missed(f: Facts, seen: Seen) -> list[int]:
    """The installed versions later than the one seen that make a difference."""
    return [version for version in f.later(seen.item, seen.version) if tells(f, seen, version)]


def shown(f: Facts, seen: Seen) -> list[int]:
    """The writes that a read shows: the one it saw; of a row not listed, those after a version that matches."""
    if seen.listed:
        return [seen.version] if seen.version >= 0 else []
    return [version for was, version in pairwise(f.up_to(seen.item, seen.version)) if tells(f, seen, was)]


def touches(f: Facts) -> dict[str, list[int]]:
    """Where each transaction reads or writes rows."""
    found: dict[str, list[int]] = {}
    for at, txn in [(at, write.txn) for at, write in f.writes.items()] + [(seen.at, seen.txn) for seen in f.seen]:
        found.setdefault(txn, []).append(at)
    return found


def committed_at(f: Facts, version: int) -> int:
    return f.commit.get(f.writes[version].txn, len(f.events))


def ru(f: Facts) -> bool:
    for seen in foreign(f):
        writer = f.txn_of(seen.version)
        if writer is not None and f.abort.get(writer, seen.at) < seen.at:
            return False
        for at, write in f.writes.items():
            passed = seen.version < at < seen.at and write.item == seen.item and tells(f, seen, at)
            if passed and not f.abort.get(write.txn, seen.at) < seen.at:
                return False
    return in_order(f)


def rc(f: Facts) -> bool:
    return in_order(f) and all(committed_at(f, u) > seen.at for seen in foreign(f) for u in missed(f, seen))


def si(f: Facts) -> bool:
    first = {txn: min(found) for txn, found in touches(f).items()}
    for seen in foreign(f):
        for version in shown(f, seen):
            if f.writes[version].txn != seen.txn and committed_at(f, version) > first[seen.txn]:
                return False
        if any(committed_at(f, version) < f.first[seen.txn] for version in missed(f, seen)):
            return False
    for at, write in f.writes.items():
        for other, one in f.writes.items():
            if one.item == write.item and one.txn != write.txn and first[write.txn] < committed_at(f, other) < at:
                return False
    return in_order(f) and not any(
        (second, reader) in f.dep and commits_before(f, one, second) for reader, one in f.anti for second in f.commit
    )


def commits_before(f: Facts, one: str, other: str) -> bool:
    """Whether it is certain that the one commits first: it has before an access of the other."""
    return one != other and one in f.commit and any(f.commit[one] < at for at in touches(f).get(other, ()))


def dangerous(f: Facts) -> bool:
    """T1 -rw-> T2 -rw-> T3 where T3 is certain to commit first, by accesses of T1 and T2 that lie between; and T1
    writes, or T3 had committed before T1 began."""
    writers = {event.txn for event in f.events if isinstance(event, Write)}
    at = touches(f)
    return any(
        second == pivot
        and first != third
        and all(any(f.commit[third] < t < f.commit[one] for t in at[first] + at[pivot]) for one in (first, pivot))
        and (f.commit[third] < f.first[first] or first in writers)
        for first, pivot in f.anti
        for second, third in f.anti
    )


def unguarded(f: Facts) -> bool:
    """A predicate read while another's write of a row that matches was open."""
    return any(
        at < seen.at < f.ended(write.txn) and write.item == seen.item and write.txn != seen.txn and tells(f, seen, at)
        for seen in f.seen
        if not seen.listed
        for at, write in f.writes.items()
    )
