"""What commands on histories and large traces share: reading a path whole, formats and initial values, the extra."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..inputs import STDIN, problem_of
from .common import refused
from .main import to_nowhere

if TYPE_CHECKING:
    from ..events import Problem

_MISSING = "histories need the extra `histories` ({name} is missing): pip install 'toki-verify[histories,solvers]'"


def add_format(parser: argparse._ActionsContainer, initial: str = "as in `toki-verify check`") -> None:
    """--format and --initial; `initial` is the help of the latter."""
    parser.add_argument("--format", metavar="NAME", help="the format of a history (default: by its content)")
    parser.add_argument("--initial", choices=("auto", "nil", "zero", "written"), default="auto", help=initial)


def with_extra(arguments: argparse.Namespace, go: Callable[[argparse.Namespace], int]) -> int:
    """Run a command that needs the extra; where it is missing the message names it. The exit code.

    A format that is none is refused before anything is read.
    """
    try:
        from ..histories.formats import FORMATS

        if arguments.format not in (None, *FORMATS):
            expected = ", ".join(FORMATS)
            return refused(arguments.command, f"no format {arguments.format}, expected one of {expected}")
        return go(arguments)
    except ModuleNotFoundError as error:
        return refused(arguments.command, _MISSING.format(name=error.name))


def read_path(path: str) -> tuple[bytes, str, Problem | None]:
    """The bytes of a path, its name, and why it cannot be read. Nothing is cut off: readers have their own limits."""
    name = "<stdin>" if path == STDIN else path
    try:
        return (sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()), name, None
    except OSError as error:
        return b"", name, problem_of(name, error)


def contents(paths: Iterable[str], problems: list[Problem]) -> Iterator[tuple[bytes, str]]:
    """The bytes and the name of each path that can be read; of the others `problems` gets why not."""
    for path in paths:
        data, name, problem = read_path(path)
        if problem is None:
            yield data, name
        else:
            problems.append(problem)


def to_reader(report: Callable[[], None]) -> None:
    """Print a report; a reader that has gone does not change the exit code."""
    try:
        report()
        sys.stdout.flush()
    except BrokenPipeError:
        to_nowhere(sys.stdout)
