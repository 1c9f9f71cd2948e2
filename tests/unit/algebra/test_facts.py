"""Facts: what is refused, what is filled in, when two contradict, and what AS OF finds."""

from __future__ import annotations

import math
import pickle
from datetime import UTC, datetime, timedelta, timezone
from itertools import product
from typing import Any

import pytest

from toki_verify.algebra import ALL_COLUMNS, COLUMNS, SENTINEL_END, asof, contradicts
from toki_verify.algebra.errors import AlgebraError, InvalidConfidence, InvalidFact, InvalidPeriod, MixedTimestamps
from toki_verify.algebra.periods import SENTINEL_END_UTC

from .facts_for_tests import day, fact

EAST = timezone(timedelta(hours=14))
WEST = timezone(-timedelta(hours=12))


@pytest.mark.parametrize("confidence", [0, 1, 0.0, 1.0, 0.5, 5e-324, -0.0])
def test_confidence_from_0_to_1_is_kept_as_a_float(confidence: float) -> None:
    kept = fact(confidence=confidence).confidence
    assert kept == confidence and type(kept) is float


@pytest.mark.parametrize(
    "confidence",
    [
        -0.1,
        1.1,
        -5e-324,
        math.nextafter(1, 2),
        math.nan,
        math.inf,
        -math.inf,
        True,
        False,
        None,
        "0.5",
        1j,
        2,
        pytest.param(10**5000, id="huge"),
    ],
)
def test_other_confidences_are_refused(confidence: Any) -> None:
    with pytest.raises(InvalidConfidence, match="confidence"):
        fact(confidence=confidence)


@pytest.mark.parametrize("valid", [(3, 3), (4, 3)])
def test_an_empty_or_reversed_valid_period_is_refused(valid: tuple[int, int]) -> None:
    with pytest.raises(InvalidPeriod, match="valid_from"):
        fact(valid=valid)


@pytest.mark.parametrize("end", [0, -1])
def test_an_empty_or_reversed_system_period_is_refused(end: int) -> None:
    with pytest.raises(InvalidPeriod, match="system_time_start"):
        fact(system_time_end=day(end))


@pytest.mark.parametrize("column", ["valid_from", "valid_to", "system_time_start", "system_time_end"])
@pytest.mark.parametrize("value", ["2026-01-01", 0, math.nan, day(1).date()])
def test_what_is_no_timestamp_is_refused(column: str, value: object) -> None:
    with pytest.raises(InvalidPeriod, match=column):
        fact(**{column: value})


@pytest.mark.parametrize("column", ["valid_from", "system_time_start"])
def test_a_period_must_begin(column: str) -> None:
    with pytest.raises(InvalidPeriod, match=column):
        fact(**{column: None})


@pytest.mark.parametrize("column", ["fact_id", "subject", "predicate", "object", "resolution_strategy_id"])
@pytest.mark.parametrize("value", [None, 1, b"x", ("x",)])
def test_texts_are_texts(column: str, value: object) -> None:
    with pytest.raises(InvalidFact, match=column):
        fact(**{column: value})


def test_a_fact_has_a_name_and_a_known_kind() -> None:
    with pytest.raises(InvalidFact, match="fact_id"):
        fact("")
    for kind in ("Current", "", None, "all"):
        with pytest.raises(InvalidFact, match="row_kind"):
            fact(row_kind=kind)
    assert fact(value="").object == ""


def test_open_periods_end_at_the_sentinel_of_their_kind() -> None:
    naive = fact(valid_to=None)
    aware = fact(valid_to=None, aware=True)
    assert (naive.valid_to, naive.system_time_end) == (SENTINEL_END, SENTINEL_END)
    assert (aware.valid_to, aware.system_time_end) == (SENTINEL_END_UTC, SENTINEL_END_UTC)
    assert naive.is_open and aware.is_open


@pytest.mark.parametrize("column", ["valid_from", "valid_to", "system_time_start", "system_time_end"])
def test_naive_and_aware_do_not_mix_in_a_fact(column: str) -> None:
    with pytest.raises(MixedTimestamps, match="fact 'a'"):
        fact(**{column: day(20 if column.endswith(("to", "end")) else 0, aware=True)})


@pytest.mark.parametrize("zone", [EAST, WEST, UTC, timezone(timedelta(minutes=-1))])
def test_aware_timestamps_are_kept_in_utc_and_the_sentinel_stays(zone: timezone) -> None:
    begin = datetime(2026, 3, 1, 12, tzinfo=zone)
    found = fact(valid_from=begin, valid_to=SENTINEL_END.replace(tzinfo=zone), system_time_start=begin)
    assert found.valid_from == begin and found.valid_from.tzinfo is UTC
    # East of Greenwich the sentinel's date begins earlier; west of it UTC has a date for it, too.
    assert found.valid_to.tzinfo is UTC
    assert fact(valid_from=begin, system_time_start=begin, valid_to=None).valid_to == SENTINEL_END_UTC


