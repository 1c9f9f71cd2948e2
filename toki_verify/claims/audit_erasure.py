"""N3 where the seed prints it: the witness of B.5.2, the schema grid, Proposition 1 (TOKI 2026: B.5.2, Table 23).

The printed schedule is judged literally, with fresh tokens, and replayed through the operators, which leave something
else. The grid's levels are those of the schedules that histories are.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, Final

from ..algebra.carriers import CARRIERS, MULTILINEAR, Carrier
from ..events import Schedule
from ..levels import parse_spec
from ..relations.base import VOCABULARY
from ..relations.concrete import Concrete
from .carrier import base_rows, without_provenance
from .carriers_of import MAPS, SMALL, incomparable, pairs, tokens
from .cells import Cells
from .histories import INSTANTS, OBJECTS, SURFACES, History, Move, erased, histories, rows_text, run, told
from .model import Claim, Outcome
from .printed import PRINTED as PRINTED_SEVEN
from .seed import CLASSICAL, SIX

PRINTED: Final = "w1[x@a prov p_a] c1 w2[x@b prov p_b] c2 r3[x@b] c3"
_ONE: Final = "one schedule"
_SCHEMAS: Final = {"base": "base", "audit-row": "audit_row"}
#: Annotations that a verdict on the isolation axis is not to see.
ANNOTATIONS: Final = ("p1", "p1+2*p2*t1", "0")
#: One partition, one valid period: every write after the first meets an incumbent.
_MEETING: Final = tuple(histories(2, (0,)))


def replayed(carrier: Carrier[Any]) -> str:
    """What the printed witness leaves when ⊕t resolves it as §3.2 says, under the base schema."""
    fresh = tokens(carrier, 2)
    history = (Move("lww", True), Move("lww", True))
    ran = run(history, carrier, fresh, mode="base")
    gone = erased(ran, carrier, "current rows")
    said = "p_a is erased" if gone else "its p_a is dominated: no N3"
    return f"by ⊕t, x_b wins: current rows {rows_text(ran.current, carrier)}, {said}"


# -- the printed witness -----------------------------------------------------------------------------------------------
def printed(carrier: Carrier[Any], cells: Cells) -> Outcome:
    """The witness as printed: at (RC, base), and the surface {(x_b, p_b)} does not dominate p_a."""
    schedule = Schedule.parse(PRINTED)
    at_rc = Concrete(schedule).holds(cells.level("RC", "graph").formula)
    one, other = carrier.token("p_a"), carrier.token("p_b")
    below = carrier.leq(one, other)
    texts = carrier.text(one), carrier.text(other)
    lines = (
        f"p_a = {texts[0]}, p_b = {texts[1]}: p_a {'⪯' if below else '⪯̸'} p_b",
        f"replayed through the operators: {replayed(carrier)}",
    )
    detail = f"at RC: {'yes' if at_rc else 'no'}; p_a {'⪯' if below else '⪯̸'} p_b with fresh tokens"
    if at_rc and not below:
        return Outcome("holds", "exhaustive", detail, witnesses=(schedule,), bound=_ONE, evidence=lines)
    pair = incomparable(carrier)
    if pair is None:
        return Outcome("refuted", "exhaustive", detail, counterexample=schedule, bound=_ONE, evidence=lines)
    repair = f"with annotations that are no tokens: p_a = {carrier.text(pair[0])}, p_b = {carrier.text(pair[1])}"
    return Outcome(
        "holds-repaired", "exhaustive", detail, counterexample=schedule, repair=repair, bound=_ONE, evidence=lines
    )


def _printed_everywhere(cells: Cells) -> Outcome:
    outcomes = {name: printed(carrier, cells) for name, carrier in CARRIERS.items()}
    lines = [f"{name}: {outcome.evidence[0]}" for name, outcome in outcomes.items() if outcome.verdict != "holds"]
    lines += [f"{name}: {outcome.evidence[0]}" for name, outcome in outcomes.items() if outcome.verdict == "holds"]
    kinds = {outcome.verdict for outcome in outcomes.values()}
    if kinds == {"holds"}:
        return Outcome("holds", "exhaustive", f"in each of {len(outcomes)} carriers", evidence=tuple(lines))
    bad = [name for name, outcome in outcomes.items() if outcome.verdict != "holds"]
    detail = f"false with fresh tokens in {', '.join(bad)}: a token is the same there as another"
    schedule = Schedule.parse(PRINTED)
    proofs = tuple(cells.equation(f"semiring.{name}") for name in ("pair-of-nonzero", "no-pair-in-two"))
    if not all(proof.proved for proof in proofs):
        return Outcome("refuted", "exhaustive", detail, counterexample=schedule, evidence=tuple(lines))
    repair = (
        "for some p_a and p_b, in every naturally ordered K with an element other than 0 and 1: in 𝔹 there are none"
    )
    return Outcome(
        "holds-repaired",
        "proof",
        detail,
        counterexample=schedule,
        evidence=tuple(lines),
        repair=repair,
        equational=proofs,
    )


# -- the schema grid ---------------------------------------------------------------------------------------------------
def schedule_of(history: History) -> Schedule:
    """The schedule of a history in which every write meets an incumbent: a transaction each, one after the other, that
    reads the incumbent, is called back where it awaits, and writes the winner where that is another row."""
    parts, version = [], "0"
    for number, move in enumerate(history):
        txn = number + 1
        parts.append(f"r{txn}[x@{version}]")
        if number and move.strategy == "await":
            parts.append(f"cb{txn}(R, h, {int(move.wins)})")
        if move.wins or not number:
            version = OBJECTS[number]
            by = f" by {move.strategy}" if number else ""
            parts.append(f"w{txn}[x@{version}{by}]")
        parts.append(f"c{txn}")
    return Schedule.parse(" ".join(parts))


@cache
def at_level(history: History, level: str) -> bool:
    """Whether the schedule of a history is at a level of the grid."""
    return Concrete(schedule_of(history)).holds(parse_spec(level, default="graph").formula)


def admits(carrier: Carrier[Any], level: str, schema: str, surface: int = 0) -> tuple[int, int]:
    """Of the histories at a level that consume a loser, how many erase one, under a schema, and of how many."""
    fresh = incomparable(carrier) or tuple(tokens(carrier, 2))
    found = [
        run(history, carrier, annotations, mode=_SCHEMAS[schema])
        for history in _MEETING
        if at_level(history, level)
        for annotations in (fresh, fresh[::-1])
    ]
    audit = "audit rows" if schema == "audit-row" else SURFACES[surface]
    return sum(bool(erased(ran, carrier, audit, INSTANTS[0])) for ran in found), len(found)


def grid(carrier: Carrier[Any], surface: int = 0) -> list[tuple[str, str, int, int]]:
    """The twelve cells: level, schema, how many histories show N3, of how many."""
    return [(level, schema, *admits(carrier, level, schema, surface)) for level in SIX for schema in _SCHEMAS]


def as_printed(cells: list[tuple[str, str, int, int]], every: bool = False) -> bool:
    """Whether the base schema admits N3 at each level (by every history, or by some), the audit-row schema by none."""
    return all(
        total and (bad == 0 if schema == "audit-row" else bad == total if every else bad > 0)
        for _, schema, bad, total in cells
    )


def _grid(cells: Cells) -> Outcome:
    found = {name: grid(carrier) for name, carrier in CARRIERS.items()}
    right = [name for name in found if as_printed(found[name])]
    wrong = [name for name in found if name not in right]
    lines = [
        f"{name}: {level}, {schema}: {bad} of {total} histories show N3"
        for name in [*wrong, MULTILINEAR.name]
        for level, schema, bad, total in found[name]
    ]
    every = [name for name in found if as_printed(found[name], every=True)]
    by_rows = [name for name, carrier in CARRIERS.items() if as_printed(grid(carrier, 2), every=True)]
    detail = (
        f"some history at base, none at audit-row, at all six levels: in {', '.join(right) or 'no carrier'}; not in "
        f"{', '.join(wrong) or 'none'}. At a rate of 1.00 at base: in {', '.join(every) or 'no carrier'}; where audit "
        f"rows alone are looked at, in {', '.join(by_rows) or 'no carrier'}. The level makes no difference: Algorithm "
        "1 writes one fact at a time, so every history is serial"
    )
    verdict = "holds" if not wrong and len(every) == len(found) else "depends" if right or by_rows else "refuted"
    bound = f"{len(_MEETING)} histories of 2 writes with two annotations, a ⪯̸ b where there are such, either way round"
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines))


# -- Proposition 1 -----------------------------------------------------------------------------------------------------
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
    changed = reading_annotations([*schedules, Schedule.parse(PRINTED)])
    if changed:
        return Outcome("refuted", "property", "a base relation reads an annotation", evidence=tuple(changed))
    detail = (
        f"the {len(CLASSICAL)} phenomena and the levels are formulas over {len(VOCABULARY) + 1} base relations; none "
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
            for history in _MEETING:
                mode = _SCHEMAS[schema]
                surface = SURFACES[2] if schema == "audit-row" else SURFACES[0]
                before = erased(run(history, source, (one, other), mode=mode), source, surface)
                there = (image(one), image(other))
                after = erased(run(history, target, there, mode=mode), target, surface)
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
    bound = f"the order is proved; the bits of all histories of 2 writes, with every pair of {SMALL} small annotations"
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines), equational=(proof, dominates))


_N3_READING = (
    "p_a and p_b are fresh tokens, x_b the version that T3 reads; the recovery surface is {(x_b, p_b)}, as printed; "
    "the schema keeps no audit rows"
)


def _witness_claim(name: str) -> Claim:
    found = CARRIERS[name]
    return Claim(
        f"W.N3.{name}",
        "TOKI 2026, Appendix B.5.2",
        f"the printed witness {PRINTED} is at RC, and in {name} p_b does not dominate p_a",
        _N3_READING,
        lambda cells: printed(found, cells),
    )


CLAIMS = (
    Claim(
        "W.N3",
        "TOKI 2026, Appendix B.5.2",
        f"the printed witness {PRINTED} shows N3 under the base schema, 'parametric in K'",
        f"{_N3_READING}; every shipped carrier",
        _printed_everywhere,
    ),
    *(_witness_claim(name) for name in CARRIERS),
    Claim(
        "Grid.schema",
        "TOKI 2026, Table 23",
        "12 cells: at each of the six levels some history shows N3 under the base schema, and none under audit-row",
        "under base the recovery surface is the current rows (B.5.2), under audit-row the audit rows; a history's "
        "level is that of its schedule",
        _grid,
    ),
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
        "the bit: whether every loser is dominated, by audit rows under audit-row and by current rows under base; "
        "equivariant: homomorphisms preserve ⪯; replacing a carrier maps tokens to tokens",
        _load,
    ),
)
