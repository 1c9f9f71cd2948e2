"""Inputs made to deceive or to exhaust the kernel: each is refused, at a place, in a moment."""

from __future__ import annotations

import pytest

from toki_verify.proofs import ProofError, check_proof
from toki_verify.proofs.cpc import read_proof
from toki_verify.proofs.entailment import entails
from toki_verify.proofs.errors import WorkError
from toki_verify.proofs.kernel import replay
from toki_verify.proofs.sexpr import MAXIMAL_NESTING
from toki_verify.proofs.smtlib_input import read_obligation
from toki_verify.proofs.work import MAXIMAL_WORK, Work

from .cases import arguments, make

HEAD = "(declare-sort S 0)(declare-const c S)"
X = '(@var "x" S)'

CAPTURE = """(
(define @x () (@var "x" S))
(define @in () (exists (@list @x) (not (= @x @x))))
(define @A () (forall (@list @x) @in))
(assume @a @A)
(define @U () (forall (@list @x) (not (not (= @x @x)))))
(step @i :rule instantiate :premises (@a) :args ((@list (@quantifiers_skolemize @U 0))))
(step @e :rule exists-elim :args ((= @in (not @U))))
(step @n (not @U) :rule eq_resolve :premises (@i @e))
(define @sk () (@quantifiers_skolemize @U 0))
(step @s (not (not (not (= @sk @sk)))) :rule skolemize :premises (@n))
(step @r :rule refl :args (@sk))
(step @t :rule not_not_elim :premises (@s))
(step @f false :rule contra :premises (@r @t))
)"""


def refusal(obligation: str, proof: str = "()") -> ProofError:
    with pytest.raises(ProofError) as caught:
        check_proof(obligation, proof, file="a.cpc", obligation_file="a.smt2")
    assert str(caught.value) == f"{caught.value.file}:{caught.value.line}:{caught.value.column}: {caught.value.problem}"
    assert len(str(caught.value)) < 1_000
    return caught.value


def formula(text: str) -> str:
    return f"(set-logic UF)\n(declare-sort S 0)\n(assert {text})\n(check-sat)\n"


def test_let_that_would_capture_is_refused() -> None:
    """Each thing differs from some thing: satisfiable, and provable to be false if the inner x is taken for y."""
    error = refusal(formula("(forall ((x S)) (let ((y x)) (exists ((x S)) (not (= x y)))))"), CAPTURE)
    assert (error.file, error.line, error.column) == ("a.smt2", 3, 25)
    assert "expected a term without let" in error.problem
    error = refusal(formula("(forall ((x S)) (exists ((y S)) (not (= x y))))"), CAPTURE)
    assert "@a assumes what the obligation does not assert" in error.problem


def test_the_proof_of_the_captured_formula_is_a_proof_of_what_that_says() -> None:
    assert check_proof(formula("(forall ((x S)) (exists ((x S)) (not (= x x))))"), CAPTURE).rules["contra"] == 1


def test_annotations_are_refused() -> None:
    assert "without annotations" in refusal(formula("(! false :named c)"), "((assume @a false))").problem


def test_a_definition_means_its_term_under_a_quantifier_too() -> None:
    """A definition with a free variable is an abbreviation: the same object as the term written out."""
    terms = read_obligation(HEAD + "(declare-fun P (S) Bool)(check-sat)").terms
    short = f"((define @p () (P {X})) (define @q () (exists (@list {X}) @p)) (step @s :rule r :args (@p @q)))"
    full = f"((step @s :rule r :args ((P {X}) (exists (@list {X}) (P {X})))))"
    [left], [right] = list(read_proof(short, terms)), list(read_proof(full, terms))
    assert all(one is other for one, other in zip(left.arguments, right.arguments, strict=True))
    assert [bool(argument.free) for argument in left.arguments] == [True, False]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "proof",
    [
        # The obligation says (exists y. y != x) for each x; the definition of "y != x" ends up under a binder of x.
        "((define @n () (not (= @y @x))) (define @e () (exists (@list @x) @n)) (assume @a (forall (@list @x) @e)))",
        # An instance whose value, a definition with the free variable y, would be captured.
        "((assume @a (forall (@list @x) (exists (@list @y) (not (= @x @y))))) (define @v () @y)"
        "(step @i :rule instantiate :premises (@a) :args ((@list @v))))",
        # A local assumption that is open only through a definition.
        "((define @n () (= @x @y)) (assume-push @a @n))",
        # A Skolem term of a formula that is open only through a definition.
        "((define @n () (= @x @y)) (step @a :rule refl :args ((@quantifiers_skolemize (forall (@list @x) @n) 0))))",
    ],
)
def test_definitions_do_not_hide_free_variables(proof: str) -> None:
    variables = f'(define @x () {X})(define @y () (@var "y" S))'
    error = refusal(formula("(forall ((x S)) (exists ((y S)) (not (= x y))))"), "(" + variables + proof[1:])
    assert any(
        found in error.problem for found in ("does not assert", "captured", "with a free variable", "expected a closed")
    )


