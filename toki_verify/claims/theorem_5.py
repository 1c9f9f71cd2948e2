"""T5.bound: what must be asked of a system for N1 to follow from its not being H1-compliant (TOKI 2026, Theorem 5).

Every system of `judge_systems`, in histories of every length; each silent hypothesis with the smallest system that
refutes the statement without it. The repaired statement is proved by a history for each way to fail and an invariant.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ..events import Schedule
from .cells import Cells
from .compliance import (
    COMPLIANCE,
    HYPOTHESES,
    asking,
    h1,
    left_over,
    needed,
    reached,
    refuters,
    repaired_faults,
    smallest,
    two_keys,
)
from .judge_histories import PRINTED, committed_votes, finished, judging, smallest_n1
from .judge_reach import invariant
from .judge_systems import BOTH, FULL, NAMED, Environment, System, extended, one_insert
from .judged import shows, yes
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
            f"{len(refuters(reading))} of those never show N1, {len(left)} of these meet all hypotheses"
        )
    found = {reading: needed(reading) for reading in COMPLIANCE}
    for hypothesis in HYPOTHESES:
        for reading in COMPLIANCE:
            if hypothesis.name in found[reading]:
                said = f", stated in {hypothesis.said}" if hypothesis.said else ", stated nowhere"
                system = found[reading][hypothesis.name]
                lines.append(f"without '{hypothesis.words}'{said} ({reading}): {system}{_history_of(system)}")
                break
    unreachable = [
        pair for pair in two_keys() if pair.bounded and not pair.compliant and not (pair.at(0).n1 or pair.at(1).n1)
    ]
    if unreachable:
        one = unreachable[0]
        lines.append(
            "without 'the system lacks the log at an input with two votes' (stated nowhere; 'some operator input' "
            f"of the oracle need not be the system's): {one.systems[0]} where the votes are {sorted(one.votes[0])}, "
            f"{one.systems[1]} where they are {sorted(one.votes[1])}"
        )
    counterexample = None
    always = [system for system in extended() if all(system in refuters(reading) for reading in COMPLIANCE)]
    fair = [system for system in always if all(h.met(system) for h in HYPOTHESES if h.said)]
    if fair:
        least = smallest(fair)
        counterexample = judging(least, FULL)
        every = list(finished(least, FULL))
        shown = sum(shows(str(schedule), "N1") for schedule in every)
        lines.insert(
            0,
            f"{least} is compliant in no reading, exempted nowhere, and no history of it shows N1{_history_of(least)}; "
            f"N1 in {shown} of all {len(every)} histories of two operators, crashes included",
        )
    repaired = repaired_faults()
    detail = (
        "false as it stands, in every reading of H1: a system that is not compliant need not show N1. Some of the "
        "missing hypotheses stand elsewhere in the paper (Remark 4, Corollary 4), the others nowhere. Repaired it is "
        "true, and needs no H1"
        if refuted and not repaired
        else "as it stands: " + ("false" if refuted else "true") + "; repaired: " + ("false" if repaired else "true")
    )
    verdict = "holds" if not refuted else "holds-repaired" if complete and not repaired else "refuted"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=(Schedule.parse(PRINTED),),
        counterexample=counterexample,
        repair=REPAIR,
        bound=f"all {len(everyone)} systems that a table can say (docs/claims.md); {_BOUND}; two keys for three "
        "systems",
        evidence=tuple(lines),
        repair_verdict="refuted" if repaired else "holds",
        repair_artifact="T5.bound.repaired",
    )


def _history_of(system: System) -> str:
    """A history of a system in which two calls are committed, and what it has of H1; "" if it commits no two."""
    history = judging(system, FULL)
    return "" if history is None else f"; {history} ({h1(history)}; N1: {yes(shows(str(history), 'N1'))})"


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
    once = {system: result for system, result in found.items() if system.absent == "ask"}
    pairs = [s for s, r in found.items() if r.pair and not r.n1]
    after = [s for s, r in found.items() if r.pair_after != r.n1]
    races = [s for s in after if found[s].n1]
    wrong = [s for s, r in once.items() if r.pair_beside != r.n1]
    alone = [s for s, r in found.items() if r.pair_beside != r.n1 and s not in once]
    one = NAMED["Corollary 2"]
    runs = replay_pair(one)
    lines = [
        f"{one}: H₀ empty, {' in one run and '.join(map(str, runs))} in the other: a pair {yes(reached(one).pair)}, "
        f"N1 {yes(reached(one).n1)}",
        f"{len(pairs)} of {len(found)} asking systems have a pair and no history with N1",
        f"H₀ with a committed call at the key, nobody in flight: a pair and no N1: {len(after) - len(races)}; N1 and "
        f"no such pair: {len(races)}",
    ]
    race = None
    if races:
        least = smallest(races)
        race = smallest_n1(least, FULL)
        lines.append(f"N1 by a race of first calls alone: {least}: {race}")
    lines.append(
        f"H₀ with a committed call at the key, others in flight (the next call may be of one that looked before): the "
        f"same as N1 for all but {len(wrong)} of {len(once)} systems whose calls ask once; of those that ask twice "
        f"{len(alone)} show N1 within their first call, without such a pair"
    )
    detail = (
        "the proof's two replays are two histories that share H₀, and N1 is two committed calls of one history. With "
        "any H₀ the pair exists for compliant systems too (the first call is free), so it witnesses nothing; with a "
        "committed call at the key in H₀ a pair gives N1, and a race of first calls gives N1 without a pair, unless "
        "H₀ may end while the other call is in flight"
    )
    return Outcome(
        "holds" if not pairs and not after else "refuted",
        "exhaustive",
        detail,
        witnesses=tuple(schedule for schedule in (*runs[1:], race) if schedule is not None),
        counterexample=runs[0] if runs and pairs else None,
        repair="of systems whose calls ask once: N1 if and only if a pair whose H₀ has a committed call at (R*, θ*), "
        "and may leave others in flight",
        bound=f"all {len(found)} asking systems; {_BOUND}",
        evidence=tuple(lines),
        repair_verdict="refuted" if wrong else "holds",
        repair_artifact="T5.bound.replay",
    )


def replay_pair(system: System) -> tuple[Schedule, ...]:
    """Two runs of one operator with nothing before them that return different votes; () where there are none."""
    runs = [schedule for schedule in finished(system, Environment(False, "none"), 1) if committed_votes(schedule)]
    for one in runs:
        for other in runs:
            if committed_votes(one) < committed_votes(other):
                return one, other
    return ()


def at_two_keys(one: System, other: System) -> Schedule | None:
    """Two calls at (R, θ) as `one` answers them, with one vote, then two at (S, θ), with N1 if `other` has it."""
    first, second = judging(one, FULL), smallest_n1(other, FULL)
    if first is None or second is None:
        return None
    later = [replace(event, txn=re.sub(r"\d+$", lambda n: str(int(n[0]) + 2), event.txn)) for event in second.events]
    return Schedule.parse(f"{first} {str(Schedule(later)).replace('(R, theta)', '(S, theta)')}")


def _everywhere(cells: Cells) -> Outcome:
    cases = [pair for pair in two_keys() if pair.votes == (BOTH, BOTH) and not pair.compliant]
    wrong = [pair for pair in cases if not (pair.at(0).n1 and pair.at(1).n1)]
    somewhere = all(pair.at(0).n1 or pair.at(1).n1 for pair in cases)
    faults = [pair for pair in cases for key in (0, 1) if pair.at(key).n1 == one_insert(pair.systems[key])]
    more = repaired_faults()
    lines, history = [], None
    for pair in wrong[:1]:
        history = at_two_keys(*pair.systems)
        alone = at_two_keys(pair.systems[0], pair.systems[0])
        lines += [
            f"{pair.systems[0]} at one key, {pair.systems[1]} at another, both with two votes: N1 at the first: "
            f"{yes(pair.at(0).n1)}, at the second: {yes(pair.at(1).n1)}",
            f"at (R, θ), then at (S, θ): {history}; with the first system at both keys there is N1: "
            f"{yes(alone is not None)}",
        ]
    lines.append(
        f"N1 at a key exactly where one insert per key is not what the system has there: false at {len(faults)} of "
        f"{2 * len(cases)} keys, and for {len(more)} of {len(asking())} asking systems at one key"
    )
    detail = (
        "'equivalently, on every operator input' is stronger than 'on some': a system may keep the log at one key "
        f"and not at another. On some input with two votes: {yes(somewhere)}"
    )
    return Outcome(
        "refuted" if wrong else "holds",
        "exhaustive",
        detail,
        counterexample=history,
        repair="on every input with two votes at which the vote is not decided by one insert per key",
        bound=f"{len(cases)} systems at two keys; {_BOUND}",
        evidence=tuple(lines),
        repair_verdict="refuted" if faults or more else "holds",
        repair_artifact="T5.bound.repaired",
    )


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "T5.bound",
        _WHERE,
        "every H1-non-compliant system has a history with N1 under a boundedly nondeterministic oracle",
        "H1 as an invariant of histories, with the row before or by the operator's commit, and later calls returning "
        "the row that they saw, or every row before them; or as a hook of the surface; "
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
        "the prefix any history with nobody in flight, one with a committed call at the key, or one that leaves others "
        "in flight",
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
