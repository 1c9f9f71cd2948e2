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
from toki_verify.claims import audit_erasure, domination, erasure, proposition_1
from toki_verify.claims.carriers_of import incomparable, tokens, with_zero
from toki_verify.claims.cells import Cells
from toki_verify.claims.equational import with_answers
from toki_verify.claims.histories import Move, histories, run, told
from toki_verify.claims.registry import claims
from toki_verify.claims.surfaces import B52, SOUNDNESS, SURFACES, Reading, erased, undominated
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
    cached = [
        function
        for module in (domination, erasure, proposition_1)
        for function in vars(module).values()
        if hasattr(function, "cache_clear")
    ]
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
        (loser, winner, _), *more = ran.consumed
        assert not more and (loser.fact_id == "f1") is history[1].wins is (winner.fact_id == "f2")


def test_histories_meet_nobody_one_or_two() -> None:
    ran = [run(history, BOOLEAN, [True] * 3) for history in histories(3)]
    assert {len(found.consumed) for found in ran} == {0, 1, 2}
    assert any(found.refused for found in ran)


@pytest.mark.parametrize("name", CARRIERS)
def test_soundness_holds(name: str) -> None:
    found = decided(f"T2.sound.{name}")
    assert found.verdict == "holds" and [proof.id for proof in found.equational] == ["semiring.dominates-loser"]
    count, consumed, failures = domination.sound_in(CARRIERS[name])
    assert f"all {count} histories" in found.detail and consumed > count and not failures


def test_soundness_without_the_proof_is_undecided() -> None:
    assert decided("T2.sound.boolean", Unproved()).verdict == "undecided"
    assert decided("T2.sound", Unproved()).verdict == "undecided"
    assert decided("T2.tight", Unproved()).verdict == "depends" and not decided("T2.tight", Unproved()).repair
    assert decided("W.N3", Unproved()).verdict == "undecided"
    assert decided("P1.load", Unproved()).verdict == "undecided"


@pytest.mark.usefixtures("fresh")
def test_an_operator_that_drops_the_losers_provenance_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operators, "total", lambda carrier, elements: elements[0])
    found = decided("T2.sound.multilinear")
    assert found.verdict == "refuted"
    assert found.evidence[0].startswith("f1 (a, valid [0, 2), provenance p1); f2 (b, valid [0, 2), provenance p2)")
    assert decided("T2.sound").verdict == "refuted"
    # Then the winner's row does not have the merged provenance: B.5.2's surface, and its witness erases.
    example = erasure.erasing(MULTILINEAR, B52)
    assert example is not None and "closed incumbents" in example[1]
    assert "p_a is erased" in audit_erasure.replayed(MULTILINEAR)


@pytest.mark.usefixtures("fresh")
def test_an_audit_row_that_is_valid_for_less_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(audit: AuditTuple[Any], loser: Fact[Any]) -> Fact[Any]:
        return replace(pack(audit, loser), valid_to=loser.valid_from + timedelta(days=1))

    monkeypatch.setattr(write_path, "pack", short)
    assert decided("T2.sound.boolean").verdict == "refuted"


def test_the_valid_time_of_an_audit_row_decides_soundness() -> None:
    found = decided("T2.sound.reading")
    assert found.verdict == "depends" and "valid [1, 3)" in found.evidence[0]
    table = domination.first_failures()
    always, shared = domination.WHEN
    assert {choice for choice in domination.CHOICES if not table[choice, always]} == {
        "the loser's",
        "that of either",
        "all of valid time",
    }
    assert not any(table[choice, shared] for choice in domination.CHOICES)
    assert all(table[domination.CURRENT, when] for when in domination.WHEN)


@pytest.mark.usefixtures("fresh")
def test_an_audit_row_without_its_losers_provenance_is_found_in_every_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    zero = MULTILINEAR.zero
    monkeypatch.setattr(write_path, "pack", lambda audit, loser: replace(pack(audit, loser), provenance=zero))
    monkeypatch.setattr(domination, "BOOLEAN", MULTILINEAR)
    assert decided("T2.sound.reading").verdict == "refuted"


