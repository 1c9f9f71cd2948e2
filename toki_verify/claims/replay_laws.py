"""The law of n replays at one key, for every n at once, by induction (TOKI 2026, B.2.2, Remark 4, §4.5).

A system of `judge_systems` whose calls do not overlap, or whose first calls all looked before any was logged, is a
chain: what a call does depends on the row, and N1 on the votes that were returned. Weights are sums of 1, p^n and
(1-p)^n with polynomials in p before them; one more call keeps that form, so a step for every n is an identity of three
polynomials.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple

from .exact import ONE, ZERO, P, Polynomial, Q
from .judge_systems import System


class Weight(NamedTuple):
    """constant + power_p·p^n + power_q·(1-p)^n, for every n."""

    constant: Polynomial = ZERO
    power_p: Polynomial = ZERO
    power_q: Polynomial = ZERO

    def plus(self, other: Weight) -> Weight:
        """The sum."""
        return Weight(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def times(self, factor: Polynomial) -> Weight:
        """The product with a polynomial that does not depend on n."""
        return Weight(*(mine * factor for mine in self))

    def shifted(self) -> Weight:
        """The same with n + 1 for n: p^(n+1) = p·p^n."""
        return Weight(self.constant, self.power_p * P, self.power_q * Q)

    def at(self, n: int) -> Polynomial:
        """The polynomial at one n."""
        return self.constant + self.power_p * P**n + self.power_q * Q**n

    def __str__(self) -> str:
        words = []
        for part, power in zip(self, ("", "p^n", "(1-p)^n"), strict=True):
            if part != ZERO:
                sign = {ONE: "", -ONE: "-"}.get(part, f"({part})·")
                words.append(f"{sign}{power}" if power else str(part))
        return " + ".join(words).replace("+ -", "- ") or "0"


#: 1 - p^n - (1-p)^n: some two of n independent draws differ. p^n + (1-p)^n: none do.
SOME_PAIR: Final = Weight(ONE, -ONE, -ONE)
AGREE: Final = Weight(ZERO, ONE, ONE)
NEVER: Final = Weight()

#: The row at the key, and the votes that committed calls returned.
Node = tuple[int | None, frozenset[int]]
Law = dict[Node, Weight]
START: Final[Node] = (None, frozenset())
BOTH: Final = frozenset({0, 1})


def _calls(
    system: System, row: int | None, seen: int | None
) -> Iterator[tuple[int | None, frozenset[int], Polynomial]]:
    """The row after a call, the votes that it returns if it commits, and the probability of that."""
    action = system.action(seen)
    if action in ("skip", "abort"):
        yield row, frozenset(), ONE
        return
    if action == "read":
        yield row, frozenset(vote for vote in (seen,) if vote is not None), ONE
        return
    draws = {"ask": 1, "twice": 2}.get(action, 0)
    settled = () if draws else (1 - (seen or 0) if action == "flip" else int(action),)
    early = system.place in ("before", "with")
    for drawn in product((0, 1), repeat=draws):
        chance = P ** sum(drawn) * Q ** (draws - sum(drawn))
        votes = drawn or settled
        taken = row if system.clash != "overwrite" else None
        if taken is not None and early and system.clash in ("abort", "adopt"):
            returned = () if system.clash == "abort" else (*votes[:-1], taken)
            yield row, frozenset(returned), chance
        else:
            yield row if taken is not None or not system.writes else votes[-1], frozenset(votes), chance


def replay(system: System, node: Node, *, looked_before: bool = False) -> dict[Node, Polynomial]:
    """Where one more call leads, run by itself to its commit, and how probable that is. `looked_before`: it looked at
    the log before any call was logged. Raises ValueError for a key that does not recur."""
    if system.key != "recurs":
        raise ValueError("a key that does not recur has no replays")
    row, returned = node
    found: dict[Node, Polynomial] = {}
    for after, votes, chance in _calls(system, row, None if looked_before else row):
        reached = (after, returned | votes)
        found[reached] = found.get(reached, ZERO) + chance
    return found


def advanced(system: System, law: Law, *, looked_before: bool = False) -> Law:
    """The law after one more call, for every n at once."""
    found: Law = {}
    for node, weight in law.items():
        for reached, chance in replay(system, node, looked_before=looked_before).items():
            found[reached] = found.get(reached, NEVER).plus(weight.times(chance))
    return _possible(found)


def inductive(system: System, law: Law, *, looked_before: bool = False) -> bool:
    """Whether a law is right for every n ≥ 1: at n = 1 it is what one call makes of no calls, and one more call makes
    of it the same law with n + 1 for n. The step compares the polynomials before 1, p^n and (1-p)^n: if those are
    equal, the laws are, whatever n is."""
    base = {node: value for node, weight in law.items() if (value := weight.at(1)) != ZERO}
    first = {node: value for node, value in replay(system, START, looked_before=looked_before).items() if value != ZERO}
    return base == first and advanced(system, law, looked_before=looked_before) == _possible(
        {node: weight.shifted() for node, weight in law.items()}
    )


def _possible(law: Law) -> Law:
    return {node: weight for node, weight in law.items() if weight != NEVER}


def guesses() -> Iterator[Law]:
    """Laws that a chain may have: draws that are all returned, with no row, or with one that says one of them (the
    first, or the last); or one draw, which every call returns."""
    only = {0: Weight(power_q=ONE), 1: Weight(power_p=ONE)}
    drawn = {0: Weight(Q), 1: Weight(P)}
    alone: dict[int, Node] = {vote: (vote, frozenset({vote})) for vote in (0, 1)}
    silent: Law = {(None, frozenset({vote})): only[vote] for vote in (0, 1)}
    yield silent | {(None, BOTH): SOME_PAIR}
    # The vote of the row was drawn, and not that vote alone.
    mixed: Law = {(vote, BOTH): drawn[vote].plus(only[vote].times(-ONE)) for vote in (0, 1)}
    yield {alone[vote]: only[vote] for vote in (0, 1)} | mixed
    yield {alone[vote]: drawn[vote] for vote in (0, 1)}


def closed_form(system: System, *, looked_before: bool = False) -> Law | None:
    """The law of the committed calls of a system after n of them, for every n ≥ 1: a guess that is `inductive`; None
    where none of them is."""
    return next((law for law in guesses() if inductive(system, law, looked_before=looked_before)), None)


def n1_rate(law: Law) -> Weight:
    """The probability that committed calls returned two votes, for every n."""
    found = NEVER
    for (_, returned), weight in law.items():
        found = found.plus(weight) if len(returned) > 1 else found
    return found


# -- identities for every n -------------------------------------------------------------------------------------------
def falls() -> bool:
    """Whether C(n) - C(n+1) = p(1-p)·C(n-1) for every n ≥ 2, of C(n) = p^n + (1-p)^n; written with n + 1 for n."""
    later = AGREE.shifted()
    return later.plus(later.shifted().times(-ONE)) == AGREE.times(P * Q)


def rises() -> bool:
    """Whether 1 - p^n - (1-p)^n grows by p^n·(1-p) + (1-p)^n·p for every n, which is positive for 0 < p < 1; and is 0
    at n = 1."""
    growth = SOME_PAIR.shifted().plus(SOME_PAIR.times(-ONE))
    return growth == Weight(ZERO, Q, P) and SOME_PAIR.at(1) == ZERO


def factors() -> bool:
    """Whether (1-p)^m - p^m is (1-2p) times a sum S(m) of products of p and 1-p, for every m ≥ 1: S(1) = 1, and the
    step S(m+1) = (1-p)·S(m) + p^m. The derivative of 1 - p^n - (1-p)^n is n times that of m = n - 1, and S is positive
    from 0 to 1, so its one zero there is 1/2."""
    difference = Weight(ZERO, -ONE, ONE)
    step = difference.times(Q).plus(Weight(power_p=ONE).times(Q - P))
    return difference.shifted() == step and difference.at(1) == Q - P


def pairs_by_induction(kind: str) -> bool:
    """Whether n draws have n-1 "consecutive" pairs, or n(n-1)/2 of "all", as one more draw adds one pair, or n of them:
    identities of polynomials, here in n. Each pair of independent draws differs with the rate of two draws."""
    n = P
    half = Polynomial.of(Fraction(1, 2))
    count = {"consecutive": n - ONE, "all": n * (n - ONE) * half}[kind]
    more = {"consecutive": n, "all": (n + ONE) * n * half}[kind]
    return more == count + {"consecutive": ONE, "all": n}[kind] and count(Fraction(1)) == 0
