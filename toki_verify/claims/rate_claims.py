"""T5.rate: how often replays disagree, as identities of polynomials in p (TOKI 2026, B.2.2, B.2.3, Remark 4, §4.5)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Final

from ..events import Schedule
from .cells import Cells
from .exact import ZERO, P, Polynomial, Q, roots_between
from .judge_histories import PRINTED, smallest_n1
from .judge_systems import FULL, System
from .judged import yes
from .model import Claim, Outcome
from .rate_disciplines import KEYED, LEAKING, LINE_14, UNKEYED, by_name, for_every_n
from .rates import (
    admit_rate,
    correlated,
    crash_and_retry,
    differing,
    expected_differing,
    expected_pairs,
    marginals,
    observed,
    outcomes,
    probability,
    race,
    replay_consistency,
    seeded,
    serial,
    some_pair_differs,
)
from .replay_laws import AGREE, NEVER, SOME_PAIR, factors, falls, pairs_by_induction, rises

_WHERE = "TOKI 2026, B.2.2, B.2.3"
#: How many states an oracle has, where its tables of votes are tried.
_STATES: Final = 6
#: Up to how many replays trees of outcomes are walked, and up to which t polynomials are compared (Figure 6: 24).
_TREES: Final = 5
_LAST: Final = 24
_LOW, _HIGH = Fraction(0), Fraction(1)


def _pair(cells: Cells) -> Outcome:
    trees = {
        "two calls in turn": probability(UNKEYED, serial(2)),
        "two calls at once": probability(UNKEYED, race(2)),
    }
    counted = {
        pairs: all(
            expected_differing(UNKEYED, serial(n), pairs) == expected_pairs(n, pairs) for n in range(2, _TREES + 1)
        )
        for pairs in ("consecutive", "all")
    }
    always = {pairs: pairs_by_induction(pairs) for pairs in counted}
    some = all(probability(UNKEYED, serial(n)) == some_pair_differs(n) for n in range(2, _TREES + 1))
    every = for_every_n(UNKEYED, SOME_PAIR) and all(SOME_PAIR.at(n) == some_pair_differs(n) for n in range(1, _LAST))
    holds = all(rate == admit_rate() for rate in trees.values()) and all(counted.values()) and some and every
    holds = holds and all(always.values())
    evidence = (
        *(f"no log, {words}: N1 with probability {rate}" for words, rate in trees.items()),
        *(
            f"n draws, expected {pairs} pairs that differ, a pair: {admit_rate()}: {yes(counted[pairs])}; their number "
            f"for every n by induction: {yes(always[pairs])}"
            for pairs in counted
        ),
        f"n replays of one key, 'some pair differs' is 1 - p^n - (1-p)^n, not 2p(1-p): {yes(some)}; for every n by "
        f"induction: {yes(every)}; "
        f"n = 3: {some_pair_differs(3)}, at 1/2 {some_pair_differs(3)(Fraction(1, 2))}",
        *by_name(),
        f"no log, crash after the call and retry: N1 {probability(UNKEYED, crash_and_retry())}, N1[observed] "
        f"{probability(UNKEYED, crash_and_retry(), observed)}: the rate is one of committed calls",
    )
    detail = (
        "2p(1-p) is the probability that a pair of committed calls of a system without a log differs, for independent "
        "draws; a per-key rate over n replays is another polynomial, and §4.5 calls the per-pair rate 'per-call'"
    )
    bound = (
        f"by enumeration: all outcomes of two calls, and of n ≤ {_TREES}; by induction on n, with polynomial "
        "identities for the step: every n, of calls in turn, or all of which looked before any was logged"
    )
    witness = Schedule.parse(PRINTED)
    verdict = "holds" if holds else "refuted"
    return Outcome(verdict, "exhaustive", detail, witnesses=(witness,), bound=bound, evidence=evidence)


def maximum_faults(rate: Polynomial) -> list[str]:
    """What is wrong with "zero exactly at 0 and 1, and largest at 1/2 alone" on [0, 1], by Sturm's theorem."""
    if rate.degree < 1:
        return ["it is constant"]
    half = Fraction(1, 2)
    inside = roots_between(rate, Fraction(-1), _HIGH)
    checks = {
        "it is 0 at p = 0 and 1": rate(_LOW) == rate(_HIGH) == 0,
        "nowhere else from -1 to 1": inside == 2,
        "its derivative is 0 at 1/2": rate.derivative()(half) == 0,
        "and nowhere else from 0 to 1": roots_between(rate.derivative(), _LOW, _HIGH) == 1,
        "it is positive at 1/2": rate(half) > 0,
    }
    return [words for words, true in checks.items() if not true]


