"""`toki-verify check` on traces that are too large for one object an event: the columnar reading."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from ..events.limits import EVENTS
from ..inputs import STDIN
from .common import print_problems, progress, refused, show, width
from .history_input import contents, to_reader, with_extra
from .main import BAD_INPUT, FOUND, OK, UNDECIDED

if TYPE_CHECKING:
    from ..events import Problem
    from ..histories.checked_trace import CheckedTrace

#: Fewer bytes than the least that so many events take are no large trace.
LEAST = EVENTS * 20
_OUTPUTS = ("text", "json", "jsonl")


def are_large(arguments: argparse.Namespace) -> bool:
    """Whether all that is named are traces of more events than a schedule may have."""
    paths = arguments.paths
    return bool(paths) and not arguments.events and all(_large(path) for path in paths)


def _large(path: str) -> bool:
    if path == STDIN or not path.lower().endswith(".jsonl"):
        return False
    try:
        if Path(path).stat().st_size < LEAST:
            return False
        with Path(path).open("rb") as stream:
            return sum(chunk.count(b"\n") for chunk in iter(lambda: stream.read(1 << 20), b"")) > EVENTS
    except OSError:
        return False


def run(arguments: argparse.Namespace) -> int:
    """Check every trace named; the exit code."""
    return with_extra(arguments, _run)


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.checked_trace import check_trace
    from ..histories.columnar.decide import all_levels
    from ..histories.readers.lines import read_trace
    from ..phenomena.catalogue import UnknownName, phenomenon

    level = arguments.level
    if level is not None:
        level = level if ":" in level else f"{arguments.family}:{level}"
        if level not in all_levels():
            return refused(
                "check", f"traces of more than {EVENTS} events are judged by one of {', '.join(all_levels())}"
            )
    try:
        absent = tuple(phenomenon(name).id for name in arguments.absent)
    except UnknownName as error:
        return refused("check", error)
    if arguments.output not in _OUTPUTS:
        return refused("check", f"of traces of more than {EVENTS} events -o is one of {', '.join(_OUTPUTS)}")
    found: list[CheckedTrace] = []
    problems: list[Problem] = []
    with progress("checking") as advance:
        for data, name in contents(arguments.paths, problems):
            trace, wrong = read_trace(data, name, skip_bad=arguments.skip_bad)
            problems += wrong
            if trace is not None:
                found.append(check_trace(trace, level=level, absent=absent))
            advance()
    to_reader(lambda: _report(arguments, found))
    print_problems(problems)
    outcomes = {checked.ok for checked in found}
    return BAD_INPUT if problems else FOUND if False in outcomes else UNDECIDED if None in outcomes else OK


def _report(arguments: argparse.Namespace, found: list[CheckedTrace]) -> None:
    from ..report.trace import trace_lines, trace_object

    if arguments.output == "text":
        for number, checked in enumerate(found):
            if number:
                print()
            show(trace_lines(checked, width()))
    elif arguments.output == "json":
        print(json.dumps([trace_object(checked) for checked in found], ensure_ascii=False, indent=1))
    else:
        sys.stdout.writelines(json.dumps(trace_object(checked), ensure_ascii=False) + "\n" for checked in found)
