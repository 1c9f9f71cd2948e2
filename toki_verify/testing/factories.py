"""What suites are given: factories of things to test, some of which want a directory of their own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any


def parameters(make: Callable[..., Any]) -> set[str]:
    """The names of the parameters of a factory; `**` where it takes any name."""
    try:
        found = inspect.signature(make).parameters.values()
    except (TypeError, ValueError):  # written in C
        return set()
    return {"**" if p.kind is p.VAR_KEYWORD else p.name for p in found}


@contextmanager
def placed(make: Callable[..., Any], **options: Any) -> Iterator[Any]:
    """What a factory makes. If it has a parameter `directory` it gets an empty one (a Path), removed in the end."""
    if "directory" not in parameters(make):
        yield make(**options)
        return
    # What is left open in there may keep some systems from removing it: no reason for a test to fail.
    with TemporaryDirectory(prefix="toki-", ignore_cleanup_errors=True) as directory:
        yield make(directory=Path(directory), **options)


@contextmanager
def fresh(make: Callable[..., Any], **options: Any) -> Iterator[Any]:
    """What a factory makes, shut in the end if it can be."""
    with placed(make, **options) as found:
        try:
            yield found
        finally:
            shut(found)


def shut(found: Any) -> None:
    """Shut what can be shut."""
    if hasattr(found, "shut"):
        found.shut()
