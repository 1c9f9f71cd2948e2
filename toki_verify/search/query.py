"""Queries: what a schedule is to be, in words: `SI and not P4`, `(A5B or P3), adya:PL-3`, `RC+SR@judge_log and P2`.

    query  =  any { "," any }              conditions that must all hold: the comma binds loosest
    any    =  all { "or" all }
    all    =  one { "and" one }
    one    =  "not" one  |  "(" query ")"  |  [ "no" | "shows" ] NAME

A NAME is a phenomenon (id or alias, `lost update` with or without quotes), which means that it is *present*; or a level
specification (`parse_spec`: family, parts, pins), which means that it *holds*. Both are found in any case.

A name that is both (a user's level called P4; `cb` the level and `CB` the phenomenon) means the one that is written
exactly so, and is an error where neither or both are: `user:P4` and `graph:cb` are always the level; `shows P4`
(present) and `no P4` (absent), as in files of levels, are always the phenomenon.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import NoReturn

from ..events import Problem, ScheduleError
from ..events.limits import LINE_LENGTH
from ..levels import DEFAULT_FAMILY, Family, Level, families, parse_spec
from ..levels import family as family_named
from ..phenomena.catalogue import Phenomenon, UnknownName, catalogue, phenomenon
from ..relations.formulas import And, Formula, Named, Not, Or

FILE = "<query>"
#: Names and parentheses one query may have: a formula is read recursively.
NAMES, NESTING = 64, 50

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_PART = rf'(?:{_QUOTED}|[^(),"@+\s]+)'
_TOKEN = re.compile(rf'(?P<op>[(),])|(?P<word>(?:@partition\(\s*{_PART}\s*,\s*{_PART}\s*\)|{_QUOTED}|[^\s(),"])+)')
_SIGNS = {"&": "and", "&&": "and", "∧": "and", "|": "or", "||": "or", "∨": "or", "!": "not", "~": "not", "¬": "not"}
_JOINS = ("and", "or", "not", "no", "shows")


@dataclass(frozen=True)
class Query:
    """A query that was read: one closed formula, and what it names.

    `formula` is true of the schedules that are sought. `phenomena` and `levels` are those named, in the order of their
    first mention, with or without `not` before them. `text` is the query as written. `a & b` asks for both, `~a` for
    the opposite.
    """

    text: str
    formula: Formula
    phenomena: tuple[Phenomenon, ...] = ()
    levels: tuple[Level, ...] = ()

    def __and__(self, other: Query) -> Query:
        return Query(
            f"({self.text}) and ({other.text})",
            self.formula & other.formula,
            tuple(dict.fromkeys((*self.phenomena, *other.phenomena))),
            tuple(dict.fromkeys((*self.levels, *other.levels))),
        )

    def __invert__(self) -> Query:
        return Query(f"not ({self.text})", ~self.formula, self.phenomena, self.levels)

    def __str__(self) -> str:
        """The query in canonical form: ids, levels with their family, and only the parentheses that are needed."""
        return query_text(self.formula)


def query_text(formula: Formula, within: int = 0) -> str:
    """A combination of named formulas as a query, canonical: it reads back as the same formula."""
    if isinstance(formula, Named):
        return formula.name
    if isinstance(formula, Not):
        return f"not {query_text(formula.of, 2)}"
    if isinstance(formula, (And, Or)):
        own, word = (1, "and") if isinstance(formula, And) else (0, "or")
        text = f"{query_text(formula.one, own)} {word} {query_text(formula.other, own + 1)}"
        return f"({text})" if own < within else text
    raise TypeError(f"no query for {type(formula).__name__}")


def parse_query(text: str, *, family: str = DEFAULT_FAMILY, user: Family | None = None) -> Query:
    """Read a query (the module says how).

    `family` is the family of a bare level (`SI`), `user` adds the levels of a file, whose names come first.
    Raises ScheduleError with a problem for each unknown name, or for the first fault of form, with its column:
    `<query>:1:8: …`; and UnknownName for a family that does not exist.
    """
    if user is None or family.casefold() != "user":
        family_named(family)
    if len(text) > LINE_LENGTH:
        # The text is not kept as context: it would be printed.
        what = f"a query of {len(text)} characters"
        raise ScheduleError([Problem(what, f"at most {LINE_LENGTH}", "query", file=FILE, line=1, column=1)])
    reader = _Reader(text, family, user)
    formula = reader.query()
    if reader.problems:
        raise ScheduleError(reader.problems)
    return Query(text, formula, tuple(reader.phenomena), tuple(reader.levels))


@dataclass(frozen=True)
class _Word:
    """A token: a sign or a word, and where it stands."""

    text: str
    at: int
    end: int

    @property
    def join(self) -> str:
        """What the word does between names; "" for a name."""
        folded = self.text.casefold()
        return folded if folded in _JOINS or folded in tuple("(),") else ""


class _Reader:
    """A recursive descent. Unknown names are collected, faults of form end the reading."""

    def __init__(self, text: str, family: str, user: Family | None) -> None:
        self.text, self.family, self.user = text, family, user
        self.problems: list[Problem] = []
        self.phenomena: dict[Phenomenon, None] = {}
        self.levels: dict[Level, None] = {}
        self.words = self._tokens()
        self.index = self.nesting = self.names = 0

    def _tokens(self) -> list[_Word]:
        found: list[_Word] = []
        at = 0
        while self.text[at:].strip():
            at = len(self.text) - len(self.text[at:].lstrip())
            match = _TOKEN.match(self.text, at)
            if match is None:
                self._fault(at, "a quoted name without an end", 'a closing `"`')
            word = _Word(match.group(), at, match.end())
            if word.text in _SIGNS:
                self._fault(at, repr(word.text), f"`{_SIGNS[word.text]}`")
            if word.text.endswith("@partition") and self.text[word.end : word.end + 1] == "(":
                self._fault(word.end, "a partition that is not of two names", "partition(subject,predicate)")
            found.append(word)
            at = word.end
        return found

    # -- form ------------------------------------------------------------------------------------------------------
    def query(self) -> Formula:
        """The whole text."""
        found = self._list()
        if self.index < len(self.words):
            self._unexpected("`and`, `or`, a comma or the end of the query")
        return found

    def _list(self) -> Formula:
        found = self._any()
        while self._take(","):
            found &= self._any()
        return found

    def _any(self) -> Formula:
        found = self._all()
        while self._take("or"):
            found |= self._all()
        return found

    def _all(self) -> Formula:
        found = self._one()
        while self._take("and"):
            found &= self._one()
        return found

    def _one(self) -> Formula:
        self.nesting += 1
        if self.nesting > NESTING:
            at = self.words[self.index].at if self.index < len(self.words) else len(self.text)
            self._fault(at, f"a query nested more than {NESTING} deep", f"at most {NESTING} levels")
        if self._take("not"):
            found = ~self._one()
        elif self._take("("):
            found = self._list()
            if not self._take(")"):
                self._unexpected("`)`, `and`, `or` or a comma")
        elif self._take("no"):
            found = ~self._name(only_phenomenon=True)
        else:
            found = self._name(only_phenomenon=self._take("shows"))
        self.nesting -= 1
        return found

    def _take(self, join: str) -> bool:
        if self.index < len(self.words) and self.words[self.index].join == join:
            self.index += 1
            return True
        return False

    def _name(self, *, only_phenomenon: bool) -> Formula:
        run: list[_Word] = []
        while self.index < len(self.words) and not self.words[self.index].join:
            run.append(self.words[self.index])
            self.index += 1
        if not run:
            self._unexpected("a phenomenon such as P4" if only_phenomenon else "a phenomenon, a level, `not` or `(`")
        self.names += 1
        if self.names > NAMES:
            self._fault(run[0].at, f"a query of more than {NAMES} names", f"at most {NAMES}")
        name = " ".join(word.text for word in run)
        if name.startswith('"') and len(run) == 1 and re.fullmatch(_QUOTED, name):
            name = self._unquoted(name, run[0].at)
        try:
            return phenomenon_named(name, self.phenomena) if only_phenomenon else self._either(name, run[0].at)
        except UnknownName as error:
            if len(run) > 1 and self._known(run[0].text):
                self._fault(run[1].at, repr(run[1].text), "`and`, `or` or a comma")
            offset = self.text.find(error.name, run[0].at, run[-1].end) if error.name else run[0].at
            self._note(max(offset, run[0].at), error.what, error.expected)
        return next(iter(catalogue().values())).formula  # stands for what is unknown; the problems are raised

    def _unquoted(self, name: str, at: int) -> str:
        try:
            return str(json.loads(name))
        except ValueError:
            self._fault(at, f"the quoted name {name[:40]}", "a JSON string")

    # -- names -----------------------------------------------------------------------------------------------------
    def _either(self, name: str, at: int) -> Formula:
        level, refused = self._level(name)
        try:
            found = phenomenon(name)
        except UnknownName as error:
            if level is not None:
                self.levels[level] = None
                return level.named
            raise refused_name(name, refused, error, self.user) from None
        if level is not None:
            exact = (level.id == name, found.id == name)
            if exact[0] == exact[1]:
                expected = f"`{level.full_id}` for the level, `shows {found.id}` for the phenomenon"
                self._note(at, f"{name!r} names a level and a phenomenon", expected)
            if exact[0]:
                self.levels[level] = None
                return level.named
        self.phenomena[found] = None
        return found.named

    def _level(self, name: str) -> tuple[Level | None, UnknownName | None]:
        try:
            return parse_spec(name, default=self.family, user=self.user), None
        except UnknownName as error:
            return None, error

    def _known(self, name: str) -> bool:
        try:
            phenomenon(name)
        except UnknownName:
            return self._level(name)[0] is not None
        return True

    # -- faults ----------------------------------------------------------------------------------------------------
    def _problem(self, at: int, what: str, expected: str) -> Problem:
        return Problem(what, expected, "query", file=FILE, line=1, column=at + 1, context=self.text, caret=at)

    def _note(self, at: int, what: str, expected: str) -> None:
        self.problems.append(self._problem(at, what, expected))

    def _fault(self, at: int, what: str, expected: str) -> NoReturn:
        raise ScheduleError([*self.problems, self._problem(at, what, expected)])

    def _unexpected(self, expected: str) -> NoReturn:
        if self.index < len(self.words):
            word = self.words[self.index]
            self._fault(word.at, repr(word.text), expected)
        self._fault(len(self.text), "the end of the query", expected)


def phenomenon_named(name: str, seen: dict[Phenomenon, None]) -> Formula:
    """The formula of a phenomenon, which is noted as seen. Raises UnknownName."""
    found = phenomenon(name)
    seen[found] = None
    return found.named


def refused_name(
    name: str, as_level: UnknownName | None, as_phenomenon: UnknownName, user: Family | None
) -> UnknownName:
    """The error that helps most with a name that is neither: of the level if it is written like one."""
    if as_level is not None and re.search("[:@+]", name):
        return as_level
    if not as_phenomenon.what.startswith("unknown "):
        return as_phenomenon  # a phenomenon that this version lacks, with the reason
    elsewhere = [
        level.full_id
        for group in families().values()
        for level in group.levels
        if level.id.casefold() == name.casefold()
    ]
    known = [*catalogue(), *(alias for entry in catalogue().values() for alias in entry.aliases)]
    known += [level.id for group in (*families().values(), *([user] if user else [])) for level in group.levels]
    error = UnknownName("phenomenon or level", name, list(dict.fromkeys(known)))
    if elsewhere:
        error.expected = f"its family before it: {' or '.join(elsewhere)}"
    elif error.expected.startswith("one of"):
        error.expected = "a phenomenon (`toki-verify rule --all`) or a level such as SI, adya:PL-3"
    return error
