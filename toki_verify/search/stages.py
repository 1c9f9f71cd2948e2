"""Which hypotheses a proof is tried with, few first: a proof from fewer hypotheses is a proof.

Solvers lose their way in hypotheses by which things exist that lead nowhere, so those come last, group by group.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..relations.axioms import AXIOMS, Axiom
from ..relations.firstorder import Statement, introduces
from ..relations.formulas import Formula
from ..relations.induction import vocabulary
from ..relations.structure import Hypothesis
from ..relations.unbounded import Unbounded

#: What is spoken of wherever accesses are: no axiom is left out for mentioning one of these.
_EVERYWHERE: Final = frozenset(
    {"of_txn", "same_txn", "same_item", "initial", "committed", "before", "same_event", "write", "item_read"}
)


@dataclass(frozen=True)
class Stage:
    """Which hypotheses are used: edges by name only or with their definitions; which axioms; closures unfolded or not.

    Axioms are those that speak of what the formula speaks of ("near"), without those by which something exists, but
    for the groups in `existence`; "edges" are the facts about edges alone, "every" all there are. With `only`, those of
    these groups.
    """

    name: str
    opaque: bool = False
    axioms: str = "near"
    existence: tuple[str, ...] = ()
    unfold: bool = False
    only: tuple[str, ...] = ()


#: Which versions there are, which were seen and which match: what depends on no position in the schedule.
_VERSIONS = ("kinds", "predicate", "committed", "final", "installed", "order", "row", "committed-before", "match")
_GROUPS = ("read", "row", "match", "final", "initial", "partition_final")
STAGES: Final[tuple[Stage, ...]] = (
    Stage("edges by name", True, "edges"),
    Stage("edges by name, axioms", True),
    Stage("definitions"),
    Stage("definitions, axioms of versions and predicates", existence=("row", "match"), only=_VERSIONS),
    *(Stage(f"definitions, existence: {group}", existence=(group,)) for group in (*_GROUPS, "order")),
    Stage("definitions, existence: log", existence=("log",)),
    Stage("definitions, existence: row, match", existence=("row", "match")),
    Stage("definitions, existence: " + ", ".join(_GROUPS), existence=_GROUPS),
    Stage("definitions, closures unfolded", unfold=True),
    Stage("definitions, every axiom", axioms="every"),
)
#: Induction is about the graph: its edges need not be known.
LEMMA_STAGES: Final = STAGES[:2]


def place(name: str) -> int:
    """How late a stage comes; -1 for none."""
    return next((place for place, stage in enumerate(STAGES) if stage.name == name), -1)


@cache
def _speaks_of(axiom: Axiom, opaque: bool) -> frozenset[str]:
    return vocabulary(axiom.formula, opaque=opaque)


def axioms(reading: Unbounded, formula: Formula, stage: Stage) -> Iterable[Hypothesis]:
    """The axioms of a stage for a formula."""
    names = _EVERYWHERE | vocabulary(formula, opaque=True)
    if not stage.opaque:
        names |= vocabulary(formula)
    if "start" in names:
        names |= {"concurrent"}  # who did not start after whom
    for axiom in AXIOMS:
        if axiom.represented or not (stage.axioms == "every" or _speaks_of(axiom, stage.opaque) <= names):
            continue
        group = axiom.name.partition(".")[0]
        said = _translated(reading, axiom)
        if stage.axioms == "edges":
            wanted = group == "edge"
        elif group == "edge" and not stage.opaque:
            wanted = False  # it follows from the definitions
        else:
            chosen = not stage.only or group in stage.only
            wanted = chosen and (stage.axioms == "every" or group in stage.existence or not introduces(said))
        if wanted:
            yield Hypothesis(said, f"axiom {axiom.name}: {axiom.source}", axiom.name)


def _translated(reading: Unbounded, axiom: Axiom) -> Statement:
    # Every question of a proof asks for the axioms: they are translated once for each reading.
    found = reading.axioms.get(axiom.name)
    if found is None:
        found = reading.axioms[axiom.name] = reading.statement(axiom.formula)
    return found
