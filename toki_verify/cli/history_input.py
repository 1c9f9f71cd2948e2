"""What commands on histories and large traces share: checking files one by one, formats and initial values, the extra,
how a report ends."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from ..phenomena.catalogue import nearest
from ..processes import NotStarted
from .common import print_problems, refused, show
from .following import following
from .interrupts import interrupts_between
from .main import BAD_INPUT, FOUND, INTERRUPTED, OK, UNDECIDED, to_nowhere
from .parallel import is_parallel, results

if TYPE_CHECKING:
    from ..events import Problem
    from ..histories.checked import Checked
    from ..histories.checked_trace import CheckedTrace
    from ..histories.one_file import HistoryOptions, TraceOptions
    from ..histories.parallel.check_files import Said
    from ..report.line import Line
    from .kinds import Input

_MISSING = "histories need the extra `histories` ({name} is missing): pip install 'toki-verify[histories,solvers]'"


#: The formats of histories (`histories.formats.FORMATS`, which needs the extra).
FORMAT_NAMES = ("plume", "awdit", "jepsen-edn", "elle-json", "dbcop-json", "dbcop-text", "timekiller")


def meant(name: str, known: Sequence[str]) -> str:
    """A hint at the names that one that is none may stand for, in brackets; empty where there is none."""
    asked = name.casefold()
    near = [one for one in known if asked and (asked in one or one in asked)] or nearest(name, list(known))
    return f" (did you mean {' or '.join(near)}?)" if near else ""


def add_format(parser: argparse._ActionsContainer, initial: str = "as in `toki-verify check`") -> None:
    """--format and --initial; `initial` is the help of the latter."""
    names = f"{', '.join(FORMAT_NAMES[:-1])} or {FORMAT_NAMES[-1]}"
    parser.add_argument(
        "--format", metavar="NAME", help=f"the format of a history: {names} (default: its content tells)"
    )
    parser.add_argument("--initial", choices=("auto", "nil", "zero", "written"), default="auto", help=initial)


def of_histories(arguments: argparse.Namespace) -> str | None:
    """Which option of histories was given, that of schedules and traces says nothing; None: none was."""
    for option, given in (
        ("--initial", arguments.initial != "auto"),
        ("--seconds", arguments.seconds is not None),
        ("--real-time", arguments.real_time),
        ("--no-smallest", arguments.no_smallest),
        ("--version-order", arguments.version_order != "auto"),
        ("--timestamps", arguments.timestamps),
    ):
        if given:
            return f"{option} is for histories: a trace says which version each read saw, and in which order"
    return None


def with_extra(arguments: argparse.Namespace, go: Callable[[argparse.Namespace], int]) -> int:
    """Run a command that needs the extra; where it is missing the message names it. The exit code.

    A format that is none is refused before anything is read.
    """
    with interrupts_between():
        try:
            from ..histories.formats import FORMATS

            if arguments.format not in (None, *FORMATS):
                expected = ", ".join(FORMATS)
                hint = meant(arguments.format, tuple(FORMATS))
                return refused(arguments.command, f"no format {arguments.format}, expected one of {expected}{hint}")
            return go(arguments)
        except NotStarted as error:
            return refused(arguments.command, error)
        except ModuleNotFoundError as error:
            return refused(arguments.command, _MISSING.format(name=error.name))


def read_path(path: str) -> tuple[bytes, str, Problem | None]:
    """The bytes of a path, its name, and why it cannot be read (`histories/one_file.py`)."""
    from ..histories import one_file

    return one_file.read_path(path)


_Result = TypeVar("_Result", "Checked", "CheckedTrace")


@dataclass
class Files(Generic[_Result]):
    """What became of files that were checked: results in the order of the paths, problems, and whether Ctrl-C ended it
    before `left` more files. `say` prints a result as soon as it is there, None: the report is one of all of them."""

    say: Callable[[_Result], None] | None = None
    found: list[_Result] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    interrupted: bool = False
    left: int = 0


def check_files(arguments: argparse.Namespace, options: HistoryOptions | TraceOptions, files: Files[_Result]) -> None:
    """Check files, one by one or side by side, with a bar. `files` gets what is found; Ctrl-C ends it, and what is
    known stays there. What `arguments.inputs` has a problem with is not read, and `files` gets the problem. Raises
    NotStarted."""
    paths = [one.path for one in arguments.inputs if one.problem is None]
    files.left = len(arguments.inputs)
    tell_of_compiling(options)
    with following(1 if is_parallel(paths, arguments) else len(paths)) as follow:
        try:
            for result, problems in _said(arguments.inputs, results(paths, options, arguments, follow)):
                files.left -= 1
                files.problems += problems
                if result is not None:
                    files.found.append(result)
                    if files.say is not None:
                        with follow.aside():
                            files.say(result)
                    if result.interrupted:
                        files.interrupted = True
                        return
        except KeyboardInterrupt:
            files.interrupted = True


def _said(inputs: Sequence[Input], read: Generator[Said, None, None]) -> Iterator[Said]:
    """What is said of each input, in their order: what is wrong with it, or what is said where it is read."""
    with closing(read):
        for one in inputs:
            yield next(read) if one.problem is None else (None, [one.problem])


def as_they_come(
    arguments: argparse.Namespace, lines: Callable[[_Result], Iterable[Line]], data: Callable[[_Result], object]
) -> Callable[[_Result], None] | None:
    """What prints each result as soon as it is there, in the forms that are one report a file: text, JSON Lines."""
    told = 0

    def text(result: _Result) -> None:
        nonlocal told
        if arguments.quiet and result.ok:
            return
        if told:
            print()
        told += 1
        show(lines(result))

    def line(result: _Result) -> None:
        sys.stdout.write(json.dumps(data(result), ensure_ascii=False) + "\n")

    say = {"text": text, "jsonl": line}.get(arguments.output)
    return None if say is None else lambda result: to_reader(lambda: say(result))


def tell_of_compiling(options: HistoryOptions | TraceOptions) -> None:
    """Say on a terminal that loops are compiled, where none are kept from a run before: nothing moves meanwhile."""
    if sys.stderr.isatty() and not _compiled_before(options):
        print("compiling loops once (about half a minute)", file=sys.stderr, flush=True)


def _compiled_before(options: HistoryOptions | TraceOptions) -> bool:
    """Whether numba has kept a loop that every history, or every trace, needs; True where it keeps none."""
    from ..histories.one_file import HistoryOptions

    loop: object
    if isinstance(options, HistoryOptions):
        from ..histories.sessions.graph import adjacency as loop
    else:
        from ..histories.readers.lines_scan import scan as loop
    place = getattr(getattr(loop, "stats", None), "cache_path", None)
    # Numba calls its indices after the function and the line where it begins.
    return place is None or any(Path(place).glob(f"*.{getattr(loop, '__name__', '')}-*.nbi"))


def ended(files: Files[_Result], output: str) -> int:
    """What remains to be said behind a report in this form; the exit code (NOTATION: 2 before 1 before 3)."""
    if output != "github":  # which says them itself
        print_problems(files.problems)
    if files.interrupted:
        left = f"; {files.left} file{'' if files.left == 1 else 's'} not checked" if files.left else ""
        print(f"interrupted{left}", file=sys.stderr)
        return INTERRUPTED
    if files.problems:
        return BAD_INPUT
    outcomes = {checked.ok for checked in files.found}
    return FOUND if False in outcomes else UNDECIDED if None in outcomes else OK


def wrong_limit(arguments: argparse.Namespace) -> str | None:
    """What is wrong with --limit, or None."""
    return None if arguments.limit >= 0 else f"--limit is {arguments.limit}, expected 0 or more"


def to_reader(report: Callable[[], None]) -> None:
    """Print a report; a reader that has gone does not change the exit code."""
    try:
        report()
        sys.stdout.flush()
    except BrokenPipeError:
        to_nowhere(sys.stdout)
