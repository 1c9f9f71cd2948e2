"""Files packed by gzip: unpacked piece by piece, so that what is refused costs no more memory than what is read."""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterator
from typing import Final

from ..events import Problem
from .raw import BYTES, CHUNK, GZIP

#: A gzip file may unpack to this, and to so many times its own size; beyond it is taken for a bomb.
GZIP_BYTES: Final = 64_000_000
GZIP_RATIO: Final = 200
#: Packed bytes that are unpacked at once. (What is behind a member is copied: many small members, many copies.)
_STEP: Final = 16_384


class Damaged(Exception):
    """What is wrong with a gzip file, and what was expected."""

    def __init__(self, what: str, expected: str) -> None:
        super().__init__(what)
        self.what, self.expected = what, expected

    def problem(self, name: str) -> Problem:
        """The same of a file of this name."""
        return Problem(self.what, self.expected, "encoding", file=name, line=1, column=1)


def unpacked(data: bytes, source: str) -> tuple[bytes, Problem | None]:
    """The bytes of a file, unpacked if they are packed by gzip, and whether they are too many or broken."""
    if not data.startswith(GZIP):
        return (data, None) if len(data) <= BYTES else (b"", _too_many("more than", BYTES, source))
    most = min(BYTES, GZIP_BYTES + GZIP_RATIO * len(data))
    found = io.BytesIO()  # which, unlike pieces that are joined, gives its bytes without a copy
    try:
        for piece in pieces(io.BytesIO(data).read):
            if found.tell() + len(piece) > most:
                return b"", _too_many("a gzip file that unpacks to more than", most, source)
            found.write(piece)
    except Damaged as error:
        return b"", error.problem(source)
    return found.getvalue(), None


def _too_many(what: str, most: int, source: str) -> Problem:
    return Problem(f"{what} {most} bytes", f"at most {most}", "limit-file", file=source, line=1, column=1)


def pieces(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """What a gzip file holds, member by member, in pieces of at most CHUNK bytes; `read` gives so many of its bytes.
    Raises Damaged where it is broken, cut off, or has something else behind a member."""
    rest = read(_STEP)
    while rest:
        member = zlib.decompressobj(31)
        while not member.eof:
            try:
                piece = member.decompress(rest, CHUNK)
            except zlib.error as error:
                raise Damaged(f"a broken gzip file ({error})", "a whole one") from error
            if piece:
                yield piece
            elif not rest and not member.eof:
                raise Damaged("a gzip file that is cut off", "a whole one")
            if not member.eof:
                rest = member.unconsumed_tail or read(_STEP)
        rest = _next_member(member.unused_data, read)


def _next_member(rest: bytes, read: Callable[[int], bytes]) -> bytes:
    """The first bytes of the next member; none where there is none. Raises Damaged.

    Behind a member may stand another, and zeros that fill a block up; what else stands there would be lost.
    """
    rest = rest.lstrip(b"\0")
    while len(rest) < len(GZIP) and (more := read(_STEP)):
        rest = (rest + more).lstrip(b"\0")
    if rest and not rest.startswith(GZIP):
        count = len(rest) + sum(len(more) for more in iter(lambda: read(CHUNK), b""))
        what = f"{count} byte{'s' * (count > 1)} behind the gzip member"
        raise Damaged(what, "another member, zeros, or the end of the file")
    return rest


__all__ = ["Damaged", "pieces", "unpacked"]
