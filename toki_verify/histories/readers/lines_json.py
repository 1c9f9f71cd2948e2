"""JSON as bytes: where a value ends, and of what type it is, without making it.

A chunk of bytes ends in a newline, and no value holds one, so that every loop ends. A value that is not plainly sound
(too deep, too long, a lone surrogate, a key that stands twice) is FAULTY here: the careful reader
(`notation/jsontext.py`) looks at its line again and says what is wrong, or that nothing is.
"""

# Compiled loops compare one by one, which is faster than `in`.

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from .lines_compile import hot, inner

Bytes = NDArray[np.uint8]
Ints = NDArray[np.int64]

#: Types of values. ESCAPED: a string with escapes; WITH_NUL: one with an escaped NUL, which no name may hold.
#: NEGATIVE: an integer with a sign.
FAULTY: Final = 0
STRING: Final = 1
ESCAPED: Final = 2
WITH_NUL: Final = 3
NATURAL: Final = 4
NEGATIVE: Final = 5
FLOAT: Final = 6
TRUE: Final = 7
FALSE: Final = 8
NULL: Final = 9
ARRAY: Final = 10
OBJECT: Final = 11
#: Nesting, keys that are open at once, and characters of a number that are looked at here. All below the limits of the
#: careful reader, and a number of two exponent digits and so few others is finite.
DEPTH: Final = 16
KEYS: Final = 128
DIGITS: Final = 150
#: How much working space `nested` needs: for the kinds of open brackets, their first keys, and the places of keys.
SCRATCH: Final = 2 * DEPTH + 2 * KEYS


@hot
def blank(data: Bytes, at: int) -> int:
    """The first place from `at` on that is neither space nor tab."""
    while data[at] == 32 or data[at] == 9:
        at += 1
    return at


@inner
def _hex(data: Bytes, at: int) -> int:
    """The value of four hexadecimal digits, or -1."""
    value = 0
    for place in range(at, at + 4):
        byte = int(data[place])
        if 48 <= byte <= 57:
            value = value * 16 + byte - 48
        elif 65 <= byte <= 70:
            value = value * 16 + byte - 55
        elif 97 <= byte <= 102:
            value = value * 16 + byte - 87
        else:
            return -1
    return value


@inner
def escape(data: Bytes, at: int) -> tuple[int, bool]:
    """Behind the escape whose backslash stands at `at` (-1: a broken one), and whether it is NUL."""
    byte = data[at + 1]
    if byte == 117:
        value = _hex(data, at + 2)
        if value < 0 or 0xDC00 <= value <= 0xDFFF:
            return -1, False
        at += 6
        if 0xD800 <= value <= 0xDBFF:
            if data[at] != 92 or data[at + 1] != 117:
                return -1, False
            low = _hex(data, at + 2)
            if low < 0xDC00 or low > 0xDFFF:
                return -1, False
            at += 6
        return at, value == 0
    if byte in (34, 92, 47, 98, 102, 110, 114, 116):
        return at + 2, False
    return -1, False


@hot
def string(data: Bytes, at: int) -> tuple[int, int]:
    """The closing quote of the string whose text begins at `at`, and its type."""
    kind = STRING
    while True:
        byte = data[at]
        if byte == 34:
            return at, kind
        if byte == 92:
            at, nul = escape(data, at)
            if at < 0:
                return 0, FAULTY
            kind = WITH_NUL if nul else max(kind, ESCAPED)
        elif byte < 32:
            return 0, FAULTY
        else:
            at += 1


@inner
def number(data: Bytes, at: int) -> tuple[int, int]:
    """Behind the number that begins at `at`, and its type."""
    begin = at
    kind = NATURAL
    if data[at] == 45:
        kind = NEGATIVE
        at += 1
    if data[at] == 48:
        at += 1
    elif 49 <= data[at] <= 57:
        while 48 <= data[at] <= 57:
            at += 1
    else:
        return 0, FAULTY
    if data[at] == 46:
        kind = FLOAT
        at += 1
        if not 48 <= data[at] <= 57:
            return 0, FAULTY
        while 48 <= data[at] <= 57:
            at += 1
    if data[at] == 101 or data[at] == 69:
        kind = FLOAT
        at += 1
        if data[at] == 43 or data[at] == 45:
            at += 1
        first = at
        while 48 <= data[at] <= 57:
            at += 1
        if not 1 <= at - first <= 2:
            return 0, FAULTY
    return (at, kind) if at - begin <= DIGITS else (0, FAULTY)


