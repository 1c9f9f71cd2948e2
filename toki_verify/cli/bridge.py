"""`toki-verify bridge`: π_J(S) beside S, with the verdicts that moved."""

from __future__ import annotations

import argparse
import json
import sys

from .common import add_inputs, has_inputs, print_problems, show, sources, use_utf8
from .main import BAD_INPUT, OK

EPILOG = """\
π_J makes the first judge call at a key a write of its row of judge_log, a later call a read of that row, and a callback
a read of callback_log (TOKI 2026, Lemma 1). What Lemma 1 leaves open is an option. A schedule that breaks its
hypotheses H1 or H2 is no error: the report says where.

examples:
  toki-verify bridge schedules/bridge/n1.sched
  toki-verify bridge -e "j1(R, theta)=0 j2(R, theta)=1 c1 c2"
  toki-verify bridge -e "j1(R, theta)=0 c1 j2(R, theta)=0 c2" --writer own
  toki-verify bridge trace.jsonl -o sched | toki-verify check -

exit codes: 0 done, whatever moved; 2 unreadable input or wrong usage
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_inputs(parser)
    parser.add_argument(
        "--writer",
        choices=("operator", "own"),
        default="operator",
        help="a row is written in the operator's transaction, or in one of its own (default: operator)",
    )
    parser.add_argument(
        "--mismatch",
        choices=("fill", "unlogged", "read"),
        default="fill",
        help="a repeated call with another vote than the row's fills again, touches no row, or is a read all the same "
        "(default: fill)",
    )
    parser.add_argument(
        "-o",
        "--output",
        choices=("text", "json", "jsonl", "sched"),
        default="text",
        help="the form of the result; sched: the images alone (default: text)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Print S and π_J(S) for everything named; the exit code."""
    if arguments.output != "text":
        use_utf8()
    if not has_inputs(arguments):
        return BAD_INPUT
    from ..bridge.image import Logging, image
    from ..bridge.moved import moved
    from ..report.bridge import bridge_lines, bridge_object
    from ..report.line import Line

    logging = Logging(arguments.writer, arguments.mismatch)
    bad = False
    objects = []
    for source in sources(arguments):
        print_problems(source.problems)
        bad |= bool(source.problems)
        for schedule, number in source.schedules:
            made = image(schedule, logging)
            if arguments.output == "sched":
                bad |= not _print(made.schedule, schedule.name, source.file, number)
                continue
            changed = moved(made)
            if arguments.output == "text":
                place = "" if source.file is None else f"{source.file}:{number}" if number else source.file
                show([*bridge_lines(schedule.name or "schedule", place, made, changed), Line()])
                continue
            found = bridge_object(made, changed, source.file, number)
            if arguments.output == "jsonl":
                sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
            objects.append(found)
    if arguments.output == "json":
        sys.stdout.write(json.dumps(objects, ensure_ascii=False, indent=1) + "\n")
    return BAD_INPUT if bad else OK


def _print(schedule: object, name: str | None, file: str | None, number: int | None) -> bool:
    """Print an image as a schedule file; a message where there is none."""
    from ..events import Schedule
    from ..notation.printer import print_schedule

    if isinstance(schedule, Schedule):
        sys.stdout.write(print_schedule(schedule) + "\n")
        return True
    print(
        f"{file or '<input>'}:{number or 1}: π_J of {name or 'the schedule'} is no well-formed schedule; "
        "`-o text` says why",
        file=sys.stderr,
    )
    return False
