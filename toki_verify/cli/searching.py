"""What commands that search share: their options, and schedules that are written to files."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from ..levels import DEFAULT_FAMILY, families
from ..search.limits import BOUNDS, Unfit
from ..search.witness import MAX_EVENTS, MAX_ITEMS, Bounds
from .common import refused, tell

if TYPE_CHECKING:
    from ..events import Schedule
    from ..search.features import Features


#: The longest time limit.
MOST_SECONDS = 1e6


def add_bounds(parser: argparse.ArgumentParser, events: int = MAX_EVENTS) -> None:
    """How far a search goes, and over what."""
    group = parser.add_argument_group("how far, and over what")
    low, high = BOUNDS["events"]
    group.add_argument(
        "--max-events", type=int, default=events, metavar="N", help=f"{low} to {high} (default: {events})"
    )
    group.add_argument("--transactions", type=int, metavar="N", help="at most so many (default: as many as fit)")
    group.add_argument(
        "--items", type=int, default=MAX_ITEMS, metavar="N", help=f"at most so many (default: {MAX_ITEMS})"
    )
    group.add_argument(
        "--predicates", type=int, default=1, metavar="N", help="at most so many predicates; 0: no predicate reads"
    )
    group.add_argument("--default-order", action="store_true", help="no stated version orders")
    group.add_argument("--no-aborts", action="store_true", help="every transaction commits")
    group.add_argument("--begins", action="store_true", help="begin events too")
    group.add_argument("--allow-unfinished", action="store_true", help="transactions that neither commit nor abort too")
    group.add_argument(
        "--seconds", type=float, metavar="S", help="give up after so many seconds: undecided (default: no limit)"
    )
    group.add_argument("--solver", choices=("z3", "cadical"), default="z3", help="who solves the clauses (default: z3)")


def add_family(parser: argparse.ArgumentParser) -> None:
    """Of which family a bare level is, and where users' levels are."""
    parser.add_argument(
        "--family",
        default=DEFAULT_FAMILY,
        metavar="NAME",
        help=f"the family of a bare level: {', '.join(families())} (default: {DEFAULT_FAMILY})",
    )
    parser.add_argument("--levels", metavar="FILE", help="user-defined levels, as formulas of the relational language")


def bounds_of(arguments: argparse.Namespace) -> Bounds:
    """The bounds that were asked for. Raises Unfit."""
    return Bounds(arguments.max_events, arguments.transactions, arguments.items).checked()


def features_of(arguments: argparse.Namespace) -> Features:
    """What schedules may use. Raises Unfit."""
    from ..search.features import Features
    from ..search.limits import within

    seconds = arguments.seconds
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise Unfit(f"a time limit of {seconds:g} seconds", f"more than 0, at most {MOST_SECONDS:g}")
    return Features(
        aborts=not arguments.no_aborts,
        orders=not arguments.default_order,
        predicates=within("predicates", arguments.predicates),
        begins=arguments.begins,
        unfinished=arguments.allow_unfinished,
    )


@contextmanager
def stage(label: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says where a long search is; on a terminal only, after a second."""
    begun = monotonic()
    shown = False

    def say(text: str) -> None:
        nonlocal shown
        if sys.stderr.isatty() and monotonic() - begun > 1:
            shown = True
            sys.stderr.write(f"\r\x1b[K{label}: {text}")
            sys.stderr.flush()

    try:
        yield say
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def slug(text: str) -> str:
    """A name for a file and a schedule, from a query."""
    return re.sub(r"[^A-Za-z0-9.\[\]+@-]+", "-", text).strip("-")[:80] or "schedule"


def save(schedules: list[Schedule], directory: str, name: str) -> str | None:
    """Write schedules to `directory/name.sched`; what went wrong, or None. Nothing is overwritten."""
    from ..notation.printer import print_schedule

    target = Path(directory)
    if target.suffix != ".sched":
        target = target / f"{name}.sched"
    text = "\n".join(print_schedule(schedule) for schedule in schedules)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            same = target.read_text(encoding="utf-8") == text
            if same:
                tell(f"{target} says so already")
            return None if same else f"{target} exists and says something else: move it away, or name another place"
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        return f"{target}: {error.strerror}"
    tell(f"wrote {target}")
    return None


def expecting(schedule: Schedule, name: str, source: str, present: list[str], absent: list[str]) -> Schedule:
    """The schedule with a name, where it comes from, and what a check is to find: these phenomena, these not, and the
    strongest level it has."""
    from ..checker import check
    from ..events import Expectation, Schedule

    plain = Schedule(
        schedule.events,
        init=schedule.init,
        order=schedule.order,
        sessions=schedule.sessions,
        partitions=schedule.partitions,
    )
    levels = check(plain).maximal(DEFAULT_FAMILY) or ("none",)
    expected = [
        *((Expectation("present", tuple(present)),) if present else ()),
        *((Expectation("absent", tuple(absent)),) if absent else ()),
        Expectation("level", levels),
    ]
    return Schedule(
        plain.events,
        init=plain.init,
        order=plain.order,
        sessions=plain.sessions,
        partitions=plain.partitions,
        surface=schedule.surface,
        name=name,
        source=source,
        expect=expected,
    )


def counted(size: tuple[int, int, int]) -> str:
    """A size in words."""
    names = ("event", "transaction", "item")
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for n, name in zip(size, names, strict=True))


__all__ = ["add_bounds", "add_family", "bounds_of", "counted", "expecting", "features_of", "refused", "save", "slug"]
