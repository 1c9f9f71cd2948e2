"""Conflict sets of several facts (TOKI 2026, Proposition 2, Remark 3, Appendix E.7): P2.* and Grid.confluence.

Proposition 2 argues from an argmax, and speaks of a fold of binary operators. The two are not the same: §3.2 gives the
winner of every binary step a fresh system time, and both preferences look at system time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from itertools import permutations
from typing import Any, Final

from ..algebra import EVIDENCE, LWW, Fact, Operator
from ..algebra.carriers import CARRIERS, carrier
from .cells import Cells
from .folds import (
    FoldStep,
    Result,
    argmax_results,
    conflict_set,
    dominates_all,
    fold_results,
    quick_argmax_results,
    stamped,
    sum_of,
    unstamped,
)
from .model import Claim, Outcome
from .seam import SEAM_CLAIMS
from .small_facts import MULTIDEGREE, told

_WHERE = "TOKI 2026, Proposition 2"
#: Whether times, and whether confidences, are all the same.
TIES: Final = ((False, False), (True, False), (False, True), (True, True))
#: Members of the sets for which every carrier is tried, and of the grid of Appendix E.7.
SMALL, GRID = range(2, 6), range(2, 9)
FOLDED: Final = (LWW, EVIDENCE)


def _ties_words(same_time: bool, same_confidence: bool) -> str:
    times, confidences = ("equal" if same else "different" for same in (same_time, same_confidence))
    return f"{times} times, {confidences} confidences"


def _argmax(cells: Cells) -> Outcome:
    """Every order of every set gives one winner and one provenance, which is the sum of all."""
    orders = 0
    for name, ring in CARRIERS.items():
        for size in SMALL:
            for ties in TIES:
                members = conflict_set(size, ring, same_time=ties[0], same_confidence=ties[1])
                for found in FOLDED:
                    results = argmax_results(members, found, ring)
                    orders += results.total()
                    if {merged for _, merged in results} != {sum_of(members, ring)} or len(results) > 1:
                        line = (
                            f"{found.glyph} over {name}, {size} members, {_ties_words(*ties)}: {len(results)} results"
                        )
                        return Outcome("refuted", "exhaustive", line, evidence=(line,))
    line = (
        f"{orders} orders, one winner and one merged provenance per set; the order of the losers in the audit tuple "
        "follows the order given"
    )
    bound = f"sets of {SMALL[0]} to {SMALL[-1]} facts, with and without ties, every order, {len(CARRIERS)} carriers"
    return Outcome(
        "holds",
        "exhaustive",
        "an argmax over a total order does not see the order of its arguments",
        bound=bound,
        evidence=(line,),
    )


def by_time_alone(found: Operator = LWW) -> Operator:
    """⊕t with the key that Proposition 2 prints: version time, and nothing to break ties."""
    return replace(found, preference=lambda fact: (fact.system_time_start,))


def _key(cells: Cells) -> Outcome:
    """The printed key, and the one of §3.2."""
    for same_time in (False, True):
        members = conflict_set(2, MULTIDEGREE, same_time=same_time)
        literal = argmax_results(members, by_time_alone(), MULTIDEGREE)
        if len(literal) > 1:
            winners = sorted(name for name, _ in literal)
            lines = (
                "; ".join(map(told, members)),
                f"by version time alone the first one given wins: {' or '.join(winners)}",
            )
            repaired = all(
                len(argmax_results(conflict_set(size, MULTIDEGREE, same_time=True), LWW, MULTIDEGREE)) == 1
                for size in SMALL
            )
            return Outcome(
                "holds-repaired" if repaired else "refuted",
                "exhaustive",
                "version time alone is no total order where two facts were written at one time",
                repair="the key of §3.2: (version time, fact_id)",
                bound=f"sets of up to {SMALL[-1]} facts written at one time, every order",
                evidence=lines,
            )
    return Outcome("holds", "exhaustive", "no two orders differ", bound="two facts")


def orders_that_differ(members: list[Fact[Any]], step: FoldStep) -> tuple[str, ...]:
    """Two orders of which the folds end in different results, a line each; none: ()."""
    seen: dict[Result, str] = {}
    for order in permutations(members):
        best = reduce(step, order)
        names = " ".join(member.fact_id for member in order)
        seen.setdefault((best.fact_id, best.provenance), f"in the order {names} the winner is {best.fact_id}")
        if len(seen) > 1:
            return tuple(seen.values())
    return ()


def _fold(found: Operator) -> Callable[[Cells], Outcome]:
    def judge(cells: Cells) -> Outcome:
        evidence: list[str] = []
        words = []
        for ties in TIES:
            for size in SMALL:
                members = conflict_set(size, MULTIDEGREE, same_time=ties[0], same_confidence=ties[1])
                differing = orders_that_differ(members, stamped(found, MULTIDEGREE))
                if differing:
                    words.append(f"{_ties_words(*ties)}: {size}")
                    if not evidence or size < int(evidence[0].split()[0]):
                        facts = "; ".join(map(told, members))
                        evidence = [f"{size} facts: {facts}", *differing]
                    break
            else:
                words.append(f"{_ties_words(*ties)}: none up to {SMALL[-1]}")
        evidence.append(f"members of the smallest sets whose folds depend on the order: {'; '.join(words)}")
        own = all(
            len(fold_results(members, stamped(found, MULTIDEGREE, None))) == 1
            for members in (conflict_set(size, MULTIDEGREE) for size in SMALL)
        )
        evidence.append(
            "stamped with the later of the two facts' own times instead, all orders of sets without ties agree: "
            f"{'yes' if own else 'no'}"
        )
        bound = f"sets of {SMALL[0]} to {SMALL[-1]} facts, with and without ties, every order"
        if all(word.endswith(f"none up to {SMALL[-1]}") for word in words):
            return Outcome("holds", "exhaustive", "every order gives one result", bound=bound, evidence=tuple(evidence))
        repaired = all(
            len(
                fold_results(
                    conflict_set(size, ring, same_time=ties[0], same_confidence=ties[1]), unstamped(found, ring)
                )
            )
            == 1
            for ring in CARRIERS.values()
            for size in SMALL
            for ties in TIES
        )
        repair = "carry the winner on as it was and stamp it once, after the last step"
        detail = f"the fresh system time of a step's winner enters the preference of the next step of {found.glyph}"
        checked = f"; so repaired every order of every set agrees, for all carriers: {'yes' if repaired else 'no'}"
        return Outcome("refuted", "exhaustive", detail, repair=repair + checked, bound=bound, evidence=tuple(evidence))

    return judge


def _confluence(cells: Cells) -> Outcome:
    parts = [(claim.id, claim.decide(cells)) for claim in READINGS]
    verdicts = {id: outcome.verdict for id, outcome in parts}
    lines = tuple(f"{id}: {verdict}" for id, verdict in verdicts.items())
    if set(verdicts.values()) <= {"holds", "holds-repaired"}:
        return Outcome("holds", "exhaustive", "in both readings", parts=tuple(parts), evidence=lines)
    if verdicts["P2.confluence.argmax"] != "holds":
        return Outcome("refuted", "exhaustive", "in both readings", parts=tuple(parts), evidence=lines)
    detail = (
        "true of one argmax over the whole set, false of the binary operators applied one after another, which is what "
        "a fold is and what Algorithm 1 does; the proof speaks of the argmax, its conclusion of the fold"
    )
    return Outcome("depends", "exhaustive", detail, parts=tuple(parts), evidence=lines)


def _complete(cells: Cells) -> Outcome:
    """The merged provenance is above every member's, in both readings."""
    orders = 0
    for name, ring in CARRIERS.items():
        for size in SMALL:
            for ties in TIES:
                members = conflict_set(size, ring, same_time=ties[0], same_confidence=ties[1])
                for found in FOLDED:
                    for results in (argmax_results(members, found, ring), fold_results(members, stamped(found, ring))):
                        orders += results.total()
                        for _, merged in results:
                            if not dominates_all(members, merged, ring):
                                line = f"{found.glyph} over {name}, {size} members: {ring.text(merged)}"
                                return Outcome("refuted", "exhaustive", "a member is not dominated", evidence=(line,))
    bound = f"sets of {SMALL[0]} to {SMALL[-1]} facts, with and without ties, every order, {len(CARRIERS)} carriers"
    line = f"{orders} resolutions, by the argmax and by the fold of stamped winners"
    return Outcome("holds", "exhaustive", "the sum of all is above every summand", bound=bound, evidence=(line,))


