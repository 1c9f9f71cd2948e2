"""S-expressions with positions: the common syntax of SMT-LIB texts and of CPC proofs.

Source: the SMT-LIB standard, version 2.6, section 3.1. Nothing here recurses, so nesting cannot exhaust Python's stack;
beyond :data:`MAXIMAL_NESTING` it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar, cast

from .errors import ProofError

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\n]+|;[^\n\r]*)
      | (?P<open>\() | (?P<close>\))
      | (?P<string>"(?:[^"]|"")*")
      | \|(?P<quoted>[^|\\]*)\|
      | (?P<word>[^\s()|";]+)""",
    re.VERBOSE,
)
MAXIMAL_NESTING = 100_000
"""How deeply parentheses may be nested."""

_PLAIN = re.compile(r"[A-Za-z~!@$%^&*_\-+=<>.?/][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*")


@dataclass(frozen=True, slots=True)
class Atom:
    """A word, or a string with its quotation marks. ``|x|`` is read as ``x``, as the standard says."""

    text: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Group:
    """A parenthesised list."""

    items: list[Atom | Group]
    line: int
    column: int

    @property
    def head(self) -> str:
        """The first word, or the empty string."""
        return self.items[0].text if self.items and isinstance(self.items[0], Atom) else ""


Node = Atom | Group


def symbol_text(name: str) -> str:
    """A name as :func:`read` gives it: between bars where the standard requires them."""
    return name if _PLAIN.fullmatch(name) else f"|{name}|"


def read(text: str, file: str | None = None) -> list[Node]:
    """The top-level expressions of a text.

    Raises :class:`ProofError` at an unclosed or surplus parenthesis, an unclosed string or quoted name, a character
    that starts no token, or nesting beyond :data:`MAXIMAL_NESTING`.
    """
    top: list[Node] = []
    stack: list[Group] = []
    position, line, line_start = 0, 1, 0
    while position < len(text):
        column = position - line_start + 1
        match = _TOKEN.match(text, position)
        if match is None:
            found = {'"': "a string without its closing quotation mark", "|": "a quoted name without its closing bar"}
            problem = found.get(text[position], f"the character {text[position]!r}, which starts no token")
            raise ProofError(problem, file=file, line=line, column=column)
        target = stack[-1].items if stack else top
        kind = match.lastgroup
        if kind == "open":
            if len(stack) == MAXIMAL_NESTING:
                problem = f"parentheses nested more than {MAXIMAL_NESTING} deep, a limit of this checker"
                raise ProofError(problem, file=file, line=line, column=column)
            group = Group([], line, column)
            target.append(group)
            stack.append(group)
        elif kind == "close":
            if not stack:
                raise ProofError("')' without its '('", file=file, line=line, column=column)
            stack.pop()
        elif kind == "quoted":
            target.append(Atom(symbol_text(match["quoted"]), line, column))
        elif kind != "space":
            target.append(Atom(match[0], line, column))
        newlines = match[0].count("\n")
        if newlines:
            line += newlines
            line_start = match.start() + match[0].rindex("\n") + 1
        position = match.end()
    if stack:
        opened = stack[-1]
        problem = "'(' without its ')': the text ends too early"
        raise ProofError(problem, file=file, line=opened.line, column=opened.column)
    return top


Value = TypeVar("Value")
Reading = Generator["Reading[Value]", Value, Value]


def run(root: Reading[Value]) -> Value:
    """The value of a recursive reader, written as a generator that yields the generators of its parts.

    Python's own stack is not used, so the nesting of a text cannot exhaust it.
    """
    stack, value = [root], None
    while True:
        try:
            stack.append(next(stack[-1]) if value is None else stack[-1].send(value))
            value = None
        except StopIteration as finished:
            stack.pop()
            value = finished.value
            if not stack:
                return cast(Value, value)
