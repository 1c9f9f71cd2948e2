"""What `design` and `designs` share: bounds, the progress bar, a design that cannot be explored."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from .main import BAD_INPUT, OK, to_nowhere

if TYPE_CHECKING:
    from ..designs.verify import Progress

#: Writers and crashes that may be asked for: beyond them nothing ends in a day.
WRITERS, CRASHES = 6, 4


def add_bounds(parser: argparse.ArgumentParser) -> None:
    """--writers, --crashes, --seconds, --jobs."""
    parser.add_argument(
        "--writers", type=int, default=2, metavar="N", help=f"up to so many (default: 2, at most {WRITERS})"
    )
    parser.add_argument(
        "--crashes", type=int, default=1, metavar="N", help=f"up to so many (default: 1, at most {CRASHES})"
    )
    parser.add_argument(
        "--seconds",
        type=float,
        metavar="S",
        help="stop after so long: what is open then is undecided (default: no limit)",
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many processes (default: 1)")


def wrong_bounds(arguments: argparse.Namespace) -> str | None:
    """What is wrong with the bounds, or None."""
    for name, value, least, most in (
        ("writers", arguments.writers, 1, WRITERS),
        ("crashes", arguments.crashes, 0, CRASHES),
        ("jobs", arguments.jobs, 1, 64),
    ):
        if not least <= value <= most:
            return f"--{name} is {value}, expected {least} to {most}"
    if arguments.seconds is not None and not arguments.seconds > 0:
        return f"--seconds is {arguments.seconds:g}, expected more than 0"
    return None


def watched(command: Callable[[], int]) -> int:
    """The exit code of a command that runs a user's code, from a process that is ended where that code hangs."""
    from ..designs.supervise import supervised

    def inside() -> int:
        try:
            code = command()
            sys.stdout.flush()
            return code
        except BrokenPipeError:
            to_nowhere(sys.stdout)
            return OK
        except KeyboardInterrupt:
            print("interrupted", file=sys.stderr)
            return 130
        except OSError as error:
            to_nowhere(sys.stdout)
            print(f"toki-verify: writing the result failed: {error.strerror or error}", file=sys.stderr)
            return BAD_INPUT

    return supervised(inside)


@contextmanager
def exploring(label: str) -> Iterator[tuple[Callable[[Progress], None], Callable[[str], None]]]:
    """A progress bar on stderr, after a second and on a terminal only: how far the bound is explored, the rate, what
    remains. The second function says what is explored."""
    if not sys.stderr.isatty():
        yield lambda progress: None, lambda text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    begun = monotonic()
    bar = Bar(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[runs]:,} schedules, {task.fields[rate]:,.0f} a second"),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    )
    task = bar.add_task(label, total=None, runs=0, rate=0.0)
    shown = False
    what = [label]

    def show() -> None:
        nonlocal shown
        if not shown and monotonic() - begun > 1:
            bar.start()
            shown = True

    def tell(progress: Progress) -> None:
        show()
        bar.update(
            task,
            description=f"{what[0]}: {progress.bound}",
            completed=progress.done,
            total=progress.tasks,
            runs=progress.runs,
            rate=progress.runs / max(monotonic() - begun, 0.001),
        )

    def say(text: str) -> None:
        show()
        what[0] = text
        bar.update(task, description=text, completed=0)

    try:
        yield tell, say
    finally:
        if shown:
            bar.stop()
