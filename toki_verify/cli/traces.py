"""`toki-verify check` on traces that are too large for one object an event: the columnar reading."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..events.limits import EVENTS, FILE_BYTES
from ..inputs import decode
from ..jsonform import read_json_lines
from ..levels import parse_spec
from ..levels.lattice import family
from ..phenomena.catalogue import UnknownName, phenomenon
from .common import refused, show, width
from .history_input import Files, check_files, ended, of_histories, to_reader, with_extra, wrong_limit
from .kinds import Input
from .opened import FAILURES, opened
from .parallel import wrong_parallel

if TYPE_CHECKING:
    from ..histories.checked_trace import CheckedTrace

#: Rules of the reader of small traces that say nothing but that one is not small.
TOO_LARGE = ("limit-events", "limit-accesses", "limit-file")
#: A trace of fewer bytes unfolds to no more accesses than the reader of small ones takes: a predicate read takes 36
#: bytes and an item 4, so that at most (1500 / 72) reads see (1500 / 8) items.
_BYTES = 1_500


def outgrow(inputs: Sequence[Input]) -> bool:
    """Whether one of these small traces is refused by the reader of small traces for its size alone: few events may
    unfold to many accesses, and a line may be long."""
    return any(_outgrows(one) for one in inputs if one.problem is None)


def _outgrows(one: Input) -> bool:
    try:
        with opened(one.path, one.data) as stream:
            data = stream.read(FILE_BYTES + 1)
    except FAILURES:
        return False
    if len(data) < _BYTES:
        return False
    text, problem = decode(data, one.name)
    problems = [problem] if problem is not None else read_json_lines(text, file=one.name)[1]
    return bool(problems) and all(problem.rule in TOO_LARGE for problem in problems)


def run(arguments: argparse.Namespace) -> int:
    """Check every trace named; the exit code."""
    reason = _wrong(arguments)
    return refused("check", reason) if reason else with_extra(arguments, _run)


def _wrong(arguments: argparse.Namespace) -> str | None:
    """What a large trace cannot be asked, or None."""
    reason = of_histories(arguments)
    if reason:
        return reason
    if arguments.levels:
        return (
            f"--levels is for schedules and traces of up to {EVENTS} events: of larger ones built-in levels are "
            "decided, whole (--level SI) or pinned (--level SI+SR@judge_log)"
        )
    try:
        family(arguments.family)
        if arguments.level is not None:
            parse_spec(arguments.level, default=arguments.family)
        for name in arguments.absent:
            phenomenon(name)
    except UnknownName as error:
        return str(error)
    return wrong_limit(arguments) or wrong_parallel(arguments)


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.one_file import TraceOptions

    options = TraceOptions(
        level=arguments.level,
        family=arguments.family,
        absent=tuple(arguments.absent),
        skip_bad=arguments.skip_bad,
        evidence=arguments.evidence,
        limit=arguments.limit,
    )
    files: Files[CheckedTrace] = Files()
    check_files(arguments, options, files)
    to_reader(lambda: _report(arguments, files))
    return ended(files, arguments.output)


def _report(arguments: argparse.Namespace, files: Files[CheckedTrace]) -> None:
    output, found = arguments.output, files.found
    if output == "text":
        from ..report.trace import trace_lines

        told = [checked for checked in found if not (arguments.quiet and checked.ok)]
        for number, checked in enumerate(told):
            if number:
                print()
            show(trace_lines(checked, width()))
        if arguments.quiet:
            for checked in found:
                for warning in checked.warnings if checked.ok else ():
                    print(f"{checked.source}: warning: {warning}", file=sys.stderr)
    elif output in ("json", "jsonl"):
        from ..report.trace import trace_object

        objects = [trace_object(checked, evidence=arguments.evidence) for checked in found]
        if output == "json":
            print(json.dumps(objects, ensure_ascii=False, indent=1))
        else:
            sys.stdout.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)
    else:
        from ..report import trace_ci

        sys.stdout.write(getattr(trace_ci, output)(found, files.problems))
