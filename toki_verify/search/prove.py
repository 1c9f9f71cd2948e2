"""Proofs for schedules of every size: no well-formed schedule satisfies a formula.

`prove` reads the formula in the unbounded reading, splits it into cases, looks for what induction can say of the
closures it seeks, and asks every solver whether the hypotheses of each case have a model. All solvers read the same
text. It never refutes: only a schedule does.

The search goes through stages, each with more hypotheses. An obligation is printed with hypotheses of which none can
be left out. Stages, cases, candidates and names come in a fixed order.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..events import Schedule
from ..relations.axioms import AXIOMS
from ..relations.concrete import Concrete
from ..relations.firstorder import FALSE, TRUE
from ..relations.formulas import Acyclic, Formula, Irreflexive, Some
from ..relations.induction import (
    Candidate,
    base_case,
    closure_candidates,
    closures_in,
    interval_candidates,
    lemma,
    lemma_formula,
    rank_candidates,
    split_candidates,
    step_case,
)
from ..relations.printing import term_text
from ..relations.structure import Closure, Hypothesis, region_text
from ..relations.unbounded import Unbounded
from .cases import Part, cases, common, refined
from .obligations import DISAGREE, LEMMA, Clock, Obligation, ask, stored, used
from .smtlib import without_header
from .stages import LEMMA_STAGES, STAGES, Stage, axioms, place

__all__ = ["Held", "Lemma", "Obligation", "Proof", "hypotheses_hold", "prove", "replay"]

NO_PROOF = "no proof found"


@dataclass(frozen=True)
class Lemma:
    """An inclusion proved by induction, with the formulas that say it of a schedule.

    `then` holds of every schedule of which all of `given` hold.
    """

    words: str
    given: tuple[Formula, ...]
    then: Formula


@dataclass(frozen=True)
class Proof:
    """What came of an attempt: `proved`, or `undecided` with the reason. It never says that a statement is false."""

    id: str
    statement: str
    formula: Formula
    status: str
    reason: str
    obligations: tuple[Obligation, ...]
    lemmas: tuple[Lemma, ...]
    stage: str
    axioms: tuple[str, ...]
    seconds: float = field(compare=False, default=0.0)

    @property
    def proved(self) -> bool:
        """Whether every obligation is met by every solver."""
        return self.status == "proved"


@dataclass(frozen=True)
class Held:
    """Whether the hypotheses of a proof hold of a schedule; false with what does not."""

    holds: bool
    explanation: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return self.holds


def prove(
    formula: Formula,
    *,
    id: str,
    statement: str,
    seconds: float = 5.0,
    solvers: Sequence[str] = ("z3", "cvc5"),
    deadline: float | None = None,
) -> Proof:
    """Try to show that no well-formed schedule, of any size, satisfies the formula.

    `proved` needs every obligation to be met by every solver, within `seconds` each, and all of it within `deadline`
    seconds, if that is given. z3 finds the proofs, whichever solvers answer. Obligations printed near the deadline may
    have hypotheses that could be left out. Raises SolverMissing where a solver is not installed.
    """
    return _Attempt(formula, id, statement, Clock(seconds, deadline), tuple(solvers)).run()


def hypotheses_hold(schedule: Schedule, proof: Proof) -> Held:
    """Whether what a proof assumes of every schedule holds of this one, in the concrete reading.

    Every axiom it uses must hold, and every induction lemma where its assumptions do. A proof of which this fails for
    some schedule proves nothing; one whose assumed level no schedule satisfies would say nothing.
    """
    concrete = Concrete(schedule)
    known = {axiom.name: axiom for axiom in AXIOMS}
    broken = [f"axiom {name} does not hold" for name in proof.axioms if not concrete.holds(known[name].formula)]
    broken += [
        f"lemma {found.words} does not hold"
        for found in proof.lemmas
        if all(map(concrete.holds, found.given)) and not concrete.holds(found.then)
    ]
    return Held(not broken, tuple(broken))


class _Attempt:
    def __init__(
        self,
        formula: Formula,
        id: str,
        statement: str,
        clock: Clock,
        solvers: tuple[str, ...],
        stored: Sequence[str] | None = None,
    ) -> None:
        self.formula, self.id, self.statement = formula, id, statement
        self.stored = stored
        self.clock, self.solvers = clock, solvers
        self.cases, self.trivial = cases(formula)
        self.assumed = [part for part in common(self.cases) if part.universal]
        self.obligations: list[Obligation] = []

    def run(self) -> Proof:
        began = time.perf_counter()
        # A cycle sought of a relation assumed acyclic is false by its form, and needs no lemma to say so.
        stated = [case for case in self.trivial if not isinstance(case[0].formula, Acyclic)]
        rounds = [_Round(self, [*self.cases, *stated], Unbounded(), self.id), self._without_accesses()]
        reason = next((reason for reason in (round_.run() for round_ in rounds) if reason), "")
        self.obligations = used(self.obligations)
        shown = {obligation.shows for obligation in self.obligations}
        lemmas = [(c, i) for round_ in rounds for c, i in round_.lemmas if _words(c, i) in shown]
        given = tuple(part.whole for part in self.assumed)
        return Proof(
            self.id,
            self.statement,
            self.formula,
            "undecided" if reason else "proved",
            reason,
            tuple(self.obligations),
            tuple(Lemma(_words(c, i), given, lemma_formula(c, i)) for c, i in lemmas),
            max((obligation.stage for obligation in self.obligations), key=place, default="by its form"),
            tuple(dict.fromkeys(name for obligation in self.obligations for name in obligation.axioms)),
            round(time.perf_counter() - began, 3),
        )

    def _without_accesses(self) -> _Round:
        """The cases of schedules without accesses, which are no models since no sort is empty: mostly none at all."""
        left = [
            case
            for case in self.cases
            if FALSE not in (Unbounded(accesses=False).statement(p.formula, p.positive, p.region) for p in case)
        ]
        return _Round(self, left, Unbounded(accesses=False), f"{self.id}.without-accesses")


class _Round:
    """All obligations of some cases in one reading."""

    def __init__(self, attempt: _Attempt, chosen: list[tuple[Part, ...]], reading: Unbounded, id: str) -> None:
        self.attempt, self.cases, self.reading, self.id = attempt, chosen, reading, id
        self.lemmas: list[tuple[Closure, Candidate]] = []
        self.inducted: set[Closure] = set()

    def run(self) -> str:
        """The reason why a case is not proved, or nothing."""
        self._inductions()
        for number, case in enumerate(self.cases, 1):
            id = self.id if len(self.cases) == 1 else f"{self.id}.case-{number}"
            reason = self._main(id, case)
            parts = refined(case) if reason == NO_PROOF else []
            if len(parts) > 1 and not self.attempt.clock.over:
                names = [f"{id}{chr(ord('a') + at)}" for at in range(len(parts))]
                reason = next(filter(None, map(self._main, names, parts)), "")
            if reason:
                limit = self.attempt.clock.over and not reason.startswith(DISAGREE)
                return f"{id}: {NO_PROOF}: {self.attempt.clock.limit}" if limit else f"{id}: {reason}"
        return ""

    def _main(self, id: str, case: tuple[Part, ...]) -> str:
        shows = "no schedule satisfies: " + " and ".join(part.text for part in case)
        asked: list[list[Hypothesis]] = []
        reason = NO_PROOF
        for stage in STAGES:
            if self.attempt.clock.over:
                break
            hypotheses = self._hypotheses(case, stage)
            if hypotheses not in asked:
                asked.append(hypotheses)
                obligation = self._question(id, "main", shows, hypotheses, stage)
                if obligation is None:
                    continue
                reason = "" if obligation.met else obligation.said
                if obligation.met or reason.startswith(DISAGREE):
                    self.attempt.obligations.append(obligation)
                    break
        return reason

    # -- induction -----------------------------------------------------------------------------------------------------
    def _inductions(self) -> None:
        sought = [part for case in self.cases for part in case if not part.universal]
        wanted = dict.fromkeys((term, part.region) for part in sought for term in closures_in(part.formula))
        if not wanted:
            return
        for part in self.attempt.assumed:  # so that its rankings and closures are known
            self.reading.statement(part.formula, part.positive, part.region)
        excluded = dict.fromkeys(
            (term, part.region)
            for part in self.attempt.assumed
            if isinstance(part.formula, (Some, Irreflexive))
            for term in closures_in(part.formula)
        )
        for term, region in {**excluded, **wanted}:
            closure = self.reading.closure(term, region)
            if (term, region) in excluded:
                self._split(closure)
            if (term, region) in wanted:
                self._induct(closure)

    def _split(self, closure: Closure) -> None:
        """Where cycles through one part of a relation are excluded, its paths are told apart by that part."""
        for alone, candidate in split_candidates(self.reading, closure):
            self._induct(self.reading.closure(alone, closure.region))
            if self._induction(closure, candidate):
                self.lemmas.append((closure, candidate))

    def _induct(self, closure: Closure) -> None:
        """Every lemma about one closure that can be proved: the strongest of each ranking, and each other closure."""
        if closure in self.inducted:
            return
        self.inducted.add(closure)
        reading = self.reading
        rankings = list(reading.rankings.values())
        groups = [list(rank_candidates(reading, closure, found, self.attempt.formula)) for found in rankings]
        groups += [[candidate] for candidate in closure_candidates(closure, list(reading.closures.values()))]
        groups.append(list(interval_candidates(reading, closure, self.attempt.formula)))
        for group in groups:
            for candidate in group:
                if self._induction(closure, candidate):
                    self.lemmas.append((closure, candidate))
                    break

    def _induction(self, closure: Closure, candidate: Candidate) -> bool:
        found = []
        words = _words(closure, candidate)
        if self.attempt.clock.over:
            return False
        for name, build in (("base", base_case), ("step", step_case)):
            id = f"{self.id}.induction-{len(self.lemmas) + 1}-{name}"
            goal = Hypothesis(build(self.reading, closure, candidate), f"induction {name}, denied: {words}")
            for stage in LEMMA_STAGES:
                hypotheses = self._hypotheses(self.attempt.assumed, stage, [goal])
                obligation = self._question(id, f"induction {name}", words, hypotheses, stage)
                if obligation is not None:
                    break
            if obligation is None or not obligation.met:
                return False
            found.append(obligation)
        self.attempt.obligations += found
        return True

    # -- questions -----------------------------------------------------------------------------------------------------
    def _hypotheses(self, parts: Iterable[Part], stage: Stage, more: Iterable[Hypothesis] = ()) -> list[Hypothesis]:
        """The parts, the lemmas proved so far, the axioms of the stage, and what all of these mention."""
        reading = self.reading
        found = [
            Hypothesis(reading.statement(part.formula, part.positive, part.region), f"assumed: {part.text}")
            for part in parts
        ]
        found += more
        found += [Hypothesis(lemma(reading, c, i), f"{LEMMA}{_words(c, i)}") for c, i in self.lemmas]
        found += axioms(reading, self.attempt.formula, stage)
        said = [hypothesis.statement for hypothesis in found]
        found += reading.background(said, opaque=stage.opaque, unfold=stage.unfold)
        return [hypothesis for hypothesis in found if hypothesis.statement != TRUE]

    def _question(
        self, id: str, role: str, shows: str, hypotheses: list[Hypothesis], stage: Stage
    ) -> Obligation | None:
        """The obligation with hypotheses that are enough; None where z3 finds no proof."""
        attempt = self.attempt
        if attempt.stored is not None:
            return stored(attempt.stored, id, role, shows, hypotheses, stage)
        header = (id, f"statement: {attempt.statement}", f"role: {role} (hypotheses: {stage.name})", f"shows: {shows}")
        return ask(id, role, shows, hypotheses, stage, header=header, clock=attempt.clock, solvers=attempt.solvers)


def replay(formula: Formula, *, id: str, statement: str, texts: Sequence[str]) -> Proof:
    """The proof that these obligations make, without asking a solver: whether each is what the definitions as they are
    now make of some question, and together they are all that is to be shown.

    `proved` here says that the statement follows from the obligations; that they have no models is for the solvers and
    the kernel to say. An obligation may leave hypotheses out; anything else in it is refused.
    """
    return _Attempt(formula, id, statement, Clock(0.0), (), [without_header(text) for text in texts]).run()


def _words(closure: Closure, candidate: Candidate) -> str:
    mine, other = ("" if r is None else f" within {region_text(r)}" for r in (closure.region, candidate.region))
    return f"({term_text(closure.of)})⁺(t, u){mine} implies {candidate.words}{other}"
