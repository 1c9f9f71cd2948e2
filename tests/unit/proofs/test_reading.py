"""The two readers: positions, the subset, and messages instead of tracebacks."""

from __future__ import annotations

import pytest

from toki_verify.proofs.cpc import read_proof
from toki_verify.proofs.errors import ProofError
from toki_verify.proofs.sexpr import Atom, Group, read
from toki_verify.proofs.smtlib_input import read_obligation

HEAD = "(declare-sort A 0)(declare-fun P (A) Bool)(declare-const a A)"


def test_tokens_carry_line_and_column() -> None:
    [group] = read('(a ; comment (\n  |b c| "x ""y""" |d|)')
    assert isinstance(group, Group)
    assert group.items == [Atom("a", 1, 2), Atom("|b c|", 2, 3), Atom('"x ""y"""', 2, 9), Atom("d", 2, 19)]


def test_nesting_is_not_limited() -> None:
    depth = 50_000
    text = f"(set-logic UF)(assert {'(not ' * depth}true{')' * depth})(check-sat)"
    assert len(read_obligation(text).assertions) == 1


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("(a\n(b)", 1, 1, "'(' without its ')'"),
        ("(a))", 1, 4, "')' without its '('"),
        ('\n "abc', 2, 2, "closing quotation mark"),
        ("|abc", 1, 1, "closing bar"),
    ],
)
def test_broken_text_has_a_place(text: str, line: int, column: int, problem: str) -> None:
    with pytest.raises(ProofError) as caught:
        read(text, "broken.cpc")
    error = caught.value
    assert (error.file, error.line, error.column) == ("broken.cpc", line, column)
    assert problem in error.problem
    assert str(error).startswith(f"broken.cpc:{line}:{column}: ")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "expected (check-sat)"),
        (HEAD, "expected (check-sat)"),
        ("check-sat", "not a command"),
        ("()", "not a command"),
        ("(push 1)", "not in the subset"),
        ("(define-fun f () Bool true)", "not in the subset"),
        ("(check-sat)(assert true)", "after (check-sat)"),
        ("(check-sat)(check-sat)", "after (check-sat)"),
        ("(declare-sort A 1)", "arity 0"),
        ("(declare-sort A 0)(declare-sort A 0)", "declared twice"),
        ("(declare-sort Bool 0)", "declared twice"),
        ("(declare-const and Bool)", "no name for a declared symbol"),
        ("(declare-const @t Bool)", "no name for a declared symbol"),
        ("(declare-const a B)", "expected a declared sort"),
        (f"{HEAD}(assert a)", "expected Bool"),
        (f"{HEAD}(assert (P b))", "not declared"),
        (f"{HEAD}(assert (forall ((x A) (x A)) (P x)))", "bound twice"),
        (f"{HEAD}(assert (forall () (P a)))", "expected ((name item)"),
        (f"{HEAD}(assert (forall ((x A))))", "without its list of variables"),
        (f"{HEAD}(assert (forall ((x B)) true))", "expected a declared sort"),
        (f"{HEAD}(assert (forall ((P A)) (P P)))", "applied as a function"),
        (f"{HEAD}(assert ((P a)))", "without a symbol at its head"),
        (f"{HEAD}(assert (let ((x a)) (P x)))", "expected a term without let"),
        (f"{HEAD}(assert (= a a a))", "2 argument(s)"),
    ],
)
def test_obligations_outside_the_subset_are_refused(text: str, problem: str) -> None:
    with pytest.raises(ProofError) as caught:
        read_obligation(text, file="o.smt2")
    assert problem in caught.value.problem
    assert caught.value.file == "o.smt2"


def test_the_scopes_of_quantifiers_end() -> None:
    text = f"""{HEAD}
    (assert (and (forall ((a A)) (exists ((a A) (b A)) (= a b))) (P a)))
    (check-sat)"""
    [formula] = read_obligation(text).assertions
    quantified, constant = formula.arguments
    assert not formula.free
    assert quantified.bound == (quantified.arguments[0].bound[0],)
    assert [argument.kind for argument in constant.arguments] == ["symbol"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "0 expressions"),
        ("(a) (b)", "2 expressions"),
        ("((step))", "not a command"),
        ("(step @p1 :rule refl)", "not a command"),
        ("((frobnicate x y))", "expected a command of CPC"),
        ("((declare-sort B 0))", "expected a sort the obligation declares"),
        ("((declare-const P (-> A A Bool)))", "otherwise than in the obligation"),
        ("((declare-const b A))", "otherwise than in the obligation"),
        ("((declare-const a (-> A)))", "otherwise than in the obligation"),
        ("((define x () true))", "starts with @"),
        ("((define @t () true) (define @t () false))", "expected a new name"),
        ("((define @t (x) true))", "expected a command of CPC"),
        ("((assume @p a))", "expected a formula"),
        ("((assume @p @t1))", "not declared"),
        ("((step @p :rule refl :args))", "not complete"),
        ("((step @p :args (a)))", "not complete"),
        ("((step @p :rule refl :rule refl))", "each once"),
        ("((step @p :rule refl :premises x))", "expected a list"),
        ("((step @p :rule refl :premises ((x))))", "expected the name of a premise"),
        ("((step @p :rule refl :args ((forall a true))))", "of another form"),
        ("((step @p :rule refl :args ((@quantifiers_skolemize 1 2))))", "of another form"),
        ("((step @p :rule refl :args ((P 1))))", "of another form"),
        ("((step @p :rule refl :args ((@var x A))))", "of another form"),
    ],
)
def test_broken_proofs_are_refused(text: str, problem: str) -> None:
    terms = read_obligation(HEAD + "(check-sat)").terms
    with pytest.raises(ProofError) as caught:
        list(read_proof(text, terms, file="p.cpc"))
    assert problem in caught.value.problem
    assert caught.value.file == "p.cpc"
