"""The cells of a guard map: is a phenomenon excluded at a level, by which proof, or admitted, by which smallest schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..events import Schedule
from ..levels import Family, Level, parse_spec
from ..phenomena.catalogue import Phenomenon, phenomenon
from ..relations.concrete import Concrete
from ..relations.formulas import Formula, conjuncts
from ..relations.terms import number
from ..search.decide import Decision, decide, solvers_of
from ..search.features import Features
from ..search.prove import Proof
from ..search.witness import Bounds


@dataclass(frozen=True)
class Cell:
    """`verdict`: "excluded" (by `proof`, for schedules of every size), "admitted" (by `witness`, a smallest schedule), or
    "undecided" (`reason`). `level` is the specification as asked for, `family` that of a bare one. `seed` is what the
    seed's guard map says, where it says something."""

    phenomenon: str
    level: str
    family: str
    verdict: str
    proof: Proof | None = None
    witness: Schedule | None = None
    reason: str = ""
    seed: bool | None = None
    seconds: float = 0.0

    @property
    def proved_by(self) -> tuple[str, ...]:
        """The solvers that accept every obligation."""
        return () if self.proof is None else solvers_of(self.proof)

    @property
    def agrees(self) -> bool | None:
        """Whether the verdict is the seed's; None where one of the two does not say."""
        if self.seed is None or self.verdict == "undecided":
            return None
        return self.seed is (self.verdict == "excluded")


@dataclass
class Cells:
    """Decides cells, and uses what it has decided: a proof at a level serves every level that asks for more, and a
    smallest schedule is the smallest at a stronger level, too, if it is at that level.
    """

    bounds: Bounds = field(default_factory=Bounds)
    features: Features | None = None
    solver: str = "z3"
    proof_seconds: float = 5.0
    user: Family | None = None
    progress: Callable[[str], None] = lambda text: None
    _known: dict[tuple[str, int], list[tuple[frozenset[int], Decision]]] = field(default_factory=dict)

    def level(self, spec: str, family: str) -> Level:
        """The level of a specification. Raises UnknownName."""
        return parse_spec(spec, default=family, user=self.user)

    def cell(self, name: str, spec: str, family: str = "graph", seed: bool | None = None) -> Cell:
        """The cell of a phenomenon and a level. Raises UnknownName, SolverMissing."""
        found = phenomenon(name)
        self.progress(f"{found.id} at {spec}")
        decision = self.decide(found, self.level(spec, family), f"T1.sound.{found.id}.{spec}")
        verdict = {"found": "admitted", "none": "excluded", "undecided": "undecided"}[decision.verdict]
        return Cell(
            found.id, spec, family, verdict, decision.proof, decision.schedule, decision.reason, seed, decision.seconds
        )

    def decide(self, of: Phenomenon, level: Level, id: str) -> Decision:
        """The decision, from what is known where that suffices."""
        parts = frozenset(number(part) for part in conjuncts(level.formula))
        known = self._known.setdefault((of.id, 0), [])
        wanted = level.formula & of.formula
        least = 1
        for assumed, decision in known:
            if assumed <= parts:
                if decision.verdict == "none":
                    return decision
                if decision.schedule is not None:
                    if Concrete(decision.schedule).holds(wanted):
                        return decision
                    least = max(least, len(decision.schedule.events))
        decision = self._decide(wanted, id, f"no schedule at {level.id} shows {of.id}", least)
        known.append((parts, decision))
        return decision

    def _decide(self, wanted: Formula, id: str, statement: str, least: int) -> Decision:
        bounds = Bounds(self.bounds.events, self.bounds.transactions, self.bounds.items, least)
        return decide(
            wanted,
            id=id,
            statement=statement,
            bounds=bounds,
            features=self.features,
            solver=self.solver,
            proof_seconds=self.proof_seconds,
        )


