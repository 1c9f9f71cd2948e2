"""T5.bound: what must be asked of a system for N1 to follow from its not being H1-compliant (TOKI 2026, Theorem 5).

Every system of `judge_systems`, in histories of every length; each silent hypothesis with the smallest system that
refutes the statement without it. The repaired statement is proved by a history for each way to fail and an invariant.
"""

from __future__ import annotations

from typing import Final

from ..events import Schedule
from .cells import Cells
from .compliance import (
    COMPLIANCE,
    HYPOTHESES,
    asking,
    left_over,
    needed,
    reached,
    refuters,
    repaired_faults,
    smallest,
    two_keys,
)
from .judge_histories import PRINTED, smallest_n1
from .judge_reach import invariant
from .judge_systems import BOTH, FULL, NAMED, Environment, extended, one_insert
from .judged import yes
from .model import Claim, Outcome

_WHERE = "TOKI 2026, Theorem 5, Definitions 5 and 6"
_BOUND = "histories of every length with at most two operators in flight"


def _bound(cells: Cells) -> Outcome:
    everyone = list(extended())
    lines: list[str] = []
    complete = True
    refuted = 0
    for reading in COMPLIANCE:
        compliant = sum(COMPLIANCE[reading](system) for system in everyone)
        left = left_over(reading)
        complete &= not left
        refuted += len(refuters(reading))
        lines.append(
            f"{reading}: {len(everyone) - compliant} of {len(everyone)} systems are not compliant, "
            f"{len(refuters(reading))} "
            f"of those never show N1, {len(left)} of these meet all hypotheses"
        )
    found = {reading: needed(reading) for reading in COMPLIANCE}
    for hypothesis in HYPOTHESES:
        for reading in COMPLIANCE:
            if hypothesis.name in found[reading]:
                said = f", stated in {hypothesis.said}" if hypothesis.said else ", stated nowhere"
                lines.append(f"without '{hypothesis.words}'{said} ({reading}): {found[reading][hypothesis.name]}")
                break
    unreachable = [
        pair for pair in two_keys() if pair.bounded and not pair.compliant and not (pair.at(0).n1 or pair.at(1).n1)
    ]
    if unreachable:
        one = unreachable[0]
        lines.append(
            "without 'the system lacks the log at an input with two votes' (stated nowhere; 'some operator input' "
            "of the "
            f"oracle need not be the system's): {one.systems[0]} where the votes are {sorted(one.votes[0])}, "
            f"{one.systems[1]} where they are {sorted(one.votes[1])}"
        )
    always = [system for system in extended() if all(system in refuters(reading) for reading in COMPLIANCE)]
    fair = [system for system in always if all(h.met(system) for h in HYPOTHESES if h.said)]
    if fair:
        lines.insert(0, f"{smallest(fair)} is compliant in no reading, exempted nowhere, and no history of it shows N1")
    repaired = repaired_faults()
    detail = (
        "false as it stands: a system that is not compliant need not show N1. Some of the missing hypotheses stand "
        "elsewhere in the paper (Remark 4, Corollary 4), the others nowhere. Repaired it is true, and needs no H1"
    )
    verdict = "holds" if not refuted else "holds-repaired" if complete and not repaired else "refuted"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=(Schedule.parse(PRINTED),),
        repair=REPAIR,
        bound=f"all {len(everyone)} systems of the tables of judge_systems; {_BOUND}; two keys for three systems",
        evidence=tuple(lines),
        repair_verdict="refuted" if repaired else "holds",
        repair_artifact="T5.bound.repaired",
    )


REPAIR: Final = (
    "a system that asks the oracle where it finds no row, at a key that recurs and has two votes, where operators may "
    "overlap, has a history with N1 unless each call asks once and its vote is inserted, no later than its operator "
    "commits, by an insert that checks the key as it inserts and whose loser adopts the row or aborts"
)


def _repaired(cells: Cells) -> Outcome:
    systems, faults = asking(), repaired_faults()
    shown: dict[tuple[str, str, str], Schedule] = {}
    for system in systems:
        if system.row_0 == system.row_1 == "read" or not system.writes:
            witness = smallest_n1(system, FULL)
            if witness is not None:
                shown[system.absent, system.place, system.clash] = witness
    lines = [str(system) for system in faults]
    lines += [
        f"{absent}, row {place}, key taken: {clash}: {shown[absent, place, clash]}"
        for absent, place, clash in shown
        if absent == "ask" or place == "never"
    ]
    lines += [
        "each of these histories uses the entry for no row alone, so it is one of every system with that entry, row "
        "and "
        "insert, whatever else its behaviour depends on",
        "conversely 'every vote returned is the row's, and a row stays' survives each step of "
        f"{sum(map(invariant, systems))} "
        f"systems, from every state that obeys it, whoever else is in flight: {sum(map(one_insert, systems))} have "
        "one insert",
        *_environments(),
    ]
    detail = (
        "true, with its converse: the four ways to fail (no row, a late row, an insert that overwrites or whose loser "
        "keeps its vote, two questions a call) have a history each, and otherwise there is an invariant; consulting "
        "the "
        "log first is neither needed nor enough, it saves oracle calls"
    )
    verdict = "refuted" if faults else "holds"
    bound = f"all {len(systems)} asking systems; {_BOUND} for N1, any number for its absence"
    return Outcome(verdict, "exhaustive", detail, witnesses=tuple(shown.values()), bound=bound, evidence=tuple(lines))


