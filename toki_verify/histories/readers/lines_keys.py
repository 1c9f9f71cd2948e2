"""What the lines of a trace are made of: operations, keys, and the columns that they become."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ...events import OPERATORS
from ..columns import Int8, Int32, Int64
from .lines_json import SCRATCH, Ints

#: Operations, in the order of `OPS`; and lines that the careful reader reads, or that are no event.
OPS: Final = ("b", "c", "a", "r", "w", "j", "cb")
BEGIN, COMMIT, ABORT, READ, WRITE, JUDGE, CALLBACK = range(7)
PREDICATE_READ: Final = 7
CAREFUL: Final = 8
NOTHING: Final = 9
#: Flags of events. FOREIGN: a read with keys of the other kind of read, which is refused.
INSERT: Final = 1
DELETE: Final = 2
PARTIAL: Final = 4
FOREIGN: Final = 8
#: Fields that few events have, and that stand in `Rare`.
PREDICATE, PARTITION, READS, THETA, VOTE, PROV, AWAIT, MATCHES, REQUEST = range(9)

#: The known keys, by length. Their places in this list are the K_… below.
KNOWN: Final = (
    *("t", "R", "h", "k", "op", "txn", "item", "vote", "prov", "table", "value", "theta", "insert", "delete"),
    *("events", "session", "version", "matched", "partial", "operator", "partition", "predicate", "unmatched"),
    "predicates",
)
(K_T, K_R, K_H, K_K, K_OP, K_TXN, K_ITEM, K_VOTE, K_PROV, K_TABLE, K_VALUE, K_THETA, K_INSERT, K_DELETE) = range(14)
(K_EVENTS, K_SESSION, K_VERSION, K_MATCHED, K_PARTIAL, K_OPERATOR, K_PARTITION, K_PREDICATE) = range(14, 22)
K_UNMATCHED, K_PREDICATES = 22, 23
KEY_TEXT: Final = np.frombuffer("".join(KNOWN).encode(), np.uint8).copy()
KEY_BEGIN: Final = np.cumsum([0, *map(len, KNOWN)])
KEY_LONGEST: Final = max(map(len, KNOWN))
#: The keys of length n are those from `KEY_FIRST[n]` up to `KEY_FIRST[n + 1]`.
KEY_FIRST: Final = np.array([sum(len(one) < n for one in KNOWN) for n in range(KEY_LONGEST + 2)])
LETTERS: Final = np.frombuffer("".join(OPS[:6]).encode(), np.uint8).copy()
TAGS: Final = np.frombuffer("".join(OPERATORS).encode(), np.uint8).copy()
TAG_BEGIN: Final = np.cumsum([0, *map(len, OPERATORS)])
#: Unknown keys of one object that are looked at here.
MORE_KEYS: Final = 32

#: Parts of the working space: what is known of the value of each known key (its type, FAULTY: absent; where it begins
#: and ends; its text, a number of the pool or the code of a label); unknown keys (where they begin, and how long they
#: are); the space of `nested`.
KIND: Final = 0
FROM: Final = len(KNOWN)
TO: Final = 2 * len(KNOWN)
CODE: Final = 3 * len(KNOWN)
OTHER: Final = 4 * len(KNOWN)
OTHER_LENGTH: Final = OTHER + MORE_KEYS
NESTED: Final = OTHER_LENGTH + MORE_KEYS


def new_space() -> Ints:
    """Working space."""
    return np.zeros(NESTED + SCRATCH, np.int64)


def _mask(*keys: int) -> int:
    return sum(1 << number for number in keys)


#: The keys whose texts an operation needs, by operation; behind the last the rows of predicate reads.
_TEXTS_OF: Final = (
    *[(K_TXN, K_SESSION)] * 3,
    (K_TXN, K_SESSION, K_TABLE, K_ITEM, K_VERSION, K_PARTITION),
    (K_TXN, K_SESSION, K_TABLE, K_ITEM, K_VERSION, K_PARTITION, K_PROV),
    (K_TXN, K_SESSION, K_R, K_THETA, K_VOTE),
    (K_TXN, K_SESSION, K_R, K_H),
    (K_TXN, K_SESSION, K_TABLE, K_PREDICATE),
    (K_TABLE, K_ITEM, K_VERSION, K_PARTITION),
)
OF_ROW: Final = 8
WANTED: Final = np.array([number for keys in _TEXTS_OF for number in keys])
WANTED_FIRST: Final = np.cumsum([0, *map(len, _TEXTS_OF)])
#: Of these the text is kept as it stands.
IS_RAW: Final = _mask(K_PARTITION, K_PROV, K_THETA, K_VOTE)
#: Of a predicate read the keys of an item read, and the other way round.
OF_ITEMS: Final = _mask(K_ITEM, K_VERSION, K_VALUE, K_PARTITION)
OF_PREDICATES: Final = _mask(K_MATCHED, K_UNMATCHED, K_PARTIAL)
#: Keys of lines that need no more than names.
PLAIN: Final = _mask(K_T, K_OP, K_TXN, K_ITEM, K_TABLE, K_VALUE, K_SESSION, K_VERSION)
NOT_A_NAME: Final = -(1 << 60)


class Columns(NamedTuple):
    """One entry an event. `label` is a code (`lines_pool.label_code`); of a CAREFUL line `label` is where it begins in
    the file, and `item` how long it is. `session` and `label` are -1 where there is none."""

    op: Int8
    flags: Int8
    txn: Int32
    session: Int32
    table: Int32
    item: Int32
    label: Int64
    line: Int32


class Rare(NamedTuple):
    """What few events have: the event, the field, the text."""

    event: Int32
    field: Int8
    text: Int32


class Rows(NamedTuple):
    """The rows that predicate reads list."""

    event: Int32
    matched: Int8
    item: Int32
    label: Int64
    partition: Int32


#: Fields of the counters: events, entries of Rare and of Rows, and the line.
N_EVENTS, N_RARE, N_ROWS, N_LINE = range(4)


def dtypes(kind: type[Columns] | type[Rare] | type[Rows]) -> tuple[type[np.generic], ...]:
    """The types of the entries of columns."""
    wide: dict[str, type[np.generic]] = {"label": np.int64, "op": np.int8, "flags": np.int8, "field": np.int8}
    wide["matched"] = np.int8
    return tuple(wide.get(name, np.int32) for name in kind._fields)
