"""One pass over the events in order: who ended how, the versions, and which of them each read saw (SEMANTICS §1).

The same rules as `events/resolve.py`, on arrays: loops that are compiled, hash tables for (item, label) and for
(transaction, item). Every broken rule is counted, and the first of them noted.
"""

# Compiled loops compare one by one, which is faster than `in`.
# ruff: noqa: SIM109

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ..columns import ABORTED, COMMITTED, UNKNOWN, Int8, Int32, Int64
from .lines_compile import compiled, inner
from .lines_keys import ABORT, BEGIN, COMMIT, FOREIGN, PREDICATE_READ, READ, WRITE, Columns

#: Rules that events break; `lines_faults.py` says them in words.
(ONE_END, AFTER_END, BEGIN_FIRST, VERSION_0, UNIQUE, UNWRITTEN, OWN_WRITE, ROW_TWICE, SESSION, KEYS_OF_OTHER) = range(
    10
)
PREDICATE_TWICE, PARTITIONS, ROW_MATCH, OMITTED = range(10, 14)
#: Faults that are noted: rule, event, and what the words need.
NOTED: Final = 50


class Faults(NamedTuple):
    """Broken rules: how many (1,), and of the first the rule, the event and a number of the rule's own."""

    many: Int64
    rule: Int32
    event: Int32
    about: Int64


def new_faults() -> Faults:
    """None."""
    return Faults(
        np.zeros(1, np.int64), np.zeros(NOTED, np.int32), np.zeros(NOTED, np.int32), np.zeros(NOTED, np.int64)
    )


@compiled
def note(faults: Faults, rule: int, event: int, about: int) -> None:
    """Note a broken rule."""
    count = faults.many[0]
    if count < NOTED:
        faults.rule[count] = rule
        faults.event[count] = event
        faults.about[count] = about
    faults.many[0] = count + 1


@inner
def _mix(one: int, other: int) -> int:
    """A hash of two numbers."""
    value = (one * 0x9E3779B1 + other) * 0x85EBCA6B
    value ^= value >> 29
    value *= 0xC2B2AE35
    return value ^ (value >> 32)


def table_for(count: int) -> Int32:
    """An empty hash table with room for so many entries."""
    return np.full(1 << max(4, int(2 * count - 1).bit_length()), -1, np.int32)


@compiled
def dense(codes: Int32, size: int) -> tuple[Int32, Int32]:
    """Numbers for codes below `size`, in the order in which they come (-1 stays), and the code of each."""
    number = np.full(size, -1, np.int32)
    out = np.empty(len(codes), np.int32)
    count = 0
    for place in range(len(codes)):
        code = codes[place]
        if code < 0:
            out[place] = -1
            continue
        if number[code] < 0:
            number[code] = count
            count += 1
        out[place] = number[code]
    names = np.empty(count, np.int32)
    for code in range(size):
        if number[code] >= 0:
            names[number[code]] = code
    return out, names


@inner
def _item(table: int, name: int, slots: Int32, tables: Int32, names: Int32, count: int) -> int:
    mask = len(slots) - 1
    slot = _mix(table, name) & mask
    while slots[slot] >= 0:
        found = slots[slot]
        if names[found] == name and tables[found] == table:
            return int(found)
        slot = (slot + 1) & mask
    slots[slot] = count
    tables[count] = table
    names[count] = name
    return count


@compiled
def items(
    table: Int32, name: Int32, row_event: Int32, row_name: Int32, slots: Int32
) -> tuple[Int32, Int32, Int32, Int32]:
    """Numbers for items in the order in which events and rows name them: those of the events (-1: none) and of the
    rows, then the table and the name of each. `slots` has room for all mentions."""
    limit = len(slots) // 2
    tables, names = np.empty(limit, np.int32), np.empty(limit, np.int32)
    of_event, of_row = np.empty(len(name), np.int32), np.empty(len(row_name), np.int32)
    count, row = 0, 0
    for event in range(len(name)):
        of_event[event] = -1
        if name[event] >= 0:
            found = _item(table[event], name[event], slots, tables, names, count)
            count = max(count, found + 1)
            of_event[event] = found
        while row < len(row_event) and row_event[row] == event:
            found = _item(table[event], row_name[row], slots, tables, names, count)
            count = max(count, found + 1)
            of_row[row] = found
            row += 1
    return of_event, of_row, tables[:count].copy(), names[:count].copy()


