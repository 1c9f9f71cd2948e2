"""Compiled loops: numba's decorator with types, in one place."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numba

from ..kept_code import name_by_content

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """`function`, compiled when it is first called and kept on disk where that can be written."""
    fast: Callable[P, R] = numba.njit(cache=True)(function)
    name_by_content(fast)
    return fast
