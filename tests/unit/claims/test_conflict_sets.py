"""Claims about conflict sets: what they say, and that another operator or carrier makes them say something else."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from toki_verify.algebra import EVIDENCE, LWW, fold
from toki_verify.algebra.carriers import COUNTING, MULTIDEGREE
from toki_verify.algebra.carriers.counting import Counting
from toki_verify.claims import arrivals, conflict_sets, folds, seam, two_writers
from toki_verify.claims.cells import Cells
from toki_verify.claims.folds import LATER, argmax_results, conflict_set, fold_results, quick_argmax_results, stamped
from toki_verify.claims.printed_algorithm import Memory, ingest
from toki_verify.claims.small_facts import fact
from toki_verify.claims.small_histories import Run, every_run, run

CLAIMS = {claim.id: claim for claim in conflict_sets.CLAIMS}


def verdict(id: str) -> str:
    """What a claim says now."""
    return CLAIMS[id].decide(Cells()).verdict


class Forgetting(Counting):
    """No semiring: the sum forgets its right side."""

    def plus(self, left: int, right: int, /) -> int:
        return min(left, right)


def test_what_the_claims_say() -> None:
    assert {id: verdict(id) for id in CLAIMS if id != "Grid.confluence"} == {
        "P2.confluence": "depends",
        "P2.confluence.argmax": "holds",
        "P2.confluence.key": "holds-repaired",
        "P2.confluence.fold.lww": "refuted",
        "P2.confluence.fold.evi": "refuted",
        "P2.confluence.algorithm-1": "refuted",
        "P2.complete": "holds",
        "P2.complete.algorithm-1": "refuted",
        "P2.seam": "depends",
    }


@pytest.mark.parametrize("found", [LWW, EVIDENCE])
@pytest.mark.parametrize("ties", [(False, False), (True, False), (False, True), (True, True)])
def test_the_quick_ways_count_what_the_plain_ones_do(found: Any, ties: tuple[bool, bool]) -> None:
    for size in range(2, 6):
        members = conflict_set(size, MULTIDEGREE, same_time=ties[0], same_confidence=ties[1])
        assert quick_argmax_results(members, found, MULTIDEGREE) == argmax_results(members, found, MULTIDEGREE)
        plain: dict[Any, int] = {}
        for order in permutations(members):
            winner = fold(found, order, now=LATER, carrier=MULTIDEGREE)[-1].winner
            key = winner.fact_id, winner.provenance
            plain[key] = plain.get(key, 0) + 1
        assert fold_results(members, stamped(found, MULTIDEGREE)) == plain


def test_the_counterexample_of_the_fold_is_one() -> None:
    outcome = CLAIMS["P2.confluence.fold.lww"].decide(Cells())
    members = conflict_set(3, COUNTING)  # ⊕t sees their times, which are those of the evidence
    assert [line.split(",")[3] for line in outcome.evidence[0].split("; ")] == [" at 1", " at 2", " at 3"]
    orders = {line.split(" is ")[1]: line.split()[3:6] for line in outcome.evidence[1:3]}
    assert len(orders) == 2
    for winner, names in orders.items():
        order = [next(member for member in members if member.fact_id == name) for name in names]
        assert fold(LWW, order, now=LATER, carrier=COUNTING)[-1].winner.fact_id == winner


def test_a_fold_that_does_not_stamp_is_confluent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflict_sets, "stamped", lambda found, ring, now=None: folds.unstamped(found, ring))
    monkeypatch.setattr(conflict_sets, "GRID", range(2, 5))
    assert verdict("P2.confluence.fold.lww") == verdict("P2.confluence.fold.evi") == "holds"
    assert verdict("P2.confluence") == verdict("Grid.confluence") == "holds"


def test_an_operator_without_a_tie_break_is_not_confluent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflict_sets, "FOLDED", (conflict_sets.by_time_alone(),))
    monkeypatch.setattr(conflict_sets, "GRID", range(2, 4))
    assert verdict("P2.confluence.argmax") == "refuted"
    assert verdict("Grid.confluence") == "refuted"


def test_with_the_tie_break_nothing_is_to_be_repaired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflict_sets, "by_time_alone", lambda found=LWW: found)
    assert verdict("P2.confluence.key") == "holds"


def test_a_sum_that_forgets_dominates_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conflict_sets, "CARRIERS", {"forgetting": Forgetting()})
    monkeypatch.setattr(Forgetting, "token", lambda self, name: int(name[1:]))
    assert verdict("P2.complete") == "refuted"


def test_the_grid_makes_every_order() -> None:
    outcome = CLAIMS["Grid.confluence"].decide(Cells())
    assert outcome.verdict == "depends" and len(outcome.evidence) == 7
    assert "n = 8, 40320 orders" in outcome.evidence[-1]
    # Two operators, with and without ties, of 2! + … + 8! orders.
    assert "184928 orders by argmax and 184928 by fold" in outcome.bound


def test_a_write_path_that_stamps_incumbents_keeps_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seam, "run", lambda *given, **settings: run(*given, **{"incumbents": "stamped", **settings}))
    assert verdict("P2.complete.algorithm-1") == "holds"


def test_writers_that_do_not_race_leave_nothing_to_wire(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seam, "races", list)
    assert verdict("P2.seam") == "vacuous"


def test_a_write_path_that_forgets_to_close_breaks_the_induction(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetting(memory: Memory, new: Any, at: Any) -> Any:
        after, resolution = ingest(memory, new, at)
        return Memory((*memory.rows, *after.rows), ()), resolution

    assert seam.step_fault() == ""
    monkeypatch.setattr(seam, "ingest", forgetting)
    assert "open after: " in seam.step_fault() and verdict("P2.seam") == "refuted"


def test_every_race_is_at_the_pins_and_none_is_serializable() -> None:
    found = two_writers.races()
    assert len(found) == 18 and all(map(two_writers.contradicting, found))
    assert all(race.is_at(pin) for race in found for pin in two_writers.PINS)
    assert all(race.phantom and not race.is_at("SR") for race in found)


def test_a_set_resolved_at_once_does_not_depend_on_arrivals(monkeypatch: pytest.MonkeyPatch) -> None:
    def end_of(order: Any, clock: str) -> arrivals.End:
        found = {"lww": LWW, "evi": EVIDENCE}[order[0].resolution_strategy_id].resolve_set(
            order, now=LATER, carrier=MULTIDEGREE
        )
        return arrivals.End((found.winner.fact_id,), found.audit.provenance, 0)

    monkeypatch.setattr(arrivals, "end_of", end_of)
    assert verdict("P2.confluence.algorithm-1") == "holds"


def test_arrivals_end_as_the_audit_says() -> None:
    own = arrivals.CLOCKS[0]
    for strategy, confidences, winners in (
        ("lww", (2, 1, 0), {("f3",)}),
        ("evi", (0, 0, 0), {("f3",)}),
        ("evi", (2, 1, 0), {("f1",), ("f2",), ("f3",)}),
    ):
        members = folds.Pattern((0, 1, 2), confidences).members(MULTIDEGREE, strategy)
        assert {arrivals.end_of(order, own).winners for order in permutations(members)} == winners


def test_partial_ties_are_among_the_patterns() -> None:
    assert [len(folds.rankings(size)) for size in (1, 2, 3)] == [1, 3, 13]
    assert len(folds.patterns(3)) == 169 and len(folds.patterns(4)) == 4
    tied = folds.Pattern((0, 2, 1), (1, 0, 1))
    assert tied in folds.patterns(3)
    assert len(fold_results(tied.members(MULTIDEGREE), stamped(EVIDENCE, MULTIDEGREE, None))) == 2
    assert len(fold_results(tied.members(MULTIDEGREE), folds.unstamped(EVIDENCE, MULTIDEGREE))) == 1


def test_open_rows_that_contradict_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = fact("a", "x", at=1), fact("b", "y", at=2)
    monkeypatch.setattr(seam, "every_run", lambda mode="audit_row": (*every_run(), Run(pair, (), pair)))
    assert verdict("P2.seam") == "holds"
