"""--jobs and --dask: the files of a command in several processes, or on the workers of a Dask cluster."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ..processes import NotStarted

if TYPE_CHECKING:
    from ..histories.columnar.decide import Tell
    from ..histories.parallel.check_files import Options, Said

#: As many processes as anybody has.
MOST = 256
#: --dask without an address.
LOCAL = ""
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
) -> Iterator[Said]:
    """What `histories.one_file.check_one` says of each path, in their order, in whatever way the arguments ask for.

    `follow` gives for a path the function that is told how far it is; where other processes check the files it is
    called once, and told how many are done. Ctrl-C: what is finished, and KeyboardInterrupt behind it. Raises
    NotStarted where processes or a cluster are not to be had.
    """
    if not is_parallel(paths, arguments):
        from ..histories.one_file import HistoryOptions, check_one

        if isinstance(options, HistoryOptions) and arguments.jobs is not None:
            options = replace(options, jobs=arguments.jobs)
        for path in paths:
            yield check_one(path, options, follow(path))
        return
    tell = follow(f"{len(paths)} files")

    def count(done: int) -> None:
        if tell is not None:
            tell("checked", done, len(paths))

    if arguments.dask is not None:
        from ..histories.parallel.dask import check_on_dask

        yield from check_on_dask(paths, options, arguments.dask or None, arguments.jobs, tell=count)
        return
    from ..histories.parallel.check_files import check_at_once

    try:
        yield from check_at_once(paths, options, arguments.jobs, tell=count)
    except OSError as error:
        raise NotStarted(f"no process can be started: {error.strerror or error}") from error
