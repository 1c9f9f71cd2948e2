"""Lines of a trace -> columns, in one pass over the bytes (NOTATION, "JSON": traces).

A line that is an event object is read here, whatever its order of keys, its white space or the keys that nobody knows.
A line that is not plainly one is left to the careful reader (`CAREFUL`), so that it alone says what is wrong.
"""

# Compiled loops compare one by one, which is faster than `in`.
# ruff: noqa: SIM109

from __future__ import annotations

from ...events.limits import LINE_LENGTH
from ..columns import Int64
from .lines_compile import compiled
from .lines_events import put_event
from .lines_json import (
    FAULTY,
    FLOAT,
    NATURAL,
    NEGATIVE,
    NULL,
    Bytes,
    Ints,
    blank,
)
from .lines_keys import (
    ABORT,
    CAREFUL,
    CODE,
    K_EVENTS,
    K_ITEM,
    K_PREDICATE,
    K_SESSION,
    K_T,
    K_TABLE,
    K_TXN,
    K_VERSION,
    KIND,
    N_EVENTS,
    N_LINE,
    PLAIN,
    PREDICATE_READ,
    READ,
    WRITE,
    Columns,
    Rare,
    Rows,
)
from .lines_members import members, op_of, texts
from .lines_pool import Pool


@compiled
def scan(
    data: Bytes,
    size: int,
    base: int,
    space: Ints,
    pool: Pool,
    columns: Columns,
    rare: Rare,
    rows: Rows,
    counts: Int64,
) -> None:
    """Read the lines of a chunk of so many bytes, behind which a newline stands; `base` is its place in the file.

    There must be room in everything for what so many bytes can hold.
    """
    at = 0
    event = counts[N_EVENTS]
    line = counts[N_LINE]
    while at < size:
        begin = at
        line += 1
        at = blank(data, at)
        if data[at] != 10 and data[at] != 13:
            good = False
            end, present = members(data, at, space)
            if end >= 0:
                end = blank(data, end)
                time = space[KIND + K_T]
                op = op_of(data, space)
                if op == READ and space[KIND + K_PREDICATE] != NULL and space[KIND + K_PREDICATE] != FAULTY:
                    op = PREDICATE_READ
                if (
                    op >= 0
                    and (data[end] == 10 or data[end] == 13)
                    and end - begin <= LINE_LENGTH
                    and (time == FAULTY or time == NATURAL or time == FLOAT or time == NEGATIVE or time == NULL)
                    and space[KIND + K_EVENTS] == FAULTY
                    and texts(data, space, present, op, pool)
                    and space[CODE + K_TXN] >= 0
                    and ((op != READ and op != WRITE) or space[CODE + K_ITEM] >= 0)
                ):
                    columns.op[event] = op
                    columns.flags[event] = 0
                    columns.txn[event] = space[CODE + K_TXN]
                    columns.session[event] = space[CODE + K_SESSION]
                    if op == READ or op == WRITE:
                        columns.table[event] = max(space[CODE + K_TABLE], 0)
                        columns.item[event] = space[CODE + K_ITEM]
                        columns.label[event] = space[CODE + K_VERSION]
                    elif op == PREDICATE_READ:
                        columns.table[event] = max(space[CODE + K_TABLE], 0)
                        columns.item[event] = -1
                        columns.label[event] = -1
                    else:
                        columns.table[event] = -1
                        columns.item[event] = -1
                        columns.label[event] = -1
                    good = op <= ABORT or (op <= WRITE and present & ~PLAIN == 0)
                    if not good:
                        good = put_event(data, event, op, present, space, pool, columns, rare, rows, counts)
            if good:
                at = end
            else:
                while data[at] != 10 and data[at] != 13:
                    at += 1
                columns.op[event] = CAREFUL
                columns.label[event] = base + begin
                columns.item[event] = at - begin
            columns.line[event] = line
            event += 1
        at += 2 if data[at] == 13 and at + 1 < size and data[at + 1] == 10 else 1
    counts[N_EVENTS] = event
    counts[N_LINE] = line
