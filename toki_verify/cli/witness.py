"""`toki-verify witness`: the smallest schedule with a combination of phenomena and levels."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from ..events import Schedule, ScheduleError
from ..levels import parse_spec
from ..phenomena.catalogue import UnknownName
from .common import print_problems, show, use_utf8, user_levels, width
from .main import BAD_INPUT, FOUND, OK, UNDECIDED
from .searching import (
    add_bounds,
    add_family,
    bounds_of,
    counted,
    expecting,
    features_of,
    refused,
    save,
    slug,
    stage,
)

if TYPE_CHECKING:
    from ..relations.formulas import Formula
    from ..search.query import Query
    from ..search.witness import Found
    from ..verdict import Finding

EPILOG = """\
PHI names phenomena that are to be present, or combines them: "A5B", "P4 or A5A", "A5B and not P2". The smallest
schedule has fewest events, then transactions, then items; every transaction ends unless --allow-unfinished. When there
is none within the bounds, a proof for every size is tried.

examples:
  toki-verify witness A5B --level SI
  toki-verify witness A5A --level RC --not P2 --all
  toki-verify witness "P4 and G-nonadjacent" --level RC --predicates 0
  toki-verify witness A5B --level SI --with "r1[x0] r2[y0] w1[x1]"
  toki-verify witness P3 --level SI --save schedules/tightness/

