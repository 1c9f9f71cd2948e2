"""The broad event patterns: P1[broad], P2[broad], P3[broad], P4[event], A5A[event], A5B[event]; reads that 2PL bars.

The first ones ask, of an access, whether an earlier one of the same item (or of the same row of a predicate) by another
transaction is still open. Of the earlier ones the two transactions that end last are kept (`loops.latest_other`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..trace import M, N
from .arrays import Bools, Ints, dense, find, full, ints, ordered, span, unfold, where, wide
from .found import Found, found
from .index import Sequence
from .loops import latest_other
from .reading import Reading, decides

_PIECE = 1 << 20


def _open(reading: Reading, of: Sequence, source: Bools, asks: Bools) -> Found | None:
    """An asker before which a source of its group, of another transaction, had not ended."""
    if not len(of.place):
        return None
    marked = np.where(source, of.place, -1)
    end, access = latest_other(of.group, of.txn, reading.index.end[of.txn], marked, of.groups)
    at = np.flatnonzero(asks & (end > of.event))
    return found(access[at[0]], of.place[at[0]]) if len(at) else None


@decides("P1[broad]")
def p1_broad(reading: Reading) -> Found | None:
    """An item read of an item with an open write before it."""
    of = reading.index.by_item
    return _open(reading, of, of.write, ~of.write)


@decides("P2[broad]")
def p2_broad(reading: Reading) -> Found | None:
    """A write of an item with an item read before it whose transaction is open."""
    of = reading.index.by_item
    return _open(reading, of, ~of.write, of.write)


@decides("P3[broad]")
def p3_broad(reading: Reading) -> Found | None:
    """A write of a row that an open transaction's predicate read listed, or that matches what it read."""
    index = reading.index
    if (index.kind == M).any():
        listed = np.asarray(index.kind[index.by_item.place] == M)
        shown = _open(reading, index.by_item, listed, index.by_item.write)
        if shown is not None:
            return shown
    of = reading.once(matched_rows)
    return _open(reading, of, ~of.write, of.write)


def unguarded(reading: Reading) -> Found | None:
    """A row that a predicate read saw as not matching, and an open write before it that matches."""
    of = reading.once(matched_rows)
    return _open(reading, of, of.write, ~of.write)


def matched_rows(reading: Reading) -> Sequence:
    """Rows that did not match, and writes once for every predicate that they match, by predicate and item."""
    index, trace = reading.index, reading.trace
    rows = where(index.kind == N)
    if not len(rows):
        return index.sequence(rows, rows, 0)  # without such rows nothing is asked
    first = ints(trace.first_match)
    version = index.version[index.writes]
    which, at = unfold(first[version], first[version + 1])
    writes, matched = index.writes[which], ints(trace.matches)[at]
    places = np.concatenate([writes, rows])
    count, group = dense(wide(np.concatenate([matched, index.predicate[rows]])) * index.items + index.item[places])
    order = ordered(places)
    return index.sequence(places[order], group[order], count)


def _writes_behind(reading: Reading) -> Ints:
    """For every access of `by_item` how many writes stand up to it in that order: in `writes_by_item` the ones of its
    item behind it begin there. (A,)."""
    of = reading.index.by_item
    upto = full(len(reading.index.kind), 0)
    upto[of.place] = np.cumsum(of.write)
    return upto


@decides("P4[event]")
def p4_event(reading: Reading) -> Found | None:
    """Between a committed transaction's first read of an item and its last write of it there is another's write."""
    index = reading.index
    writes, upto = index.writes_by_item.place, reading.once(_writes_behind)
    pairs = np.flatnonzero((index.pair_first_read >= 0) & (index.pair_last_write > index.pair_first_read))
    read, last = index.pair_first_read[pairs], index.pair_last_write[pairs]
    kept = index.committed[index.txn[read]]
    pairs, read, last = pairs[kept], read[kept], last[kept]
    # All writes behind the read up to the last own one, and how many of them are its own.
    between = upto[last] - upto[read]
    own = full(len(index.pair_keys), 0)
    first = np.where(index.pair_first_read >= 0, index.pair_first_read, len(index.kind))
    np.add.at(own, index.pair[writes[writes > first[index.pair[writes]]]], 1)
    at = np.flatnonzero(between > own[pairs])
    if not len(at):
        return None
    one = at[0]
    others = writes[upto[read[one]] : upto[last[one]]]
    return found(read[one], others[index.txn[others] != index.txn[read[one]]][0], last[one])


