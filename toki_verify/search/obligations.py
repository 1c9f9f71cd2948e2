"""Obligations of a proof: one question to the solvers each, with no more hypotheses than it needs, asked or stored."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..relations.structure import Hypothesis
from .smtlib import assertion, script
from .solvers import Answer, Unreadable, answers, z3_effort
from .stages import Stage

#: Seconds that z3 gets to find a proof at one stage, and to find whether a candidate is an invariant.
PROBE, GUESS = 5.0, 0.5
#: With fewer hypotheses it may take so many times the effort, and so many steps more.
LEEWAY, STEPS = 2, 20_000
DISAGREE, LEMMA = "solvers disagree", "induction lemma: "


@dataclass(frozen=True)
class Clock:
    """The seconds for one question, and for all of them together from now on, if there is a `deadline`."""

    seconds: float
    deadline: float | None = None
    began: float = field(default_factory=time.perf_counter)

    @property
    def left(self) -> float:
        """Seconds until the deadline."""
        return float("inf") if self.deadline is None else self.began + self.deadline - time.perf_counter()

    @property
    def over(self) -> bool:
        """Whether the deadline has passed, or so nearly that no solver would do anything."""
        return self.left < 0.01

    @property
    def limit(self) -> str:
        """The deadline in words."""
        return f"the time limit of {self.deadline:g} s for the whole proof"


@dataclass(frozen=True)
class Obligation:
    """One question to the solvers, met when there is no model. `shows` says in words what follows then.

    `axioms` and `lemmas` are what the text uses of them: names, and what earlier obligations show.
    """

    id: str
    role: str
    shows: str
    text: str
    answers: tuple[Answer, ...]
    stage: str
    axioms: tuple[str, ...]
    lemmas: tuple[str, ...] = ()

    @property
    def met(self) -> bool:
        """Whether every solver found that there is no model."""
        return bool(self.answers) and all(answer.status == "unsat" for answer in self.answers)

    @property
    def said(self) -> str:
        """What the solvers said, where it is no proof."""
        said = ", ".join(f"{a.solver}: {a.status}{f' ({a.reason})' if a.reason else ''}" for a in self.answers)
        disagree = {answer.status for answer in self.answers} >= {"sat", "unsat"}
        return f"{DISAGREE} ({said})" if disagree else said


def ask(
    id: str,
    role: str,
    shows: str,
    hypotheses: list[Hypothesis],
    stage: Stage,
    *,
    header: Sequence[str],
    clock: Clock,
    solvers: Sequence[str],
) -> Obligation | None:
    """The obligation with hypotheses that are enough, and what solvers say of it; None where z3 finds no proof.

    A text that z3 cannot read is a fault of ours: an obligation that is not met, with the reason.
    """
    try:
        needed = enough(hypotheses, PROBE if role == "main" else GUESS, clock)
    except Unreadable as fault:
        return _obligation(id, role, shows, script(hypotheses, header), (fault.answer,), stage, hypotheses)
    if needed is None or clock.over:
        return None
    text = script(needed, header)
    return _obligation(id, role, shows, text, answers(text, clock.seconds, solvers, clock), stage, needed)


def stored(
    texts: Sequence[str], id: str, role: str, shows: str, hypotheses: list[Hypothesis], stage: Stage
) -> Obligation | None:
    """The stored obligation that asks this question with some of the hypotheses; None if there is none."""
    for text in texts:
        needed = [hypothesis for hypothesis in hypotheses if assertion(hypothesis) in text]
        if script(needed) == text:
            return _obligation(id, role, shows, text, (_UNSAT,), stage, needed)
    return None


_UNSAT = Answer("unsat", "", 0.0, "stored", "")


def _obligation(
    id: str, role: str, shows: str, text: str, said: tuple[Answer, ...], stage: Stage, needed: list[Hypothesis]
) -> Obligation:
    axioms = tuple(hypothesis.axiom for hypothesis in needed if hypothesis.axiom is not None)
    lemmas = tuple(h.origin.removeprefix(LEMMA) for h in needed if h.origin.startswith(LEMMA))
    return Obligation(id, role, shows, text, said, stage.name, axioms, lemmas)


def enough(hypotheses: list[Hypothesis], seconds: float, clock: Clock) -> list[Hypothesis] | None:
    """Hypotheses of which none can be left out, found by leaving out halves, quarters …; None without a proof.

    Past the deadline, they are those that were enough so far.
    """
    effort = z3_effort(script(hypotheses), min(seconds, clock.seconds, clock.left))
    if effort is None:
        return None
    size = (len(hypotheses) + 1) // 2
    while True:
        at, before = 0, len(hypotheses)
        while at < len(hypotheses):
            if clock.over:
                return hypotheses
            fewer = hypotheses[:at] + hypotheses[at + size :]
            found = z3_effort(script(fewer), min(PROBE, clock.left), LEEWAY * effort + STEPS)
            if found is None:
                at += size
            else:
                hypotheses, effort = fewer, min(effort, found)
        if size == 1 and len(hypotheses) == before:
            return hypotheses
        size = (size + 1) // 2


def used(obligations: list[Obligation]) -> list[Obligation]:
    """The obligations without the inductions that no later one uses."""
    wanted: set[str] = set()
    found: list[Obligation] = []
    for obligation in reversed(obligations):
        if obligation.role == "main" or obligation.shows in wanted:
            found.append(obligation)
            wanted.update(obligation.lemmas)
    return found[::-1]
