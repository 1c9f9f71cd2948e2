"""B.3.1 against B.3.3: whether p_a ⪯ p_a ⊕ p_b fails in a carrier that collapses p_a and p_b (TOKI 2026, Appendix B.3).

B.3.1 says that it "fails in a carrier that collapses them", B.3.3 that it "holds in every such carrier".
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from ..algebra.carriers import CARRIERS, Carrier
from .cells import Cells
from .model import Claim, Outcome
from .summands import Pair, monomials

BOUND = "p_a and p_b of the monomials x, y, x⊗y, x⊗x in each shipped carrier; the proof is of every K"


def collapsing(carrier: Carrier[Any]) -> list[Pair]:
    """Pairs of monomials that the carrier collapses: their sum is one of them."""
    return [pair for pair in product(monomials(carrier), repeat=2) if carrier.plus(*pair) in pair]


def order(carriers: Mapping[str, Carrier[Any]] = CARRIERS) -> tuple[list[str], list[str]]:
    """In the carriers that collapse some p_a and p_b: where p_a ⪯ p_a ⊕ p_b, and where not, a line each."""
    holds: list[str] = []
    fails: list[str] = []
    for name, carrier in carriers.items():
        pairs = collapsing(carrier)
        broken = [pair for pair in pairs if not carrier.leq(pair[0], carrier.plus(*pair))]
        for pair in (broken or pairs)[:1]:
            one, other, whole = map(carrier.text, (*pair, carrier.plus(*pair)))
            sign = "⪯̸" if broken else "⪯"
            line = f"{name}: p_a = {one}, p_b = {other}, p_a ⊕ p_b = {whole}: {one} {sign} {whole}"
            (fails if broken else holds).append(line)
    return holds, fails


def judged(cells: Cells, carriers: Mapping[str, Carrier[Any]] = CARRIERS) -> Outcome:
    """B.3.1's sentence: some carriers that collapse are tried, and the opposite is proved of every K."""
    proof = cells.equation("semiring.dominates-winner")
    holds, fails = order(carriers)
    if fails:
        verdict = "depends" if holds else "holds"
        return Outcome(verdict, "exhaustive", "it fails in carriers that collapse", bound=BOUND, evidence=tuple(fails))
    # That of the carrier which B.3.2 says collapses everything comes first.
    lines = tuple(sorted(holds, key=lambda line: not line.startswith("boolean")))
    if not proof.proved:
        return Outcome("undecided", "proof", "not proved of every K", bound=BOUND, evidence=lines)
    detail = (
        "p_a ⪯ p_a ⊕ p_b is proved for every K, from no axiom: p_b is the d that ⪯ asks for. So it holds in the "
        f"{len(holds)} shipped carriers that collapse p_a and p_b, too. B.3.3 ('holds in every such carrier'), Theorem "
        "2 and B.5.2 say the same, against B.3.1. What may fail is what B.3.2 adds: that p_a can be told from the sum"
    )
    return Outcome("refuted", "proof", detail, bound=BOUND, evidence=lines, equational=(proof,))


CLAIMS = (
    Claim(
        "B32.recover.order",
        "TOKI 2026, Appendix B.3.1",
        "p_a ⪯ p_a ⊕ p_b fails in a carrier that collapses p_a and p_b",
        "⪯ is the natural order; a carrier collapses two monomials if their sum is one of them",
        judged,
    ),
)
