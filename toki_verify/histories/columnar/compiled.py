"""Loops that are compiled when they first run, and kept in a cache beside the source."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

from ..kept_code import name_by_content

_Function = TypeVar("_Function", bound=Callable[..., object])


def compiled(function: _Function) -> _Function:
    """The function, compiled by numba (`nopython`)."""
    fast = cast(_Function, numba.njit(cache=True)(function))
    name_by_content(fast)
    return fast
