"""What is wrong with a history file: where each fault stands, twenty of them at once, or what was left out."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from ...events import Problem
from ...events.limits import GIVE_UP, NUMBER_DIGITS
from ...notation.excerpt import excerpt

#: Problems that are said of one file before the rest is only counted.
SAID: Final = 20
#: Characters of a piece of the input that a message shows.
SHOWN: Final = 60
_LONG_NUMBER = re.compile(f"[0-9]{{{NUMBER_DIGITS + 1}}}")

_ZEROS = bytes.maketrans(b"0123456789", b"0" * 10)


class Fault(ValueError):
    """A fault of one line, form or transaction: what it is, what was expected, its rule, and the offset in the text."""

    def __init__(self, at: int, what: str, expected: str, rule: str) -> None:
        super().__init__(f"{what}, expected {expected}")
        self.at, self.what, self.expected, self.rule = at, what, expected, rule


def shown(piece: str) -> str:
    """A piece of the input for a message, in quotes, cut where it is long."""
    return repr(piece if len(piece) <= SHOWN else piece[: SHOWN - 1] + "…")


@dataclass
class Text:
    """The text of a history file, as bytes (UTF-8: `formats.read_history` has seen to that) and as characters."""

    data: bytes
    source: str

    @cached_property
    def text(self) -> str:
        """The characters."""
        return self.data.decode("utf-8")

    @cached_property
    def _digits(self) -> bytes:
        """The bytes, with a zero for each digit."""
        return self.data.translate(_ZEROS)

    def has_digits(self, count: int) -> bool:
        """Whether so many digits stand in a row."""
        return b"0" * count in self._digits

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line begins."""
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def line(self, at: int) -> int:
        """The line, from 1, of an offset."""
        return bisect_right(self.starts, at)

    def problem(self, fault: Fault) -> Problem:
        """The fault with file, line, column and the text around it."""
        at = min(max(fault.at, 0), len(self.text))
        row = self.line(at) - 1
        begin = self.starts[row]
        end = self.starts[row + 1] - 1 if row + 1 < len(self.starts) else len(self.text)
        context, caret = excerpt(self.text, at, begin, max(end, at))
        column = at - begin + 1
        return Problem(fault.what, fault.expected, fault.rule).at(
            file=self.source, line=row + 1, column=column, context=context, caret=caret
        )


@dataclass
class Faults:
    """Collects the faults of one file. With `skip`, what is at fault is left out and counted, as the user asked."""

    text: Text
    skip: bool = False
    unit: str = "line"
    found: list[Fault] = field(default_factory=list)
    _left_out: list[Fault] = field(default_factory=list)
    _fatal: bool = False

    def add(self, fault: Fault, *, fatal: bool = False) -> None:
        """One more. `fatal`: the rest of the file cannot be understood, so that nothing is left to skip to."""
        if self.skip and not fatal:
            self._left_out.append(fault)
        else:
            self.found.append(fault)
        self._fatal = self._fatal or fatal

    @property
    def over(self) -> bool:
        """Whether the rest of the file is not worth reading."""
        return self._fatal or len(self.found) >= GIVE_UP

    def problems(self) -> list[Problem]:
        """The first twenty in the order of the file, and how many more there are; with what was left out in vain."""
        order = sorted(self.found + self._left_out, key=lambda fault: fault.at)
        problems = [self.text.problem(fault) for fault in order[:SAID]]
        if len(order) > SAID:
            last, rest = problems[-1], len(order) - SAID
            more = f"{rest} more problem{'s' * (rest > 1)} after this one"
            problems.append(
                Problem(more, "a file without problems", "many", file=last.file, line=last.line, column=last.column)
            )
        return problems

    def warnings(self) -> tuple[str, ...]:
        """That something was left out, how much, and the first of it."""
        if not self._left_out:
            return ()
        count, first = len(self._left_out), self.text.problem(min(self._left_out, key=lambda fault: fault.at))
        return (f"{count} bad {self.unit}{'s' * (count > 1)} left out; the first: {first}",)


def long_number(text: Text) -> Fault | None:
    """The first run of more digits than a number may have, if there is one."""
    found = _LONG_NUMBER.search(text.text) if text.has_digits(NUMBER_DIGITS + 1) else None
    if found is None:
        return None
    what, expected = f"a number of more than {NUMBER_DIGITS} digits", f"at most {NUMBER_DIGITS} digits"
    return Fault(found.start(), what, expected, "limit-digits")


def empty(text: Text, expected: str) -> Fault:
    """That a file holds no operation."""
    return Fault(0, "a file without any operation", expected, "empty")
