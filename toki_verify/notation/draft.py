"""One schedule of a file while it is being read: its lines, and the schedule they make."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..events import (
    Event,
    Expectation,
    InitialVersion,
    Item,
    Partition,
    Predicate,
    Problem,
    Read,
    Row,
    Schedule,
    ScheduleError,
    Surface,
)
from ..events.limits import ACCESSES, EVENTS
from .cursor import Cursor, Fault
from .excerpt import excerpt
from .partitions import PartitionBook
from .reader import KEYWORDS, LineReader, Placed
from .single_version import as_predicate_reads, predicates_of, unfolded


class Line:
    """One line of a file: its keyword if it begins with one, and what follows."""

    def __init__(self, content: str, number: int, file: str | None) -> None:
        self.content, self.number, self.file = content, number, file
        stripped = content.strip()
        self.blank = not stripped or stripped.startswith("#")
        word = stripped.split(None, 1)[0] if stripped else ""
        self.keyword = word if word in KEYWORDS else None
        self.rest_at = content.index(word) + len(word) if self.keyword else 0

    def problem(self, fault: Fault) -> Problem:
        """A fault of this line, with its place and the text around it."""
        context, caret = excerpt(self.content, fault.at)
        return Problem(
            fault.what,
            fault.expected,
            fault.rule,
            file=self.file,
            line=self.number,
            column=fault.at + 1,
            context=context,
            caret=caret,
        )


@dataclass
class Draft:
    """What the lines said so far. `build` makes the Schedule or says what is wrong."""

    file: str | None
    line: int
    name: str | None = None
    sources: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    events: list[Placed] = field(default_factory=list)
    places: list[tuple[Line, int]] = field(default_factory=list)
    init: dict[Item, InitialVersion] = field(default_factory=dict)
    order: dict[Item, tuple[str, ...]] = field(default_factory=dict)
    sessions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    surface: list[Surface] = field(default_factory=list)
    expect: list[Expectation] = field(default_factory=list)
    book: PartitionBook = field(default_factory=PartitionBook)
    problems: list[Problem] = field(default_factory=list)
    #: where each stated order and session stands
    parts: dict[tuple[str, object], tuple[Line, int]] = field(default_factory=dict)
    too_many: bool = False

    def add(self, line: Line) -> None:
        """Take one line in."""
        try:
            if line.keyword is None:
                self._events(line)
            else:
                from .keywords import read_keyword

                read_keyword(self, line)
        except Fault as fault:
            self.problems.append(line.problem(fault))

    def _events(self, line: Line) -> None:
        if len(self.events) > EVENTS:
            self.too_many = True
            return
        reader = LineReader(line.content, lambda fault: self.problems.append(line.problem(fault)))
        for placed in reader.read():
            self.events.append(placed)
            self.places.append((line, placed.at))
            for item, partition in placed.partitions:
                try:
                    self.mention(line, placed.at, item, partition)
                except Fault as fault:
                    self.problems.append(line.problem(fault))

    def mention(self, line: Line, at: int, item: Item, partition: Partition | None) -> None:
        """Note the partition a reference states; two that disagree are a fault."""
        clash = self.book.mention(item, partition)
        if clash:
            raise Fault(at, clash.what, clash.expected, clash.rule)

    def build(self, stem: str | None) -> tuple[Schedule | None, list[Problem]]:
        """The schedule, or None and every problem of these lines."""
        if self.too_many:
            self.problems.append(
                Problem(
                    f"more than {EVENTS} events",
                    f"at most {EVENTS}",
                    "limit-events",
                    file=self.file,
                    line=self.line,
                    column=1,
                )
            )
        if self.problems:
            return None, self.problems
        events: list[Event] = [placed.event for placed in self.events]
        predicates = predicates_of(events, self.init)
        bare = {
            index
            for index, placed in enumerate(self.events)
            if placed.bare and isinstance(placed.event, Read) and Predicate(*placed.event.item) in predicates
        }
        if bare:
            rows = unfolded(events, bare, self.init)
            if rows > ACCESSES:
                return None, [
                    Problem(
                        f"the predicate reads list {rows} rows",
                        f"at most {ACCESSES}",
                        "limit-accesses",
                        file=self.file,
                        line=self.line,
                        column=1,
                    )
                ]
            events = as_predicate_reads(events, bare, self.init)
        try:
            schedule = Schedule(
                events,
                init=self.init,
                order=self.order,
                sessions=self.sessions,
                surface=self.surface,
                partitions=self.book.partitions,
                lines=[line.number for line, _ in self.places],
                name=self.name or stem,
                expect=self.expect,
                source="\n".join(self.sources) or None,
                note="\n".join(self.notes) or None,
            )
        except ScheduleError as error:
            return None, [self._placed(problem) for problem in error.problems]
        return schedule, []

    def _placed(self, problem: Problem) -> Problem:
        if problem.part in self.parts:
            line, at = self.parts[problem.part]
        elif problem.event is None or problem.event >= len(self.places):
            return problem.at(file=self.file, line=self.line, column=1)
        else:
            line, at = self.places[problem.event]
        located = line.problem(Fault(at, problem.what, problem.expected, problem.rule))
        return problem.at(
            file=self.file, line=located.line, column=located.column, context=located.context, caret=located.caret
        )


__all__ = ["KEYWORDS", "Cursor", "Draft", "Line", "Row"]
