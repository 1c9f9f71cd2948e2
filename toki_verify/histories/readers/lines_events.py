"""Event objects with more than names: clauses of writes, predicate reads with their rows, judge calls, callbacks."""

# Compiled loops compare one by one, which is faster than `in`.
# ruff: noqa: SIM109

from __future__ import annotations

from ..columns import Int64
from .lines_compile import inner
from .lines_json import (
    ARRAY,
    ESCAPED,
    FALSE,
    FAULTY,
    NATURAL,
    NULL,
    OBJECT,
    STRING,
    TRUE,
    Bytes,
    Ints,
    blank,
    value,
)
from .lines_keys import (
    AWAIT,
    CALLBACK,
    CODE,
    DELETE,
    FOREIGN,
    FROM,
    INSERT,
    JUDGE,
    K_DELETE,
    K_H,
    K_INSERT,
    K_ITEM,
    K_K,
    K_MATCHED,
    K_OPERATOR,
    K_PARTIAL,
    K_PARTITION,
    K_PREDICATE,
    K_PREDICATES,
    K_PROV,
    K_R,
    K_TABLE,
    K_THETA,
    K_UNMATCHED,
    K_VERSION,
    K_VOTE,
    KIND,
    MATCHES,
    N_RARE,
    N_ROWS,
    NESTED,
    OF_ITEMS,
    OF_PREDICATES,
    OF_ROW,
    PARTIAL,
    PARTITION,
    PREDICATE,
    PREDICATE_READ,
    PROV,
    READ,
    READS,
    TAG_BEGIN,
    TAGS,
    THETA,
    TO,
    VOTE,
    WRITE,
    Columns,
    Rare,
    Rows,
)
from .lines_members import members, name_code, texts
from .lines_pool import Pool


@inner
def _flag(kind: int) -> int:
    """1, 0, or -2 for what is no boolean."""
    return 1 if kind == TRUE else 0 if kind == FALSE or kind == NULL or kind == FAULTY else -2


@inner
def _string_or_none(kind: int) -> bool:
    return kind == STRING or kind == ESCAPED or kind == NULL or kind == FAULTY


@inner
def _tag(data: Bytes, at: int, end: int) -> int:
    """1 for the operator await, 0 for another, -1 for what is none."""
    length = end - at
    for number in range(4):
        if length == TAG_BEGIN[number + 1] - TAG_BEGIN[number]:
            equal = True
            for place in range(length):
                if data[at + place] != TAGS[TAG_BEGIN[number] + place]:
                    equal = False
            if equal:
                return 1 if number == 2 else 0
    return -1


@inner
def _listed(
    data: Bytes,
    at: int,
    end: int,
    matched: int,
    event: int,
    table: int,
    space: Ints,
    pool: Pool,
    rows: Rows,
    count: int,
) -> int:
    """Append the rows of an array to `rows`; how many there are then, or -1 where one is faulty."""
    at = blank(data, at + 1)
    while at < end - 1:
        at, present = members(data, at, space)
        if at < 0 or not texts(data, space, present, OF_ROW, pool):
            return -1
        stated = space[CODE + K_TABLE]
        if space[CODE + K_ITEM] < 0 or not _string_or_none(space[KIND + K_PARTITION]):
            return -1
        if stated >= 0 and stated != table:
            return -1
        rows.event[count] = event
        rows.matched[count] = matched
        rows.item[count] = space[CODE + K_ITEM]
        rows.label[count] = space[CODE + K_VERSION]
        rows.partition[count] = space[CODE + K_PARTITION]
        count += 1
        at = blank(data, at)
        if data[at] == 44:
            at = blank(data, at + 1)
    return count


@inner
def _put(rare: Rare, count: int, event: int, field: int, text: int) -> int:
    rare.event[count] = event
    rare.field[count] = field
    rare.text[count] = text
    return count + 1