@inner
def scalar(data: Bytes, at: int) -> tuple[int, int]:
    """Behind the string, number or constant that begins at `at`, and its type."""
    byte = data[at]
    if byte == 34:
        end, kind = string(data, at + 1)
        return end + 1, kind
    if byte == 116:
        if data[at + 1] == 114 and data[at + 2] == 117 and data[at + 3] == 101:
            return at + 4, TRUE
    elif byte == 102:
        if data[at + 1] == 97 and data[at + 2] == 108 and data[at + 3] == 115 and data[at + 4] == 101:
            return at + 5, FALSE
    elif byte == 110:
        if data[at + 1] == 117 and data[at + 2] == 108 and data[at + 3] == 108:
            return at + 4, NULL
    else:
        return number(data, at)
    return 0, FAULTY


@inner
def same(data: Bytes, one: int, other: int, length: int) -> bool:
    """Whether so many bytes from `one` and from `other` on are equal."""
    for place in range(length):  # noqa: SIM110  (compiled)
        if data[one + place] != data[other + place]:
            return False
    return True


@hot
def key(data: Bytes, at: int) -> int:
    """The closing quote of the key without escapes whose opening quote should stand at `at`, or -1."""
    if data[at] != 34:
        return -1
    at += 1
    while data[at] != 34:
        if data[at] < 32 or data[at] == 92:
            return -1
        at += 1
    return at


@hot
def behind_key(data: Bytes, quote: int) -> int:
    """The value behind the key that closes at `quote`, or -1 where no colon stands between."""
    at = blank(data, quote + 1)
    return blank(data, at + 1) if data[at] == 58 else -1


@inner
def nested(data: Bytes, at: int, space: Ints, base: int) -> int:
    """Behind the array or object that begins at `at`; -1 where it is faulty. `space` is free from `base` on."""
    depth, keys = 0, 0
    opened, first = base, base + DEPTH
    begins, lengths = base + 2 * DEPTH, base + 2 * DEPTH + KEYS
    while True:
        byte = data[at]
        wants_key = False
        if byte == 123 or byte == 91:
            if depth == DEPTH:
                return -1
            space[opened + depth] = byte
            space[first + depth] = keys
            depth += 1
            at = blank(data, at + 1)
            if data[at] == byte + 2:
                depth -= 1
                at += 1
            elif byte == 91:
                continue
            else:
                wants_key = True
        else:
            at, kind = scalar(data, at)
            if kind == FAULTY:
                return -1
        while not wants_key:
            if depth == 0:
                return at
            at = blank(data, at)
            if data[at] == space[opened + depth - 1] + 2:
                depth -= 1
                keys = space[first + depth]
                at += 1
            elif data[at] == 44:
                at = blank(data, at + 1)
                wants_key = space[opened + depth - 1] == 123
                break
            else:
                return -1
        if wants_key:
            quote = key(data, at)
            if quote < 0 or keys == KEYS:
                return -1
            length = quote - at - 1
            for place in range(space[first + depth - 1], keys):
                if space[lengths + place] == length and same(data, space[begins + place], at + 1, length):
                    return -1
            space[begins + keys] = at + 1
            space[lengths + keys] = length
            keys += 1
            at = behind_key(data, quote)
            if at < 0:
                return -1


@inner
def value(data: Bytes, at: int, space: Ints, base: int) -> tuple[int, int]:
    """Behind the value that begins at `at`, and its type."""
    byte = data[at]
    if byte == 123 or byte == 91:
        end = nested(data, at, space, base)
        return (0, FAULTY) if end < 0 else (end, OBJECT if byte == 123 else ARRAY)
    return scalar(data, at)
