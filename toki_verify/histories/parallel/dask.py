"""Many files, one task a file, on a Dask cluster: one of this machine, or one that is there already.

Workers elsewhere get what a file holds, so they need no disk of ours; results come back as objects. Both travel as Dask
sends them, pickled: who can reach a scheduler can run code on its workers and here. Files themselves stay data.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from typing import Any, Final

from ... import __version__
from ...events import Problem
from ...processes import NotStarted, in_order
from ..one_file import HistoryOptions, TraceOptions, check_one, load
from .check_files import Check, Inputs, Options, Said, Tell, counted, read_and_check
from .own_cluster import own_cluster

#: Seconds to wait for a scheduler, and for a first worker.
CONNECT: Final = 5
#: Seconds without any worker after which files are given up.
ALONE: Final = 30.0
#: Times that a task is tried again where a worker did not die but lost it.
_RETRIES: Final = 2
#: Tasks that are handed out for each thread of the workers: the bytes of more files are not held.
_AHEAD: Final = 2
#: Of a cluster of our own: a worker has one file at a time, and a file that two workers died of is given up.
_SETTINGS: Final = {"distributed.scheduler.worker-saturation": 1.0, "distributed.scheduler.allowed-failures": 1}


def check_on_dask(
    paths: Sequence[str],
    options: Options,
    address: str | None,
    jobs: int | None = None,
    *,
    check: Check = check_one,
    tell: Tell | None = None,
) -> Iterator[Said]:
    """What `check` says of each path, in their order, from the workers of the scheduler at `address`, or else of a
    cluster of `jobs` processes of this machine (one a core, if that is None).

    A file whose worker dies is checked by another; one of which several workers died gets a problem in place of a
    result, and so do all that are left when there has been no worker for `ALONE` seconds. Ctrl-C: what is finished, and
    KeyboardInterrupt behind it. Raises NotStarted where the extra `dask`, the scheduler or its workers are missing, and
    what `check` raises.
    """
    items = Inputs(paths, contents=address is not None)
    return in_order(counted(_found(paths, items, options, address, jobs, check), tell))


def _found(
    paths: Sequence[str], items: Inputs, options: Options, address: str | None, jobs: int | None, check: Check
) -> Iterator[tuple[int, Said]]:
    """The number of each path and what is said of it, as they are done."""
    with _quiet(), _client(address, jobs, len(items)) as client:
        tasks = _Tasks(client, items, partial(read_and_check, check, options))
        try:
            for place, found in tasks.done():
                at = items.turn[place]
                yield at, found or _lost(paths[at], "the worker that had it died, time after time")
        except _Gone as gone:
            for place in tasks.left:
                yield items.turn[place], _lost(paths[items.turn[place]], str(gone))


class _Gone(Exception):
    """There is nobody who would answer: why."""


class _Tasks:
    """The files as tasks of a cluster. `left`: the places of those that are not done."""

    def __init__(self, client: Any, items: Inputs, task: Callable[[Any], Said]) -> None:
        self.client, self.items, self.task = client, items, task
        self.left = dict.fromkeys(range(len(items)))
        self._out: dict[Any, int] = {}

    def done(self) -> Iterator[tuple[int, Said | None]]:
        """The place of each file and what is said of it, as they are done; None: its workers died. Raises _Gone."""
        todo = deque(self.left)
        # Files that a worker died of, perhaps for another file that it had: at last they are checked one by one.
        suspects: deque[int] = deque()
        tried: set[int] = set()
        ahead = _AHEAD * max(1, sum(self.client.nthreads().values()))
        while self.left:
            while (todo and len(self._out) < ahead) or (suspects and not self._out):
                self._submit(todo.popleft() if todo else suspects.popleft())
            for place, found in self._wait():
                if found is None and place not in tried:
                    tried.add(place)
                    suspects.append(place)
                else:
                    del self.left[place]
                    yield place, found

    def _submit(self, place: int) -> None:
        with _reaching():
            future = self.client.submit(self.task, self.items[place], pure=False, retries=_RETRIES)
        self._out[future] = place

    def _wait(self) -> list[tuple[int, Said | None]]:
        """What is done next. Raises _Gone."""
        alone = 0.0
        while True:
            try:
                with _reaching():
                    done = _distributed().wait(list(self._out), timeout=1.0, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                with _reaching():
                    alone = 0.0 if self.client.nthreads() else alone + 1.0
                if alone >= ALONE:
                    raise _Gone(f"no worker for {ALONE:.0f} seconds") from None
                continue
            with _reaching():
                return [(self._out.pop(future), _result(future)) for future in done]


@contextmanager
def _reaching() -> Iterator[None]:
    """Raises _Gone where the scheduler cannot be reached any more."""
    try:
        yield
    except TimeoutError:
        raise
    except (CancelledError, OSError) as error:
        raise _Gone("the scheduler is gone") from error


def _result(future: Any) -> Said | None:
    """What came of a task; None if workers died of it."""
    try:
        found: Said = future.result()
    except _distributed().KilledWorker:
        return None
    finally:
        future.release()
    return found


def _lost(path: str, why: str) -> Said:
    return None, [
        Problem(f"not checked: {why}", "workers that can check it (have they memory enough?)", "worker", file=path)
    ]


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask tells of dying workers on stderr; what has come of the files is said in the report."""
    before = logging.root.manager.disable
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(before)


@contextmanager
def _client(address: str | None, jobs: int | None, files: int) -> Iterator[Any]:
    """A client with workers that can check files. Raises NotStarted."""
    distributed = _distributed()
    with ExitStack() as stack:
        if address is None:
            workers = min(jobs or os.cpu_count() or 1, max(1, files))
            stack.enter_context(import_module("dask.config").set(_SETTINGS))
            cluster = stack.enter_context(own_cluster(distributed, workers))
            yield stack.enter_context(distributed.Client(cluster))
            return
        try:
            client = stack.enter_context(distributed.Client(address, timeout=CONNECT))
        except (OSError, ValueError, TypeError) as error:
            raise NotStarted(f"--dask {address}: no scheduler answers there ({_first_line(error)})") from error
        _same_everywhere(client, address)
        yield client


def _same_everywhere(client: Any, address: str) -> None:
    """Raises NotStarted unless all workers have this version: else results might not be those of this machine."""
    try:
        client.wait_for_workers(1, timeout=CONNECT)
    except TimeoutError as error:
        raise NotStarted(f"--dask {address}: the scheduler has no workers") from error
    install = f"pip install 'toki-verify[histories,solvers,dask]=={__version__}' on each worker"
    try:
        versions: dict[str, Any] = client.run(version)
    except Exception as error:
        raise NotStarted(
            f"--dask {address}: its workers cannot check histories ({_first_line(error)}): {install}"
        ) from error
    other = {found for found in versions.values() if found != __version__}
    if other:
        raise NotStarted(f"--dask {address}: its workers have version {', '.join(sorted(other))}: {install}")


def version() -> str:
    """The version of this package where it is called. Raises ImportError where the extra `histories` is missing."""
    load(HistoryOptions())
    load(TraceOptions())
    return __version__


def _distributed() -> Any:
    """The package, which says little of its types. Raises NotStarted where it is missing."""
    try:
        return import_module("distributed")
    except ModuleNotFoundError as error:
        raise NotStarted(
            f"--dask needs the extra `dask` ({error.name} is missing): pip install 'toki-verify[dask]'"
        ) from error


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]


__all__ = ["ALONE", "CONNECT", "check_on_dask", "version"]
