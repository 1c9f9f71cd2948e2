"""Questions of Lemma 1 as they are decided, gathered into outcomes: proofs, schedules, lines of evidence."""

from __future__ import annotations

from typing import Final

from ..bridge.image import image
from ..checker import check
from ..events import Schedule
from ..relations.formulas import Formula
from ..search.decide import Decision
from ..search.witness import Bounds
from .cells import Cells
from .lemma_1_questions import LEMMA_1
from .model import Outcome

WHERE = "TOKI 2026, Lemma 1"
PI = "π_J as in SEMANTICS §6: rows written in the operator's transaction; a repeat with another vote is a second fill"
PLAIN_WORDS = "votes are known, and only judge calls touch the log"
#: How far a search goes.
FAR: Final = Bounds(9, 4)
#: What is searched, and among what a smallest schedule is smallest.
BOUND: Final = f"complete schedules, of up to {FAR}"


def shown(schedule: Schedule) -> str:
    """A schedule and its image, on a line."""
    return f"S = {schedule}; π_J(S) = {image(schedule).schedule}"


def behind(name: str, schedule: Schedule) -> str:
    """What makes a phenomenon true of the image of a schedule, in words."""
    made = image(schedule).schedule
    found = None if made is None else check(made).findings[name].evidence
    return f"{name} of π_J(S), where S = {schedule}: {found.text if found else 'no'}"


class Findings:
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
        found = self.cells.search(id, formula, words, FAR)
        self.examples += found.schedules[:1]
        none = f"none among {BOUND}" if found.schedule is None else shown(found.schedule)
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
            BOUND,
            evidence=tuple(self.lines),
            instances={proof.id: self.cells.instances(proof) for proof in proofs},
        )
