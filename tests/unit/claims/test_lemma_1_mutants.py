"""Lemma 1 with broken scans, formulas, images and edges: each is caught by the comparisons of `test_lemma_1`."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from toki_verify.bridge import image as image_module
from toki_verify.bridge import pullback
from toki_verify.claims import lemma_1_questions as asked
from toki_verify.events import Item, Schedule
from toki_verify.relations import base
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.edges import log_from
from toki_verify.relations.formulas import Formula, some

from .bridge_by_hand import KINDS, Case
from .test_lemma_1 import answers, disagreements, image_reads, schedules


@pytest.mark.parametrize("name", ["RETURN", "COMMIT", "CLEAN"])
def test_a_scan_that_reads_rows_of_aborted_transactions_is_caught(name: str) -> None:
    assert any(one != other for one, other in answers(name, rolled_back=True))


REFILLED_ANYHOW = some(base.committed >> (base.before & base.same_key) >> base.log_fill)


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("REFILLED", REFILLED_ANYHOW),
        ("REFILLED", some((base.before & base.same_key) >> (base.log_fill >> base.committed))),
        ("RETURN", ~some(base.log_fill >> (base.before & base.same_key) >> (base.log_fill >> base.committed))),
        ("COMMIT", ~some(log_from - base.committed_before)),
        ("CLEAN", asked.COMMIT),
        ("LITERAL", ~some(base.log_fill)),
        ("PLAIN", ~some(base.unknown_vote & base.same_txn)),
    ],
)
def test_hypotheses_that_forget_a_part_are_caught(name: str, formula: Formula) -> None:
    assert any(one != other for one, other in answers(name, formula=formula))


def test_a_refill_that_need_not_be_committed_is_no_n1() -> None:
    """The repair fails without the word: a smallest schedule says so in both ways."""
    by_formula = [
        s for s in schedules("calls") if Concrete(s).holds(asked.PLAIN & asked.CLEAN & REFILLED_ANYHOW & ~asked.N1)
    ]
    assert by_formula and not Case(by_formula[0]).shows("N1") and not Case(by_formula[0]).scan.refilled
    assert str(by_formula[0]).replace("theta", "t") == "j1(R, t)=0 c1 j2(R, t)=1 a2"


def test_an_image_that_forgets_whose_row_it_is_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    builder = image_module._Builder

    def latest(self: image_module._Builder, item: Item, txn: str, position: int) -> image_module._Row | None:
        alive = [row for row in self.rows.get(item, ()) if not self.source.resolved.aborted_by(row.txn, position)]
        return alive[-1] if alive else None

    monkeypatch.setattr(builder, "_latest", latest)
    found = [Case(schedule) for schedule in schedules("calls")]
    assert any(case.made.schedule is None for case in found)  # some images are not even schedules
    assert any(case.made.schedule is not None and image_reads(case) != case.scan.reads for case in found)


#: Wrong pictures of π_J, and the kinds of operand edges that they lose.
BROKEN_EDGES = {"reads_from": (log_from, {"wr", "rw"}), "version_order": (log_from - log_from, {"ww", "rw"})}


@pytest.mark.parametrize("name", BROKEN_EDGES)
def test_a_broken_edge_is_an_edge_that_differs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forget() -> None:
        for cached in (pullback._pulled, pullback.pulled, pullback.pulled_term):
            cached.cache_clear()

    wrong, kinds = BROKEN_EDGES[name]
    monkeypatch.setattr(pullback, "_BEHIND", pullback._BEHIND | {name: wrong})
    forget()
    try:
        table = {f"L1.graph.{kind}": asked.edges_differ(kind) for kind in KINDS}
        found = [Schedule.parse("w1[x1] c1 r2[x1] c2 w3[x2] j3(R, t)=0 c3")]
        assert disagreements(found, table).keys() == {f"L1.graph.{kind}" for kind in kinds}
    finally:
        monkeypatch.undo()
        forget()
