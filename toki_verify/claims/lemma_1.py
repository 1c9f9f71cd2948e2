"""Lemma 1: what π_J preserves, and what N1 is behind it (TOKI 2026, Lemma 1 and Appendix B.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..bridge.image import image
from ..bridge.pullback import JUDGE_LOG, pulled
from ..events import Schedule
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.formulas import Formula, Region, Within
from ..search.decide import Decision
from ..search.witness import Bounds
from .cells import Cells
from .lemma_1_polarity import grows
from .lemma_1_questions import (
    CLEAN,
    COMMIT,
    KINDS,
    LEMMA_1,
    LITERAL,
    N1,
    P2_ON_LOG,
    P3_ON_LOG,
    PLAIN,
    RETURN,
    edges_added,
    edges_differ,
    gained,
    lost,
)
from .model import Claim, Outcome, conjunction
from .seed import CLASSICAL

_WHERE = "TOKI 2026, Lemma 1"
_PI = "π_J as in SEMANTICS §6: rows written in the operator's transaction; a repeat with another vote is a second fill"
#: How far a search goes.
_FAR: Final = Bounds(9, 4)
#: What is searched, and among what a smallest schedule is smallest.
_BOUND: Final = f"complete schedules, of up to {_FAR}"


def shown(schedule: Schedule) -> str:
    """A schedule and its image, on a line."""
    return f"S = {schedule}; π_J(S) = {image(schedule).schedule}"


class _Findings:
    """Outcomes of questions, gathered: proofs, schedules and lines of evidence."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.decided: list[Decision] = []
        self.examples: list[Schedule] = []
        self.lines: list[str] = []
        self.open: list[str] = []

    def never(self, id: str) -> bool | None:
        """Whether a question of `LEMMA_1` has no schedule; None: undecided."""
        statement, one, other = LEMMA_1[id]
        found = self.cells.link(id, one & other, statement)
        if found.verdict == "none" and found.proof is not None and len(self.cells.instances(found.proof)) < 2:
            return self._say(id, "undecided: the proof may be vacuous", None)
        self.decided.append(found)
        if found.schedule is not None:
            return self._say(id, f"false: {statement}; {shown(found.schedule)}", False)
        if found.verdict == "none":
            return self._say(id, f"proved for every size: {statement}", True)
        return self._say(id, f"undecided: {statement} ({found.reason})", None)

    def example(self, id: str, formula: Formula, words: str) -> Schedule | None:
        """The smallest schedule of up to nine events that satisfies a formula, if there is one."""
        found = self.cells.search(id, formula, words, _FAR)
        self.examples += found.schedules[:1]
        none = f"none among {_BOUND}" if found.schedule is None else shown(found.schedule)
        self.lines.append(f"{words}: {none}")
        if found.gave_up:
            self.open.append(id)
        return found.schedule

    def _say(self, id: str, line: str, truth: bool | None) -> bool | None:
        self.lines.append(line)
        if truth is None:
            self.open.append(id)
        return truth

    def outcome(
        self, verdict: str, method: str, detail: str, *, counterexample: Schedule | None = None, repair: str = ""
    ) -> Outcome:
        """What was found; undecided where a question is open."""
        if self.open:
            verdict, detail = "undecided", f"undecided: {', '.join(self.open)}"
        proofs = tuple(found.proof for found in self.decided if found.verdict == "none" and found.proof is not None)
        schedules = [found.schedule for found in self.decided if found.schedule is not None] + self.examples
        return Outcome(
            verdict,
            method,
            detail,
            proofs,
            tuple(dict.fromkeys(schedule for schedule in schedules if schedule != counterexample)),
            counterexample,
            repair,
            _BOUND,
            evidence=tuple(self.lines),
            instances={proof.id: self.cells.instances(proof) for proof in proofs},
        )


# -- the graph -------------------------------------------------------------------------------------------------------
def _graph(cells: Cells) -> Outcome:
    findings = _Findings(cells)
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
        findings = _Findings(cells)
        if f"L1.transfer.{name}.lost" in LEMMA_1:
            kept = findings.never(f"L1.transfer.{name}.lost")
        else:
            none = findings.example(f"L1.transfer.{name}.lost", lost(name), f"{name} is lost") is None
            kept = none and grows(formula)
            findings.lines.append(
                f"{name} asks for edges and for no absence of one, and L1.graph has that none is lost: "
                + ("so it is not lost" if kept else "no")
            )
        example = findings.example(f"L1.transfer.{name}.gained", gained(name), f"{name} is gained")
        if f"L1.transfer.{name}.under-H1" in LEMMA_1:
            saved = findings.never(f"L1.transfer.{name}.under-H1")
        else:
            words = f"{name} is gained under H1[return] and H1[commit]"
            saved = findings.example(f"L1.transfer.{name}.H1", (RETURN & COMMIT) & gained(name), words) is None
        same = pulled(operand) == operand
        detail = (
            f"π_J(S) may show {name} where S does not{'' if kept else ', and S where π_J(S) does not'}; "
            + (
                "under H1 it does not"
                if saved
                else "under H1, too: an edge through the log closes a cycle of operand edges"
            )
            + f"; on an operand table {name} is the same formula before and behind π_J: {'yes' if same else 'no'}"
        )
        if example is None:
            return findings.outcome("holds" if kept else "refuted", "exhaustive", detail)
        repair = f"{name} on the operand tables alone transfers, in both directions" if same else ""
        verdict = "holds-repaired" if same else "refuted"
        return findings.outcome(verdict, "proof", detail, counterexample=example, repair=repair)

    return judge


