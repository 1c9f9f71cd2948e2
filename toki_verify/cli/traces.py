"""`toki-verify check` on traces that are too large for one object an event: the columnar reading."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from ..events.limits import EVENTS, LINE_LENGTH
from ..inputs import STDIN
from ..levels import parse_spec
from ..levels.lattice import family
from ..phenomena.catalogue import UnknownName, phenomenon
from .common import refused, show, width
from .history_input import Files, check_files, ended, of_histories, to_reader, with_extra, wrong_limit
from .opened import FAILURES, opened
from .parallel import wrong_parallel

if TYPE_CHECKING:
    from ..histories.checked_trace import CheckedTrace

#: How traces are called.
_SUFFIXES = (".jsonl", ".jsonl.gz")


def are_large(arguments: argparse.Namespace) -> bool:
    """Whether all that is named are traces (standard input may be one), and one of them has more events than a schedule
    may have: then all of them are read into arrays, which judges them alike. So is a packed one of any size."""
    paths = arguments.paths
    if not paths or arguments.events or not all(path.lower().endswith(_SUFFIXES) or path == STDIN for path in paths):
        return False
    sizes = [_lines(path) for path in paths]
    return None not in sizes and max(size or 0 for size in sizes) > EVENTS


def _lines(path: str) -> int | None:
    """How many lines a trace has, 0 where it cannot be read; None: it holds schedules."""
    try:
        with opened(path) as stream:
            line = stream.readline(LINE_LENGTH)
            if _of_schedules(line) or (path == STDIN and not line.lstrip().startswith(b"{")):
                return None
            if path.lower().endswith(".gz"):
                return EVENTS + 1
            lines, last = line.count(b"\n"), line[-1:]
            for chunk in iter(lambda: stream.read(1 << 20), b""):
                lines, last = lines + chunk.count(b"\n"), chunk[-1:]
            return lines + (last != b"\n")
    except FAILURES:
        return 0


def _of_schedules(line: bytes) -> bool:
    """Whether the first line of a file is a schedule object: then each line is one, and each may have expectations."""
    if b'"events"' not in line:
        return False
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and "events" in found


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
