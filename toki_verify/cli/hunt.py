"""`toki-verify hunt`: a random search for a schedule with a combination of phenomena and levels."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING

from ..events import ScheduleError
from ..phenomena.catalogue import UnknownName
from .common import print_problems, progress, show, use_utf8, user_levels, width
from .main import BAD_INPUT, OK, UNDECIDED
from .searching import add_family, refused

if TYPE_CHECKING:
    from ..events import Schedule
    from ..levels import Family
    from ..search.hunt import Hunt
    from ..search.query import Query

EPILOG = """\
QUERY combines phenomena, which are to be present, and levels, which are to hold, with `and`, `or`, `not`, parentheses,
and commas for conditions that must all hold. `no P4` and `shows P4` are the phenomenon where a level is called P4, too.

Random schedules are made until one satisfies the query, which is then shrunk: small, not proved smallest. For what the
bounded search of `toki-verify witness` does not hold (judge calls, callbacks, sessions, partitions, long schedules). A
hunt that finds nothing proves nothing. The same seed tries the same schedules.

examples:
  toki-verify hunt "SI and A5B"
  toki-verify hunt "adya:PL-3 and not graph:SI"
  toki-verify hunt "(A5B or P3) and SI" -o sched
  toki-verify hunt "RC+SR@judge_log and P2" --seed 7 --seconds 60
  toki-verify hunt "my-level and N1" --levels mine.levels --max-events 60 --transactions 10

exit codes: 0 found; 2 wrong usage; 3 undecided: none found in the time given
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("query", metavar="QUERY", help="what to look for, such as 'SI and not (A5B or P3)'")
    add_family(parser)
    parser.add_argument(
        "--seconds", type=float, default=10.0, metavar="S", help="give up after so many seconds (default: 10)"
    )
    parser.add_argument("--tries", type=int, metavar="N", help="give up after so many schedules (default: no limit)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed tries others (default: 0)")
    parser.add_argument("--max-events", type=int, default=24, metavar="N", help="at most so many (default: 24)")
    parser.add_argument("--transactions", type=int, default=5, metavar="N", help="at most so many (default: 5)")
    parser.add_argument("--items", type=int, default=3, metavar="N", help="at most so many (default: 3)")
    parser.add_argument(
        "--allow-unfinished", action="store_true", help="transactions that neither commit nor abort too"
    )
    parser.add_argument(
        "-o",
        "--output",
        choices=("text", "json", "sched"),
        default="text",
        help="the form of the result (default: text)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Hunt; the exit code."""
    from ..search.hunt import hunt
    from ..search.query import parse_query

    if arguments.output != "text":
        use_utf8()
    try:
        if not math.isfinite(arguments.seconds):
            raise ValueError(f"seconds must be a number, not {arguments.seconds}")
        user = user_levels(arguments.levels)
        query = parse_query(arguments.query, family=arguments.family, user=user)
        with progress("hunting") as advance:
            found = hunt(
                query,
                seconds=arguments.seconds,
                seed=arguments.seed,
                max_events=arguments.max_events,
                transactions=arguments.transactions,
                items=arguments.items,
                unfinished=arguments.allow_unfinished,
                tries=arguments.tries,
                advance=advance,
            )
    except ScheduleError as error:
        print_problems(list(error.problems))
        return BAD_INPUT
    except OSError as error:
        return refused("hunt", f"{arguments.levels}: {error.strerror}")
    except (UnknownName, ValueError) as error:
        return refused("hunt", error)
    if arguments.output == "json":
        sys.stdout.write(json.dumps(_object(arguments, query, found), ensure_ascii=False, indent=1) + "\n")
    elif found.schedule is None:
        print(_none(query, found), file=sys.stderr if arguments.output == "sched" else sys.stdout)
    elif arguments.output == "sched":
        from ..notation.printer import print_schedule

        sys.stdout.write(print_schedule(found.schedule))
    else:
        _text(query, found.schedule, found, user, arguments.family)
    return UNDECIDED if found.schedule is None else OK


def _none(query: Query, found: Hunt) -> str:
    tried = f"{found.tried:,} schedule{'' if found.tried == 1 else 's'} in {found.seconds:.1f} seconds"
    return f"undecided: {tried}, none satisfies {query} (try more --seconds, or another --seed)"


def _text(query: Query, schedule: Schedule, found: Hunt, user: Family | None, family: str) -> None:
    from ..checker import check
    from ..notation.printer import print_schedule
    from ..report.line import line
    from ..report.text import findings, levels

    resolved = schedule.resolved
    counts = ((len(schedule), "event"), (len(resolved.txns), "transaction"), (len(resolved.items), "item"))
    size = ", ".join(f"{count} {name}{'' if count == 1 else 's'}" for count, name in counts)
    show(
        [
            line(
                (f"{query}: ", "bold"),
                f"a small schedule, {size} (number {found.tried:,} of seed {found.seed}, shrunk)",
            )
        ]
    )
    show([line()])
    show([line("  ", (row, "bold")) for row in print_schedule(schedule).rstrip().split("\n")])
    verdict = check(schedule, user=user)
    told, also = verdict.told()
    show(findings(verdict, told, also, width()))
    show(levels(verdict, told, width(), family))
    show([line(("  Small, not proved smallest: `toki-verify witness` searches in order of size.", "dim"))])


def _object(arguments: argparse.Namespace, query: Query, found: Hunt) -> dict[str, object]:
    from ..jsonform import schedule_object

    schedules = [] if found.schedule is None else [found.schedule]
    return {
        "format": "toki-schedule/1",
        "formula": str(query),
        "family": arguments.family,
        "verdict": "found" if schedules else "undecided",
        "size": len(schedules[0]) if schedules else None,
        "proved_smallest": False,
        "tried": found.tried,
        "seed": found.seed,
        "reason": "" if schedules else f"none of {found.tried} random schedules satisfies it",
        "schedules": [schedule_object(schedule) for schedule in schedules],
    }
