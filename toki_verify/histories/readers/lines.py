"""JSON Lines traces -> `Trace`, for millions of events: the reading of `jsonform/files.py` without an object an event.

The same traces are read and the same refused. A file with anything wrong, and within the limits of the reader of
small traces (`events/limits.py`), is read again by that one, which says what; for a larger one the words stand in
`lines_faults.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...events import Problem
from ...events.limits import EVENTS, FILE_BYTES, PROBLEMS
from ...inputs import decode
from ...jsonform.files import Places, read_json_lines
from ...jsonform.reader import EventReader
from ...notation.jsontext import JsonFault, parse_json
from ..columns import Int32
from ..trace import Trace, of_schedule
from .lines_build import build
from .lines_faults import capped, in_file, lines_of
from .lines_keys import NOTHING
from .lines_table import ScheduleObjects, Table, blotted, drop_nothing, encoding_problem, read_table
from .lines_values import known_of

#: How texts in UTF-16 and gzip files begin.
_OTHERS = (b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b")
#: Lines whose problems are said.
_SHOWN = PROBLEMS


def read_trace(
    data: bytes, source: str, *, skip_bad: bool = False, progress: Callable[[int], None] | None = None
) -> tuple[Trace | None, list[Problem]]:
    """The trace of a file, or what is wrong with it (never both).

    A file of one schedule object is read as that schedule. With `skip_bad`, lines that are no event objects are left
    out, and `warnings` says how many; a broken rule of SEMANTICS §1 is a problem nonetheless. `progress` is called with
    how many bytes are read.
    """
    problem = encoding_problem(data, source)
    blot = None
    if problem is not None and skip_bad and problem.rule in ("binary", "encoding") and not data.startswith(_OTHERS):
        data, problem, blot = blotted(data), None, problem
    if problem is not None:
        return None, [problem]
    try:
        trace, problems = fast(data, source, skip_bad=skip_bad, progress=progress, blot=blot)
    except ScheduleObjects:
        return _small(data, source, [])
    if trace is None and not skip_bad:
        return _small(data, source, problems)
    return trace, problems


def _small(data: bytes, source: str, problems: list[Problem]) -> tuple[Trace | None, list[Problem]]:
    """What the reader of small traces says; of a trace that is too large for it `problems`, where there are any."""
    if problems and (len(data) > FILE_BYTES or data.count(b"\n") + data.count(b"\r") > EVENTS):
        return None, problems
    text, problem = decode(data, source)
    if problem is not None:
        return None, [problem]
    schedules, found = read_json_lines(text, file=source)
    if found and problems and all(one.rule == "limit-accesses" for one in found):
        return None, problems
    if found:
        return None, found
    if len(schedules) != 1:
        what = f"{len(schedules)} schedule objects"
        return None, [
            Problem(what, "a trace: one schedule, or event objects", "json-form", file=source, line=1, column=1)
        ]
    return replace(of_schedule(schedules[0]), source=source), []


def fast(
    data: bytes,
    source: str,
    *,
    skip_bad: bool = False,
    progress: Callable[[int], None] | None = None,
    blot: Problem | None = None,
) -> tuple[Trace | None, list[Problem]]:
    """The same without the reader of small traces, and of one that is in UTF-8. `blot`: what the first bytes are that
    are no text, where lines with such bytes are blotted out. Raises ScheduleObjects."""
    table = read_table(data, source, give_up=not skip_bad, progress=progress)
    known = known_of(table)
    if len(known.bad):
        _leave_out(table, known.bad)
        known = known_of(table)
    if table.bad and not skip_bad:
        return None, capped(sorted(table.problems, key=in_file), table.bad)
    if not len(table.columns.op):
        expected = 'event objects such as {"op": "b", "txn": "1"}'
        return None, [Problem("a file without any event", expected, "empty", file=source, line=1, column=1)]
    trace, problems, count = build(table, known)
    if trace is None:
        return None, capped(problems, count)
    if table.bad:
        first = min(table.problems, key=in_file)
        first = blot if blot is not None and blot.line == first.line else first
        lines = "1 line that holds" if table.bad == 1 else f"{table.bad} lines that hold"
        skipped = f"{lines} no event left out, the first of them: {first}"
        trace = replace(trace, warnings=(skipped,))
    return trace, []


def _leave_out(table: Table, events: Int32) -> None:
    """Leave out events with a value that is none, and note what is wrong with their lines."""
    numbers = table.columns.line[events].tolist()
    texts = lines_of(table.data, numbers[:_SHOWN])
    for line in numbers[:_SHOWN]:
        text = texts[line]
        try:
            EventReader(lambda *_: None).read(parse_json(text))
            fault = JsonFault(0, "an event with a value that is none", "a value of its kind")
        except JsonFault as found:
            fault = found
        table.add(Places(text, line).problem(fault, table.source))
    table.bad += max(len(numbers) - _SHOWN, 0)
    table.columns.op[events] = NOTHING
    drop_nothing(table)
