"""Operators that ask a judge at two keys (R, t1) and (R, t2) through a log: every history of a few, as schedules.

One operator is a transaction; a call looks for the row of its key and then acts: it returns the vote of a row that it
saw, or asks the oracle, which may vote either way every time, and writes the row. `DISCIPLINES` are the ways in which
that may be laid out in transactions (SEMANTICS §6; TOKI 2026, Lemma 1, Corollary 2, Algorithm 1 line 14). Which of the
histories a level allows is judged afterwards, by the checker's formulas.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

DISCIPLINES: Final = {
    "together": "look and write in one log transaction, committed before the operator",
    "operator": "look and write in the operator's transaction",
    "apart": "look in one log transaction, write in another",
    "append": "write in a log transaction, without a look (Algorithm 1, line 14)",
}
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


@dataclass(frozen=True)
class History:
    """Events so far, the rows, who has committed, and the operators."""

    operators: tuple[Operator, ...]
    events: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    committed: frozenset[str] = frozenset()

    def after(self, place: int, operator: Operator, *events: str, rows: tuple[Row, ...] = ()) -> History:
        """The history when an operator has done something."""
        done = frozenset(event[1:] for event in events if event.startswith("c"))
        operators = (*self.operators[:place], operator, *self.operators[place + 1 :])
        return History(operators, (*self.events, *events), (*self.rows, *rows), self.committed | done)


def _looks(history: History, place: int, discipline: str) -> Iterator[History]:
    mine, name = history.operators[place], str(place + 1)
    key = mine.left[0]
    txn = name if discipline == "operator" else f"Tlog{len(history.events)}"
    rows = [row for row in history.rows if row.key == key]
    own = [row for row in rows if row.writer == txn]
    foreign: list[Row | None] = [None, *(row for row in rows if row.writer in history.committed)]
    for row in own[-1:] or foreign:
        read = f"r{txn}[judge_log:t{key}@{row.label if row else 0}]"
        closing = (f"c{txn}",) if discipline == "apart" else ()
        yield history.after(place, Operator(mine.left, txn, row), read, *closing)


def _acts(history: History, place: int, discipline: str, mine: Operator, oracle: Oracle) -> Iterator[History]:
    key, name = mine.left[0], str(place + 1)
    done = Operator(mine.left[1:])
    if mine.seen is not None:
        closing = (f"c{mine.txn}",) if discipline == "together" else ()
        yield history.after(place, done, *closing, f"j{name}(R, t{key})={mine.seen.vote}")
        return
    txn = f"Tlog{len(history.events)}" if discipline == "apart" else mine.txn
    label = 1 + sum(row.key == key for row in history.rows)
    closing = () if discipline == "operator" else (f"c{txn}",)
    for vote in oracle[key - 1]:
        row = Row(key, label, vote, txn)
        write = f"w{txn}[judge_log:t{key}@{label}={vote}]"
        yield history.after(place, done, write, *closing, f"j{name}(R, t{key})={vote}", rows=(row,))


def _moves(history: History, discipline: str, oracle: Oracle) -> Iterator[History]:
    for place, mine in enumerate(history.operators):
        if mine.over:
            continue
        if not mine.left:
            yield history.after(place, Operator((), over=True), f"c{place + 1}")
        elif mine.txn:
            yield from _acts(history, place, discipline, mine, oracle)
        elif discipline == "append":
            yield from _acts(history, place, discipline, Operator(mine.left, f"Tlog{len(history.events)}"), oracle)
        else:
            yield from _looks(history, place, discipline)


@cache
def histories(discipline: str, oracle: Oracle = FREE, programs: Programs = PROGRAMS) -> tuple[str, ...]:
    """Every complete history of the programs under a discipline, as text, shorter ones first."""
    found: set[str] = set()
    open_ones = [History(tuple(Operator(calls) for calls in program)) for program in programs]
    while open_ones:
        history = open_ones.pop()
        if all(operator.over for operator in history.operators):
            found.add(" ".join(history.events))
        open_ones += _moves(history, discipline, oracle)
    return tuple(sorted(found, key=lambda text: (len(text.split()), text)))
