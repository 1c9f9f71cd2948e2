"""The four typed operators ⊕t ⊕p ⊕? ⊕c as pure functions of two contradicting facts (TOKI 2026, §3.2, Appendix C.2).

They share everything but the selector: contradiction is required, provenance merged once, the winner stamped with a
fresh system-time start, the open end, the merged provenance and the strategy; the loser is returned as it was. Closing
it is the write path's work (`stores/write_path.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from .audit import AuditTuple
from .errors import InvalidFact, NotContradicting, OracleMissing, UnknownStrategy, shown
from .facts import Fact, contradicts
from .oracles import Oracle, ask
from .periods import instant, open_end, same_kind
from .preconditions import Precondition
from .semiring import Semiring, total

K = TypeVar("K")

#: The key whose largest value wins.
Preference = Callable[[Fact[Any]], tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Resolution(Generic[K]):
    """What an operator concludes: the stamped winner, the losers as they were, and the audit tuple."""

    winner: Fact[K]
    losers: tuple[Fact[K], ...]
    audit: AuditTuple[K]

    @property
    def loser(self) -> Fact[K]:
        """The loser of a binary resolution."""
        return self.losers[0]


@dataclass(frozen=True)
class Operator:
    """A contradiction-resolution operator: its strategy id, what it asks of isolation, what it exposes when weakened.

    `preference` is its selector where it has one; without one it asks an oracle.
    """

    id: str
    glyph: str
    name: str
    precondition: Precondition
    exposes: str
    preference: Preference | None = None

    @property
    def asks(self) -> bool:
        """Whether an oracle elects the winner."""
        return self.preference is None

    def resolve(
        self,
        first: Fact[K],
        second: Fact[K],
        *,
        now: datetime,
        carrier: Semiring[K],
        oracle: Oracle | None = None,
        seconds: float | None = None,
    ) -> Resolution[K]:
        """The winner of two contradicting facts. An oracle is given (first, second), and `seconds` to answer.

        Raises NotContradicting, InvalidFact (one version twice, mixed timestamps), OracleMissing, OracleFailed,
        VoteOutOfRange.
        """
        return self.resolve_set((first, second), now=now, carrier=carrier, oracle=oracle, seconds=seconds)

    def resolve_set(
        self,
        members: Sequence[Fact[K]],
        *,
        now: datetime,
        carrier: Semiring[K],
        oracle: Oracle | None = None,
        seconds: float | None = None,
    ) -> Resolution[K]:
        """The winner of a set of pairwise contradicting facts: one argmax, or one election (Proposition 2, Remark 3).

        The audit tuple has the sum of all provenances. Raises what `resolve` raises.
        """
        at = instant(now, "now")
        members = tuple(members)  # an oracle may take long, and a list may change meanwhile
        require_contradiction(members)
        same_kind("the facts and now", at, members[0].valid_from)
        index = self.select(members, oracle=oracle, seconds=seconds)
        winner, losers = members[index], tuple(member for at_, member in enumerate(members) if at_ != index)
        merged = total(carrier, [winner.provenance, *(loser.provenance for loser in losers)])
        audit = AuditTuple(
            merged,
            self.id,
            at,
            winner.fact_id,
            winner.object,
            tuple(loser.fact_id for loser in losers),
            tuple(loser.object for loser in losers),
        )
        return Resolution(self.stamp(winner, at, merged), losers, audit)

    def select(self, members: Sequence[Fact[K]], *, oracle: Oracle | None = None, seconds: float | None = None) -> int:
        """The index of the winner: the largest preference, or what the oracle elects."""
        if self.preference is not None:
            preference = self.preference
            return max(range(len(members)), key=lambda index: preference(members[index]))
        if oracle is None:
            raise OracleMissing(f"{self.id} without an oracle", "a callback (await) or a policy (rule)")
        return ask(oracle, members, seconds)

    def stamp(self, winner: Fact[K], now: datetime, merged: K) -> Fact[K]:
        """The winner with a fresh system-time start, the open end, the merged provenance and this strategy (§3.2)."""
        return replace(
            winner,
            system_time_start=now,
            system_time_end=open_end(now),
            provenance=merged,
            resolution_strategy_id=self.id,
            row_kind="current",
        )


def require_contradiction(members: Sequence[Fact[Any]]) -> None:
    """Raises NotContradicting unless the members are two or more that contradict pairwise, InvalidFact where two are
    one version (fact_id, system_time_start), which no order tells apart."""
    if len(members) < 2:
        raise NotContradicting(f"{len(members)} facts", "two or more that contradict pairwise")
    seen = set()
    for number, member in enumerate(members):
        for other in members[:number]:
            if not contradicts(other, member):
                what = f"facts {other.fact_id!r} and {member.fact_id!r}, which do not contradict"
                raise NotContradicting(what, "one subject and predicate, two objects, valid periods that overlap")
        key = (member.fact_id, member.system_time_start)
        if key in seen:
            raise InvalidFact(f"fact {member.fact_id!r} twice with one system_time_start", "two versions")
        seen.add(key)


def _by_time(fact: Fact[Any]) -> tuple[Any, ...]:
    return fact.system_time_start, fact.fact_id


def _by_confidence(fact: Fact[Any]) -> tuple[Any, ...]:
    return fact.confidence, fact.system_time_start, fact.fact_id


LWW: Final = Operator("lww", "⊕t", "last-writer-wins", Precondition("RC"), "P4", _by_time)
EVIDENCE: Final = Operator("evi", "⊕p", "evidence-weighted", Precondition("SI"), "A5B", _by_confidence)
AWAIT: Final = Operator("await", "⊕?", "await-confirmation", Precondition("RC", cb=True), "CB")
#: SR^policy: read as a pin of the policy table, on top of RC (Theorem 4(4)). Table 13 has SR: see `pipeline.py`.
RULE: Final = Operator("rule", "⊕c", "per-rule", Precondition("RC", pins=frozenset({"policy"})), "P3")

#: The operators by strategy id.
OPERATORS: Final[dict[str, Operator]] = {found.id: found for found in (LWW, EVIDENCE, AWAIT, RULE)}


def operator(strategy: str) -> Operator:
    """The operator of a strategy id. Raises UnknownStrategy: there is no fallback (§3.4)."""
    if not isinstance(strategy, str) or strategy not in OPERATORS:
        raise UnknownStrategy(f"resolution strategy {shown(strategy)}", f"one of {', '.join(OPERATORS)}")
    return OPERATORS[strategy]