def _grid(cells: Cells) -> Outcome:
    """Appendix E.7: n from 2 to 8, every order, both operators, both readings."""
    ring = carrier("multidegree")
    lines, totals = [], Counter[str]()
    agree = {"argmax": True, "fold": True}
    for size in GRID:
        parts = []
        for found in FOLDED:
            for words, tied in (("no ties", False), ("all tied", True)):
                members = conflict_set(size, ring, same_time=tied, same_confidence=tied)
                every = {
                    "argmax": quick_argmax_results(members, found, ring),
                    "fold": fold_results(members, stamped(found, ring)),
                }
                for reading, results in every.items():
                    totals[reading] += results.total()
                    complete = all(dominates_all(members, merged, ring) for _, merged in results)
                    agree[reading] &= len(results) == 1 and complete
                parts.append(f"{found.glyph}, {words} {len(every['argmax'])}/{len(every['fold'])}")
        lines.append(f"n = {size}, {every['fold'].total()} orders, results by argmax/fold: {'; '.join(parts)}")
    detail = (
        "as reported for the argmax; the fold of the binary operators has several winners, "
        "all with the same merged provenance"
    )
    verdict = {(True, True): "holds", (True, False): "depends"}.get((agree["argmax"], agree["fold"]), "refuted")
    if verdict != "depends":
        detail = f"argmax: {agree['argmax']}, fold: {agree['fold']}"
    bound = (
        f"n from {GRID[0]} to {GRID[-1]}; {totals['argmax']} orders by argmax and {totals['fold']} by fold, each of "
        "them made; multidegree"
    )
    return Outcome(verdict, "exhaustive", detail, bound=bound, evidence=tuple(lines))


