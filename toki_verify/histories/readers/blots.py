"""Bytes that are no text, in a history file whose bad lines are to be left out: each is a NUL to the readers.

No format takes a NUL in a line, a string or a word, so that what holds one is at fault; a comment may hold one. Only
the bytes are replaced, so that everything else stands where it stood, and a form over several lines is at fault as a
whole. Which byte it was is said of the line (`faults.Text.blots`).
"""

from __future__ import annotations

import re
from typing import Final

from .faults import Fault, Text

#: NUL, and what Python makes of bytes that are not UTF-8 (PEP 383).
_BLOT: Final = re.compile("[\0\udc80-\udcff]")


def blotted(data: bytes, source: str) -> Text:
    """The text of such a file."""
    raw = data.decode("utf-8", "surrogateescape")
    blots: dict[int, Fault] = {}
    line, counted = 1, 0
    for match in _BLOT.finditer(raw):
        at = match.start()
        line += raw.count("\n", counted, at)
        counted = at
        if line not in blots:
            blots[line] = fault_of(ord(raw[at]) & 0xFF, at)
    return Text(_BLOT.sub("\0", raw).encode(), source, blots)


def fault_of(byte: int, at: int) -> Fault:
    """The fault that a byte at an offset is, which is NUL or no UTF-8."""
    if byte == 0:
        return Fault(at, "a NUL byte: a binary file?", "text", "binary")
    return Fault(at, f"the byte 0x{byte:02x}, which is not UTF-8", "text in UTF-8", "encoding")