def _maximum(cells: Cells) -> Outcome:
    half = Polynomial.of(Fraction(1, 2))
    square = half - admit_rate() == (P - half) ** 2 * 2
    faults = maximum_faults(admit_rate())
    others = [n for n in range(2, _LAST + 1) if maximum_faults(some_pair_differs(n))]
    every = factors() and rises()
    verdict = "holds" if square and not faults and not others and every else "refuted"
    evidence = (
        *faults,
        f"1/2 - 2p(1-p) = 2(p - 1/2)^2: {yes(square)}, so 1/2 at p = 1/2 alone is the maximum over all reals",
        f"2p(1-p) = 2·p·(1-p): {yes(admit_rate() == P * Q * 2)}, a product that is 0 where a factor is",
        f"the same of 1 - p^n - (1-p)^n for n = 2 to {_LAST} by Sturm's theorem: {yes(not others)}",
        f"and for every n: it grows by p^n·(1-p) + (1-p)^n·p, so it is 0 at 0 and 1 alone: {yes(rises())}; its "
        f"derivative is n·((1-p)^(n-1) - p^(n-1)), which is (1-2p) times a positive sum: {yes(factors())}",
    )
    detail = "zero exactly at p = 0 and 1, largest at 1/2 alone: by factors and a square, and by Sturm's theorem"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        bound=f"all p; n = 2 to {_LAST} by Sturm's theorem, every n by induction",
        evidence=evidence,
    )


def _agree(run_votes: tuple[int, ...]) -> bool:
    return len(set(run_votes)) == 1


def trajectory_readings(t: int) -> dict[str, Polynomial]:
    """What "replay consistency at t" may be of a system without a log, from the tree of outcomes."""

    def among(draws: int, chosen: slice) -> Polynomial:
        tree = outcomes(UNKEYED, serial(draws))
        return sum((weight for run, weight in tree if _agree(run.draws[chosen])), ZERO)

    return {
        "all of t votes agree": among(t, slice(None)),
        "all of the first vote and t re-queries agree": among(t + 1, slice(None)),
        "the t-th re-query agrees with the first vote": among(t + 1, slice(0, None, t)),
    }


def _bracket(t: int) -> tuple[Fraction, Fraction]:
    """C(2) or C(3) averaged over the stochastic cells, from the printed mean rates 0.167 to 0.204 over 25 cells, of
    which 12 are deterministic: C(2) = 1 - 2p(1-p), C(3) = 1 - 3p(1-p)."""
    rates = [Fraction(text) * Fraction(25, 13) for text in ("0.167", "0.204")]
    share = {2: Fraction(1), 3: Fraction(3, 2)}[t]
    high, low = (1 - share * rate for rate in rates)
    return low, high


def _trajectory(cells: Cells) -> Outcome:
    span = range(1, _TREES)
    fits = {
        words: all(trajectory_readings(t)[words] == replay_consistency(t) for t in span)
        for words in trajectory_readings(1)
    }
    every = for_every_n(UNKEYED, SOME_PAIR) and all(AGREE.at(t) == replay_consistency(t) for t in range(1, _LAST))
    more = [trajectory_readings(t)["all of the first vote and t re-queries agree"] for t in span]
    repaired = every and more == [replay_consistency(t + 1) for t in span]
    identity = replay_consistency(3) == Polynomial.of(1) - admit_rate() * Fraction(3, 2)
    falling = falls() and all(
        replay_consistency(t) - replay_consistency(t + 1) == P * Q * replay_consistency(t - 1) for t in range(2, _LAST)
    )
    logged = for_every_n(KEYED, NEVER) and all(
        sum((w for run, w in outcomes(KEYED, serial(t)) if len(run.draws) == 1), ZERO) == Polynomial.of(1) for t in span
    )
    lines = [f"{words}: {trajectory_readings(2)[words]} at t = 2: p^t + (1-p)^t: {yes(fits[words])}" for words in fits]
    (low2, high2), (low3, high3) = _bracket(2), _bracket(3)
    evidence = (
        *lines,
        f"it falls in t for 0 < p < 1: C(t) - C(t+1) = p(1-p) C(t-1), for every t by induction, and multiplied out for "
        f"t = 2 to {_LAST - 1}: {yes(falling)}; to 0, since p^t and (1-p)^t do",
        f"t calls in turn return one vote with probability {AGREE} at n = t, for every t by induction: {yes(every)}",
        f"C(3) = 1 - 3p(1-p): {yes(identity)}; with the printed mean rates, and 13 stochastic cells of 25, C(2) is "
        f"{float(low2):.3f} to {float(high2):.3f} and C(3) {float(low3):.3f} to {float(high3):.3f}: 'crosses 0.5 by "
        "re-query 3' is what t votes give; t re-queries would be there at the second",
        f"a committed row: one draw, however many calls, so 1: {yes(logged)}",
    )
    held = [words for words, fit in fits.items() if fit]
    detail = (
        f"C(t) is p^t + (1-p)^t where t counts votes, the first included: {', '.join(held) or 'in no reading'}; §4.5 "
        "counts 're-query step t', which needs t + 1, and agreement of one re-query with the first vote does not fall "
        "with t at all"
    )
    verdict = "holds" if len(held) == len(fits) else "depends" if held else "refuted"
    repair = "t is the number of votes; or C(t) = p^(t+1) + (1-p)^(t+1) for t re-queries"
    bound = (
        f"by enumeration of all outcomes: t ≤ {_TREES - 1}; by induction on t, with polynomial identities for the "
        "step: every t, for the votes of calls in turn"
    )
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        repair=repair,
        bound=bound,
        evidence=evidence,
        repair_verdict="holds" if repaired else "refuted",
        repair_artifact="T5.rate.trajectory",
    )