READINGS = (
    Claim(
        "P2.confluence.argmax",
        f"{_WHERE} (1)",
        "the winner and the merged provenance of a conflict set do not depend on the order of its members",
        "⊕(C) is one argmax over C by the keys of §3.2, and one sum; winner identity is the fact_id",
        _argmax,
    ),
    Claim(
        "P2.confluence.key",
        f"{_WHERE} (the preference order of ⊕t)",
        "version time is a total preference order on a conflict set",
        "literally: the key is version time alone; two facts may be written at one time",
        _key,
    ),
    *(
        Claim(
            f"P2.confluence.fold.{found.id}",
            f"{_WHERE} ('the fold over C is permutation-stable'), §3.2",
            f"folding {found.glyph} over a conflict set gives one winner and one merged provenance in every order",
            "each step resolves the winner so far, stamped as §3.2 stamps winners at a time later than all members', "
            "with the next member",
            _fold(found),
        )
        for found in FOLDED
    ),
)
CLAIMS: tuple[Claim, ...] = (
    Claim(
        "P2.confluence",
        f"{_WHERE} (1)",
        "resolving a conflict set in any order returns the identical winner and merged provenance",
        "'n-ary resolution', 'fold operator': one argmax over the set, or the binary operator folded over it",
        _confluence,
    ),
    *READINGS,
    Claim(
        "P2.complete",
        f"{_WHERE} (2)",
        "the merged provenance in the audit tuple dominates every member's, the winner's included",
        "in the natural order of each carrier; the last audit tuple of a fold",
        _complete,
    ),
    *SEAM_CLAIMS,
    Claim(
        "Grid.confluence",
        "TOKI 2026, Appendix E.7",
        "for n from 2 to 8 every permutation returns one winner and one merged provenance, which dominates all members",
        "both readings of 'fold operator'; sets without ties and with all times and confidences equal",
        _grid,
    ),
)
