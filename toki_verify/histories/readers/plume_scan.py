"""Plume text that is just integers -> columns, in one pass over the bytes (the form: `plume.py`)."""

# Compiled loops compare one by one, which is faster than `in`.
# ruff: noqa: SIM109

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..columns import Int8, Int64
from ..sessions.jit import compiled

#: Digits of a number that surely fits a type.
_DIGITS: Final = ((np.int32, 9), (np.int64, 18))
#: Bytes of the shortest line.
_SHORTEST: Final = len("r(0,0,0,0)\n")
#: In place of how many lines there are: a line is not plainly one; a number has too many digits.
_OTHER, _LONG = -1, -2


def scan(data: bytes) -> tuple[Int8, Int64] | None:
    """The kind of each line (`columns.READ`, `columns.WRITE`): (N,), and its key, value, session and transaction:
    (4, N), in 32 bits where they fit. None if a line is anything else than `r(…)` or `w(…)` with integers of up to
    eighteen digits and no white space, or if there is none."""
    lines = min(data.count(b"\n") + 1, (len(data) + 1) // _SHORTEST)
    text = np.frombuffer(data, np.uint8)
    kind = np.empty(lines, np.int8)
    for kept, digits in _DIGITS:
        numbers = np.empty((4, lines), kept)
        count = _scan(text, kind, numbers, digits)
        if count > 0:
            return kind[:count], numbers[:, :count]
        if count != _LONG:
            break
    return None


@compiled
def _scan(text: NDArray[np.uint8], kind: Int8, numbers: Int64, digits: int) -> int:
    """Fill the columns; how many lines there are, or why they are not filled."""
    size, at, row = len(text), 0, 0
    while at < size:
        if text[at] == 10 or text[at] == 13:  # Nothing but ends of lines may follow.
            while at < size:
                if text[at] == 13:
                    at += 1
                if at == size or text[at] != 10:
                    return _OTHER
                at += 1
            return row
        if at + 1 >= size or (text[at] != 114 and text[at] != 119) or text[at + 1] != 40 or row == len(kind):
            return _OTHER
        kind[row] = 1 if text[at] == 119 else 0
        at += 2
        for place in range(4):
            negative = at < size and text[at] == 45
            if negative:
                at += 1
            begin, number = at, 0
            while at < size and text[at] >= 48 and text[at] <= 57:
                number = number * 10 + (text[at] - 48)
                at += 1
            if at == begin or at == size or text[at] != (41 if place == 3 else 44):
                return _OTHER
            if at - begin > digits:
                return _LONG
            at += 1
            numbers[place, row] = -number if negative else number
        row += 1
        if at < size and text[at] == 13:
            at += 1
            if at == size:
                return _OTHER
        if at < size:
            if text[at] != 10:
                return _OTHER
            at += 1
    return row
