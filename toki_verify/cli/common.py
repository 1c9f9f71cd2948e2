"""What commands share: where schedules come from, colours, progress, problems on stderr."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from ..inputs import Source, load, load_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..events import Problem
    from ..levels import Family
    from ..report.line import Line

#: How wide a report is that goes to a file or a pipe.
WIDTH = 110


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """PATH … and -e TEXT."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a .sched file, a .json or .jsonl file, a directory (searched for .sched and .jsonl), or -",
    )
    parser.add_argument(
        "-e", "--events", action="append", default=[], metavar="TEXT", help="a schedule given as text; may be repeated"
    )


def sources(arguments: argparse.Namespace) -> Iterator[Source]:
    """The sources of the arguments, in their order."""
    for index, text in enumerate(arguments.events, start=1):
        name = "<events>" if len(arguments.events) == 1 else f"<events {index}>"
        yield load_text(text, name)
    yield from load(arguments.paths)


def has_inputs(arguments: argparse.Namespace) -> bool:
    """Whether anything was named; a message if not."""
    if arguments.paths or arguments.events:
        return True
    print(
        f"toki-verify {arguments.command}: nothing to read: name a file, a directory, - for standard input, or "
        "-e 'r1[x0] …'",
        file=sys.stderr,
    )
    return False


def width() -> int:
    """The width of reports: of the terminal, or a fixed one where nobody looks."""
    return max(40, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH


def use_utf8() -> None:
    """From here on standard output is UTF-8, whatever the locale: what machines read has one encoding."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def coloured(stream: TextIO) -> bool:
    """Whether to colour: on a terminal, unless NO_COLOR is set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def show(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Print lines as they come."""
    from ..report.plain import visible

    target = stream or sys.stdout
    if not coloured(target):
        for entry in lines:
            target.write(visible(entry.plain).rstrip() + "\n")
        return
    from rich.console import Console

    from ..report.line import Line

    out = Console(file=target, highlight=False, soft_wrap=True, markup=False, emoji=False)
    for entry in lines:
        out.print(Line(tuple((visible(text), style) for text, style in entry.pieces)).rich())


def print_problems(problems: list[Problem]) -> None:
    """Problems of an input, on stderr."""
    if problems:
        from ..report.text import problem_lines

        show((entry for problem in problems for entry in problem_lines(problem)), sys.stderr)


def user_levels(file: str | None) -> Family | None:
    """The levels of a file. Raises OSError, ScheduleError."""
    if file is None:
        return None
    from ..events import ScheduleError
    from ..inputs import decode, read_bytes
    from ..levels.user import parse_levels

    text, problem = decode(read_bytes(file), file)
    if problem is not None:
        raise ScheduleError([problem])
    return parse_levels(text, file=file)


@contextmanager
def progress(label: str) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr that appears after a second, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from time import monotonic

    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    begun = monotonic()
    bar = Progress(
        SpinnerColumn(),
        TextColumn(label),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    )
    task = bar.add_task(label, total=None)
    shown = False

    def advance() -> None:
        nonlocal shown
        if not shown and monotonic() - begun > 1:
            bar.start()
            shown = True
        bar.advance(task)

    try:
        yield advance
    finally:
        if shown:
            bar.stop()


def tell(text: str) -> None:
    """Say something on stderr, in one line in which nothing of the input can hide."""
    from ..report.plain import visible

    print(visible(text), file=sys.stderr)


def refused(command: str, reason: object) -> int:
    """Say why a command was not run, in one line in which nothing of the input can hide; the exit code."""
    from .main import BAD_INPUT

    tell(f"toki-verify {command}: {reason}")
    return BAD_INPUT
