"""How often replays disagree, as polynomials in p, the probability of vote 1 (TOKI 2026, B.2, §4.5, Remark 4).

Two ways: the closed forms, and trees of outcomes of the transition systems of `judge_systems`, in which every draw has
weight p or 1 - p and the checker says which histories show the anomaly. Pure; `curve` is for plots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

from .exact import ONE, ZERO, P, Polynomial, Q
from .judge_histories import Histories, Run, is_n1
from .judge_systems import FULL, System
from .judged import shows


def admit_rate() -> Polynomial:
    """2p(1-p): two independent draws differ."""
    return P * Q * 2


def replay_consistency(t: int) -> Polynomial:
    """C(t) = p^t + (1-p)^t: t independent draws agree. One draw agrees with itself: C(1) = 1. Raises ValueError for
    t < 1, where the formula gives 2."""
    if t < 1:
        raise ValueError(f"{t} draws; expected at least one")
    return P**t + Q**t


def some_pair_differs(draws: int) -> Polynomial:
    """1 - p^n - (1-p)^n: some pair of n independent draws differs."""
    return ONE - replay_consistency(draws)


def expected_pairs(draws: int, pairs: str) -> Polynomial:
    """The expected number of differing pairs among n draws, "consecutive" ones or "all" of them."""
    count = draws - 1 if pairs == "consecutive" else draws * (draws - 1) // 2
    return admit_rate() * count


def log_consistency(t: int) -> Polynomial:
    """C(t) of calls that return one committed row: 1."""
    if t < 1:
        raise ValueError(f"{t} calls; expected at least one")
    return ONE


def curve(rate: Polynomial, steps: int) -> list[tuple[Fraction, Fraction]]:
    """Exact points (p, rate) at p = 0, 1/steps, …, 1."""
    points = [Fraction(step, steps) for step in range(steps + 1)]
    return [(point, rate(point)) for point in points]


def decay(p: Fraction, steps: int) -> list[tuple[int, Fraction]]:
    """Exact points (t, C(t)) of draws at p, for t = 1, …, steps."""
    return [(t, replay_consistency(t)(p)) for t in range(1, steps + 1)]


Script = Sequence[int]
#: Steps of one operator in a script; more than it has are nothing.
_STEPS = 4


def serial(operators: int) -> Script:
    """Operators one after another."""
    return [number for number in range(1, operators + 1) for _ in range(_STEPS)]


def race(operators: int) -> Script:
    """All of them step by step abreast: each has looked before any has asked."""
    return [number for _ in range(_STEPS) for number in range(1, operators + 1)]


def crash_and_retry() -> Script:
    """Operator 1 crashes (a negative number) when its call has returned, and operator 2 is the retry."""
    return [1, 1, -1, *([2] * _STEPS)]


def outcomes(system: System, script: Script) -> Iterator[tuple[Run, Polynomial]]:
    """Every outcome of a script, and its probability, if draws are independent."""
    histories = Histories(system, max(map(abs, script)), FULL)
    layer = [histories.start]
    for number in script:
        if number > 0:
            layer = [after for run in layer for after in histories.steps(run, number) or [run]]
        else:
            layer = [_crashed(run, -number) for run in layer]
    for run in layer:
        yield run, P ** sum(run.draws) * Q ** (len(run.draws) - sum(run.draws))


def _crashed(run: Run, number: int) -> Run:
    over = run.doing[number - 1]._replace(step=5)
    doing = (*run.doing[: number - 1], over, *run.doing[number:])
    return run._replace(doing=doing, events=(*run.events, f"a{number}"))


def probability(system: System, script: Script, happens: Callable[[Run], bool] | None = None) -> Polynomial:
    """The probability of what `happens`, N1 by default, over the tree of outcomes of a script."""
    weights = (weight for run, weight in outcomes(system, script) if (happens or _n1)(run))
    return sum(weights, ZERO)


def _n1(run: Run) -> bool:
    return is_n1(run.text)


def observed(run: Run) -> bool:
    """Whether an outcome shows N1[observed]: calls of operators that aborted count."""
    return shows(run.text, "N1[observed]")


def expected_differing(system: System, script: Script, pairs: str) -> Polynomial:
    """The expected number of differing pairs of draws over the tree of outcomes."""
    total = ZERO
    for run, weight in outcomes(system, script):
        taken = zip(run.draws, run.draws[1:], strict=False) if pairs == "consecutive" else combinations(run.draws, 2)
        total = total + weight * sum(one != other for one, other in taken)
    return total


Joint = dict[tuple[int, int], Fraction]


def correlated(p: Fraction, rate: Fraction) -> Joint:
    """Two draws, each 1 with probability p, that differ with a given probability. Raises ValueError if there are none:
    rate must lie in [0, 2 min(p, 1-p)]."""
    half = rate / 2
    found = {(0, 1): half, (1, 0): half, (1, 1): p - half, (0, 0): 1 - p - half}
    if min(found.values()) < 0:
        raise ValueError(f"no two draws with mean {p} differ with probability {rate}")
    return found


def seeded(votes: Sequence[int], joint: Callable[[int, int], bool] = lambda one, other: True) -> Joint:
    """Draws that are a function of states ω, uniform over those pairs of states that `joint` admits (Definition 5 says
    nothing of how ω is drawn): equal states are a decoder seed that is used again."""
    pairs = [(votes[a], votes[b]) for a, b in product(range(len(votes)), repeat=2) if joint(a, b)]
    return {(a, b): Fraction(pairs.count((a, b)), len(pairs)) for a, b in product((0, 1), repeat=2)}


def differing(joint: Joint) -> Fraction:
    """The probability that the two draws differ."""
    return joint[0, 1] + joint[1, 0]


def marginals(joint: Joint) -> tuple[Fraction, Fraction]:
    """The probabilities of vote 1 of the first and of the second draw."""
    return joint[1, 0] + joint[1, 1], joint[0, 1] + joint[1, 1]