@pytest.mark.parametrize(
    ("text", "line", "column", "problem"),
    [
        ("(set-logic UF)\n(declare-sort S 0)\n(exit)\n(assert false)\n(check-sat)", 3, 1, "the command exit"),
        ("(set-option :produce-proofs true)\n(assert false)(check-sat)", 1, 1, "the command set-option"),
        ("(assert false)\n(check-sat)\n(exit)", 3, 1, "exit after (check-sat)"),
        ("(assert false)\n(check-sat)\n(check-sat)", 3, 1, "check-sat after (check-sat)"),
        ("(assert true)\n(check-sat)\n(assert false)", 3, 1, "assert after (check-sat)"),
        ("(check-sat)\n(set-info :status sat)", 2, 1, "set-info after (check-sat)"),
        ("(check-sat)\nexit", 2, 1, "not a command"),
        ("(assert false)", 1, 1, "expected (check-sat)"),
        ("(check-sat-assuming (false))", 1, 1, "the command check-sat-assuming"),
        ("(reset-assertions)", 1, 1, "the command reset-assertions"),
        ("(push 1)", 1, 1, "the command push"),
        ("(define-fun f () Bool true)", 1, 1, "the command define-fun"),
        ("(check-sat true)", 1, 1, "the command check-sat in this form"),
        ("(set-logic)", 1, 1, "the command set-logic in this form"),
        ("(set-logic (assert false))", 1, 1, "the command set-logic in this form"),
        ("(set-info (assert false))", 1, 1, "the command set-info in this form"),
    ],
)
def test_other_commands_are_refused(text: str, line: int, column: int, problem: str) -> None:
    error = refusal(text, "((assume @a false))")
    assert (error.file, error.line, error.column) == ("a.smt2", line, column)
    assert problem in error.problem


def test_a_comment_ends_at_a_carriage_return_as_the_standard_says() -> None:
    assert "does not assert" in refusal("; \r(assert true)(check-sat)", "((assume @a false))").problem
    assert len(read_obligation("; comment\r(assert true)\r\n(check-sat)").assertions) == 1


def quantifier_chain(levels: int) -> str:
    lines = ['(define @z () (@var "z" S))', "(define @a0 () (= @z @z))", "(define @b0 () (not (= @z @z)))"]
    for place in range(1, levels):
        lines.append(f'(define @v{place} () (@var "v{place}" S))')
        for name, quantifier in (("a", "forall"), ("b", "exists")):
            body = f"(and @a{place - 1} @b{place - 1})"
            lines.append(f"(define @{name}{place} () ({quantifier} (@list @v{place}) {body}))")
    return "\n".join(lines)


@pytest.mark.parametrize("levels", [24, 99])
def test_shared_parts_under_quantifiers_are_substituted_into_once(levels: int) -> None:
    """Without sharing the time doubles with every level."""
    proof = f"""({quantifier_chain(levels)}
    (assume-push @h (forall (@list @z) @a{levels - 1}))
    (step @i :rule instantiate :premises (@h) :args ((@list c)))
    (step-pop @p :rule scope :premises (@i)))"""
    assert "the proof ends with" in refusal(HEAD + "(check-sat)", proof).problem


def names(mark: str, number: int) -> str:
    return " ".join(f"{mark}{place}" for place in range(number))


def booleans(number: int) -> str:
    return "".join(f"(declare-const p{place} Bool)" for place in range(number)) + "(declare-const q Bool)(check-sat)"


def different_shadows() -> str:
    """Every way to hide some of 60 variables is another instance of the innermost formula: 2^60 of them."""
    lines = [f'(define @v{place} () (@var "v{place}" S))' for place in range(60)]
    lines.append(f"(define @a0 () (distinct {names('@v', 60)}))")
    for place in range(60):
        lines.append(f"(define @a{place + 1} () (and (forall (@list @v{place}) @a{place}) @a{place}))")
    lines.append(f"(assume-push @h (forall (@list {names('@v', 60)}) @a60))")
    lines.append(f"(step @i :rule instantiate :premises (@h) :args ((@list {'c ' * 60})))")
    return f"({' '.join(lines)})"


