"""Which levels imply which: every arrow proved for schedules of every size, every non-arrow shown by a schedule.

An arrow that follows from two others is not proved again; a schedule that was found for one pair of levels answers
every other pair that it tells apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..events import Schedule
from ..levels import Level
from ..relations.concrete import Concrete
from ..relations.formulas import Named, named
from .decide import decide, solvers_of
from .features import Features
from .prove import Proof
from .witness import Bounds


@dataclass(frozen=True)
class Relation:
    """Whether every schedule at `stronger` is at `weaker`. `verdict`: "implies" (by `proof`, or through the level
    `through`), "not" (by `witness`), or "undecided" (`reason`)."""

    stronger: str
    weaker: str
    verdict: str
    proved_by: tuple[str, ...] = ()
    through: str = ""
    witness: Schedule | None = None
    reason: str = ""
    proof: Proof | None = None


@dataclass
class Hierarchy:
    """Levels by their full names, and how each pair is related."""

    levels: dict[str, Level]
    relations: dict[tuple[str, str], Relation] = field(default_factory=dict)

    def implies(self, stronger: str, weaker: str) -> bool:
        """Whether it is proved that every schedule at the one is at the other."""
        return stronger == weaker or self.relations[stronger, weaker].verdict == "implies"

    def undecided(self) -> list[Relation]:
        """The pairs that neither a proof nor a schedule decides."""
        return [relation for relation in self.relations.values() if relation.verdict == "undecided"]

    def follows(self, relation: Relation) -> bool:
        """Whether another non-arrow says more: its schedule is at a stronger level, or not even at a weaker one."""
        heads = [found[0] for found in self.equal()]
        return any(
            self.implies(one, relation.stronger) and self.implies(relation.weaker, other)
            for one in heads
            for other in heads
            if (one, other) != (relation.stronger, relation.weaker)
            and one != other
            and self.relations[one, other].verdict == "not"
        )

    def equal(self) -> list[list[str]]:
        """The classes of levels that have the same schedules, in the order of the levels."""
        classes: list[list[str]] = []
        for name in self.levels:
            for found in classes:
                if self.implies(name, found[0]) and self.implies(found[0], name):
                    found.append(name)
                    break
            else:
                classes.append([name])
        return classes

    def covers(self) -> list[tuple[str, str]]:
        """The arrows between classes that do not follow from others: stronger, weaker."""
        heads = [found[0] for found in self.equal()]
        above = {(a, b) for a in heads for b in heads if a != b and self.implies(a, b)}
        return [(a, b) for a, b in sorted(above) if not any((a, c) in above and (c, b) in above for c in heads)]


def compare(
    levels: list[Level],
    bounds: Bounds | None = None,
    features: Features | None = None,
    solver: str = "z3",
    progress: Callable[[str], None] = lambda text: None,
) -> Hierarchy:
    """Decide every ordered pair of levels. Raises Unfit, SolverMissing."""
    out = Hierarchy({f"{level.family}:{level.id}": level for level in levels})
    pool: list[tuple[Schedule, set[str]]] = []
    pairs = [(a, b) for a in out.levels for b in out.levels if a != b]
    # Pairs whose formulas say so themselves come first: what they prove, others follow from.
    pairs.sort(key=lambda pair: not _part_of(out.levels[pair[1]], out.levels[pair[0]]))
    for place, (one, other) in enumerate(pairs):
        progress(f"{place + 1} of {len(pairs)}: {one} and {other}")
        if (one, other) in out.relations:
            continue
        told = next((schedule for schedule, at in pool if one in at and other not in at), None)
        if told is not None:
            out.relations[one, other] = Relation(one, other, "not", witness=told)
            continue
        decision = decide(
            out.levels[one].formula & ~out.levels[other].formula,
            id=f"{one}-implies-{other}",
            statement=f"every schedule at {one} is at {other}",
            bounds=bounds,
            features=features,
            quick=5,
            solver=solver,
        )
        if decision.schedule is not None:
            concrete = Concrete(decision.schedule)
            pool.append(
                (decision.schedule, {name for name, level in out.levels.items() if concrete.holds(level.formula)})
            )
            out.relations[one, other] = Relation(one, other, "not", witness=decision.schedule)
        elif decision.proof is not None and decision.verdict == "none":
            proof = decision.proof
            out.relations[one, other] = Relation(one, other, "implies", solvers_of(proof), proof=proof)
            _close(out)
        else:
            out.relations[one, other] = Relation(one, other, "undecided", reason=decision.reason)
    return out


def _part_of(part: Level, whole: Level) -> bool:
    return set(named(part.formula)) <= set(named(whole.formula)) and isinstance(part.formula, Named) is False


def _close(out: Hierarchy) -> None:
    """Arrows that follow from those that are known."""
    known = {pair for pair, relation in out.relations.items() if relation.verdict == "implies"}
    grown = True
    while grown:
        grown = False
        for a, b in list(known):
            for c, d in list(known):
                if b == c and a != d and (a, d) not in known:
                    known.add((a, d))
                    out.relations[a, d] = Relation(a, d, "implies", through=b)
                    grown = True
