"""Serializable snapshot isolation: which commits are refused (Cahill, Röhm and Fekete 2008; Ports and Grittner 2012).

A commit is refused where, with it, the committed transactions have a dangerous structure T1 -rw-> T2 -rw-> T3 of
concurrent transactions in which T3 commits first; T1 and T3 may be one. A T1 that writes nothing only counts where T3
had committed before T1's snapshot (Ports and Grittner 2012, section 4.1). Every cycle of snapshot isolation has such a
structure (Fekete et al. 2005), so what remains is serializable; there are serializable schedules that are refused.
"""

from __future__ import annotations

from .store import Place, Store, Txn, Version


def refuses(store: Store, txn: Txn) -> bool:
    """Whether the commit of `txn`, the latest there is, completes a dangerous structure."""
    if not (txn.reads or txn.seen or txn.wrote_serializable):
        return False
    others = [other for other in store.done if _concurrent(other, txn)]
    out = [other for other in others if missed(store, txn, other)]
    # txn as the pivot T2: T1 -> txn -> T3.
    for third in out:
        for first in others:
            earlier = first is third or _time(third) < _time(first)
            counts = bool(first.wrote) or third is first or _time(third) <= (first.snapshot or 0)
            if earlier and counts and missed(store, first, txn):
                return True
    # txn as T1: txn -> T2 -> T3, T3 committed before T2.
    for second in out:
        for third in store.done:
            earlier = third is not second and _time(third) < _time(second) and _overlap(third, second)
            counts = bool(txn.wrote) or _time(third) <= (txn.snapshot or 0)
            if earlier and counts and missed(store, second, third):
                return True
    return False


def missed(store: Store, reader: Txn, writer: Txn) -> bool:
    """reader -rw-> writer: the one read a version of a row, or a predicate, that the other's later version changes."""
    wrote = writer.wrote_serializable
    if not wrote:
        return False
    for place, label in reader.reads:
        if place in wrote and _later(store, place, label, writer.name):
            return True
    for seen, versions in reader.seen:
        listed = dict(versions)
        for place in wrote:
            if place[0] == seen.table and _changes(store, seen.matches, place, listed.get(place, "0"), writer.name):
                return True
    return False


def _later(store: Store, place: Place, label: str, txn: str) -> bool:
    return any(version.txn == txn and int(version.label) > int(label) for version in store.rows.get(place, ()))


def _changes(store: Store, matches: object, place: Place, label: str, txn: str) -> bool:
    """Whether the transaction installed a later version whose match differs from that of the version seen."""
    assert callable(matches)

    def status(version: Version | None) -> bool:
        return version is not None and version.row is not None and bool(matches(version.row))

    versions = store.rows.get(place, ())
    before = next((version for version in versions if version.label == label), None)
    own = [version for version in versions if version.txn == txn and int(version.label) > int(label)]
    return bool(own) and status(own[-1]) != status(before)


def _time(txn: Txn) -> int:
    assert txn.time is not None
    return txn.time


def _concurrent(committed: Txn, active: Txn) -> bool:
    """The committed one had not committed when the active one took its snapshot."""
    return active.snapshot is None or _time(committed) > active.snapshot


def _overlap(one: Txn, other: Txn) -> bool:
    return _time(one) > (other.snapshot or 0) and _time(other) > (one.snapshot or 0)
