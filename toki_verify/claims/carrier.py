"""T1.carrier: the guard map does not depend on the carrier of provenance (TOKI 2026, Theorem 1, Proposition 1(1))."""

from __future__ import annotations

from dataclasses import replace

from ..events import Schedule, Write
from ..levels import families
from ..phenomena.catalogue import catalogue
from ..relations.base import ANNOTATED, VOCABULARY, of_txn
from ..relations.concrete import Concrete
from ..relations.terms import Base
from ..search.features import mentions
from .cells import Cells
from .model import Claim, Outcome
from .seed import NINE, SIX


def without_provenance(schedule: Schedule, annotation: str | None = None) -> Schedule:
    """The schedule with another annotation on every write, or none."""
    events = [replace(event, prov=annotation) if isinstance(event, Write) else event for event in schedule.events]
    return Schedule(
        events, init=schedule.init, order=schedule.order, sessions=schedule.sessions, partitions=schedule.partitions
    )


def base_rows(schedule: Schedule) -> dict[str, list[int]]:
    """Every base relation of a schedule but the one that reads annotations: all that a formula can see of it that does
    not mention that one."""
    concrete = Concrete(schedule)
    found = {
        name: concrete.term(Base(name, sort, sort, is_set))
        for name, (_, is_set, sort) in VOCABULARY.items()
        if name != ANNOTATED
    }
    return {**found, of_txn.name: concrete.term(of_txn)}


def comparing() -> list[str]:
    """The nine phenomena and the levels whose formulas compare annotations."""
    formulas = {name: catalogue()[name].formula for name in NINE}
    formulas |= {level.full_id: level.formula for family in families().values() for level in family.levels}
    return [name for name, formula in formulas.items() if ANNOTATED in mentions(formula)[0]]


def _decide(cells: Cells) -> Outcome:
    """Verdicts are functions of the base relations that the formulas mention, and none of these reads an annotation."""
    if comparing():
        return Outcome("refuted", "property", f"formulas that compare annotations: {', '.join(comparing())}")
    changed, count = [], 0
    for name in NINE:
        for level in SIX:
            witness = cells.cell(name, level).witness
            if witness is not None:
                count += 1
                plain = base_rows(witness)
                for annotation in ("p1", "p1+2*p2*t1", "0"):
                    if base_rows(without_provenance(witness, annotation)) != plain:
                        changed.append(f"{witness} with {annotation}")
    if changed:
        return Outcome("refuted", "property", f"a base relation depends on an annotation: {changed[:1]}")
    detail = (
        f"each of the {len(NINE)} phenomena and every level is a formula over {len(VOCABULARY)} base relations, none "
        f"of which reads an annotation (`{ANNOTATED}` does; they do not mention it); checked on the witness of every "
        "cell with three annotations"
    )
    return Outcome("holds", "property", detail, bound=f"{count} witnesses of the 54 cells, 3 annotations of each")


CLAIMS = (
    Claim(
        "T1.carrier",
        "TOKI 2026, Theorem 1, Proposition 1(1)",
        "which level excludes which predicate does not depend on the provenance annotations of writes",
        "the carrier is what `prov` clauses hold; N3, which compares annotations, is not among the nine",
        _decide,
    ),
)
