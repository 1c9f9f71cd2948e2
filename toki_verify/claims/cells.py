"""The cells of a guard map: a phenomenon is excluded at a level, by a proof, or admitted, by a smallest schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ..events import Schedule
from ..levels import Family, Level, families, parse_spec
from ..phenomena.catalogue import Phenomenon, phenomenon
from ..relations.concrete import Concrete
from ..relations.edges import anti_dependency, dependency
from ..relations.formulas import And, Formula, conjuncts, some
from ..relations.terms import number
from ..search.decide import Decision, decide, solvers_of, with_text
from ..search.features import Features
from ..search.prove import Proof, prove
from ..search.witness import Bounds, Found, smallest
from .equational import EquationalProof, prove_equation
from .model import Smallest


@dataclass(frozen=True)
class Cell:
    """`verdict`: "excluded" (by `proofs`, for schedules of every size; `instances` meet their hypotheses),
    "admitted" (by `witness`, a smallest schedule, found for the cell of `smallest`), or "undecided" (`reason`). `level`
    is the specification as asked for, `family` that of a bare one. `seed` is what the seed's guard map says.
    """

    phenomenon: str
    level: str
    family: str
    verdict: str
    proofs: tuple[Proof, ...] = ()
    witness: Schedule | None = None
    reason: str = ""
    seed: bool | None = None
    seconds: float = 0.0
    instances: tuple[tuple[str, tuple[Schedule, ...]], ...] = ()
    smallest: tuple[str, Smallest] | None = None

    @property
    def proved_by(self) -> tuple[str, ...]:
        """The solvers that accept every obligation."""
        accepted = [solvers_of(proof) for proof in self.proofs]
        return tuple(name for name in accepted[0] if all(name in names for names in accepted)) if accepted else ()

    @property
    def agrees(self) -> bool | None:
        """Whether the verdict is the seed's; None where one of the two does not say."""
        if self.seed is None or self.verdict == "undecided":
            return None
        return self.seed is (self.verdict == "excluded")


@dataclass(frozen=True)
class Known:
    """A decision that other cells of the phenomenon may use: the parts of its level, and for which cell it was made."""

    parts: frozenset[int]
    decision: Decision
    id: str
    formula: Formula
    statement: str
    level: Level
    #: That the level is above the one that the proof is about.
    above: Proof | None = None

    @property
    def proofs(self) -> tuple[Proof, ...]:
        """What excludes the phenomenon."""
        return tuple(proof for proof in (self.decision.proof, self.above) if proof is not None)


