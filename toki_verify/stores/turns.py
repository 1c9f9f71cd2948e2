"""Who may write: turns that end with their owner, and methods of transactions that end it with whatever they raise.

An interrupt (Ctrl-C) may come wherever Python looks for signals: when a function begins, and after every call. So what
must not be left halfway can be done again, and is done again where the first time was interrupted.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

#: After how many seconds one that waits looks again, for owners that are gone without a word.
LOOK_AGAIN: Final = 0.05


class Turn:
    """The turn to write, of one owner at a time. An owner that is no more has no turn either.

    A lock would not do: between `acquire` and the next statement an interrupt leaves it locked, with no owner to
    release it; and whoever releases it twice releases that of another.
    """

    __slots__ = ("_in_use", "_owner", "_waiting")

    def __init__(self) -> None:
        # May be entered again: garbage collection, at any time, may end the turn of a transaction that was dropped.
        self._in_use: AbstractContextManager[Any] = threading.RLock()
        self._owner: weakref.ref[object] | None = None
        self._waiting: list[threading.Lock] = []

    def take(self, owner: object, seconds: float) -> bool:
        """Wait for the turn, so many seconds at most; whether `owner` has it now."""
        give_up = time.monotonic() + seconds
        while True:
            left = give_up - time.monotonic()
            bell = threading.Lock()
            with self._in_use:
                if self._owner is None or self._owner() is None:
                    self._owner = weakref.ref(owner)
                    return True
                if left > 0:
                    bell.acquire()
                    self._waiting.append(bell)
            if left <= 0:
                return False
            bell.acquire(timeout=min(left, LOOK_AGAIN))

    def end(self, owner: object) -> None:
        """End the turn of `owner`; without effect where it has none."""
        with self._in_use:
            if self._owner is not None and self._owner() is owner:
                self._owner = None
                waiting, self._waiting = self._waiting, []
                for bell in waiting:
                    bell.release()


class Ending(Protocol):
    """A transaction, as `ends_on_error` has to know it."""

    @property
    def _lock(self) -> AbstractContextManager[Any]: ...

    def _alive(self) -> None:
        """Raises StoreClosed once it is over."""

    def rollback(self) -> None:
        """Undo everything, or what is left of that to do; without effect once it is over."""


T = TypeVar("T", bound=Ending)


def ends_on_error(method: Callable[Concatenate[T, P], R]) -> Callable[Concatenate[T, P], R]:
    """Rolls back on everything that is raised: engines differ in what an error leaves of a transaction.

    One thread at a time: that of a session that is shut waits for the statement that is running.
    """

    @wraps(method)
    def run(self: T, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with self._lock:
            self._alive()
            try:
                return method(self, *args, **kwargs)
            except BaseException:
                try:
                    self.rollback()
                except BaseException:
                    self.rollback()  # what was interrupted goes on
                    raise
                raise

    return run
