"""Claims about composition: what they say, and that other preconditions or tables make them say something else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toki_verify.algebra import OPERATORS, RULE, Precondition, Resolution
from toki_verify.algebra.allen import Allen, relation
from toki_verify.algebra.carriers.counting import Counting
from toki_verify.claims import allen_closure, composition, composition_grid, joins, pair_table, pipeline_iso, pipelines
from toki_verify.claims.cells import Cells
from toki_verify.claims.stored import from_directory

CLAIMS = {claim.id: claim for claim in composition.CLAIMS}
PROOFS = Path(__file__).parents[3] / "proofs"


@pytest.fixture(scope="module")
def cells() -> Cells:
    """The cells of Theorem 1 as they were proved: no solver is asked here."""
    return from_directory(PROOFS)


@pytest.fixture
def rule_without_pin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """⊕c at SR in L, in both treatments."""
    plain = {**OPERATORS, "rule": replace(RULE, precondition=Precondition("SR"))}
    monkeypatch.setattr(composition_grid, "OPERATORS", plain)
    composition_grid.count.cache_clear()
    yield
    composition_grid.count.cache_clear()


def test_what_the_claims_say(cells: Cells) -> None:
    said = {id: claim.decide(cells).verdict for id, claim in CLAIMS.items() if not id.startswith("Tab10.idempotent.")}
    assert said == {
        "T4.iso": "depends",
        "T4.schema": "holds",
        "T4.policy": "depends",
        "T4.policy.disjoint": "refuted",
        "C3.surface": "depends",
        "T4.allen": "holds",
        "T4.allen.twelve": "depends",
        "L2.join": "depends",
        "L2.join.graph": "holds",
        "L2.join.berenson": "holds",
        "L2.join.adya": "refuted",
        "L2.join.session": "holds",
        "Tab10": "depends",
        "Tab10.run": "holds-repaired",
        "Tab10.idempotent": "depends",
        "Grid.compose": "depends",
    }


def test_n1_depends_on_whether_a_pipeline_reads_the_log(cells: Cells) -> None:
    outcome = CLAIMS["T4.iso"].decide(cells)
    assert outcome.evidence[0].startswith("line 14 as printed, ⟨⊕c, ⊕c⟩ with the votes 0, 1: j1(R, theta)=0 j1(")
    assert [str(schedule) for schedule in outcome.witnesses] == ["j1(R, theta)=0 j1(R, theta)=1 c1"]
    assert any("says nothing of P3, A5B, N1, N2" in line for line in outcome.evidence)
    assert len(outcome.proofs) == 10


@pytest.mark.parametrize("read,said", [(True, "holds"), (False, "refuted")])
def test_one_discipline_would_decide_n1(monkeypatch: pytest.MonkeyPatch, cells: Cells, read: bool, said: str) -> None:
    every = pipeline_iso.every_replay
    monkeypatch.setattr(pipeline_iso, "every_replay", lambda reads: every(read))
    assert CLAIMS["T4.iso"].decide(cells).verdict == said


def test_no_l_star_reaches_n1_where_the_pin_stays_outside() -> None:
    assert pipeline_iso.inconsistent(False, "level") and not pipeline_iso.inconsistent(False, "pin")


def test_judge_calls_of_a_replay() -> None:
    rule = pipeline_iso.Pipeline[Any].of("rule")
    assert pipeline_iso.judge_calls(rule, (0, 1), 2, reads=False) == "j1(R, theta)=0 c1 j2(R, theta)=1 c2"
    assert pipeline_iso.judge_calls(rule, (0, 1), 2, reads=True) == "j1(R, theta)=0 c1 c2"


def test_the_chain_proves_the_joins_of_the_default_family(cells: Cells) -> None:
    outcome = CLAIMS["L2.join.graph"].decide(cells)
    assert outcome.method == "proof" and {proof.id for proof in outcome.proofs} == {
        "T1.chain.graph.SI-RC",
        "T1.chain.graph.SR-SI",
    }


def test_where_two_elements_and_their_join_differ_they_do(cells: Cells) -> None:
    for each in joins.differing("adya", joins.EVERY_PAIR):
        assert {each.one.iso, each.other.iso} == {"SI", "SR"} and not each.both
    smallest = CLAIMS["L2.join.adya"].decide(cells).counterexample
    assert smallest is not None and len(smallest.events) == 4


def test_a_family_that_is_a_chain_would_have_joins(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    kinds = joins.kinds()
    monkeypatch.setattr(joins, "kinds", lambda: {**kinds, "adya": kinds["graph"]})
    assert CLAIMS["L2.join"].decide(cells).verdict == "holds"
    monkeypatch.setattr(joins, "kinds", lambda: {**kinds, "graph": kinds["adya"]})
    assert CLAIMS["L2.join.graph"].decide(cells).verdict == "refuted"


def test_nothing_less_than_the_join_is_enough() -> None:
    assert not any(joins.needless(family, joins.EVERY_PAIR) for family in joins.STANDS)
    assert joins.satisfies((True, False, False, True), Precondition("RC", cb=True))
    assert not joins.satisfies((True, False, False, True), Precondition("SI"))


def test_the_counts_of_the_grid_are_those_of_one_treatment() -> None:
    assert {longest: composition_grid.count(longest, "level").printed for longest in (3, 5)} == composition_grid.PRINTED
    assert composition_grid.count(3, "pin").printed == (84, 504, 299, 205)
    assert composition_grid.count(5, "pin").printed == (1364, 8184, 3879, 4305)


@pytest.mark.usefixtures("rule_without_pin")
def test_with_sr_in_l_the_grid_and_the_surface_hold(cells: Cells) -> None:
    assert CLAIMS["Grid.compose"].decide(cells).verdict == "holds"
    assert CLAIMS["C3.surface"].decide(cells).verdict == "holds"


def test_other_counts_would_be_refuted(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    monkeypatch.setattr(composition_grid, "PRINTED", {3: (84, 504, 194, 310)})
    assert CLAIMS["Grid.compose"].decide(cells).verdict == "refuted"


def test_the_noise_lies_between_the_exact_and_the_linear_model() -> None:
    exact, linear = composition_grid.noise(composition_grid.count(5, "level"))
    assert exact < composition_grid.PRINTED_RATE < linear
    assert (round(float(exact), 4), round(float(linear), 4)) == (0.0885, 0.0918)


def test_another_table_would_be_refuted(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    monkeypatch.setitem(pair_table.PRINTED, "evi", ("RC", "SI", "SI+cb", "SRp"))
    assert CLAIMS["Tab10"].decide(cells).verdict == "refuted"


def test_a_chain_collides_on_the_key_of_its_audit_rows() -> None:
    pair, chain = next(pair_table.runs("lww", "lww", pair_table.MULTIDEGREE))
    assert "audit::a::" in pair_table.persist(pair, chain, rising=False)
    assert pair_table.persist(pair, chain, rising=True) == ""


def test_pairs_that_can_be_written_would_hold(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    monkeypatch.setattr(pair_table, "persist", lambda pair, chain, rising: "")
    assert CLAIMS["Tab10.run"].decide(cells).verdict == "holds"
    monkeypatch.setattr(pair_table, "persist", lambda pair, chain, rising: "no")
    assert CLAIMS["Tab10.run"].decide(cells).verdict == "refuted"


def test_self_composition_is_idempotent_where_the_sum_is(cells: Cells) -> None:
    said = {id.rpartition(".")[2]: claim.decide(cells).verdict for id, claim in CLAIMS.items() if "idempotent." in id}
    for name, ring in pair_table.CARRIERS.items():
        x = ring.token("x")
        assert said[name] == ("holds" if ring.plus(x, x) == x else "refuted")


class Forgetting(Counting):
    """No semiring: the sum is what is on the left."""

    def plus(self, left: int, right: int, /) -> int:
        return 0


def test_a_sum_that_forgets_refutes_the_schema_axis(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    monkeypatch.setattr(pipelines, "CARRIERS", {"forgetting": Forgetting()})
    assert CLAIMS["T4.schema"].decide(cells).verdict == "refuted"


def test_an_allen_relation_that_is_wrong_is_found(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    def wrong(one: Any, other: Any) -> Allen:
        found = relation(one, other)
        return Allen.BEFORE if found is Allen.MEETS else found

    monkeypatch.setattr(allen_closure, "relation", wrong)
    assert CLAIMS["T4.allen"].decide(cells).verdict == "refuted"


def test_equality_arises_from_the_other_twelve() -> None:
    outcome = CLAIMS["T4.allen.twelve"].decide(Cells())
    assert "12 of the compositions have equals" in outcome.detail and "144" in outcome.detail


def test_a_pinned_table_admits_a_phantom_across_tables() -> None:
    assert pipelines.at(pipelines.CROSSED, "SI+SR@policy") and not pipelines.at(pipelines.CROSSED, "SR")
    assert pipelines.shows(pipelines.CROSSED, "P3")
    outcome = CLAIMS["T4.policy.disjoint"].decide(Cells())
    assert any("delays the insert: no" in line for line in outcome.evidence)


def test_the_phantom_would_go_with_sr_everywhere(monkeypatch: pytest.MonkeyPatch, cells: Cells) -> None:
    monkeypatch.setattr(pipelines, "CROSSED", "r1[x0] w1[x1] c1")
    assert CLAIMS["T4.policy.disjoint"].decide(cells).verdict == "undecided"


def test_emissions_are_chains() -> None:
    for found, _, chain in pipelines.emissions(pair_table.MULTIDEGREE):
        assert len(chain) == len(found.steps) and all(isinstance(step, Resolution) for step in chain)
