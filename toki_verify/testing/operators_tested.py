"""What the laws of operators are checked on: the operators given, their oracles, and Table 13 said once more."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ..algebra.facts import Fact
from ..algebra.semiring import Semiring
from .cases import Asked, ConflictSet
from .failures import Broken
from .protocols import AUDIT, require_operators, require_resolution
from .strategies import running_example

FOLDING: Final = ("lww", "evi")
ASKING: Final = ("await", "rule")
#: Table 13: the key whose largest value wins. Said here once more, apart from the operators that are shipped.
PREFERENCES: Final[Mapping[str, Callable[[Fact[Any]], Any]]] = {
    "lww": lambda fact: (fact.system_time_start, fact.fact_id),
    "evi": lambda fact: (fact.confidence, fact.system_time_start, fact.fact_id),
}


@dataclass
class Recorded:
    """An oracle that elects an index, or raises, and keeps what it was asked."""

    vote: int | Exception | None
    calls: list[tuple[Fact[Any], ...]] = field(default_factory=list)

    def __call__(self, members: Sequence[Fact[Any]]) -> int:
        self.calls.append(tuple(members))
        if isinstance(self.vote, Exception):
            raise self.vote
        assert self.vote is not None
        return self.vote


@dataclass(frozen=True)
class Operators:
    """The operators under test."""

    operators: Mapping[str, Any]
    carrier: Semiring[Any]

    def __post_init__(self) -> None:
        """Raises Untestable: for what is missing in them, and in what they return, on the running example."""
        require_operators(self.operators)
        for name in self.operators:
            try:
                found = self.resolve(Asked(name, running_example(self.carrier)))
            except Exception:  # for the laws to tell, or for none of them: an operator may refuse these two
                continue
            require_resolution(found, name)

    def resolve(self, asked: Asked, oracle: Recorded | None = None, *, given: bool = False) -> Any:
        """What an operator concludes. Its oracle is the one given (`given`: even None), or one that elects `vote`."""
        operator, case = self.operators[asked.strategy], asked.case
        if oracle is None and not given and asked.strategy not in FOLDING:
            oracle = Recorded(asked.vote)
        if isinstance(case, ConflictSet):
            return operator.resolve_set(case.members, now=case.now, carrier=case.carrier, oracle=oracle)
        return operator.resolve(case.first, case.second, now=case.now, carrier=case.carrier, oracle=oracle)

    def require_below(self, fact: Fact[Any], provenance: Any, what: str) -> None:
        """Raises Broken unless the provenance of a fact is below another."""
        if not self.carrier.leq(fact.provenance, provenance):
            own, merged = self.carrier.text(fact.provenance), self.carrier.text(provenance)
            raise Broken(f"the provenance {own} of {fact.fact_id} is not below {merged} of {what}")


def parts_of(found: Any) -> tuple[Any, ...]:
    """What a resolution says, to be compared with one of another class."""
    return found.winner, tuple(found.losers), *(getattr(found.audit, name) for name in AUDIT)


def refusal(call: Callable[[], Any], kind: type[Exception] = ValueError) -> Exception | None:
    """The exception of a kind that a call raises; None where it returns. Others are not caught."""
    try:
        call()
    except kind as error:
        return error
    return None
