"""Closed-open periods, by the sets of instants that they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from itertools import product

import pytest

from toki_verify.algebra import SENTINEL_END, Period
from toki_verify.algebra.errors import InvalidPeriod, MixedTimestamps
from toki_verify.algebra.periods import SENTINEL_END_UTC, aware, instant, open_end, same_kind

INSTANTS = range(6)
PERIODS = [Period(a, b) for a in INSTANTS for b in range(a + 1, len(INSTANTS))]


def instants(period: Period[int]) -> set[int]:
    """What a period is."""
    return {at for at in INSTANTS if at in period}


@pytest.mark.parametrize("start,end", [(1, 1), (2, 1)])
def test_an_empty_or_reversed_period_is_none(start: int, end: int) -> None:
    with pytest.raises(InvalidPeriod, match="start before the end"):
        Period(start, end)


def test_the_start_is_in_and_the_end_is_not() -> None:
    for period in PERIODS:
        assert instants(period) == set(range(period.start, period.end))


def test_overlap_intersection_and_difference_are_those_of_sets() -> None:
    for one, other in product(PERIODS, repeat=2):
        shared = instants(one) & instants(other)
        assert one.overlaps(other) == other.overlaps(one) == bool(shared)
        both = one.intersection(other)
        assert (instants(both) if both else set()) == shared
        pieces = one.minus(other)
        assert set().union(*map(instants, pieces)) == instants(one) - instants(other)
        assert sum(len(instants(piece)) for piece in pieces) == len(instants(one) - instants(other))
        assert list(pieces) == sorted(pieces, key=lambda piece: piece.start) and len(pieces) <= 2


def test_a_period_minus_its_middle_is_two() -> None:
    assert Period(0, 5).minus(Period(2, 3)) == (Period(0, 2), Period(3, 5))
    assert Period(0, 5).minus(Period(0, 5)) == ()
    assert Period(0, 2).minus(Period(2, 5)) == (Period(0, 2),)
    assert Period(2, 5).minus(Period(0, 2)) == (Period(2, 5),)


def test_instants_are_naive_as_they_are_and_aware_in_utc() -> None:
    naive = datetime(2026, 1, 1)
    assert instant(naive, "now") == naive and not aware(instant(naive, "now"))
    east = datetime(2026, 1, 1, tzinfo=timezone(timedelta(hours=9)))
    assert instant(east, "now") == east and instant(east, "now").tzinfo is UTC


def test_a_zone_without_an_offset_is_naive() -> None:
    class NoOffset(tzinfo):
        def utcoffset(self, _: datetime | None) -> None:
            return None

        def dst(self, _: datetime | None) -> None:
            return None

        def tzname(self, _: datetime | None) -> str:
            return "none"

    found = instant(datetime(2026, 1, 1, tzinfo=NoOffset()), "now")
    assert not aware(found)


@pytest.mark.parametrize("value", [None, 0, "2026-01-01", datetime(2026, 1, 1).date()])
def test_what_is_no_datetime_is_refused(value: object) -> None:
    with pytest.raises(InvalidPeriod, match="now"):
        instant(value, "now")


def test_the_sentinel_of_a_kind() -> None:
    assert open_end(datetime(2026, 1, 1)) == SENTINEL_END
    assert open_end(datetime(2026, 1, 1, tzinfo=UTC)) == SENTINEL_END_UTC


def test_mixed_kinds_are_refused() -> None:
    same_kind("these")
    same_kind("these", datetime(2026, 1, 1), SENTINEL_END)
    with pytest.raises(MixedTimestamps, match="these"):
        same_kind("these", datetime(2026, 1, 1), SENTINEL_END_UTC)
