"""Theorem 3's order of the carriers, 𝔹 ≡ multilinear ⊊ multidegree, and the paper's counts (TOKI 2026, Appendix E.3).

"The condition orders the three shipped carriers": by the instances that meet the condition, or by those recovered.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from ..algebra.carriers import BOOLEAN, MULTIDEGREE, MULTILINEAR, Carrier
from .cells import Cells
from .model import Claim, Outcome
from .queries import BOUND, READING, answers, recovered, shown, smallest
from .recovery_classes import Instance, degree_of, inside, largest, text_of

_CHAIN: Final = ((BOOLEAN, MULTILINEAR), (MULTILINEAR, MULTIDEGREE))
#: How many of how many instances a carrier recovers: Appendix B.3.4, Table 22 and the paragraph before it.
PRINTED: Final = {"boolean": 0, "multilinear": 106, "multidegree": 375}
PRINTED_OF: Final = 375


def meeting(carrier: Carrier[Any]) -> frozenset[Instance]:
    """The instances that meet the condition, degree at least 2."""
    table = answers(carrier, "power")
    return frozenset(one for one in table.instances() if (degree_of(carrier, table.of[one]) or 0) >= 2)


def _sets(which: str, name: tuple[str, ...]) -> list[frozenset[Instance]]:
    chosen = frozenset(inside(name))
    carriers = (BOOLEAN, MULTILINEAR, MULTIDEGREE)
    return [chosen & (meeting(found) if which == "condition" else recovered(found, "power")) for found in carriers]


def as_ordered(which: str, name: tuple[str, ...] = ()) -> bool:
    """Whether 𝔹 ≡ multilinear ⊊ multidegree, by the instances of a class that meet the condition, or are recovered."""
    boolean, multilinear, multidegree = _sets(which, name)
    return boolean == multilinear < multidegree


def _order(cells: Cells) -> Outcome:
    met = dict(zip(("𝔹", "multilinear", "multidegree"), map(len, _sets("condition", ())), strict=True))
    condition, both = as_ordered("condition"), as_ordered("recovered")
    lines = []
    for one, other in _CHAIN:
        for more, less in ((one, other), (other, one)):
            apart = recovered(more, "power") - recovered(less, "power")
            first = smallest(apart)
            if first is not None:
                said = [f"{found.name}: {shown(found, *first, 'power')}" for found in (more, less)]
                lines.append(f"{more.name} and not {less.name} recovers {len(apart)} instances: {'; '.join(said)}")
    counts = "; ".join(f"{name} {number}" for name, number in met.items())
    lines.append(f"degree at least 2: {counts} of {len(inside(()))} instances")
    if condition and both:
        return Outcome("holds", "exhaustive", "in both readings", bound=BOUND, evidence=tuple(lines))
    detail = (
        f"of the condition itself, the literal subject of the sentence, it is {str(condition).lower()} (instances of "
        f"degree at least 2: {counts}); of what is recovered, which the theorem says is the same, {str(both).lower()}. "
        "B.3.2, B.3.4 and Table 22 compare the carriers by what is recovered, and find 𝔹 and multilinear different "
        "(T3.order.printed)"
    )
    name = largest(lambda name: as_ordered("recovered", name))
    repair = f"of what is recovered, where {text_of(name)}: {len(inside(name))} instances" if name and not both else ""
    verdict = "depends" if condition != both else "holds-repaired" if repair else "refuted"
    return Outcome(verdict, "exhaustive", detail, bound=BOUND, evidence=tuple(lines), repair=repair)


def by_counts(counts: dict[str, int], total: int) -> Outcome:
    """Whether counts of recovered instances can be those of carriers that are ordered as Theorem 3 orders them."""
    boolean, multilinear, multidegree = (counts[name] for name in ("boolean", "multilinear", "multidegree"))
    said = ", ".join(f"{name} {number} of {total}" for name, number in counts.items())
    if boolean == multilinear < multidegree:
        return Outcome("holds", "exhaustive", said, bound="the printed counts")
    lines = []
    if boolean != multilinear:
        lines.append(f"𝔹 ≡ multilinear asks for one set of recovered instances: {boolean} ≠ {multilinear}")
    if multilinear != total:
        share = Fraction(multilinear, total)
        lines.append(
            f"the sentence with the counts (Appendix E.3) has N[X,T] 'recover every audited write identity', and "
            f"{multilinear} of {total}, which is {float(share):.3f}, at accuracy 0.683; Table 22 has its recall as 1.00"
        )
    return Outcome("refuted", "exhaustive", said, bound="the printed counts", evidence=tuple(lines))


CLAIMS = (
    Claim(
        "T3.order",
        "TOKI 2026, Theorem 3",
        "the condition orders the carriers: 𝔹 ≡ multilinear ⊊ multidegree",
        f"{READING}; carriers are compared by the instances of degree at least 2, or by those that they recover",
        _order,
    ),
    Claim(
        "T3.order.printed",
        "TOKI 2026, Theorem 3 beside Appendix B.3.4 and Table 22",
        "the paper's counts of what each carrier recovers are ordered as in Theorem 3: 𝔹 ≡ multilinear ⊊ multidegree",
        "carriers that are equivalent recover the same instances, so equally many; the counts are taken as printed",
        lambda cells: by_counts(PRINTED, PRINTED_OF),
    ),
)