class Total(Counting):
    """A carrier in which everything is below everything, as in a ring."""

    def leq(self, left: int, right: int, /) -> bool:
        return True


def test_tightness_depends_on_the_order_of_the_carrier() -> None:
    verdicts = {name: erasure.tight(carrier).verdict for name, carrier in CARRIERS.items()}
    assert verdicts == {name: "depends" if name == "boolean" else "holds" for name in CARRIERS}
    for carrier in (BOOLEAN, Total()):
        true = erasure.true_in(carrier)
        assert len(true) == 4 and SOUNDNESS in true and B52 not in true
        assert all(erasure.in_every_k(reading) is (reading in true) for reading in erasure.READINGS)


def test_tightness_of_every_carrier_depends_on_the_reading() -> None:
    whole = decided("T2.tight")
    assert whole.verdict == "depends" and whole.evidence[0].startswith("boolean: false: current rows, at no valid time")
    assert "true in every K, whatever ⪯ is, in 4 of 6 readings" in whole.detail and "false in boolean" in whole.detail
    assert "in the reading of B.5.2" in whole.repair


def test_a_fact_of_provenance_0_is_erased_in_every_carrier_but_a_ring() -> None:
    assert with_zero(Total()) is None
    assert "provenance 0 allowed" in erasure.tight(BOOLEAN).evidence[-1]
    assert "provenance 0 allowed" not in erasure.tight(Total()).evidence[-1]


@pytest.mark.usefixtures("fresh")
def test_if_base_kept_audit_rows_it_would_not_erase(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "run", lambda *given, mode, **options: run(*given, **options))
    assert not erasure.in_every_k(SOUNDNESS) and SOUNDNESS not in erasure.true_in(MULTILINEAR)
    assert erasure.tight(MULTILINEAR).verdict == "depends"


def test_the_witness_of_tightness_erases_when_it_is_run_again() -> None:
    for carrier in (MULTILINEAR, COUNTING):
        pair = incomparable(carrier)
        assert pair is not None
        history = (Move("lww", True), Move("lww", False))
        ran = run(history, carrier, pair[::-1], mode="base")
        assert [loser.fact_id for loser in erased(ran, carrier, B52)] == ["f2"]
        assert not erased(run(history, carrier, pair[::-1]), carrier, SOUNDNESS)
        assert not undominated(run(history, carrier, pair[::-1]), carrier)


def test_a_history_says_why_a_writer_loses() -> None:
    history = (Move("lww", True), Move("lww", False))
    assert told(history, BOOLEAN, (True, True)).endswith("loses: it is stamped earlier, though it is written later")
    example = erasure.erasing(MULTILINEAR, B52)
    assert example is not None and "by ⊕p, loses: it has less confidence" in example[0]


def test_stamped_incumbents_leave_nothing_to_be_erased() -> None:
    for surface in SURFACES[:2]:
        assert erasure.erasing(MULTILINEAR, Reading(surface, "at no valid time", "stamped")) is None
    found = decided("T2.tight.reading")
    assert found.verdict == "depends" and len(found.evidence) == 13
    assert "no K erases anything in: current rows, at no valid time; current and closed rows" in found.detail
    assert "no K erases" not in decided("T2.tight.reading", Unproved()).detail


def test_the_printed_witness_needs_tokens_that_differ() -> None:
    verdicts = {name: audit_erasure.printed(carrier, Proved()).verdict for name, carrier in CARRIERS.items()}
    assert verdicts["boolean"] == "depends"
    assert audit_erasure.printed(Total(), Proved()).verdict == "refuted"
    assert [verdicts[name] for name in ("counting", "tropical", "viterbi")] == ["holds-repaired"] * 3
    assert {verdicts[name] for name in ("multilinear", "multilinear-collapsed", "multidegree", "why")} == {"holds"}
    whole = decided("W.N3")
    assert whole.verdict == "depends" and "if 0 may be one of them, true in every naturally ordered K" in whole.detail
    assert whole.evidence[1].endswith("N3: p_a = true, p_b = false: p_a ⪯̸ p_b")
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
