"""The version order that somebody asks for by name: `auto`, `reads`, `timestamps`, or a file that states it."""

from __future__ import annotations

from ..events import Problem
from .columns import History
from .orders import by_reads, by_timestamps
from .orders_stated import by_statement
from .raw import read_path


def in_version_order(history: History, choice: str, *, skip_bad: bool = False) -> tuple[History | None, list[Problem]]:
    """The history with the version order that is chosen, or None and why not.

    `auto`: what the history itself has, and else any order will do; `reads`: what lists show, and a problem where none
    are read; `timestamps`: `orders.by_timestamps`; anything else is the path of a file: `orders_stated.by_statement`.
    """
    if choice == "auto":
        return history, []
    if choice == "reads":
        return by_reads(history)
    if choice == "timestamps":
        return by_timestamps(history, skip_bad=skip_bad)
    data, _, problem = read_path(choice)
    if problem is not None:
        return None, [problem]
    return by_statement(history, data, choice, skip_bad=skip_bad)
