"""The obligations of the invariants of logging disciplines (`bridge.log_invariants`), each with an id of its own.

Their proofs are kept like those about carriers (`equational.py`). The hypotheses of one are the invariant and a
transition: that they can be met is shown by a model, which z3 finds of all but the last assertion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..bridge.log_invariants import arguments
from ..search.solvers import z3_answer

#: What is said of hypotheses of which z3 finds a model.
A_MODEL: Final = "a model that z3 finds"
SECONDS: Final = 10.0


@dataclass(frozen=True)
class LogQuestion:
    """An obligation of the invariant `argument`; its text must have no model."""

    id: str
    argument: str
    obligation: str
    text: str
    hypotheses: tuple[str, ...] = ()

    @property
    def statement(self) -> str:
        """What is shown, in words."""
        return f"the invariant '{self.argument}' of logging disciplines: {self.obligation}"

    @property
    def hypotheses_text(self) -> str:
        """The text without its last assertion, which denies what is to be shown."""
        *lines, last, check = self.text.rstrip().split("\n")
        if not last.startswith("(assert ") or check != "(check-sat)":
            raise ValueError(f"{self.id} does not end with an assertion")
        return "\n".join([*lines, check, ""])


def met(question: LogQuestion) -> tuple[str, ...]:
    """Where the hypotheses of a question hold: in a model, or nowhere that is known. Raises SolverMissing."""
    return (A_MODEL,) if z3_answer(question.hypotheses_text, SECONDS).status == "sat" else ()


def _questions() -> Mapping[str, LogQuestion]:
    found = {}
    for name, argument in arguments().items():
        for number, (obligation, text) in enumerate(argument.obligations.items(), 1):
            id = f"log.{name.replace(' ', '-')}.{number}"
            found[id] = LogQuestion(id, name, obligation, text)
    return found


LOG_QUESTIONS: Final[Mapping[str, LogQuestion]] = _questions()