class Walked(NamedTuple):
    """What the walk finds. Of transactions (T,): start, end, outcome, session, place. Of events (N,) and rows: the
    version. Of written versions, from 0 on: the event, the item, the label, whether it is the last of its transaction
    and item."""

    start: Int32
    end: Int32
    outcome: Int8
    session: Int32
    place: Int32
    version: Int32
    row_version: Int32
    made_by: Int32
    made_item: Int32
    made_label: Int64
    final: Int8


@inner
def _find(item: int, label: int, labels: Int32, made_item: Int32, made_label: Int64) -> int:
    """The slot of a version by item and label: a free one if there is none."""
    mask = len(labels) - 1
    slot = _mix(item, label) & mask
    while labels[slot] >= 0:
        found = labels[slot]
        if made_item[found] == item and made_label[found] == label:
            break
        slot = (slot + 1) & mask
    return int(slot)


#: Writes of a transaction that are looked through one by one.
_SHORT: Final = 16


class _Own(NamedTuple):
    """What each transaction wrote. Of a short one its writes are looked through, which stand near each other in memory:
    `last` (T,) and, of each write, the one before it; `writes` (T,). Of a longer one `slots` is a hash table."""

    last: Int32
    before: Int32
    writes: Int32
    slots: Int32


@inner
def _own_of(txn: int, item: int, own: _Own, made_txn: Int32, made_item: Int32) -> int:
    """The latest version that a transaction wrote of an item, -1 if there is none."""
    if own.writes[txn] > _SHORT:
        return int(own.slots[_own_slot(txn, item, own.slots, made_txn, made_item)])
    found = own.last[txn]
    while found >= 0 and made_item[found] != item:
        found = own.before[found]
    return int(found)


@inner
def _own_add(txn: int, item: int, made: int, own: _Own, made_txn: Int32, made_item: Int32) -> None:
    """Note a write."""
    own.before[made] = own.last[txn]
    own.last[txn] = made
    own.writes[txn] += 1
    if own.writes[txn] == _SHORT + 1:  # all of them, the later of two of an item: those before are not looked for again
        one = made
        while one >= 0:
            slot = _own_slot(txn, made_item[one], own.slots, made_txn, made_item)
            if own.slots[slot] < 0:
                own.slots[slot] = one
            one = own.before[one]
    elif own.writes[txn] > _SHORT:
        own.slots[_own_slot(txn, item, own.slots, made_txn, made_item)] = made


@inner
def _own_slot(txn: int, item: int, own: Int32, made_txn: Int32, made_item: Int32) -> int:
    """The slot of the latest version that a transaction wrote of an item: a free one if there is none."""
    mask = len(own) - 1
    slot = _mix(txn, item) & mask
    while own[slot] >= 0:
        found = own[slot]
        if made_item[found] == item and made_txn[found] == txn:
            break
        slot = (slot + 1) & mask
    return int(slot)


