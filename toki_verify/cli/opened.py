"""A look into an input before it is read: what it holds decides who reads it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import BinaryIO, cast

from ..events import Problem
from ..histories.beginning import HEAD, beginning
from ..histories.packed import Damaged, pieces
from ..histories.raw import CHUNK, FAILURES, GZIP, UTF_16, Unreadable, once, shown
from ..inputs import problem_of


@contextmanager
def opened(path: str, data: bytes | None) -> Iterator[BinaryIO]:
    """The bytes of a file from the beginning, or those that were kept of it. Raises FAILURES, also while it is read."""
    with io.BytesIO(data) if data is not None else Path(path).open("rb") as stream:
        yield cast(BinaryIO, stream)


def head_of(path: str, data: bytes | None) -> tuple[bytes, bool]:
    """The bytes that tell what an input is (`histories.beginning`), unpacked, and whether it is packed by gzip.

    Raises Unreadable where an input cannot be opened, where it is packed and is cut off or broken so near to its
    beginning, and where it is in UTF-16 (`head_in_utf16` says what that holds).
    """
    name = shown(path)
    try:
        with opened(path, data) as stream:
            first = stream.read(HEAD)
            if first.startswith(GZIP):
                stream.seek(0)
                return beginning(pieces(stream.read)), True
            if not first.startswith(UTF_16):
                return beginning(chain([first], iter(lambda: stream.read(HEAD), b""))), False
    except Damaged as error:
        raise Unreadable(error.problem(name)) from error
    except FAILURES as error:
        raise Unreadable(problem_of(name, error)) from error
    raise Unreadable(Problem("text in UTF-16", "UTF-8", "encoding", file=name, line=1, column=1))


def head_in_utf16(path: str, data: bytes | None) -> bytes:
    """The beginning of an input as UTF-8 where it is in UTF-16; empty where it is not. Raises FAILURES."""
    with opened(path, data) as stream:
        head = stream.read(HEAD)
    return head.decode("utf-16", "ignore").encode() if head.startswith(UTF_16) else b""


def lines_of(path: str, data: bytes | None) -> int:
    """How many lines an input has. Raises FAILURES."""
    lines, last = 0, b"\n"
    with opened(path, data) as stream:
        for chunk in iter(lambda: stream.read(CHUNK), b""):
            lines, last = lines + chunk.count(b"\n"), chunk[-1:]
    return lines + (last != b"\n")


__all__ = ["FAILURES", "HEAD", "Unreadable", "head_in_utf16", "head_of", "lines_of", "once", "opened", "shown"]
