"""A look into an input before it is read: what it holds decides who reads it."""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ..events import Problem
from ..inputs import STDIN, problem_of

#: How many bytes tell what a file is.
HEAD = 65_536
#: Bytes that are kept of what can be read only once: one more than a file of a history may have.
MOST = 2_000_000_001
#: What looking into a file may raise.
FAILURES = (OSError, ValueError)
_GZIP = b"\x1f\x8b"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 20


class Unreadable(Exception):
    """Why an input cannot be read, as a `problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


def shown(path: str) -> str:
    """The name of an input in reports."""
    return "<stdin>" if path == STDIN else path


def once(path: str) -> bytes | None:
    """The bytes of what can be read only once: standard input, a pipe, the file of a process substitution. None: a
    regular file. Raises Unreadable."""
    try:
        if not path:
            raise ValueError("an empty path")
        if path == STDIN:
            if sys.stdin is None:
                what, expected = "standard input is closed", "something to read"
                raise Unreadable(Problem(what, expected, "file", file=shown(path)))
            return _until_hopeless(sys.stdin.buffer)
        found = Path(path).stat()
        if stat.S_ISREG(found.st_mode):
            return None
        if stat.S_ISBLK(found.st_mode) or (stat.S_ISCHR(found.st_mode) and not _ends(path, found)):
            raise Unreadable(Problem("a device", "a file, a pipe or standard input", "file", file=path))
        with Path(path).open("rb") as stream:
            return _until_hopeless(cast(BinaryIO, stream))
    except FAILURES as error:
        raise Unreadable(problem_of(shown(path), error)) from error


def _ends(path: str, found: os.stat_result) -> bool:
    """Whether a device is standard input under another name, or the empty one."""
    try:
        return os.path.samestat(found, os.fstat(0)) or Path(path).samefile(os.devnull)
    except OSError:
        return False


def _until_hopeless(stream: BinaryIO) -> bytes:
    """All of a stream, up to the limit of histories; and no more than its beginning where that is no text, which a
    reader then says (/dev/zero never ends)."""
    parts: list[bytes] = []
    size = 0
    while size < MOST and (chunk := stream.read(min(_CHUNK, MOST - size))):
        parts.append(chunk)
        size += len(chunk)
        if len(parts) == 1 and b"\0" in chunk and not chunk.startswith((_GZIP, *_UTF_16)):
            break
    return b"".join(parts)


@contextmanager
def opened(path: str, data: bytes | None) -> Iterator[BinaryIO]:
    """The bytes of a file from the beginning, or those that were kept of it. Raises FAILURES, also while it is read."""
    with io.BytesIO(data) if data is not None else Path(path).open("rb") as stream:
        yield cast(BinaryIO, stream)


def head_of(path: str, data: bytes | None) -> tuple[bytes, bool]:
    """The first HEAD bytes of an input, unpacked and without a byte order mark, and whether it is packed by gzip.

    Raises Unreadable where an input cannot be opened, where it is packed and is cut off or broken so near to its
    beginning, and where it is in UTF-16 (`head_in_utf16` says what that holds).
    """
    name = shown(path)
    try:
        with opened(path, data) as stream:
            head = stream.read(HEAD)
    except FAILURES as error:
        raise Unreadable(problem_of(name, error)) from error
    packed = head.startswith(_GZIP)
    if packed:
        head = _unpacked(head, name)
    elif head.startswith(_UTF_16):
        raise Unreadable(Problem("text in UTF-16", "UTF-8", "encoding", file=name, line=1, column=1))
    return head.removeprefix(_BOM), packed


def head_in_utf16(path: str, data: bytes | None) -> bytes:
    """The beginning of an input as UTF-8 where it is in UTF-16; empty where it is not. Raises FAILURES."""
    with opened(path, data) as stream:
        head = stream.read(HEAD)
    return head.decode("utf-16", "ignore").encode() if head.startswith(_UTF_16) else b""


def _unpacked(head: bytes, name: str) -> bytes:
    reader = zlib.decompressobj(31)
    try:
        found = reader.decompress(head, HEAD)
    except zlib.error as error:
        raise _damaged(f"a broken gzip file ({error})", name) from error
    if len(head) < HEAD and len(found) < HEAD and not reader.eof:
        raise _damaged("a gzip file that is cut off", name)
    return found


def _damaged(what: str, name: str) -> Unreadable:
    """In the words of `histories.formats`, which sees the rest of a larger file."""
    return Unreadable(Problem(what, "a whole one", "encoding", file=name, line=1, column=1))


def lines_of(path: str, data: bytes | None) -> int:
    """How many lines an input has. Raises FAILURES."""
    lines, last = 0, b"\n"
    with opened(path, data) as stream:
        for chunk in iter(lambda: stream.read(_CHUNK), b""):
            lines, last = lines + chunk.count(b"\n"), chunk[-1:]
    return lines + (last != b"\n")


__all__ = ["FAILURES", "HEAD", "Unreadable", "head_in_utf16", "head_of", "lines_of", "once", "opened", "shown"]
