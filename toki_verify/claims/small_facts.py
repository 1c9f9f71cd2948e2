"""Facts that are small enough to print: days for instants, one letter for a name, and a line for a row."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from ..algebra import SENTINEL_END, Fact, Semiring
from ..algebra.carriers import carrier

SUBJECT, PREDICATE = "alice", "medication"
_FIRST_DAY: Final = datetime(2026, 1, 1)
#: Every token shows in it, and how often it was added: the default carrier of counterexamples.
MULTIDEGREE: Final[Semiring[Any]] = carrier("multidegree")


def day(number: int) -> datetime:
    """An instant by its number."""
    return _FIRST_DAY + timedelta(number)


def number_of(instant: datetime) -> str:
    """The number of an instant; ∞ is the sentinel."""
    return "∞" if instant == SENTINEL_END else str((instant - _FIRST_DAY).days)


def fact(
    name: str,
    value: str,
    valid: tuple[int, int] = (0, 2),
    at: int = 1,
    *,
    confidence: float = 0.5,
    strategy: str = "lww",
    subject: str = SUBJECT,
    carrier: Semiring[Any] = MULTIDEGREE,
) -> Fact[Any]:
    """A fact of one partition, valid over some days, written on a day, annotated with a token of its own name."""
    return Fact(
        name,
        subject,
        PREDICATE,
        value,
        day(valid[0]),
        day(at),
        carrier.token(name),
        confidence,
        strategy,
        day(valid[1]),
    )


def told(found: Fact[Any], carrier: Semiring[Any] = MULTIDEGREE) -> str:
    """A fact to be written, in a line: `a = x, valid [0,2), at 1, conf 0.5, lww`."""
    valid = f"[{number_of(found.valid_from)},{number_of(found.valid_to)})"
    where = "" if found.subject == SUBJECT else f" of {found.subject}"
    start = number_of(found.system_time_start)
    strategy = found.resolution_strategy_id
    return f"{found.fact_id} = {found.object}{where}, valid {valid}, at {start}, conf {found.confidence:g}, {strategy}"


def row_line(row: Fact[Any], carrier: Semiring[Any] = MULTIDEGREE) -> str:
    """A row of the table, in a line; of an audit row the merged provenance is what matters."""
    valid = f"[{number_of(row.valid_from)},{number_of(row.valid_to)})"
    system = f"[{number_of(row.system_time_start)},{number_of(row.system_time_end)})"
    if row.row_kind == "audit":
        loser = row.fact_id.split("::")[1]
        return f"audit of {loser}, valid {valid}, system {system}, prov {carrier.text(row.provenance)}"
    where = "" if row.subject == SUBJECT else f" of {row.subject}"
    return f"{row.fact_id} = {row.object}{where}, valid {valid}, system {system}, prov {carrier.text(row.provenance)}"


def table(rows: Iterable[Fact[Any]], carrier: Semiring[Any] = MULTIDEGREE) -> str:
    """Rows in a line, current ones first."""
    ordered = sorted(rows, key=lambda row: (row.row_kind != "current", row.system_time_start, row.fact_id))
    return "; ".join(row_line(row, carrier) for row in ordered) or "no rows"
