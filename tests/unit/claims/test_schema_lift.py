"""Schema lift: that the comparison of queries can fail, on another engine too, and what the literal lift answers."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from random import Random

import pytest

from toki_verify.claims import audit_keys, schema_lift
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
from toki_verify.claims.small_facts import fact
from toki_verify.claims.small_histories import every_named_run, run

CLAIMS = {claim.id: claim for claim in schema_lift.CLAIMS}


def verdict(id: str) -> str:
    """What a claim says now."""
    return CLAIMS[id].decide(Cells()).verdict


def test_what_the_claims_say() -> None:
    assert {id: verdict(id) for id in CLAIMS} == {
        "Prop5": "holds-repaired",
        "Prop5.bag": "holds",
        "Prop5.verbatim": "refuted",
        "Prop5.write-path": "holds-repaired",
    }


@pytest.mark.parametrize("id", ["Prop5", "Prop5.bag"])
@pytest.mark.parametrize("broken", [UNFILTERED, leaf("lifted", "row_kind = 'audit'")])
def test_a_lift_that_filters_otherwise_is_refuted(monkeypatch: pytest.MonkeyPatch, id: str, broken: str) -> None:
    monkeypatch.setattr(schema_lift, "LIFTED", broken)
    assert verdict(id) == "refuted"


@pytest.mark.parametrize("id", ["Prop5", "Prop5.bag"])
@pytest.mark.parametrize("where", ["", "row_kind = 'audit'"])
def test_a_literal_lift_that_filters_otherwise_is_refuted(monkeypatch: pytest.MonkeyPatch, id: str, where: str) -> None:
    monkeypatch.setattr(schema_lift, "LITERAL", leaf("lifted", where, kinds=True))
    assert verdict(id) == "refuted"


def test_twelve_columns_go_up_until_a_projection() -> None:
    both = join(SCAN, select(SCAN, "c1 = 'x'", "subject = 'x'"), 0, 0)
    assert (SCAN.kinds, both.kinds, project(both, [0]).kinds, combine(SCAN, SCAN, "∪").kinds) == (1, 2, 0, 1)
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, tables(Random(1))[3])
        filled = both.literal.format(leaf=schema_lift.LITERAL, distinct="", all="", minus="")
        assert len(connection.execute(filled).description) == 24


def test_a_comparison_that_cannot_fail_is_no_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_lift, "UNFILTERED", LIFTED)
    assert verdict("Prop5") == verdict("Prop5.bag") == "refuted"


def test_a_lift_that_projects_needs_no_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = schema_lift.queries
    monkeypatch.setattr(schema_lift, "queries", lambda *given: [q for q in everything(*given) if not q.kinds])
    assert verdict("Prop5") == "holds"


def test_a_filtering_view_keeps_the_old_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_lift, "UNFILTERED", LIFTED)
    assert verdict("Prop5.verbatim") == "holds"


def test_other_current_rows_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = audit_keys.every_run("base")
    monkeypatch.setattr(audit_keys, "every_run", lambda mode: runs[::-1] if mode == "base" else runs)
    assert verdict("Prop5.write-path") == "refuted"


def test_a_clock_that_rises_needs_no_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit_keys, "every_named_run", lambda mode, rising: every_named_run(mode, rising=True))
    assert verdict("Prop5.write-path") == "holds"


def test_the_smallest_other_current_rows_are_of_three_writes() -> None:
    history = (fact("a", "x", (0, 1), 1), fact("a", "y", (0, 1), 2, confidence=0.2, strategy="evi"))
    last = fact("b", "y", (0, 1), 2)
    kept, base = (run((*history, last), mode=mode) for mode in ("audit_row", "base"))
    assert len(kept.errors) == 1 and not base.errors
    assert len(audit_keys.current(kept.rows)) == 1 and len(base.rows) == 2


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
                lifted = query.lifted(schema_lift.LITERAL, bag=bag, minus_all=True)
                assert answer(engine, lifted) == answer(engine, query.over(BASE, bag=bag, minus_all=True)), query.text


def test_the_numbers_of_the_evidence_are_those_of_the_run() -> None:
    found = conservative(False)
    assert not found.wrong and 0 < found.visible < found.number and 0 < found.wider < found.number
    assert f"{found.number} queries" in CLAIMS["Prop5"].decide(Cells()).evidence[1]
