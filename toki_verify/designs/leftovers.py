"""What a writer could leave behind for its next run: attributes of the design, variables of its module and closure."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Iterator
from typing import Any, Final

from .guard import code_of

#: Names and what they hold, as text.
State = dict[str, str]

_PLAIN: Final = (str, int, float, bool, type(None), bytes)
_MUTABLE: Final = (list, dict, set, tuple, frozenset, bytearray, deque)
#: Larger collections are told by their length only.
_SIZE: Final = 1_000


def state_of(design: Any, function: Any) -> State:
    """What there is, by name, as far as it is plain data."""
    found: State = {}
    for name, value in _named(design, function):
        text = _text(value, 0)
        if text is not None:
            found[name] = text
    return found


def changed(before: State, after: State) -> str | None:
    """The first name that holds something else."""
    return next((name for name in {**before, **after} if before.get(name) != after.get(name)), None)


def _named(design: Any, function: Any) -> Iterator[tuple[str, Any]]:
    for name, value in vars(design).items():
        yield f"self.{name}", value
    for base in type(design).__mro__[:-1]:
        for name, value in vars(base).items():
            if not name.startswith("__") and isinstance(value, (*_PLAIN, *_MUTABLE)):
                yield f"{base.__name__}.{name}", value
    code = code_of(function)
    if code is None:
        return
    for name, cell in zip(code.co_freevars, getattr(function, "__closure__", None) or (), strict=False):
        try:
            yield name, cell.cell_contents
        except ValueError:
            continue
    variables = getattr(function, "__globals__", {})
    for name in _candidates(function):
        if name in variables:
            yield name, variables[name]


@functools.lru_cache(maxsize=64)
def _candidates(function: Any) -> tuple[str, ...]:
    """The names of a function's code that are data of its module, or may become so."""
    code = code_of(function)
    variables = getattr(function, "__globals__", {})
    names = dict.fromkeys(_globals(code)) if code else {}
    return tuple(name for name in names if isinstance(variables.get(name), (*_PLAIN, *_MUTABLE)))


def _globals(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _globals(constant)


def _text(value: Any, depth: int) -> str | None:
    """Plain data as text; None for what is none."""
    if isinstance(value, _PLAIN):
        return repr(value) if not isinstance(value, (str, bytes)) or len(value) <= _SIZE else f"{len(value)}"
    if not isinstance(value, _MUTABLE) or depth > 3:
        return None
    if len(value) > _SIZE:
        return f"{len(value)}"
    parts = value.items() if isinstance(value, dict) else value
    return f"{type(value).__name__}({', '.join(_text(part, depth + 1) or type(part).__name__ for part in parts)})"
