"""Certificates of bounded obligations: DRAT proofs that a set of clauses has no model.

cadical (python-sat) writes the proof; dratify, in pure Python and of other authors, checks it from two texts alone: the
clauses in DIMACS form and the proof. Both are in the extra ``solvers``. Source: Wetzler, Heule and Hunt, "DRAT-trim",
SAT 2014.

Checking takes longer than solving and grows faster than the proof: about 0.1 s for 2,000 steps over 130 clauses, 2 s
for 14,000 over 200, half a minute for 70,000 over 300.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from .solvers import SolverMissing


class DratError(ValueError):
    """A DIMACS or DRAT text that cannot be read, or a proof that does not show what it should."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A checked refutation: the clauses as DIMACS text, the proof as DRAT text, and what the checker counted."""

    dimacs: str
    drat: str
    checked: DratChecked


@dataclass(frozen=True, slots=True)
class DratChecked:
    """An accepted proof: its clauses, its steps, and how many were shown by unit propagation (RUP) and by RAT."""

    clauses: int
    steps: int
    by_propagation: int
    by_resolution_asymmetry: int


def dimacs_text(clauses: Iterable[Sequence[int]]) -> str:
    """Clauses over variables from 1 as DIMACS text; a clause may be empty. Raises :class:`DratError` at a literal 0."""
    listed = [list(clause) for clause in clauses]
    if any(literal == 0 for clause in listed for literal in clause):
        raise DratError("0 in a clause, expected literals: variables from 1, negative where negated")
    variables = max((abs(literal) for clause in listed for literal in clause), default=0)
    lines = [f"p cnf {variables} {len(listed)}"]
    lines += [" ".join(map(str, [*clause, 0])) for clause in listed]
    return "\n".join(lines) + "\n"


def refute(clauses: Iterable[Sequence[int]]) -> Refutation | None:
    """A checked DRAT refutation of clauses, or None if they have a model.

    There is no time limit. Raises :class:`SolverMissing` without python-sat or dratify, and :class:`DratError` if the
    solver's proof does not pass.
    """
    listed = [list(clause) for clause in clauses]
    dimacs = dimacs_text(listed)
    solvers = _module("pysat.solvers", "python-sat")
    with solvers.Solver(name="cadical195", bootstrap_with=listed, with_proof=True) as solver:
        if solver.solve():
            return None
        steps = [str(step) for step in solver.get_proof() or ()]
    drat = "".join(f"{step}\n" for step in steps)
    return Refutation(dimacs, drat, check_drat(dimacs, drat))


def check_drat(dimacs: str, drat: str) -> DratChecked:
    """Check a DRAT proof that the clauses of a DIMACS text have no model, from the two texts alone.

    Raises :class:`DratError` for a text that is cut short or malformed, or a proof that does not derive the empty
    clause; :class:`SolverMissing` without dratify.
    """
    count = _clauses_in(dimacs)
    dratify = _module("dratify", "dratify")
    try:
        found = dratify.check_proof(dratify.parse_dimacs(dimacs), drat, engine="python")
    except ValueError as error:
        raise DratError(f"the proof cannot be read: {error}") from error
    if not found.ok:
        raise DratError(f"the proof does not show that there is no model: {found.reason}")
    return DratChecked(count, found.steps, found.rup_steps, found.rat_steps)


def _clauses_in(dimacs: str) -> int:
    """How many clauses a DIMACS text has, which its header must say: so that a text cut short is not accepted."""
    header: tuple[int, int] | None = None
    count, largest, ended = 0, 0, True
    for number, line in enumerate(dimacs.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        try:
            if header is None:
                if words[:2] != ["p", "cnf"] or len(words) != 4:
                    raise DratError(
                        f"DIMACS line {number}: {line[:40]!r}, expected the header `p cnf variables clauses`"
                    )
                header = (int(words[2]), int(words[3]))
                continue
            for literal in map(int, words):
                largest, ended = max(largest, abs(literal)), literal == 0
                count += ended
        except ValueError as error:
            raise (
                error
                if isinstance(error, DratError)
                else DratError(f"DIMACS line {number}: {line[:40]!r}, expected integers")
            ) from None
    if header is None or header[1] != count or not ended or largest > header[0]:
        raise DratError(
            f"DIMACS: {count} clause(s) over {largest} variable(s), expected what the header says: {header}"
        )
    return count


def _module(name: str, package: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise SolverMissing(package) from missing
