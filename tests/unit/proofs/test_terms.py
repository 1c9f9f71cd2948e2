"""Terms are kept once, are well-sorted, and are substituted into without capture."""

from __future__ import annotations

import pytest

from toki_verify.proofs.errors import TermError
from toki_verify.proofs.terms import MAXIMAL_BINDERS

from .cases import arguments, make


def test_equal_terms_are_one_object() -> None:
    _, reader = make()
    left, right = arguments(reader, "(and (P (f a)) (= a b)) (and (P (f a)) (= a b))")
    assert left is right


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("(= a k)", "equal sorts"),
        ("(P k)", "P applied to (B), expected (A)"),
        ("(f a b)", "expected (A)"),
        ("(not a)", "expected Bool"),
        ("(and)", "1 argument(s) or more"),
        ("(=> p q r)", "2 argument(s)"),
        ("(distinct a)", "2 argument(s) or more"),
        ("(unknown a)", "not declared"),
        ("(forall (@list x x) (P x))", "twice"),
        ("(forall (@list a) (P a))", "no list of variables"),
        ("(forall @list.nil p)", "no list of variables"),
        ("(forall (@list x) (f x))", "expected Bool"),
        ('(P (@var "x" C))', "not declared"),
        ("(@quantifiers_skolemize (forall (@list x) (Q x y)) 0)", "closed"),
        ("(@quantifiers_skolemize (exists (@list x) (P x)) 0)", "closed"),
        ("(@quantifiers_skolemize (forall (@list x) (P x)) 1)", "variable 1 of 1"),
    ],
)
def test_ill_formed_terms_are_refused_with_their_place(text: str, problem: str) -> None:
    from toki_verify.proofs.errors import ProofError

    _, reader = make()
    with pytest.raises(ProofError) as caught:
        arguments(reader, text)
    assert problem in caught.value.problem
    assert (caught.value.file, caught.value.line) == ("case", 1)


@pytest.mark.parametrize(
    ("text", "variable", "value", "expected"),
    [
        ("(Q x y)", "x", "(f x)", "(Q (f x) y)"),
        ("(forall (@list x) (Q x y))", "x", "a", "(forall (@list x) (Q x y))"),
        ("(forall (@list x) (Q x y))", "y", "a", "(forall (@list x) (Q x a))"),
        ("(and (P x) (forall (@list x) (P x)))", "x", "y", "(and (P y) (forall (@list x) (P x)))"),
    ],
)
def test_only_free_occurrences_are_replaced(text: str, variable: str, value: str, expected: str) -> None:
    terms, reader = make()
    formula, old, new, result = arguments(reader, f"{text} {variable} {value} {expected}")
    assert terms.substitute(formula, {old: new}) is result  # type: ignore[arg-type, dict-item]


def test_capture_is_refused_at_any_depth() -> None:
    terms, reader = make()
    formula, x, y = arguments(reader, "(and p (forall (@list z) (exists (@list y) (Q x y)))) x (f y)")
    with pytest.raises(TermError, match="captured"):
        terms.substitute(formula, {x: y})  # type: ignore[arg-type, dict-item]


def test_replacement_is_simultaneous() -> None:
    terms, reader = make()
    formula, x, y, result = arguments(reader, "(Q x y) x y (Q y x)")
    assert terms.substitute(formula, {x: y, y: x}) is result  # type: ignore[arg-type, dict-item]


def test_deep_terms_need_no_recursion_and_deep_quantifiers_are_refused() -> None:
    terms, reader = make()
    x, a = arguments(reader, "x a")
    deep = x
    for _ in range(20_000):
        deep = terms.apply("f", [deep])  # type: ignore[list-item]
    assert not terms.substitute(deep, {x: a}).free  # type: ignore[arg-type, dict-item]
    assert len(str(deep)) < 1000
    formula = terms.apply("P", [x])  # type: ignore[list-item]
    with pytest.raises(TermError, match=f"more than {MAXIMAL_BINDERS} deep"):
        for place in range(MAXIMAL_BINDERS + 1):
            formula = terms.quantified("forall", [terms.variable(f"v{place}", "A")], formula)
