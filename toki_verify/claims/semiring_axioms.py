"""The axioms of carriers and what is proved from them, as first-order statements over elements of any K.

Source: Green, Karvounarakis, Tannen 2007, §3; Golan 1999. The natural order is written out wherever it stands: a ⪯ b is
∃d. a ⊕ d = b. That it is antisymmetric, which makes K "naturally ordered", is a hypothesis of its own: rings are
semirings without it. A question has only the hypotheses that it needs, so it says what it rests on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..relations.firstorder import (
    Application,
    Expression,
    Statement,
    Variable,
    conjunction,
    disjunction,
    equal,
    exists,
    for_all,
    implication,
    negation,
)
from ..relations.structure import Hypothesis
from ..search.smtlib import script

K: Final = "K"
A, B, C, D = (Variable(name, K) for name in "abcd")
ZERO, ONE = Application("zero", (), K), Application("one", (), K)


def plus(left: Expression, right: Expression, sort: str = K) -> Application:
    """left ⊕ right."""
    return Application("plus" if sort == K else f"plus-{sort}", (left, right), sort)


def below(left: Expression, right: Expression, sort: str = K) -> Statement:
    """left ⪯ right, written out."""
    rest = Variable("rest", sort)
    return exists((rest,), equal(plus(left, rest, sort), right))


def _image(of: Expression) -> Application:
    return Application("h", (of,), "L")


#: What may be assumed of a carrier, by name: in words, and as a statement.
AXIOMS: Final[Mapping[str, tuple[str, Statement]]] = {
    "plus-associative": (
        "(a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)",
        for_all((A, B, C), equal(plus(plus(A, B), C), plus(A, plus(B, C)))),
    ),
    "plus-commutative": ("a ⊕ b = b ⊕ a", for_all((A, B), equal(plus(A, B), plus(B, A)))),
    "plus-identity": ("a ⊕ 0 = a", for_all((A,), equal(plus(A, ZERO), A))),
    "order-antisymmetric": (
        "a ⪯ b and b ⪯ a imply a = b (K is naturally ordered)",
        for_all((A, B), implication(conjunction((below(A, B), below(B, A))), equal(A, B))),
    ),
    "nontrivial": ("1 ≠ 0", negation(equal(ONE, ZERO))),
    "plus-idempotent": ("a ⊕ a = a", for_all((A,), equal(plus(A, A), A))),
    "a-third-element": (
        "there is an element other than 0 and 1",
        exists((A,), conjunction((negation(equal(A, ZERO)), negation(equal(A, ONE))))),
    ),
    "no-third-element": ("every element is 0 or 1", for_all((A,), disjunction((equal(A, ZERO), equal(A, ONE))))),
    "additive-map": (
        "h maps K to L with h(a ⊕ b) = h(a) ⊕ h(b)",
        for_all((A, B), equal(_image(plus(A, B)), plus(_image(A), _image(B), "L"))),
    ),
}


@dataclass(frozen=True)
class Question:
    """A statement about every carrier of which the hypotheses hold; `conclusion` is it, `words` says it."""

    id: str
    words: str
    hypotheses: tuple[str, ...]
    conclusion: Statement

    @property
    def statement(self) -> str:
        """The statement with its hypotheses, in words."""
        given = "; ".join(AXIOMS[name][0] for name in self.hypotheses)
        return f"{self.words} (from: {given or 'nothing'})"

    @property
    def text(self) -> str:
        """The obligation: whether the hypotheses and the denied conclusion have a model, as SMT-LIB."""
        assumed = [Hypothesis(AXIOMS[name][1], f"{name}: {AXIOMS[name][0]}", name) for name in self.hypotheses]
        denied = Hypothesis(negation(self.conclusion), f"denied: {self.words}")
        return script([*assumed, denied], (self.id, f"statement: {self.statement}"))


def _both(one: Statement, other: Statement) -> Statement:
    return conjunction((one, other))


_NONZERO = _both(negation(equal(A, ZERO)), negation(equal(B, ZERO)))
_ERASED_PAIR = exists((A, B), _both(_NONZERO, negation(below(A, B))))
_OTHER_SUMMAND = exists((C, D), _both(equal(plus(C, D), plus(A, B)), negation(equal(C, A))))

_ALL: Final = (
    Question(
        "semiring.dominates-loser",
        "b ⪯ a ⊕ b: an audit tuple dominates its loser",
        ("plus-commutative",),
        for_all((A, B), below(B, plus(A, B))),
    ),
    Question("semiring.dominates-winner", "a ⪯ a ⊕ b: and its winner", (), for_all((A, B), below(A, plus(A, B)))),
    Question(
        "semiring.sum-step",
        "a ⪯ b implies a ⪯ b ⊕ c: what is below a sum stays below it when a member is added (step of the induction "
        "over n-ary sums and over chains of operators)",
        ("plus-associative",),
        for_all((A, B, C), implication(below(A, B), below(A, plus(B, C)))),
    ),
    Question(
        "semiring.order-transitive",
        "a ⪯ b and b ⪯ c imply a ⪯ c",
        ("plus-associative",),
        for_all((A, B, C), implication(_both(below(A, B), below(B, C)), below(A, C))),
    ),
    Question(
        "semiring.one-not-below-zero",
        "not 1 ⪯ 0",
        ("plus-commutative", "plus-identity", "order-antisymmetric", "nontrivial"),
        negation(below(ONE, ZERO)),
    ),
    Question(
        "semiring.pair-of-nonzero",
        "some nonzero a and b have not a ⪯ b",
        ("order-antisymmetric", "nontrivial", "a-third-element"),
        _ERASED_PAIR,
    ),
    Question(
        "semiring.no-pair-in-two",
        "no nonzero a and b have not a ⪯ b",
        ("plus-identity", "no-third-element"),
        negation(_ERASED_PAIR),
    ),
    Question(
        "semiring.homomorphism-preserves",
        "a ⪯ b implies h(a) ⪯ h(b)",
        ("additive-map",),
        for_all((A, B), implication(below(A, B), below(_image(A), _image(B), "L"))),
    ),
    Question(
        "semiring.sum-forgets",
        "a ≠ b implies that a ⊕ b has a summand other than a: a is no function of the sum alone",
        ("plus-commutative",),
        for_all((A, B), implication(negation(equal(A, B)), _OTHER_SUMMAND)),
    ),
    Question(
        "semiring.idempotent-forgets",
        "some a and b are two, and a ⊕ c = b ⊕ c for some c: a is no function of the sum and the other summand",
        ("plus-commutative", "plus-identity", "plus-idempotent", "nontrivial"),
        exists((A, B, C), _both(negation(equal(A, B)), equal(plus(A, C), plus(B, C)))),
    ),
)

QUESTIONS: Final[Mapping[str, Question]] = {question.id: question for question in _ALL}
