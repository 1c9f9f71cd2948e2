"""Processes that work for this one: tasks handed out one by one, and handed out again where a process dies.

Every process has a pipe of its own. So it is known which task a process had when it died, and one that is killed in the
middle of an answer leaves nobody waiting for the rest. (The processes of `concurrent.futures.ProcessPoolExecutor`
answer through one pipe, and when one dies all tasks are given up.)
"""

from __future__ import annotations

import gc
import signal
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import active_count
from traceback import format_exc
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

Item = TypeVar("Item")
Made = TypeVar("Made", covariant=True)
Result = TypeVar("Result")

#: A task whose process died so many times is not tried again.
DEATHS: Final = 3
#: Seconds in which a process without work ends by itself.
_LEAVE: Final = 2.0
#: Seconds until a process works: a copy of this one; one that is started anew, with what histories need.
_FORK: Final = 0.2
_SPAWN: Final = 1.5
#: Packages that have threads which Python does not count.
_THREADED: Final = ("pyarrow", "distributed")


@dataclass(frozen=True)
class Died:
    """In place of a result: every process that had the task died. `codes`: how (-9: killed by signal 9)."""

    codes: tuple[int, ...]

    def __str__(self) -> str:
        last = self.codes[-1]
        how = f"was killed by signal {-last}" if last < 0 else f"ended with code {last}"
        return f"the process that worked on it {how}, {len(self.codes)} times"


class Items(Protocol[Made]):
    """Items by place; what `items[place]` is may be made when it is asked for."""

    def __len__(self) -> int: ...
    def __getitem__(self, place: int, /) -> Made: ...


class NotStarted(Exception):
    """Processes, or workers elsewhere, that are not to be had: what is wrong, and what to do."""


def deaf() -> None:
    """This process leaves Ctrl-C to the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def deaf_from_birth() -> Iterator[None]:
    """Processes and threads started here inherit that Ctrl-C does not reach them, so that none shows a traceback while
    it starts. A Ctrl-C that comes meanwhile is heard by this process behind the block."""
    from multiprocessing import resource_tracker

    # Started by the first process that is started anew, it would let Ctrl-C through again.
    if hasattr(resource_tracker, "ensure_running"):
        resource_tracker.ensure_running()
    with _held_back():
        yield


@contextmanager
def _held_back() -> Iterator[None]:
    """Ctrl-C waits for the end of the block."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def can_fork() -> bool:
    """Whether a process can begin as a copy of this one, with all that is loaded: on Linux, while there are no other
    threads. What they hold at that moment would be held for ever in the copy. (The threads of numpy's OpenBLAS know of
    copies: it makes them anew there.)"""
    others = any(name in sys.modules for name in _THREADED)
    return sys.platform == "linux" and active_count() == 1 and not others


def seconds_to_start() -> float:
    """About how long a new process takes until it works."""
    return _FORK if can_fork() else _SPAWN


def work(
    task: Callable[[Item], Result], items: Items[Item], jobs: int, *, deaths: int = DEATHS, first: int | None = None
) -> Iterator[tuple[int, Result | Died]]:
    """The place of each item and what the task says of it, as they are done, up to `jobs` at once in other processes.

    Where a process must be started anew (`can_fork`) that takes a second: then `first` are started, and as many more as
    there are whenever items wait for longer than that. The items are taken in their order, and `items[place]` is asked
    for only when a process is free; again when one has died, until `deaths` processes died of the item. Tasks and
    results are pickled between these processes alone. Raises what the task raises, and OSError where no process can be
    started.
    """
    from multiprocessing.connection import wait

    todo = deque(range(len(items)))
    died: dict[int, tuple[int, ...]] = {}
    workers: list[_Worker[Item, Result]] = []
    jobs = min(jobs, len(items))
    most = jobs if first is None or can_fork() else max(1, min(first, jobs))
    more = time.monotonic() + _SPAWN
    try:
        while todo or any(worker.place is not None for worker in workers):
            lost: list[tuple[int, int]] = []
            if time.monotonic() >= more:
                most, more = min(2 * most, jobs), time.monotonic() + _SPAWN
            while todo and (worker := _free(workers, task, most)) is not None:
                place = todo.popleft()
                if not worker.take(place, items[place]):
                    lost.append((place, worker.code))
            busy = {worker.pipe: worker for worker in workers if worker.place is not None}
            patience = max(0.0, more - time.monotonic()) if todo and most < jobs else None
            for pipe in wait(list(busy), 0 if lost else patience):
                worker = busy[pipe]  # type: ignore[index]
                place, answer = worker.answer()
                if answer is None:
                    lost.append((place, worker.code))
                else:
                    yield place, answer.result()
            for place, code in lost:
                died[place] = (*died.get(place, ()), code)
                if len(died[place]) < deaths:
                    todo.appendleft(place)
                else:
                    yield place, Died(died[place])
            workers = [worker for worker in workers if worker.alive]
    finally:
        for worker in workers:
            worker.leave()
        for worker in workers:
            worker.end()


