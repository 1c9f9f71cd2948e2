"""Where time ends, oracles that lie, and options that do not exist."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from enum import IntEnum
from typing import Any

import pytest

from toki_verify.algebra import LWW, Fact, Period, Pipeline, fold, operator
from toki_verify.algebra.carriers import COUNTING
from toki_verify.algebra.errors import (
    InvalidOption,
    InvalidPeriod,
    MixedTimestamps,
    NotContradicting,
    OracleFailed,
    UnknownStrategy,
    VoteOutOfRange,
)
from toki_verify.algebra.oracles import ask
from toki_verify.algebra.periods import SENTINEL_END, SENTINEL_END_UTC, instant

START = datetime(2026, 1, 1, tzinfo=UTC)


def fact(**more: Any) -> Fact[int]:
    given: dict[str, Any] = {
        "fact_id": "f",
        "subject": "s",
        "predicate": "p",
        "object": "o",
        "valid_from": START,
        "system_time_start": START,
        "provenance": 1,
    }
    return Fact(**{**given, **more})


@pytest.mark.parametrize("hours", [-12, -5, 0, 5, 14])
def test_the_sentinel_is_the_sentinel_in_every_zone(hours: int) -> None:
    end = SENTINEL_END.replace(tzinfo=timezone(timedelta(hours=hours)))
    assert instant(end, "valid_to") == SENTINEL_END_UTC
    assert fact(system_time_end=end).is_open


def test_an_instant_that_has_no_date_in_utc_is_refused() -> None:
    west, east = timezone(timedelta(hours=-5)), timezone(timedelta(hours=5))
    with pytest.raises(InvalidPeriod, match="valid_to"):
        fact(valid_to=datetime(9999, 12, 31, 20, tzinfo=west))
    with pytest.raises(InvalidPeriod, match="valid_from"):
        fact(valid_from=datetime(1, 1, 1, 3, tzinfo=east))
    assert fact(valid_to=datetime(9999, 12, 31, 18, tzinfo=west)).valid_to == datetime(9999, 12, 31, 23, tzinfo=UTC)


class Broken(tzinfo):
    def __init__(self, offset: Any) -> None:
        self.offset = offset

    def utcoffset(self, moment: datetime | None) -> Any:
        if isinstance(self.offset, Exception):
            raise self.offset
        return self.offset

    def tzname(self, moment: datetime | None) -> str:
        return "broken"

    def dst(self, moment: datetime | None) -> None:
        return None


@pytest.mark.parametrize("offset", [5, ValueError("no")])
def test_a_zone_that_fails_is_refused(offset: Any) -> None:
    with pytest.raises(InvalidPeriod):
        fact(valid_from=datetime(2026, 1, 1, tzinfo=Broken(offset)))


def test_a_subclass_of_datetime_becomes_a_plain_one() -> None:
    class Stamp(datetime):
        def isoformat(self, *args: Any, **more: Any) -> str:
            return "soon"

    found = fact(valid_from=Stamp(2026, 1, 1), system_time_start=Stamp(2026, 1, 1)).valid_from
    assert type(found) is datetime and found == datetime(2026, 1, 1)


def test_periods_of_what_cannot_be_compared_are_refused() -> None:
    with pytest.raises(MixedTimestamps):
        Period(datetime(2026, 1, 1), START)
    with pytest.raises(InvalidPeriod, match="compared"):
        Period(None, 1)  # type: ignore[type-var]


class Vote(IntEnum):
    FIRST = 0


class Liar(int):
    def __le__(self, other: object) -> bool:
        return True

    __lt__ = __gt__ = __ge__ = __le__


@pytest.mark.parametrize("vote", [Liar(7), Vote.FIRST, True])
def test_a_vote_is_an_int_and_nothing_else(vote: Any) -> None:
    with pytest.raises(VoteOutOfRange):
        ask(lambda facts: vote, (fact(), fact(object="other")))


def test_an_oracle_whose_exception_cannot_be_shown_is_an_oracle_that_failed() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def oracle(facts: Any) -> int:
        raise Mute

    with pytest.raises(OracleFailed, match="Mute"):
        ask(oracle, (fact(), fact(object="other")))


@pytest.mark.parametrize("seconds", [float("inf"), float("nan"), 0, -1, "5", True, 1e10])
def test_a_patience_that_cannot_be_waited_is_not_the_oracles_fault(seconds: Any) -> None:
    with pytest.raises(InvalidOption, match="seconds"):
        ask(lambda facts: 0, (fact(), fact(object="other")), seconds)


def test_other_wrong_arguments() -> None:
    with pytest.raises(UnknownStrategy):
        operator([])  # type: ignore[arg-type]
    with pytest.raises(UnknownStrategy):
        Pipeline.of([])  # type: ignore[arg-type]
    with pytest.raises(InvalidOption, match="policy"):
        Pipeline.of("rule").precondition("levle")  # type: ignore[arg-type]
    with pytest.raises(NotContradicting):
        fold(LWW, [], now=START, carrier=COUNTING)