def overwritten(reading: Reading, until: Ints) -> Iterator[tuple[Ints, Ints]]:
    """First item reads, and the writes of their items by other transactions behind them and before `until` (T,) of
    their transaction; in pieces. As many as there are writes of items while somebody who read them goes on."""
    index, width = reading.index, reading.trace.events + 1
    of, upto = index.writes_by_item, reading.once(_writes_behind)
    writes = of.place
    reads = index.first_reads[1]
    if not len(writes):
        return
    # Most often the next write of the item is too late, and so are all.
    following = np.minimum(upto[reads], len(writes) - 1)
    soon = (of.group[following] == index.item[reads]) & (of.event[following] < until[index.txn[reads]])
    reads = reads[soon & (upto[reads] < len(writes))]
    by_event = wide(of.group) * width + of.event
    first = upto[reads]
    last = ints(np.searchsorted(by_event, wide(index.item[reads]) * width + until[index.txn[reads]], side="left"))
    behind = np.cumsum(last - first)
    done = 0
    while done < len(reads):
        base = behind[done - 1] if done else 0
        end = max(int(np.searchsorted(behind, base + _PIECE, side="right")), done + 1)
        which, at = unfold(first[done:end], last[done:end])
        read, write = reads[done:end][which], writes[at]
        done = end
        other = index.txn[read] != index.txn[write]
        if other.any():
            yield read[other], write[other]


def _last(reading: Reading, places: Ints) -> Ints:
    out = full(reading.index.txns, -1)
    out[reading.index.txn[places]] = reading.index.event[places]  # places ascend: the last one stays
    return out


@decides("A5A[event]")
def a5a_event(reading: Reading) -> Found | None:
    """T reads x, U writes x and then another item y and commits, and T reads y after that."""
    index = reading.index
    reads = where(index.item_read)
    final_read = full(len(index.pair_keys), -1)
    final_read[index.pair[reads]] = reads  # the last one stays
    own, last_write = index.written
    for read, write in overwritten(reading, _last(reading, reads)):
        one, other = index.txn[read], index.txn[write]
        kept = index.committed[other]
        read, write, one, other = read[kept], write[kept], one[kept], other[kept]
        # The last write of every item of U that stands behind its write of x, and T's last read of that item.
        pair, at = span(own, other, index.items)
        later, item = last_write[at], ints(own[at] % index.items)
        place, there = find(index.pair_keys, wide(one[pair]) * index.items + item)
        again = np.where(there, final_read[np.minimum(place, len(final_read) - 1)], -1)
        shown = (
            (again >= 0)
            & (item != index.item[read[pair]])
            & (index.event[later] > index.event[write[pair]])
            & (index.event[again] > index.end[other[pair]])
        )
        hit = np.flatnonzero(shown)
        if len(hit):
            return found(read[pair[hit[0]]], write[pair[hit[0]]], later[hit[0]], again[hit[0]])
    return None


@decides("A5B[event]")
def a5b_event(reading: Reading) -> Found | None:
    """Each of two committed transactions reads an item before the other writes it, two different items.

    Of the two writes one is the earlier: U writes x, that T had read, before T's last write.
    """
    index = reading.index
    keys, first_read = index.first_reads
    own, last_write = index.written
    for read, write in overwritten(reading, _last(reading, index.writes)):
        one, other = index.txn[read], index.txn[write]
        kept = index.committed[one] & index.committed[other]
        read, write, one, other = read[kept], write[kept], one[kept], other[kept]
        # Every item that T wrote, its last write, and U's first read of it.
        pair, at = span(own, one, index.items)
        back, item = last_write[at], ints(own[at] % index.items)
        place, there = find(keys, wide(other[pair]) * index.items + item)
        if not len(keys):
            continue
        seen = first_read[np.minimum(place, len(keys) - 1)]
        shown = there & (item != index.item[read[pair]]) & (index.event[seen] < index.event[back])
        hit = np.flatnonzero(shown)
        if len(hit):
            return found(read[pair[hit[0]]], write[pair[hit[0]]], seen[hit[0]], back[hit[0]])
    return None
