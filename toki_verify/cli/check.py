"""`toki-verify check`: schedules and traces in, verdicts out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ..checker import check
from ..events import Problem, Schedule, ScheduleError
from ..events.limits import EVENTS
from ..inputs import Source, load, load_bytes
from ..levels import DEFAULT_FAMILY, Level, families, parse_spec
from ..phenomena.catalogue import UnknownName, phenomenon
from ..report.line import Line
from .common import (
    has_inputs,
    print_problems,
    progress,
    refused,
    show,
    sources,
    tell,
    use_utf8,
    user_levels,
    width,
)
from .histories import add_arguments
from .histories import run as run_histories
from .history_input import of_histories
from .kinds import Kind, look_at, mixed
from .main import BAD_INPUT, FOUND, OK, UNDECIDED, to_nowhere
from .traces import TOO_LARGE, outgrow
from .traces import run as run_traces

if TYPE_CHECKING:
    from ..verdict import Verdict

FORMATS = ("text", "json", "jsonl", "github", "sarif", "junit", "markdown")

EPILOG = """\
A schedule is judged by its `expect` lines, by --level and by --no, whichever there are; with none of these, any
phenomenon of a default reading counts (patterns such as P2[broad] are reported, not judged).

examples:
  toki-verify check schedules/
  toki-verify check trace.jsonl --level SI --no N1
  toki-verify check run.jsonl --level RC+SR@judge_log -o sarif > run.sarif
  toki-verify check mine.sched --levels mine.levels --level my-level
  toki-verify check -e "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1" -o json --evidence
  toki-verify check history.edn --level SI         a Jepsen history: session levels (docs/histories.md)
  toki-verify check histories/ --jobs 2            every history below a directory, in two processes
  toki-verify check plume.txt --initial written --no-smallest
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "paths",
        nargs="*",
        metavar="PATH",
        help="a file of schedules (.sched, .json, .jsonl), a trace (.jsonl), or a history (.edn, .txt, .json, …: its "
        "content tells); traces and histories may be packed (.gz); a directory, which is searched for these; or - for "
        "standard input",
    )
    parser.add_argument(
        "-e", "--events", action="append", default=[], metavar="TEXT", help="a schedule given as text; may be repeated"
    )
    parser.add_argument(
        "--level",
        metavar="SPEC",
        help="the level that everything is judged against: SI, adya:PL-3, RC+cb, SI+SR@judge_log, "
        "SR@partition(alice,lives_in); of histories RC, RA, CC, PC, PSI, SI or SER",
    )
    parser.add_argument(
        "--family",
        default=DEFAULT_FAMILY,
        metavar="NAME",
        help=f"the family of a bare level of schedules and traces: {', '.join(families())} (default: {DEFAULT_FAMILY})",
    )
    parser.add_argument(
        "--no",
        action="append",
        default=[],
        metavar="NAME",
        dest="absent",
        help="a phenomenon that must be absent from schedules and traces, such as N1; may be repeated",
    )
    parser.add_argument(
        "--levels",
        metavar="FILE",
        help="user-defined levels, as formulas of the relational language; for schedules and traces of up to "
        f"{EVENTS} events",
    )
    parser.add_argument(
        "-o", "--output", choices=FORMATS, default="text", help="the form of the report (default: text)"
    )
    parser.add_argument("--evidence", action="store_true", help="in JSON, levels with what shows or refutes them")
    parser.add_argument("-v", "--verbose", action="store_true", help="explain every schedule, also those as expected")
    parser.add_argument("-q", "--quiet", action="store_true", help="print only what is not as expected")
    add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check everything named; the exit code."""
    if arguments.output != "text":
        use_utf8()
    if not has_inputs(arguments):
        return BAD_INPUT
    inputs = look_at(arguments.paths, as_histories=arguments.format is not None)
    reason = mixed(inputs, bool(arguments.events))
    if reason:
        return refused("check", reason)
    arguments.inputs = inputs
    arguments.kept = {one.path: one.data for one in inputs if one.data is not None}
    kinds = {one.kind for one in inputs if one.kind is not None}
    if Kind.HISTORY in kinds:
        return run_histories(arguments)
    if arguments.format is not None and (kinds or arguments.events):
        return refused("check", "--format is for histories, and none is here")
    if Kind.LARGE in kinds or (kinds == {Kind.TRACE} and not arguments.events and outgrow(inputs)):
        return run_traces(arguments)
    # Where nothing can be read, that is what is wrong, whatever was asked.
    reason = _wrong(arguments) if kinds or arguments.events else None
    if reason:
        return refused("check", reason)
    try:
        user = user_levels(arguments.levels)
        level = None if arguments.level is None else parse_spec(arguments.level, default=arguments.family, user=user)
        for name in arguments.absent:
            phenomenon(name)
        if arguments.family not in families() and not (user and arguments.family == "user"):
            parse_spec("RU", default=arguments.family, user=user)
    except ScheduleError as error:
        print_problems(list(error.problems))
        return BAD_INPUT
    except (UnknownName, OSError, ValueError) as error:
        reason = f"{arguments.levels}: {error.strerror}" if isinstance(error, OSError) else str(error)
        tell(f"toki-verify check: {reason}")
        return BAD_INPUT
    groups: list[tuple[str, list[Verdict], list[Problem]]] = []
    with progress("checking") as advance:
        for source in _sources(arguments):
            verdicts: list[Verdict] = []
            problems = [_with_way_out(problem) for problem in source.problems]
            for schedule, line in source.schedules:
                try:
                    verdict = check(
                        schedule, level=level, absent=arguments.absent, user=user, file=source.file, line=line
                    )
                except UnknownName as error:
                    problems.append(_unknown(schedule, error, source.file, line))
                else:
                    verdicts.append(verdict)
                    if arguments.output == "jsonl":
                        _jsonl(verdict, arguments.evidence)
                advance()
            groups.append((source.file, verdicts, problems))
    try:
        _report(arguments, groups, level)
        sys.stdout.flush()
    except BrokenPipeError:
        to_nowhere(sys.stdout)
    return exit_code(groups)


def _wrong(arguments: argparse.Namespace) -> str | None:
    """What schedules cannot be asked, or None."""
    reason = of_histories(arguments)
    for option, given in (
        ("--skip-bad", arguments.skip_bad),
        ("--jobs", arguments.jobs is not None),
        ("--dask", arguments.dask is not None),
    ):
        if reason is None and given:
            reason = f"{option} is for histories and for traces of more than {EVENTS} events"
    return reason


def _sources(arguments: argparse.Namespace) -> Iterator[Source]:
    """The schedules given as text, and those of every input."""
    yield from sources(argparse.Namespace(events=arguments.events, paths=[]))
    for one in arguments.inputs:
        if one.problem is not None:
            yield Source(one.name, problems=[one.problem])
        elif one.data is not None:
            yield load_bytes(one.data, one.name)
        else:
            yield from load([one.path])


def _with_way_out(problem: Problem) -> Problem:
    """Of a trace that is too large for one object an event: that it is read otherwise without schedules beside it."""
    if problem.rule not in TOO_LARGE or not (problem.file or "").lower().endswith(".jsonl"):
        return problem
    expected = f"{problem.expected} beside schedules: a larger trace is checked apart from them"
    return replace(problem, expected=expected)


def _jsonl(verdict: Verdict, evidence: bool) -> None:
    """One line as soon as it is known; a reader that has gone does not change the exit code."""
    from ..report.json import jsonl_line

    try:
        sys.stdout.write(jsonl_line(verdict, evidence=evidence))
    except BrokenPipeError:
        to_nowhere(sys.stdout)


def _unknown(schedule: Schedule, error: UnknownName, file: str, line: int) -> Problem:
    """An expect line with a name that no catalogue has."""
    where, column = line, 1
    for expectation in schedule.expect:
        for index, name in enumerate((*expectation.names, expectation.family or "")):
            if name == error.name:
                where = expectation.line or line
                column = expectation.columns[index] if index < len(expectation.columns) else 1
    return Problem(error.what, error.expected, "unknown-name", file=file, line=where, column=column)


def exit_code(groups: list[tuple[str, list[Verdict], list[Problem]]]) -> int:
    """2 before 1 before 3 (NOTATION)."""
    if any(problems for _, _, problems in groups):
        return BAD_INPUT
    found = [verdict.ok for _, verdicts, _ in groups for verdict in verdicts]
    return FOUND if False in found else UNDECIDED if None in found else OK


def _report(
    arguments: argparse.Namespace, groups: list[tuple[str, list[Verdict], list[Problem]]], level: Level | None
) -> None:
    verdicts = [verdict for _, found, _ in groups for verdict in found]
    problems = [problem for _, _, found in groups for problem in found]
    output = arguments.output
    if output == "text":
        _text_report(arguments, groups, level)
    elif output == "json":
        from ..report.json import json_report

        sys.stdout.write(json_report(verdicts, evidence=arguments.evidence))
    elif output == "github":
        from ..report.github import github

        sys.stdout.write(github(verdicts, problems))
    elif output == "sarif":
        from .. import __version__
        from ..report.sarif import sarif

        sys.stdout.write(sarif(verdicts, problems, __version__))
    elif output == "markdown":
        from ..report.markdown import markdown

        sys.stdout.write(markdown(verdicts, problems))
    elif output == "junit":
        from ..report.junit import junit

        sys.stdout.write(junit(verdicts, problems))
    if output not in ("text", "github"):
        print_problems(problems)


def _text_report(
    arguments: argparse.Namespace, groups: list[tuple[str, list[Verdict], list[Problem]]], level: Level | None
) -> None:
    from ..report.text import details, heading, summary

    verdicts = [verdict for _, found, _ in groups for verdict in found]
    alone = len(verdicts) == 1
    family = level.family if level else arguments.family
    for verdict in verdicts:
        if alone or arguments.verbose or verdict.ok is not True:
            if not (arguments.quiet and verdict.ok is True):
                show(details(verdict, width(), family))
                show([Line()])
        elif not arguments.quiet and len(groups) == 1:
            show([heading(verdict)])
    if not alone and verdicts and not arguments.quiet:
        show(summary([(file, found, len(problems)) for file, found, problems in groups]))
    if arguments.quiet:
        for verdict in verdicts:
            for warning in verdict.warnings:
                tell(f"{verdict.file}:{verdict.line}: warning: {warning}")
    for _, _, problems in groups:
        print_problems(problems)
