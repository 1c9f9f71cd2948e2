"""Is there a schedule that satisfies a formula: the smallest one, a proof that there is none at all, or neither."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

from ..events import Schedule
from ..relations.formulas import Formula
from .features import Features
from .propositional import skeleton
from .prove import Obligation, Proof, prove
from .solvers import answers
from .witness import Bounds, Found, smallest

#: Up to how many events it pays to search before a proof is tried.
QUICK = 6


@dataclass(frozen=True)
class Decision:
    """`verdict` is "found" (then `found.schedule` is a smallest one), "none" (then `proof` shows it for every size), or
    "undecided" for `reason`."""

    verdict: str
    found: Found
    proof: Proof | None = None
    seconds: float = 0.0

    @property
    def schedule(self) -> Schedule | None:
        """The schedule found."""
        return self.found.schedule

    @property
    def reason(self) -> str:
        """Why it is undecided."""
        if self.verdict != "undecided":
            return ""
        return f"{self.found.reason}; {self.proof.reason}" if self.proof is not None else self.found.reason

    @property
    def proved_by(self) -> tuple[str, ...]:
        """The solvers that accept every obligation of the proof."""
        return () if self.proof is None or self.verdict != "none" else solvers_of(self.proof)


def solvers_of(proof: Proof) -> tuple[str, ...]:
    """The solvers that accept every obligation of a proof."""
    if not proof.proved:
        return ()
    names = dict.fromkeys(answer.solver for obligation in proof.obligations for answer in obligation.answers)
    return tuple(
        name
        for name in names
        if all(
            any(answer.solver == name and answer.status == "unsat" for answer in obligation.answers)
            for obligation in proof.obligations
        )
    )


def with_text(proof: Proof, seconds: float) -> Proof:
    """A proof that needed no obligation, because its names contradict each other, with the obligation that says so."""
    if proof.obligations or not proof.proved:
        return proof
    text = skeleton(proof.formula, id=proof.id, statement=proof.statement)
    found = answers(text, seconds, ("z3", "cvc5"))
    lemma = "the named formulas alone contradict each other"
    obligation = Obligation(proof.id, "main", lemma, text, found, "by definition", ())
    status = "proved" if obligation.met else "undecided"
    return replace(proof, obligations=(obligation,), status=status, stage="by definition")


def decide(
    formula: Formula,
    *,
    id: str,
    statement: str,
    bounds: Bounds | None = None,
    features: Features | None = None,
    quick: int = QUICK,
    proof_seconds: float = 5.0,
    seconds: float | None = None,
    solver: str = "z3",
    progress: Callable[[str], None] = lambda text: None,
) -> Decision:
    """Search small schedules, then try a proof, then search the larger ones.

    A proof speaks of all well-formed schedules, so it is tried whatever `features` leaves out. Raises Unfit,
    SolverMissing.
    """
    begun = monotonic()
    bounds = (bounds or Bounds()).checked()

    def search(least: int, events: int) -> Found:
        left = None if seconds is None else max(0.01, seconds - (monotonic() - begun))
        return smallest(
            formula,
            bounds=replace(bounds, least=max(least, bounds.least), events=events),
            features=features,
            solver=solver,
            seconds=left,
            progress=progress,
        )

    first = min(quick, bounds.events)
    found = search(1, first)
    if found.schedules:
        return Decision("found", found, None, monotonic() - begun)
    progress("proving")
    # Half of what is left is for the proof; the rest is for larger schedules.
    half = None if seconds is None else max(0.0, seconds - (monotonic() - begun)) / 2
    proof = prove(formula, id=id, statement=statement, seconds=proof_seconds, deadline=half)
    if proof.proved:
        return Decision("none", found, with_text(proof, proof_seconds), monotonic() - begun)
    left = None if seconds is None else seconds - (monotonic() - begun)
    if not found.gave_up and bounds.events > first and (left is None or left > 0):
        found = search(first + 1, bounds.events)
        if found.schedules:
            return Decision("found", found, None, monotonic() - begun)
    return Decision("undecided", found, proof, monotonic() - begun)
