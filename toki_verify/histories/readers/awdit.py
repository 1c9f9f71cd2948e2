"""AWDIT test text: `r key value` or `w key value`, one operation a line; `-----` ends a transaction, `=====` a session
(Møldrup and Pavlogiannis 2025, the form `test` of their tool).

The last session and transaction need no end, and one without operations is none. Every transaction has committed.
AWDIT takes integers; this reader takes words, too, and `nil` for the initial version. It numbers sessions from 0 in
the order of the file, and transactions within them, as `session.transaction`. As in `plume`, integers are read by
arrays, and anything else line by line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..builder import Initial, assemble, committed
from ..columns import COMMITTED, READ, WRITE, History, Int32, Int64
from .faults import Fault, Faults, Text, shown
from .gather import Gather
from .numbers import Numbers, encode
from .table import WORD, cut_off, integers, misfit, parse_columns, word

FORMAT: Final = "awdit"
EXPECTED: Final = "`r key value` or `w key value`, `-----` behind a transaction, `=====` behind a session"
_LINE: Final = re.compile(rf"\s*([rw])\s+({WORD})\s+({WORD})\s*", re.ASCII)
_END: Final = re.compile(r"\s*(?:-+|=+)\s*", re.ASCII)
#: A bad line that may be such an end: with two of its signs in a row, or before any word, or without any.
_MAY_END: Final = re.compile(r".*(?:--|==)|\W*(?:[-=]|\Z)", re.DOTALL)
_PIECES: Final = (r"[rw](?!\S)", rf"{WORD}(?!\S)", rf"{WORD}(?!\S)")
_NAMES: Final = ("`r`, `w`, `-----` or `=====`", "a key", "a value")
_PLUME: Final = re.compile(r"\s*[rw]\s*\([^()]*\)\s*", re.ASCII)
_COLUMNS: Final = ("kind", "key", "value")
_TYPES: Final = ("string", "int64", "int64")


def read(text: Text, faults: Faults, initial: Initial = "auto") -> History | None:
    """The history of an AWDIT test text, or None with faults."""
    return _arrays(text, initial) or _careful(text, faults, initial)


def _arrays(text: Text, initial: Initial) -> History | None:
    """The history, or None if a line is anything but integers in place."""
    data = text.data.replace(b"\r\n", b"\n").rstrip(b"\n") + b"\n"
    letters = data.translate(None, b"0123456789 -=\n")
    if b"-=" in data or b"=-" in data or letters.translate(None, b"rw"):
        return None
    every = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(every == ord("\n"))
    starts = np.append(0, ends[:-1] + 1)
    lead = every[starts]
    writes = lead == ord("w")
    operation = writes | (lead == ord("r"))
    dashes, equals = lead == ord("-"), lead == ord("=")
    length = ends - starts
    # All dashes stand in lines of dashes, so that none is a sign, and none of what is left is another line. Behind each
    # letter stands a blank, so that what Arrow takes for the kind is the letter and no more.
    if (
        int(length[dashes].sum()) != data.count(b"-")
        or int(length[equals].sum()) != data.count(b"=")
        or not (operation | dashes | equals | (length == 0)).all()
        or not (every[starts[operation] + 1] == ord(" ")).all()
    ):
        return None
    count = int(np.count_nonzero(operation))
    if count == 0 or count != len(letters):
        return None
    table = parse_columns(data.translate(None, b"-="), _COLUMNS, _TYPES, " ")
    numbers = None if table is None or len(table) != count else integers(table, _COLUMNS[1:])
    if numbers is None:
        return None
    keys, key = encode(numbers[0])
    values, value = encode(numbers[1])
    lines = np.flatnonzero(operation)
    session = _dense(np.cumsum(equals)[lines])
    txn = _dense(np.cumsum(equals | dashes)[lines])
    first = np.flatnonzero(np.diff(txn, prepend=-1))
    home = session[first]
    return assemble(
        format=FORMAT,
        source=text.source,
        session=home,
        outcome=committed(len(first)),
        txn=txn,
        kind=np.where(writes[lines], WRITE, READ).astype(np.int8),
        key=key,
        value=value,
        line=(lines + 1).astype(np.int32),
        keys=Numbers(keys),
        values=Numbers(values),
        transactions=_Names(home),
        sessions=[str(number) for number in range(int(home[-1]) + 1)],
        initial=initial,
    )


def _dense(ascending: Int64) -> Int32:
    """Ascending numbers with gaps, numbered from 0 without."""
    return np.cumsum(np.diff(ascending, prepend=ascending[0]) != 0).astype(np.int32)


class _Names(Sequence[str]):
    """The names of transactions: session and place in it."""

    def __init__(self, home: Int32) -> None:
        self.home, self.first = home, np.searchsorted(home, np.arange(int(home[-1]) + 1))

    def __len__(self) -> int:
        return len(self.home)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        home = int(self.home[number])
        return f"{home}.{number - int(self.first[home])}"


def _careful(text: Text, faults: Faults, initial: Initial) -> History | None:
    """The history of a file, line by line."""
    gather = Gather()
    txn: int | None = None
    session, place = 0, 0
    at = 0
    for row, line in enumerate(text.text.split("\n"), 1):
        try:
            if line and not line.isspace():
                if _END.fullmatch(line):
                    session, place = (session + 1, 0) if "=" in line and place else (session, place)
                    txn = None
                else:
                    kind, key, value = _fields(line, at)
                    if txn is None:
                        txn = gather.transaction(str(session), COMMITTED, f"{session}.{place}")
                        place += 1
                    if kind == "w":
                        gather.write(txn, key, value, row)
                    else:
                        gather.read(txn, key, None if value == "nil" else value, row)
        except Fault as fault:
            fault = cut_off(fault, text.text, at + len(line))
            if _MAY_END.match(line):
                faults.separator(fault, "a transaction or a session")
            else:
                faults.add(fault)
            if faults.over:
                return None
        at += len(line) + 1
    return gather.of_lines(text, faults, format=FORMAT, expected=EXPECTED, initial=initial)


def _fields(line: str, at: int) -> tuple[str, str, str]:
    """Kind, key and value of a line that begins at an offset. Raises Fault."""
    match = _LINE.fullmatch(line)
    if match is None:
        if _PLUME.fullmatch(line):
            raise Fault(at, f"{shown(line.strip())}, a line of Plume text", f"AWDIT test text, {EXPECTED}", "line")
        raise misfit(line, at, _PIECES, _NAMES)
    kind, key, value = match.groups()
    if kind == "w" and value == "nil":
        raise Fault(at + match.start(3), "a write of nil", "a value", "line")
    return kind, word(key, at + match.start(2)), word(value, at + match.start(3))
