"""Every order of a conflict set: the n-ary argmax, and the binary operator folded over it (TOKI 2026, Proposition 2).

A fold goes through the orders as a tree, so that orders with a common beginning share its steps, and a step that was
made before on equal facts is not made again: operators are pure functions. Every order is reached, and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import permutations, product
from typing import Any, Final

from ..algebra import Fact, Operator, Semiring
from ..algebra.semiring import total
from .small_facts import day, fact

#: The winner's identity and the merged provenance: what Proposition 2 says is the same in every order.
Result = tuple[str, Any]
#: One step of a fold: the best so far and the next member give the best of both.
FoldStep = Callable[[Fact[Any], Fact[Any]], Fact[Any]]
#: Up to so many members every pattern of ties is made: partial ones among three, of which two may be equal.
TIED: Final = 3
#: Later than every member of a conflict set.
LATER = day(100)


@dataclass(frozen=True)
class Pattern:
    """Which times, and which confidences, of a conflict set are equal or larger than others: their ranks by member."""

    times: tuple[int, ...]
    confidences: tuple[int, ...]

    def __str__(self) -> str:
        return f"times {_words(self.times)}, confidences {_words(self.confidences)}"

    def by_size(self) -> tuple[int, int]:
        """Smaller sets first, of one size those with fewer ties."""
        return len(self.times), -len(set(self.times)) - len(set(self.confidences))

    def members(self, carrier: Semiring[Any], strategy: str = "lww") -> list[Fact[Any]]:
        """Pairwise contradicting facts f1 … fn."""
        return [
            fact(
                f"f{number}",
                f"v{number}",
                at=time + 1,
                confidence=(confidence + 1) / 10,
                strategy=strategy,
                carrier=carrier,
            )
            for number, (time, confidence) in enumerate(zip(self.times, self.confidences, strict=True), start=1)
        ]


def _words(ranks: tuple[int, ...]) -> str:
    different = len(set(ranks))
    return "different" if different == len(ranks) else "equal" if different == 1 else "with ties"


def rankings(size: int) -> list[tuple[int, ...]]:
    """Every weak order of so many members, as ranks from 0 on."""
    return [ranks for ranks in product(range(size), repeat=size) if set(ranks) == set(range(max(ranks) + 1))]


def patterns(size: int, *, partial: bool = True) -> list[Pattern]:
    """Every pattern of ties of up to `TIED` members, where partial ties are wanted; otherwise those without ties and
    those with all of a kind tied, in which confidences fall while times rise."""
    if size <= TIED and partial:
        return [Pattern(*ranks) for ranks in product(rankings(size), repeat=2)]
    rising, equal = tuple(range(size)), (0,) * size
    return [Pattern(*ranks) for ranks in product((rising, equal), (rising[::-1], equal))]


def conflict_set(
    size: int, carrier: Semiring[Any], *, same_time: bool = False, same_confidence: bool = False
) -> list[Fact[Any]]:
    """A conflict set. Confidences fall while times rise, unless they are all the same."""
    rising, equal = tuple(range(size)), (0,) * size
    return Pattern(equal if same_time else rising, equal if same_confidence else rising[::-1]).members(carrier)


def stamped(found: Operator, carrier: Semiring[Any], now: datetime | None = LATER) -> FoldStep:
    """The binary operator as §3.2 has it: the winner goes on with a fresh system time. Without `now` the stamp is the
    later of the two members' own times, as on a write path whose clock is the facts'."""

    def step(best: Fact[Any], member: Fact[Any]) -> Fact[Any]:
        at = now or max(best.system_time_start, member.system_time_start)
        return found.resolve(best, member, now=at, carrier=carrier).winner

    return step


def unstamped(found: Operator, carrier: Semiring[Any]) -> FoldStep:
    """The repair: the winner goes on with the merged provenance and its own system time; stamp it once, at the end."""

    def step(best: Fact[Any], member: Fact[Any]) -> Fact[Any]:
        winner = (best, member)[found.select((best, member))]
        return replace(winner, provenance=carrier.plus(best.provenance, member.provenance))

    return step


def fold_results(members: Sequence[Fact[Any]], step: FoldStep) -> Counter[Result]:
    """How many orders of the members end in which result."""
    # States have numbers, which compare faster than facts; of one set the other columns of a best follow from these.
    numbers: dict[tuple[str, Any, datetime], int] = {}
    states: list[Fact[Any]] = []
    made: dict[tuple[int, int], int] = {}
    ends: Counter[int] = Counter()

    def numbered(best: Fact[Any]) -> int:
        key = best.fact_id, best.provenance, best.system_time_start
        if key not in numbers:
            numbers[key] = len(states)
            states.append(best)
        return numbers[key]

    def go(state: int, left: tuple[int, ...]) -> None:
        if not left:
            ends[state] += 1
        for place, number in enumerate(left):
            after = made.get((state, number))
            if after is None:
                after = made[state, number] = numbered(step(states[state], members[number]))
            go(after, left[:place] + left[place + 1 :])

    everyone = tuple(range(len(members)))
    for number in everyone:
        go(numbered(members[number]), everyone[:number] + everyone[number + 1 :])
    found: Counter[Result] = Counter()
    for state, count in ends.items():
        found[states[state].fact_id, states[state].provenance] += count
    return found


def argmax_results(members: Sequence[Fact[Any]], found: Operator, carrier: Semiring[Any]) -> Counter[Result]:
    """The same of the n-ary operator, on every order of the members."""
    results: Counter[Result] = Counter()
    for order in permutations(members):
        resolution = found.resolve_set(order, now=LATER, carrier=carrier)
        results[resolution.winner.fact_id, resolution.audit.provenance] += 1
    return results


def quick_argmax_results(members: Sequence[Fact[Any]], found: Operator, carrier: Semiring[Any]) -> Counter[Result]:
    """The same without what the result does not show (the check of contradiction, stamps); equal sums are made once."""
    numbers: dict[Any, int] = {}
    values: list[Any] = []
    sums: dict[tuple[int, int], int] = {}

    def numbered(value: Any) -> int:
        if value not in numbers:
            numbers[value] = len(values)
            values.append(value)
        return numbers[value]

    first = [numbered(member.provenance) for member in members]
    ends: Counter[tuple[str, int]] = Counter()
    for order in permutations(range(len(members))):
        merged = first[order[0]]
        for number in order[1:]:
            after = sums.get((merged, number))
            if after is None:
                after = sums[merged, number] = numbered(carrier.plus(values[merged], members[number].provenance))
            merged = after
        chosen = found.select([members[number] for number in order])
        ends[members[order[chosen]].fact_id, merged] += 1
    return Counter({(name, values[merged]): count for (name, merged), count in ends.items()})


def dominates_all(members: Sequence[Fact[Any]], merged: Any, carrier: Semiring[Any]) -> bool:
    """Whether a merged provenance is above that of every member."""
    return all(carrier.leq(member.provenance, merged) for member in members)


def sum_of(members: Sequence[Fact[Any]], carrier: Semiring[Any]) -> Any:
    """The sum of all provenances."""
    return total(carrier, [member.provenance for member in members])
