"""`toki-verify distinguish`: what one level allows and another forbids."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from ..events import Schedule, ScheduleError
from ..levels import family
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
    from ..levels import Family
    from ..search.distinguish import Distinction

EPILOG = """\
examples:
  toki-verify distinguish --allowed SI --forbidden SR
  toki-verify distinguish --allowed adya:PL-3 --forbidden graph:SI
  toki-verify distinguish --allowed session:PSI --forbidden session:SI --save mine/
  toki-verify distinguish --levels mine.levels --allowed my-level --forbidden RC
  toki-verify distinguish --matrix graph adya

exit codes: 0 a schedule that tells them apart; 1 none, proved for every size: every schedule at the one is at the
other; 2 wrong usage; 3 undecided. With --matrix: 0, or 3 if something in it is undecided
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("--allowed", metavar="SPEC", help="the level the schedule is at, such as adya:PL-3")
    parser.add_argument("--forbidden", metavar="SPEC", help="the level it is not at, such as SI")
    parser.add_argument(
        "--matrix",
        nargs="*",
        metavar="FAMILY",
        help="the whole hierarchy of these families (default: all), every arrow proved and every non-arrow witnessed",
    )
    add_family(parser)
    parser.add_argument(
        "--save", metavar="DIR", help="write the schedule, with expectations, to a .sched file there (or to this file)"
    )
    add_bounds(parser)
    parser.add_argument(
        "-o", "--output", choices=("text", "json", "sched", "markdown"), default="text", help="the form of the result"
    )


def run(arguments: argparse.Namespace) -> int:
    """Decide; the exit code."""
    from ..search.distinguish import distinguish
    from ..search.limits import Unfit
    from ..search.solvers import SolverMissing

    if arguments.output != "text":
        use_utf8()
    if arguments.matrix is None and not (arguments.allowed and arguments.forbidden):
        return refused("distinguish", "name two levels with --allowed and --forbidden, or give --matrix")
    if arguments.matrix is None and arguments.output == "markdown":
        return refused("distinguish", "-o markdown is for --matrix")
    try:
        bounds, features = bounds_of(arguments), features_of(arguments)
        user = user_levels(arguments.levels)
        if arguments.matrix is not None:
            return _matrix(arguments, [family(name).id for name in arguments.matrix if name != "user"], user)
        with stage("searching") as progress:
            found = distinguish(
                arguments.allowed,
                arguments.forbidden,
                family=arguments.family,
                user=user,
                bounds=bounds,
                features=features,
                seconds=arguments.seconds,
                solver=arguments.solver,
                progress=progress,
            )
    except ScheduleError as error:
        print_problems(list(error.problems))
        return BAD_INPUT
    except (Unfit, UnknownName, SolverMissing) as error:
        return refused("distinguish", error)
    except OSError as error:
        return refused("distinguish", f"{arguments.levels}: {error.strerror}")
    _print(arguments, found)
    schedule = found.decision.schedule
    if arguments.save and schedule is not None:
        problem = save([_saved(found, schedule)], arguments.save, slug(_title(found)))
        if problem:
            return refused("distinguish", problem)
    return {"found": OK, "none": FOUND, "undecided": UNDECIDED}[found.decision.verdict]


def _saved(found: Distinction, schedule: Schedule) -> Schedule:
    title = _title(found)
    return expecting(schedule, slug(title), f"toki-verify distinguish: {title}", [], [])


def _title(found: Distinction) -> str:
    from ..search.distinguish import full_name

    return f"{full_name(found.allowed)} and not {full_name(found.forbidden)}"


def _sentence(found: Distinction) -> str:
    from ..search.distinguish import full_name

    decision = found.decision
    one, other = full_name(found.allowed), full_name(found.forbidden)
    if decision.verdict == "none":
        return (
            f"none: every schedule at {one} is at {other}, of any size (proved by {' and '.join(decision.proved_by)})"
        )
    if decision.verdict == "undecided":
        return f"undecided: {decision.reason}"
    size = decision.found.size
    assert size is not None
    count = counted(size)
    return f"{one} allows and {other} forbids: the smallest schedule has {count}"


def _print(arguments: argparse.Namespace, found: Distinction) -> None:
    from ..jsonform import schedule_object
    from ..notation.printer import print_schedule
    from ..report.line import line

    schedule = found.decision.schedule
    if arguments.output == "json":
        data = {
            "format": "toki-schedule/1",
            "allowed": f"{found.allowed.family}:{found.allowed.id}",
            "forbidden": f"{found.forbidden.family}:{found.forbidden.id}",
            "verdict": found.decision.verdict,
            "reason": found.decision.reason,
            "proved_by": list(found.decision.proved_by),
            "size": None if found.decision.found.size is None else found.decision.found.size[0],
            "schedule": None if schedule is None else schedule_object(schedule),
        }
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=1) + "\n")
        return
    if arguments.output == "sched":
        if schedule is not None:
            sys.stdout.write(print_schedule(_saved(found, schedule)))
        else:
            print(_sentence(found), file=sys.stderr)
        return
    show([line(_sentence(found))])
    if schedule is not None:
        from ..checker import check
        from ..report.text import findings, levels

        show([line()])
        show([line("  ", (row, "bold")) for row in print_schedule(schedule).rstrip().split("\n")])
        verdict = check(schedule, level=found.forbidden)
        told, also = verdict.told()
        show(findings(verdict, told, also, width()))
        show(levels(verdict, told, width(), found.forbidden.family))


def _matrix(arguments: argparse.Namespace, names: list[str], user: Family | None) -> int:
    from ..report.hierarchy import hierarchy_json, hierarchy_markdown, hierarchy_text
    from ..search.distinguish import hierarchy
    from ..search.hierarchy import compare

    if user is not None and (not arguments.matrix or "user" in arguments.matrix):
        names = [*names, "user"] if names or arguments.matrix else names
    levels = hierarchy(names or None, user=user)
    with stage("comparing levels") as progress:
        order = compare(levels, bounds_of(arguments), features_of(arguments), arguments.solver, progress)
    if arguments.output == "json":
        sys.stdout.write(hierarchy_json(order))
    elif arguments.output == "markdown":
        sys.stdout.write(hierarchy_markdown(order))
    else:
        show(hierarchy_text(order, width()))
    return UNDECIDED if order.undecided() else OK
