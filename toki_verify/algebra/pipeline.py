"""Sequential pipelines ⊕aₙ ∘ … ∘ ⊕a₁ on one contradicting pair, and their contract (TOKI 2026, Theorem 4, Lemma 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, Literal, TypeVar, get_args

from .errors import NotContradicting, chosen
from .facts import Fact
from .operators import Operator, Resolution, operator
from .oracles import Oracle
from .preconditions import Precondition, composite
from .semiring import Semiring

K = TypeVar("K")

#: How ⊕c's SR^policy counts: as a pin of the policy table that stays outside L (Theorem 4(4), Lemma 2), or as SR
#: in L (Table 13, and the counts of Table 23).
PolicyTreatment = Literal["pin", "level"]


def precondition(found: Operator, policy: PolicyTreatment = "pin") -> Precondition:
    """The precondition of an operator in one of the two treatments of ⊕c."""
    chosen("policy", policy, get_args(PolicyTreatment))
    if policy == "level" and found.precondition.pins:
        return replace(found.precondition, iso="SR", pins=frozenset())
    return found.precondition


@dataclass(frozen=True)
class Pipeline(Generic[K]):
    """A sequence of operators, the first applied first. Each gets the winner and the loser as the step before left
    them: the winner stamped, the loser as it was. All run under one transaction at one system time (Remark 2).

    The two should have different fact_ids: stamped at one time in turn, two versions of one fact would be one row.
    """

    steps: tuple[Operator, ...]

    @classmethod
    def of(cls, *strategies: str) -> Pipeline[K]:
        """The pipeline of some strategy ids, in order. Raises UnknownStrategy."""
        return cls(tuple(map(operator, strategies)))

    def precondition(self, policy: PolicyTreatment = "pin") -> Precondition:
        """The composite precondition: the join on the isolation, callback and schema axes, pins gathered beside."""
        return composite(precondition(step, policy) for step in self.steps)

    def run(
        self,
        first: Fact[K],
        second: Fact[K],
        *,
        now: datetime,
        carrier: Semiring[K],
        oracles: Mapping[str, Oracle] | None = None,
        seconds: float | None = None,
    ) -> list[Resolution[K]]:
        """The chain of emissions, one a step. Raises what `Operator.resolve` raises."""
        chain: list[Resolution[K]] = []
        pair = (first, second)
        for step in self.steps:
            oracle = (oracles or {}).get(step.id)
            found = step.resolve(*pair, now=now, carrier=carrier, oracle=oracle, seconds=seconds)
            chain.append(found)
            # The two keep their places, so that an oracle's index means the same fact at every step.
            won_first = found.winner.fact_id == pair[0].fact_id and found.winner.object == pair[0].object
            pair = (found.winner, found.loser) if won_first else (found.loser, found.winner)
        return chain


def fold(
    found: Operator, members: Sequence[Fact[K]], *, now: datetime, carrier: Semiring[K], oracle: Oracle | None = None
) -> list[Resolution[K]]:
    """The fold of the binary operator over members in their order, each winner stamped before it meets the next (§3.2).

    Proposition 2 speaks of the argmax (`Operator.resolve_set`); this is what binary steps make of the same set.
    """
    if not members:
        raise NotContradicting("no facts", "one or more that contradict pairwise")
    chain: list[Resolution[K]] = []
    best = members[0]
    for member in members[1:]:
        chain.append(found.resolve(best, member, now=now, carrier=carrier, oracle=oracle))
        best = chain[-1].winner
    return chain
