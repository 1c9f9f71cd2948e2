"""Theorem 2 and what goes with it: verdicts follow from histories that are run, so mutants change them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from toki_verify.algebra import OPERATORS, operators
from toki_verify.algebra.audit import AuditTuple, pack
from toki_verify.algebra.carriers import BOOLEAN, CARRIERS, COUNTING, MULTILINEAR
from toki_verify.algebra.carriers.counting import Counting
from toki_verify.algebra.facts import Fact
from toki_verify.claims import audit_erasure, proposition_1, theorem_2
from toki_verify.claims.carriers_of import incomparable, tokens
from toki_verify.claims.cells import Cells
from toki_verify.claims.equational import with_answers
from toki_verify.claims.histories import SURFACES, Move, erased, histories, run, undominated
from toki_verify.claims.registry import claims
from toki_verify.search.solvers import Answer
from toki_verify.stores import write_path

ANSWERS = (Answer("unsat", "", 0.0, "z3", ""),)


class Proved(Cells):
    """Cells that take every statement about carriers as proved: `test_equational` proves them."""

    def equation(self, id: str) -> Any:
        return with_answers(id, ANSWERS)


class Unproved(Cells):
    """Cells in which nothing is proved."""

    def equation(self, id: str) -> Any:
        return with_answers(id, ())


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forgets what was run, before and after a mutant."""
    cached = (theorem_2.sound_in, theorem_2.erasing, theorem_2.erases_none, proposition_1.bits)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


def decided(id: str, cells: Cells | None = None) -> Any:
    return claims()[id].decide(cells or Proved())


def test_histories_are_all_of_the_bound_and_go_as_they_say() -> None:
    assert len(histories(2)) == 3 * 24
    assert len(set(histories(3))) == 3 * 24**2
    assert {move.strategy for history in histories(2) for move in history} == set(OPERATORS)
    for history in histories(2, (0,)):
        ran = run(history, MULTILINEAR, tokens(MULTILINEAR, 2))
        (loser, _), *more = ran.consumed
        assert not more and (loser.fact_id == "f1") is history[1].wins


def test_histories_meet_nobody_one_or_two() -> None:
    ran = [run(history, BOOLEAN, [True] * 3) for history in histories(3)]
    assert {len(found.consumed) for found in ran} == {0, 1, 2}
    assert any(found.refused for found in ran)


@pytest.mark.parametrize("name", CARRIERS)
def test_soundness_holds(name: str) -> None:
    found = decided(f"T2.sound.{name}")
    assert found.verdict == "holds" and len(found.equational) == 5
    count, consumed, failures = theorem_2.sound_in(CARRIERS[name])
    assert f"all {count} histories" in found.detail and consumed > count and not failures


def test_soundness_without_the_proof_is_undecided() -> None:
    assert decided("T2.sound.boolean", Unproved()).verdict == "undecided"
    assert decided("T2.sound", Unproved()).verdict == "undecided"
    assert decided("T2.tight", Unproved()).verdict == "refuted"
    assert decided("P1.load", Unproved()).verdict == "undecided"


@pytest.mark.usefixtures("fresh")
def test_an_operator_that_drops_the_losers_provenance_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "total", lambda carrier, elements: elements[0])
    found = decided("T2.sound.multilinear")
    assert found.verdict == "refuted"
    assert found.evidence[0].startswith("f1 (a, valid [0, 2), provenance p1); f2 (b, valid [0, 2), provenance p2)")
    assert decided("T2.sound").verdict == "refuted"
    # Then the winner's row does not have the merged provenance: B.5.2's surface, and its witness erases.
    example = theorem_2.erasing(MULTILINEAR, *theorem_2.LITERAL)
    assert example is not None and "closed incumbents" in example[1]
    assert "p_a is erased" in audit_erasure.replayed(MULTILINEAR)


