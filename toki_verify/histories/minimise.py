"""The smallest part of a history that still shows something: delta debugging (Zeller and Hildebrandt 2002), over
transactions first, then over operations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .columns import History
from .restrict import of_transactions, restrict

#: Whether a history shows what is looked for.
Shows = Callable[[History], bool]


def minimise(history: History, shows: Shows, *, start: list[int] | None = None, tests: int = 2_000) -> History:
    """A part of the history that shows it and from which no single transaction and no single operation can be taken.

    `start` are transactions that are likely to be enough: they are tried first. After so many `tests` what has been
    found by then is returned; a larger part is no wrong one. Raises ValueError where the history itself does not show
    it.
    """
    budget = _Budget(shows, tests)
    if not shows(history):
        raise ValueError("the history does not show what a part of it is to show")
    found = history
    if start:
        likely = restrict(history, of_transactions(history, start))
        if budget.shows(likely):
            found = likely
    found = _by_transactions(found, budget)
    return _by_operations(found, budget)


class _Budget:
    """Tests that are left; none is made beyond."""

    def __init__(self, shows: Shows, tests: int) -> None:
        self._shows, self.left = shows, tests

    def shows(self, history: History) -> bool:
        """Whether it shows it; no, where nothing may be tried any more."""
        if self.left <= 0 or not history.size:
            return False
        self.left -= 1
        return self._shows(history)


def _by_transactions(history: History, budget: _Budget) -> History:
    """ddmin over transactions: pieces are left out, smaller and smaller ones."""
    pieces = 2
    while pieces <= 2 * len(history.session) and len(history.session) > 1 and budget.left:
        parts = np.array_split(np.arange(len(history.session)), min(pieces, len(history.session)))
        for part in parts:
            smaller = restrict(history, ~of_transactions(history, part.astype(np.int32)))
            if budget.shows(smaller):
                history, pieces = smaller, max(pieces - 1, 2)
                break
        else:
            if pieces >= len(history.session):
                break
            pieces = min(2 * pieces, len(history.session))
    return history


def _by_operations(history: History, budget: _Budget) -> History:
    """One operation after the other is left out, until none can be."""
    changed = True
    while changed and budget.left:
        changed = False
        for at in range(history.size - 1, -1, -1):
            if at >= history.size:
                continue
            kept = np.ones(history.size, bool)
            kept[at] = False
            smaller = restrict(history, kept)
            if budget.shows(smaller):
                history, changed = smaller, True
    return history
