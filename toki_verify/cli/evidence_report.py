"""What `toki-verify verify-evidence` reads and prints: a report of `check --evidence`, faults of it with their places,
lines in which nothing of the input can hide."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Final, TypeGuard

from ..events import Problem
from ..notation.jsontext import JsonFault, Node, parse_json
from ..report.plain import cut, visible
from .history_input import read_path

Json = dict[str, Any]
#: Where something stands in a document: keys of objects and indices of arrays, from the outside in.
Path = tuple[str | int, ...]
#: How a report is made, for those who have another file.
MADE: Final = "is it the JSON of `check --evidence`?"
#: The name of what was read from standard input, which is no file.
_STDIN: Final = "<stdin>"
_LONG: Final = 60
#: In texts of up to so many characters the reader that knows every place is asked; it is slower, and takes more memory.
_PLACES: Final = 20_000_000


def say(text: str) -> None:
    """Print one line; line breaks, controls and what reorders text are written out (`report.plain.visible`)."""
    print(visible(text))


def warn(text: str) -> None:
    """Say on stderr what is odd and does not end the command."""
    print(visible(f"toki-verify verify-evidence: warning: {text}"), file=sys.stderr)


def brief(name: str) -> str:
    """A name of the report, cut where it is long."""
    return cut(name, _LONG)


class ReportFault(Exception):
    """What is wrong in a report: where (below the object on the history), what it is, what was expected."""

    def __init__(self, where: Path, what: str, expected: str) -> None:
        super().__init__(f"{what}, expected {expected}")
        self.where, self.what, self.expected = where, what, expected


@dataclass(frozen=True)
class Report:
    """The object of a report on one history or trace, the text that holds it, and where it stands in that."""

    name: str
    text: str
    entry: Json
    at: Path

    def problem(self, fault: ReportFault) -> Problem:
        """The fault with its line and column."""
        return _problem(self.name, self.text, (*self.at, *fault.where), fault)


def load_report(path: str, history: str) -> tuple[Report | None, Problem | None]:
    """What a report says of a history (or the only thing that it says), or why that cannot be had."""
    data, name, problem = read_path(path)
    if problem is not None:
        return None, problem
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        what = f"the byte 0x{data[error.start]:02x}, which is not UTF-8"
        before = data[: error.start].decode("utf-8")
        return None, _at(before, len(before), Problem(what, "text in UTF-8", "encoding", file=name))
    try:
        document = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        return None, _of_json(name, text, error)
    try:
        entry, at = _entry(document, history)
    except ReportFault as fault:
        return None, _problem(name, text, fault.where, fault)
    return Report(name, text, entry, at), None


def _once(pairs: list[tuple[str, Any]]) -> Json:
    """An object, each of whose keys stands once. Raises ValueError."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key that stands twice in one object")
    return made


def _no_number(word: str) -> None:
    raise ValueError(f"{word}, which is no number of JSON")


def _of_json(name: str, text: str, error: Exception) -> Problem:
    """Why a text is no JSON."""
    if len(text) <= _PLACES:
        try:
            parse_json(text)
        except JsonFault as fault:
            return _at(text, fault.offset, Problem(fault.what, fault.expected, fault.rule, file=name))
    expected = "the JSON of `check --evidence`"
    if isinstance(error, json.JSONDecodeError):
        return _at(text, error.pos, Problem(f"no JSON ({error.msg})", expected, "json", file=name))
    what = "JSON that is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return Problem(what, expected, "json", file=name)


def _entry(document: object, history: str) -> tuple[Json, Path]:
    """The object on a history: by its path, else by the name of the file, else the only one. Raises ReportFault."""
    listed = isinstance(document, list)
    entries = [
        (one, (number,) if listed else ())
        for number, one in enumerate(document if isinstance(document, list) else [document])
        if isinstance(one, dict) and ("history" in one or "trace" in one)
    ]
    named = [one for one in entries if one[0].get("file") == history]
    named = named or [one for one in entries if _base(one[0].get("file")) == _base(history)] or entries
    if len(named) != 1:
        what = f"{len(named)} reports on {history}"
        raise ReportFault((), what, "one object of `check --evidence -o json`")
    return named[0]


def warn_of_another(entry: Json, history: str) -> None:
    """Warn where a report says that it is on a file of another name."""
    file = entry.get("file")
    if isinstance(file, str) and _STDIN not in (file, history) and history != "-" and _base(file) != _base(history):
        warn(f"the report is on {brief(file)}, and this is {history}")


def _base(file: object) -> str | None:
    return PurePath(file).name if isinstance(file, str) else None


def levels_of(entry: Json) -> Iterator[tuple[str, str, object]]:
    """(family, level, what is said of it) of an entry. Raises ReportFault where levels are no objects."""
    families = entry.get("levels")
    if families is None:
        return
    if not isinstance(families, dict):
        raise ReportFault(("levels",), "levels that are no object", 'an object {"session": {…}}')
    for family, group in families.items():
        if not isinstance(group, dict):
            what = f"levels of {brief(family)} that are no object"
            raise ReportFault(("levels", family), what, "an object of levels")
        for name, said in group.items():
            yield family, name, said


def claimed(family: str, name: str, said: object) -> bool:
    """Whether a level is said to hold: `true`, or an object whose `holds` is that. `false` and `null`, alone or as
    `holds`, say that it does not, or that nobody knows. Raises ReportFault for all else."""
    holds = said.get("holds", ...) if isinstance(said, dict) else said
    if holds is True:
        return True
    if holds is False or holds is None:
        return False
    where: Path = ("levels", family, name)
    if isinstance(said, dict) and holds is not ...:
        where = (*where, "holds")
    what = f"{brief(name)} is neither said to hold nor not to"
    raise ReportFault(where, what, 'true, false or null, or an object whose "holds" is that')


def are_pairs(times: object) -> TypeGuard[dict[str, list[int]]]:
    """Whether a value of a report is an object of starts and commits: two whole numbers of 63 bits each."""
    return isinstance(times, dict) and all(map(_pair, times.values()))


def are_names(order: object) -> TypeGuard[list[str]]:
    """Whether a value of a report is a list of names."""
    return isinstance(order, list) and all(isinstance(name, str) for name in order)


def _pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int and 0 <= one < 1 << 63 for one in value)


def _problem(name: str, text: str, where: Path, fault: ReportFault) -> Problem:
    problem = Problem(fault.what, fault.expected, "report", file=name)
    if len(text) > _PLACES:
        return problem
    try:
        return _at(text, _offset(parse_json(text), where), problem)
    except JsonFault:  # A fault in what is nested more deeply than that reader goes has no place.
        return problem


def _offset(node: Node, where: Path) -> int:
    """Where in the text the value at a path begins, or what is there of the path."""
    for step in where:
        below: Node | None = None
        if isinstance(node.value, dict):
            below = node.value.get(str(step))
        elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
            below = node.value[step]
        if below is None:
            break
        node = below
    return node.at


def _at(text: str, offset: int, problem: Problem) -> Problem:
    """A problem with its line and column."""
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    return problem.at(file=problem.file, line=line, column=column)
