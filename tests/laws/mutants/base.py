"""What a mutant is: something that the reference does right, done wrong in one way, and the law that must notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from toki_verify.testing import LawBroken
from toki_verify.testing.suite import Suite

_SETTINGS = {
    "derandomize": True,
    "database": None,
    "deadline": None,
    "phases": [Phase.explicit, Phase.generate],
    "suppress_health_check": list(HealthCheck),
    "report_multiple_bugs": False,
}
#: Several times what the mutant that is hardest to notice needs; most need a few.
QUICK = settings(max_examples=400, **_SETTINGS)
MACHINE = settings(max_examples=2_000, stateful_step_count=12, **_SETTINGS)


@dataclass(frozen=True)
class Mutant:
    """`broken` says what is wrong. `make` gives the test class of a suite, or a state machine that checks the law."""

    name: str
    broken: str
    suite: str
    law: str
    make: Callable[[], Any]

    def caught(self) -> LawBroken | None:
        """The failure of the law on this mutant; None where it passes. Nothing but a broken law is caught."""
        made = self.make()
        try:
            if issubclass(made, Suite):
                made.check(self.law, QUICK)
            else:
                run_state_machine_as_test(made, settings=MACHINE)
        except LawBroken as broken:
            return broken
        return None
