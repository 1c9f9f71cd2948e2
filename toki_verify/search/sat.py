"""SAT solvers for the bounded reading: z3 or cadical, on the same clauses.

Both are in the extra `solvers`; a missing one is a `SolverMissing` that says so. A time limit gives None, never a no.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from .solvers import SolverMissing

Clauses = Sequence[Sequence[int]]


class SatSolver(Protocol):
    """Clauses over variables from 1; more may be added between calls."""

    def add(self, clause: Sequence[int]) -> None:
        """One more clause."""

    def solve(self, assumptions: Iterable[int] = (), seconds: float | None = None) -> bool | None:
        """Whether there is a model in which the assumptions hold; None after the time limit."""

    def value(self, variable: int) -> bool:
        """The value of a variable in the last model."""


class Z3Solver:
    """z3's solver over the clauses, in a context of its own."""

    def __init__(self, clauses: Clauses, variables: int) -> None:
        self._z3: Any = _module("z3")
        self._context = self._z3.Context()
        self._solver = self._z3.SolverFor("QF_FD", ctx=self._context)
        lines = [f"p cnf {variables} {len(clauses)}"]
        lines += [" ".join(map(str, clause)) + " 0" for clause in clauses]
        self._solver.from_string("\n".join(lines) + "\n")
        self._literals: dict[int, Any] = {}
        self._model: Any = None

    def _literal(self, lit: int) -> Any:
        found = self._literals.get(lit)
        if found is None:
            # The reader of DIMACS names variables by numbers, not by strings.
            z3 = self._z3
            symbol = z3.Z3_mk_int_symbol(self._context.ref(), abs(lit))
            sort = z3.BoolSort(self._context)
            found = z3.BoolRef(z3.Z3_mk_const(self._context.ref(), symbol, sort.ast), self._context)
            found = self._literals[lit] = found if lit > 0 else self._z3.Not(found)
        return found

    def add(self, clause: Sequence[int]) -> None:
        self._solver.add(self._z3.Or(*[self._literal(lit) for lit in clause], self._z3.BoolVal(False, self._context)))

    def solve(self, assumptions: Iterable[int] = (), seconds: float | None = None) -> bool | None:
        self._solver.set("ctrl_c", False)
        self._solver.set("timeout", 2**32 - 2 if seconds is None else max(1, int(seconds * 1000)))
        answer = self._solver.check(*[self._literal(lit) for lit in assumptions])
        if answer == self._z3.sat:
            self._model = self._solver.model()
            return True
        return False if answer == self._z3.unsat else None

    def value(self, variable: int) -> bool:
        return bool(self._z3.is_true(self._model.eval(self._literal(variable), model_completion=True)))


class CadicalSolver:
    """cadical 1.9.5 through python-sat."""

    def __init__(self, clauses: Clauses, variables: int) -> None:
        solvers: Any = _module("pysat.solvers")
        self._solver = solvers.Solver(name="cadical195", bootstrap_with=clauses)
        self._model: list[int] = []

    def add(self, clause: Sequence[int]) -> None:
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Iterable[int] = (), seconds: float | None = None) -> bool | None:
        found: bool | None = self._solver.solve(assumptions=list(assumptions))
        if found:
            self._model = self._solver.get_model()
        return found

    def value(self, variable: int) -> bool:
        return variable <= len(self._model) and self._model[variable - 1] > 0


SOLVERS: dict[str, Callable[[Clauses, int], SatSolver]] = {"z3": Z3Solver, "cadical": CadicalSolver}


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise SolverMissing({"pysat.solvers": "python-sat"}.get(name, name)) from None


__all__ = ["SOLVERS", "CadicalSolver", "SatSolver", "SolverMissing", "Z3Solver"]
