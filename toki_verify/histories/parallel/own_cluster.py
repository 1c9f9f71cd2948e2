"""A Dask cluster of this machine, that ends at once where the command ends early."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Final

from ...processes import NotStarted, deaf_from_birth

#: Seconds in which a cluster has to be there. It takes about two; a process that dies as it begins can leave the others
#: to wait for it for ever.
_START: Final = 120.0
#: Seconds that a cluster without processes may take to close.
_CLOSE: Final = 2.0
#: Seconds after which processes that came meanwhile are killed, too.
_AGAIN: Final = 0.02


@contextmanager
def own_cluster(distributed: Any, workers: int) -> Iterator[Any]:
    """A cluster of so many processes, with a thread each, on the loopback address.

    It is made in a thread, so that Ctrl-C is heard meanwhile; its processes never hear it. Where the block ends with an
    exception (Ctrl-C is one) its processes are killed; else they are told to end. Raises NotStarted where one of them
    dies, or cannot be had, before all are there, or where they are not there in two minutes.
    """
    others = set(active_children())
    made: Future[Any] = Future()
    with TemporaryDirectory(prefix="toki-verify-dask-", ignore_cleanup_errors=True) as place:

        def make() -> None:
            try:
                cluster = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=True,
                    host="127.0.0.1",
                    dashboard_address=None,
                    memory_limit=0,
                    local_directory=place,
                    silence_logs=logging.CRITICAL + 1,
                )
            except BaseException as error:
                made.set_exception(error)
            else:
                made.set_result(cluster)

        try:
            # Processes and threads that this thread starts have from it that Ctrl-C does not reach them.
            with deaf_from_birth():
                Thread(target=make, daemon=True).start()
            try:
                cluster = made.result(_START)
            except Exception as error:
                said = (str(error).strip() or type(error).__name__).splitlines()[0]
                if not made.done():
                    said = f"none was there after {_START:g} s"
                raise NotStarted(f"--dask: no cluster can be started on this machine ({said})") from error
            yield cluster
        except BaseException:
            with _killed(others), suppress(Exception):
                made.result(_CLOSE).close(_CLOSE)
            raise
        cluster.close()


@contextmanager
def _killed(others: set[BaseProcess]) -> Iterator[None]:
    """Meanwhile every process that this one started is killed, but for the others: also those that come in place of
    the killed."""
    done = Event()

    def kill() -> None:
        while True:
            for process in set(active_children()) - others:
                process.kill()
            if done.wait(_AGAIN):
                return

    killer = Thread(target=kill, daemon=True)
    killer.start()
    try:
        yield
    finally:
        done.set()
        killer.join()


__all__ = ["own_cluster"]
