"""What predicate reads saw, row by row (SEMANTICS §1, Predicates): the rules of `events/rows.py` on arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..columns import ABORTED, COMMITTED, Int32, Int64
from .lines_compile import compiled, inner
from .lines_walk import OMITTED, ROW_MATCH, Faults, Walked, note


class Reads(NamedTuple):
    """Predicate reads in the order of their events: the event, the predicate, the table, whether partial; the rows that
    read i lists are `first[i] : first[i + 1]`."""

    event: Int32
    predicate: Int32
    table: Int32
    partial: Int32
    first: Int64


class Lists(NamedTuple):
    """Lists by number, one behind the other: the items of a table; the written versions of an item, and those of a
    transaction, in the order of their events; the predicates that a version (the initial ones first) matches."""

    items_first: Int64
    items: Int32
    versions_first: Int64
    versions: Int32
    own_first: Int64
    own: Int32
    matches_first: Int32
    matches: Int32


@inner
def _matches(lists: Lists, version: int, predicate: int) -> bool:
    for place in range(lists.matches_first[version], lists.matches_first[version + 1]):
        if lists.matches[place] == predicate:
            return True
    return False


@compiled
def check_listed(reads: Reads, matched: Int32, row_version: Int32, lists: Lists, faults: Faults) -> None:
    """Every listed row matches or not, as it is listed."""
    for read in range(len(reads.event)):
        for row in range(reads.first[read], reads.first[read + 1]):
            if _matches(lists, row_version[row], reads.predicate[read]) != (matched[row] == 1):
                note(faults, ROW_MATCH, reads.event[read], row)


@inner
def _seen(reads: Reads, read: int, item: int, own: int, lists: Lists, walked: Walked, of: Int32, count: int) -> int:
    """The version of a row that a predicate read saw without listing it, -1 if there is none it can have seen."""
    event, predicate = reads.event[read], reads.predicate[read]
    if own >= 0:
        return -1 if _matches(lists, count + own, predicate) else int(count + own)
    begin, end = lists.versions_first[item], lists.versions_first[item + 1]
    low, high = begin, end
    while low < high:
        middle = (low + high) // 2
        if walked.made_by[lists.versions[middle]] < event:
            low = middle + 1
        else:
            high = middle
    for place in range(low - 1, begin - 1, -1):
        made = lists.versions[place]
        txn = of[walked.made_by[made]]
        installed = walked.final[made] == 1 and walked.outcome[txn] == COMMITTED and walked.end[txn] < event
        if installed and not _matches(lists, count + made, predicate):
            return int(count + made)
    if not _matches(lists, item, predicate):
        return item
    for place in range(low - 1, begin - 1, -1):
        made = lists.versions[place]
        txn = of[walked.made_by[made]]
        aborted = walked.outcome[txn] == ABORTED and walked.end[txn] < event
        if not aborted and not _matches(lists, count + made, predicate):
            return int(count + made)
    return -1


@compiled
def omitted(
    reads: Reads, row_item: Int32, lists: Lists, walked: Walked, of: Int32, count: int, size: int, faults: Faults
) -> tuple[Int32, Int32, Int32]:
    """The rows that predicate reads saw without listing them: the number of the read, the item, the version.

    `of` is the transaction of each event, `count` how many items there are, `size` how many such rows at most.
    """
    of_read, of_item, version = np.empty(size, np.int32), np.empty(size, np.int32), np.empty(size, np.int32)
    listed = np.full(count, -1, np.int32)
    own, own_at = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    found = 0
    for read in range(len(reads.event)):
        if reads.partial[read]:
            continue
        event = reads.event[read]
        for row in range(reads.first[read], reads.first[read + 1]):
            listed[row_item[row]] = read
        txn = of[event]
        for place in range(lists.own_first[txn], lists.own_first[txn + 1]):
            made = lists.own[place]
            if walked.made_by[made] < event:
                own[walked.made_item[made]] = made
                own_at[walked.made_item[made]] = read
        table = reads.table[read]
        for place in range(lists.items_first[table], lists.items_first[table + 1]):
            item = lists.items[place]
            if listed[item] == read:
                continue
            latest = own[item] if own_at[item] == read else -1
            seen = _seen(reads, read, item, latest, lists, walked, of, count)
            if seen < 0:
                note(faults, OMITTED, event, item)
                continue
            of_read[found] = read
            of_item[found] = item
            version[found] = seen
            found += 1
    return of_read[:found], of_item[:found], version[:found]