def _level(cells: Cells) -> Outcome:
    findings = _Findings(cells)
    found = []
    for spec in ("RC", "SI", "SR"):
        level = parse_spec(spec).formula
        example = findings.example(
            f"L1.transfer.level.{spec}", level & ~pulled(level), f"S is at {spec}, π_J(S) is not"
        )
        under = (RETURN & COMMIT) & level & ~pulled(level)
        findings.example(f"L1.transfer.level.{spec}.H1", under, f"the same under H1[return] and H1[commit], {spec}")
        findings.example(f"L1.transfer.level.{spec}.back", ~level & pulled(level), f"π_J(S) is at {spec}, S is not")
        found.append(example)
    first = next((schedule for schedule in found if schedule is not None), None)
    detail = "a schedule and its image need not be at the same levels: rows of the log are rows, and may be read dirty"
    return findings.outcome("refuted" if first else "holds", "exhaustive", detail, counterexample=first)


def _all_transfers(cells: Cells) -> Outcome:
    parts = [(f"L1.transfer.{name}", _transfer(name)(cells)) for name in CLASSICAL]
    parts.append(("L1.transfer.level", _level(cells)))
    whole = conjunction(parts, "every classical verdict transfers")
    unknown = [id for id, part in parts if part.verdict == "undecided"]
    wrong = [id for id, part in parts if part.verdict in ("refuted", "holds-repaired")]
    if unknown or not wrong:
        return whole
    first = min((p.counterexample for _, p in parts if p.counterexample is not None), key=lambda s: (len(s), str(s)))
    return Outcome(
        "holds-repaired",
        "proof",
        "literally false: π_J(S) has accesses to the log, and shows what S does not for " + ", ".join(wrong),
        whole.proofs,
        (),
        first,
        "every classical verdict on the operand tables transfers: it is the same formula before and behind π_J",
        _BOUND,
        tuple(parts),
        # Of the schedules of its parts another may do here: they stand with the parts.
        tuple(f"{id}: {part.verdict}: {part.detail}" for id, part in parts),
        instances=whole.instances,
    )


# -- N1 --------------------------------------------------------------------------------------------------------------
def _equation(cells: Cells) -> Outcome:
    """Equation (2) with no hypothesis but that votes are known and that the log is the judge's."""
    findings = _Findings(cells)
    findings.never("L1.n1.no-P3")
    either = P2_ON_LOG | P3_ON_LOG
    forward = findings.example("L1.n1.literal.if", PLAIN & N1 & ~either, "N1 without P2 or P3 on the row")
    findings.example("L1.n1.literal.only-if", PLAIN & either & ~N1, "P2 or P3 on the row without N1")
    detail = (
        "without H1 neither direction holds. P3 cannot come: Lemma 1 maps a first call to a write and later calls to "
        "reads of the row, and none of them is a predicate read"
    )
    return findings.outcome("refuted" if forward else "undecided", "exhaustive", detail, counterexample=forward)


def _under_return(cells: Cells) -> Outcome:
    findings = _Findings(cells)
    empty = [findings.never(f"L1.n1.no-{side}") for side in ("N1", "P2", "P3")]
    detail = (
        "where later calls return the row, no schedule shows N1 and no image P2 or P3 on the log: both sides are false"
    )
    return findings.outcome("vacuous" if all(empty) else "refuted", "proof", detail)


def _under_commit(cells: Cells) -> Outcome:
    findings = _Findings(cells)
    forward = findings.example(
        "L1.n1.commit.if", PLAIN & COMMIT & N1 & ~P2_ON_LOG, "N1 without P2, rows that are read are committed"
    )
    back = findings.example(
        "L1.n1.commit.only-if", PLAIN & COMMIT & P2_ON_LOG & ~N1, "P2 without N1, rows that are read are committed"
    )
    detail = f"⇒ fails{'' if back is None else ', and ⇐ as well: a fill over a vote that is rolled back later'}"
    return findings.outcome(
        "refuted" if forward or back else "holds", "exhaustive", detail, counterexample=forward or back
    )


