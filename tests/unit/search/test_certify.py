"""cvc5's proofs of obligations pass the kernel."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from toki_verify.proofs import ProofError, check_proof
from toki_verify.search.certify import NoProof, certified, cpc_proof
from toki_verify.search.solvers import SolverMissing

DATA = Path(__file__).parents[1] / "proofs" / "data"
OBLIGATIONS = sorted(DATA.glob("*.smt2"))


def test_without_cvc5_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cvc5", None)
    with pytest.raises(SolverMissing, match=r"pip install 'toki-verify\[solvers\]'"):
        cpc_proof("(check-sat)")


@pytest.mark.parametrize("path", OBLIGATIONS, ids=lambda path: path.stem)
def test_stored_obligations_are_certified_again(path: Path) -> None:
    pytest.importorskip("cvc5")
    proof, checked = certified(path.read_text(), file=path.name)
    assert checked == check_proof(path.read_text(), proof)
    assert checked.assertions == frozenset(range(4))


def test_names_that_need_bars() -> None:
    pytest.importorskip("cvc5")
    text = """(set-logic UF) (declare-sort |A b| 0) (declare-fun |p[x]| (|A b|) Bool)
    (assert (forall ((|t 1| |A b|)) (|p[x]| |t 1|)))
    (assert (exists ((|t 1| |A b|)) (not (|p[x]| |t 1|)))) (check-sat)"""
    assert certified(text)[1].assertions == frozenset({0, 1})


def test_a_proof_of_another_obligation_is_refused() -> None:
    pytest.importorskip("cvc5")
    one, other = (path.read_text() for path in OBLIGATIONS[:2])
    with pytest.raises(ProofError):
        check_proof(other, cpc_proof(one))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(declare-const p Bool)(assert p)(check-sat)", "answered sat"),
        ("(assert false)", "answered nothing"),
        ("(assert q)(check-sat)", "could not read"),
    ],
)
def test_no_proof_is_said_with_the_reason(text: str, problem: str) -> None:
    pytest.importorskip("cvc5")
    with pytest.raises(NoProof, match=problem):
        cpc_proof("(set-logic UF)" + text)
