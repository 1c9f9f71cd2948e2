"""Small histories of typed operators through the write path (TOKI 2026, Algorithm 1, Theorem 2).

A history is a sequence of writes to one partition. The first is plain; every later one has a strategy and an outcome:
whether it wins against the incumbent, which its timestamp, its confidence and the oracle all say. Valid periods are
three that overlap in part, so that some writes meet no incumbent, one or two (which Algorithm 1 refuses).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from typing import Any, Final, NamedTuple

from ..algebra.errors import SeveralIncumbents
from ..algebra.facts import Fact
from ..algebra.operators import OPERATORS
from ..algebra.semiring import Semiring
from ..stores.memory import MemoryStore
from ..stores.write_path import Incumbents, WritePath

DAY: Final = timedelta(days=1)
#: Valid time begins here; system time a year later, so that nothing depends on the two being near.
VALID, SYSTEM = datetime(2026, 1, 1), datetime(2027, 1, 1)
#: Valid periods in days: neighbours overlap in part, the first and the last do not.
PERIODS: Final = ((0, 2), (1, 3), (2, 4))
OBJECTS: Final = "abcde"


@dataclass(frozen=True)
class Move:
    """One write: `wins` where it meets an incumbent, in the valid period of that number."""

    strategy: str
    wins: bool
    period: int = 0


History = tuple[Move, ...]


def histories(writes: int, periods: Sequence[int] = (0, 1, 2)) -> list[History]:
    """Every history of so many writes. The first meets nobody, so its strategy and outcome do not matter."""
    first = [(Move("lww", True, period),) for period in periods]
    moves = [Move(*chosen) for chosen in product(OPERATORS, (True, False), periods)]
    return [(*start, *rest) for start in first for rest in product(moves, repeat=writes - 1)]


class Consumed(NamedTuple):
    """A loser that an operator step consumed, the winner as the step stamps it, and when that was."""

    loser: Fact[Any]
    winner: Fact[Any]
    at: datetime


def odd(history: History) -> bool:
    """Whether a write loses by ⊕t: it is stamped earlier than what was written before it. Told only if need be."""
    return any(move.strategy == "lww" and not move.wins for move in history)


@dataclass
class Ran:
    """What a history left: every row, the losers that operator steps consumed, writes that the write path refused, and
    the times of all writes."""

    rows: list[Fact[Any]] = field(default_factory=list)
    consumed: list[Consumed] = field(default_factory=list)
    refused: int = 0
    times: list[datetime] = field(default_factory=list)
    current: list[Fact[Any]] = field(default_factory=list)


def run(
    history: History,
    carrier: Semiring[Any],
    annotations: Sequence[Any],
    *,
    mode: str = "audit_row",
    incumbents: Incumbents = "untouched",
) -> Ran:
    """Run a history; `annotations` are the provenances of its facts f1, f2, …"""
    store = MemoryStore(carrier, mode=mode)
    votes = [False]
    oracles = {name: lambda members: int(votes[0]) for name in ("await", "rule")}
    path = WritePath(store, oracles, incumbents=incumbents)
    found = Ran()
    for number, move in enumerate(history):
        now = SYSTEM + number * DAY
        votes[0] = move.wins
        found.times.append(now)
        try:
            written = path.ingest(fact(number, move, annotations[number]), now)
        except SeveralIncumbents:
            found.refused += 1
            continue
        if written.resolution is not None:
            winner = written.resolution.winner
            found.consumed += [Consumed(loser, winner, now) for loser in written.resolution.losers]
    found.rows = store.rows()
    found.current = [row for row in found.rows if row.is_open and row.row_kind == "current"]
    return found


def fact(number: int, move: Move, annotation: Any) -> Fact[Any]:
    """The fact of a write: later and more confident than all before it where it is to win, else earlier and less."""
    sign = 1 if move.wins else -1
    begins, ends = PERIODS[move.period]
    return Fact(
        f"f{number + 1}",
        "s",
        "p",
        OBJECTS[number],
        VALID + begins * DAY,
        SYSTEM + sign * number * DAY,
        annotation,
        0.5 + sign * 0.1 * number,
        move.strategy,
        VALID + ends * DAY,
    )


#: Why a write wins or loses against an incumbent, by strategy.
WHY_WINS: Final = {
    "lww": ("it is stamped later", "it is stamped earlier, though it is written later"),
    "evi": ("it has more confidence", "it has less confidence"),
    "await": ("the callback elects it", "the callback elects the incumbent"),
    "rule": ("the policy elects it", "the policy elects the incumbent"),
}


def told(history: History, carrier: Semiring[Any], annotations: Sequence[Any]) -> str:
    """A history in words."""
    parts = []
    for number, move in enumerate(history):
        begins, ends = PERIODS[move.period]
        how = ""
        if number:
            outcome = "wins" if move.wins else "loses"
            how = f" by {OPERATORS[move.strategy].glyph}, {outcome}: {WHY_WINS[move.strategy][not move.wins]}"
        text = carrier.text(annotations[number])
        parts.append(f"f{number + 1} ({OBJECTS[number]}, valid [{begins}, {ends}), provenance {text}){how}")
    return "; ".join(parts)


def rows_text(rows: Sequence[Fact[Any]], carrier: Semiring[Any]) -> str:
    """Rows with their provenance, in words."""
    texts = [f"({row.object}, {carrier.text(row.provenance)})" for row in rows]
    return f"{{{', '.join(texts)}}}"
