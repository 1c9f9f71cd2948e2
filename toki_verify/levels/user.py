"""Levels that users write: formulas of the relational language in a text file, parsed and never run as code.

    level RC-monotonic
      title   read committed whose reads never go back
      let     seen = txn(wr | pwr)
      needs   graph:RC
      no      G-monotonic
      acyclic seen | txn(ww)

Every condition line (`needs`, `no`, `acyclic`, `irreflexive`, `empty`, `some`, `cycle`, `require`) must hold.
"""

from __future__ import annotations

import re

from ..events import Problem, ScheduleError
from ..events.limits import LINE_LENGTH, PROBLEMS
from ..phenomena.catalogue import UnknownName, phenomenon
from ..relations.formulas import Formula
from ..relations.syntax import NAMES, Parser, SyntaxFault, definition
from ..relations.terms import Term
from .lattice import Family, Level

_NAME = re.compile(r"[^\s:@#]+")
_SHOWN = 160
_CONDITIONS = ("no", "acyclic", "irreflexive", "empty", "some", "cycle", "not")


def parse_levels(text: str, *, file: str | None = None) -> Family:
    """The levels of a text as the family `user`. Raises ScheduleError with every problem."""
    reader = _Reader(file)
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        if len(line) > LINE_LENGTH:
            reader.fault(number, 0, f"a line of {len(line)} characters", f"at most {LINE_LENGTH}")
            continue
        reader.line(number, line.split("#", 1)[0].rstrip())
    return reader.finish()


class _Reader:
    def __init__(self, file: str | None) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.levels: list[Level] = []
        self.name: str | None = None
        self.start = 1
        self.title = ""
        self.source = "user"
        self.lets: dict[str, Term] = {}
        self.conditions: list[Formula] = []

    def fault(self, line: int, at: int, what: str, expected: str) -> None:
        what = what if len(what) <= _SHOWN else what[: _SHOWN - 1] + "…"
        if len(self.problems) < PROBLEMS:
            self.problems.append(Problem(what, expected, "level-file", file=self.file, line=line, column=at + 1))

    def line(self, number: int, text: str) -> None:
        words = text.split(None, 1)
        if not words:
            return
        keyword, rest = words[0], words[1] if len(words) > 1 else ""
        at = text.index(rest, text.index(keyword) + len(keyword)) if rest else len(text)
        if keyword == "level":
            self.flush()
            self.start = number
            if not _NAME.fullmatch(rest.strip()):
                self.fault(number, at, f"{rest!r} as the name of a level", "one word without : @ #")
            elif rest.strip() in [level.id for level in self.levels]:
                self.fault(number, at, f"a second level {rest.strip()}", "unique names")
            self.name = rest.strip() or "?"
        elif self.name is None:
            self.fault(number, 0, f"{keyword!r} before any level", "a line `level NAME` first")
        elif keyword in ("title", "source"):
            setattr(self, keyword, rest.strip())
        else:
            try:
                self.statement(keyword, rest, text, at)
            except SyntaxFault as fault:
                self.fault(number, fault.at, fault.what, fault.expected)
            except UnknownName as error:
                self.fault(number, at, error.what, error.expected)

    def statement(self, keyword: str, rest: str, text: str, at: int) -> None:
        if keyword == "let":
            match = re.match(r"([A-Za-z_][A-Za-z0-9_]*)\s*=", rest)
            if match is None:
                raise SyntaxFault(at, "a `let` without name and `=`", "let name = relation")
            name = match.group(1)
            if name in NAMES or name in self.lets:
                raise SyntaxFault(at, f"a second meaning for {name}", "a new name")
            parser = Parser(text, self.lets, self.absent, at + match.end())
            term = parser.term()
            parser.end()
            self.lets[name] = definition(name, term)
        elif keyword == "needs":
            from .spec import parse_spec

            known = Family("user", "levels of this file", tuple(self.levels)) if self.levels else None
            self.conditions.append(parse_spec(rest.strip(), user=known).named)
        elif keyword in _CONDITIONS or keyword == "require" or keyword.startswith("cycle("):
            parser = Parser(text, self.lets, self.absent, at if keyword == "require" else text.index(keyword))
            self.conditions.append(parser.formula())
            parser.end()
        else:
            raise SyntaxFault(
                text.index(keyword),
                f"unknown line {keyword!r}",
                "title, source, let, needs, no, acyclic, irreflexive, empty, some, cycle or require",
            )

    @staticmethod
    def absent(name: str, at: int) -> Formula:
        try:
            return ~phenomenon(name).named
        except UnknownName as error:
            raise SyntaxFault(at, error.what, error.expected) from None

    def flush(self) -> None:
        if self.name is None:
            return
        if not self.conditions:
            self.fault(self.start, 0, f"level {self.name} has no condition", "at least one, such as `no P4`")
        else:
            formula = _all(self.conditions)
            self.levels.append(Level(self.name, "user", formula, self.title or "user-defined", self.source))
        self.name, self.title, self.source, self.lets, self.conditions = None, "", "user", {}, []

    def finish(self) -> Family:
        self.flush()
        if not self.levels and not self.problems:
            self.fault(1, 0, "a file without levels", "a line `level NAME` and its conditions")
        if self.problems:
            raise ScheduleError(self.problems)
        return Family("user", "levels of a file", tuple(self.levels))


def _all(conditions: list[Formula]) -> Formula:
    """The conjunction, as a balanced tree: a long list of conditions is no deep formula."""
    if len(conditions) == 1:
        return conditions[0]
    middle = len(conditions) // 2
    return _all(conditions[:middle]) & _all(conditions[middle:])
