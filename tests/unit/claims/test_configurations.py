"""Configuration axes: a second encoding and the solvers agree with the tables, and broken variants are noticed."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from toki_verify.claims import configurations
from toki_verify.claims.cells import Cells
from toki_verify.claims.configurations import CLAIMS, INVARIANT, REACHES, REPAIR, TRACE
from toki_verify.claims.wire_models import (
    PLACES,
    Table,
    apart,
    changes_verdict,
    counted,
    delta,
    depends,
    due_to_algebra,
    entry,
    every_verdict,
    first_dependent,
    own_verdict,
    pipelines,
    tables,
)
from toki_verify.relations.firstorder import (
    Application,
    Expression,
    Statement,
    Variable,
    disjunction,
    equal,
    for_all,
    negation,
)
from toki_verify.relations.structure import Hypothesis
from toki_verify.search.smtlib import script
from toki_verify.search.solvers import answers

CELLS = Cells()
KNOWN = {claim.id: claim for claim in CLAIMS}


def verdict(id: str) -> str:
    """What a claim says now."""
    return KNOWN[id].decide(CELLS).verdict


def test_what_the_claims_say() -> None:
    assert {id: verdict(id) for id in KNOWN} == {
        "L4.read": "holds-repaired",
        "L4.write": "depends",
        "Prop6": "depends",
        "Prop6.dominance": "out-of-scope",
        "Prop7": "depends",
        "Prop7.systems": "out-of-scope",
    }


# -- L4: counted by formula, and for sets of every size by solvers -----------------------------------------------
def test_the_counts_by_hand() -> None:
    """⊕1 from state 0 splits the states (2 of 4 ways), and ⊕2's verdict tells the two states apart (2 of 4 ways)."""
    everywhere = 4 * 16  # verdicts by state; states freely
    split, telling = everywhere // 2, everywhere // 2
    assert counted(every_verdict, 2, "last") == (everywhere**2, split * telling)
    alone = 256 // 2  # half of the verdicts at state 0 agree
    assert counted(own_verdict, 2, "last")[0] == alone**2


def test_dependence_by_a_second_way() -> None:
    """The composite as one table, made by substitution, not by running."""
    pool = tables(2)[::17]
    for first, second in product(pool, repeat=2):
        composed = [second[first[c][0] * 2 + c][1] for c in (0, 1)]
        assert depends((first, second), "last") == (composed[0] != composed[1])


def test_the_counterexample_is_what_it_is_said_to_be() -> None:
    pair = first_dependent(every_verdict, "last")
    assert pair is not None and all(map(every_verdict, pair)) and depends(pair, "last")
    assert entry(pair[0], 0, 0)[0] != entry(pair[0], 0, 1)[0]
    assert counted(every_verdict, 1, "last")[1] == counted(every_verdict, 2, "last", 1)[1] == 0


_STATE, _KNOB, _VERDICT = "State", "Knob", "Verdict"
_S = Variable("s", _STATE)
_C, _D = Variable("c", _KNOB), Variable("d", _KNOB)
_START = Application("start", (), _STATE)
_ONE, _OTHER = Application("one", (), _KNOB), Application("other", (), _KNOB)


def _store(place: int, state: Expression, knob: Expression) -> Expression:
    return Application(f"store{place}", (state, knob), _STATE)


def _vote(place: int, state: Expression, knob: Expression) -> Expression:
    return Application(f"vote{place}", (state, knob), _VERDICT)


def _invariant(place: int, *, state: bool) -> list[Statement]:
    kinds = (_vote, _store) if state else (_vote,)
    return [for_all((_S, _C, _D), equal(kind(place, _S, _C), kind(place, _S, _D))) for kind in kinds]


def _status(statements: list[Statement]) -> set[str]:
    text = script([Hypothesis(statement, str(n)) for n, statement in enumerate(statements)], ("composition",))
    return {answer.status for answer in answers(text, 2.0, ("z3", "cvc5"))}


def test_states_and_verdicts_of_any_number_compose_by_induction() -> None:
    """The step: two runs in one state are in one state after an operator, and vote alike; so for any length."""
    step = [*_invariant(1, state=True)]
    differ = disjunction(negation(equal(kind(1, _START, _ONE), kind(1, _START, _OTHER))) for kind in (_store, _vote))
    assert _status([*step, differ]) == {"unsat"}
    assert apart(INVARIANT[REPAIR]) == {(0, 0), (1, 1)}
    assert (0, 1) in apart(every_verdict)


