"""dbcop's `.hist` text (Biswas and Enea 2019; the text form that `dbcop verify` and `dbcop fmt` take).

What it was found to be, in dbcop's documentation of its formats: a transaction is `[x:=1 y==2 z==?]`, writes `:=`,
reads `==`, `==?` a read of the initial version; `!` behind it: it did not commit (read here as aborted). One or more
transactions a line; lines of dashes stand between sessions; `//` begins a comment line. dbcop's versions are integers
from 0 and its variables words; this reader takes words and integers for both. Sessions and transactions are named by
their places, `session.transaction`, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ..builder import Initial
from ..columns import ABORTED, COMMITTED, History
from .faults import Fault, Faults, Text, empty, shown
from .gather import Gather
from .table import BLANKS, cut_off, word

FORMAT: Final = "dbcop-text"
EXPECTED: Final = "transactions such as `[x:=1 y==2 z==?]`, `!` behind one that did not commit, `---` between sessions"
_WORD: Final = r"(?:-?[0-9]+|[A-Za-z_][\w.]*)"
_EVENT: Final = re.compile(rf"\s*({_WORD})(:=|==)(\?|{_WORD})(?=[\s\]]|$)", re.ASCII)
_OPEN: Final = re.compile(r"\s*\[", re.ASCII)
_CLOSE: Final = re.compile(r"\s*\](!?)", re.ASCII)
_DASHES: Final = re.compile(r"\s*-+\s*", re.ASCII)
#: A bad line that may be one of dashes: with dashes in a row, or before any transaction, or without any word.
_MAY_END: Final = re.compile(r".*--|[^\w\[]*(?:-|\Z)", re.DOTALL)
_REST: Final = re.compile(r"\s*", re.ASCII)


def read(text: Text, faults: Faults, initial: Initial = "auto") -> History | None:
    """The history of a `.hist` text, or None with faults."""
    gather = Gather()
    session, place = 0, 0
    at = 0
    for row, line in enumerate(text.text.split("\n"), 1):
        try:
            if _DASHES.fullmatch(line):
                session, place = (session + 1, 0) if place else (session, place)
            elif not line.lstrip().startswith("//"):
                for events, aborted in list(_transactions(line, at)):
                    outcome = ABORTED if aborted else COMMITTED
                    txn = gather.transaction(str(session), outcome, f"{session}.{place}")
                    place += 1
                    for key, sign, value in events:
                        if sign == ":=":
                            gather.write(txn, key, value, row)
                        else:
                            gather.read(txn, key, None if value == "?" else value, row)
        except Fault as fault:
            fault = cut_off(fault, text.text, at + len(line))
            if _MAY_END.match(line):
                faults.separator(fault, "a session")
            else:
                faults.add(fault)
            if faults.over:
                return None
        at += len(line) + 1
    if not gather.transactions and not faults.found:
        faults.add(empty(text, EXPECTED), fatal=True)
    if faults.found:
        return None
    return gather.history(format=FORMAT, source=text.source, initial=initial, warnings=faults.warnings())


def _transactions(line: str, start: int) -> Iterator[tuple[list[tuple[str, str, str]], bool]]:
    """The transactions of a line that begins at an offset: events, and whether it did not commit. Raises Fault."""
    at = 0
    while not _REST.fullmatch(line, at):
        opened = _OPEN.match(line, at)
        if opened is None:
            raise _fault(line, start, at, "`[`, `---` or `//`")
        at = opened.end()
        events: list[tuple[str, str, str]] = []
        while (event := _EVENT.match(line, at)) is not None:
            key, sign, value = event.groups()
            if sign == ":=" and value == "?":
                raise _fault(line, start, event.start(3), "a version to write")
            value = value if value == "?" else word(value, start + event.start(3))
            events.append((word(key, start + event.start(1)), sign, value))
            at = event.end()
        closed = _CLOSE.match(line, at)
        if closed is None:
            raise _fault(line, start, at, "`x:=1`, `x==1`, `x==?` or `]`")
        at = closed.end()
        yield events, bool(closed.group(1))


def _fault(line: str, start: int, at: int, expected: str) -> Fault:
    at = len(line) - len(line[at:].lstrip(BLANKS))
    return Fault(
        start + at, shown(line[at:].rstrip(BLANKS)) if at < len(line) else "the end of the line", expected, "line"
    )
