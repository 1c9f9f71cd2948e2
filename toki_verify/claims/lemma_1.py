"""Lemma 1: what π_J preserves of the conflict graph and of verdicts (TOKI 2026, Lemma 1 and Appendix B.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..bridge.pullback import pulled
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.formulas import Region, Within
from .cells import Cells
from .lemma_1_findings import BOUND, PI, WHERE, Findings, behind, shown
from .lemma_1_n1 import N1_CLAIMS
from .lemma_1_polarity import grows
from .lemma_1_questions import CLEAN, COMMIT, KINDS, LEMMA_1, RETURN, edges_added, edges_differ, gained, lost
from .model import Claim, Outcome, conjunction
from .seed import CLASSICAL


# -- the graph -------------------------------------------------------------------------------------------------------
def _graph(cells: Cells) -> Outcome:
    findings = Findings(cells)
    different = [
        kind
        for kind in KINDS
        if findings.example(f"L1.graph.{kind}", edges_differ(kind), f"a {kind} edge of operand tables is lost or made")
    ]
    added = [
        kind for kind in KINDS if findings.example(f"L1.graph.log.{kind}", edges_added(kind), f"{kind} edges are added")
    ]
    detail = (
        f"between accesses of the operand tables the edges {', '.join(KINDS)} are those of S; on the log π_J adds "
        f"{', '.join(added)} edges, so the conflict graph as a whole is another one"
    )
    if different:
        return findings.outcome("refuted", "exhaustive", f"not preserved: {', '.join(different)}")
    return findings.outcome("holds", "exhaustive", detail)


# -- the classical verdicts ------------------------------------------------------------------------------------------
def _transfer(name: str) -> Callable[[Cells], Outcome]:
    formula = phenomenon(name).formula
    operand = Within(formula, Region(table="facts"))

    def judge(cells: Cells) -> Outcome:
        findings = Findings(cells)
        if f"L1.transfer.{name}.lost" in LEMMA_1:
            kept = findings.never(f"L1.transfer.{name}.lost")
        else:
            none = findings.example(f"L1.transfer.{name}.lost", lost(name), f"{name} is lost") is None
            kept = none and grows(formula)
            findings.lines.append(
                f"{name} asks for edges and for no absence of one, and L1.graph has that none is lost: "
                + ("so it is not lost" if kept else "no")
            )
        example = None
        if f"L1.transfer.{name}.under-H1" in LEMMA_1:
            saved = findings.never(f"L1.transfer.{name}.under-H1")
        else:
            # Lemma 1 is stated of a logging discipline: a schedule that keeps it refutes more than one that does not.
            words = f"{name} is gained under H1[return] and H1[read]"
            example = findings.example(f"L1.transfer.{name}.H1", (RETURN & COMMIT) & gained(name), words)
            saved = example is None
        if example is None:
            example = findings.example(f"L1.transfer.{name}.gained", gained(name), f"{name} is gained")
        same = pulled(operand) == operand
        detail = (
            f"π_J(S) may show {name} where S does not{'' if kept else ', and S where π_J(S) does not'}; "
            + (
                "under H1[return] (P1: and H1[read]) it does not"
                if saved
                else "under H1[return] and H1[read], too: an edge through the log closes a cycle of operand edges"
            )
            + f"; on an operand table {name} is the same formula before and behind π_J: {'yes' if same else 'no'}"
        )
        if example is not None:
            findings.lines.append(behind(name, example))
        if example is None:
            return findings.outcome("holds" if kept else "refuted", "exhaustive", detail)
        repair = f"{name} on the operand tables alone transfers, in both directions" if same else ""
        verdict = "holds-repaired" if same else "refuted"
        return findings.outcome(verdict, "proof", detail, counterexample=example, repair=repair)

    return judge


def _level(cells: Cells) -> Outcome:
    findings = Findings(cells)
    found = []
    for spec in ("RC", "SI", "SR"):
        level = parse_spec(spec).formula
        example = findings.example(
            f"L1.transfer.level.{spec}", level & ~pulled(level), f"S is at {spec}, π_J(S) is not"
        )
        under = (RETURN & COMMIT) & level & ~pulled(level)
        findings.example(f"L1.transfer.level.{spec}.H1", under, f"the same under H1[return] and H1[read], {spec}")
        findings.example(f"L1.transfer.level.{spec}.back", ~level & pulled(level), f"π_J(S) is at {spec}, S is not")
        found.append(example)
    first = next((schedule for schedule in found if schedule is not None), None)
    pinned = [parse_spec(f"{spec}@facts").formula for spec in ("RC", "SI", "SR")]
    same = all(pulled(level) == level for level in pinned)
    detail = (
        "a schedule and its image need not be at the same levels: rows of the log are rows, and may be read dirty; "
        f"pinned to an operand table, a level is the same formula before and behind π_J: {'yes' if same else 'no'}"
    )
    if first is None:
        return findings.outcome("holds", "exhaustive", detail)
    repair = "S is at a level pinned to an operand table (RC@facts, SI@facts, SR@facts) ⇔ π_J(S) is" if same else ""
    verdict = "holds-repaired" if same else "refuted"
    return findings.outcome(verdict, "exhaustive", detail, counterexample=first, repair=repair)


def _all_transfers(cells: Cells) -> Outcome:
    parts = [(f"L1.transfer.{name}", _transfer(name)(cells)) for name in CLASSICAL]
    parts.append(("L1.transfer.level", _level(cells)))
    whole = conjunction(parts, "every classical verdict transfers")
    unknown = [id for id, part in parts if part.verdict == "undecided"]
    wrong = [id for id, part in parts if part.verdict in ("refuted", "holds-repaired")]
    if unknown or not wrong:
        return whole
    # One that keeps H1[return] and H1[read], if there is one: these are gained under both.
    strong = [p.counterexample for id, p in parts if id in ("L1.transfer.P3", "L1.transfer.A5A") and p.counterexample]
    every = [p.counterexample for _, p in parts if p.counterexample is not None]
    first = min(strong or every, key=lambda s: (len(s), str(s)))
    return Outcome(
        "holds-repaired",
        "proof",
        "literally false: π_J(S) has accesses to the log, and shows what S does not for "
        + ", ".join(wrong)
        + "; where rows have transactions of their own: L1.transfer.own",
        whole.proofs,
        (),
        first,
        "every classical verdict on the operand tables transfers: it is the same formula before and behind π_J",
        BOUND,
        tuple(parts),
        # Of the schedules of its parts another may do here: they stand with the parts.
        tuple(f"{id}: {part.verdict}: {part.detail}" for id, part in parts),
        instances=whole.instances,
    )


CLAIMS: Final = (
    Claim(
        "L1.graph",
        WHERE,
        "π_J preserves the conflict graph of the operand tables",
        f"{PI}; operand tables: all but the two logs",
        _graph,
    ),
    Claim(
        "L1.transfer",
        WHERE,
        "every classical verdict is the same of S and of π_J(S), and π_J(S) is at the levels of S",
        f"{PI}; no hypothesis; the seven of Theorem 1 in their default readings",
        _all_transfers,
    ),
    *(
        Claim(
            f"L1.transfer.{name}",
            WHERE,
            f"S shows {name} ⇔ π_J(S) shows {name}",
            f"{PI}; no hypothesis",
            _transfer(name),
        )
        for name in CLASSICAL
    ),
    Claim("L1.transfer.level", WHERE, "S is at RC, SI, SR ⇔ π_J(S) is", f"{PI}; 'refines S on the iso axis'", _level),
    *N1_CLAIMS,
)

__all__ = ["CLAIMS", "CLEAN", "shown"]
