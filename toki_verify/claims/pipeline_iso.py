"""Theorem 4 (1): what a pipeline at its L* shows; N1 by the judge calls that its runs make (TOKI 2026, Corollary 2).

The theorem speaks of schedules that satisfy L* and run the pipeline. Eight predicates are excluded at their guards in
any schedule. N1 is not: whether it shows depends on which judge calls a run makes, so pipelines are run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from typing import Any, Final

from ..algebra import Fact, Pipeline
from ..algebra.oracles import Oracle
from ..algebra.pipeline import PolicyTreatment
from ..events import Schedule
from . import theorem_1
from .cells import Cells
from .composition_grid import TREATMENTS, in_lattice, pipelines
from .judged import at, shows, yes
from .model import Claim, Outcome, conjunction
from .seed import GUARD
from .small_facts import MULTIDEGREE, day, fact

#: Operators of the pipelines that are run, operators of those that are counted, and runs at one key: a replay is one.
RUN, LONGEST, REPLAYS = 2, 5, 2
_N1: Final = "T1.sound.N1.SR"


@dataclass
class Judge:
    """The oracle of both elections, and its keyed log. One pair and one θ are one key (R, θ). `reads` is whether the
    log is read before the oracle is asked (Corollary 2), or not (Algorithm 1, line 14). `events` are its calls."""

    votes: Iterator[int]
    reads: bool
    transaction: int = 1
    log: list[int] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    def __call__(self, members: Sequence[Fact[Any]]) -> int:
        if self.reads and self.log:
            return self.log[0]
        vote = next(self.votes)
        self.log.append(vote)
        self.events.append(f"j{self.transaction}(R, theta)={vote}")
        return vote


def judge_calls(found: Pipeline[Any], votes: Sequence[int], runs: int, *, reads: bool) -> str:
    """The judge calls of a pipeline that is run so often on one pair, each run a transaction of its own."""
    judge = Judge(iter(votes), reads)
    oracles: dict[str, Oracle] = {"await": judge, "rule": judge}
    for number in range(1, runs + 1):
        judge.transaction = number
        pair = fact("a", "x", at=1), fact("b", "y", at=2)
        found.run(*pair, now=day(3), carrier=MULTIDEGREE, oracles=oracles)
        judge.events.append(f"c{number}")
    return " ".join(judge.events)


@dataclass(frozen=True)
class Replayed:
    """A pipeline, what its runs were told, and the schedule of their judge calls."""

    pipeline: Pipeline[Any]
    votes: tuple[int, ...]
    schedule: str

    def __str__(self) -> str:
        steps = ", ".join(step.glyph for step in self.pipeline.steps)
        return f"⟨{steps}⟩ with the votes {', '.join(map(str, self.votes))}: {self.schedule}"


@cache
def every_replay(reads: bool) -> tuple[Replayed, ...]:
    """Every pipeline with an election, run once and replayed, for every sequence of votes; shorter schedules first."""
    found = []
    for each in pipelines(RUN):
        asks = sum(step.asks for step in each.steps)
        for runs in range(1, REPLAYS + 1) if asks else ():
            for votes in product((0, 1), repeat=asks * runs):
                found.append(Replayed(each, votes, judge_calls(each, votes, runs, reads=reads)))
    return tuple(sorted(found, key=lambda each: (len(each.schedule.split()), len(set(each.pipeline.steps)))))


def inconsistent(reads: bool, treatment: PolicyTreatment) -> list[Replayed]:
    """Runs at an L* that dominates the guard of N1 and that show N1 all the same."""
    judged: dict[str, bool] = {}
    found = []
    for each in every_replay(reads):
        wanted = in_lattice(each.pipeline.precondition(treatment))
        if wanted.iso != GUARD["N1"]:
            continue
        if each.schedule not in judged:
            judged[each.schedule] = at(each.schedule, f"{GUARD['N1']}+cb") and shows(each.schedule, "N1")
        found += [each] if judged[each.schedule] else []
    return found


def _by_theorem_1(cells: Cells) -> tuple[Outcome, Outcome]:
    """What Theorem 1 says of any schedule: of the predicates but N1, and of N1."""
    known = {claim.id: claim for claim in theorem_1.CLAIMS}
    ids = [*(f"T1.sound.{name}.{guard}" for name, guard in GUARD.items()), "T1.chain.graph"]
    parts = [(id, known[id].decide(cells)) for id in ids if id != _N1]
    return conjunction(parts, "every guard excludes its predicate, and so above"), known[_N1].decide(cells)


def _lines() -> list[str]:
    reached = {
        treatment: sorted({in_lattice(each.precondition(treatment)).level for each in pipelines(LONGEST)})
        for treatment in TREATMENTS
    }
    lines = [f"L* of pipelines, ⊕c as {name}: {', '.join(levels)}" for name, levels in reached.items()]
    beyond = [name for name, guard in GUARD.items() if not any(guard in level for level in reached["pin"])]
    if beyond:
        lines.append(f"with the pin outside L no L* reaches SR, so (1) says nothing of {', '.join(beyond)}")
    return lines


def _iso(cells: Cells) -> Outcome:
    others, any_schedule = _by_theorem_1(cells)
    if others.verdict != "holds":
        return replace(others, parts=())
    if any_schedule.verdict == "holds":
        proofs = (*others.proofs, *any_schedule.proofs)
        instances = others.instances | any_schedule.instances
        return replace(others, proofs=proofs, instances=instances, evidence=tuple(_lines()), parts=())
    printed, reading = inconsistent(False, "level"), inconsistent(True, "level")
    number = len(every_replay(True))
    bound = (
        f"N1: every pipeline of up to {RUN} operators with an election, run once or {REPLAYS} times at one key one run "
        f"after another, for every sequence of votes ({number} runs); the others: schedules of every size"
    )
    if reading or not printed:
        what = "N1 shows although the log is read" if reading else "no run of a pipeline shows N1"
        schedule = Schedule.parse(reading[0].schedule) if reading else None
        return replace(
            others,
            verdict="refuted" if reading else "holds",
            method="exhaustive",
            detail=what,
            counterexample=schedule,
            bound=bound,
            evidence=tuple(map(str, reading[:1])),
            parts=(),
        )
    smallest = printed[0]
    evidence = (
        f"line 14 as printed, {smallest}; at SR: {yes(at(smallest.schedule, 'SR'))}, shows N1: "
        f"{yes(shows(smallest.schedule, 'N1'))}; both steps run in one wrapping transaction (Remark 2)",
        f"line 14 as printed: {len(printed)} of {number} runs show N1 at an L* that dominates its guard, ⊕c as level",
        f"the log read before it asks: {len(reading)} of {number} runs; the second step takes the vote of the first, "
        "also where ⊕? and ⊕c share a key, as line 14 has it",
        f"of schedules that run no pipeline, T1.sound.N1.SR: {any_schedule.verdict}",
        *_lines(),
    )
    detail = (
        "P0 to A5B and N2 are excluded at their guards whatever the schedule runs. N1 depends on line 14: as printed "
        "(and in Appendix C.5, 'appends synchronously and preserves multiplicity') two elections of one pipeline ask "
        "twice at one key, and no level excludes that; read as Corollary 2, Definition 6 and the call-site contract "
        "('read the keyed log before they commit by construction') have it, no second call is made. The paper is not "
        "consistent: the contract cites §3.4, whose Algorithm 1 reads no log"
    )
    return replace(
        others,
        verdict="depends",
        method="exhaustive",
        detail=detail,
        witnesses=(Schedule.parse(smallest.schedule),),
        repair="line 14: read judge_log[(R, θ)] first, as Corollary 2 does (Alg1.log)",
        bound=bound,
        evidence=evidence,
        parts=(),
    )


ISO_CLAIM = Claim(
    "T4.iso",
    "TOKI 2026, Theorem 4 (1); Remark 2; Corollary 2 and its call-site contract; Algorithm 1, line 14",
    "a pipeline at its L* shows no predicate whose guard L* dominates, N1 and N2 included",
    "all but N1: schedules at L* in the default family, the predicates at their guards, and above them by the chain; "
    "N1: judge calls of runs of the pipeline, with line 14 as printed or with the keyed log read first",
    _iso,
)