def _keyed(cells: Cells) -> Outcome:
    scripts = {"in turn": serial(2), "first fills at once": race(2), "crash and retry": crash_and_retry()}

    def rates(system: System) -> Iterator[str]:
        return (f"{words} {probability(system, script)}" for words, script in scripts.items())

    leaks = [system for system in LEAKING if any(probability(system, script) != ZERO for script in scripts.values())]
    tight = all(probability(KEYED, script) == ZERO for script in (*scripts.values(), serial(3), race(3)))
    every = {looked: for_every_n(KEYED, NEVER, looked_before=looked) for looked in (False, True)}
    tight = tight and all(every.values())
    evidence = (
        *(f"{system}: {', '.join(rates(system))}" for system in leaks),
        f"{KEYED}: {', '.join(rates(KEYED))}; of n calls in turn, and of n that all looked first, for every n by "
        f"induction 0: {', '.join(map(yes, every.values()))}",
    )
    detail = (
        "0 where the first fill is one insert that checks the key and whose loser takes the row; a keyed log is "
        "otherwise consulted and filled in two steps, two first calls overlap, and the rate of the race is 2p(1-p) "
        "again; "
        "SR on judge_log does not exclude that where consulting and filling are transactions of their own (C4.tight)"
    )
    verdict = "refuted" if not tight else "depends" if leaks else "holds"
    races = [smallest_n1(system, FULL) for system in leaks[:1]]
    repair = "keyed log: one linearizable insert-if-absent (Corollary 2), the loser adopts the row"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        witnesses=tuple(schedule for schedule in races if schedule is not None),
        repair=repair,
        bound="by enumeration: two operators in turn, at once, or a crash and a retry, three of them for the repair; "
        "by induction: every number of them, in turn, or all of which looked before any was logged",
        evidence=evidence,
        repair_verdict="holds" if tight else "refuted",
        repair_artifact="T5.rate.keyed",
    )


def reachable_rates(p: Fraction, steps: int) -> list[Fraction]:
    """The rates of two draws with mean p, at steps + 1 even points from 0 to the greatest; each joint law is
    checked."""
    top = 2 * min(p, 1 - p)
    found = [Fraction(step, steps) * top for step in range(steps + 1)]
    for rate in found:
        joint = correlated(p, rate)
        if (
            marginals(joint) != (p, p)
            or differing(joint) != rate
            or sum(joint.values()) != 1
            or min(joint.values()) < 0
        ):
            raise ArithmeticError(f"not a law with mean {p} and rate {rate}: {joint}")
    return found


