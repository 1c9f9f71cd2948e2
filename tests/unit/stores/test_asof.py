"""AS OF over every store, against the model: `algebra.facts.asof` over a list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toki_verify.algebra.errors import InvalidFact
from toki_verify.algebra.facts import KINDS, Fact, asof
from toki_verify.stores.sqlite import SqliteStore

from .conftest import KINDS as STORES
from .conftest import opener
from .samples import CARRIER, at, fact
from .test_contract import put

HOURS = st.integers(0, 5)
NAMES = st.sampled_from(["a", "b", "", "a\0"])


@st.composite
def facts(draw: st.DrawFn) -> Fact[Any]:
    """A row with small periods, some of them open."""
    first, start = draw(HOURS), draw(HOURS)
    last = draw(st.none() | st.integers(first + 1, 7))
    end = draw(st.none() | st.integers(start + 1, 7))
    found = fact(
        draw(st.sampled_from("fgh")),
        start=start,
        valid=(first, last),
        subject=draw(NAMES),
        predicate=draw(NAMES),
        row_kind=draw(st.sampled_from(["current", "audit"])),
    )
    return found if end is None else replace(found, system_time_end=at(end))


@pytest.mark.parametrize("kind", STORES)
def test_asof_is_what_the_model_says(kind: str, tmp_path: Path) -> None:
    opened: list[Any] = []
    make = opener(kind, tmp_path, opened)

    @settings(max_examples=25)
    @given(
        st.lists(facts(), max_size=12, unique_by=lambda row: (row.fact_id, row.system_time_start)),
        st.lists(
            st.tuples(HOURS, HOURS, st.sampled_from(KINDS), st.none() | NAMES, st.none() | NAMES),
            min_size=1,
            max_size=8,
        ),
    )
    def compare(rows: list[Fact[Any]], questions: list[tuple[Any, ...]]) -> None:
        store = make()
        put(store, *rows)
        rows.sort(key=lambda row: (row.fact_id, row.system_time_start))
        assert store.rows() == rows
        for valid, known, which, subject, predicate in questions:
            model = [
                row
                for row in asof(rows, at(valid), at(known), which)
                if subject in (None, row.subject) and predicate in (None, row.predicate)
            ]
            assert store.asof(at(valid), at(known), which, subject=subject, predicate=predicate) == model
        store.shut()

    compare()


def test_periods_are_closed_open(store: Any) -> None:
    row = replace(fact("f", start=2, valid=(1, 3)), system_time_end=at(5))
    put(store, row)
    assert [store.asof(at(hour), at(2)) for hour in (0.9, 1, 2.9, 3)] == [[], [row], [row], []]
    assert [store.asof(at(1), at(hour)) for hour in (1.9, 2, 4.9, 5)] == [[], [row], [row], []]


def test_what_is_no_question_is_refused(store: Any) -> None:
    put(store, fact("f"))
    for refused in (
        lambda: store.asof(at(0), at(0), "open"),
        lambda: store.asof("2024-01-01", at(0)),
        lambda: store.asof(at(0), None),
    ):
        with pytest.raises(InvalidFact):
            refused()


def test_sqlite_reads_and_writes_by_index(tmp_path: Path) -> None:
    """No statement of the write path or of a read of a partition passes over other rows, audit rows among them."""
    store = SqliteStore(tmp_path / "file", CARRIER)
    sql = store.statements
    whole = "row_kind=? AND subject=? AND predicate=? AND system_time_end"
    expected = {
        sql.open_rows: whole + "=?",
        sql.close: "fact_id=? AND system_time_start=?",
        sql.asof("current", ("subject", "predicate")): whole + ">?",
        sql.asof("audit", ("subject", "predicate")): whole + ">?",
        sql.asof("all", ("subject", "predicate")): whole + ">?",
        sql.asof("current", ("subject",)): "row_kind=? AND subject=?",
        sql.asof("current", ()): "row_kind=?",
        "SELECT winner FROM judge_log WHERE request = ? AND theta = ?": "request=? AND theta=?",
    }
    for statement, part in expected.items():
        plan = [row[3] for row in store._main.query(f"EXPLAIN QUERY PLAN {statement}", ("",) * statement.count("?"))]
        assert plan[0].startswith("SEARCH") and part in plan[0], (statement, plan)
    store.shut()
