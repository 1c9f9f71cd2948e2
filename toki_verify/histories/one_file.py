"""One file -> what a check says of it: the work that `toki-verify check` does file by file, here or in other processes.

`check_one` is a function of a module, and options and results hold no arrays that are shared and no functions, so that
both can be sent to another process. What checks histories is loaded with the first history, and what checks traces with
the first trace: each takes longer than many a check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..events import Problem
from ..levels.lattice import DEFAULT_FAMILY
from .builder import Initial
from .formats import read_history
from .memory import LARGE, keep_freed_memory
from .orders_choice import in_version_order
from .packed import unpacked
from .raw import read_path as read_path

if TYPE_CHECKING:
    from .checked import Checked
    from .checked_trace import CheckedTrace
    from .columnar.decide import Tell

#: A file by its path (`-`: standard input), or what it holds and its name.
Input = str | tuple[bytes, str]


def load(options: HistoryOptions | TraceOptions) -> None:
    """Load what `check_one` needs for these options, so that processes that are copies of this one have it."""
    if isinstance(options, TraceOptions):
        from . import checked_trace
        from .readers import lines

        assert checked_trace and lines
    else:
        from . import checked

        assert checked


@dataclass(frozen=True)
class HistoryOptions:
    """What is asked of a black-box history: see `formats.read_history`, `orders_choice.in_version_order` and
    `checked.check_history`."""

    format: str | None = None
    initial: Initial = "auto"
    skip_bad: bool = False
    declared: str | None = None
    seconds: float | None = None
    realtime: bool = False
    smallest: bool = True
    jobs: int = 1
    version_order: str = "auto"


@dataclass(frozen=True)
class TraceOptions:
    """What is asked of a large trace: see `checked_trace.check_trace`."""

    level: str | None = None
    family: str = DEFAULT_FAMILY
    absent: tuple[str, ...] = ()
    skip_bad: bool = False
    evidence: bool = False
    limit: int = 3


def check_one(
    source: Input, options: HistoryOptions | TraceOptions, tell: Tell | None = None
) -> tuple[Checked | CheckedTrace | None, list[Problem]]:
    """Read and check one file, as a history or as a trace by the kind of the options: a Checked or a CheckedTrace, and
    what is wrong with the file. Where anything is wrong that no option leaves out, the result is None.

    `tell` hears how far it is: what is done ("reading" counts bytes), how much of it, of how much. Then Ctrl-C while
    deciding ends that, and the result is what is known (`interrupted`); while reading it raises KeyboardInterrupt.
    Raises UnknownName for names in the options that are in no catalogue, ValueError for a format that is none.
    """
    data, name, problem = read_path(source) if isinstance(source, str) else (*source, None)
    if problem is not None:
        return None, [problem]
    if len(data) >= LARGE:
        keep_freed_memory()
    whole = [data]
    del data  # whoever reads it takes it, so that it is not kept while the arrays are worked on
    if isinstance(options, TraceOptions):
        return _trace(whole, name, options, tell)
    return _history(whole, name, options, tell)


def _trace(
    whole: list[bytes], name: str, options: TraceOptions, tell: Tell | None
) -> tuple[CheckedTrace | None, list[Problem]]:
    from .checked_trace import check_trace
    from .readers.lines import read_trace

    data, problem = unpacked(whole.pop(), name)
    if problem is not None:
        return None, [problem]
    progress = None if tell is None else _Bytes(tell, len(data))
    trace, problems = read_trace(data, name, skip_bad=options.skip_bad, progress=progress)
    del data
    if trace is None:
        return None, problems
    found = check_trace(
        trace,
        level=options.level,
        family=options.family,
        absent=options.absent,
        evidence=options.evidence,
        limit=options.limit,
        tell=tell,
    )
    return found, problems


def _history(
    whole: list[bytes], name: str, options: HistoryOptions, tell: Tell | None
) -> tuple[Checked | None, list[Problem]]:
    from .checked import check_history

    data = whole.pop()
    if tell is not None:
        tell("reading", 0, len(data))
    history, problems = read_history(
        data, source=name, format=options.format, initial=options.initial, skip_bad=options.skip_bad
    )
    del data
    if history is None or (problems and not options.skip_bad):
        return None, problems
    ordered, wrong = in_version_order(history, options.version_order, skip_bad=options.skip_bad)
    if ordered is None:
        return None, [*problems, *wrong]
    history = ordered
    if options.realtime and history.begun is None:
        what = f"{history.format} does not say when transactions began and ended"
        return None, [*problems, Problem(what, "a format that does, for --real-time", "real-time", file=name)]
    found = check_history(
        history,
        declared=options.declared,
        seconds=options.seconds,
        realtime=options.realtime,
        smallest=options.smallest,
        tell=None if tell is None else _Levels(tell),
        jobs=options.jobs,
    )
    return found, problems


@dataclass
class _Bytes:
    """Tells of the bytes that are read."""

    tell: Tell
    total: int

    def __call__(self, done: int) -> None:
        self.tell("reading", done, self.total)


@dataclass
class _Levels:
    """Counts levels as they are decided."""

    tell: Tell
    done: int = 0

    def __call__(self, level: str) -> None:
        from .checked import LEVELS

        self.done += 1
        self.tell("levels", self.done, len(LEVELS))
