"""The bytes of an input as they are, and why there are none: a device is not read without end, nor is a file that is
larger than any history may be.

Nothing here needs the extra `histories`; `cli.opened` looks into inputs with it.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final, cast

from ..events import Problem
from ..inputs import STDIN, problem_of

#: Bytes of a history file or a large trace, unpacked. (Columns number operations in 32 bits; ten million of them take
#: 200 MB of text.)
BYTES: Final = 2_000_000_000
#: Bytes that are read of what does not say its size: one more than a file may have.
MOST: Final = BYTES + 1
#: What looking into a file may raise.
FAILURES = (OSError, ValueError)
GZIP: Final = b"\x1f\x8b"
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
CHUNK: Final = 1 << 20


class Unreadable(Exception):
    """Why an input cannot be read, as a `problem`."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.what)
        self.problem = problem


def shown(path: str) -> str:
    """The name of an input in reports."""
    return "<stdin>" if path == STDIN else path


def read_path(path: str) -> tuple[bytes, str, Problem | None]:
    """The bytes of a path, its name, and why it cannot be read: it is none, a device, or larger than BYTES."""
    name = shown(path)
    try:
        data = once(path)
        return (_whole(path) if data is None else data), name, None
    except Unreadable as error:
        return b"", name, error.problem
    except FAILURES as error:
        return b"", name, problem_of(name, error)


def too_large(name: str) -> Problem:
    """That a file has more than BYTES."""
    return Problem(f"more than {BYTES} bytes", f"at most {BYTES}", "limit-file", file=name, line=1, column=1)


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


def _whole(path: str) -> bytes:
    """All of a regular file. Raises Unreadable, FAILURES."""
    with Path(path).open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > BYTES:
            raise Unreadable(too_large(path))
        # Some files, those of /proc say, have more than their size says.
        return _up_to_most(cast(BinaryIO, stream), size + 1)


def _up_to_most(stream: BinaryIO, first: int, enough: Callable[[bytes], bool] = lambda _: False) -> bytes:
    """All of a stream, up to MOST; `first` bytes are asked for at once, and no more where those are `enough`."""
    parts: list[bytes] = []
    size = 0
    while size < MOST and (chunk := stream.read(min(CHUNK if parts else first, MOST - size))):
        parts.append(chunk)
        size += len(chunk)
        if len(parts) == 1 and enough(chunk):
            break
    return b"".join(parts)


def _ends(path: str, found: os.stat_result) -> bool:
    """Whether a device is standard input under another name, or the empty one."""
    try:
        return os.path.samestat(found, os.fstat(0)) or Path(path).samefile(os.devnull)
    except OSError:
        return False


def _until_hopeless(stream: BinaryIO) -> bytes:
    """All of a stream, up to MOST; and no more than its beginning where that is no text, which a reader then says
    (/dev/zero never ends)."""
    return _up_to_most(stream, CHUNK, lambda first: b"\0" in first and not first.startswith((GZIP, *UTF_16)))


__all__ = [
    "BYTES", "CHUNK", "FAILURES", "GZIP", "UTF_16", "Unreadable", "once", "read_path", "shown", "too_large",
]  # fmt: skip
