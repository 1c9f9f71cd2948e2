"""Allen's relations under composition (Allen 1983; TOKI 2026, Theorem 4 (3), §2.1): T4.allen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Final

from ..algebra import LWW, Fact, Period
from ..algebra.allen import SHARING, Allen, compose, compositions, converse, relation
from .cells import Cells
from .model import Claim, Outcome
from .small_facts import MULTIDEGREE, day, fact

#: The relations as Allen defines them, on the endpoints of [a, b) and [c, d): written out, so that what the package
#: computes is compared with something else.
DEFINITIONS: Final[dict[Allen, Callable[[int, int, int, int], bool]]] = {
    Allen.BEFORE: lambda a, b, c, d: b < c,
    Allen.MEETS: lambda a, b, c, d: b == c,
    Allen.OVERLAPS: lambda a, b, c, d: a < c < b < d,
    Allen.STARTS: lambda a, b, c, d: a == c and b < d,
    Allen.DURING: lambda a, b, c, d: c < a and b < d,
    Allen.FINISHES: lambda a, b, c, d: c < a and b == d,
    Allen.EQUALS: lambda a, b, c, d: a == c and b == d,
    Allen.FINISHED_BY: lambda a, b, c, d: a < c and b == d,
    Allen.CONTAINS: lambda a, b, c, d: a < c and d < b,
    Allen.STARTED_BY: lambda a, b, c, d: a == c and d < b,
    Allen.OVERLAPPED_BY: lambda a, b, c, d: c < a < d < b,
    Allen.MET_BY: lambda a, b, c, d: d == a,
    Allen.AFTER: lambda a, b, c, d: d < a,
}
#: Three periods have six endpoints; eight instants leave room between them.
INSTANTS: Final = (6, 8)


def periods(instants: int) -> list[Period[int]]:
    """Every period over some instants."""
    return [Period(a, b) for a in range(instants) for b in range(a + 1, instants)]


def partition_faults(instants: int) -> list[str]:
    """Pairs of periods of which not exactly one definition is true, or of which `relation` says another."""
    found = []
    for one, other in product(periods(instants), repeat=2):
        true = [name for name, holds in DEFINITIONS.items() if holds(one.start, one.end, other.start, other.end)]
        if true != [relation(one, other)]:
            found.append(f"[{one.start},{one.end}) and [{other.start},{other.end}): {', '.join(map(str, true))}")
        if relation(other, one) is not converse(relation(one, other)):
            found.append(f"the converse of {relation(one, other)}")
        shared = set(range(one.start, one.end)) & set(range(other.start, other.end))
        if bool(shared) != one.overlaps(other) or bool(shared) != (relation(one, other) in SHARING):
            found.append(f"[{one.start},{one.end}) and [{other.start},{other.end}): shared instants {sorted(shared)}")
    return found


def table(instants: int) -> dict[tuple[Allen, Allen], frozenset[Allen]]:
    """The composition table by going through all triples of periods."""
    every = periods(instants)
    named = {pair: relation(*pair) for pair in product(every, repeat=2)}
    found: dict[tuple[Allen, Allen], set[Allen]] = {}
    for (x, y), first in named.items():
        for z in every:
            found.setdefault((first, named[y, z]), set()).add(named[x, z])
    return {pair: frozenset(relations) for pair, relations in found.items()}


def _after(relations: frozenset[Allen], then: Allen) -> frozenset[Allen]:
    return frozenset().union(*(compose(each, then) for each in relations))


def _before(first: Allen, relations: frozenset[Allen]) -> frozenset[Allen]:
    return frozenset().union(*(compose(first, each) for each in relations))


def law_faults() -> list[str]:
    """What is wrong with the composition table as an algebra of relations: identity, converse, associativity."""
    found = []
    for one, other in product(Allen, repeat=2):
        turned = frozenset(converse(each) for each in compose(one, other))
        if turned != compose(converse(other), converse(one)):
            found.append(f"the converse of {one} ; {other}")
    for one in Allen:
        if compose(one, Allen.EQUALS) != {one} or compose(Allen.EQUALS, one) != {one}:
            found.append(f"equals is no identity for {one}")
    for one, other, third in product(Allen, repeat=3):
        if _after(compose(one, other), third) != _before(one, compose(other, third)):
            found.append(f"({one} ; {other}) ; {third}")
    return found


def selection_faults() -> list[str]:
    """Rows that a selection by a relation changes, over the output of an operator and every period of some days."""
    found = []
    for one, other in product(periods(4), repeat=2):
        if not one.overlaps(other):
            continue
        pair = fact("a", "x", (one.start, one.end), at=1), fact("b", "y", (other.start, other.end), at=2)
        output = LWW.resolve(*pair, now=day(3), carrier=MULTIDEGREE).winner
        for probe in periods(4):
            for wanted in Allen:
                selected = [
                    row for row in [output] if relation(row.valid, Period(day(probe.start), day(probe.end))) is wanted
                ]
                if any(not isinstance(row, Fact) or row != output for row in selected):
                    found.append(f"{wanted} over {probe}")
    return found


def _allen(cells: Cells) -> Outcome:
    faults = [fault for instants in INSTANTS for fault in partition_faults(instants)]
    small, large = map(table, INSTANTS)
    if not small == large == compositions():
        faults.append("the composition table depends on the number of instants")
    if len(small) != len(Allen) ** 2:
        faults.append(f"{len(small)} compositions, not {len(Allen) ** 2}")
    faults += law_faults() + selection_faults()
    bound = f"all pairs and triples of periods over {INSTANTS[0]} and {INSTANTS[1]} instants; all triples of relations"
    if faults:
        return Outcome("refuted", "exhaustive", f"{len(faults)} faults", bound=bound, evidence=tuple(faults[:5]))
    evidence = (
        f"{len(Allen)} relations, of which exactly one holds of two periods; {len(SHARING)} share an instant",
        f"{len(small)} compositions, each a set of the thirteen, {sum(map(len, small.values()))} entries in all; "
        f"{sum(len(relations) == 1 for relations in small.values())} are one relation, "
        f"{sum(len(relations) == len(Allen) for relations in small.values())} are all",
        "equals is the identity, the converse turns compositions round, composition is associative",
        "a selection keeps or drops rows, so every selection whatever preserves the type of tuples: closure is not "
        "needed "
        "for it; it is needed where a composed relation is derived instead of computed from the endpoints",
    )
    detail = "selection by a relation preserves the type; the thirteen relations are closed under composition"
    return Outcome("holds", "exhaustive", detail, bound=bound, evidence=evidence)


def _twelve(cells: Cells) -> Outcome:
    """The table without the row and column of equality."""
    twelve = [each for each in Allen if each is not Allen.EQUALS]
    entries = {pair: compose(*pair) for pair in product(twelve, repeat=2)}
    leaving = {pair: relations for pair, relations in entries.items() if Allen.EQUALS in relations}
    if not leaving:
        return Outcome("holds", "exhaustive", "closed", bound="all compositions of the twelve")
    pair, relations = min(leaving.items(), key=lambda item: len(item[1]))
    detail = (
        f"a table of {len(entries)} compositions, which leaves out the row and column of equality (the identity), "
        f"determines the algebra of thirteen; but the twelve are not closed: {len(leaving)} of the compositions have "
        "equals "
        "among their results"
    )
    evidence = (
        f"{pair[0]} ; {pair[1]} = {', '.join(sorted(map(str, relations)))}",
        "[0,1) meets [1,2), which is met-by [0,1): and [0,1) equals [0,1)",
        f"{sum(len(relations) == 1 for relations in entries.values())} of the {len(entries)} are one relation",
    )
    return Outcome("depends", "exhaustive", detail, bound="all compositions of the twelve", evidence=evidence)


ALLEN_CLAIMS = (
    Claim(
        "T4.allen",
        "TOKI 2026, Theorem 4 (3), Lemma 2, §2.1",
        "selection by an Allen relation on a pipeline's output preserves the type of bitemporal tuples, by closure "
        "of the "
        "thirteen relations",
        "closed-open periods; type: the columns and constraints of a fact; closure: a composition is a set of the "
        "thirteen",
        _allen,
    ),
    Claim(
        "T4.allen.twelve",
        "TOKI 2026, Theorem 4 (3) ('the twelve-relation transitivity table that omits equality')",
        "the transitivity table of the twelve relations without equality gives the closure",
        "omits: its row and column (as Allen 1983, Figure 4), or equality altogether",
        _twelve,
    ),
)
