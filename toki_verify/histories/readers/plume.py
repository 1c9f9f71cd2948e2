"""Plume text: `r(key,value,session,transaction)` or `w(…)`, one operation a line (Liu et al. 2024; PolySI has it, too).

Transaction -1 is aborted: each run of such lines of a session is an aborted transaction of its own. The transactions
of a session stand in session order. Keys and values are integers; this reader takes words, too, and `nil` for the
initial version. A file that is just integers is read by arrays; anything else by a careful reader, line by line, which
knows where each fault stands. Both make the same history.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from ..builder import Initial, assemble
from ..columns import ABORTED, COMMITTED, History, Int8, Int32, Int64
from .faults import Fault, Faults, Text, shown
from .gather import Gather
from .numbers import Numbers, encode
from .table import WORD, by_appearance, cut_off, misfit, resumed, stable_order, word

FORMAT: Final = "plume"
EXPECTED: Final = "`r(key,value,session,transaction)` or `w(…)`"
_LINE: Final = re.compile(rf"\s*([rw])\s*\(\s*({WORD})\s*,\s*({WORD})\s*,\s*({WORD})\s*,\s*({WORD})\s*\)\s*", re.ASCII)
_PIECES: Final = ("[rw]", r"\(", WORD, ",", WORD, ",", WORD, ",", WORD, r"\)")
_NAMES: Final = ("`r` or `w`", "`(`", "a key", "`,`", "a value", "`,`", "a session", "`,`", "a transaction", "`)`")
_AWDIT: Final = re.compile(r"\s*(?:[rw]\s+\S+\s+\S+|-+|=+)\s*", re.ASCII)


def read(text: Text, faults: Faults, initial: Initial = "auto") -> History | None:
    """The history of a Plume text, or None with faults."""
    columns = _parse(text.data)
    history = None if columns is None else _history(text.source, *columns, initial)
    return _careful(text, faults, initial) if history is None else history


def _parse(data: bytes) -> tuple[Int8, Int64, Int64, Int64, Int64] | None:
    """Kind, key, value, session and transaction of each line, or None if a line is anything but integers in place."""
    from .plume_scan import scan

    found = scan(data)
    if found is None:
        return None
    kind, (key, value, session, txn) = found
    return None if (txn < -1).any() else (kind, key, value, session, txn)


def _history(
    source: str, kind: Int8, key: Int64, value: Int64, session: Int64, txn: Int64, initial: Initial
) -> History | None:
    """The history of the columns of a sound file; None if a transaction is in two sessions."""
    sessions, code = encode(session)
    code, session_order = by_appearance(code, len(sessions))
    numbers, txn_code = _transactions(code, len(sessions), txn)
    txn_code, order = by_appearance(txn_code, len(numbers))
    first = np.flatnonzero(np.diff(np.maximum.accumulate(txn_code), prepend=-1))
    txn_session = code[first]
    if not (txn_session[txn_code] == code).all():
        return None
    keys, key_code = encode(key)
    values, value_code = encode(value)
    numbers = numbers[order]
    return assemble(
        format=FORMAT,
        source=source,
        session=txn_session,
        outcome=np.where(numbers == -1, ABORTED, COMMITTED).astype(np.int8),
        txn=txn_code,
        kind=kind,
        key=key_code,
        value=value_code,
        line=np.arange(1, len(kind) + 1, dtype=np.int32),
        keys=Numbers(keys),
        values=Numbers(values),
        transactions=_Names(numbers, first + 1),
        sessions=[str(number) for number in sessions[session_order].tolist()],
        initial=initial,
        warnings=resumed(_resumed(code, len(sessions), txn_code, len(numbers))),
    )


def _transactions(session: Int32, sessions: int, txn: Int64) -> tuple[Int64, Int32]:
    """The number of each transaction (-1 for each aborted one), and the transaction of each line as a place in it."""
    aborted = txn == -1
    if not aborted.any():
        return encode(txn)
    order = stable_order(session, sessions)
    lost, home = aborted[order], session[order]
    begins = lost & ~(np.append(False, lost[:-1]) & (home == np.append(-1, home[:-1])))
    run = np.empty(len(txn), np.int64)
    run[order] = np.cumsum(begins)
    numbers, code = encode(txn[~aborted])
    places = np.empty(len(txn), np.int32)
    places[~aborted] = code
    places[aborted] = len(numbers) + run[aborted] - 1
    return np.append(numbers, np.full(int(begins.sum()), -1)), places


def _resumed(session: Int32, sessions: int, txn: Int32, count: int) -> int:
    """How many transactions go on after another one of their session has begun."""
    if np.count_nonzero(np.diff(txn)) + 1 == count:
        return 0
    by_session = txn[stable_order(session, sessions)]
    blocks = by_session[np.append(True, np.diff(by_session) != 0)]
    return int(np.count_nonzero(np.bincount(blocks) > 1))


class _Names(Sequence[str]):
    """The names of transactions: their numbers; of the aborted ones the line at which they begin, too."""

    def __init__(self, numbers: Int64, lines: Int64) -> None:
        self.numbers, self.lines = numbers, lines

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        return _name(str(self.numbers[index]), int(self.lines[index]))


def _name(number: str, line: int) -> str:
    return f"-1 (line {line})" if number == "-1" else number


def _careful(text: Text, faults: Faults, initial: Initial) -> History | None:
    """The history of a file, line by line."""
    gather = Gather()
    transactions: dict[str, tuple[int, str]] = {}
    #: The last transaction of each session, and whether that was an aborted one.
    current: dict[str, int] = {}
    going_on: set[int] = set()
    at = 0
    for row, line in enumerate(text.text.split("\n"), 1):
        try:
            parts = None if not line or line.isspace() else _fields(line, at)
            if parts is not None:
                kind, key, value, session, name = parts
                number, home = transactions.get(name, (-1, session))
                if home != session:
                    what = f"transaction {name} in session {session}"
                    raise Fault(
                        at + line.rfind(",") + 1,
                        what,
                        f"transactions of one session; it began in session {home}",
                        "two-sessions",
                    )
                if name == "-1" and session in current and gather.outcome[current[session]] == ABORTED:
                    number = current[session]
                elif number < 0:
                    number = gather.transaction(session, ABORTED if name == "-1" else COMMITTED, _name(name, row))
                    if name != "-1":
                        transactions[name] = (number, session)
                elif current[session] != number:
                    going_on.add(number)
                current[session] = number
                if kind == "w":
                    gather.write(number, key, value, row)
                else:
                    gather.read(number, key, None if value == "nil" else value, row)
        except Fault as fault:
            faults.add(cut_off(fault, text.text, at + len(line)))
            if faults.over:
                return None
        at += len(line) + 1
    again = resumed(len(going_on))
    return gather.of_lines(text, faults, format=FORMAT, expected=EXPECTED, initial=initial, resumed=again)


def _fields(line: str, at: int) -> tuple[str, str, str, str, str]:
    """Kind, key, value, session and transaction of a line that begins at an offset. Raises Fault."""
    match = _LINE.fullmatch(line)
    if match is None:
        raise _misfit(line, at)
    kind, value = match.group(1, 3)
    if kind == "w" and value == "nil":
        raise Fault(at + match.start(3), "a write of nil", "a value", "line")
    names = [word(match[group], at + match.start(group)) for group in (2, 3, 4, 5)]
    if names[3].startswith("-") and names[3] != "-1":
        raise Fault(at + match.start(5), f"transaction {shown(names[3])}", "a number, or -1 for an aborted one", "line")
    return kind, names[0], names[1], names[2], names[3]


def _misfit(line: str, at: int) -> Fault:
    """How far a line fits, and what should come next."""
    if _AWDIT.fullmatch(line):
        return Fault(at, f"{shown(line.strip())}, a line of AWDIT test text", f"Plume text, {EXPECTED}", "line")
    return misfit(line, at, _PIECES, _NAMES)
