"""What the statements of the engine and its locks share: levels, keys, and what a predicate read lists."""

from __future__ import annotations

from typing import Final

from .footprint import Matcher
from .operations import Delete, Insert, Update
from .store import Place, Store, Txn

#: Levels whose reads see a snapshot; levels without locks.
SNAPSHOT: Final = ("SI", "SR")
FREE: Final = ("none", "RU")
Writing = Insert | Update | Delete


def fresh_key(writer: int, count: int) -> str:
    """The key of a writer's next row without a key: w1a, w1b, … It ends in a letter, so `w1a1` is its version 1."""
    letters = ""
    count += 1
    while count:
        count, rest = divmod(count - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return f"w{writer + 1}{letters}"


def newer(store: Store, place: Place, txn: Txn) -> bool:
    """Whether another transaction has committed a version of the row since the snapshot."""
    latest = store.latest(place)
    return (
        txn.snapshot is not None
        and latest is not None
        and latest.txn != txn.name
        and latest.time is not None
        and latest.time > txn.snapshot
    )


def unlisted(store: Store, place: Place, txn: str, matches: Matcher) -> str:
    """The version that a predicate read is taken to have seen of a row that it does not list (SEMANTICS §1)."""
    versions = store.rows.get(place, ())
    for version in reversed(versions):
        if version.txn == txn:
            return version.label
    final = {version.txn: version for version in versions}
    first = (
        ""
        if versions and versions[0].label == "0" and versions[0].row is not None and matches(versions[0].row)
        else "0"
    )
    alive = ""
    for version in versions:
        if version.row is not None and matches(version.row):
            continue
        alive = version.label
        if version.txn not in store.active and final[version.txn] is version:
            first = version.label
    return first or alive


def told(store: Store, place: Place, seen: str, unlisted: str, matches: Matcher) -> bool:
    """Whether a predicate read must list a row that it saw as not matching: the version that it would be taken to have
    seen is another one, and one between the two matches. Otherwise both make the same edges."""
    if seen == unlisted or not unlisted:
        return seen != unlisted
    low, high = sorted((int(seen), int(unlisted)))
    return any(
        version.row is not None and matches(version.row)
        for version in store.rows.get(place, ())
        if low <= int(version.label) <= high
    )
