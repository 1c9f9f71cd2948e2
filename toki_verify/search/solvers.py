"""Solvers behind one interface: SMT-LIB text in, an answer with three values out. z3 and cvc5 are imported when asked.

The only module of the unbounded reading that knows a solver. A time limit that is reached is `unknown` with the reason,
never a no.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


class SolverMissing(ImportError):
    """A solver that is not installed; the message names the extra that brings it."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is not installed: pip install 'toki-verify[solvers]'")
        self.name = name

    def __reduce__(self) -> tuple[type[SolverMissing], tuple[str]]:
        """Sent to another process by the name, not by the message."""
        return SolverMissing, (str(self.name),)


@dataclass(frozen=True)
class Answer:
    """What a solver said: `unsat`, `sat` or `unknown`, with its reason where it gave one."""

    status: str
    reason: str
    seconds: float
    solver: str
    version: str


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise SolverMissing(name) from missing


def _answer(solver: str, version: str, seconds: float, run: Callable[[], tuple[str, str]]) -> Answer:
    began = time.perf_counter()
    status, reason = run()
    spent = time.perf_counter() - began
    if status == "unknown" and not reason:
        reason = f"no answer within {seconds:g} s" if spent >= 0.9 * seconds else "incomplete"
    return Answer(status, reason, round(spent, 3), solver, version)


def z3_answer(text: str, seconds: float) -> Answer:
    """What z3 says of an SMT-LIB text within a time. Raises SolverMissing; a text it cannot read raises Z3Exception."""
    z3 = _module("z3")

    def run() -> tuple[str, str]:
        # A context of its own for every question: contexts and global parameters leak.
        context = z3.Context()
        solver = z3.Solver(ctx=context)
        solver.set("timeout", max(1, round(seconds * 1000)))
        solver.from_string(text)
        found = str(solver.check())
        reason = solver.reason_unknown() if found == "unknown" else ""
        return found, _timeout(reason, seconds)

    return _answer("z3", z3.get_version_string(), seconds, run)


def z3_effort(text: str, seconds: float, effort: int = 0) -> int | None:
    """The effort z3 needs to find that a text has no model, in z3's own count of steps; None if it does not find it.

    With `effort`, it gives up after so many steps: unlike a time, that gives the same answer on every machine.
    """
    z3 = _module("z3")
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    solver.set("timeout", max(1, round(seconds * 1000)))
    if effort:
        solver.set("rlimit", effort)
    solver.from_string(text)
    if str(solver.check()) != "unsat":
        return None
    return next((int(value) for name, value in solver.statistics() if name == "rlimit count"), 0)


def cvc5_answer(text: str, seconds: float) -> Answer:
    """What cvc5 says of an SMT-LIB text within a time. Raises SolverMissing."""
    cvc5 = _module("cvc5")

    def run() -> tuple[str, str]:
        terms = cvc5.TermManager()
        solver = cvc5.Solver(terms)
        solver.setOption("enum-inst", "true")
        solver.setOption("tlimit-per", str(max(1, round(seconds * 1000))))
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
        symbols = parser.getSymbolManager()
        said = ""
        while True:
            command = parser.nextCommand()
            if command.isNull():
                break
            said += str(command.invoke(solver, symbols))
        found = said.strip()
        if found not in ("sat", "unsat"):
            return "unknown", "" if found == "unknown" else _timeout(found.removeprefix("unknown"), seconds)
        return found, ""

    return _answer("cvc5", str(getattr(cvc5, "__version__", "")), seconds, run)


def _timeout(reason: str, seconds: float) -> str:
    told = reason.strip().casefold()
    return f"no answer within {seconds:g} s" if told in ("timeout", "canceled", "(timeout)") else reason.strip()


#: Solvers by name, in the order in which they are asked.
SOLVERS: dict[str, Callable[[str, float], Answer]] = {"z3": z3_answer, "cvc5": cvc5_answer}


def answers(text: str, seconds: float, solvers: Sequence[str]) -> tuple[Answer, ...]:
    """What each of the solvers says of a text. Raises ValueError for a name that is none of them, and SolverMissing."""
    for name in solvers:
        if name not in SOLVERS:
            raise ValueError(f"unknown solver {name!r}, expected one of {', '.join(SOLVERS)}")
    return tuple(SOLVERS[name](text, seconds) for name in solvers)