@dataclass
class Cells:
    """Decides cells, and uses what it has decided: a proof at a level serves every level that asks for more, or that is
    proved to be above it; a smallest schedule is the smallest at a stronger level, too, if it is at that level.
    """

    bounds: Bounds = field(default_factory=Bounds)
    features: Features | None = None
    solver: str = "z3"
    proof_seconds: float = 5.0
    user: Family | None = None
    progress: Callable[[str], None] = lambda text: None
    _known: dict[str, list[Known]] = field(default_factory=dict)
    _instances: dict[int, Schedule | None] = field(default_factory=dict)
    _inclusions: dict[str, Proof | None] = field(default_factory=dict)
    _links: dict[str, Decision] = field(default_factory=dict)
    _searches: dict[str, Found] = field(default_factory=dict)
    _equations: dict[str, EquationalProof] = field(default_factory=dict)

    def level(self, spec: str, family: str) -> Level:
        """The level of a specification. Raises UnknownName."""
        return parse_spec(spec, default=family, user=self.user)

    def equation(self, id: str) -> EquationalProof:
        """What the solvers say of a question of one obligation (`equational.py`). Raises KeyError, SolverMissing."""
        if id not in self._equations:
            self.progress(id)
            self._equations[id] = prove_equation(id, self.proof_seconds)
        return self._equations[id]

    def cell(self, name: str, spec: str, family: str = "graph", seed: bool | None = None) -> Cell:
        """The cell of a phenomenon and a level. Raises UnknownName, SolverMissing."""
        found = phenomenon(name)
        self.progress(f"{found.id} at {spec}")
        place = spec if family == "graph" else f"{family}.{spec}"
        known = self._decide(found, self.level(spec, family), f"{found.id}.{place}")
        decision = known.decision
        verdict = {"found": "admitted", "none": "excluded", "undecided": "undecided"}[decision.verdict]
        reason = decision.reason
        instances = []
        origin = None
        for proof in known.proofs if verdict == "excluded" else ():
            instances.append((proof.id, self.instances(proof)))
            if len(instances[-1][1]) < 2:
                verdict, reason = (
                    "undecided",
                    "the hypotheses of the proof are not known to be satisfiable: it may be vacuous",
                )
        if decision.schedule is not None:
            origin = f"T1.tight.{known.id}", Smallest(decision.schedule, known.formula, known.statement)
        return Cell(
            found.id,
            spec,
            family,
            verdict,
            known.proofs if verdict == "excluded" else (),
            decision.schedule,
            reason,
            seed,
            decision.seconds,
            tuple(instances),
            origin,
        )

    def instances(self, proof: Proof) -> tuple[Schedule, ...]:
        """Schedules that meet the two halves of what a proof shows to be impossible together (vacuity, SEMANTICS §8):
        one with a dependency and an anti-dependency at the level, one that shows the phenomenon. Fewer: none was found.
        """
        formula = proof.formula
        if not isinstance(formula, And):
            return ()
        found = [self._instance(formula.one & some(dependency) & some(anti_dependency)), self._instance(formula.other)]
        return tuple(schedule for schedule in found if schedule is not None)

    def _instance(self, formula: Formula) -> Schedule | None:
        key = number(formula)
        if key not in self._instances:
            self._instances[key] = smallest(formula, bounds=self.bounds, solver=self.solver).schedule
        return self._instances[key]

    def _decide(self, of: Phenomenon, level: Level, id: str) -> Known:
        """The decision, from what is known where that suffices."""
        parts = frozenset(number(part) for part in conjuncts(level.formula))
        known = self._known.setdefault(of.id, [])
        wanted = level.formula & of.formula
        least = 1
        for earlier in known:
            if earlier.parts <= parts:
                decision = earlier.decision
                if decision.verdict == "none":
                    return earlier
                if decision.schedule is not None:
                    if Concrete(decision.schedule).holds(wanted):
                        return earlier
                    least = max(least, len(decision.schedule.events))
        for earlier in known:
            above = self._above(level, earlier.level) if earlier.decision.verdict == "none" else None
            if above is not None:
                known.append(replace(earlier, parts=parts, level=level, above=above))
                return known[-1]
        decision = self._solve(of, level, wanted, id, least)
        known.append(Known(parts, decision, id, wanted, f"{of.id} at {level.id}", level))
        return known[-1]

    def _solve(self, of: Phenomenon, level: Level, wanted: Formula, id: str, least: int) -> Decision:
        return decide(
            wanted,
            id=f"T1.sound.{id}",
            statement=f"no schedule at {level.id} shows {of.id}",
            bounds=replace(self.bounds, least=least),
            features=self.features,
            solver=self.solver,
            proof_seconds=self.proof_seconds,
        )

    def link(self, id: str, formula: Formula, statement: str) -> Decision:
        """Whether every schedule at one level is at another, which no schedule of `formula` would be."""
        if id not in self._links:
            self._links[id] = decide(
                formula,
                id=id,
                statement=statement,
                bounds=self.bounds,
                solver=self.solver,
                proof_seconds=self.proof_seconds,
            )
        return self._links[id]

    def search(self, id: str, formula: Formula, statement: str, bounds: Bounds) -> Found:
        """A smallest schedule within bounds that satisfies a formula; no proof is tried. Asked once per id."""
        if id not in self._searches:
            self.progress(statement)
            self._searches[id] = smallest(formula, bounds=bounds, solver=self.solver)
        return self._searches[id]

    @staticmethod
    def _inclusion(stronger: Level, weaker: Level) -> str | None:
        """The id of the claim that the one level is above the other, where their family says so."""
        known = families().get(stronger.family)
        ids = {level.id for level in known.levels} if known else set()
        if known is None or weaker.family != known.id or not {stronger.id, weaker.id} <= ids:
            return None
        return f"T1.chain.{known.id}.{stronger.id}-{weaker.id}" if weaker.id in known.under(stronger) else None

    def _above(self, stronger: Level, weaker: Level) -> Proof | None:
        """A proof that every schedule at the one level is at the other; asked only where their family says so."""
        key = self._inclusion(stronger, weaker)
        if key is not None and key not in self._inclusions:
            statement = f"every schedule at {stronger.family}:{stronger.id} is at {weaker.family}:{weaker.id}"
            found = prove(stronger.formula & ~weaker.formula, id=key, statement=statement, seconds=self.proof_seconds)
            proof = with_text(found, self.proof_seconds)
            self._inclusions[key] = proof if proof.proved else None
        return None if key is None else self._inclusions[key]
