"""Writers that have only `ingest`, stopped at every call on their store: each in a thread of its own, one at a time.

There is one baton. Whoever has it runs: the machine, or the one writer that it was handed to, until that writer is
about to call its store, its judge log or an oracle. So runs are as reproducible as those of writers in one thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from ..algebra.facts import Fact
from ..stores.errors import StoreLocked
from .write_recorder import Account, By, RecordingStore, Verdicts

#: Seconds until a writer that has the baton and does not hand it back is given up.
PATIENCE: Final = 20.0
Oracles = dict[str, Callable[[Sequence[Fact[Any]]], int]]


class Abandoned(BaseException):
    """Raised in the thread of a writer that is dead, by whatever it calls: so it unwinds. No Exception, so that a
    writer that catches these does not go on."""


class WriterStuck(RuntimeError):
    """A writer that does not come back: it waits for something that another one has, who is stopped meanwhile."""


class ThreadedWriter:
    """A writer in a thread of its own: its session is opened, used and shut there, as some engines want it.

    It is its own write path for the machine: `steps(fact, now)` gives the writer itself, as an iterator whose every
    step is one call on the store, and `close()` stops it for good.
    """

    def __init__(
        self, number: int, account: Account, make_session: Callable[[], Any], make_path: Any, oracles: Oracles
    ):
        """Open the session, and make the write path with it. Raises what these raise."""
        self._number, self._account = number, account
        self._make_session, self._make_path, self._oracles = make_session, make_path, oracles
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self._job: tuple[Fact[Any], Any] | None = None
        self._dead = self._locked = self._waited = self._first = self._stuck = False
        self._pending = ""
        self._raised: BaseException | None = None
        self._verdicts: Verdicts = {}
        self._thread = threading.Thread(target=self._run, name=f"writer {number}", daemon=True)
        self._thread.start()
        self._await()

    @property
    def has_waited(self) -> bool:
        """Whether the store was locked when the writer last called it, in this attempt."""
        return self._waited

    def steps(self, fact: Fact[Any], now: Any) -> ThreadedWriter:
        """Begin with a fact."""
        self._job, self._first, self._waited = (fact, now), True, False
        return self

    def __next__(self) -> bool:
        """One call on the store, and what the writer does until its next. Whether the store was free: if not, it is for
        others to go on. Raises StopIteration when the fact is written, and what the writer raises."""
        self._locked = False
        if self._first:  # up to the first call, which is part of its step
            self._first = False
            self._hand()
            if self._job is None:
                raise StopIteration
        if self._pending == "commit":
            self._verdicts = self._account.verdicts()  # here: the observer's connection stays in this thread
        self._hand()
        if self._job is None:
            raise StopIteration
        return not self._locked

    def close(self) -> None:
        """Nothing: a session that is shut ends the writer."""

    def shut(self) -> None:
        """The death of the writer, wherever it is, and of its session."""
        if not self._dead and not self._stuck and self._thread.is_alive():
            self._dead = True
            self._hand()
            self._thread.join(PATIENCE)
        self._dead = True

    def _hand(self) -> None:
        self._go.release()
        self._await()

    def _await(self) -> None:
        if not self._back.acquire(timeout=PATIENCE):
            self._stuck = True
            where = f"after {self._pending}" if self._pending else "before its first call on the store"
            raise WriterStuck(
                f"writer {self._number} has not come back for {PATIENCE:g} s ({where}): it waits for something that "
                "another writer has, such as a lock of the write path's own; what writers wait for must be the store's"
            )
        raised, self._raised = self._raised, None
        if raised is not None:
            self._job = None
            raise raised

    # What follows runs in the writer's thread.

    def _run(self) -> None:
        session = None
        try:
            session = self._make_session()
            by = By(self._account, self._number, self._turn, lambda: self._verdicts)
            oracles = {name: self._asking(oracle) for name, oracle in self._oracles.items()}
            path = self._make_path(RecordingStore(session, by), oracles)
            while self._wait():
                self._write(path)
        except BaseException as error:  # raised where the machine waits
            self._raised = error
        try:
            if session is not None:
                session.shut()
        except Exception as error:
            self._raised = error
        self._back.release()

    def _write(self, path: Any) -> None:
        assert self._job is not None
        try:
            path.ingest(*self._job)
        except BaseException as error:
            if self._dead:  # whatever it makes of that
                return
            self._raised = error
        self._job, self._pending = None, ""

    def _wait(self) -> bool:
        """Hand the baton back, and wait for it. Whether the writer is still to live."""
        if self._dead:
            return False
        self._back.release()
        self._go.acquire()
        return not self._dead

    def _turn(self, what: str, call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        if self._job is not None:  # before there is a fact the writer is being made
            self._pending = what
            if not self._wait():
                raise Abandoned
        try:
            found = call(*arguments, **options)
        except StoreLocked:
            self._locked, self._waited = True, True
            raise
        self._waited = self._waited and what == "rollback"
        return found

    def _asking(self, oracle: Callable[[Sequence[Fact[Any]]], int]) -> Callable[[Sequence[Fact[Any]]], int]:
        def ask(members: Sequence[Fact[Any]]) -> int:
            found: int = self._turn("an oracle", oracle, members)
            return found

        return ask
