"""`toki-verify matrix`: the guard map, every cell proved or witnessed."""

from __future__ import annotations

import argparse
import sys

from ..levels import DEFAULT_FAMILY, families, family, parse_spec
from ..phenomena.catalogue import UnknownName, catalogue, phenomenon
from .common import print_problems, show, use_utf8, user_levels
from .main import BAD_INPUT, OK, UNDECIDED
from .searching import MOST_SECONDS, bounds_of, refused, save, stage

EPILOG = """\
The default is the grid of the paper (TOKI, Table 23): nine phenomena at RC, SI, SR, with and without the callback axis.
Every cell is *excluded*, proved for schedules of every size by both solvers, or *admitted*, with a smallest schedule.

examples:
  toki-verify matrix
  toki-verify matrix --family adya
  toki-verify matrix --readings all -o markdown > readings.md
  toki-verify matrix --phenomena A5B,G2-item --level SR --level adya:PL-3
  toki-verify matrix --save schedules/tightness/guard-map.sched

exit codes: 0 every cell is decided; 2 wrong usage; 3 a cell is undecided
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument(
        "--family",
        action="append",
        metavar="NAME",
        help=f"the family of the levels; may be repeated: {', '.join(families())} (default: {DEFAULT_FAMILY})",
    )
    parser.add_argument(
        "--readings",
        choices=("default", "all"),
        default="default",
        help="all: every variant of every phenomenon, in every family unless --family names some",
    )
    parser.add_argument(
        "--phenomena", metavar="NAMES", help="the rows, separated by commas (default: the nine of the paper (TOKI))"
    )
    parser.add_argument(
        "--level",
        action="append",
        metavar="SPEC",
        help="a column; may be repeated (default: the paper's six, or the family's)",
    )
    parser.add_argument("--levels", metavar="FILE", help="user-defined levels, as formulas of the relational language")
    parser.add_argument("--max-events", type=int, default=10, metavar="N", help="how far to search (default: 10)")
    parser.add_argument("--items", type=int, default=3, metavar="N", help="at most so many (default: 3)")
    parser.add_argument(
        "--proof-seconds", type=float, default=5.0, metavar="S", help="per obligation and solver (default: 5)"
    )
    parser.add_argument("--solver", choices=("z3", "cadical"), default="z3", help="who searches (default: z3)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="so many processes (default: 2)")
    parser.add_argument("--save", metavar="FILE", help="write the smallest schedules to a .sched file or a directory")
    parser.add_argument(
        "-o", "--output", choices=("text", "json", "markdown"), default="text", help="the form of the result"
    )


def run(arguments: argparse.Namespace) -> int:
    """Decide every cell; the exit code."""
    from ..claims.guard_map import guard_map, levels_of
    from ..claims.seed import NINE
    from ..events import ScheduleError
    from ..report.guard_map import guard_map_json, guard_map_markdown, guard_map_text
    from ..search.limits import Unfit, within
    from ..search.solvers import SolverMissing

    if arguments.output != "text":
        use_utf8()
    arguments.transactions = None
    every = arguments.readings == "all"
    try:
        user = user_levels(arguments.levels)
        names = list(NINE)
        if arguments.phenomena is not None:
            names = [phenomenon(name.strip()).id for name in arguments.phenomena.split(",")]
        elif every:
            names = list(catalogue())
        wanted = arguments.family or (list(families()) if every else [DEFAULT_FAMILY])
        chosen = ["user" if user and name == "user" else family(name).id for name in wanted]
        if not 0 < arguments.proof_seconds <= MOST_SECONDS:
            raise Unfit(f"{arguments.proof_seconds:g} seconds for a proof", f"more than 0, at most {MOST_SECONDS:g}")
        with stage("deciding") as progress:
            for spec in arguments.level or ():
                parse_spec(spec, default=chosen[0], user=user)
            maps = [
                guard_map(
                    name,
                    phenomena=names,
                    levels=arguments.level or (levels_of(name) if every and name != "user" else None),
                    bounds=bounds_of(arguments),
                    solver=arguments.solver,
                    proof_seconds=arguments.proof_seconds,
                    user=user,
                    jobs=within("jobs", arguments.jobs),
                    progress=progress,
                )
                for name in chosen
            ]
    except ScheduleError as error:
        print_problems(list(error.problems))
        return BAD_INPUT
    except (Unfit, UnknownName, SolverMissing) as error:
        return refused("matrix", error)
    except OSError as error:
        return refused("matrix", f"{arguments.levels}: {error.strerror}")
    if arguments.output == "json":
        sys.stdout.write(guard_map_json(maps))
    elif arguments.output == "markdown":
        sys.stdout.write("\n".join(guard_map_markdown(found) for found in maps))
    else:
        for found in maps:
            show(guard_map_text(found))
    if arguments.save:
        from ..claims.tightness import tightness_schedules

        problem = save(tightness_schedules(maps), arguments.save, "guard-map")
        if problem:
            return refused("matrix", problem)
    return UNDECIDED if any(cell.verdict == "undecided" for found in maps for cell in found.cells) else OK
