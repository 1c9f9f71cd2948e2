"""Closed-open periods over any totally ordered set of instants (TOKI 2026, §2.1; SQL:2011).

Facts use `datetime`; the laws of intervals are checked over small integers, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timezone
from typing import Any, Final, Generic, Protocol, TypeVar

from .errors import InvalidPeriod, MixedTimestamps, shown


class Ordered(Protocol):
    """What instants must be able to do."""

    def __lt__(self, other: Any, /) -> bool: ...


T = TypeVar("T", bound=Ordered)

#: The end of a period that is still open, naive and aware (TOKI 2026, Appendix C.1).
SENTINEL_END: Final = datetime(9999, 12, 31)
SENTINEL_END_UTC: Final = SENTINEL_END.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Period(Generic[T]):
    """All instants t with start ≤ t < end. Raises InvalidPeriod unless start < end."""

    start: T
    end: T

    def __post_init__(self) -> None:
        try:
            ordered = self.start < self.end
        except TypeError:
            if isinstance(self.start, datetime) and isinstance(self.end, datetime):
                same_kind("a period", self.start, self.end)
            what = f"a period from {shown(self.start)} to {shown(self.end)}"
            raise InvalidPeriod(what, "instants that can be compared") from None
        if not ordered:
            raise InvalidPeriod(f"a period from {self.start} to {self.end}", "a start before the end (closed-open)")

    def __contains__(self, instant: T) -> bool:
        return not instant < self.start and instant < self.end

    def overlaps(self, other: Period[T]) -> bool:
        """Whether the two share an instant: exactly nine of Allen's thirteen relations do (`allen.SHARING`)."""
        return self.start < other.end and other.start < self.end

    def intersection(self, other: Period[T]) -> Period[T] | None:
        """The instants of both; None where there are none."""
        start = other.start if self.start < other.start else self.start
        end = self.end if self.end < other.end else other.end
        return Period(start, end) if start < end else None

    def minus(self, other: Period[T]) -> tuple[Period[T], ...]:
        """The instants of this one that are not in the other: none, one or two periods, the earlier first."""
        found = []
        if self.start < other.start:
            found.append(Period(self.start, self.end if self.end < other.start else other.start))
        if other.end < self.end:
            found.append(Period(self.start if other.end < self.start else other.end, self.end))
        return tuple(found)


def instant(value: object, column: str) -> datetime:
    """A timestamp as facts keep it: naive as it is, aware in UTC. Raises InvalidPeriod for anything else."""
    if type(value) is datetime and (value.tzinfo is None or value.tzinfo is UTC):
        return value  # nearly all of them
    if not isinstance(value, datetime):
        raise InvalidPeriod(f"{column} {shown(value)}", "a datetime")
    if value.tzinfo is None:
        return _plain(value)
    try:
        if value.replace(tzinfo=None) == SENTINEL_END:
            return SENTINEL_END_UTC  # in whatever zone it is written: no end is later
        # An offset of None makes a naive datetime.
        return _plain(value) if value.utcoffset() is None else _plain(value.astimezone(UTC), UTC)
    except (OverflowError, TypeError, ValueError) as error:
        raise InvalidPeriod(f"{column} {shown(value)} ({error})", "an instant that has a date in UTC") from None


def _plain(value: datetime, zone: timezone | None = None) -> datetime:
    """The same instant as a plain datetime: a subclass may print and compare as it likes."""
    return datetime(
        value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond, zone,
        fold=value.fold if zone is None else 0,
    )  # fmt: skip


def aware(value: datetime) -> bool:
    """Whether an instant has a time zone."""
    return value.tzinfo is not None


def same_kind(what: str, *values: datetime) -> None:
    """Raises MixedTimestamps where naive and aware instants meet."""
    kinds = [value.tzinfo is None for value in values]
    if any(kinds) and not all(kinds):
        raise MixedTimestamps(f"naive and aware timestamps in {what}", "all with a time zone, or all without")


def open_end(like: datetime) -> datetime:
    """The sentinel of the same kind as an instant."""
    return SENTINEL_END_UTC if aware(like) else SENTINEL_END