def _environments() -> list[str]:
    """What overlap and crashes are needed for: systems without one insert that show no N1 in weaker environments."""
    lines = []
    for environment in (
        Environment(False, "none"),
        Environment(False, "durable"),
        Environment(True, "none"),
    ):
        safe = [s for s in asking() if not one_insert(s) and not reached(s, environment).n1]
        least = f"; the smallest: {smallest(safe)}" if safe else ""
        lines.append(f"{environment}: {len(safe)} systems without one insert never show N1{least}")
    one = NAMED["Corollary 2"]
    for environment in (Environment(False, "volatile"), Environment(False, "none", True)):
        lines.append(f"{environment}: {one} shows N1: {yes(reached(one, environment).n1)}")
    return lines


def _replay(cells: Cells) -> Outcome:
    found = {system: reached(system) for system in asking()}
    pairs = [s for s, r in found.items() if r.pair and not r.n1]
    after = [s for s, r in found.items() if r.pair_after != r.n1]
    wrong = [s for s, r in found.items() if r.pair_after and not r.n1]
    one = NAMED["Corollary 2"]
    lines = [
        f"{one}: H₀ empty, j1(R, θ)=0 c1 in one run and j1(R, θ)=1 c1 in the other: a pair "
        f"{yes(reached(one).pair)}, N1 "
        f"{yes(reached(one).n1)}",
        f"{len(pairs)} of {len(found)} asking systems have a pair and no history with N1",
        f"H₀ with a committed call at the key: a pair and no N1: {len(wrong)}; N1 and no such pair: "
        f"{len(after) - len(wrong)}",
    ]
    races = [s for s in after if s not in wrong]
    if races:
        least = smallest(races)
        lines.append(f"N1 by a race of first calls alone: {least}: {smallest_n1(least, FULL)}")
    detail = (
        "the proof's two replays are two histories that share H₀, and N1 is two committed calls of one history. "
        "With any "
        "H₀ the pair exists for compliant systems too (the first call is free), so it witnesses nothing; with a "
        "committed "
        "call at the key in H₀ a pair gives N1, and a race of first calls gives N1 without a pair"
    )
    verdict = "holds" if not pairs and not after else "refuted"
    repair = "let H₀ hold a committed call at (R*, θ*): then a replay pair implies N1"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        repair=repair,
        bound=f"all {len(found)} asking systems; {_BOUND}",
        evidence=tuple(lines),
        repair_verdict="refuted" if wrong else "holds",
        repair_artifact="T5.bound.replay",
    )


def _everywhere(cells: Cells) -> Outcome:
    cases = [pair for pair in two_keys() if pair.votes == (BOTH, BOTH) and not pair.compliant]
    wrong = [pair for pair in cases if not (pair.at(0).n1 and pair.at(1).n1)]
    somewhere = all(pair.at(0).n1 or pair.at(1).n1 for pair in cases)
    lines = [
        f"{pair.systems[0]} at one key, {pair.systems[1]} at another, both with two votes: N1 at the first: "
        f"{yes(pair.at(0).n1)}, at the second: {yes(pair.at(1).n1)}"
        for pair in wrong[:1]
    ]
    detail = (
        "'equivalently, on every operator input' is stronger than 'on some': a system may keep the log at one key "
        "and not "
        f"at another. On some input with two votes: {yes(somewhere)}"
    )
    return Outcome(
        "refuted" if wrong else "holds",
        "exhaustive",
        detail,
        repair="on every input at which the log is not kept",
        bound=f"{len(cases)} systems at two keys; {_BOUND}",
        evidence=tuple(lines),
    )


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "T5.bound",
        _WHERE,
        "every H1-non-compliant system has a history with N1 under a boundedly nondeterministic oracle",
        "H1 as an invariant of histories, with the row before or by the operator's commit, or as a hook of the "
        "surface; "
        "N1: two committed calls at one key in one history return different votes; operators overlap and crash",
        _bound,
    ),
    Claim(
        "T5.bound.repaired",
        f"{_WHERE} (repaired)",
        REPAIR,
        "as T5.bound; the condition is read off the system's table, not off its histories",
        _repaired,
    ),
    Claim(
        "T5.bound.replay",
        f"{_WHERE} ('equivalently … an adversarial replay pair'), its proof",
        "a system has a history with N1 if and only if it has a replay pair: one prefix, two votes of the next call",
        "the prefix any history with nobody in flight, or one with a committed call at the key",
        _replay,
    ),
    Claim(
        "T5.bound.everywhere",
        f"{_WHERE} ('equivalently, on every operator input')",
        "a system that is not H1-compliant shows N1 at every input that has two votes",
        "compliance of a system is compliance at all of its keys",
        _everywhere,
    ),
)
