"""`toki-verify check` on black-box histories: formats of the field, session levels."""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..inputs import STDIN
from .common import print_problems, progress, refused, show, width
from .history_input import add_format, contents, to_reader, with_extra
from .main import BAD_INPUT, FOUND, OK, UNDECIDED

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
    group.add_argument("--limit", type=int, default=3, metavar="N", help="places that are listed of one finding (3)")
    group.add_argument(
        "--no-smallest", action="store_true", help="do not look for the smallest part that refutes a level"
    )


def are_histories(arguments: argparse.Namespace) -> bool:
    """Whether what is named is for this module: a format is named, or a file's content is that of a history."""
    if arguments.events:
        return False
    return arguments.format is not None or any(_detected(path) for path in arguments.paths)


def _detected(path: str) -> bool:
    """Whether a file is a history by its content. Schedules and traces are told apart without what histories need."""
    if path == STDIN or path.lower().endswith(".sched"):
        return False
    try:
        with Path(path).open("rb") as stream:
            head = stream.read(HEAD)
    except OSError:
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
    for option, value in (("--no", arguments.absent), ("--levels", arguments.levels)):
        if value:
            return refused("check", f"{option} is for schedules and traces: of a history session levels are decided")
    return with_extra(arguments, _run)


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.checked import LEVELS, check_history
    from ..histories.formats import read_history

    declared = arguments.level
    if declared is not None:
        declared = declared.removeprefix("session:")
        if declared not in LEVELS:
            return refused("check", f"{arguments.level} is no session level, expected one of {', '.join(LEVELS)}")
    found: list[Checked] = []
    problems: list[Problem] = []
    with progress("checking") as advance:
        for data, name in contents(arguments.paths, problems):
            history, wrong = read_history(
                data, source=name, format=arguments.format, initial=arguments.initial, skip_bad=arguments.skip_bad
            )
            problems += wrong
            if history is not None and arguments.real_time and history.begun is None:
                return refused("check", f"{name}: {history.format} does not say when transactions began and ended")
            if history is not None and not (wrong and not arguments.skip_bad):
                found.append(
                    check_history(
                        history,
                        declared=declared,
                        seconds=arguments.seconds,
                        realtime=arguments.real_time,
                        smallest=not arguments.no_smallest,
                    )
                )
            advance()
    to_reader(lambda: _report(arguments, found, problems))
    print_problems(problems)
    return _code(found, problems)


def _report(arguments: argparse.Namespace, found: list[Checked], problems: list[Problem]) -> None:
    output = arguments.output
    if output in ("json", "jsonl"):
        from ..report.history_data import history_object

        objects = [history_object(checked, evidence=arguments.evidence) for checked in found]
        if output == "json":
            print(json.dumps(objects, ensure_ascii=False, indent=1))
        else:
            sys.stdout.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)
    elif output == "text":
        from ..report.history import history_lines

        for number, checked in enumerate(found):
            if arguments.quiet and checked.ok:
                continue
            if number:
                print()
            show(history_lines(checked, width(), arguments.limit))
    else:
        from ..report import history_ci

        sys.stdout.write(getattr(history_ci, output)(found, problems))


def _code(found: list[Checked], problems: list[Problem]) -> int:
    if problems:
        return BAD_INPUT
    outcomes = {checked.ok for checked in found}
    return FOUND if False in outcomes else UNDECIDED if None in outcomes else OK
