"""The members of an event object: where the values of its known keys stand, and the texts they hold."""

# Compiled loops compare one by one, which is faster than `in`.
# ruff: noqa: SIM109

from __future__ import annotations

from ...events.limits import NAME_LENGTH
from ..columns import Int64
from .lines_compile import hot, inner
from .lines_json import (
    ESCAPED,
    FAULTY,
    NATURAL,
    NULL,
    STRING,
    Bytes,
    Ints,
    behind_key,
    blank,
    key,
    same,
    string,
    value,
)
from .lines_keys import (
    CALLBACK,
    CODE,
    FROM,
    IS_RAW,
    K_OP,
    K_VERSION,
    KEY_BEGIN,
    KEY_FIRST,
    KEY_LONGEST,
    KEY_TEXT,
    KIND,
    LETTERS,
    MORE_KEYS,
    NESTED,
    NOT_A_NAME,
    OTHER,
    OTHER_LENGTH,
    TO,
    WANTED,
    WANTED_FIRST,
)
from .lines_pool import NAME, QUOTED, RAW, Pool, intern_in, label_code


@hot
def _known(data: Bytes, begin: int, length: int) -> int:
    """The number of a key, or -1."""
    if length > KEY_LONGEST:
        return -1
    for number in range(KEY_FIRST[length], KEY_FIRST[length + 1]):
        first = KEY_BEGIN[number]
        equal = True
        for place in range(length):
            if data[begin + place] != KEY_TEXT[first + place]:
                equal = False
                break
        if equal:
            return number
    return -1


@hot
def members(data: Bytes, at: int, space: Ints) -> tuple[int, int]:
    """Note the values of the object that begins at `at`; behind it (-1: it is faulty), and its known keys as bits."""
    for number in range(FROM):
        space[KIND + number] = FAULTY
    others, present = 0, 0
    if data[at] != 123:
        return -1, 0
    at = blank(data, at + 1)
    if data[at] == 125:
        return at + 1, 0
    while True:
        quote = key(data, at)
        if quote < 0:
            return -1, 0
        begin, length = at + 1, quote - at - 1
        number = _known(data, begin, length)
        if number < 0:
            if others == MORE_KEYS:
                return -1, 0
            for other in range(others):
                if space[OTHER_LENGTH + other] == length and same(data, space[OTHER + other], begin, length):
                    return -1, 0
            space[OTHER + others] = begin
            space[OTHER_LENGTH + others] = length
            others += 1
        elif present >> number & 1:
            return -1, 0
        begin = behind_key(data, quote)
        if begin < 0:
            return -1, 0
        if data[begin] == 34:
            quote, found = string(data, begin + 1)
            at = quote + 1
        else:
            at, found = value(data, begin, space, NESTED)
        if found == FAULTY:
            return -1, 0
        if number >= 0:
            present |= 1 << number
            space[KIND + number] = found
            space[FROM + number] = begin
            space[TO + number] = at
        at = blank(data, at)
        if data[at] == 125:
            return at + 1, present
        if data[at] != 44:
            return -1, 0
        at = blank(data, at + 1)


@inner
def name_code(
    data: Bytes,
    kind: int,
    begin: int,
    end: int,
    blob: Bytes,
    begins: Int64,
    slots: Int64,
    used: Int64,
    label: bool,
    raw: bool,
) -> int:
    """The number of the name that a value holds (a string, or a natural number), of a label its code, of what is kept
    raw that of the text; -1: none."""
    if kind == FAULTY or kind == NULL:
        return -1
    what = RAW
    if not raw:
        what = NAME
        if kind == STRING or kind == ESCAPED:
            if end - begin == 2 or end - begin > NAME_LENGTH + 2:
                return NOT_A_NAME
            begin, end = begin + 1, end - 1
            if kind == ESCAPED:
                what = QUOTED
        elif kind != NATURAL:
            return NOT_A_NAME
        if label and what == NAME:
            code = label_code(data, begin, end)
            if code >= 0:
                return code
    number = intern_in(blob, begins, slots, used, data, begin, end, what)
    return -2 - number if label else number


@hot
def texts(data: Bytes, space: Ints, present: int, op: int, pool: Pool) -> bool:
    """Put the texts that an operation needs into the space, -1 for what is absent; False where one cannot be a name."""
    blob, begins, slots, used = pool.blob, pool.begin, pool.slots, pool.used
    for place in range(WANTED_FIRST[op], WANTED_FIRST[op + 1]):
        number = WANTED[place]
        code = -1
        if present >> number & 1:
            kind = space[KIND + number]
            begin, end = space[FROM + number], space[TO + number]
            raw = IS_RAW >> number & 1 == 1
            code = name_code(data, kind, begin, end, blob, begins, slots, used, number == K_VERSION, raw)
            if code == NOT_A_NAME:
                return False
        space[CODE + number] = code
    return True


@hot
def op_of(data: Bytes, space: Ints) -> int:
    """The operation, or -1."""
    at = space[FROM + K_OP] + 1
    length = space[TO + K_OP] - 1 - at
    byte = data[at]
    if space[KIND + K_OP] == STRING:
        if length == 2 and byte == 99 and data[at + 1] == 98:
            return CALLBACK
        if length == 1:
            for op in range(6):
                if byte == LETTERS[op]:
                    return op
    return -1
