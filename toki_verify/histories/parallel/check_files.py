"""Many files, each checked in one of several processes: results in the order of the paths, as in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from ...events import Problem
from ...inputs import STDIN
from ...processes import Died, in_order, work
from ..one_file import HistoryOptions, Input, TraceOptions, check_one, load, read_path

Options = HistoryOptions | TraceOptions
#: What `check_one` says of a file: a result or None, and problems.
Said = tuple[Any, list[Problem]]
#: `check_one`, or a stand-in for it: a function of a module, so that other processes find it.
Check = Callable[[Input, Any], Said]
#: Told how many files are done.
Tell = Callable[[int], None]
#: Bytes of files for each process that is started anew: they are read and checked while it starts.
WORTH: Final = 8_000_000


def check_at_once(
    paths: Sequence[str], options: Options, jobs: int, *, check: Check = check_one, tell: Tell | None = None
) -> Iterator[Said]:
    """What `check` says of each path, in their order; `jobs` processes work at once.

    A file whose process dies is checked again in a new one; where that goes on (`processes.DEATHS`) there is a problem
    in place of a result. Ctrl-C: what is finished, and KeyboardInterrupt behind it. Raises what `check` raises, and
    OSError where no process can be started.
    """
    items = Inputs(paths)
    load(options)
    found = work(partial(read_and_check, check, options), items, jobs, first=items.size // WORTH)
    named = ((items.turn[place], one) for place, one in found)
    return in_order(counted(((at, said(paths[at], one)) for at, one in named), tell))


def counted(found: Iterator[tuple[int, Said]], tell: Tell | None) -> Iterator[tuple[int, Said]]:
    """The same, and `tell` hears how many there were."""
    for done, one in enumerate(found, start=1):
        if tell is not None:
            tell(done)
        yield one


def read_and_check(check: Check, options: Options, source: Input | Problem) -> Said:
    """What `check` says of a file, or why it could not be read."""
    return (None, [source]) if isinstance(source, Problem) else check(source, options)


def said(path: str, found: Said | Died) -> Said:
    """What is said of a file, also where all processes died of it."""
    if isinstance(found, Died):
        what, expected = f"not checked: {found}", "a file that a process of this machine can check (is memory enough?)"
        return None, [Problem(what, expected, "process", file=path)]
    return found


class Inputs:
    """The files, the largest first, so that no process ends late; `turn` says which path is which item, `size` how many
    bytes they have. With `contents` they are read here; standard input always is, once, and kept for the case that it
    is asked for again."""

    def __init__(self, paths: Sequence[str], *, contents: bool = False) -> None:
        self.paths, self.contents = paths, contents
        sizes = [_size(path) for path in paths]
        self.size = sum(sizes)
        self.turn = sorted(range(len(paths)), key=lambda at: -sizes[at])
        self._kept: dict[int, Input | Problem] = {}

    def __len__(self) -> int:
        return len(self.turn)

    def __getitem__(self, place: int, /) -> Input | Problem:
        path = self.paths[self.turn[place]]
        if place in self._kept:
            return self._kept[place]
        if path != STDIN and not self.contents:
            return path
        data, name, problem = read_path(path)
        source = (data, name) if problem is None else problem
        if path == STDIN:
            self._kept[place] = source
        return source


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size if path != STDIN else 0
    except (OSError, ValueError):
        return 0


__all__ = ["Check", "Inputs", "Options", "Said", "Tell", "check_at_once", "counted", "read_and_check", "said"]
