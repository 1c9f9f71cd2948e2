"""The compiler of the loops over bytes and arrays, with types that mypy can follow."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from numba import njit

from ..kept_code import name_by_content

F = TypeVar("F", bound=Callable[..., Any])
#: Nobody calls these functions from C, and a wrapper for that takes time to compile.
_OPTIONS: Final[dict[str, Any]] = {"nogil": True, "no_cfunc_wrapper": True}
_INNER: Final[dict[str, Any]] = {"no_cpython_wrapper": True}


def compiled(function: F) -> F:
    """The function, compiled when it is first called and kept on disk where that can be done."""
    try:
        out = njit(**_OPTIONS, cache=True)(function)
    except RuntimeError:  # no directory that can be written to
        return cast(F, njit(**_OPTIONS)(function))
    _guarded(getattr(out, "_cache", None), Path(function.__code__.co_filename).parent)
    name_by_content(out)
    return cast(F, out)


def inner(function: F) -> F:
    """The same for a function that only compiled ones call, of which it becomes a part."""
    return cast(F, njit(**_OPTIONS, **_INNER)(function))


def hot(function: F) -> F:
    """The same for one that is called every few bytes: its code stands in that of each caller, which takes longer to
    compile and saves a fifth of the time of a scan."""
    return cast(F, njit(**_OPTIONS, **_INNER, forceinline=True)(function))


def _guarded(kept: Any, folder: Path) -> None:
    """Let what is kept on disk be no older than any module of this folder that it may hold code of: numba looks at the
    function's own only, and raises where the file names a type that is gone."""
    load, file = getattr(kept, "load_overload", None), getattr(kept, "_cache_file", None)
    if load is None or not hasattr(file, "_source_stamp"):
        return
    cast(Any, file)._source_stamp = (cast(Any, file)._source_stamp, _stamp(folder))

    def loaded(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception:  # whatever a stale file holds
            kept.flush()
            return None

    kept.load_overload = loaded


@cache
def _stamp(folder: Path) -> tuple[tuple[str, int, int], ...]:
    found = sorted(folder.glob("lines*.py"))
    return tuple((file.name, (about := file.stat()).st_mtime_ns, about.st_size) for file in found)
