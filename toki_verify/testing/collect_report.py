"""How pytest shows a verdict or a problem of a file: the lines of the command's report, in pytest's colours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ..events import Problem
from ..report.line import Line
from ..report.plain import visible
from ..report.text import details, problem_lines
from ..verdict import Verdict

if TYPE_CHECKING:
    from _pytest._io import TerminalWriter

#: Lines are at most this wide, and at least the other: a picture of lanes needs some room.
WIDEST: Final = 110
NARROWEST: Final = 70


@dataclass(frozen=True)
class Crash:
    """What pytest's short summary, `--tb=line` and JUnit reports show of a failure, where pytest looks for it."""

    path: str
    lineno: int
    message: str

    def __str__(self) -> str:
        return (
            self.message if self.message.startswith(f"{self.path}:") else f"{self.path}:{self.lineno}: {self.message}"
        )


class Report:
    """Lines that pytest prints for a failure: the duck type of `longrepr`."""

    def __init__(self, lines: Callable[[int], Iterable[Line]], crash: Crash) -> None:
        """`lines` gives the report for a width."""
        self._lines = lines
        self.reprcrash = crash

    def toterminal(self, tw: TerminalWriter) -> None:
        """Print it. pytest's writer knows whether there are colours (`--color`, NO_COLOR)."""
        for entry in self._lines(min(WIDEST, max(NARROWEST, tw.fullwidth - 1))):
            pieces = [(visible(text), style) for text, style in entry.pieces]
            while pieces and not pieces[-1][0].rstrip():
                pieces.pop()
            for text, style in pieces:
                tw.write(text, **{_MARKUP.get(word, word): True for word in style.split()})
            tw.line()

    def __str__(self) -> str:
        """The report without colours; pytest-xdist sends this from a worker."""
        return "".join(visible(entry.plain).rstrip() + "\n" for entry in self._lines(WIDEST)).rstrip()


#: pytest's names for styles of rich.
_MARKUP: Final = {"dim": "light"}


def verdict_report(verdict: Verdict, family: str) -> Report:
    """The explanation of a verdict."""
    crash = Crash(verdict.file or "<schedule>", verdict.line or 1, visible(headline(verdict)))
    return Report(lambda width: details(verdict, width, family), crash)


def problem_report(problems: list[Problem]) -> Report:
    """What is wrong with a file."""

    def lines(width: int) -> Iterator[Line]:
        for problem in problems:
            yield from problem_lines(problem)

    first = problems[0]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    message = f"{first.place()}: {first.what}, expected {first.expected}{more}"
    return Report(lines, Crash(first.file or "<schedule>", first.line or 1, visible(message)))


def headline(verdict: Verdict) -> str:
    """A verdict that is not as expected, in one line."""
    if verdict.judged:
        unmet = [entry for entry in verdict.judged if entry.met is verdict.ok]
        said = "; ".join(entry.text + (f": {entry.detail}" if entry.detail else "") for entry in unmet)
    elif verdict.ok is None:
        said = "; ".join(f"{found.phenomenon.id}: {found.reason}" for found in verdict.undecided())
    else:
        said = ", ".join(f"{found.phenomenon.id} {found.phenomenon.title}" for found in verdict.told()[0])
    return f"undecided: {said}" if verdict.ok is None else said