def _literal_h1(cells: Cells) -> Outcome:
    findings = _Findings(cells)
    example = findings.example("L1.n1.H1", PLAIN & LITERAL & N1, "N1 although no committed operator wrote a row")
    detail = (
        "Lemma 1 has w_i write the row, in the operator's transaction, and asks that the row be committed before the "
        "operator is: no committed operator can fill a row"
        + ("; what is left still shows N1" if example else "; then no schedule shows N1")
    )
    return findings.outcome("refuted" if example else "vacuous", "exhaustive", detail, counterexample=example)


def _repaired(cells: Cells) -> Outcome:
    findings = _Findings(cells)
    ids = ("L1.n1.N1-refills", "L1.n1.refill-sees", "L1.n1.refill-differs", "L1.n1.RC-is-clean", "L1.n1.P2-is-N1")
    kept = [findings.never(id) for id in ids]
    detail = (
        f"at RC on {JUDGE_LOG}, N1 in S ⇔ in π_J(S) a committed transaction writes a row that a committed one had used "
        "before; P2 on the row is one way to see it, not the only one"
    )
    return findings.outcome("holds" if all(kept) else "refuted", "proof", detail)


def _n1(cells: Cells) -> Outcome:
    parts = [(claim.id, claim.decide(cells)) for claim in _N1_PARTS]
    whole = conjunction(parts, "N1 ⇔ P2 ∨ P3 on the row")
    unknown = [id for id, part in parts if part.verdict == "undecided"]
    if unknown:
        return whole
    words = ", ".join(f"{id.removeprefix('L1.n1.')}: {part.verdict}" for id, part in parts)
    return Outcome(
        "holds-repaired" if dict(parts)["L1.n1.repaired"].verdict == "holds" else "refuted",
        "proof",
        f"the equation by what is assumed: {words}",
        whole.proofs,
        tuple(schedule for schedule in whole.witnesses if schedule != whole.counterexample),
        whole.counterexample,
        f"at RC on {JUDGE_LOG}: N1 ⇔ a committed call fills the row behind another committed call at its key",
        _BOUND,
        tuple(parts),
        whole.evidence,
        instances=whole.instances,
    )


_N1_PARTS: Final = (
    Claim(
        "L1.n1.literal",
        f"{_WHERE}, equation (2)",
        "N1 at κ in S ⇔ P2 or P3 at judge_log[κ] in π_J(S)",
        f"{_PI}; no hypothesis",
        _equation,
    ),
    Claim(
        "L1.n1.H1",
        f"{_WHERE}, equation (2)",
        "the same where every row is committed before the operator that it belongs to",
        f"{_PI}; H1 to the letter",
        _literal_h1,
    ),
    Claim(
        "L1.n1.return",
        f"{_WHERE}, equation (2)",
        "the same where later calls return the row",
        f"{_PI}; H1[return]",
        _under_return,
    ),
    Claim(
        "L1.n1.commit",
        f"{_WHERE}, equation (2)",
        "the same where rows that are read are committed",
        f"{_PI}; H1[commit]",
        _under_commit,
    ),
    Claim(
        "L1.n1.repaired",
        "ours, for Lemma 1, equation (2)",
        "N1 at κ in S ⇔ judge_log[κ] is written behind a committed call at κ, by a committed one",
        f"{_PI}; π_J(S) at RC on {JUDGE_LOG}",
        _repaired,
    ),
)

CLAIMS: Final = (
    Claim(
        "L1.graph",
        _WHERE,
        "π_J preserves the conflict graph of the operand tables",
        f"{_PI}; operand tables: all but the two logs",
        _graph,
    ),
    Claim(
        "L1.transfer",
        _WHERE,
        "every classical verdict is the same of S and of π_J(S), and π_J(S) is at the levels of S",
        f"{_PI}; no hypothesis; the seven of Theorem 1 in their default readings",
        _all_transfers,
    ),
    *(
        Claim(
            f"L1.transfer.{name}",
            _WHERE,
            f"S shows {name} ⇔ π_J(S) shows {name}",
            f"{_PI}; no hypothesis",
            _transfer(name),
        )
        for name in CLASSICAL
    ),
    Claim("L1.transfer.level", _WHERE, "S is at RC, SI, SR ⇔ π_J(S) is", f"{_PI}; 'refines S on the iso axis'", _level),
    Claim(
        "L1.n1",
        f"{_WHERE}, equation (2)",
        "N1 at κ in S ⇔ P2 or P3 at judge_log[κ] in π_J(S), under H1 and H2",
        f"{_PI}; each part of H1 by itself",
        _n1,
    ),
    *_N1_PARTS,
)

__all__ = ["CLAIMS", "CLEAN", "shown"]
