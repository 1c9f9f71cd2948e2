"""Solvers behind one interface: SMT-LIB text in, an answer with three values out. z3 and cvc5 are imported when asked.

The only module of the unbounded reading that knows a solver. A time limit that is reached is `unknown` with the reason,
never a no.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

#: What a reason begins with where a text is not what a solver reads: a fault of the text, and no answer.
UNREAD = "could not read the obligation: "


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


class Unreadable(ValueError):
    """A text that a solver cannot read, with the answer that says so."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.reason)
        self.answer = answer


class Left(Protocol):
    """Something that knows how many seconds are left."""

    @property
    def left(self) -> float:
        """Seconds that are left."""


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
    """What z3 says of an SMT-LIB text within a time; of a text it cannot read, `unknown`. Raises SolverMissing."""
    z3 = _module("z3")

    def run() -> tuple[str, str]:
        try:
            solver = _z3_solver(z3, text, seconds)
        except z3.Z3Exception as fault:
            return "unknown", _unread(fault)
        found = str(solver.check())
        reason = solver.reason_unknown() if found == "unknown" else ""
        return found, _timeout(reason, seconds)

    return _answer("z3", z3.get_version_string(), seconds, run)


def _z3_solver(z3: Any, text: str, seconds: float) -> Any:
    # A context of its own for every question: contexts and global parameters leak.
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", max(1, round(seconds * 1000)))
    # Ctrl-C is for Python: z3 would take it for "give up this question", and the next one would be asked.
    solver.set("ctrl_c", False)
    solver.from_string(text)
    return solver


def _unread(fault: Exception) -> str:
    said = fault.args[0] if fault.args else ""
    words = " ".join((said.decode(errors="replace") if isinstance(said, bytes) else str(said)).split())
    return f"{UNREAD}{words[:160]}"


def z3_effort(text: str, seconds: float, effort: int = 0) -> int | None:
    """The effort z3 needs to find that a text has no model, in z3's own count of steps; None if it does not find it.

    With `effort`, it gives up after so many steps: unlike a time, that gives the same answer on every machine. Raises
    Unreadable, SolverMissing.
    """
    z3 = _module("z3")
    try:
        solver = _z3_solver(z3, text, seconds)
    except z3.Z3Exception as fault:
        raise Unreadable(Answer("unknown", _unread(fault), 0.0, "z3", z3.get_version_string())) from None
    if effort:
        solver.set("rlimit", effort)
    if str(solver.check()) != "unsat":
        return None
    return next((int(value) for name, value in solver.statistics() if name == "rlimit count"), 0)


def cvc5_answer(text: str, seconds: float) -> Answer:
    """What cvc5 says of an SMT-LIB text within a time; of a text it cannot read, `unknown`. Raises SolverMissing."""
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
            try:
                command = parser.nextCommand()
                if command.isNull():
                    break
                said += str(command.invoke(solver, symbols))
            except RuntimeError as fault:  # what its binding raises, of a parser, too
                return "unknown", _unread(fault)
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


def answers(text: str, seconds: float, solvers: Sequence[str], clock: Left | None = None) -> tuple[Answer, ...]:
    """What each of the solvers says of a text, within so many seconds each and within what a clock has left.

    Raises ValueError for a name that is none of them, and SolverMissing.
    """
    for name in solvers:
        if name not in SOLVERS:
            raise ValueError(f"unknown solver {name!r}, expected one of {', '.join(SOLVERS)}")
    return tuple(SOLVERS[name](text, seconds if clock is None else min(seconds, clock.left)) for name in solvers)
