"""Equation (2): what N1 is behind π_J, by what is assumed (TOKI 2026, Lemma 1 and Appendix B.1)."""

from __future__ import annotations

from typing import Final

from ..bridge.image import Logging, image
from ..bridge.pullback import JUDGE_LOG
from ..checker import check
from ..events import Schedule
from .cells import Cells
from .lemma_1_findings import BOUND, PI, PLAIN_WORDS, WHERE, Findings
from .lemma_1_maintenance import MAINTENANCE_CLAIM
from .lemma_1_questions import COMMIT, LITERAL, N1, P2_ON_LOG, P3_ON_LOG, PLAIN
from .model import Claim, Outcome, conjunction


def _equation(cells: Cells) -> Outcome:
    """Equation (2) with no hypothesis but that votes are known and that the log is the judge's."""
    findings = Findings(cells)
    findings.never("L1.n1.no-P3")
    either = P2_ON_LOG | P3_ON_LOG
    forward = findings.example("L1.n1.literal.if", PLAIN & N1 & ~either, "N1 without P2 or P3 on the row")
    findings.example("L1.n1.literal.only-if", PLAIN & either & ~N1, "P2 or P3 on the row without N1")
    if forward is not None:
        findings.lines.append(_to_the_letter(forward))
    detail = (
        "without H1 neither direction holds. P3 cannot come: Lemma 1 maps a first call to a write and later calls to "
        "reads of the row, and none of them is a predicate read"
    )
    return findings.outcome("refuted" if forward else "undecided", "exhaustive", detail, counterexample=forward)


def _to_the_letter(schedule: Schedule) -> str:
    """What becomes of a schedule where every later call is a read, whatever it returned."""
    made = image(schedule, Logging(mismatch="read")).schedule
    shown = [name for name in ("P2", "P3") if made is not None and check(made).findings[name].present]
    return (
        f"with every later call a read, whatever it returned (Lemma 1 to the letter): S = {schedule}; π_J(S) = {made}; "
        f"N1 in S, and of P2 and P3 in π_J(S): {', '.join(shown) or 'none'} (a row is written once)"
    )


def _under_return(cells: Cells) -> Outcome:
    findings = Findings(cells)
    empty = [findings.never(f"L1.n1.no-{side}") for side in ("N1", "P2", "P3")]
    detail = (
        "where later calls return the row, no schedule shows N1 and no image P2 or P3 on the log: both sides fail. "
        "That needs rows that only calls write (L1.n1.maintenance)"
    )
    return findings.outcome("vacuous" if all(empty) else "refuted", "proof", detail)


def _under_commit(cells: Cells) -> Outcome:
    findings = Findings(cells)
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
    findings = Findings(cells)
    example = findings.example("L1.n1.H1", PLAIN & LITERAL & N1, "N1 although no committed operator wrote a row")
    detail = (
        "Lemma 1 has w_i write the row, in the operator's transaction, and asks that the row be committed before the "
        "operator is: no committed operator can fill a row"
        + ("; what is left still shows N1" if example else "; then no schedule shows N1")
    )
    return findings.outcome("refuted" if example else "vacuous", "exhaustive", detail, counterexample=example)


def _repaired(cells: Cells) -> Outcome:
    findings = Findings(cells)
    ids = ("L1.n1.N1-refills", "L1.n1.refill-sees", "L1.n1.refill-differs", "L1.n1.RC-is-clean", "L1.n1.P2-is-N1")
    kept = [findings.never(id) for id in ids]
    detail = (
        f"at RC on {JUDGE_LOG}, N1 in S ⇔ in π_J(S) a committed call writes a row that a committed one had used; P2 "
        " on the row is one way to see it, not the only one"
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
        f"where {PLAIN_WORDS}, at RC on {JUDGE_LOG}: N1 ⇔ a committed call fills the row behind another one at its key",
        BOUND,
        tuple(parts),
        whole.evidence,
        instances=whole.instances,
    )


_N1_PARTS: Final = (
    Claim(
        "L1.n1.literal",
        f"{WHERE}, equation (2)",
        "N1 at κ in S ⇔ P2 or P3 at judge_log[κ] in π_J(S)",
        f"{PI}; {PLAIN_WORDS}; no other hypothesis",
        _equation,
    ),
    Claim(
        "L1.n1.H1",
        f"{WHERE}, equation (2)",
        "the same where every row is committed before the operator that it belongs to",
        f"{PI}; {PLAIN_WORDS}; H1[commit]: the row of a call is committed before its operator is",
        _literal_h1,
    ),
    Claim(
        "L1.n1.return",
        f"{WHERE}, equation (2)",
        "the same where later calls return the row",
        f"{PI}; {PLAIN_WORDS}; H1[return]: no call fills behind another one at its key",
        _under_return,
    ),
    Claim(
        "L1.n1.commit",
        f"{WHERE}, equation (2)",
        "the same where rows that are read are committed",
        f"{PI}; {PLAIN_WORDS}; H1[read]: rows that calls read are committed, or the reader's own",
        _under_commit,
    ),
    Claim(
        "L1.n1.repaired",
        "ours, for Lemma 1, equation (2)",
        "N1 at κ in S ⇔ a committed call fills judge_log[κ] behind another committed call at κ",
        f"{PI}; {PLAIN_WORDS}; π_J(S) at RC on {JUDGE_LOG}",
        _repaired,
    ),
    MAINTENANCE_CLAIM,
)

N1_CLAIMS: Final = (
    Claim(
        "L1.n1",
        f"{WHERE}, equation (2)",
        "N1 at κ in S ⇔ P2 or P3 at judge_log[κ] in π_J(S), under H1 and H2",
        f"{PI}; each part of H1 by itself; H2 is about callbacks, no part of the equation; {PLAIN_WORDS}, but for "
        "L1.n1.maintenance",
        _n1,
    ),
    *_N1_PARTS,
)
