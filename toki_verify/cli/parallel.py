"""--jobs and --dask: the files of a command in several processes, or on the workers of a Dask cluster."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from ..processes import NotStarted
from .opened import shown

if TYPE_CHECKING:
    from ..histories.columnar.decide import Tell
    from ..histories.parallel.check_files import Options, Said

#: As many processes as anybody has.
MOST = 256
#: --dask without an address.
LOCAL = ""
#: Seconds after which a bar moves, whether or not a file is finished.
_AGAIN = 0.5
_ADDRESS = re.compile(r"(?:\w+://)?[\w.\-\[\]:%]+:\d+/?")


def add_parallel_arguments(group: argparse._ActionsContainer) -> None:
    """--jobs and --dask."""
    group.add_argument(
        "--jobs",
        type=int,
        default=None,
        metavar="N",
        help="so many processes: for several files, or for the independent parts of one history (default: 1)",
    )
    group.add_argument(
        "--dask",
        nargs="?",
        const=LOCAL,
        metavar="ADDRESS",
        help="check files on the workers of the Dask scheduler at this address, such as tcp://host:8786; without one, "
        "on a cluster of --jobs processes of this machine",
    )


def wrong_parallel(arguments: argparse.Namespace) -> str | None:
    """What is wrong with the two, or None."""
    jobs, address = arguments.jobs, arguments.dask
    if jobs is not None and not 1 <= jobs <= MOST:
        return f"--jobs is {jobs}, expected 1 to {MOST}"
    if address in (None, LOCAL):
        return None
    if not _ADDRESS.fullmatch(address) or Path(address).exists():
        return f"--dask {address}: no address such as tcp://host:8786; for a cluster of this machine put --dask last"
    return f"--jobs is for a cluster of this machine, not for the one at {address}" if jobs is not None else None


def is_parallel(paths: Sequence[str], arguments: argparse.Namespace) -> bool:
    """Whether other processes check the files, each as a whole."""
    return arguments.dask is not None or ((arguments.jobs or 1) > 1 and len(paths) > 1)


def results(
    paths: Sequence[str],
    options: Options,
    arguments: argparse.Namespace,
    follow: Callable[[str], Tell | None] = lambda path: None,
) -> Generator[Said, None, None]:
    """What `histories.one_file.check_one` says of each path, in their order, in whatever way the arguments ask for.

    `follow` gives for a path the function that is told how far it is; where other processes check the files it is
    called once, and told again and again how many are done. `arguments.kept` has, by their paths, the bytes of what can
    be read only once, which is checked here. Ctrl-C: what is finished, and KeyboardInterrupt behind it. Raises
    NotStarted where processes or a cluster are not to be had.
    """
    from ..histories.one_file import HistoryOptions, check_one

    kept: dict[str, bytes] = getattr(arguments, "kept", {})
    if not is_parallel(paths, arguments):
        if isinstance(options, HistoryOptions) and arguments.jobs is not None:
            options = replace(options, jobs=arguments.jobs)
        for path in paths:
            yield check_one((kept[path], shown(path)) if path in kept else path, options, follow(path))
        return
    with _counting(follow(f"{len(paths)} files"), len(paths)) as count:
        others = [path for path in paths if path not in kept]
        elsewhere = _elsewhere(others, options, arguments, count)
        for path in paths:
            if path not in kept:
                yield next(elsewhere)
                continue
            yield check_one((kept[path], shown(path)), options)
            count(None)


def _elsewhere(
    paths: Sequence[str], options: Options, arguments: argparse.Namespace, count: Callable[[int | None], None]
) -> Iterator[Said]:
    """What other processes say of each path, in their order."""
    if not paths:
        return
    if arguments.dask is not None:
        from ..histories.parallel.dask import check_on_dask

        yield from check_on_dask(paths, options, arguments.dask or None, arguments.jobs, tell=count)
        return
    from ..histories.parallel.check_files import check_at_once

    try:
        yield from check_at_once(paths, options, arguments.jobs, tell=count)
    except OSError as error:
        raise NotStarted(f"no process can be started: {error.strerror or error}") from error


@contextmanager
def _counting(tell: Tell | None, total: int) -> Iterator[Callable[[int | None], None]]:
    """A function that is told how many files are done elsewhere, or (None) that one more is done here. `tell` hears the
    sum then, and from time to time: a bar that waits for a second to pass is not to wait for the first file."""
    there = here = 0

    def say() -> None:
        if tell is not None:
            tell("checked", there + here, total)

    def count(done: int | None) -> None:
        nonlocal there, here
        there, here = (there, here + 1) if done is None else (done, here)
        say()

    over = Event()

    def again() -> None:
        while not over.wait(_AGAIN):
            say()

    ticking = Thread(target=again, daemon=True)
    say()
    ticking.start()
    try:
        yield count
    finally:
        over.set()
        ticking.join()


__all__ = ["LOCAL", "MOST", "add_parallel_arguments", "is_parallel", "results", "wrong_parallel"]
