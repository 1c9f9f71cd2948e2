"""Operators that ask a judge at two keys (R, t1) and (R, t2) through a log: every history of a few, as schedules.

One operator is a transaction; a call looks for the row of its key and then acts: it returns the vote of a row that it
saw, or asks the oracle, which may vote either way every time, and writes the row. `DISCIPLINES` are the ways in which
that may be laid out in transactions (SEMANTICS §6; TOKI 2026, Lemma 1, Corollary 2, Algorithm 1 line 14). Which of the
histories a level allows is judged afterwards, by the checker's formulas.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

DISCIPLINES: Final = {
    "together": "look and write in one log transaction, committed before the operator",
    "operator": "look and write in the operator's transaction",
    "apart": "look in one log transaction, write in another",
    "append": "write in a log transaction, without a look (Algorithm 1, line 14)",
    "kept": "ask first, look and write in one log transaction, and return one's own vote, whatever the row says",
}
#: Those whose calls look for the row of their key before they return.
LOOKING: Final = ("together", "operator", "apart", "kept")
#: The keys at which operators call, in order: two θs, at most three calls.
Programs = tuple[tuple[tuple[int, ...], ...], ...]
PROGRAMS: Final[Programs] = (
    ((1,), (1,)),
    ((1,), (2,)),
    ((1, 1), (1,)),
    ((1, 2), (1,)),
    ((1, 2), (2,)),
)
VOTES: Final = (0, 1)
#: The votes of the oracle at each key: both at both, or a function of θ that differs, or does not.
Oracle = tuple[tuple[int, ...], tuple[int, ...]]
FREE: Final[Oracle] = (VOTES, VOTES)


#: Disciplines that look and write in one transaction of the log.
ONE_LOG_TXN: Final = ("together", "kept")


def row_of(key: int) -> str:
    """The row of a key (R, t1) or (R, t2), by the name that π_J gives it (`bridge.keys`)."""
    return f'judge_log:"(R, t{key})"'


@dataclass(frozen=True)
class Row:
    """A version of the row of a key: its label, its vote, who wrote it."""

    key: int
    label: int
    vote: int
    writer: str


@dataclass(frozen=True)
class Operator:
    """The calls that are left, and, between look and act, the transaction that looked and the row that it saw."""

    left: tuple[int, ...]
    txn: str = ""
    seen: Row | None = None
    over: bool = False
    begun: bool = False


@dataclass(frozen=True)
class History:
    """Events so far, the rows, who has committed, and the operators."""

    operators: tuple[Operator, ...]
    events: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    committed: frozenset[str] = frozenset()
    #: How many operators may still abort.
    aborts: int = 0

    def after(self, place: int, operator: Operator, *events: str, rows: tuple[Row, ...] = ()) -> History:
        """The history when an operator has done something."""
        done = frozenset(event[1:] for event in events if event.startswith("c"))
        operators = (*self.operators[:place], operator, *self.operators[place + 1 :])
        return History(operators, (*self.events, *events), (*self.rows, *rows), self.committed | done, self.aborts)


def _looks(history: History, place: int, discipline: str) -> Iterator[History]:
    mine, name = history.operators[place], str(place + 1)
    key = mine.left[0]
    txn = name if discipline == "operator" else f"Tlog{len(history.events)}"
    rows = [row for row in history.rows if row.key == key]
    own = [row for row in rows if row.writer == txn]
    foreign: list[Row | None] = [None, *(row for row in rows if row.writer in history.committed)]
    for row in own[-1:] or foreign:
        read = f"r{txn}[{row_of(key)}@{row.label if row else 0}]"
        closing = (f"c{txn}",) if discipline == "apart" else ()
        yield history.after(place, Operator(mine.left, txn, row, begun=True), read, *closing)


def _acts(history: History, place: int, discipline: str, mine: Operator, oracle: Oracle) -> Iterator[History]:
    key, name = mine.left[0], str(place + 1)
    done = Operator(mine.left[1:], begun=True)
    if mine.seen is not None:
        closing = (f"c{mine.txn}",) if discipline in ONE_LOG_TXN else ()
        for vote in oracle[key - 1] if discipline == "kept" else (mine.seen.vote,):
            yield history.after(place, done, *closing, f"j{name}(R, t{key})={vote}")
        return
    txn = f"Tlog{len(history.events)}" if discipline == "apart" else mine.txn
    label = 1 + sum(row.key == key for row in history.rows)
    closing = () if discipline == "operator" else (f"c{txn}",)
    for vote in oracle[key - 1]:
        row = Row(key, label, vote, txn)
        write = f"w{txn}[{row_of(key)}@{label}={vote}]"
        yield history.after(place, done, write, *closing, f"j{name}(R, t{key})={vote}", rows=(row,))


def _moves(history: History, discipline: str, oracle: Oracle) -> Iterator[History]:
    for place, mine in enumerate(history.operators):
        if mine.over:
            continue
        if history.aborts and mine.begun:
            log = (f"a{mine.txn}",) if mine.txn and discipline in ONE_LOG_TXN else ()
            gone = history.after(place, Operator((), over=True), *log, f"a{place + 1}")
            yield replace(gone, aborts=history.aborts - 1)
        if not mine.left:
            yield history.after(place, Operator((), over=True), f"c{place + 1}")
        elif mine.txn:
            yield from _acts(history, place, discipline, mine, oracle)
        elif discipline == "append":
            yield from _acts(history, place, discipline, Operator(mine.left, f"Tlog{len(history.events)}"), oracle)
        else:
            yield from _looks(history, place, discipline)


@cache
def histories(
    discipline: str, oracle: Oracle = FREE, programs: Programs = PROGRAMS, aborts: int = 0
) -> tuple[str, ...]:
    """Every complete history of the programs under a discipline, as text, those with fewer events first.

    `aborts`: so many operators at most may abort (a crash), after any of their steps; the rows that they committed in
    log transactions stay, and no transaction of the log is left open.
    """
    found: dict[str, int] = {}
    open_ones = [History(tuple(Operator(calls) for calls in program), aborts=aborts) for program in programs]
    while open_ones:
        history = open_ones.pop()
        if all(operator.over for operator in history.operators):
            found[" ".join(history.events)] = len(history.events)
        open_ones += _moves(history, discipline, oracle)
    return tuple(sorted(found, key=lambda text: (found[text], text)))