def in_order(found: Iterator[tuple[int, Result]]) -> Iterator[Result]:
    """Results in the order of their places, each as soon as those before it are there. Ctrl-C: what is there by then,
    and KeyboardInterrupt behind it."""
    waiting: dict[int, Result] = {}
    following = 0
    try:
        for place, result in found:
            waiting[place] = result
            while following in waiting:
                yield waiting.pop(following)
                following += 1
    except KeyboardInterrupt:
        for place in sorted(waiting):
            yield waiting[place]
        raise


@dataclass(frozen=True)
class _Answer(Generic[Result]):
    """What a task said, or raised."""

    value: Result | None
    error: Exception | None = None

    def result(self) -> Result:
        if self.error is not None:
            raise self.error
        return self.value  # type: ignore[return-value]


class _Worker(Generic[Item, Result]):
    """A process, our end of its pipe, and the place of the item that it has."""

    def __init__(self, task: Callable[[Item], Result], others: list[_Worker[Item, Result]]) -> None:
        """Start it; `others` are those that there are."""
        from multiprocessing import get_context

        fork = can_fork()
        context = get_context("fork" if fork else "spawn")
        self.pipe, theirs = context.Pipe()
        self.place: int | None = None
        self.alive = True
        # A copy has our ends of all pipes; while it keeps them open the others do not see that we are gone.
        ours = (self.pipe, *(other.pipe for other in others if other.alive)) if fork else ()
        self.process: BaseProcess = context.Process(target=_serve, args=(theirs, task, ours), daemon=True)  # type: ignore[attr-defined]
        with _held_back() if fork else deaf_from_birth(), warnings.catch_warnings():
            # Python counts the threads of OpenBLAS, see `can_fork`.
            warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
            others.append(self)
            self.process.start()
        theirs.close()

    @property
    def code(self) -> int:
        """How the process ended."""
        return self.process.exitcode or 0

    def take(self, place: int, item: Item) -> bool:
        """Hand out an item; whether there was a process to take it."""
        try:
            self.pipe.send(item)
        except (BrokenPipeError, ConnectionResetError):
            self.end()
            return False
        self.place = place
        return True

    def answer(self) -> tuple[int, _Answer[Result] | None]:
        """The place of its item, and what came through the pipe; None if the process died."""
        assert self.place is not None
        place, self.place = self.place, None
        try:
            found: _Answer[Result] = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            self.end()
            return place, None
        return place, found

    def leave(self) -> None:
        """Tell a process without work to end by itself, another one to stop."""
        self.pipe.close()
        if self.place is not None and self.process.pid is not None:
            self.process.terminate()

    def end(self) -> None:
        """Wait for its end; it does not outlive this."""
        self.alive, self.place = False, None
        self.pipe.close()
        if self.process.pid is None:  # Ctrl-C came before it was started.
            return
        self.process.join(_LEAVE)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _free(
    workers: list[_Worker[Item, Result]], task: Callable[[Item], Result], most: int
) -> _Worker[Item, Result] | None:
    """A process without work, a new one while there are fewer than `most`."""
    for worker in workers:
        if worker.place is None and worker.alive:
            return worker
    if sum(worker.alive for worker in workers) >= most:
        return None
    return _Worker(task, workers)


def _serve(pipe: Connection[Any, Any], task: Callable[[Any], object], theirs: tuple[Connection[Any, Any], ...]) -> None:
    """What a process does: answer, until the other end of the pipe is closed. `theirs`: what it has open of the process
    that it is a copy of."""
    deaf()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # What came with the copy is not looked through for garbage, and so stays shared memory.
    for other in theirs:
        other.close()
    while True:
        try:
            item = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = _Answer(task(item))
        except Exception as error:
            # Others cannot always be made again at the other end.
            known = type(error).__module__ == "builtins"
            answer = _Answer(None, error if known else RuntimeError(format_exc()))
        with suppress(OSError):
            try:
                pipe.send(answer)
            except OSError:
                return
            except Exception:  # What cannot be pickled is told as text.
                pipe.send(_Answer(None, RuntimeError(format_exc())))


__all__ = [
    "DEATHS",
    "Died",
    "Items",
    "NotStarted",
    "can_fork",
    "deaf",
    "deaf_from_birth",
    "in_order",
    "seconds_to_start",
    "work",
]
