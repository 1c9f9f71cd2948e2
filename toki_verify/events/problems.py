"""Problems: what is wrong with an input, where, what was expected, and which rule says so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of an input.

    `event` is the index of the event at fault, `part` the stated order or session, as ``("order", item)`` (both None:
    the schedule as a whole). Readers add `file`, `line` and `column` (both from 1), `context`, the text around it, and
    `caret`, the place in that. `rule` is a short name such as ``own-write``.
    """

    what: str
    expected: str
    rule: str
    event: int | None = None
    file: str | None = None
    line: int | None = None
    column: int | None = None
    context: str | None = None
    caret: int | None = None
    part: tuple[str, object] | None = None

    def at(
        self,
        *,
        file: str | None,
        line: int | None,
        column: int | None,
        context: str | None = None,
        caret: int | None = None,
    ) -> Problem:
        """The same problem with its place; a place that is already known stays."""
        if self.line is not None:
            return self if self.file is not None else replace(self, file=file)
        return replace(self, file=file, line=line, column=column, context=context, caret=caret)

    def place(self) -> str:
        """``file:line:column`` as far as it is known."""
        parts = [self.file or "<input>"]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        return ":".join(parts)

    def __str__(self) -> str:
        event = "" if self.event is None or self.line is not None else f"event {self.event}: "
        return f"{self.place()}: {event}{self.what}, expected {self.expected} [{self.rule}]"


class ScheduleError(ValueError):
    """An input that is no well-formed schedule; carries every problem found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))
