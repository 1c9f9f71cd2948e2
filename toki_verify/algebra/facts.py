"""Bitemporal facts: the eleven columns and `row_kind`, contradiction, and the AS OF view (TOKI 2026, §2.1, Table 2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Generic, Literal, TypeVar, get_args

from .errors import InvalidConfidence, InvalidFact, InvalidPeriod, shown
from .periods import Period, instant, open_end, same_kind

K = TypeVar("K")

RowKind = Literal["current", "audit"]
ROW_KINDS: Final[tuple[str, ...]] = get_args(RowKind)
#: What `asof` looks at.
Kind = Literal["current", "audit", "all"]
KINDS: Final[tuple[str, ...]] = get_args(Kind)

#: The eleven columns that users see, as the table has them (TOKI 2026, Table 2), and the twelfth, hidden one.
COLUMNS: Final = (
    "fact_id",
    "subject",
    "predicate",
    "object",
    "valid_from",
    "valid_to",
    "system_time_start",
    "system_time_end",
    "provenance_id",
    "confidence",
    "resolution_strategy_id",
)
ALL_COLUMNS: Final = (*COLUMNS, "row_kind")


@dataclass(frozen=True, slots=True)
class Fact(Generic[K]):
    """A row of the dual-row table. `provenance` is an element of the carrier; its column is `provenance_id`, its text.

    Valid-time and system-time periods are closed-open; an open period ends at the sentinel 9999-12-31, which is the
    default of `valid_to` and `system_time_end`. Timestamps are all naive or all aware; aware ones are kept in UTC.
    `resolution_strategy_id` is the strategy with which the fact asks to be resolved, or with which it was.

    Raises InvalidFact and its kinds: InvalidConfidence, InvalidPeriod, MixedTimestamps.
    """

    fact_id: str
    subject: str
    predicate: str
    object: str
    valid_from: datetime
    system_time_start: datetime
    provenance: K
    confidence: float = 1.0
    resolution_strategy_id: str = "lww"
    valid_to: datetime = None  # type: ignore[assignment]  # the sentinel, filled in below
    system_time_end: datetime = None  # type: ignore[assignment]
    row_kind: RowKind = "current"

    def __post_init__(self) -> None:
        for column in ("fact_id", "subject", "predicate", "object", "resolution_strategy_id"):
            value = getattr(self, column)
            if not isinstance(value, str):
                raise InvalidFact(f"{column} {shown(value)}", "a text")
        if not self.fact_id:
            raise InvalidFact("an empty fact_id", "a name of the fact")
        if self.row_kind not in ROW_KINDS:
            raise InvalidFact(f"row_kind {shown(self.row_kind)}", "current or audit")
        self._confidence()
        self._periods()

    def _confidence(self) -> None:
        value: Any = self.confidence
        # Of NaN both comparisons are false.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise InvalidConfidence(f"confidence {shown(value)}", "a number from 0 to 1")
        object.__setattr__(self, "confidence", float(value))

    def _periods(self) -> None:
        valid_from = instant(self.valid_from, "valid_from")
        start = instant(self.system_time_start, "system_time_start")
        valid_to = open_end(valid_from) if self.valid_to is None else instant(self.valid_to, "valid_to")
        end = open_end(start) if self.system_time_end is None else instant(self.system_time_end, "system_time_end")
        same_kind(f"fact {self.fact_id!r}", valid_from, valid_to, start, end)
        if not valid_from < valid_to:
            what = f"valid_from {valid_from} and valid_to {valid_to}"
            raise InvalidPeriod(what, "a period that begins before it ends")
        if not start < end:
            what = f"system_time_start {start} and system_time_end {end}"
            raise InvalidPeriod(what, "a period that begins before it ends")
        object.__setattr__(self, "valid_from", valid_from)
        object.__setattr__(self, "valid_to", valid_to)
        object.__setattr__(self, "system_time_start", start)
        object.__setattr__(self, "system_time_end", end)

    @property
    def valid(self) -> Period[datetime]:
        """When it is true in the world."""
        return Period(self.valid_from, self.valid_to)

    @property
    def system(self) -> Period[datetime]:
        """When the store believed it."""
        return Period(self.system_time_start, self.system_time_end)

    @property
    def partition(self) -> tuple[str, str]:
        """Its subject and predicate."""
        return self.subject, self.predicate

    @property
    def is_open(self) -> bool:
        """Whether its system-time period has not been closed."""
        return self.system_time_end == open_end(self.system_time_start)

    def closed(self, at: datetime) -> Fact[K]:
        """The same row with its system time ended at an instant. Raises InvalidPeriod unless it is after its start."""
        return replace(self, system_time_end=instant(at, "system_time_end"))


def contradicts(first: Fact[Any], second: Fact[Any]) -> bool:
    """first # second: same subject and predicate, different objects, valid periods that share an instant (§2.1).

    Raises MixedTimestamps for a naive and an aware fact of one partition.
    """
    if first.partition != second.partition or first.object == second.object:
        return False
    same_kind(f"facts {first.fact_id!r} and {second.fact_id!r}", first.valid_from, second.valid_from)
    return first.valid_from < second.valid_to and second.valid_from < first.valid_to


def asof(
    facts: Iterable[Fact[K]], valid_time: datetime, system_time: datetime, kind: Kind = "current"
) -> list[Fact[K]]:
    """The rows of a kind whose valid and system periods contain the two instants, in their order (§2.1, §3.4).

    Raises InvalidFact for an unknown kind, MixedTimestamps where the instants and the facts are not of one kind.
    """
    if kind not in KINDS:
        raise InvalidFact(f"kind {shown(kind)}", f"one of {', '.join(KINDS)}")
    at, known = instant(valid_time, "valid time"), instant(system_time, "system time")
    same_kind("valid and system time", at, known)
    found = []
    for fact in facts:
        if kind != "all" and fact.row_kind != kind:
            continue
        same_kind(f"fact {fact.fact_id!r} and the instants asked for", fact.valid_from, at)
        if fact.valid_from <= at < fact.valid_to and fact.system_time_start <= known < fact.system_time_end:
            found.append(fact)
    return found