def long_resolution() -> str:
    """A clause of 3,000 literals, resolved with itself 3,000 times: millions of literals."""
    clause, places = f"(or q (not q) {names('p', 3000)})", 2999
    step = f"((@list {'true ' * places}) (@list {'q ' * places}))"
    return (
        f"((assume-push @c {clause})"
        f"(step @r :rule chain_m_resolution :premises ({'@c ' * (places + 1)}) :args (false {step[1:]}))"
    )


def large_entailments() -> str:
    lines = [f"(define @p () (or {names('p', 2000)}))"]
    lines += [f"(step @s{place} :rule cnf_or_pos :args (@p))" for place in range(2000)]
    return f"({' '.join(lines)})"


def many_free_variables() -> str:
    lines = ["(define @f () true)"]
    for place in range(8000):
        lines.append(f'(define @e{place} () (= c (@var "v{place}" S)))')
        lines.append(f"(define @f{place} () (and @f{place - 1 if place else ''} @e{place}))")
    return f"({' '.join(lines)})"


@pytest.mark.parametrize(
    ("obligation", "proof"),
    [
        (HEAD + "(check-sat)", different_shadows()),
        (booleans(3000), long_resolution()),
        (booleans(2000), large_entailments()),
        (HEAD + "(check-sat)", many_free_variables()),
        (HEAD + "(check-sat)", f"((step @r :rule distinct-elim :args ((= (distinct {'c ' * 20_000}) true))))"),
        (HEAD + "(check-sat)", f"((step @r :rule distinct-false :args ((= (distinct {'c ' * 20_000}) false))))"),
    ],
    ids=["shadows", "resolution", "entailments", "free", "distinct", "distinct-value"],
)
def test_unbounded_work_is_refused(obligation: str, proof: str) -> None:
    error = refusal(obligation, proof)
    assert error.file == "a.cpc"
    assert f"more than {MAXIMAL_WORK} units of work" in error.problem


def test_work_is_counted_for_each_text_anew() -> None:
    obligation = read_obligation("(assert false)(check-sat)")
    assert obligation.terms.work.spent > 0
    totals = []
    for _ in range(2):
        assert len(list(replay(obligation, "((assume @a false))"))) == 1
        totals.append(obligation.terms.work.spent)
    assert totals[0] == totals[1] > 0


def test_the_judge_counts_its_work() -> None:
    _, reader = make()
    left, right = arguments(reader, "(xor p (xor q (xor r s))) (xor (xor p q) (xor r s))")
    assert entails([left], right)  # type: ignore[list-item, arg-type]
    with pytest.raises(WorkError):
        entails([left], right, work=Work(100))  # type: ignore[list-item, arg-type]


def test_many_local_assumptions_take_no_quadratic_time() -> None:
    proof = "".join(f"(assume-push @a{place} true)" for place in range(20_000))
    assert "20000 local assumption(s) open" in refusal("(check-sat)", f"({proof})").problem


def test_nested_quantifiers_are_read_in_linear_time_and_refused() -> None:
    text = "".join(f"(forall ((x{place} S)) " for place in range(20_000)) + "true" + ")" * 20_000
    assert "quantifiers nested more than" in refusal(formula(text)).problem


def test_messages_stay_short() -> None:
    name = "s" * 100_000
    text = f"(declare-sort {name} 0)(declare-const c {name})"
    assert "expected Bool" in refusal(f"{text}(assert (and {'c ' * 10_000}))(check-sat)").problem
    assert "ends with" in refusal(f"{text}(check-sat)", "((step @a :rule refl :args (c)))").problem


DEEP = f"{'(not ' * 200_000}true{')' * 200_000}"


@pytest.mark.parametrize(
    ("obligation", "proof", "file"),
    [
        (f"(assert {DEEP})(check-sat)", "()", "a.smt2"),
        (f"(set-info :source {DEEP})(check-sat)", "()", "a.smt2"),
        ("(check-sat)", f"((assume @a {DEEP}))", "a.cpc"),
        ("(check-sat)", DEEP, "a.cpc"),
        ("(" * 200_000, "()", "a.smt2"),
    ],
)
def test_deep_nesting_is_refused_at_its_place(obligation: str, proof: str, file: str) -> None:
    error = refusal(obligation, proof)
    assert (error.file, error.line) == (file, 1)
    assert f"nested more than {MAXIMAL_NESTING} deep" in error.problem


def test_terms_made_deep_by_definitions_are_no_danger() -> None:
    lines = ["(define @a0 () true)"] + [f"(define @a{place + 1} () (not @a{place}))" for place in range(100_000)]
    proof = f"({''.join(lines)}(step @s :rule evaluate :args (@a100000))(step @t :rule true_elim :premises (@s)))"
    assert "the proof ends with (not (not" in refusal("(check-sat)", proof).problem