exit codes: 0 found; 1 none, proved for every size; 2 wrong usage; 3 undecided: none within the bounds, or a time limit
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("phi", metavar="PHI", help="the phenomena to show, such as A5B or 'P4 and not P2'")
    parser.add_argument("--level", metavar="SPEC", help="the level the schedule is to have, such as SI or adya:PL-2+")
    parser.add_argument(
        "--not",
        action="append",
        default=[],
        dest="absent",
        metavar="NAME",
        help="a phenomenon that is to be absent, or a level that is not to hold; may be repeated",
    )
    add_family(parser)
    parser.add_argument("--with", dest="partial", metavar="TEXT", help="a schedule whose events are to be among them")
    parser.add_argument("--all", action="store_true", help="every schedule of the smallest size, up to renaming")
    parser.add_argument(
        "--limit", type=int, default=1000, metavar="N", help="with --all: at most so many (default: 1000)"
    )
    parser.add_argument(
        "--save",
        metavar="DIR",
        help="write what was found, with expectations, to a .sched file there (or to this file)",
    )
    parser.add_argument("--no-proof", action="store_true", help="where nothing is found, do not try to prove that")
    add_bounds(parser)
    parser.add_argument(
        "-o",
        "--output",
        choices=("text", "json", "sched"),
        default="text",
        help="the form of the result (default: text)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Search; the exit code."""
    from ..search.limits import Unfit, within
    from ..search.query import parse_query
    from ..search.solvers import SolverMissing
    from ..search.witness import smallest

    if arguments.output != "text":
        use_utf8()
    try:
        bounds, features = bounds_of(arguments), features_of(arguments)
        within("limit", arguments.limit)
        user = user_levels(arguments.levels)
        phi = parse_query(arguments.phi, family=arguments.family, user=user)
        level = None if arguments.level is None else parse_spec(arguments.level, default=arguments.family, user=user)
        absent = [parse_query(name, family=arguments.family, user=user) for name in arguments.absent]
        partial = None if arguments.partial is None else Schedule.parse(arguments.partial)
        formula = phi.formula
        for part in ([] if level is None else [level.formula]) + [~query.formula for query in absent]:
            formula = formula & part
        contradiction = impossible(formula)
        if contradiction:
            return refused("witness", contradiction)
        with stage("searching") as progress:
            found = smallest(
                formula,
                bounds=bounds,
                features=features,
                every=arguments.all,
                limit=arguments.limit,
                partial=partial,
                solver=arguments.solver,
                seconds=arguments.seconds,
                progress=progress,
            )
    except ScheduleError as error:
        print_problems(list(error.problems))
        return BAD_INPUT
    except (Unfit, UnknownName, SolverMissing) as error:
        return refused("witness", error)
    except OSError as error:
        return refused("witness", f"{arguments.levels}: {error.strerror}")
    proved_by: tuple[str, ...] = ()
    if found.verdict == "undecided" and partial is None and not arguments.no_proof and not found.gave_up:
        left = None if arguments.seconds is None else max(0.0, arguments.seconds - found.seconds)
        proved_by = proof_of_none(formula, left)
    _print(arguments, found, phi, absent, proved_by)
    if arguments.save and found.schedules:
        problem = save(_saved(arguments, found, phi, absent), arguments.save, slug(_title(arguments)))
        if problem:
            return refused("witness", problem)
    return OK if found.verdict == "found" else FOUND if proved_by else UNDECIDED


def impossible(formula: Formula) -> str | None:
    """Why a combination is unsatisfiable by the names in it alone."""
    from ..search.contradiction import contradiction

    clash = contradiction(formula)
    return None if clash is None else f"no schedule can have it: {clash} is asked for and excluded"


def proof_of_none(formula: Formula, seconds: float | None) -> tuple[str, ...]:
    """By which solvers it is proved that no schedule of any size satisfies a formula; nobody if it is not."""
    from ..search.decide import solvers_of
    from ..search.prove import prove

    statement = "no schedule of any size satisfies the query"
    return solvers_of(prove(formula, id="none", statement=statement, seconds=2.0, deadline=seconds))


def _title(arguments: argparse.Namespace) -> str:
    parts = [arguments.phi, *([f"at {arguments.level}"] if arguments.level else [])]
    return " ".join([*parts, *(f"not {name}" for name in arguments.absent)])


def _saved(arguments: argparse.Namespace, found: Found, phi: Query, absent: list[Query]) -> list[Schedule]:
    names = [p.id for p in phi.phenomena]
    out = []
    for place, schedule in enumerate(found.schedules, start=1):
        from ..checker import check

        shown = check(schedule)
        present = [name for name in names if shown.findings[name].present]
        missing = [p.id for query in absent for p in query.phenomena if shown.findings[p.id].present is False]
        title = slug(_title(arguments)) + (f"-{place}" if len(found.schedules) > 1 else "")
        source = f"toki-verify witness: the smallest schedule with {_title(arguments)} ({_size(found)})"
        out.append(expecting(schedule, title, source, present, missing))
    return out


def _size(found: Found) -> str:
    assert found.size is not None
    return counted(found.size)


def _print(
    arguments: argparse.Namespace, found: Found, phi: Query, absent: list[Query], proved_by: tuple[str, ...]
) -> None:
    if arguments.output == "json":
        _json(arguments, found, proved_by)
    elif arguments.output == "sched":
        from ..notation.printer import print_schedule

        saved = _saved(arguments, found, phi, absent) if found.schedules else []
        sys.stdout.write("\n".join(print_schedule(schedule) for schedule in saved))
        if not found.schedules:
            print(_none(found, proved_by), file=sys.stderr)
    elif not found.schedules:
        print(_none(found, proved_by))
    else:
        _text(arguments, found, [p.id for p in phi.phenomena])


def _none(found: Found, proved_by: tuple[str, ...]) -> str:
    if proved_by:
        return f"none: no schedule of any size has it (proved by {' and '.join(proved_by)})"
    return f"undecided: {found.reason}, and no proof that there is none"


def _text(arguments: argparse.Namespace, found: Found, asked: list[str]) -> None:
    from ..checker import check
    from ..notation.printer import print_schedule
    from ..report.line import line
    from ..report.text import findings, levels

    count = len(found.schedules)
    what = "the smallest schedule" if count == 1 or not arguments.all else f"{count} smallest schedules"
    left = "" if not arguments.all or found.complete else f" (more exist: {found.reason or '--limit'})"
    show([line((f"{_title(arguments)}: ", "bold"), f"{what}, {_size(found)}{left}")])
    for place, schedule in enumerate(found.schedules, start=1):
        show([line()])
        number = f"{place}." if count > 1 else ""
        for row in print_schedule(schedule).rstrip().split("\n"):
            show([line(f"  {number.ljust(len(str(count)) + 2) if count > 1 else ''}", (row, "bold"))])
            number = ""
    if count == 1:
        verdict = check(found.schedules[0])
        told, also = asked_first(*verdict.told(), asked)
        show(findings(verdict, told, also, width()))
        show(levels(verdict, told, width(), arguments.family))


def asked_first(told: list[Finding], also: list[Finding], asked: list[str]) -> tuple[list[Finding], list[Finding]]:
    """The phenomena that were asked for before the others, and explained."""
    first = [finding for finding in (*told, *also) if finding.phenomenon.id in asked]
    return [*first, *(f for f in told if f not in first)], [f for f in also if f not in first]


def _json(arguments: argparse.Namespace, found: Found, proved_by: tuple[str, ...]) -> None:
    from ..jsonform import schedule_object

    data = {
        "format": "toki-schedule/1",
        "formula": " and ".join([arguments.phi, *(f"not {name}" for name in arguments.absent)]),
        "level": arguments.level,
        "family": arguments.family,
        "verdict": "none" if proved_by else found.verdict,
        "size": None if found.size is None else found.size[0],
        "transactions": None if found.size is None else found.size[1],
        "items": None if found.size is None else found.size[2],
        "complete": found.complete if arguments.all else None,
        "reason": "" if proved_by else found.reason,
        "proved_by": list(proved_by),
        "schedules": [schedule_object(schedule) for schedule in found.schedules],
    }
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=1) + "\n")
