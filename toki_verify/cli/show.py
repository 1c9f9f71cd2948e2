"""`toki-verify show`: pictures of a schedule."""

from __future__ import annotations

import argparse
import sys

from ..checker import check
from ..phenomena.catalogue import UnknownName
from ..report.line import Line
from .common import add_inputs, has_inputs, print_problems, show, sources, tell, use_utf8, width
from .main import BAD_INPUT, OK

EPILOG = """\
examples:
  toki-verify show -e "r1[x0] r2[x0] w2[x1] c2 w1[x2] c1"
  toki-verify show schedules/berenson/histories.sched --name berenson-H2 -o svg > H2.svg
  toki-verify show trace.jsonl -o html > trace.html
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    add_inputs(parser)
    parser.add_argument("--name", metavar="NAME", help="only the schedule of this name")
    parser.add_argument(
        "-o",
        "--output",
        choices=("text", "svg", "html", "mermaid", "dot"),
        default="text",
        help="text: lanes and the verdict; svg, html: swim lanes with conflict edges; mermaid, dot: the "
        "conflict graph (default: text)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Draw everything named; the exit code."""
    if arguments.output != "text":
        use_utf8()
    if not has_inputs(arguments):
        return BAD_INPUT
    verdicts = []
    bad = False
    known: list[str] = []
    for source in sources(arguments):
        print_problems(source.problems)
        bad |= bool(source.problems)
        for schedule, line in source.schedules:
            known.append(schedule.name or "")
            if arguments.name is not None and schedule.name != arguments.name:
                continue
            try:
                verdicts.append(check(schedule, file=source.file, line=line))
            except UnknownName as error:
                tell(f"{source.file}:{line}: {error}")
                bad = True
    if not verdicts and not bad:
        from ..phenomena.catalogue import nearest

        near = nearest(arguments.name or "", [name for name in known if name])
        print(
            f"toki-verify show: no schedule named {arguments.name!r}"
            + (f"; there are {', '.join(near)}" if near else ""),
            file=sys.stderr,
        )
        return BAD_INPUT
    output = arguments.output
    if output == "svg" and len(verdicts) > 1:
        print(
            f"toki-verify show: {len(verdicts)} schedules, and an SVG is one picture: choose one with --name, or take "
            "-o html",
            file=sys.stderr,
        )
        return BAD_INPUT
    if output == "html" and verdicts:
        from ..report.html import page

        sys.stdout.write(page(verdicts))
    elif output == "text":
        from ..report.text import details

        for verdict in verdicts:
            show([*details(verdict, width()), Line()])
    else:
        for verdict in verdicts:
            if output == "svg":
                from ..report.svg import svg

                sys.stdout.write(svg(verdict.schedule, verdict))
            elif output == "dot":
                from ..report.dot import dot

                sys.stdout.write(dot(verdict.schedule, verdict))
            elif output == "mermaid":
                from ..report.mermaid import mermaid

                sys.stdout.write(mermaid(verdict.schedule, verdict))
    return BAD_INPUT if bad else OK
