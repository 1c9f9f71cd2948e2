"""Theorem 2 (audit-erasure schema lift), its two directions (TOKI 2026: Theorem 2, Appendix B.5.2).

Its algebra is proved for every K from the axioms (`semiring_axioms.py`); its "for every operator history" is run: every
small history through the write path, in each carrier. Tightness depends on where provenance is looked for, and its "any
K" fails for exactly one K: tables of readings say so. B.5.2's witness and the schema grid are in `audit_erasure.py`,
Proposition 1 in `proposition_1.py`.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

from ..algebra.carriers import BOOLEAN, CARRIERS, MULTILINEAR, Carrier
from ..stores.write_path import Incumbents
from . import audit_erasure, proposition_1
from .carriers_of import SEEDS, SMALL, incomparable, nonzero, tokens
from .cells import Cells
from .histories import (
    INSTANTS,
    SURFACES,
    History,
    Instants,
    Surface,
    erased,
    histories,
    rows_text,
    run,
    told,
    undominated,
)
from .model import Claim, Outcome, conjunction
from .semiring_models import RING

_WHERE = "TOKI 2026, Theorem 2"
_HISTORY = (
    "a history is a sequence of writes through Algorithm 1; what an operator step consumes is its loser, the closed "
    "incumbent or the rejected newcomer (a duplicate confirmation is no operator step)"
)
BOUND = (
    "histories of up to 3 writes to one partition: all four operators, both outcomes, three valid periods that overlap "
    "in part (two, of 3 writes in carriers that the seed does not ship), fresh tokens; incumbents that win untouched "
    f"(Algorithm 1) and, on one valid period, stamped (§3.2); and of 2 writes with every pair of {SMALL} small "
    "annotations"
)
_SUMS = ("dominates-loser", "dominates-winner", "order-reflexive", "sum-step", "order-transitive")
_BOTH: tuple[Incumbents, ...] = ("untouched", "stamped")
#: Of the literal reading: B.5.2 looks at the current rows, Algorithm 1 leaves an incumbent that wins as it is.
LITERAL: tuple[Surface, Incumbents, Instants] = ("current rows", "untouched", "at no valid time")


# -- soundness ---------------------------------------------------------------------------------------------------------
@cache
def sound_in(carrier: Carrier[Any]) -> tuple[int, int, tuple[str, ...]]:
    """How many histories there are, how many losers they consume, and where no audit tuple dominates one."""
    cases: list[tuple[History, list[Any], Incumbents]] = []
    for writes in (2, 3):
        fresh = tokens(carrier, writes)
        periods = (0, 1, 2) if writes == 2 or carrier in SEEDS else (0, 1)
        cases += [(history, fresh, "untouched") for history in histories(writes, periods)]
        cases += [(history, fresh, "stamped") for history in histories(writes, (0,))]
    pairs = [list(pair) for pair in product(nonzero(carrier), repeat=2)]
    cases += [(history, pair, "untouched") for history in histories(2, (0,)) for pair in pairs]
    consumed, failures = 0, []
    for history, given, incumbents in cases:
        ran = run(history, carrier, given, incumbents=incumbents)
        consumed += len(ran.consumed)
        failures += [f"{told(history, carrier, given)}: {where}" for where in undominated(ran, carrier)]
    return len(cases), consumed, tuple(failures)


def sound(carrier: Carrier[Any], cells: Cells) -> Outcome:
    """Soundness in one carrier: the proof for every K, and every small history run in this one."""
    proofs = tuple(cells.equation(f"semiring.{name}") for name in _SUMS)
    count, consumed, failures = sound_in(carrier)
    if failures:
        detail = f"{len(failures)} instants of {count} histories at which no audit tuple dominates a loser"
        return Outcome("refuted", "exhaustive", detail, bound=BOUND, evidence=failures[:3])
    wrong = [proof.id for proof in proofs if not proof.proved]
    if wrong or not consumed:
        return Outcome("undecided", "proof", f"not proved: {', '.join(wrong) or 'no loser was consumed'}")
    detail = (
        f"p_l ⪯ p_w ⊕ p_l is proved for every K; in all {count} histories an audit tuple dominates each of the "
        f"{consumed} losers, at every later system time and wherever the loser was valid"
    )
    return Outcome("holds", "exhaustive", detail, bound=BOUND, equational=proofs)


def _sound_everywhere(cells: Cells) -> Outcome:
    parts = [(f"T2.sound.{name}", sound(carrier, cells)) for name, carrier in CARRIERS.items()]
    holds = "p_l ⪯ p_w ⊕ p_l is proved for every K, and every loser is dominated in every history of each carrier"
    found = conjunction(parts, holds, "exhaustive")
    counts = [
        f"{name} {count}, {lost}"
        for name, (count, lost, _) in zip(CARRIERS, map(sound_in, CARRIERS.values()), strict=True)
    ]
    evidence = found.evidence or (f"histories and losers: {'; '.join(counts)}",)
    return Outcome(
        found.verdict, found.method, found.detail, bound=BOUND, evidence=evidence, equational=found.equational
    )


# -- tightness ---------------------------------------------------------------------------------------------------------
@cache
def erasing(
    carrier: Carrier[Any], surface: Surface, incumbents: Incumbents, instants: Instants
) -> tuple[str, tuple[str, ...]] | None:
    """The first history of two writes under the base schema that erases a loser, in words, and which kinds of losers
    such histories erase; None where there is none."""
    pair = incomparable(carrier) or tuple(tokens(carrier, 2))
    first, kinds = "", set()
    for history, given in product(histories(2), (pair, pair[::-1])):
        ran = run(history, carrier, given, mode="base", incumbents=incumbents)
        for loser in erased(ran, carrier, surface, instants):
            closed = any(row.fact_id == loser.fact_id for row in ran.rows)
            kinds.add("closed incumbents" if closed else "rejected newcomers")
            rows = rows_text(ran.current, carrier)
            first = first or f"{told(history, carrier, given)}; current rows {rows}: {loser.fact_id} is erased"
    return (first, tuple(sorted(kinds))) if kinds else None


@cache
def erases_none(carrier: Carrier[Any]) -> int:
    """How many histories of up to three writes under the base schema there are, if none erases a loser; else -1."""
    cases = [history for writes in (2, 3) for history in histories(writes)]
    surface, incumbents, instants = LITERAL
    for history in cases:
        ran = run(history, carrier, tokens(carrier, len(history)), mode="base", incumbents=incumbents)
        if erased(ran, carrier, surface, instants):
            return -1
    return len(cases)


def tight(carrier: Carrier[Any]) -> Outcome:
    """Tightness in one carrier, in the literal reading."""
    pair = incomparable(carrier)
    found = erasing(carrier, *LITERAL)
    bound = "histories of 2 writes, two annotations without a ⪯ b"
    if found is not None and pair is not None:
        one, other = map(carrier.text, pair)
        fresh = tokens(carrier, 2)
        same = f" (not by fresh tokens, which are all {carrier.text(fresh[0])})" if carrier.leq(*fresh) else ""
        detail = f"a rejected newcomer is erased, since not {one} ⪯ {other}{same}"
        return Outcome("holds", "exhaustive", detail, bound=bound, evidence=(found[0],))
    count = erases_none(carrier)
    detail = f"no two annotations of facts have a ⪯̸ b, and none of {count} histories erases a loser"
    elements = ", ".join(map(carrier.text, nonzero(carrier)))
    line = (
        f"annotations other than 0: {elements}; each is below every other: whatever row is left dominates every loser"
    )
    bound = "histories of up to 3 writes, every annotation other than 0"
    return Outcome("refuted", "exhaustive", detail, bound=bound, evidence=(line,))


def _tight_everywhere(cells: Cells) -> Outcome:
    """'Parametric in K': literally false in 𝔹, true of every naturally ordered K that has a third element."""
    proofs = tuple(
        cells.equation(f"semiring.{name}") for name in ("pair-of-nonzero", "no-pair-in-two", "one-not-below-zero")
    )
    outcomes = {name: tight(carrier) for name, carrier in CARRIERS.items()}
    bad = [name for name, outcome in outcomes.items() if outcome.verdict != "holds"]
    exact = all((incomparable(carrier) is None) == (name in bad) for name, carrier in CARRIERS.items())
    if not bad:
        return Outcome("holds", "exhaustive", f"in each of {len(outcomes)} carriers", equational=proofs)
    evidence = [f"{name}: {outcomes[name].evidence[0]}" for name in bad]
    evidence += [f"{name}: {out.detail}: {out.evidence[0]}" for name, out in outcomes.items() if name not in bad]
    if RING.plus(RING.one, RING.one) == RING.zero:
        evidence.append(
            "without antisymmetry: in the ring ℤ/2 1 ⊕ 1 = 0, so 1 ⪯ 0, and every row dominates every loser"
        )
    evidence.append(
        "not 1 ⪯ 0 in every naturally ordered K with 1 ≠ 0, but it erases nothing: there is no fact of provenance 0"
    )
    if not exact or not all(proof.proved for proof in proofs):
        return Outcome("refuted", "exhaustive", f"false in {', '.join(bad)}", evidence=tuple(evidence))
    return Outcome(
        "holds-repaired",
        "proof",
        f"false in {', '.join(bad)}, whose facts all have one provenance; true in the others that are shipped",
        repair="for every naturally ordered K with an element other than 0 and 1, and for no other: then and only then "
        "some nonzero a and b have a ⪯̸ b (proved), and rejecting a newcomer of provenance a against an incumbent of b "
        "erases it",
        bound="the pair is proved for every K; the histories are those of the parts",
        evidence=tuple(evidence),
        equational=proofs,
    )


def _readings(cells: Cells) -> Outcome:
    """Where provenance is looked for decides it."""
    lines, verdicts = [], []
    for surface, incumbents, instants in product(SURFACES, _BOTH, INSTANTS):
        found = {carrier.name: erasing(carrier, surface, incumbents, instants) for carrier in (MULTILINEAR, BOOLEAN)}
        verdicts.append(all(found.values()))
        said = [f"{name} erases {' and '.join(one[1]) if one else 'nothing'}" for name, one in found.items()]
        example = next((one[0] for one in found.values() if one), "")
        mark = " (literal)" if (surface, incumbents, instants) == LITERAL else ""
        where = f"{surface}, incumbents that win {incumbents}, {instants}{mark}"
        lines.append(f"{where}: {', '.join(said)}{f'; {example}' if example else ''}")
    merged = audit_erasure.replayed(MULTILINEAR)
    lines.append(
        f"B.5.2's surface {{(x_b, p_b)}} has the winner's provenance unmerged; §3.2 and Appendix C.2 merge it: {merged}"
    )
    detail = (
        f"{sum(verdicts)} of {len(verdicts)} readings make it true in multilinear and in boolean. The seed looks "
        "at current rows in B.5.2, at audit tuples in Theorem 2; AS OF at an earlier system time (§2.1) finds closed "
        f"rows; the winner of B.5.2's witness has the merged provenance by §3.2: {merged}"
    )
    verdict = "holds" if all(verdicts) else "depends" if any(verdicts) else "refuted"
    bound = "histories of 2 writes: all four operators, both outcomes, three valid periods"
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines))


def _of(word: str, name: str, statement: str, reading: str) -> Claim:
    carrier = CARRIERS[name]
    return Claim(
        f"T2.{word}.{name}",
        _WHERE,
        f"in {name}, {statement}",
        reading,
        lambda cells: sound(carrier, cells) if word == "sound" else tight(carrier),
    )


_SOUND = "under the audit-row schema every loser that an operator consumes is dominated by an audit tuple"
_TIGHT = "under the base schema some history erases a loser: no row dominates its provenance"
_SOUND_READING = (
    f"{_HISTORY}; Rec_H(t_v, t_s) is AS OF of the audit rows, for each t_v of the loser's valid period and each t_s "
    "from the step on"
)
_TIGHT_READING = (
    f"{_HISTORY}; Rec_H is the current rows at the end, at any valid time (B.5.2); no fact has provenance 0; "
    "a winning incumbent stays as it is (Algorithm 1)"
)
CLAIMS = (
    Claim("T2.sound", f"{_WHERE} (soundness)", f"{_SOUND}, in every K", _SOUND_READING, _sound_everywhere),
    *(_of("sound", name, _SOUND, _SOUND_READING) for name in CARRIERS),
    Claim("T2.tight", f"{_WHERE} (tightness), B.5.2", f"{_TIGHT}, in every K", _TIGHT_READING, _tight_everywhere),
    *(_of("tight", name, _TIGHT, _TIGHT_READING) for name in CARRIERS),
    Claim(
        "T2.tight.reading",
        "ours (CLAIMS, T2.tight)",
        f"{_TIGHT}, in each reading of what is looked at",
        "Rec_H: current rows, current and closed rows, or audit rows; winning incumbents untouched or stamped; erased "
        "where no row dominates at all, or none at some instant where the loser was valid",
        _readings,
    ),
    *audit_erasure.CLAIMS,
    *proposition_1.CLAIMS,
)
