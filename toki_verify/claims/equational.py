"""Proofs from axioms that are one obligation each: about carriers, for every K and not only those that are shipped, and
about the invariants of logging disciplines (`log_questions.py`).

A question of `semiring_axioms` is one text, which z3 and cvc5 answer; our kernel checks its certificate, like any other
(`files.py`, `recheck.py`). It says something only where its hypotheses can be met: `models` are carriers in which they
all hold, found by evaluating the very statements (`semiring_models.py`), two of them at least, one of them finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ..search.solvers import Answer, answers
from .log_questions import A_MODEL, LOG_QUESTIONS, LogQuestion, met
from .semiring_axioms import QUESTIONS, Question
from .semiring_models import FINITE, models_of

SOLVERS = ("z3", "cvc5")
#: Models that a proof needs, so that it is not about one carrier alone.
LEAST_MODELS = 2


@dataclass(frozen=True)
class EquationalProof:
    """A statement with its hypotheses: the obligation, what solvers say, and where it is no empty statement."""

    id: str
    statement: str
    hypotheses: tuple[str, ...]
    text: str
    answers: tuple[Answer, ...]
    models: tuple[str, ...]

    @property
    def proved(self) -> bool:
        """Whether every solver found that there is no model, and the hypotheses can be met (once of all elements)."""
        return bool(self.answers) and all(answer.status == "unsat" for answer in self.answers) and self.meetable

    @property
    def meetable(self) -> bool:
        """Whether its hypotheses hold somewhere: of carriers in two at least, one of them finite."""
        if self.id in LOG_QUESTIONS:
            return self.models == (A_MODEL,)
        return len(self.models) >= LEAST_MODELS and not FINITE.isdisjoint(self.models)


def question_of(id: str) -> Question | LogQuestion | None:
    """The question of an id, None where there is none."""
    return QUESTIONS.get(id) or LOG_QUESTIONS.get(id)


@cache
def _models(question: Question | LogQuestion) -> tuple[str, ...]:
    return met(question) if isinstance(question, LogQuestion) else models_of(question)


def with_answers(id: str, said: Sequence[Answer], models: Sequence[str] | None = None) -> EquationalProof:
    """The proof of a question by its id, given what solvers say of its text, and where its hypotheses are known to
    hold, if that is. Raises KeyError for no such id."""
    question = question_of(id)
    if question is None:
        raise KeyError(id)
    where = _models(question) if models is None else tuple(models)
    return EquationalProof(id, question.statement, question.hypotheses, question.text, tuple(said), where)


def prove_equation(id: str, seconds: float = 10.0, solvers: Sequence[str] = SOLVERS) -> EquationalProof:
    """Ask every solver about a question. Raises KeyError, SolverMissing."""
    question = question_of(id)
    if question is None:
        raise KeyError(id)
    return with_answers(id, answers(question.text, seconds, solvers))
