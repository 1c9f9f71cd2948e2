"""A TOML file as it is read: each value with its place, and errors that name file, line and place."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from types import CodeType, FunctionType
from typing import Any, Final

from .faults import DesignError
from .guard import shown
from .toml_lines import Path, line_of, lines_of, path_text
from .toml_values import Wrong, parsed, references, valued
from .values import ValueProblem, frozen

_AT: Final = re.compile(r" ?\(at line (\d+), column (\d+)\)$|\(at end of document\)$")
_KINDS: Final[dict[str, tuple[type | tuple[type, ...], str]]] = {
    "text": (str, "a text in quotes"),
    "flag": (bool, "true or false"),
    "number": (int, "a number"),
    "list": (list, "a list"),
    "table": (dict, "a table"),
}


class Source:
    """The data of a file, and where it stands."""

    def __init__(self, content: bytes, file: str) -> None:
        self.file = file
        try:
            text = content.decode("utf-8-sig").replace("\r\n", "\n")
            self.lines = lines_of(text)
            self.data = tomllib.loads(text)
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise DesignError("it is not UTF-8", file=file, line=line) from None
        except tomllib.TOMLDecodeError as error:
            raise self._no_toml(str(error), text) from None
        except RecursionError:
            raise DesignError("it is nested too deep", file=file) from None

    def _no_toml(self, problem: str, text: str) -> DesignError:
        match = _AT.search(problem)
        line = int(match[1]) if match and match[1] else text.count("\n") + 1
        column = int(match[2]) if match and match[2] else None
        said = _AT.sub("", problem).strip()
        return DesignError(f"it is no TOML: {said[:1].lower()}{said[1:]}", file=self.file, line=line, column=column)

    def wrong(self, path: Path, problem: str) -> DesignError:
        """What is wrong at a place."""
        where = path_text(path)
        return DesignError(f"{where}: {problem}" if where else problem, file=self.file, line=self.line(path))

    def line(self, path: Path) -> int:
        """The line of a place."""
        return line_of(self.lines, path)

    def known(self, path: Path, table: dict[str, Any], names: Iterable[str]) -> None:
        """Refuses keys that there are not."""
        there = list(names)
        for key in table:
            if key not in there:
                close = get_close_matches(key, there, 1)
                hint = f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(there)}"
                raise self.wrong((*path, key), f"there is no such key; {hint}")

    def take(self, path: Path, table: dict[str, Any], key: str, kind: str, default: Any = None) -> Any:
        """A value of a kind."""
        if key not in table:
            return default
        value = table[key]
        of, words = _KINDS[kind]
        if not isinstance(value, of) or (kind == "number" and isinstance(value, bool)):
            raise self.wrong((*path, key), f"{shown(value)}, expected {words}")
        return value

    def one_of(self, path: Path, table: dict[str, Any], key: str, words: Iterable[str], default: Any = None) -> Any:
        """A word of some."""
        value = self.take(path, table, key, "text", default)
        there = list(words)
        if key in table and value not in there:
            close = get_close_matches(value, there, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise self.wrong((*path, key), f"{value!r}, expected one of {', '.join(there)}{hint}")
        return value

    def texts(self, path: Path, table: dict[str, Any], key: str, default: Any = None) -> Any:
        """A list of texts, as a tuple."""
        value = self.take(path, table, key, "list")
        if value is None:
            return default
        for index, part in enumerate(value):
            if not isinstance(part, str):
                raise self.wrong((*path, key, index), f"{shown(part)}, expected a text in quotes")
        return tuple(value)

    def tables(self, path: Path, table: dict[str, Any], key: str) -> list[dict[str, Any]]:
        """An array of tables."""
        value = self.take(path, table, key, "list", [])
        for index, part in enumerate(value):
            if not isinstance(part, dict):
                raise self.wrong((*path, key, index), f"{shown(part)}, expected a table")
        return list(value)

    def parsed(self, path: Path, value: Any) -> Any:
        """A value with its references found."""
        try:
            return parsed(value)
        except Wrong as error:
            raise self.wrong(path, str(error)) from None

    def constant(self, path: Path, value: Any) -> Any:
        """A value without references, as rows hold it."""
        found = self.parsed(path, value)
        if next(references(found), None) is not None:
            raise self.wrong(path, f"{shown(value)} refers to a name, but nothing is bound yet ($$ is a dollar)")
        try:
            return frozen(valued(found, {}))
        except ValueProblem as error:
            raise self.wrong(path, str(error)) from None

    def placed(self, function: Any, path: Path, name: str | None = None) -> Any:
        """The function as if it stood at a place of the file: what it yields and raises is told to be there.

        Its body must be one line, the one behind `def`; that is the line told, or with a name, as its own, `def`.
        """
        code: CodeType = function.__code__
        moved = code.replace(co_filename=self.file, co_firstlineno=self.line(path) - (name is None))
        moved = moved.replace(co_name=name or code.co_name)
        made = FunctionType(moved, function.__globals__, moved.co_name, None, function.__closure__)
        made.__dict__.update(function.__dict__)
        return made
