"""Operations that are made and not done: `update(…)` as a statement of its own, where `yield from` was forgotten."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from types import FunctionType

from . import operations


def forgotten(of: type) -> tuple[str, str, int] | None:
    """The first such statement in the methods of a design: method, operation, line. None where there is none."""
    for base in of.__mro__:
        for name, method in vars(base).items():
            if isinstance(method, FunctionType) and method.__module__ != operations.__name__:
                for called, line in _statements(method):
                    return name, called, line
    return None


def _statements(method: FunctionType) -> Iterator[tuple[str, int]]:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(method)))
    except (OSError, SyntaxError, TypeError):
        return
    first = method.__code__.co_firstlineno - 1
    for found in ast.walk(tree):
        if isinstance(found, ast.Expr) and isinstance(found.value, ast.Call) and isinstance(found.value.func, ast.Name):
            called = method.__globals__.get(found.value.func.id)
            if isinstance(called, FunctionType) and called.__module__ == operations.__name__:
                yield found.value.func.id, first + found.lineno
