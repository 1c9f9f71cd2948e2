"""Schema lift: that the comparison of queries can fail, on another engine too, and what the literal lift answers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random

import pytest

from toki_verify.claims import schema_lift
from toki_verify.claims.base_queries import SCAN, combine, join, leaf, project, select
from toki_verify.claims.cells import Cells
from toki_verify.claims.schema_lift import (
    BASE,
    LIFTED,
    UNFILTERED,
    answer,
    compare,
    conservative,
    load,
    queries,
    statements,
    tables,
)

CLAIMS = {claim.id: claim for claim in schema_lift.CLAIMS}


def verdict(id: str) -> str:
    """What a claim says now."""
    return CLAIMS[id].decide(Cells()).verdict


def test_what_the_claims_say() -> None:
    assert {id: verdict(id) for id in CLAIMS} == {
        "Prop5": "holds-repaired",
        "Prop5.bag": "holds",
        "Prop5.verbatim": "refuted",
        "Prop5.write-path": "holds",
    }


@pytest.mark.parametrize("id", ["Prop5", "Prop5.bag"])
@pytest.mark.parametrize("broken", [UNFILTERED, leaf("lifted", "row_kind = 'audit'")])
def test_a_lift_that_filters_otherwise_is_refuted(monkeypatch: pytest.MonkeyPatch, id: str, broken: str) -> None:
    monkeypatch.setattr(schema_lift, "LIFTED", broken)
    assert verdict(id) == "refuted"


def test_a_comparison_that_cannot_fail_is_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_lift, "UNFILTERED", LIFTED)
    assert verdict("Prop5") == verdict("Prop5.bag") == "refuted"


def test_a_lift_that_projects_needs_no_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_lift, "literal_columns", lambda: (11, 11))
    assert verdict("Prop5") == "holds"
    monkeypatch.undo()
    assert schema_lift.literal_columns() == (12, 11)


def test_a_filtering_view_keeps_the_old_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_lift, "UNFILTERED", LIFTED)
    assert verdict("Prop5.verbatim") == "holds"


def test_other_current_rows_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = schema_lift.every_run("base")
    monkeypatch.setattr(schema_lift, "every_run", lambda mode: runs[::-1] if mode == "base" else runs)
    assert verdict("Prop5.write-path") == "refuted"


def test_queries_use_every_constructor_and_never_the_discriminator() -> None:
    found = queries(Random(1), tables(Random(1))[0], 200)
    text = " ".join(query.text for query in found)
    assert all(f"{symbol}" in text for symbol in ("σ[", "π[", "⋈[", "∪", "−", "AS OF("))
    assert not any("row_kind" in query.sql for query in found)


def test_queries_have_answers_that_are_not_all_empty() -> None:
    rows = tables(Random(2))[0]
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, rows)
        sizes = [len(answer(connection.execute, q.over(BASE))) for q in queries(Random(2), rows, 100)]
    assert sum(map(bool, sizes)) > 50


def test_a_bag_keeps_what_a_set_makes_one() -> None:
    twice = combine(project(SCAN, [3]), project(SCAN, [3]), "∪")
    rows = tables(Random(3))[3]
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, rows)
        bag, distinct = (answer(connection.execute, twice.over(BASE, bag=bag)) for bag in (True, False))
    current = [row for row in rows if row[-1] == "current"]
    assert len(bag) == 2 * len(current) and distinct == sorted(set(bag))


def test_the_notation_of_a_query_names_its_base_columns() -> None:
    query = select(join(project(SCAN, [3, 9]), SCAN, 0, 3), "c1 < 0.5", "confidence < 0.5")
    assert query.columns[:3] == ("object", "confidence", "fact_id")
    assert query.text == "σ[confidence < 0.5]((π[object, confidence](T) ⋈[object = object] T))"


@pytest.mark.parametrize("bag", [False, True])
def test_duckdb_agrees_also_with_a_difference_of_bags(bag: bool) -> None:
    duckdb = pytest.importorskip("duckdb")
    for rows in tables(Random(4))[::3]:
        with closing(duckdb.connect()) as connection:
            for statement in statements():
                typed = statement.replace("confidence", "confidence DOUBLE")
                names = [part for part in typed[typed.index("(") + 1 : -1].split(", ")]
                columns = ", ".join(name if " " in name else f"{name} VARCHAR" for name in names)
                connection.execute(f"{typed[: typed.index('(')]}({columns})")
            connection.executemany(f"INSERT INTO lifted VALUES ({', '.join('?' * 12)})", rows)
            current = [row[:11] for row in rows if row[-1] == "current"]
            connection.executemany(f"INSERT INTO base VALUES ({', '.join('?' * 11)})", current)

            def engine(sql: str) -> list[tuple[object, ...]]:
                found: list[tuple[object, ...]] = connection.execute(sql).fetchall()
                return found

            for query in queries(Random(5), rows, 40):
                assert compare(engine, query, LIFTED, bag=bag, minus_all=True), query.text


def test_the_numbers_of_the_evidence_are_those_of_the_run() -> None:
    number, visible, wrong = conservative(False, LIFTED)
    assert not wrong and 0 < visible < number
    assert f"{number} queries" in CLAIMS["Prop5"].decide(Cells()).evidence[1]
