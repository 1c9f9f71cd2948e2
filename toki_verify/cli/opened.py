"""A look into an input before it is read: what it holds decides who reads it."""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from ..inputs import STDIN

_GZIP = b"\x1f\x8b"
#: What looking into a file may raise.
FAILURES = (OSError, EOFError, zlib.error, ValueError)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The bytes of a path, from the beginning, unpacked where they are packed by gzip. Standard input is kept, so that
    whoever reads it later reads all of it. Raises FAILURES, also while it is read."""
    if not path:
        raise ValueError("an empty path")
    with io.BytesIO(_kept_stdin()) if path == STDIN else Path(path).open("rb") as stream:
        packed = stream.read(2) == _GZIP
        stream.seek(0)
        if not packed:
            yield cast(BinaryIO, stream)
            return
        with gzip.GzipFile(fileobj=stream) as unpacked:
            yield cast(BinaryIO, unpacked)


def _kept_stdin() -> bytes:
    """All of standard input, which is put in its place again."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    if not isinstance(sys.stdin, _Kept):
        sys.stdin = _Kept(sys.stdin.buffer.read())
    return sys.stdin.data


class _Kept(io.TextIOWrapper):
    """Standard input that has been read to its end, to be read again."""

    def __init__(self, data: bytes) -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8")
        self.data = data
