"""The examples on which laws of operators are checked: facts in conflict, and the time at which they are resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from ..algebra.facts import Fact
from ..algebra.semiring import Semiring
from .failures import instant_text

K = TypeVar("K")


@dataclass(frozen=True)
class Pair(Generic[K]):
    """Two facts, the time at which an operator is applied to them, and the carrier of their provenance."""

    first: Fact[K]
    second: Fact[K]
    now: datetime
    carrier: Semiring[K]

    @property
    def facts(self) -> tuple[Fact[K], Fact[K]]:
        """Both, in their order."""
        return self.first, self.second

    @property
    def swapped(self) -> Pair[K]:
        """The same two in the other order."""
        return Pair(self.second, self.first, self.now, self.carrier)

    @property
    def shown(self) -> Mapping[str, Fact[K]]:
        """For messages."""
        return {"first": self.first, "second": self.second}

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        return (f"now {instant_text(self.now)}",)


@dataclass(frozen=True)
class ConflictSet(Generic[K]):
    """Facts that contradict pairwise, the time at which they are resolved, and the carrier."""

    members: tuple[Fact[K], ...]
    now: datetime
    carrier: Semiring[K]

    @property
    def shown(self) -> Mapping[str, Fact[K]]:
        """For messages."""
        return {f"member {number}": member for number, member in enumerate(self.members)}

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        return (f"now {instant_text(self.now)}",)


@dataclass(frozen=True)
class Asked:
    """A case of an operator: which one, the facts, and the vote of an oracle."""

    strategy: str
    case: Any
    vote: int = 0
    order: tuple[int, ...] = ()

    @property
    def carrier(self) -> Semiring[Any]:
        """The carrier of the facts."""
        found: Semiring[Any] = self.case.carrier
        return found

    @property
    def shown(self) -> Mapping[str, Fact[Any]]:
        """For messages."""
        found: Mapping[str, Fact[Any]] = self.case.shown
        return found

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        vote = (f"the oracle elects {self.vote}",) if self.strategy not in ("lww", "evi") else ()
        order = (f"in the order {', '.join(map(str, self.order))}",) if self.order else ()
        return (f"operator {self.strategy!r}, {self.case.told[0]}", *vote, *order)
