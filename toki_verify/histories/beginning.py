"""The beginning of a file that tells what it is: from its first character on, without names that fill a page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

#: Bytes that tell what a file is.
HEAD: Final = 65_536
#: Blank bytes in front of them that are gone through.
BLANK: Final = 64_000_000
#: Bytes that are gone through where strings of JSON are so long that they hide the keys behind them.
FAR: Final = 4_000_000
#: Bytes among which the keys of a first object are sought, and those of a string that is cut out.
_NEAR: Final = 8_192
_LONG: Final = 1_000
_BOM: Final = b"\xef\xbb\xbf"
#: A string of JSON; the last may be cut off.
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)


def beginning(chunks: Iterable[bytes]) -> bytes:
    """The first HEAD bytes, from the first that is not blank, of what chunks hold together; no more chunks than needed
    are taken. A byte order mark is left out, and so is what stands in long strings of JSON."""
    parts: list[bytes] = []
    size, blank, wanted = 0, 0, HEAD
    for number, chunk in enumerate(chunks):
        part = chunk if number else chunk.removeprefix(_BOM)
        if not parts:
            blank += len(part)
            part = part.lstrip()
            blank -= len(part)
        if part:
            parts.append(part)
            size += len(part)
        if size >= HEAD == wanted and _hides_keys(b"".join(parts)):
            wanted = FAR
        if size >= wanted or (not parts and blank >= BLANK):
            break
    head = b"".join(parts)
    return (_without_long_strings(head) if _hides_keys(head) else head)[:HEAD]


def _hides_keys(head: bytes) -> bool:
    """Whether JSON begins so that a long string may hide its first keys."""
    return head[:1] in (b"{", b"[") and any(len(match[0]) > _LONG for match in _STRING.finditer(head[:_NEAR]))


def _without_long_strings(head: bytes) -> bytes:
    """The same with an empty string for each long one, up to HEAD bytes or more."""
    parts: list[bytes] = []
    size = at = 0
    for match in _STRING.finditer(head):
        begin, end = match.span()
        if size + begin - at >= HEAD:
            break
        if end - begin > _LONG:
            parts.append(head[at:begin] + b'""')
            size, at = size + len(parts[-1]), end
    return b"".join(parts) + head[at : at + HEAD]


__all__ = ["HEAD", "beginning"]
