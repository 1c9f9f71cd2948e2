"""Whole proofs: three stored ones are accepted, and no wrong one is."""

from __future__ import annotations

from pathlib import Path

import pytest

from toki_verify.proofs import ProofError, check_proof

DATA = Path(__file__).parent / "data"
STORED = sorted(path.stem for path in DATA.glob("*.cpc"))

DECLARED = "(declare-const p Bool)(declare-const q Bool)(declare-sort A 0)(declare-fun P (A) Bool)"
X = '(@var "x" A)'


def texts(name: str) -> tuple[str, str]:
    return (DATA / f"{name}.smt2").read_text(), (DATA / f"{name}.cpc").read_text()


@pytest.mark.parametrize("name", STORED)
def test_stored_proofs_are_accepted(name: str) -> None:
    checked = check_proof(*texts(name))
    assert checked.assertions == frozenset(range(4))
    assert checked.steps == sum(checked.rules.values()) > 70
    assert {"instantiate", "skolemize", "chain_m_resolution", "scope"} <= set(checked.rules)


def obligation(*assertions: str) -> str:
    return DECLARED + "".join(f"(assert {formula})" for formula in assertions) + "(check-sat)"


def test_a_proof_by_hand() -> None:
    proof = "((assume @a p) (assume @b (not p)) (step @c false :rule contra :premises (@a @b)))"
    checked = check_proof(obligation("p", "q", "(not p)"), proof)
    assert (checked.steps, dict(checked.rules), checked.assertions) == (1, {"contra": 1}, frozenset({0, 2}))


def test_an_assertion_that_is_false_needs_no_step() -> None:
    assert check_proof(obligation("p", "false"), "((assume @a false))").steps == 0


@pytest.mark.parametrize(
    ("proof", "problem"),
    [
        ("()", "a proof without commands"),
        ("((assume @a q))", "@a assumes what the obligation does not assert"),
        ("((assume @a p))", "the proof ends with p, expected false"),
        ("((assume @a p) (assume @a (not p)))", "@a named twice"),
        ("((assume @a p) (step @c :rule contra :premises (@a @b)))", "@c uses @b, expected an earlier step in scope"),
        ("((step @c :rule contra :premises (@c @c)))", "@c uses @c"),
        ("((step @c false :rule trust))", "@c: trust is a hole"),
        ("((step @c false :rule hole))", "hole is a hole"),
        ("((step @c :rule arith_poly_norm :args (p)))", "arith_poly_norm is not a rule of this checker"),
        ("((assume @a p) (step @c false :rule refl :args (p)))", "@c states false, expected (= p p) by refl"),
        ("((assume @a p) (step @c :rule refl :premises (@a) :args (p)))", "1 premise(s), expected 0"),
        ("((assume @a p) (assume @b (not p)) (step @c :rule contra :premises (@b @a)))", "@c by contra"),
        ("((assume-push @a false))", "1 local assumption(s) open"),
        ("((assume-push @a q) (assume @b p))", "assume under a local assumption"),
        (
            "((assume-push @a false) (step @b :rule reordering :premises (@a) :args (false)))",
            "1 local assumption(s) open",
        ),
        ("((assume-push @a false) (step-pop @b :rule scope :premises (@a)))", "ends with (=> false false)"),
        ("((assume @a p) (step-pop @b :rule scope :premises (@a)))", "expected the rule scope"),
        ("((assume-push @a q) (step-pop @b :rule refl :premises (@a)))", "expected the rule scope"),
        ("((assume-push @a q) (step @b :rule scope :premises (@a)))", "scope is not a rule"),
        (
            "((assume-push @a false) (step @b :rule reordering :premises (@a) :args (false)) "
            "(step-pop @c :rule scope :premises (@b)) (step @d :rule reordering :premises (@b) :args (false)))",
            "@d uses @b, expected an earlier step in scope",
        ),
        (
            "((assume-push @a false) (step-pop @c :rule scope :premises (@a)) "
            "(step @d :rule reordering :premises (@a) :args (false)))",
            "@d uses @a, expected an earlier step in scope",
        ),
        (f"((assume-push @a (P {X})))", "a local assumption with a free variable"),
        (f"((assume @a (P {X})))", "assumes what the obligation does not assert"),
    ],
)
def test_wrong_proofs_are_refused(proof: str, problem: str) -> None:
    with pytest.raises(ProofError) as caught:
        check_proof(obligation("p", "(not p)"), proof, file="wrong.cpc")
    assert problem in caught.value.problem
    assert str(caught.value).startswith("wrong.cpc:1:")


def test_generalising_over_a_local_assumption_is_refused() -> None:
    """From P(x) alone one must not conclude that P holds of everything: the classical error with free variables."""
    proof = f"""(
    (assume-push @a (P {X}))
    (step @b :rule true_intro :premises (@a))
    (step @c :rule cong :premises (@b) :args ((forall (@list {X}) (P {X}))))
    (step-pop @d :rule scope :premises (@c)))"""
    with pytest.raises(ProofError, match=r":2:5: a local assumption with a free variable"):
        check_proof(obligation("(exists ((x A)) (P x))", "(not (forall ((x A)) (P x)))"), proof)


def test_a_shadowed_variable_is_another_variable() -> None:
    """(forall x. P(x) => forall x. P(x)) is not what an instance of the inner variable would make of it."""
    text = obligation("(forall ((x A)) (or (P x) (forall ((x A)) (not (P x)))))")
    proof = f"""(
    (assume @a (forall (@list {X}) (or (P {X}) (forall (@list {X}) (not (P {X}))))))
    (define @q () (forall (@list {X}) (P {X})))
    (define @k () (@quantifiers_skolemize @q 0))
    (step @b (or (P @k) (not (P @k))) :rule instantiate :premises (@a) :args ((@list @k))))"""
    with pytest.raises(ProofError, match="@b states"):
        check_proof(text, proof)


def test_errors_in_the_obligation_name_it() -> None:
    with pytest.raises(ProofError, match=r"^mine\.smt2:1:9: "):
        check_proof("(assert p)(check-sat)", "()", obligation_file="mine.smt2")
