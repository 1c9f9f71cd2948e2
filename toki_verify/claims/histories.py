"""Small histories of typed operators through the write path, and which losers are still dominated after them.

A history is a sequence of writes to one partition. The first is plain; every later one has a strategy and an outcome:
whether it wins against the incumbent, which its timestamp, its confidence and the oracle all say. Valid periods are
three that overlap in part, so that some writes meet no incumbent, one or two (which Algorithm 1 refuses).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import product
from typing import Any, Final, Literal

from ..algebra.errors import SeveralIncumbents
from ..algebra.facts import Fact, asof
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


@dataclass
class Ran:
    """What a history left: every row, the losers that operator steps consumed with when they did, writes that the write
    path refused, and the times of all writes."""

    rows: list[Fact[Any]] = field(default_factory=list)
    consumed: list[tuple[Fact[Any], datetime]] = field(default_factory=list)
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
            found.consumed += [(loser, now) for loser in written.resolution.losers]
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


#: Where provenance may be looked for: rows that are current now; rows that ever were, which closing keeps; audit rows.
Surface = Literal["current rows", "current and closed rows", "audit rows"]
SURFACES: Final[tuple[Surface, ...]] = ("current rows", "current and closed rows", "audit rows")
#: When a loser counts as erased: no row of the surface dominates it at all, or none at some instant where it was valid.
Instants = Literal["at no valid time", "at some valid time of the loser"]
INSTANTS: Final[tuple[Instants, ...]] = ("at no valid time", "at some valid time of the loser")


def valid_days(loser: Fact[Any]) -> list[datetime]:
    """Instants of a valid period, one for each day: periods begin and end with days."""
    return [loser.valid_from + day * DAY for day in range((loser.valid_to - loser.valid_from).days)]


def erased(ran: Ran, carrier: Semiring[Any], surface: Surface, instants: Instants = INSTANTS[0]) -> list[Fact[Any]]:
    """The losers whose provenance no row of a surface dominates, when all is over."""
    rows = ran.current
    if surface != "current rows":
        kind = "audit" if surface == "audit rows" else "current"
        rows = [row for row in ran.rows if row.row_kind == kind]
    found = []
    for loser, _ in ran.consumed:
        above = [row for row in rows if carrier.leq(loser.provenance, row.provenance)]
        if instants == INSTANTS[0]:
            gone = not above
        else:
            gone = any(all(day not in row.valid for row in above) for day in valid_days(loser))
        if gone:
            found.append(loser)
    return found


def undominated(ran: Ran, carrier: Semiring[Any]) -> list[str]:
    """Where Theorem 2 fails literally: losers and instants (t_v, t_s), t_v while the loser was valid and t_s from its
    step on, at which no audit tuple of AS OF dominates the loser."""
    last = ran.times[-1] + DAY if ran.times else SYSTEM
    found = []
    for loser, consumed in ran.consumed:
        for known in (*(time for time in ran.times if time >= consumed), last):
            for day in valid_days(loser):
                rows = asof(ran.rows, day, known, "audit")
                if not any(carrier.leq(loser.provenance, row.provenance) for row in rows):
                    found.append(f"{loser.fact_id} at valid {day:%m-%d}, system {known:%m-%d}")
    return found


def told(history: History, carrier: Semiring[Any], annotations: Sequence[Any]) -> str:
    """A history in words."""
    parts = []
    for number, move in enumerate(history):
        begins, ends = PERIODS[move.period]
        how = "" if not number else f" by {OPERATORS[move.strategy].glyph}, {'wins' if move.wins else 'loses'}"
        text = carrier.text(annotations[number])
        parts.append(f"f{number + 1} ({OBJECTS[number]}, valid [{begins}, {ends}), provenance {text}){how}")
    return "; ".join(parts)


def rows_text(rows: Sequence[Fact[Any]], carrier: Semiring[Any]) -> str:
    """Rows with their provenance, in words."""
    texts = [f"({row.object}, {carrier.text(row.provenance)})" for row in rows]
    return f"{{{', '.join(texts)}}}"