@pytest.mark.usefixtures("fresh")
def test_an_audit_row_that_is_valid_for_less_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(audit: AuditTuple[Any], loser: Fact[Any]) -> Fact[Any]:
        return replace(pack(audit, loser), valid_to=loser.valid_from + timedelta(days=1))

    monkeypatch.setattr(write_path, "pack", short)
    assert decided("T2.sound.boolean").verdict == "refuted"


class Total(Counting):
    """A carrier in which everything is below everything, as in a ring."""

    def leq(self, left: int, right: int, /) -> bool:
        return True


def test_tightness_depends_on_the_order_of_the_carrier() -> None:
    verdicts = {name: theorem_2.tight(carrier).verdict for name, carrier in CARRIERS.items()}
    assert {name for name, verdict in verdicts.items() if verdict != "holds"} == {"boolean"}
    assert theorem_2.tight(Total()).verdict == "refuted"
    whole = decided("T2.tight")
    assert whole.verdict == "holds-repaired" and whole.evidence[0].startswith("boolean")


def test_the_witness_of_tightness_erases_when_it_is_run_again() -> None:
    for carrier in (MULTILINEAR, COUNTING):
        pair = incomparable(carrier)
        assert pair is not None
        history = (Move("lww", True), Move("lww", False))
        ran = run(history, carrier, pair[::-1], mode="base")
        assert [loser.fact_id for loser in erased(ran, carrier, SURFACES[0])] == ["f2"]
        assert not erased(run(history, carrier, pair[::-1]), carrier, SURFACES[2])
        assert not undominated(run(history, carrier, pair[::-1]), carrier)


def test_stamped_incumbents_leave_nothing_to_be_erased() -> None:
    for surface in SURFACES[:2]:
        assert theorem_2.erasing(MULTILINEAR, surface, "stamped", "at no valid time") is None
    found = decided("T2.tight.reading")
    assert found.verdict == "depends" and len(found.evidence) == 13


def test_the_printed_witness_needs_tokens_that_differ() -> None:
    verdicts = {name: audit_erasure.printed(carrier, Proved()).verdict for name, carrier in CARRIERS.items()}
    assert verdicts["boolean"] == "refuted"
    assert [verdicts[name] for name in ("counting", "tropical", "viterbi")] == ["holds-repaired"] * 3
    assert {verdicts[name] for name in ("multilinear", "multilinear-collapsed", "multidegree", "why")} == {"holds"}
    assert decided("W.N3").verdict == "holds-repaired"
    assert "no N3" in audit_erasure.replayed(MULTILINEAR)


def test_the_schema_grid_is_that_of_the_carrier() -> None:
    assert audit_erasure.as_printed(audit_erasure.grid(MULTILINEAR))
    assert not audit_erasure.as_printed(audit_erasure.grid(MULTILINEAR), every=True)
    assert not audit_erasure.as_printed(audit_erasure.grid(BOOLEAN))
    assert decided("Grid.schema").verdict == "depends"


def test_histories_are_at_every_level_unless_the_callback_is_missing() -> None:
    for history in histories(2, (0,)):
        assert audit_erasure.at_level(history, "SR+cb")
    text = str(audit_erasure.schedule_of((Move("lww", True), Move("await", True))))
    assert "cb2(R, h, 1) w2[x@b by await] c2" in text


def test_proposition_1() -> None:
    assert decided("P1.vacuity").verdict == "holds"
    load = decided("P1.load")
    assert load.verdict == "depends" and not proposition_1.not_preserved()
    assert [number for _, number, _ in proposition_1.bits("audit-row")] == [0, 0, 0]
    assert all(number for _, number, _ in proposition_1.bits("base"))
    assert "(1 ↦ true" in load.evidence[2] or "(x ↦ true" in load.evidence[2]


@pytest.mark.usefixtures("fresh")
def test_a_map_that_is_no_homomorphism_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = (MULTILINEAR, BOOLEAN, lambda element: element == MULTILINEAR.token("x"))
    monkeypatch.setattr(proposition_1, "MAPS", (wrong,))
    assert decided("P1.load").verdict == "refuted"
