"""The invariants of logging disciplines as stored proofs: the kernel accepts them, and none is claimed without them."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("z3")
pytest.importorskip("cvc5")

from toki_verify.bridge.log_invariants import arguments
from toki_verify.bridge.log_table import table
from toki_verify.claims import judge_log
from toki_verify.claims.equational import prove_equation, with_answers
from toki_verify.claims.files import certified
from toki_verify.claims.log_questions import A_MODEL, LOG_QUESTIONS, met
from toki_verify.claims.stored import StoredCells
from toki_verify.search.solvers import Answer


def test_every_obligation_of_an_invariant_is_a_question() -> None:
    texts = [text for argument in arguments().values() for text in argument.obligations.values()]
    assert [question.text for question in LOG_QUESTIONS.values()] == texts
    assert len({question.statement for question in LOG_QUESTIONS.values()}) == len(texts)


@pytest.mark.parametrize("id", LOG_QUESTIONS)
def test_each_is_proved_with_a_certificate(id: str) -> None:
    proof = prove_equation(id)
    assert proof.proved
    assert proof.models == (A_MODEL,)
    assert certified(proof.text) is not None


def test_hypotheses_that_cannot_be_met_prove_nothing() -> None:
    question = LOG_QUESTIONS["log.one-row.2"]
    assert met(question) == (A_MODEL,)
    assert met(replace(question, text=question.text.replace("(assert ", "(assert false)\n(assert ", 1))) == ()
    said = tuple(Answer("unsat", "", 0.0, solver, "") for solver in ("z3", "cvc5"))
    assert with_answers(question.id, said).proved
    assert not with_answers(question.id, said, ()).proved
    assert not with_answers(question.id, ()).proved


def test_a_question_that_does_not_end_with_what_it_denies_is_an_error() -> None:
    question = replace(LOG_QUESTIONS["log.one-row.2"], text="(declare-sort T 0)\n(check-sat)\n")
    with pytest.raises(ValueError, match="does not end with an assertion"):
        met(question)


def test_without_its_proofs_an_exclusion_is_a_bound() -> None:
    """A table that accepts no invariant, as a directory without certificates makes it, claims no proof."""
    found = table("returned", "reduced")
    spec = str(judge_log.REPAIRED)
    assert found.how(spec, "N1", "SR") == "proof"
    lost = replace(found, accepts=lambda name: False)
    assert lost.how(spec, "N1", "SR") == "exhaustive"
    told = (
        judge_log.insert_if_absent(lambda reading: found).evidence,
        judge_log.insert_if_absent(lambda _: lost).evidence,
    )
    assert [any("an inductive invariant" in line for line in lines) for lines in told] == [True, False]
    assert not StoredCells().equation("log.one-row.1").proved
