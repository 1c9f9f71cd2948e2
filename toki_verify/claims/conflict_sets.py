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
from .arrivals import ARRIVAL_CLAIMS
from .cells import Cells
from .folds import (
    TIED,
    FoldStep,
    Pattern,
    Result,
    argmax_results,
    conflict_set,
    dominates_all,
    fold_results,
    patterns,
    quick_argmax_results,
    stamped,
    sum_of,
    unstamped,
)
from .judged import yes
from .model import Claim, Outcome
from .seam import SEAM_CLAIMS
from .small_facts import MULTIDEGREE, told

_WHERE = "TOKI 2026, Proposition 2"
#: Members of the sets for which every carrier is tried, and of the grid of Appendix E.7.
SMALL, GRID = range(2, 6), range(2, 9)
FOLDED: Final = (LWW, EVIDENCE)


def _bound(*, partial: bool = True) -> str:
    plain = "no ties or all of a kind tied"
    each = f"up to {TIED} facts every pattern of ties among times and among confidences, beyond that {plain}"
    return f"sets of {SMALL[0]} to {SMALL[-1]} facts, every order; {each if partial else plain}"


def every_pattern(*, partial: bool = True) -> list[Pattern]:
    """The patterns of the small conflict sets, smaller ones first."""
    return [pattern for size in SMALL for pattern in patterns(size, partial=partial)]


def _argmax(cells: Cells) -> Outcome:
    """Every order of every set gives one winner and one provenance, which is the sum of all."""
    orders = 0
    for name, ring in CARRIERS.items():
        for pattern in every_pattern():
            members = pattern.members(ring)
            for found in FOLDED:
                results = quick_argmax_results(members, found, ring)
                orders += results.total()
                if {merged for _, merged in results} != {sum_of(members, ring)} or len(results) > 1:
                    line = f"{found.glyph} over {name}, {len(members)} members, {pattern}: {len(results)} results"
                    return Outcome("refuted", "exhaustive", line, evidence=(line,))
    line = (
        f"{orders} orders, one winner and one merged provenance per set; the order of the losers in the audit tuple "
        "follows the order given"
    )
    detail = "an argmax over a total order does not see the order of its arguments"
    bound = f"{_bound()}; {len(CARRIERS)} carriers"
    return Outcome("holds", "exhaustive", detail, bound=bound, evidence=(line,))


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


def _agreeing(step: FoldStep, ring: Any = MULTIDEGREE, *, partial: bool = True) -> tuple[int, list[Pattern]]:
    """Of how many sets all folds end alike, and the sets of which they do not."""
    every = every_pattern(partial=partial)
    differing = [pattern for pattern in every if len(fold_results(pattern.members(ring), step)) > 1]
    return len(every) - len(differing), differing


def _fold(found: Operator) -> Callable[[Cells], Outcome]:
    def judge(cells: Cells) -> Outcome:
        number, differing = _agreeing(stamped(found, MULTIDEGREE))
        total = number + len(differing)
        bound = _bound()
        if not differing:
            line = (f"{total} sets",)
            return Outcome("holds", "exhaustive", "every order gives one result", bound=bound, evidence=line)
        first = min(differing, key=Pattern.by_size).members(MULTIDEGREE)
        untied = next((p for p in differing if len(set(p.times)) == len(set(p.confidences)) == len(p.times)), None)
        own, own_differing = _agreeing(stamped(found, MULTIDEGREE, None))
        evidence = [
            f"{len(first)} facts: {'; '.join(map(told, first))}",
            *orders_that_differ(first, stamped(found, MULTIDEGREE)),
            f"the folds of {len(differing)} of {total} sets depend on the order; the smallest without ties: "
            + (f"{len(untied.times)} facts" if untied else f"none up to {SMALL[-1]}"),
            f"stamped with the later of the two facts' own times instead: {own} of {total} sets agree"
            + ("" if not own_differing else "; not this one:"),
        ]
        if own_differing:
            members = min(own_differing, key=Pattern.by_size).members(MULTIDEGREE)
            evidence += [
                "; ".join(map(told, members)),
                *orders_that_differ(members, stamped(found, MULTIDEGREE, None)),
            ]
        repaired = not _agreeing(unstamped(found, MULTIDEGREE))[1] and not any(
            _agreeing(unstamped(found, ring), ring, partial=False)[1] for ring in CARRIERS.values()
        )
        repair = (
            "carry the winner on as it was and stamp it once, after the last step; so repaired every order of every "
            f"set agrees, in the other carriers of those without partial ties: {yes(repaired)}"
        )
        detail = f"the fresh system time of a step's winner enters the preference of the next step of {found.glyph}"
        verdict = "holds" if repaired else "refuted"
        return Outcome(
            "refuted",
            "exhaustive",
            detail,
            repair=repair,
            bound=bound,
            evidence=tuple(evidence),
            repair_verdict=verdict,
        )

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
        "true of one argmax over the whole set, false of the binary operators of §3.2 folded over it; the proof speaks "
        "of the argmax, its conclusion ('the fold over C is permutation-stable') of the fold. What Algorithm 1 makes "
        "of the members one after another is neither: P2.confluence.algorithm-1"
    )
    return Outcome("depends", "exhaustive", detail, parts=tuple(parts), evidence=lines)


def _complete(cells: Cells) -> Outcome:
    """The merged provenance is above every member's, in both readings."""
    orders = 0
    for name, ring in CARRIERS.items():
        for pattern in every_pattern(partial=False):
            members = pattern.members(ring)
            for found in FOLDED:
                folded = fold_results(members, stamped(found, ring))
                for results in (quick_argmax_results(members, found, ring), folded):
                    orders += results.total()
                    for _, merged in results:
                        if not dominates_all(members, merged, ring):
                            line = f"{found.glyph} over {name}, {len(members)} members: {ring.text(merged)}"
                            return Outcome("refuted", "exhaustive", "a member is not dominated", evidence=(line,))
    bound = f"{_bound(partial=False)}; {len(CARRIERS)} carriers"
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
    *ARRIVAL_CLAIMS,
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