@compiled
def walk(
    columns: Columns,
    row_event: Int32,
    row_item: Int32,
    row_label: Int64,
    labels: Int32,
    slots: Int32,
    sizes: Int64,
    faults: Faults,
) -> Walked:
    """Walk. The columns hold numbers of transactions, sessions and items here; rows are sorted by event; `labels` and
    `slots` are hash tables with room for all writes; `sizes`: transactions, sessions, items, writes."""
    txns, sessions, count, writes = sizes[0], sizes[1], sizes[2], sizes[3]
    op, of, item_of, label_of = columns.op, columns.txn, columns.item, columns.label
    events = len(op)
    start, end = np.full(txns, -1, np.int32), np.full(txns, events, np.int32)
    outcome = np.full(txns, UNKNOWN, np.int8)
    session, place = np.full(txns, -1, np.int32), np.full(txns, -1, np.int32)
    members = np.zeros(sessions, np.int32)
    version, row_version = np.full(events, -1, np.int32), np.full(len(row_event), -1, np.int32)
    made_by, made_txn, made_item = (
        np.empty(writes, np.int32),
        np.empty(writes, np.int32),
        np.empty(writes, np.int32),
    )
    made_label, final = np.empty(writes, np.int64), np.ones(writes, np.int8)
    # The latest write of an item, and of each write the one before it: for reads without a version.
    latest, before = np.full(count, -1, np.int32), np.full(writes, -1, np.int32)
    # Its label: a read mostly sees the latest write, and is spared the look into `labels`. -1: none, or not known here.
    latest_label = np.full(count, -1, np.int64)
    own = _Own(np.full(txns, -1, np.int32), np.empty(writes, np.int32), np.zeros(txns, np.int32), slots)
    listed = np.full(count, -1, np.int32)
    made, row = 0, 0
    for event in range(events):
        txn = of[event]
        code = op[event]
        first_row = row
        while row < len(row_event) and row_event[row] == event:
            row += 1
        stated = columns.session[event]
        if stated >= 0 and session[txn] < 0:
            session[txn] = stated
            place[txn] = members[stated]
            members[stated] += 1
        rule, about = -1, 0
        if outcome[txn] != UNKNOWN:
            rule = ONE_END if code == COMMIT or code == ABORT else AFTER_END
            about = int(outcome[txn])
        elif start[txn] < 0:
            start[txn] = event
        elif code == BEGIN:
            rule = BEGIN_FIRST
        if rule >= 0 or code == BEGIN:
            pass
        elif code == COMMIT or code == ABORT:
            end[txn] = event
            outcome[txn] = COMMITTED if code == COMMIT else ABORTED
        elif code == WRITE:
            item, label = item_of[event], label_of[event]
            made_by[made] = event
            made_txn[made] = txn
            made_item[made] = item
            made_label[made] = label
            if label == 0:
                rule, about = VERSION_0, int(item)
            elif label != -1:
                slot = _find(item, label, labels, made_item, made_label)
                if labels[slot] >= 0:
                    rule, about = UNIQUE, int(item)
                else:
                    labels[slot] = made
            before[made] = latest[item]
            latest[item] = made
            latest_label[item] = label if rule < 0 else -1
            mine = _own_of(txn, item, own, made_txn, made_item)
            if mine >= 0:
                final[mine] = 0
            _own_add(txn, item, made, own, made_txn, made_item)
            version[event] = count + made
            made += 1
        elif code == READ or code == PREDICATE_READ:
            for which in range(first_row - 1 if code == READ else first_row, row):
                single = which < first_row
                item = item_of[event] if single else row_item[which]
                label = label_of[event] if single else row_label[which]
                if not single and listed[item] == event:
                    note(faults, ROW_TWICE, event, int(item))
                    continue
                if not single:
                    listed[item] = event
                seen = -1
                if label == -1:
                    seen = latest[item]
                    while seen >= 0 and outcome[made_txn[seen]] == ABORTED:
                        seen = before[seen]
                    if latest[item] != seen:  # an abort is for ever
                        latest[item] = seen
                        latest_label[item] = made_label[seen] if seen >= 0 else -1
                elif label == latest_label[item]:
                    seen = latest[item]
                elif label != 0:
                    seen = labels[_find(item, label, labels, made_item, made_label)]
                mine = _own_of(txn, item, own, made_txn, made_item)
                if seen < 0 and label != 0 and label != -1:
                    note(faults, UNWRITTEN, event, int(item) if single else -1 - which)
                elif mine >= 0 and mine != seen:
                    note(faults, OWN_WRITE, event, int(count + mine))
                elif single:
                    version[event] = item if seen < 0 else count + seen
                else:
                    row_version[which] = item if seen < 0 else count + seen
        if rule >= 0:
            note(faults, rule, event, about)
    return Walked(
        start,
        end,
        outcome,
        session,
        place,
        version,
        row_version,
        made_by[:made],
        made_item[:made],
        made_label[:made],
        final[:made],
    )


def check_sessions(columns: Columns, walked: Walked, faults: Faults) -> None:
    """Note transactions that state two sessions, and reads with keys of the other kind of read."""
    stated = columns.session
    for event in np.flatnonzero((stated >= 0) & (walked.session[columns.txn] != stated)).tolist():
        note(faults, SESSION, event, int(walked.session[columns.txn[event]]))
    for event in np.flatnonzero(columns.flags & FOREIGN).tolist():
        note(faults, KEYS_OF_OTHER, event, 0)


@compiled
def ranks(walked: Walked, of: Int32, count: int) -> Int32:
    """The place of each written version among the installed ones of its item, from 1 on; -1: not installed."""
    places = np.zeros(count, np.int32)
    out = np.full(len(walked.made_by), -1, np.int32)
    for made in range(len(out)):
        if walked.final[made] and walked.outcome[of[walked.made_by[made]]] == COMMITTED:
            places[walked.made_item[made]] += 1
            out[made] = places[walked.made_item[made]]
    return out
