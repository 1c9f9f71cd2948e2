"""What stores are given when they are made, checked: a name of a file, a time to wait, a carrier."""

from __future__ import annotations

import os
import stat
from typing import Any, Final

from ..algebra.errors import InvalidOption, shown
from .errors import StoreFailed

#: The most that `busy_seconds` may be, some eleven days: all engines can count that far.
LONGEST: Final = 1_000_000.0
MEMORY: Final = ":memory:"
_NAME: Final = f"the name of a file, or '{MEMORY}'"


def patience(busy_seconds: object) -> float:
    """How long a writer waits for its turn. Raises InvalidOption."""
    number = isinstance(busy_seconds, (int, float)) and not isinstance(busy_seconds, bool)
    # Of NaN both comparisons are false.
    if not number or not 0 <= busy_seconds <= LONGEST:  # type: ignore[operator]
        raise InvalidOption(f"busy_seconds={shown(busy_seconds)}", f"a number from 0 to {LONGEST:,.0f}")
    return float(busy_seconds)  # type: ignore[arg-type]


def name_of(carrier: Any) -> str:
    """The name by which a file knows its carrier. Raises InvalidOption."""
    name = getattr(carrier, "name", None)
    if not isinstance(name, str) or not name.isprintable() or not name:
        raise InvalidOption(f"a carrier with the name {shown(name)}", "a carrier whose name is a printable text")
    return name


def file_name(path: object) -> str:
    """A path as a text. Raises StoreFailed for what is none."""
    try:
        name = os.fspath(path)  # type: ignore[call-overload]
    except TypeError:
        name = path
    if not isinstance(name, str):
        raise StoreFailed(f"the path {shown(path)}", f"{_NAME}, as a text or a Path")
    if not name:
        raise StoreFailed("an empty path", _NAME)
    if "\0" in name:
        raise StoreFailed(f"{shown(name)}: a NUL in a path", _NAME)
    return name


def require_file(file: str, path: str, *, one_name: bool) -> os.stat_result | None:
    """Raises StoreFailed for what is there and is no regular file (to open a pipe would wait for its other end), or,
    with `one_name`, has another name: a write-ahead log is found by the name of its file, so that what is committed
    under one name is not there under the other."""
    try:
        found = os.stat(file)  # noqa: PTH116  # names that `Path` would change
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise StoreFailed(f"{path}: {error}", "a file in a directory that may be written") from error
    if not stat.S_ISREG(found.st_mode):
        raise StoreFailed(f"{path}: no regular file", "a file, or one that is not there yet")
    if one_name and found.st_nlink > 1:
        raise StoreFailed(f"{path}: a file with {found.st_nlink} names (hard links)", "a file of one name: a copy")
    return found
