"""The examples on which laws of operators are checked: facts in conflict, and the time at which they are resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from ..algebra.facts import Fact
from ..algebra.semiring import Semiring
from .failures import instant_text

K = TypeVar("K")
#: The columns by which operators choose that ask nobody (Table 13), without fact_id, which is always told.
KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "lww": ("system_time_start",),
    "evi": ("confidence", "system_time_start"),
}


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
    """A case of an operator: which one, the facts, and the vote of an oracle: an index, what it raises, or None where
    there is no oracle."""

    strategy: str
    case: Any
    vote: Any = 0
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
    def columns(self) -> Sequence[str]:
        """For messages: the columns by which the operator chooses, even where they are the same."""
        return KEYS.get(self.strategy, ())

    @property
    def told(self) -> Sequence[str]:
        """For messages."""
        if self.vote is None:
            says = "without an oracle"
        else:
            who = "the oracle" if self.strategy in ("await", "rule") else "an oracle, if one is asked,"
            says = f"{who} {f'elects {self.vote}' if isinstance(self.vote, int) else f'raises {self.vote!r}'}"
        vote = (says,) if self.strategy not in KEYS else ()
        order = (f"in the order {', '.join(map(str, self.order))}",) if self.order else ()
        return (f"operator {self.strategy!r}, {self.case.told[0]}", *vote, *order)
