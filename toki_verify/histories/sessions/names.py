"""What transactions, keys and values of a history are called in a sentence."""

from __future__ import annotations

from typing import Final

from ..columns import History

#: Characters of a name that a sentence shows.
SHOWN: Final = 60


def brief(name: str) -> str:
    """The name, cut with an ellipsis where it has more than `SHOWN` characters."""
    return name if len(name) <= SHOWN else f"{name[: SHOWN - 1]}…"


def transaction(history: History, number: int) -> str:
    """The name of a transaction; "T7" where the file has bare numbers, the initial one has words."""
    if number < 0:
        return "the initial state"
    named = history.transactions[number]
    return brief(f"T{named}" if named.lstrip("-").isdigit() else named)
