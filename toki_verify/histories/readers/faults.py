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
#: A run of more digits than a number may have.
LONG_NUMBER: Final = re.compile(f"[0-9]{{{NUMBER_DIGITS + 1}}}")

#: Rules about bytes that are no text.
BYTES: Final = ("binary", "encoding")
_ZEROS = bytes.maketrans(b"0123456789", b"0" * 10)
#: What such numbers have, with a zero for each digit.
_INEXACT: Final = (b"-" + b"0" * 19, b"0" * 20, b"e-000", b"E-000")


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
    """The text of a history file, as bytes (UTF-8: `formats.read_history` has seen to that) and as characters. `blots`:
    of lines with bytes that are no text, which are NUL in `data`, what the first of these is."""

    data: bytes
    source: str
    blots: dict[int, Fault] = field(default_factory=dict)

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

    @property
    def has_long(self) -> bool:
        """Whether more digits than a number may have stand in a row."""
        return self.has_digits(NUMBER_DIGITS + 1)

    @cached_property
    def inexact(self) -> bool:
        """Whether numbers may stand in it that orjson, without a word, makes another number: integers below -2^63, that
        have 19 digits, or from 2^64, which have 20, become doubles; what is too near to 0 for a double becomes 0, which
        takes an exponent of three digits, or zeros in a row instead."""
        return any(sign in self._digits for sign in _INEXACT)

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
    _kept: list[Fault] = field(default_factory=list)
    _fatal: bool = False

    def add(self, fault: Fault, *, fatal: bool = False, kept: bool = False) -> None:
        """One more. `fatal`: the rest of the file cannot be understood, so that nothing is left to skip to.
        `kept`: what is at fault is not left out. In a line with bytes that are no text, these are the fault."""
        if self.text.blots and fault.rule not in BYTES:
            fault = self.text.blots.get(self.text.line(fault.at), fault)
        if self.skip and not fatal:
            (self._kept if kept else self._left_out).append(fault)
        else:
            self.found.append(fault)
        self._fatal = self._fatal or fatal

    def separator(self, fault: Fault, ends: str) -> None:
        """One more, in a line that may be the end of a session or a transaction: without it two of them would be
        one, so that it is not left out."""
        if not self.skip:
            self.add(fault)
            return
        fault = self.text.blots.get(self.text.line(fault.at), fault)
        what = f"{fault.what}, in a line that may end {ends} and is not left out"
        self.add(Fault(fault.at, what, fault.expected, fault.rule), fatal=True)

    @property
    def over(self) -> bool:
        """Whether the rest of the file is not worth reading."""
        return self._fatal or len(self.found) >= GIVE_UP

    def problems(self) -> list[Problem]:
        """The first twenty in the order of the file, and how many more there are; with what was left out in vain."""
        order = sorted(self.found + self._left_out + self._kept, key=lambda fault: fault.at)
        problems = [self.text.problem(fault) for fault in order[:SAID]]
        if len(order) > SAID:
            last, rest = problems[-1], len(order) - SAID
            more = f"{rest} more problem{'s' * (rest > 1)} after this one"
            problems.append(
                Problem(more, "a file without problems", "many", file=last.file, line=last.line, column=last.column)
            )
        return problems

    def warnings(self) -> tuple[str, ...]:
        """That something was left out, or kept although it is at fault: how much, and the first of it."""
        said = []
        for faults, what in (
            (self._left_out, ("left out", "left out")),
            (self._kept, ("whose transaction is kept", "whose transactions are kept")),
        ):
            if faults:
                count, first = len(faults), self.text.problem(min(faults, key=lambda fault: fault.at))
                said.append(f"{count} bad {self.unit}{'s' * (count > 1)} {what[count > 1]}; the first: {first}")
        return tuple(said)


def long_number(text: Text) -> Fault | None:
    """The first run of more digits than a number may have, if there is one."""
    found = LONG_NUMBER.search(text.text) if text.has_long else None
    if found is None:
        return None
    what, expected = f"a number of more than {NUMBER_DIGITS} digits", f"at most {NUMBER_DIGITS} digits"
    return Fault(found.start(), what, expected, "limit-digits")


def empty(text: Text, expected: str) -> Fault:
    """That a file holds no operation."""
    return Fault(0, "a file without any operation", expected, "empty")