def test_closing_ends_the_system_time_and_nothing_else() -> None:
    found = fact()
    closed = found.closed(day(5))
    assert not closed.is_open and closed.system_time_end == day(5)
    assert all(getattr(closed, name) == getattr(found, name) for name in ("fact_id", "object", "valid", "provenance"))
    for at in (0, -1):
        with pytest.raises(InvalidPeriod):
            found.closed(day(at))
    with pytest.raises(MixedTimestamps):
        found.closed(day(5, aware=True))


def test_there_are_eleven_columns_and_a_hidden_one() -> None:
    assert len(COLUMNS) == 11 and (*COLUMNS, "row_kind") == ALL_COLUMNS


@pytest.mark.parametrize("one,other", [((0, 2), (1, 3)), ((0, 3), (1, 2)), ((0, 2), (0, 2)), ((0, 2), (1, 2))])
def test_facts_contradict_where_they_share_an_instant(one: tuple[int, int], other: tuple[int, int]) -> None:
    first, second = fact("a", "x", one), fact("b", "y", other)
    assert contradicts(first, second) and contradicts(second, first)
    assert not contradicts(first, fact("b", "x", other))
    assert not contradicts(first, fact("b", "y", other, subject="bob"))
    assert not contradicts(first, fact("b", "y", other, predicate="allergy"))


def test_periods_that_meet_share_no_instant() -> None:
    assert not contradicts(fact("a", "x", (0, 2)), fact("b", "y", (2, 3)))
    assert not contradicts(fact("b", "y", (2, 3)), fact("a", "x", (0, 2)))


def test_contradiction_by_sets_of_instants() -> None:
    periods = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for one, other in product(periods, repeat=2):
        shared = set(range(*one)) & set(range(*other))
        assert contradicts(fact("a", "x", one), fact("b", "y", other)) == bool(shared)


def test_naive_and_aware_facts_of_one_partition_cannot_be_compared() -> None:
    with pytest.raises(MixedTimestamps, match="'a' and 'b'"):
        contradicts(fact("a", "x"), fact("b", "y", aware=True))
    assert not contradicts(fact("a", "x"), fact("b", "y", subject="bob", aware=True))


def test_asof_is_closed_open_on_both_axes() -> None:
    found = fact(valid=(2, 4), at=3, system_time_end=day(6))
    seen = {(v, s) for v in range(8) for s in range(8) if asof([found], day(v), day(s))}
    assert seen == {(v, s) for v in (2, 3) for s in (3, 4, 5)}


def test_asof_looks_at_one_kind_of_rows_and_keeps_their_order() -> None:
    rows = [fact("c"), fact("b", row_kind="audit"), fact("a")]
    names = {kind: [row.fact_id for row in asof(rows, day(1), day(1), kind)] for kind in ("current", "audit", "all")}  # type: ignore[arg-type]
    assert names == {"current": ["c", "a"], "audit": ["b"], "all": ["c", "b", "a"]}
    assert [row.fact_id for row in asof(rows, day(1), day(1))] == ["c", "a"]


def test_asof_at_the_ends_of_time() -> None:
    found = fact(valid_to=None)
    assert asof([found], SENTINEL_END - timedelta(microseconds=1), day(1))
    assert not asof([found], SENTINEL_END, day(1))
    assert not asof([found], day(1), SENTINEL_END)
    assert not asof([found], datetime.min, datetime.min)


@pytest.mark.parametrize("kind", ["history", "", None, "AUDIT"])
def test_asof_refuses_unknown_kinds(kind: Any) -> None:
    with pytest.raises(InvalidFact, match="kind"):
        asof([], day(1), day(1), kind)


def test_asof_refuses_mixed_instants() -> None:
    with pytest.raises(MixedTimestamps, match="valid and system time"):
        asof([], day(1), day(1, aware=True))
    with pytest.raises(MixedTimestamps, match="'a'"):
        asof([fact()], day(1, aware=True), day(1, aware=True))
    with pytest.raises(InvalidPeriod, match="valid time"):
        asof([], "today", day(1))  # type: ignore[arg-type]


def test_errors_are_value_errors_that_say_what_and_what_instead() -> None:
    with pytest.raises(ValueError) as caught:
        fact(confidence=2)
    assert isinstance(caught.value, AlgebraError)
    assert str(caught.value) == f"{caught.value.what}, expected {caught.value.expected}"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
