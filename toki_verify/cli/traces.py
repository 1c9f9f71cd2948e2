"""`toki-verify check` on traces that are too large for one object an event: the columnar reading."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from ..events.limits import EVENTS, FILE_BYTES
from ..inputs import decode
from ..jsonform import read_json_lines
from ..levels import parse_spec
from ..levels.lattice import family
from ..phenomena.catalogue import UnknownName, phenomenon
from .common import refused, tell, width
from .history_input import Files, as_they_come, check_files, ended, of_histories, to_reader, with_extra, wrong_limit
from .kinds import Input
from .opened import FAILURES, opened
from .parallel import wrong_parallel

if TYPE_CHECKING:
    from ..histories.checked_trace import CheckedTrace
    from ..report.line import Line

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
    files: Files[CheckedTrace] = Files(say=as_they_come(arguments, _lines, _data(arguments)))
    check_files(arguments, options, files)
    if files.say is None:
        to_reader(lambda: _report(arguments, files))
    elif arguments.quiet and arguments.output == "text":
        for checked in files.found:
            for warning in checked.warnings if checked.ok else ():
                tell(f"{checked.source}: warning: {warning}")
    return ended(files, arguments.output)


def _lines(checked: CheckedTrace) -> Iterable[Line]:
    from ..report.trace import trace_lines

    return trace_lines(checked, width())


def _data(arguments: argparse.Namespace) -> Callable[[CheckedTrace], object]:
    def data(checked: CheckedTrace) -> object:
        from ..report.trace import trace_object

        return trace_object(checked, evidence=arguments.evidence)

    return data


def _report(arguments: argparse.Namespace, files: Files[CheckedTrace]) -> None:
    """A report of all traces, in a form that is one."""
    if arguments.output == "json":
        print(json.dumps(list(map(_data(arguments), files.found)), ensure_ascii=False, indent=1))
        return
    from ..report import trace_ci

    sys.stdout.write(getattr(trace_ci, arguments.output)(files.found, files.problems))
