"""Audit rows: what they keep, that they can be read back, and what is no audit row."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from toki_verify.algebra import LWW, SENTINEL_END, asof
from toki_verify.algebra.audit import AuditTuple, audit_id, pack, unpack, witness_text
from toki_verify.algebra.carriers import COUNTING
from toki_verify.algebra.errors import InvalidFact
from toki_verify.algebra.periods import SENTINEL_END_UTC

from .facts_for_tests import day, fact

OLD, NEW = fact("a", "x", (0, 4), at=1, confidence=0.3), fact("b", "y", (2, 6), at=2)
STEP = LWW.resolve(OLD, NEW, now=day(5), carrier=COUNTING)
TEXTS = ["", "x", " | ", "a | b", '"', "\\", "\n", "\u2028", "{}", "é", "\x00", "😀"]


def test_an_audit_row_has_the_losers_place_and_the_merged_provenance() -> None:
    row = pack(STEP.audit, STEP.loser)
    assert row.row_kind == "audit" and row.partition == OLD.partition and row.valid == OLD.valid
    assert (row.system_time_start, row.system_time_end) == (day(5), SENTINEL_END)
    assert (row.provenance, row.confidence, row.resolution_strategy_id) == (2, 0.3, "lww")
    assert row.fact_id == audit_id("a", day(5)) == f"audit::a::{day(5).isoformat()}"


def test_as_of_finds_it_wherever_the_loser_was_valid_from_then_on() -> None:
    row = pack(STEP.audit, STEP.loser)
    seen = {(v, s) for v in range(8) for s in range(8) if asof([row], day(v), day(s), "audit")}
    assert seen == {(v, s) for v in range(4) for s in (5, 6, 7)}
    assert not asof([row], day(1), day(6))


def test_the_tuple_is_read_back_from_the_row() -> None:
    assert unpack(pack(STEP.audit, STEP.loser)) == STEP.audit


@pytest.mark.parametrize("winner", TEXTS)
@pytest.mark.parametrize("loser", TEXTS)
def test_any_objects_are_read_back(winner: str, loser: str) -> None:
    audit = AuditTuple(1, "lww", day(5), "w", winner, ("a",), (loser,))
    found = unpack(pack(audit, replace(OLD, object=loser)))
    assert (found.winner_object, found.loser_objects) == (winner, (loser,))


def test_each_loser_of_a_set_has_a_row_of_its_own() -> None:
    third = fact("c", "z", (0, 4), at=3)
    step = LWW.resolve_set((OLD, third, NEW), now=day(5), carrier=COUNTING)
    rows = [pack(step.audit, loser) for loser in step.losers]
    assert [unpack(row).loser_ids for row in rows] == [("a",), ("b",)]
    assert {row.provenance for row in rows} == {3} and len({row.fact_id for row in rows}) == 2


def test_aware_rows_end_at_the_aware_sentinel() -> None:
    pair = fact("a", "x", aware=True), fact("b", "y", at=1, aware=True)
    step = LWW.resolve(*pair, now=day(5, aware=True), carrier=COUNTING)
    assert pack(step.audit, step.loser).system_time_end == SENTINEL_END_UTC


@pytest.mark.parametrize(
    "text",
    [
        *("", "x | y", "null", "[]", "{}", '{"winner": "a"}', "1", '"winner"', "[" * 100_000),
        json.dumps({"winner": "a", "winner_object": 1, "loser": "b", "loser_object": "y"}),
    ],
)
def test_what_is_no_audit_row_is_refused(text: str) -> None:
    with pytest.raises(InvalidFact, match="conflict witness"):
        unpack(replace(pack(STEP.audit, STEP.loser), object=text))


def test_a_current_row_is_no_audit_row_whatever_its_object_is() -> None:
    with pytest.raises(InvalidFact):
        unpack(replace(OLD, object=witness_text(STEP.audit)))


def test_only_a_loser_can_be_packed() -> None:
    with pytest.raises(ValueError):
        pack(STEP.audit, NEW)
