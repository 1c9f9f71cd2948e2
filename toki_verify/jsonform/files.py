"""JSON files: one schedule object, an array of them, or JSON Lines of events (a trace) or of schedules."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from ..events import Event, Problem, Schedule, ScheduleError
from ..events.limits import EVENTS, GIVE_UP, LINE_LENGTH, PROBLEMS
from ..notation.excerpt import excerpt
from ..notation.jsontext import JsonFault, Node, parse_json
from ..notation.partitions import PartitionBook
from .document import ObjectReader
from .reader import EventReader

_BREAK = re.compile(r"\r\n|\n|\r")


@dataclass
class Places:
    """Line and column of offsets in a text."""

    text: str
    first_line: int = 1
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.starts = [0, *(match.end() for match in _BREAK.finditer(self.text))]

    def of(self, offset: int) -> tuple[int, int]:
        row = bisect_right(self.starts, offset) - 1
        return row + self.first_line, offset - self.starts[row] + 1

    def problem(self, fault: JsonFault, file: str | None) -> Problem:
        """A fault with its place and the text around it."""
        return self.located(Problem(fault.what, fault.expected, fault.rule), fault.offset, file)

    def located(self, problem: Problem, offset: int, file: str | None) -> Problem:
        """A problem at an offset of the text, with the text around it."""
        line, column = self.of(offset)
        row = line - self.first_line
        end = self.starts[row + 1] if row + 1 < len(self.starts) else len(self.text)
        while end > self.starts[row] and self.text[end - 1] in "\r\n":
            end -= 1
        context, caret = excerpt(self.text, offset, self.starts[row], end)
        return problem.at(file=file, line=line, column=column, context=context, caret=caret)


def read_json(text: str, *, file: str | None = None, stem: str | None = None) -> tuple[list[Schedule], list[Problem]]:
    """The schedules of a JSON document: a schedule object, an array of them, or event objects."""
    places = Places(text)
    try:
        node = parse_json(text)
    except JsonFault as fault:
        return [], [places.problem(fault, file)]
    nodes = node.value if isinstance(node.value, list) else [node]
    if nodes and all(map(_is_event, nodes)):
        trace = Trace(file, stem)
        for entry in nodes:
            trace.add(entry, places)
        return trace.finish()
    schedules, problems = _objects([(entry, places) for entry in nodes], file, stem)
    return schedules, _capped(problems)


def _is_event(node: Node) -> bool:
    return isinstance(node.value, dict) and "op" in node.value and "events" not in node.value


def read_json_lines(
    text: str, *, file: str | None = None, stem: str | None = None
) -> tuple[list[Schedule], list[Problem]]:
    """The schedule of a trace (an event object a line), or schedule objects, one a line."""
    trace = Trace(file, stem)
    objects: list[tuple[Node, Places]] = []
    problems: list[Problem] = []
    for number, line in enumerate(_BREAK.split(text), start=1):
        if not line.strip():
            continue
        if trace.extra_events:  # too many already: the rest is only counted
            trace.extra_events += 1
            continue
        if len(problems) + len(trace.problems) > GIVE_UP:
            problems.append(
                Problem("the rest of the file is not read", "fewer faults", "give-up", file=file, line=number, column=1)
            )
            break
        places = Places(line, number)
        if len(line) > LINE_LENGTH:
            problems.append(
                Problem(
                    f"a line of {len(line)} characters",
                    f"at most {LINE_LENGTH}",
                    "limit-line",
                    file=file,
                    line=number,
                    column=1,
                )
            )
            continue
        try:
            node = parse_json(line)
        except JsonFault as fault:
            problems.append(places.problem(fault, file))
            continue
        if isinstance(node.value, dict) and "events" in node.value:
            objects.append((node, places))
        else:
            trace.add(node, places)
    if objects and (trace.events or trace.problems):
        problems.append(
            Problem(
                "schedule objects and event objects in one file", "one kind", "json-form", file=file, line=1, column=1
            )
        )
    if objects:
        schedules, found = _objects(objects, file, None)
        return schedules, _capped(sorted(problems + trace.problems + found, key=_place))
    trace.problems = sorted(problems + trace.problems, key=_place)
    return trace.finish()


def _objects(
    nodes: list[tuple[Node, Places]], file: str | None, stem: str | None
) -> tuple[list[Schedule], list[Problem]]:
    schedules: list[Schedule] = []
    problems: list[Problem] = []
    names: set[str | None] = set()
    if not nodes:
        problems.append(Problem("an empty array", "at least one schedule object", "empty", file=file, line=1, column=1))
    for node, places in nodes:
        reader = ObjectReader(node, lambda at, places=places: places.of(at)[0])  # type: ignore[misc]
        schedule = reader.read(stem)
        problems += [places.problem(fault, file) for fault in reader.faults]
        if schedule is not None:
            if schedule.name is not None and schedule.name in names and len(nodes) > 1:
                problems.append(
                    places.located(
                        Problem(f"a second schedule named {schedule.name}", "unique names", "schedule-name"),
                        node.at,
                        file,
                    )
                )
            names.add(schedule.name)
            schedules.append(schedule)
    return schedules, problems


def _place(problem: Problem) -> tuple[int, int]:
    return problem.line or 0, problem.column or 0


def _capped(problems: list[Problem]) -> list[Problem]:
    if len(problems) <= PROBLEMS:
        return problems
    last = problems[PROBLEMS - 1]
    rest = Problem(
        f"{len(problems) - PROBLEMS} more problems after this one",
        "a file without problems",
        "many",
        file=last.file,
        line=last.line,
        column=last.column,
    )
    return [*problems[:PROBLEMS], rest]


class Trace:
    """A recorded trace: events in order, and the sessions and partitions they state."""

    def __init__(self, file: str | None, stem: str | None) -> None:
        self.file, self.stem = file, stem
        self.events: list[Event] = []
        self.places: list[tuple[Places, int]] = []
        self.sessions: dict[str, list[str]] = {}
        self.of: dict[str, str] = {}
        self.book = PartitionBook()
        self.problems: list[Problem] = []
        self.reader = EventReader(self._mention)
        self.extra_events = 0

    def _mention(self, at: int, item: object, partition: object) -> None:
        clash = self.book.mention(item, partition)  # type: ignore[arg-type]
        if clash:
            raise JsonFault(at, clash.what, clash.expected, clash.rule)

    def add(self, node: Node, places: Places) -> None:
        """Take one event object in."""
        if len(self.events) >= EVENTS:
            self.extra_events += 1
            return
        try:
            event, session = self.reader.read(node)
            if session is not None:
                known = self.of.setdefault(event.txn, session)
                if known != session:
                    raise JsonFault(
                        node.keys["session"],
                        f"T{event.txn} in session {session}",
                        f"session {known}, as at its first event",
                        "session",
                    )
                members = self.sessions.setdefault(session, [])
                if event.txn not in members:
                    members.append(event.txn)
        except JsonFault as fault:
            self.problems.append(places.problem(fault, self.file))
            return
        self.events.append(event)
        self.places.append((places, node.at))

    def finish(self) -> tuple[list[Schedule], list[Problem]]:
        """The schedule of the trace, or its problems."""
        if self.extra_events:
            self.problems.append(
                Problem(
                    f"{EVENTS + self.extra_events} events",
                    f"at most {EVENTS}",
                    "limit-events",
                    file=self.file,
                    line=1,
                    column=1,
                )
            )
        if not self.events and not self.problems:
            self.problems.append(
                Problem(
                    "a file without any event",
                    'event objects such as {"op": "b", "txn": "1"}',
                    "empty",
                    file=self.file,
                    line=1,
                    column=1,
                )
            )
        if self.problems:
            return [], _capped(self.problems)
        try:
            sessions = {name: tuple(txns) for name, txns in self.sessions.items()}
            return [
                Schedule(
                    self.events,
                    sessions=sessions,
                    partitions=self.book.partitions,
                    name=self.stem,
                    lines=[places.of(at)[0] for places, at in self.places],
                )
            ], []
        except ScheduleError as error:
            return [], _capped([self._placed(problem) for problem in error.problems])

    def _placed(self, problem: Problem) -> Problem:
        if problem.event is None or problem.event >= len(self.places):
            return problem.at(file=self.file, line=1, column=1)
        places, at = self.places[problem.event]
        return places.located(problem, at, self.file)
