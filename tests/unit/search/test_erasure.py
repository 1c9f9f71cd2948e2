"""N3 in searches and proofs: no isolation level excludes it, the audit-row schema does."""

from __future__ import annotations

import pytest

pytest.importorskip("z3")
pytest.importorskip("pysat")

from toki_verify.events import Schedule
from toki_verify.levels import parse_spec
from toki_verify.notation.printer import print_schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.phenomena.erasure import overwritten_by
from toki_verify.phenomena.implications import IMPLICATIONS
from toki_verify.relations.algebra import Formula, domain, some
from toki_verify.relations.base import dominated_by, fact, kept_audit, kept_current
from toki_verify.relations.concrete import Concrete
from toki_verify.search.decide import Decision
from toki_verify.search.decide import decide as decide_with
from toki_verify.search.features import Features, Frame
from toki_verify.search.limits import Unfit
from toki_verify.search.model import FrameModel
from toki_verify.search.prove import Proof
from toki_verify.search.prove import prove as prove_with
from toki_verify.search.witness import Bounds, witness

#: The audit-row schema: an audit row of the store dominates every fact version that was overwritten or deleted.
AUDITED: Formula = ~some((fact - domain(dominated_by >> kept_audit)) >> overwritten_by)


def decide(formula: Formula, events: int, quick: int = 6) -> Decision:
    return decide_with(formula, id="N3", statement="N3", bounds=Bounds(events=events), quick=quick)


def prove(formula: Formula) -> Proof:
    return prove_with(formula, id="N3", statement="N3")


def formula_of(name: str) -> Formula:
    return catalogue()[name].formula


@pytest.mark.parametrize("level", ["RC", "SI", "SR", "SR+cb", "adya:PL-3", "session:SER"])
@pytest.mark.parametrize("name", [name for name in catalogue() if name.startswith("N3")])
def test_no_isolation_level_excludes_it(name: str, level: str) -> None:
    found = decide(formula_of(name) & parse_spec(level).formula, 4)
    assert found.verdict == "found" and found.schedule is not None
    assert Concrete(found.schedule).holds(formula_of(name))


@pytest.mark.parametrize("name", ["N3", "N3[audit]"])
def test_the_audit_row_schema_excludes_it_at_every_size(name: str) -> None:
    found = decide(AUDITED & formula_of(name), 4, 4)
    assert found.verdict == "none" and found.proof is not None and found.proof.proved


def test_the_audit_row_schema_admits_the_smaller_surfaces() -> None:
    """So the hypothesis can be met, and it is the audit rows that exclude."""
    for name in ("N3[current]", "N3[closed]", "N3[history]"):
        found = decide(AUDITED & formula_of(name) & parse_spec("SR").formula, 5)
        assert found.verdict == "found" and found.schedule is not None, name


def test_a_weaker_schema_does_not_exclude_it() -> None:
    """An audit row for some overwritten version is not enough."""
    some_audited = some((fact & domain(dominated_by >> kept_audit)) >> overwritten_by)
    assert decide(some_audited & formula_of("N3"), 6).verdict == "found"


@pytest.mark.parametrize("one", [i for i in IMPLICATIONS if i.present.startswith("N3")], ids=lambda i: i.present)
def test_implications_are_proved(one: object) -> None:
    present, implied = (formula_of(getattr(one, side)) for side in ("present", "implied"))
    assert prove(present & ~implied).proved


@pytest.mark.parametrize("names", [("N3[current]", "N3[closed]"), ("N3[closed]", "N3[history]"), ("N3[history]", "N3")])
def test_the_surfaces_differ(names: tuple[str, str]) -> None:
    found = witness(f"{names[0]} and not {names[1]} and SR", bounds=Bounds(events=4))
    assert found.schedule is not None


def test_axioms_of_the_order_are_needed_and_enough() -> None:
    """Reflexivity: a current row keeps itself. Transitivity: what dominates a dominating row dominates."""
    lost = fact - domain(dominated_by >> kept_current)
    assert prove(some(lost & kept_current)).proved
    assert prove(some((lost >> dominated_by) >> domain(dominated_by >> kept_current))).proved
    assert not prove(some(lost & fact)).proved


@pytest.mark.parametrize(
    ("frame", "items"),
    [
        (Frame((2,), (True,)), 1),
        pytest.param(Frame((2,), (True,)), 2, marks=pytest.mark.heavy),
        pytest.param(Frame((3,), (True,)), 1, marks=pytest.mark.heavy),
    ],
)
def test_models_of_a_frame_are_each_made_once(frame: Frame, items: int) -> None:
    features = Features(orders=False, predicates=0, keys=0, callbacks=False).seen_by(formula_of("N3"))
    everything = formula_of("N3") | ~formula_of("N3")
    model = FrameModel(frame, items, features, everything, solver="cadical")
    found = [print_schedule(schedule) for schedule in model.models() if schedule is not None]
    assert len(set(found)) == len(found) > 500
    for part in ("surface closed", "surface current", "init x0", "w1[+x1", "w1[-x1", "prov p1+p2", "audit:"):
        assert any(part in text for text in found), part


def test_a_partial_schedule_keeps_what_it_says() -> None:
    partial = Schedule.parse("surface audit\nr1[x0] w1[x1] c1 w2[-x2] c2")
    found = witness("N3[current] and SR", partial=partial, bounds=Bounds(events=6))
    assert found.schedule is not None and str(found.schedule) == str(partial)
    assert found.schedule.surface == partial.surface
    partial = Schedule.parse(f"init x0\n{partial}")
    none = witness("not N3", partial=partial, bounds=Bounds(events=6, items=2))
    assert none.schedule is None  # x0 has a variable of its own, so no audit row is above it
    kept = witness("not N3", partial=Schedule.parse("surface closed\nr1[x0] w1[x1] c1"), bounds=Bounds(events=4))
    assert kept.schedule is not None
    with pytest.raises(Unfit, match="provenances in the partial schedule"):
        witness("N3", partial=Schedule.parse("w1[x1 prov p] c1"))
