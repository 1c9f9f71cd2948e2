"""What commands share: where schedules come from, colours, progress, problems on stderr."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..inputs import Source, load, load_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console

    from ..events import Problem


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """PATH … and -e TEXT."""
    parser.add_argument("paths", nargs="*", metavar="PATH",
                        help="a .sched file, a .json or .jsonl file, a directory (searched for .sched and .jsonl), or -")
    parser.add_argument("-e", "--events", action="append", default=[], metavar="TEXT",
                        help="a schedule given as text; may be repeated")


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
    print(f"toki-verify {arguments.command}: nothing to read: name a file, a directory, - for standard input, or "
          "-e 'r1[x0] …'", file=sys.stderr)
    return False


def console(stream: str = "stdout", *, width: int | None = None) -> Console:
    """A console: colours on a terminal only, NO_COLOR respected, width fixed where nobody looks."""
    from rich.console import Console

    target = sys.stdout if stream == "stdout" else sys.stderr
    terminal = target.isatty()
    return Console(file=target, highlight=False, soft_wrap=True, markup=False, emoji=False,
                   no_color=bool(os.environ.get("NO_COLOR")) or not terminal,
                   width=width or (None if terminal else 110))


def print_problems(problems: list[Problem]) -> None:
    """Problems of an input, on stderr."""
    if not problems:
        return
    from ..report.text import problem_lines

    out = console("stderr")
    for problem in problems:
        for line in problem_lines(problem):
            out.print(line)


@contextmanager
def progress(label: str) -> Iterator[Callable[[], None]]:
    """A progress bar on stderr that appears after a second, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from time import monotonic

    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    begun = monotonic()
    bar = Progress(SpinnerColumn(), TextColumn(label), MofNCompleteColumn(), TimeElapsedColumn(),
                   console=console("stderr"), transient=True)
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
