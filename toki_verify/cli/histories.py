"""`toki-verify check` on black-box histories: formats of the field, session levels."""

from __future__ import annotations

import argparse
import json
import re
import sys
from typing import TYPE_CHECKING

from ..levels import DEFAULT_FAMILY
from .common import refused, show, width
from .history_input import Files, add_format, check_files, ended, to_reader, with_extra, wrong_limit
from .opened import FAILURES, opened
from .parallel import add_parallel_arguments, wrong_parallel
from .version_order import add_version_order

if TYPE_CHECKING:
    from ..events import Problem
    from ..histories.checked import Checked

#: How many bytes tell a format.
HEAD = 65_536
#: How schedules in text, and traces and schedules in JSON begin; and what histories look like where numpy is missing.
_OTHER = re.compile(
    rb'(?:\s|#[^\n]*\n)*(?:[rwbcaj](?:b)?\d|[rw]T|schedule\s|init\s|\[?\s*\{[^{}]*"(?:op|events|schedule)"\s*:)'
)
_LIKELY = re.compile(rb"\s*(?:[rw]\s*\(|[rw][ \t]+\w|-{3}|={3}|[\[{#]*[\s{]*:|\[\[|\x1f\x8b)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `check` that are for histories."""
    group = parser.add_argument_group(
        "histories", "Plume, AWDIT, Jepsen, elle-cli, dbcop, TimeKiller; docs/histories.md"
    )
    add_format(
        group,
        "what a read of nil or 0 saw: nil is the initial value; 0 is, too; every value was written by somebody; "
        "auto: 0 is where nobody writes it to the key (default)",
    )
    group.add_argument("--skip-bad", action="store_true", help="leave out lines that cannot be read, and count them")
    group.add_argument("--seconds", type=float, metavar="S", help="stop solvers after so long: undecided")
    group.add_argument("--real-time", action="store_true", help="what ended before another began comes first, too")
    add_version_order(group)
    group.add_argument(
        "--timestamps", action="store_true", help="with --evidence, start and commit numbers that show SI, too"
    )
    group.add_argument("--limit", type=int, default=3, metavar="N", help="places that are listed of one finding (3)")
    group.add_argument(
        "--no-smallest", action="store_true", help="do not look for the smallest part that refutes a level"
    )
    add_parallel_arguments(group)


def are_histories(arguments: argparse.Namespace) -> bool:
    """Whether what is named is for this module: a format is named, or a file's content is that of a history."""
    if arguments.events:
        return False
    return arguments.format is not None or any(_detected(path) for path in arguments.paths)


def _detected(path: str) -> bool:
    """Whether a file is a history by its content. Schedules and traces are told apart without what histories need."""
    if path.lower().endswith(".sched"):
        return False
    try:
        with opened(path) as stream:
            head = stream.read(HEAD)
    except FAILURES:
        return False
    if _OTHER.match(head):
        return False
    try:
        from ..histories.formats import detect
    except ModuleNotFoundError:
        return _LIKELY.match(head) is not None
    return detect(head, path) is not None


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
    reason = wrong_limit(arguments) or wrong_parallel(arguments)
    return refused("check", reason) if reason else with_extra(arguments, _run)


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.checked import LEVELS
    from ..histories.one_file import HistoryOptions

    declared = arguments.level
    if declared is not None:
        declared = declared.removeprefix("session:")
        if declared not in LEVELS:
            return refused("check", f"{arguments.level} is no session level, expected one of {', '.join(LEVELS)}")
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
    files: Files[Checked] = Files()
    check_files(arguments, options, files)
    to_reader(lambda: _report(arguments, files.found, files.problems))
    return ended(files, arguments.output)


def _report(arguments: argparse.Namespace, found: list[Checked], problems: list[Problem]) -> None:
    output = arguments.output
    if output in ("json", "jsonl"):
        from ..report.history_data import history_object

        objects = [
            history_object(checked, evidence=arguments.evidence, timestamps=arguments.timestamps) for checked in found
        ]
        if output == "json":
            print(json.dumps(objects, ensure_ascii=False, indent=1))
        else:
            sys.stdout.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)
    elif output == "text":
        from ..report.history import history_lines

        told = [checked for checked in found if not (arguments.quiet and checked.ok)]
        for number, checked in enumerate(told):
            if number:
                print()
            show(history_lines(checked, width(), arguments.limit))
    else:
        from ..report import history_ci

        sys.stdout.write(getattr(history_ci, output)(found, problems))
