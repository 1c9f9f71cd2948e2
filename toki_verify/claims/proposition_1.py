"""Proposition 1: what depends on the carrier, the isolation axis or the schema axis (TOKI 2026, Proposition 1).

Clause (1) is T1.carrier's argument on the printed witnesses. Clause (2) says several things of one reachability bit:
they are decided under both schemas, over the maps between the seed's carriers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

from ..events import Schedule
from ..relations.base import VOCABULARY
from .audit_erasure import MEETING, PRINTED, SCHEMAS
from .carrier import base_rows, comparing, without_provenance
from .carriers_of import MAPS, SMALL, pairs
from .cells import Cells
from .histories import run, told
from .model import Claim, Outcome
from .printed import PRINTED as PRINTED_SEVEN
from .seed import CLASSICAL
from .surfaces import B52, INSTANTS, Reading, erased

#: Annotations that a verdict on the isolation axis is not to see.
ANNOTATIONS: Final = ("p1", "p1+2*p2*t1", "0")


def reading_annotations(schedules: Iterable[Schedule]) -> list[str]:
    """The schedules of which some annotation of their writes changes a base relation."""
    found = []
    for schedule in schedules:
        plain = base_rows(without_provenance(schedule))
        if any(base_rows(without_provenance(schedule, annotation)) != plain for annotation in ANNOTATIONS):
            found.append(str(schedule))
    return found


def _vacuity(cells: Cells) -> Outcome:
    """As T1.carrier, on the printed witnesses: formulas see base relations only, and these read no annotation."""
    schedules = [Schedule.parse(PRINTED_SEVEN[name].text) for name in CLASSICAL]
    changed = comparing() + reading_annotations([*schedules, Schedule.parse(PRINTED)])
    if changed:
        return Outcome("refuted", "property", "a base relation reads an annotation", evidence=tuple(changed))
    detail = (
        f"the {len(CLASSICAL)} phenomena and the levels are formulas over {len(VOCABULARY)} base relations; none "
        "of these reads an annotation, so no carrier can change a verdict"
    )
    bound = f"{len(schedules) + 1} printed witnesses with {len(ANNOTATIONS)} annotations"
    return Outcome("holds", "property", detail, bound=bound)


@cache
def bits(schema: str) -> tuple[tuple[str, int, str], ...]:
    """Per map between carriers: how often the reachability bit of a history is another one in the image, and the first
    such history. The bit is whether every loser is dominated."""
    found = []
    for source, target, image in MAPS:
        differing, first = 0, ""
        for one, other in pairs(source):
            for history in MEETING:
                mode = SCHEMAS[schema]
                reading = Reading("audit rows", INSTANTS[0]) if schema == "audit-row" else B52
                before = erased(run(history, source, (one, other), mode=mode), source, reading)
                there = (image(one), image(other))
                after = erased(run(history, target, there, mode=mode), target, reading)
                if bool(before) != bool(after):
                    differing += 1
                    words = [("erased" if gone else "dominated") for gone in (before, after)]
                    images = [f"{source.text(a)} ↦ {target.text(b)}" for a, b in zip((one, other), there, strict=True)]
                    first = first or (
                        f"{told(history, source, (one, other))}: {words[0]} in {source.name}, {words[1]} in "
                        f"{target.name} ({', '.join(images)})"
                    )
        found.append((f"{source.name} → {target.name}", differing, first))
    return tuple(found)


def not_preserved() -> list[str]:
    """Pairs a ⪯ b of small elements whose images are not, which no homomorphism has."""
    return [
        f"{source.text(one)} ⪯ {source.text(other)} in {source.name}, not in {target.name}"
        for source, target, image in MAPS
        for one in source.small()
        for other in source.small()
        if source.leq(one, other) and not target.leq(image(one), image(other))
    ]


def _load(cells: Cells) -> Outcome:
    """Clause (2), sentence by sentence: equivariance; dependence on K; the bit kept by 𝔹 and by the multidegree."""
    proof = cells.equation("semiring.homomorphism-preserves")
    dominates = cells.equation("semiring.dominates-loser")
    broken = not_preserved()
    audit, base = bits("audit-row"), bits("base")
    kept = {"audit-row": not any(number for _, number, _ in audit), "base": not any(number for _, number, _ in base)}
    lines = [f"base, {name}: {first}" for name, number, first in base if number]
    lines += [f"audit-row, {name}: {first}" for name, number, first in audit if number]
    lines += [
        f"{schema}: the bit is {'the same' if same else 'not the same'} in the image" for schema, same in kept.items()
    ]
    if broken:
        return Outcome("refuted", "property", "a homomorphism does not preserve ⪯", evidence=tuple(broken[:3] + lines))
    if not (proof.proved and dominates.proved):
        return Outcome("undecided", "proof", "not proved", evidence=tuple(lines))
    detail = (
        "equivariant: every homomorphism preserves ⪯ (proved), so a dominated loser stays dominated. 'Preserves the "
        f"bit' is {str(kept['audit-row']).lower()} under audit-row, where the bit is 1 in every K (proved) and so does "
        f"not depend on K; it is {str(kept['base']).lower()} under base, where it does: homomorphisms do not reflect ⪯"
    )
    # 'Depends on K' and 'preserved by 𝔹' are asserted of one bit: under neither schema are both true.
    verdict = "depends" if kept["audit-row"] != kept["base"] else "holds" if kept["base"] else "refuted"
    bound = (
        f"the order is proved; the bits of all histories of 2 writes, with every pair of {SMALL} small annotations "
        "other than 0"
    )
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines), equational=(proof, dominates))


CLAIMS = (
    Claim(
        "P1.vacuity",
        "TOKI 2026, Proposition 1(1)",
        "on the isolation axis, which level prevents which classical anomaly does not depend on the carrier",
        "as T1.carrier: annotations are what `prov` clauses hold",
        _vacuity,
    ),
    Claim(
        "P1.load",
        "TOKI 2026, Proposition 1(2)",
        "on the schema axis N3's defence is K-equivariant, it depends on K, and 𝔹 and multidegree keep the "
        "reachability bit of multilinear",
        "the bit: whether every loser is dominated, by audit rows under audit-row and by current rows under base "
        "(B.5.2), where 'every reachable provenance maps to 1 in 𝔹', so none is 0; equivariant: homomorphisms preserve "
        "⪯; replacing a carrier maps tokens to tokens",
        _load,
    ),
)
