"""A claim and what became of it, as data (SEMANTICS §8)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..events import Schedule
from ..relations.formulas import Formula
from ..search.prove import Proof

if TYPE_CHECKING:
    from .cells import Cells
    from .equational import EquationalProof

#: holds, holds-repaired: true as it stands, or after the repair; refuted: a counterexample; depends: true in one
#: reading and false in another; undecided: neither proof nor counterexample.
VERDICTS = ("holds", "holds-repaired", "refuted", "depends", "vacuous", "undecided", "out-of-scope")


@dataclass(frozen=True)
class Smallest:
    """A schedule, and the formula of which it is a smallest one."""

    schedule: Schedule
    formula: Formula
    statement: str


@dataclass(frozen=True)
class Outcome:
    """What is true of a claim, by which method, and what shows it.

    `detail` says it in words; `proofs` are unbounded proofs, `witnesses` schedules that show what exists,
    `counterexample` the schedule that refutes. `parts` are the outcomes of the claims it is made of.
    """

    verdict: str
    method: str
    detail: str
    proofs: tuple[Proof, ...] = ()
    witnesses: tuple[Schedule, ...] = ()
    counterexample: Schedule | None = None
    repair: str = ""
    bound: str = ""
    parts: tuple[tuple[str, Outcome], ...] = ()
    #: What shows the verdict where it is no schedule: facts, elements, counts, a line each. First of a refuted claim
    #: is its counterexample, as small as it comes.
    evidence: tuple[str, ...] = ()
    #: Proofs of one obligation: about carriers, from the axioms of semirings; about logging disciplines.
    equational: tuple[EquationalProof, ...] = ()
    #: Per proof, by id: schedules that show that its hypotheses can be met.
    instances: dict[str, tuple[Schedule, ...]] = field(default_factory=dict)
    #: Schedules that are claimed to be smallest, by the id of the cell that they were found for.
    smallest: dict[str, Smallest] = field(default_factory=dict)
    #: Where it was decided whether the statement as repaired holds: the verdict ("" where that is no statement that
    #: was checked), and the id of what shows it.
    repair_verdict: str = ""
    repair_artifact: str = ""


@dataclass(frozen=True)
class Claim:
    """A numbered statement of a seed, encoded: `id` of CLAIMS, `where` it stands, the `statement` in our words, the
    `reading` of its loose words, and how it is decided."""

    id: str
    where: str
    statement: str
    reading: str
    decide: Callable[[Cells], Outcome] = field(compare=False)


def conjunction(parts: list[tuple[str, Outcome]], holds: str, method: str = "proof") -> Outcome:
    """The outcome of a claim that asks for all of its parts: `holds` says so where they all hold."""
    refuted = [(id, part) for id, part in parts if part.verdict == "refuted"]
    undecided = [id for id, part in parts if part.verdict == "undecided"]
    verdict, detail = "holds", holds
    counterexample, repair, repaired = None, "", ("", "")
    if refuted:
        names = ", ".join(id for id, _ in refuted)
        verdict = "refuted"
        detail = f"{len(parts) - len(refuted) - len(undecided)} of {len(parts)} hold; false: {names}"
        first = refuted[0][1]
        counterexample, repair = first.counterexample, first.repair
        repaired = first.repair_verdict, first.repair_artifact
    elif undecided:
        verdict, detail = "undecided", f"undecided: {', '.join(undecided)}"
    instances: dict[str, tuple[Schedule, ...]] = {}
    smallest: dict[str, Smallest] = {}
    for _, part in parts:
        instances |= part.instances
        smallest |= part.smallest
    return Outcome(
        verdict,
        method,
        detail,
        tuple({proof.id: proof for _, part in parts for proof in part.proofs}.values()),
        tuple(dict.fromkeys(schedule for _, part in parts for schedule in part.witnesses)),
        counterexample,
        repair,
        "",
        tuple(parts),
        tuple(dict.fromkeys(line for _, part in parts for line in part.evidence)),
        tuple({proof.id: proof for _, part in parts for proof in part.equational}.values()),
        instances,
        smallest,
        *repaired,
    )
