"""Joins of preconditions against sets of schedules (TOKI 2026, Lemma 2, Appendix B.4): L2.join.

"The join is exactly the precondition of the composite" speaks of schedules: those that satisfy both preconditions are
those that satisfy the join, and no element of L that is not above the join will do. That is true where the order of L
is the inclusion of schedule sets (T1.chain), and not otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..algebra import OPERATORS, Precondition
from ..algebra.pipeline import PolicyTreatment, precondition
from ..algebra.preconditions import ISO
from ..events import Schedule
from ..levels import families, parse_spec
from ..relations.concrete import Concrete
from ..search.census import Alphabet, census
from . import theorem_1
from .cells import Cells
from .composition_grid import TREATMENTS
from .current import STANDS
from .model import Claim, Outcome

_CENSUS: Final = (
    (5, Alphabet(transactions=2, items=2)),
    (4, Alphabet(transactions=2, items=2, predicates=True)),
    (4, Alphabet(transactions=2, items=1, callbacks=True)),
)
#: SI and SR part at six events; larger censuses have nothing else to say.
_WRITE_SKEW: Final = "r1[x0] r2[y0] w1[y1] w2[x1] c1 c2"
BOUND = (
    "every complete schedule of two transactions: 5 events over two items, 4 with a predicate, 4 with callbacks; and "
    "the "
    "write skew of 6 events"
)
#: Whether a schedule is at RC, SI, SR of a family, and keeps the callback boundary.
Flags = tuple[bool, bool, bool, bool]
LATTICE: Final = tuple(Precondition(iso, cb) for cb in (False, True) for iso in ISO)
EVERY_PAIR: Final = [(one, other) for one in LATTICE for other in LATTICE]


def _schedules() -> Iterator[Schedule]:
    for size, alphabet in _CENSUS:
        yield from census(size, alphabet, complete=True)
    yield Schedule.parse(_WRITE_SKEW)


@cache
def kinds() -> dict[str, dict[Flags, Schedule]]:
    """Per family the combinations of levels that schedules have, each with a smallest schedule that has it."""
    formulas = {family: [families()[family].level(name).formula for name in STANDS[family]] for family in STANDS}
    callback = parse_spec("cb").formula
    found: dict[str, dict[Flags, Schedule]] = {family: {} for family in STANDS}
    for schedule in _schedules():
        concrete = Concrete(schedule)
        cb = concrete.holds(callback) is True
        for family, (rc, si, sr) in formulas.items():
            flags = (concrete.holds(rc) is True, concrete.holds(si) is True, concrete.holds(sr) is True, cb)
            known = found[family].get(flags)
            if known is None or len(schedule.events) < len(known.events):
                found[family][flags] = schedule
    return found


def satisfies(flags: Flags, element: Precondition) -> bool:
    """Whether a schedule satisfies an element of L."""
    return flags[ISO.index(element.iso)] and (flags[3] or not element.cb)


@dataclass(frozen=True)
class Differing:
    """A schedule that satisfies both of two elements and not their join, or the other way round."""

    one: Precondition
    other: Precondition
    schedule: Schedule
    both: bool

    def __str__(self) -> str:
        join = self.one.join(self.other).level
        has, lacks = f"{self.one.level} and {self.other.level}", f"their join {join}"
        return f"{self.schedule} satisfies {has if self.both else lacks}, not {lacks if self.both else has}"


def differing(family: str, pairs: list[tuple[Precondition, Precondition]]) -> list[Differing]:
    """Where 'both' and 'the join' are not the same set of schedules, smaller schedules first."""
    found = []
    for one, other in pairs:
        for flags, schedule in kinds()[family].items():
            both = satisfies(flags, one) and satisfies(flags, other)
            if both != satisfies(flags, one.join(other)):
                found.append(Differing(one, other, schedule, both))
    return sorted(found, key=lambda each: len(each.schedule.events))


def needless(family: str, pairs: list[tuple[Precondition, Precondition]]) -> list[str]:
    """Elements of L that are not above a join and yet no schedule shows that they do not do."""
    found = []
    for one, other in pairs:
        for element in LATTICE:
            enough = all(
                satisfies(flags, one) and satisfies(flags, other)
                for flags in kinds()[family]
                if satisfies(flags, element)
            )
            if enough and not element.dominates(one.join(other)):
                found.append(f"{element.level} for {one.level} and {other.level}")
    return found


def pairs_of(treatment: PolicyTreatment) -> list[tuple[Precondition, Precondition]]:
    """The elements of L that two operators ask for, for all sixteen pairs. A pin is beside L: both sides have it."""
    asked = [precondition(found, treatment) for found in OPERATORS.values()]
    plain = [Precondition(each.iso, each.cb, schema="base") for each in asked]
    return [(one, other) for one in plain for other in plain]


def _family(family: str) -> Claim:
    def judge(cells: Cells) -> Outcome:
        wrong = differing(family, EVERY_PAIR)
        evidence = [str(each) for each in wrong[:1]]
        for treatment in TREATMENTS:
            pairs = pairs_of(treatment)
            failing = len({(each.one, each.other) for each in differing(family, pairs)})
            words = "SR in L" if treatment == "level" else "a pin outside L"
            evidence.append(f"⊕c as {words}: {len(pairs) - failing} of {len(pairs)} pairs of operators agree")
        superfluous = needless(family, EVERY_PAIR)
        if superfluous:
            evidence.append(f"no schedule within the bound shows that these are too weak: {', '.join(superfluous)}")
        if wrong:
            detail = (
                f"in the family {family} the order of L is not the inclusion of schedule sets, so a schedule can "
                "satisfy "
                "the join and not both preconditions"
            )
            repair = (
                "ask for both preconditions, not for the larger one; or use a family in which the chain holds (graph)"
            )
            return Outcome(
                "refuted",
                "exhaustive",
                detail,
                counterexample=wrong[0].schedule,
                repair=repair,
                bound=BOUND,
                evidence=tuple(evidence),
            )
        chain = next(claim for claim in theorem_1.CLAIMS if claim.id == f"T1.chain.{family}").decide(cells)
        detail = (
            f"both preconditions are the join as sets of schedules, for all {len(EVERY_PAIR)} pairs of elements of L; "
            + (
                "by the proofs of the chain for schedules of every size"
                if chain.verdict == "holds"
                else "within the bound"
            )
        )
        method = "proof" if chain.verdict == "holds" else "exhaustive"
        return Outcome(
            "holds", method, detail, chain.proofs, bound=BOUND, evidence=tuple(evidence), instances=chain.instances
        )

    stands = ", ".join(STANDS[family])
    return Claim(
        f"L2.join.{family}",
        "TOKI 2026, Lemma 2 ('lattice order on L_iso coincides with schedule satisfaction'), Appendix B.4.3",
        "a schedule satisfies two elements of L exactly when it satisfies their join, and nothing less than the join "
        "is "
        "enough",
        f"RC, SI, SR as {stands} of the family {family}; cb of the default family",
        judge,
    )


FAMILIES = tuple(map(_family, STANDS))


def _every(cells: Cells) -> Outcome:
    wrong = {family: differing(family, EVERY_PAIR) for family in STANDS}
    failing = [family for family in STANDS if wrong[family]]
    lines = [f"{family}: {wrong[family][0]}" for family in failing]
    lines += [f"{family}: no schedule within the bound tells them apart" for family in STANDS if family not in failing]
    pinned = [family for family in STANDS if not differing(family, pairs_of("pin"))]
    detail = (
        "true in the families whose levels are a chain of schedule sets "
        f"({', '.join(family for family in STANDS if family not in failing)}), false in "
        f"{', '.join(failing) or 'none'}, "
        "which the paper cites for its levels; with the pin of ⊕c outside L no two operators join SI with SR, and the "
        "lemma "
        f"is true of their preconditions in {', '.join(pinned)}"
    )
    verdict = "depends" if failing and len(failing) < len(STANDS) else "refuted" if failing else "holds"
    witnesses = tuple(wrong[family][0].schedule for family in failing)
    return Outcome(verdict, "exhaustive", detail, witnesses=witnesses, bound=BOUND, evidence=tuple(lines))


JOIN_CLAIMS = (
    Claim(
        "L2.join",
        "TOKI 2026, Lemma 2, Appendix B.4",
        "the precondition of a composite is exactly the join of the preconditions of its steps",
        "exactly: as sets of schedules, and least in L; in each family of levels",
        _every,
    ),
    *FAMILIES,
)