def _independence(cells: Cells) -> Outcome:
    p = Fraction(1, 2)
    votes = (0, 1)
    same = differing(seeded(votes, lambda a, b: a == b))
    other = differing(seeded(votes, lambda a, b: a != b))
    free = differing(seeded(votes))
    spans = {Fraction(k, 10): reachable_rates(Fraction(k, 10), 8) for k in range(11)}
    # Draws that are independent given a drifting p, which is p - s or p + s: the rate falls by twice the variance.
    spread = Fraction(1, 4)
    tables = [table for size in range(1, _STATES + 1) for table in product(votes, repeat=size)]
    wrong = [t for t in tables if differing(seeded(t)) != admit_rate()(Fraction(sum(t), len(t)))]
    repaired = not wrong and admit_rate() == P * Q + Q * P
    drift = (admit_rate()(p - spread) + admit_rate()(p + spread)) / 2
    evidence = (
        f"Ω = {{0, 1}}, J the identity, p = {p}: ω drawn anew {free}; the same ω twice (one decoder seed) {same}; "
        "never "
        f"the same ω {other}; 2p(1-p) is {admit_rate()(p)}",
        f"every rate from 0 to 2 min(p, 1-p) is one of two draws with mean p, and no other: p(0,1) = p(1,0) = rate/2; "
        f"checked at p = 0, 1/10, …, 1, at 9 rates each, the greatest at 1/10: {max(spans[Fraction(1, 10)])}, "
        f"where 2p(1-p) is {admit_rate()(Fraction(1, 10))}",
        f"p that drifts between {p - spread} and {p + spread}, drawn once a pair: {drift} = 2p(1-p) - 2·{spread}²",
        f"ω drawn anew, of each of the {len(tables)} tables of votes of up to {_STATES} equally likely states: 2p(1-p) "
        f"at the share p of ones in all but {len(wrong)}; of any two independent draws of one p: p(1-p) + (1-p)p: "
        f"{yes(admit_rate() == P * Q + Q * P)}",
    )
    detail = (
        "Definition 5 gives two states with different votes, and no law of ω: 2p(1-p) needs draws that are independent "
        "and of one p (B.2.3 says 'independent draws' in its proof; the formal statement B.2.2 does not)"
    )
    verdict = "holds" if {same, other, free} == {admit_rate()(p)} else "depends"
    repair = "say in B.2.2 that calls are independent draws of one p"
    bound = f"11 means, 9 rates each, exactly; two states; for the repair every p, and tables of up to {_STATES} states"
    return Outcome(
        verdict,
        "exhaustive",
        detail,
        repair=repair,
        bound=bound,
        evidence=evidence,
        repair_verdict="holds" if repaired else "refuted",
        repair_artifact="T5.rate.independence",
    )


_PARTS: Final = (
    Claim(
        "T5.rate.pair",
        f"{_WHERE}; §4.5",
        "two calls of a system without a log disagree with probability 2p(1-p)",
        "independent draws; a pair of committed calls at one key",
        _pair,
    ),
    Claim(
        "T5.rate.maximum",
        "TOKI 2026, B.2.2",
        "the rate is 0 exactly where p is 0 or 1, and largest at 1/2",
        "p any real number from 0 to 1",
        _maximum,
    ),
    Claim(
        "T5.rate.trajectory",
        "TOKI 2026, Remark 4, §4.5, Figure 6",
        "over t re-queries the votes of a system without a log agree with probability p^t + (1-p)^t",
        "t the number of votes, or of re-queries after the first; all votes agree, or the t-th with the first",
        _trajectory,
    ),
    Claim(
        "T5.rate.keyed",
        "TOKI 2026, B.2.2",
        "a system with a keyed judge log at SR shows N1 with probability 0",
        "keyed log: one insert-if-absent as in Corollary 2, or consulted and then filled",
        _keyed,
    ),
    Claim(
        "T5.rate.independence",
        "TOKI 2026, Definition 5, B.2.2",
        "the rate is a function of p alone",
        "the oracle as in Definition 5, with no word on how ω is drawn",
        _independence,
    ),
)


def _rate(cells: Cells) -> Outcome:
    parts = [(claim.id, claim.decide(cells)) for claim in _PARTS]
    verdicts = {outcome.verdict for _, outcome in parts}
    worst = next(v for v in ("refuted", "depends", "holds-repaired", "holds") if v in verdicts)
    detail = (
        "2p(1-p), its zeros and its maximum are right, for committed pairs of independent draws without a log; what "
        "depends: what t counts, which keyed log is meant, and the independence that Definition 5 does not give"
    )
    lines = (
        *by_name(),
        *(f"{id}: {outcome.verdict}; {outcome.evidence[0]}" for id, outcome in parts if outcome.evidence),
    )
    line_14 = for_every_n(LINE_14, SOME_PAIR)
    repaired = {outcome.repair_verdict for _, outcome in parts if outcome.repair}
    witnesses = tuple(schedule for _, outcome in parts for schedule in outcome.witnesses)
    return Outcome(
        worst,
        "exhaustive",
        detail,
        witnesses=witnesses,
        repair="for committed calls that are independent draws of one p: 2p(1-p) a pair and p^t + (1-p)^t for t votes "
        "without a log, and as Algorithm 1 prints it; 0 where the vote of a key is decided by one insert",
        bound="two calls, and few, by enumeration; every number of calls by induction; each part says which",
        parts=tuple(parts),
        evidence=lines,
        repair_verdict="holds" if repaired == {"holds"} and line_14 else "refuted",
        repair_artifact="T5.rate",
    )


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "T5.rate",
        "TOKI 2026, B.2.2, Remark 4, §4.5",
        "the per-pair admit rate is 2p(1-p), and t re-queries agree with probability p^t + (1-p)^t",
        "each loose word a part: pair, maximum, trajectory, keyed, independence",
        _rate,
    ),
    *_PARTS,
)
