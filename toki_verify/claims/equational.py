"""Proofs about carriers from the axioms of commutative semirings: for every K, not only those that are shipped.

A question of `semiring_axioms` is one text, which z3 and cvc5 answer; our kernel checks its certificate, like any other
(`files.py`, `recheck.py`). It says something only where its hypotheses can be met: `models` are carriers in which they
all hold, found by evaluating the very statements (`semiring_models.py`), two of them at least, one of them finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ..search.solvers import Answer, answers
from .semiring_axioms import QUESTIONS, Question
from .semiring_models import FINITE, models_of

SOLVERS = ("z3", "cvc5")
#: Models that a proof needs, so that it is not about one carrier alone.
LEAST_MODELS = 2


@dataclass(frozen=True)
class EquationalProof:
    """A statement about every carrier with its hypotheses: the obligation, what solvers say, and where it is no empty
    statement."""

    id: str
    statement: str
    hypotheses: tuple[str, ...]
    text: str
    answers: tuple[Answer, ...]
    models: tuple[str, ...]

    @property
    def proved(self) -> bool:
        """Whether every solver found that there is no model, and the hypotheses can be met (once of all elements)."""
        unsat = bool(self.answers) and all(answer.status == "unsat" for answer in self.answers)
        return unsat and len(self.models) >= LEAST_MODELS and not FINITE.isdisjoint(self.models)


@cache
def _models(question: Question) -> tuple[str, ...]:
    return models_of(question)


def with_answers(id: str, said: Sequence[Answer]) -> EquationalProof:
    """The proof of a question by its id, given what solvers say of its text. Raises KeyError for no such id."""
    question = QUESTIONS[id]
    return EquationalProof(id, question.statement, question.hypotheses, question.text, tuple(said), _models(question))


def prove_equation(id: str, seconds: float = 10.0, solvers: Sequence[str] = SOLVERS) -> EquationalProof:
    """Ask every solver about a question. Raises KeyError, SolverMissing."""
    return with_answers(id, answers(QUESTIONS[id].text, seconds, solvers))
