"""`toki-verify census`: count every small schedule, level × phenomenon."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from ..levels import DEFAULT_FAMILY, families
from ..phenomena.catalogue import UnknownName
from ..search.census_counts import LIMITS, CensusBounds
from ..search.limits import Unfit
from .common import use_utf8, width
from .main import BAD_INPUT, OK

EPILOG = """\
A census makes every complete schedule of reads, writes, commits and aborts within the bounds once, up to the names of
transactions, items and versions, and counts those that are at a level and show a phenomenon. A 0 is therefore a proof
for schedules of this size.

examples:
  toki-verify census --events 7 --transactions 3 --items 2
  toki-verify census --events 8 --exactly --jobs 2 -o markdown
  toki-verify census --events 6 --family adya --family session -o json
  toki-verify census --events 10 --jobs 8 --resume census.jsonl
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    most = {name: high for name, (_, high, _) in LIMITS.items()}
    parser.add_argument(
        "--events", type=int, required=True, metavar="N", help=f"up to so many events (at most {most['events']})"
    )
    parser.add_argument("--exactly", action="store_true", help="just so many events instead of up to so many")
    parser.add_argument(
        "--transactions",
        type=int,
        default=3,
        metavar="N",
        help=f"up to so many transactions (default: 3, at most {most['transactions']})",
    )
    parser.add_argument(
        "--items", type=int, default=2, metavar="N", help=f"up to so many items (default: 2, at most {most['items']})"
    )
    parser.add_argument(
        "--family",
        action="append",
        default=[],
        metavar="NAME",
        help=f"a family whose levels are counted, {', '.join(families())}; may be repeated (default: {DEFAULT_FAMILY})",
    )
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many processes at once (default: 1)")
    parser.add_argument(
        "--resume", metavar="FILE", help="keep what is counted in this file, and go on from what it holds"
    )
    parser.add_argument(
        "-o", "--output", choices=("text", "json", "markdown"), default="text", help="the form (default: text)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Count; the exit code."""
    # What takes long to import waits until the arguments make sense.
    try:
        bounds = CensusBounds(
            arguments.events,
            arguments.transactions,
            arguments.items,
            arguments.exactly,
            tuple(arguments.family) or (DEFAULT_FAMILY,),
        ).checked()
        if not 1 <= arguments.jobs <= 256:
            raise Unfit(f"{arguments.jobs} jobs", f"1 to 256: more than this machine's {os.cpu_count()} do not help")
    except (Unfit, UnknownName) as error:
        return _failed(str(error))
    from concurrent.futures.process import BrokenProcessPool

    from ..report.census import census_markdown, census_text, range_text
    from ..search.census_run import BadCheckpoint, take_census

    begun = monotonic()
    again = (
        f"run the same command again to go on from {arguments.resume}"
        if arguments.resume
        else "with --resume FILE a census can go on where it was interrupted"
    )
    try:
        with _bar(f"counting {range_text(bounds)}") as progress:
            result = take_census(
                bounds,
                jobs=arguments.jobs,
                checkpoint=None if arguments.resume is None else Path(arguments.resume),
                progress=progress,
            )
    except BadCheckpoint as error:
        return _failed(str(error))
    except OSError as error:
        return _failed(f"{arguments.resume or 'starting processes'}: {error.strerror or error}")
    except BrokenProcessPool:
        return _failed(f"a process ended before its work was done, perhaps for want of memory; {again}")
    except KeyboardInterrupt:
        print(f"interrupted; {again}", file=sys.stderr)
        return 130
    if arguments.output == "json":
        use_utf8()
        sys.stdout.write(json.dumps(result.as_json(), ensure_ascii=False, indent=1) + "\n")
    elif arguments.output == "markdown":
        use_utf8()
        sys.stdout.write(census_markdown(result))
    else:
        sys.stdout.write(census_text(result, width()))
        print(f"{monotonic() - begun:.1f} seconds", file=sys.stderr)
    return OK


def _failed(message: str) -> int:
    print(f"toki-verify census: {message}", file=sys.stderr)
    return BAD_INPUT


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int, int], None]]:
    """A progress bar with a whole on stderr, on a terminal only, that appears after a second."""
    if not sys.stderr.isatty():
        yield lambda done, whole, schedules: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:.0f} %"))
    times = (TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
    console = Console(file=sys.stderr)
    bar = Progress(*columns, *times, console=console, transient=True)
    task = bar.add_task("counting")
    begun = monotonic()
    shown = False

    def progress(done: int, whole: int, schedules: int) -> None:
        nonlocal shown
        bar.update(task, completed=done, total=whole, description=f"{schedules:,} schedules")
        if not shown and monotonic() - begun > 1:
            console.print(label)
            bar.start()
            shown = True

    try:
        yield progress
    finally:
        if shown:
            bar.stop()
