"""How a transaction of a history is called in a sentence."""

from __future__ import annotations

from ..columns import History


def transaction(history: History, number: int) -> str:
    """The name of a transaction; "T7" where the file has bare numbers, the initial one has words."""
    if number < 0:
        return "the initial state"
    named = history.transactions[number]
    return f"T{named}" if named.lstrip("-").isdigit() else named
