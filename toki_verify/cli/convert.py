"""`toki-verify convert`: histories from one format into another, schedules into histories, π_J(S) for other tools."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..inputs import STDIN, load, load_bytes
from .common import print_problems, refused, tell, use_utf8
from .history_input import add_format, meant, read_path, with_extra
from .main import BAD_INPUT, OK
from .opened import HEAD

if TYPE_CHECKING:
    from ..events import Problem, Schedule
    from ..histories.columns import History

#: What can be written: formats with a writer (`histories.writers`), and the notation of schedules.
TARGETS = ("plume", "awdit", "jepsen-edn", "elle-json", "dbcop-json", "timekiller", "sched")

EPILOG = """\
A schedule or trace becomes a history of what its transactions read and wrote, in its sessions; what a history cannot
hold (the interleaving, predicate reads, judge calls) is said on stderr, and so is where transactions and sessions have
other names than before, as most formats number them. With --bridge judge calls and callbacks are
first made reads and writes of logs (π_J), so that tools that know no judge can check them.

examples:
  toki-verify convert history.edn --to plume > history.txt
  toki-verify convert run.jsonl --bridge --to jepsen-edn --model append > run.edn
  toki-verify convert history.edn --without-unknown --to awdit > history.txt
  toki-verify convert plume.txt --initial written --to sched > history.sched
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("path", metavar="PATH", help="a history, a .sched file, a trace, or -")
    parser.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help=f"the format that is written: {', '.join(TARGETS[:-1])}, or sched, the textbook's",
    )
    add_format(parser)
    parser.add_argument(
        "--numbers", action="store_true", help="write keys and values as numbers, for tools that know nothing else"
    )
    parser.add_argument(
        "--without-unknown",
        action="store_true",
        help="leave out transactions of unknown outcome of which nobody read anything (they fail no level), and write "
        "the others of unknown outcome as committed",
    )
    parser.add_argument("--bridge", action="store_true", help="write π_J(S) of a schedule")
    parser.add_argument(
        "--model",
        choices=("register", "append"),
        default="register",
        help="what the writes of a schedule are: values of registers (default), or appends to lists",
    )


def run(arguments: argparse.Namespace) -> int:
    """Convert one file; the exit code."""
    use_utf8()
    return with_extra(arguments, _run)


def _run(arguments: argparse.Namespace) -> int:
    from ..histories.formats import detect, likely
    from ..histories.jepsen_store import other_file

    if arguments.to not in TARGETS:
        expected = f"expected one of {', '.join(TARGETS)}{meant(arguments.to, TARGETS)}"
        return refused("convert", f"no format to write is called {arguments.to}, {expected}")
    data, name, problem = read_path(arguments.path)
    problems: list[Problem] = [] if problem is None else [problem]
    found: Iterable[History] = ()
    head = data[:HEAD]
    if problem is None and (arguments.format or detect(head, name) or other_file(head) or likely(head)):
        from ..histories.formats import read_history

        history, wrong = read_history(data, source=name, format=arguments.format, initial=arguments.initial)
        problems += wrong
        found = [] if history is None else [history]
    elif problem is None:
        try:
            found = list(_of_schedules(arguments, data, problems))
        except ValueError as error:
            return refused("convert", error)
    if not problems:
        for history in found:
            code = _write(arguments, history)
            if code != OK:
                return code
    print_problems(problems)
    return BAD_INPUT if problems else OK


def _write(arguments: argparse.Namespace, history: History) -> int:
    """Write a history; the exit code."""
    from ..histories.restrict import numbered
    from ..histories.without_unknown import without_unknown
    from ..histories.writers import UnknownOutcome
    from ..report.history import Shortened

    short = Shortened(history)
    told = list(history.warnings)
    try:
        if arguments.without_unknown:
            known = without_unknown(history)
            history = known.history
            told.append(
                f"of unknown outcome: {known.left_out:,} transaction{'' if known.left_out == 1 else 's'} left out, of "
                f"which nobody read anything; {known.committed:,} written as committed, since somebody read from "
                f"{'it' if known.committed == 1 else 'them'}"
            )
        for warning in told:
            tell(f"toki-verify convert: {short(warning)}")
        written = numbered(history) if arguments.numbers else history
        sys.stdout.writelines(_written(written, arguments.to))
        _tell_names(written, arguments.to)
        return OK
    except UnknownOutcome as error:
        way = "`--without-unknown` leaves out those of which nobody read anything, and commits the others"
        return refused("convert", f"{short(str(error))}; {way}")
    except ValueError as error:
        helps = not arguments.numbers and _can_be_written(numbered(history), arguments.to)
        hint = "; `--numbers` writes keys and values as numbers" if helps else ""
        return refused("convert", f"{short(str(error))}{hint}")


def _tell_names(history: History, target: str) -> None:
    """Say which transactions and sessions have another name in what was written."""
    if target == "sched":
        return
    from ..histories.written_names import renamed

    names = renamed(history, target)
    if names is not None:
        tell(f"toki-verify convert: {target} has names of its own: {names}")


def _can_be_written(history: History, target: str) -> bool:
    """Whether a history has this form."""
    try:
        return all(True for _ in _written(history, target))
    except ValueError:
        return False


def _of_schedules(arguments: argparse.Namespace, data: bytes, problems: list[Problem]) -> Iterator[History]:
    from ..histories.from_schedule import history_of

    # Standard input can be read only once.
    for source in [load_bytes(data, "<stdin>")] if arguments.path == STDIN else load([arguments.path]):
        problems += source.problems
        if len(source.schedules) > 1:
            raise ValueError(
                f"{source.file} has {len(source.schedules)} schedules, and a history is one: name a file with one"
            )
        for schedule, _ in source.schedules:
            yield history_of(_image(schedule) if arguments.bridge else schedule, arguments.model)


def _image(schedule: Schedule) -> Schedule:
    from ..bridge.image import image

    found = image(schedule)
    if found.schedule is None:
        raise ValueError(f"π_J of {schedule.name or 'the schedule'} is no well-formed schedule: {found.problems[0]}")
    return found.schedule


def _written(history: History, target: str) -> Iterator[str]:
    if target == "sched":
        from ..histories.to_schedule import schedule_of
        from ..notation.printer import print_schedule

        yield print_schedule(schedule_of(history, name=Path(history.source).stem or None))
        return
    from ..histories.writers import write_history

    yield from write_history(history, target)