def test_the_solvers_find_a_leak_where_only_verdicts_are_invariant() -> None:
    def composite(knob: Expression) -> Expression:
        return _vote(2, _store(1, _START, knob), knob)

    differ = negation(equal(composite(_ONE), composite(_OTHER)))
    verdicts = [*_invariant(1, state=False), *_invariant(2, state=False)]
    said = _status([*verdicts, differ])
    assert "sat" in said and "unsat" not in said
    assert _status([*_invariant(1, state=True), *_invariant(2, state=True), differ]) == {"unsat"}


def test_a_hypothesis_that_forbids_the_leak_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configurations, "INVARIANT", dict.fromkeys(INVARIANT, INVARIANT[REPAIR]))
    assert verdict("L4.read") == "holds"


def test_a_repair_that_forgets_the_state_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configurations, "INVARIANT", {**INVARIANT, REPAIR: every_verdict})
    assert verdict("L4.read") == "refuted"


def test_operators_that_cannot_cascade_refute_the_write_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configurations, "always_def", configurations.def_everywhere)
    assert verdict("L4.write") == "refuted"


def test_composites_that_always_depend_would_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(table: Table) -> bool:
        return configurations.every_verdict(table)

    monkeypatch.setattr(configurations, "def_everywhere", leaking)
    monkeypatch.setattr(configurations, "depends", lambda pair, composite: True)
    assert verdict("L4.write") == "holds"


def test_verdicts_rise_in_some_order_of_the_configurations() -> None:
    assert configurations.monotone_in_some_order((0, 1, 0)) and list((0, 1, 0)) != sorted((0, 1, 0))


# -- Proposition 6 -----------------------------------------------------------------------------------------------
def test_attribution_by_a_second_way() -> None:
    """Written with compositions: the read sides as functions of the store."""
    for one, other in product(pipelines(), repeat=2):
        first, second = (tuple(synthesis[retrieval[a]] for a in (0, 1)) for _, retrieval, synthesis in (one, other))
        differ = first[one[0]] != second[other[0]]
        alike = all(first[stored] == second[stored] for stored in (one[0], other[0]))
        assert due_to_algebra(one, other) == (differ and alike)
        assert (delta(one, other) != 0) == differ


def test_a_delta_that_has_the_algebra_in_it_as_printed_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configurations, "delta", lambda one, other, *, printed=False: delta(one, other))
    assert any("8 of 64 pairs" in line for line in KNOWN["Prop6"].decide(CELLS).evidence)
    monkeypatch.setattr(configurations, "due_to_algebra", lambda one, other: one[1:] == other[1:])
    assert verdict("Prop6") == "holds"


def test_matched_pipelines_whose_delta_is_not_the_algebras_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configurations, "due_to_algebra", lambda one, other: False)
    assert verdict("Prop6") == "refuted"


# -- Proposition 7 -----------------------------------------------------------------------------------------------
def test_a_knob_changes_verdicts_exactly_where_it_reaches_something() -> None:
    """By the solvers: a verdict of uninterpreted functions, in which the knob stands where it reaches."""
    fixed = Application("fixed", (), _KNOB)
    for size in range(len(PLACES) + 1):
        for reached in map(frozenset, combinations(PLACES, size)):

            def wire(knob: Expression, reached: frozenset[str] = reached) -> Expression:
                at = {place: knob if place in reached else fixed for place in PLACES}
                vote = Application("vote", (at["vote"],), _VERDICT)
                stored = Application("store", (vote, at["store"]), _STATE)
                return Application("read", (stored, at["read"]), _VERDICT)

            if wire(_ONE) == wire(_OTHER):
                assert not changes_verdict(reached) and not reached
            else:
                said = _status([negation(equal(wire(_ONE), wire(_OTHER)))])
                assert "unsat" not in said and "sat" in said and changes_verdict(reached)


def test_both_tests_alike_would_hold_and_a_worse_one_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(configurations.REACHES, TRACE, lambda reached: not reached)
    assert verdict("Prop7") == "holds"
    for words in REACHES:
        monkeypatch.setitem(configurations.REACHES, words, lambda reached: "read" not in reached)
    assert verdict("Prop7") == "refuted"
