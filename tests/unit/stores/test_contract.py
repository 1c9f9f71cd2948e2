"""What `protocol.Store` promises, over every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from toki_verify.algebra.carriers import carrier
from toki_verify.algebra.errors import InvalidFact, MixedTimestamps
from toki_verify.algebra.facts import ALL_COLUMNS
from toki_verify.stores import StoreError
from toki_verify.stores.errors import ConstraintViolated, NoOpenRow, StoreClosed, StoreLocked, UnknownMode
from toki_verify.stores.protocol import MODES

from .conftest import Opener
from .samples import CARRIER, T0, TEXTS, at, fact, in_utc


def put(store: Any, *facts: Any) -> None:
    transaction = store.begin()
    for found in facts:
        transaction.insert(found)
    transaction.commit()


def test_every_column_comes_back(store: Any) -> None:
    rich = fact(
        "f",
        "value",
        start=2,
        valid=(1, 5),
        provenance=CARRIER.plus(CARRIER.token("a"), CARRIER.token("b")),
        confidence=0.1 + 0.2,
        resolution_strategy_id="evi",
        system_time_end=at(9) + timedelta(microseconds=1),
        row_kind="audit",
    )
    plain = fact("g")
    put(store, rich, plain)
    assert store.rows() == [rich, plain]
    assert store.session().rows() == [rich, plain]
    for column in ALL_COLUMNS:
        if column != "provenance_id":
            assert getattr(store.rows()[0], column) == getattr(rich, column), column


def test_any_text_comes_back(store: Any) -> None:
    for number, text in enumerate(TEXTS):
        odd = fact(f"{number}{text}", f"object{text}", subject=text, predicate=text, resolution_strategy_id=text)
        put(store, odd)
        assert store.rows()[-1] == odd
        transaction = store.begin()
        assert transaction.open_rows(text, text) == [odd]
        transaction.rollback()
        assert store.asof(at(1), at(1), subject=text, predicate=text) == [odd]


def test_texts_are_told_apart_byte_by_byte(store: Any) -> None:
    names = [f"x{text}" for text in TEXTS]
    put(store, *(fact(name) for name in names))
    assert [found.fact_id for found in store.rows()] == sorted(names)
    transaction = store.begin()
    for name in names:
        transaction.close(fact(name), at(1))
    assert transaction.open_rows("s", "p") == []


def test_lone_surrogates_are_refused_as_they_have_no_encoding(store: Any) -> None:
    odd = fact("f", "\ud800")
    transaction = store.begin()
    with pytest.raises(InvalidFact, match="surrogate"):
        transaction.insert(odd)
    with pytest.raises(InvalidFact, match="surrogate"):
        store.begin().open_rows("\udfff", "p")
    with pytest.raises(InvalidFact, match="surrogate"):
        store.asof(T0, T0, subject="\udfff")
    put(store, fact("g"))
    assert store.rows() == [fact("g")]


def test_confidence_is_exact(store: Any) -> None:
    for number, confidence in enumerate((0.0, 1.0, 5e-324, 1 / 3, 0.1 + 0.2, 1 - 2**-53)):
        put(store, fact(f"{number}", confidence=confidence))
        assert store.rows()[-1].confidence == confidence


@pytest.mark.parametrize(
    "first",
    [datetime(1, 1, 1), datetime(1, 1, 1, 0, 0, 0, 1), datetime(999, 2, 3), datetime(9999, 12, 30, 23, 59, 59, 999999)],
)
def test_instants_of_all_years_come_back_to_the_microsecond(store: Any, first: datetime) -> None:
    old = replace(fact("f"), valid_from=first, system_time_start=first)
    put(store, old)
    assert store.rows() == [old]
    assert store.asof(first, first) == [old]
    if first > datetime.min:
        assert store.asof(first - timedelta(microseconds=1), first) == []


def test_aware_facts_come_back_in_utc(make: Opener) -> None:
    store = make("aware")
    east = timezone(timedelta(hours=5, minutes=45))
    given = replace(in_utc(fact("f", start=1)), valid_from=at(6).replace(tzinfo=east))
    put(store, given)
    found = store.rows()[0]
    assert found == given and found.valid_from.tzinfo is UTC and found.system_time_end.tzinfo is UTC
    assert store.session().rows()[0].valid_from.tzinfo is UTC
    assert store.asof(at(7).replace(tzinfo=east), at(1).replace(tzinfo=UTC)) == [given]
    transaction = store.begin()
    transaction.close(found, at(2).replace(tzinfo=UTC))
    transaction.commit()
    assert store.rows()[0].system_time_end == at(2).replace(tzinfo=UTC)


@pytest.mark.parametrize("first", ["naive", "aware"])
def test_the_first_fact_decides_about_time_zones(store: Any, first: str) -> None:
    naive, aware = fact("n"), in_utc(fact("a"))
    own, other = (naive, aware) if first == "naive" else (aware, naive)
    transaction = store.begin()
    transaction.insert(other)
    transaction.rollback()  # decides nothing
    put(store, own)
    for session in (store, store.session()):
        with pytest.raises(MixedTimestamps):
            put(session, other)
        with pytest.raises(MixedTimestamps):
            session.asof(other.valid_from, other.valid_from)
        transaction = session.begin()
        with pytest.raises(MixedTimestamps):
            transaction.close(own, other.valid_from + timedelta(hours=1))
    assert store.rows() == [own]


def test_within_one_transaction_the_first_fact_decides(store: Any) -> None:
    transaction = store.begin()
    transaction.insert(fact("n"))
    with pytest.raises(MixedTimestamps):
        transaction.insert(in_utc(fact("a")))
    assert store.rows() == []


def test_a_second_row_of_a_version_is_refused(store: Any) -> None:
    put(store, fact("f"), fact("f", start=1))
    for second in (fact("f", "other"), fact("f", row_kind="audit")):
        with pytest.raises(ConstraintViolated) as refused:
            put(store, fact("g"), second)
        assert refused.value.constraint == "primary key"
    transaction = store.begin()
    transaction.insert(fact("h"))
    with pytest.raises(ConstraintViolated):
        transaction.insert(fact("h"))
    assert store.rows() == [fact("f"), fact("f", start=1)]


def test_a_name_of_a_constraint_in_a_value_confuses_nobody(store: Any) -> None:
    odd = fact("confidence_range", "system_time_end", subject="valid_from", predicate="row_kind")
    put(store, odd)
    with pytest.raises(ConstraintViolated) as refused:
        put(store, odd)
    assert refused.value.constraint == "primary key"


@pytest.mark.parametrize("hours", [0, -1])
def test_a_row_is_not_closed_before_it_began(store: Any, hours: int) -> None:
    put(store, fact("f"))
    transaction = store.begin()
    with pytest.raises(ConstraintViolated) as refused:
        transaction.close(fact("f"), at(hours))
    assert refused.value.constraint == "system-period order"
    assert store.rows() == [fact("f")]


def test_close_touches_one_version_only(store: Any) -> None:
    rows = [
        fact("f", start=0, system_time_end=at(1)),
        fact("f", start=1, valid=(0, 1)),
        fact("f", start=2, valid=(1, 2)),
        fact("f", start=3, row_kind="audit"),
        fact("g", start=2),
    ]
    put(store, *rows)
    transaction = store.begin()
    transaction.close(rows[2], at(5))
    assert transaction.open_rows("s", "p") == [rows[1], rows[4]]
    transaction.commit()
    assert store.rows() == [*rows[:2], rows[2].closed(at(5)), *rows[3:]]


@pytest.mark.parametrize(
    "which", ["nothing there", "another version", "closed", "an audit row", "closed in this transaction"]
)
def test_only_an_open_current_row_is_closed(store: Any, which: str) -> None:
    rows = [fact("f", system_time_end=at(1)), fact("g", row_kind="audit"), fact("h")]
    put(store, *rows)
    target = {
        "nothing there": fact("x"),
        "another version": fact("h", start=1),
        "closed": rows[0],
        "an audit row": rows[1],
    }
    transaction = store.begin()
    if which not in target:
        transaction.close(rows[2], at(1))
    with pytest.raises(NoOpenRow) as refused:
        transaction.close(target.get(which, rows[2]), at(2))
    assert isinstance(refused.value, LookupError)
    assert store.rows() == rows


def test_open_rows_are_those_of_the_partition_in_order(store: Any) -> None:
    mine = [fact("b", start=1), fact("c", start=1, valid=(5, 6)), fact("a", start=2)]
    others = [
        fact("x", subject="other"),
        fact("y", predicate="other"),
        fact("z", row_kind="audit"),
        fact("w", system_time_end=at(3)),
        fact("v", subject="sp", predicate=""),
    ]
    put(store, *others, *reversed(mine))
    transaction = store.begin()
    assert transaction.open_rows("s", "p") == mine
    assert transaction.open_rows("sp", "") == [others[4]]
    assert transaction.open_rows("", "sp") == []


def test_a_transaction_sees_its_own_writes(store: Any) -> None:
    put(store, fact("f"))
    transaction = store.begin()
    transaction.close(fact("f"), at(1))
    transaction.insert(fact("g", start=1))
    assert transaction.open_rows("s", "p") == [fact("g", start=1)]
    transaction.close(fact("g", start=1), at(2))
    assert transaction.open_rows("s", "p") == []
    transaction.commit()
    assert [found.system_time_end for found in store.rows()] == [at(1), at(2)]


def test_nothing_uncommitted_is_seen(store: Any) -> None:
    put(store, fact("f"))
    other = store.session()
    transaction = store.begin()
    transaction.close(fact("f"), at(1))
    transaction.insert(fact("g", start=1))
    for session in (store, other, store.session()):
        assert session.rows() == [fact("f")]
        assert session.asof(at(2), at(2), subject="s", predicate="p") == [fact("f")]
    transaction.commit()
    for session in (store, other, store.session()):
        assert session.rows() == [fact("f").closed(at(1)), fact("g", start=1)]


@pytest.mark.parametrize("end", ["rollback", "shut", "error"])
def test_a_transaction_that_does_not_commit_leaves_nothing(store: Any, end: str) -> None:
    put(store, fact("f"))
    other = store.session()
    transaction = store.begin()
    transaction.close(fact("f"), at(1))
    transaction.insert(fact("g"))
    if end == "rollback":
        transaction.rollback()
        transaction.rollback()
    elif end == "shut":
        store.shut()
    else:
        with pytest.raises(ConstraintViolated):
            transaction.insert(fact("g"))
    assert other.rows() == [fact("f")]
    for late in (lambda: transaction.insert(fact("h")), lambda: transaction.open_rows("s", "p"), transaction.commit):
        with pytest.raises(StoreClosed):
            late()
    put(other, fact("h"))
    assert other.rows() == [fact("f"), fact("h")]


def test_an_ended_transaction_is_of_no_use(store: Any) -> None:
    transaction = store.begin()
    transaction.insert(fact("f"))
    transaction.commit()
    transaction.rollback()
    for late in (lambda: transaction.close(fact("f"), at(1)), transaction.commit):
        with pytest.raises(StoreClosed):
            late()
    assert store.rows() == [fact("f")]


def test_a_second_writer_is_kept_out(store: Any) -> None:
    other = store.session()
    transaction = store.begin()
    for session in (other, store):
        with pytest.raises(StoreLocked):
            session.begin()
    transaction.insert(fact("f"))
    transaction.commit()
    put(other, fact("g"))
    assert store.rows() == [fact("f"), fact("g")]


def test_a_session_that_was_shut_is_of_no_use(store: Any) -> None:
    other = store.session()
    put(store, fact("f"))
    store.shut()
    store.shut()
    for use in (
        store.begin,
        store.rows,
        lambda: store.asof(T0, T0),
        lambda: store.asof(T0, T0, subject="s", predicate="p"),
    ):
        with pytest.raises(StoreClosed):
            use()
    assert other.rows() == [fact("f")]


def test_the_mode_is_one_of_three(make: Opener) -> None:
    for mode in MODES:
        assert make(mode=mode).mode == mode
        assert make(mode=mode).session().mode == mode
    with pytest.raises(UnknownMode) as refused:
        make(mode="audit-row")
    assert isinstance(refused.value, ValueError) and isinstance(refused.value, StoreError)


def test_the_carrier_is_the_one_given(make: Opener) -> None:
    why = carrier("why")
    store = make(carrier=why)
    kept = fact("f", provenance=why.plus(why.token("a"), why.token("b")))
    put(store, kept)
    assert store.rows()[0].provenance == kept.provenance
    assert store.carrier is why and store.session().carrier is why
