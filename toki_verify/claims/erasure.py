"""Theorem 2, tightness: under the base schema some history erases a loser (TOKI 2026, Theorem 2, Appendix B.5.2).

What "no t of Rec_H dominates p_l" says depends on what Rec_H holds. Theorem 2 speaks of audit tuples, B.5.2 of current
rows: each carrier is decided in every reading, the readings of both halves of the theorem among them. A history that
erases even if every row counted as dominating erases in every K.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import Any, Final, get_args

from ..algebra.carriers import BOOLEAN, CARRIERS, MULTILINEAR, Carrier
from ..stores.write_path import Incumbents
from . import audit_erasure
from .carriers_of import incomparable, nonzero, tokens, with_zero
from .cells import Cells
from .domination import HISTORY
from .histories import Ran, histories, odd, rows_text, run, told
from .model import Claim, Outcome
from .semiring_models import RING
from .surfaces import B52, INSTANTS, SOUNDNESS, SURFACES, Reading, erased

_WHERE = "TOKI 2026, Theorem 2 (tightness), Appendix B.5.2"
#: The readings of T2.tight: a winning incumbent stays as it is (Algorithm 1, line 18).
READINGS: Final = tuple(Reading(surface, instants) for surface, instants in product(SURFACES, INSTANTS))
#: The readings of T2.tight.reading: it may be stamped, too (§3.2).
ALL: Final = tuple(Reading(*chosen) for chosen in product(SURFACES, INSTANTS, get_args(Incumbents)))
_MARKS: Final = {B52: "B.5.2", SOUNDNESS: "Theorem 2, as in T2.sound"}
_BOUND: Final = "histories of up to 3 writes: all four operators, both outcomes, three valid periods"


@cache
def _ran(carrier: Carrier[Any], incumbents: Incumbents, pair: tuple[Any, Any]) -> list[tuple[str, Ran]]:
    """Every history of two writes under the base schema, the two annotations either way round, in words and run."""
    return [
        (told(history, carrier, given), run(history, carrier, given, mode="base", incumbents=incumbents))
        for history, given in product(sorted(histories(2), key=odd), (pair, pair[::-1]))
    ]


def _first(
    carrier: Carrier[Any], reading: Reading, pair: tuple[Any, Any], every: bool = False
) -> tuple[str, tuple[str, ...]] | None:
    first, kinds = "", set()
    for words, ran in _ran(carrier, reading.incumbents, pair):
        for loser in erased(ran, None if every else carrier, reading):
            closed = any(row.fact_id == loser.fact_id for row in ran.rows)
            kinds.add("closed incumbents" if closed else "rejected newcomers")
            rows = rows_text(ran.current, carrier)
            first = first or f"{words}; current rows {rows}: {loser.fact_id} is erased"
    return (first, tuple(sorted(kinds))) if kinds else None


@cache
def erasing(carrier: Carrier[Any], reading: Reading) -> tuple[str, tuple[str, ...]] | None:
    """The first history of two writes under the base schema that erases a loser, in words, and which kinds of losers
    such histories erase; None where there is none."""
    return _first(carrier, reading, incomparable(carrier) or tuple(tokens(carrier, 2)))


@cache
def in_every_k(reading: Reading) -> bool:
    """Whether some history erases a loser though every row counted as dominating: then it does so whatever K is."""
    return _first(BOOLEAN, reading, (True, True), every=True) is not None


@cache
def erases_none(carrier: Carrier[Any]) -> tuple[int, frozenset[Reading]]:
    """How many histories of two and three writes of fresh tokens under the base schema there are, and in which readings
    none of them erases a loser."""
    left, cases = set(READINGS), [history for writes in (2, 3) for history in histories(writes)]
    for history in cases:
        ran = run(history, carrier, tokens(carrier, len(history)), mode="base")
        left -= {reading for reading in left if erased(ran, carrier, reading)}
    return len(cases), frozenset(left)


def _named(readings: Sequence[Reading]) -> str:
    return "; ".join(f"{reading} ({_MARKS[reading]})" if reading in _MARKS else f"{reading}" for reading in readings)


@cache
def true_in(carrier: Carrier[Any]) -> tuple[Reading, ...]:
    """The readings in which a history erases a loser in a carrier, by two writes or else by three."""
    found = [reading for reading in READINGS if erasing(carrier, reading)]
    if len(found) < len(READINGS):
        none = erases_none(carrier)[1]
        found = [reading for reading in READINGS if reading in found or reading not in none]
    return tuple(found)


def tight(carrier: Carrier[Any]) -> Outcome:
    """Tightness in one carrier, in every reading."""
    true = true_in(carrier)
    false = [reading for reading in READINGS if reading not in true]
    pair = incomparable(carrier)
    lines = [f"{_named([reading])}: {example[0]}" for reading in true if (example := erasing(carrier, reading))]
    if not false and pair is not None:
        one, other = map(carrier.text, pair)
        fresh = tokens(carrier, 2)
        same = f" (not by fresh tokens, which are all {carrier.text(fresh[0])})" if carrier.leq(*fresh) else ""
        detail = f"in all {len(true)} readings: in that of B.5.2 a rejected newcomer, since not {one} ⪯ {other}{same}"
        return Outcome("holds", "exhaustive", detail, bound=_BOUND, evidence=tuple(lines))
    elements = ", ".join(map(carrier.text, nonzero(carrier)))
    if false:
        lines.insert(
            0,
            f"false: {_named(false)}: annotations other than 0: {elements}; "
            "each is below every other: whatever row is left dominates every loser",
        )
    zero = with_zero(carrier)
    if zero is not None and (example := _first(carrier, B52, zero)):
        lines.append(f"{_named([B52])}, were a fact of provenance 0 allowed: {example[0]}")
    detail = (
        f"false in {len(false)} of {len(READINGS)} readings: {_named(false)}: no two annotations other than 0 have "
        f"a ⪯̸ b, and none of {erases_none(carrier)[0]} histories erases a loser; true in the others: "
        f"{_named(true) or 'none'}"
    )
    return Outcome(
        "depends" if true else "refuted", "exhaustive", detail, bound=f"{_BOUND}, fresh tokens", evidence=tuple(lines)
    )


def _tight_everywhere(cells: Cells) -> Outcome:
    """'Parametric in K': true of every K in the reading of soundness, false of 𝔹 in that of B.5.2."""
    names = ("pair-of-nonzero", "no-pair-in-two", "one-not-below-zero")
    proofs = tuple(cells.equation(f"semiring.{name}") for name in names)
    outcomes = {name: tight(carrier) for name, carrier in CARRIERS.items()}
    bad = [name for name, outcome in outcomes.items() if outcome.verdict != "holds"]
    always = [reading for reading in READINGS if all(reading in true_in(found) for found in CARRIERS.values())]
    lines = [f"{name}: {line}" for name in bad for line in outcomes[name].evidence]
    lines += [f"{name}: {out.evidence[0]}" for name, out in outcomes.items() if name not in bad]
    if RING.plus(RING.one, RING.one) == RING.zero:
        lines.append("not naturally ordered: in the ring ℤ/2 1 ⊕ 1 = 0, so 1 ⪯ 0, and every row dominates every loser")
    sure = [reading for reading in always if in_every_k(reading)]
    detail = (
        f"true in every K, whatever ⪯ is, in {len(sure)} of {len(READINGS)} readings: {_named(sure) or 'none'} (no "
        "audit row under base, or no row at all at an instant of the loser)"
    )
    if bad:
        false = [reading for reading in READINGS if reading not in always]
        detail += (
            f"; false in {', '.join(bad)} in the other {len(false)}: {_named(false)}. Theorem 2 says 'no t', where t "
            "is an audit tuple of Rec_H, and Theorem 4(2) reads it so; B.3.1 and B.5.2 look at the current rows: one "
            "symbol, two readings (what becomes of Table 23 in each: Grid.schema)"
        )
    proved = all(proof.proved for proof in proofs)
    repair = "in the reading of B.5.2: for every naturally ordered K with an element other than 0 and 1, where some "
    repair += "nonzero a and b have a ⪯̸ b (proved; and none in a K without one, which 𝔹 alone is), and rejecting a "
    repair += (
        "newcomer of provenance a against an incumbent of b erases it; if a fact may have provenance 0, for every "
    )
    repair += "naturally ordered K with 1 ≠ 0"
    return Outcome(
        "holds" if not bad and len(sure) == len(READINGS) else "depends" if always else "refuted",
        "exhaustive",
        detail,
        repair=repair if bad and proved else "",
        bound=f"{_BOUND}; the pair of nonzero annotations is proved for every K",
        evidence=tuple(lines),
        equational=proofs,
    )


def _readings(cells: Cells) -> Outcome:
    """Where provenance is looked for decides it, and whether a winner that stays gets the merged provenance."""
    names = ("dominates-loser", "sum-step", "order-transitive")
    proofs = tuple(cells.equation(f"semiring.{name}") for name in names)
    false: list[str] = []
    true: list[str] = []
    for reading in ALL:
        found = {carrier.name: erasing(carrier, reading) for carrier in (MULTILINEAR, BOOLEAN)}
        said = [f"{name} erases {' and '.join(one[1]) if one else 'nothing'}" for name, one in found.items()]
        example = next((one[0] for one in found.values() if one), "")
        where = f"{_named([reading])}, incumbents that win {reading.incumbents}"
        line = f"{where}: {', '.join(said)}{f'; {example}' if example else ''}"
        (true if all(found.values()) else false).append(line)
    merged = audit_erasure.replayed(MULTILINEAR)
    lines = [*false, *true]
    lines.append(
        f"B.5.2's surface {{(x_b, p_b)}} has the winner's provenance unmerged; §3.2 and Appendix C.2 merge it: {merged}"
    )
    stamped = [reading for reading in ALL if reading.incumbents == "stamped"]
    nothing = [f"{reading}" for reading in stamped if not erasing(MULTILINEAR, reading)]
    detail = (
        f"{len(true)} of {len(ALL)} readings make it true in multilinear and in boolean. The paper looks at audit "
        "tuples in Theorem 2, at current rows in B.5.2; AS OF at an earlier system time (§2.1) finds closed rows; §3.2 "
        "stamps every winner, Table 14 leaves an incumbent that wins as it is"
    )
    if nothing and all(proof.proved for proof in proofs):
        detail += (
            f". With stamped incumbents no K erases anything in: {'; '.join(nothing)}: a winner's row has p_w ⊕ p_l, "
            "above p_l, and what it is merged into later is above it (proved)"
        )
    verdict = "holds" if not false else "depends" if true else "refuted"
    bound = "histories of 2 writes: all four operators, both outcomes, three valid periods"
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines), equational=proofs)


_STATEMENT = "under the base schema some history erases a loser: no row of Rec_H dominates its provenance"
_READING = (
    f"{HISTORY}; Rec_H: the audit rows (Theorem 2), the current rows (B.5.2), or these and the closed ones; no row "
    "dominates: whatever its valid time (B.5.2), or at some instant of the loser (as in T2.sound); no fact has "
    "provenance 0; a winning incumbent stays as it is (Algorithm 1, line 18)"
)


def _of(name: str) -> Claim:
    carrier = CARRIERS[name]
    return Claim(f"T2.tight.{name}", _WHERE, f"in {name}, {_STATEMENT}", _READING, lambda cells: tight(carrier))


CLAIMS = (
    Claim("T2.tight", _WHERE, f"{_STATEMENT}, in every K", _READING, _tight_everywhere),
    *map(_of, CARRIERS),
    Claim(
        "T2.tight.reading",
        "ours (CLAIMS, T2.tight)",
        f"{_STATEMENT}, also where §3.2 stamps an incumbent that wins",
        "as T2.tight, and winning incumbents untouched or stamped",
        _readings,
    ),
)
