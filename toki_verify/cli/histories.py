"""`toki-verify check` on black-box histories: formats of the field, session levels."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from math import isfinite
from typing import TYPE_CHECKING

from ..events.limits import EVENTS
from ..levels import DEFAULT_FAMILY
from .common import refused, width
from .history_input import Files, add_format, as_they_come, check_files, ended, to_reader, with_extra, wrong_limit
from .parallel import add_parallel_arguments, wrong_parallel
from .session_names import hint
from .version_order import add_version_order

if TYPE_CHECKING:
    from ..events import Problem
    from ..histories.checked import Checked
    from ..report.line import Line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `check` that are for histories, and those that are for large traces, too."""
    group = parser.add_argument_group(
        "histories", "of Plume, AWDIT, Jepsen, elle-cli, dbcop, TimeKiller (docs/histories.md); not for traces:"
    )
    add_format(
        group,
        "what a read of nil or 0 saw: nil is the initial value; 0 is, too; every value was written by somebody; "
        "auto: 0 is where nobody writes it to the key (default)",
    )
    group.add_argument("--seconds", type=float, metavar="S", help="stop solvers after so long: undecided")
    group.add_argument("--real-time", action="store_true", help="what ended before another began comes first, too")
    add_version_order(group)
    group.add_argument(
        "--timestamps", action="store_true", help="with --evidence, start and commit numbers that show SI, too"
    )
    group.add_argument(
        "--no-smallest", action="store_true", help="do not look for the smallest part that refutes a level"
    )
    group = parser.add_argument_group(f"histories and traces of more than {EVENTS} events")
    group.add_argument("--skip-bad", action="store_true", help="leave out lines that cannot be read, and count them")
    group.add_argument(
        "--limit",
        type=int,
        default=3,
        metavar="N",
        help="of what is found in many places, how many of the places are listed (default: 3)",
    )
    add_parallel_arguments(group)


def run(arguments: argparse.Namespace) -> int:
    """Check every history named; the exit code."""
    for option, value in (
        ("--no", arguments.absent),
        ("--levels", arguments.levels),
        ("--family", arguments.family not in (DEFAULT_FAMILY, "session")),
    ):
        if value:
            return refused("check", f"{option} is for schedules and traces: of a history session levels are decided")
    if arguments.timestamps and not arguments.evidence:
        return refused("check", "--timestamps says how to show a level, expected --evidence with it")
    reason = wrong_limit(arguments) or _wrong_seconds(arguments) or wrong_parallel(arguments)
    return refused("check", reason) if reason else with_extra(arguments, _run)


def _wrong_seconds(arguments: argparse.Namespace) -> str | None:
    """What is wrong with --seconds, or None."""
    seconds = arguments.seconds
    if seconds is None or (isfinite(seconds) and seconds >= 0):
        return None
    return f"--seconds is {seconds:g}, expected a finite number, 0 or more"


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.checked import LEVELS
    from ..histories.one_file import HistoryOptions

    declared = arguments.level
    if declared is not None:
        declared = declared.removeprefix("session:")
        if declared not in LEVELS:
            expected = f"expected one of {', '.join(LEVELS)}{hint(declared)}"
            return refused("check", f"{arguments.level} is no session level, {expected}")
    options = HistoryOptions(
        format=arguments.format,
        initial=arguments.initial,
        skip_bad=arguments.skip_bad,
        declared=declared,
        seconds=arguments.seconds,
        realtime=arguments.real_time,
        smallest=not arguments.no_smallest,
        version_order=arguments.version_order,
    )
    files: Files[Checked] = Files(say=as_they_come(arguments, lambda one: _lines(arguments, one), _data(arguments)))
    check_files(arguments, options, files)
    if files.say is None:
        to_reader(lambda: _report(arguments, files.found, files.problems))
    return ended(files, arguments.output)


def _lines(arguments: argparse.Namespace, checked: Checked) -> Iterable[Line]:
    from ..report.history import history_lines

    return history_lines(checked, width(), arguments.limit)


def _data(arguments: argparse.Namespace) -> Callable[[Checked], object]:
    def data(checked: Checked) -> object:
        from ..report.history_data import history_object

        return history_object(checked, evidence=arguments.evidence, timestamps=arguments.timestamps)

    return data


def _report(arguments: argparse.Namespace, found: list[Checked], problems: list[Problem]) -> None:
    """A report of all histories, in a form that is one."""
    if arguments.output == "json":
        print(json.dumps(list(map(_data(arguments), found)), ensure_ascii=False, indent=1))
        return
    from ..report import history_ci

    sys.stdout.write(getattr(history_ci, arguments.output)(found, problems))