@inner
def _matches(data: Bytes, at: int, end: int, event: int, space: Ints, pool: Pool, rare: Rare, count: int) -> int:
    """Append the names of an array to `rare`; how many entries there are then, or -1 where one is faulty."""
    at = blank(data, at + 1)
    while at < end - 1:
        begin = at
        at, kind = value(data, begin, space, NESTED)
        name = name_code(data, kind, begin, at, pool.blob, pool.begin, pool.slots, pool.used, False, False)
        if name < 0:
            return -1
        count = _put(rare, count, event, MATCHES, name)
        at = blank(data, at)
        if data[at] == 44:
            at = blank(data, at + 1)
    return count


@inner
def put_event(
    data: Bytes,
    event: int,
    op: int,
    present: int,
    space: Ints,
    pool: Pool,
    columns: Columns,
    rare: Rare,
    rows: Rows,
    counts: Int64,
) -> bool:
    """Put what is not plain of an event object into the columns; False where the careful reader must look at it."""
    flags, few, listed = 0, counts[N_RARE], counts[N_ROWS]
    if op == PREDICATE_READ:
        partial = _flag(space[KIND + K_PARTIAL])
        kind = space[KIND + K_UNMATCHED]
        if partial < 0 or space[KIND + K_MATCHED] != ARRAY or (kind != ARRAY and kind != NULL and kind != FAULTY):
            return False
        few = _put(rare, few, event, PREDICATE, space[CODE + K_PREDICATE])
        flags = PARTIAL * partial + (FOREIGN if present & OF_ITEMS else 0)
        table = max(space[CODE + K_TABLE], 0)
        # The rows are read with the same working space: what is still needed of it is kept here.
        begins = (space[FROM + K_MATCHED], space[FROM + K_UNMATCHED] if kind == ARRAY else -1)
        ends = (space[TO + K_MATCHED], space[TO + K_UNMATCHED])
        for part in range(2):
            if begins[part] >= 0:
                listed = _listed(data, begins[part], ends[part], 1 - part, event, table, space, pool, rows, listed)
                if listed < 0:
                    return False
    elif op == READ or op == WRITE:
        if not _string_or_none(space[KIND + K_PARTITION]):
            return False
        if space[CODE + K_PARTITION] >= 0:
            few = _put(rare, few, event, PARTITION, space[CODE + K_PARTITION])
        if op == READ:
            flags = FOREIGN if present & OF_PREDICATES else 0
        else:
            insert, delete = _flag(space[KIND + K_INSERT]), _flag(space[KIND + K_DELETE])
            if insert < 0 or delete < 0 or insert + delete == 2 or not _string_or_none(space[KIND + K_PROV]):
                return False
            flags = INSERT * insert + DELETE * delete
            if space[CODE + K_PROV] >= 0:
                few = _put(rare, few, event, PROV, space[CODE + K_PROV])
            kind = space[KIND + K_OPERATOR]
            if kind != FAULTY and kind != NULL:
                tag = _tag(data, space[FROM + K_OPERATOR] + 1, space[TO + K_OPERATOR] - 1) if kind == STRING else -1
                if tag < 0:
                    return False
                if tag == 1:
                    few = _put(rare, few, event, AWAIT, 0)
            kind = space[KIND + K_PREDICATES]
            if kind == ARRAY:
                few = _matches(
                    data, space[FROM + K_PREDICATES], space[TO + K_PREDICATES], event, space, pool, rare, few
                )
                if few < 0:
                    return False
            elif kind != NULL and kind != FAULTY:
                return False
    elif op == JUDGE:
        kind = space[KIND + K_THETA]
        if space[CODE + K_R] < 0 or not (kind == STRING or kind == ESCAPED or kind == OBJECT):
            return False
        few = _put(rare, few, event, READS, space[CODE + K_R])
        few = _put(rare, few, event, THETA, space[CODE + K_THETA])
        if space[CODE + K_VOTE] >= 0:
            few = _put(rare, few, event, VOTE, space[CODE + K_VOTE])
    elif op == CALLBACK:
        digits = space[TO + K_K] - space[FROM + K_K]
        if space[CODE + K_R] < 0 or space[CODE + K_H] < 0 or space[KIND + K_K] != NATURAL or digits > 9:
            return False
    columns.flags[event] = flags
    counts[N_RARE] = few
    counts[N_ROWS] = listed
    return True
