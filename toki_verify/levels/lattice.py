"""Levels and families as data: a level is a named formula, a family orders its levels (SEMANTICS §4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from ..phenomena.catalogue import UnknownName
from ..relations.formulas import Formula, Named
from ..relations.terms import Term

#: What the names of levels stand for.
TITLES: Final = {
    "RU": "read uncommitted",
    "RC": "read committed",
    "RR": "repeatable read",
    "SI": "snapshot isolation",
    "SR": "serializable",
    "cb": "callback boundary kept",
    "PL-1": "no write cycles",
    "PL-2": "read committed",
    "PL-2+": "consistent view",
    "PL-2.99": "repeatable read",
    "PL-SI": "snapshot isolation",
    "PL-3": "serializable",
    "RA": "read atomic",
    "CC": "causal consistency",
    "PC": "prefix consistency",
    "PSI": "parallel snapshot isolation",
    "SER": "serializable",
    "2PL": "strict two-phase locking",
}


@dataclass(frozen=True)
class Level:
    """A level: the schedules that satisfy `formula`.

    `below` are the levels of its family directly under it. A `variant` is another reading of a level (`SI[G]`); the
    maximal levels of a schedule are taken among levels that are no variants. `evidence` says what shows that the level
    holds: an order of the transactions that `order` respects (`serial_order`, `commit_order`), or `timestamps` where
    `order` is `dependencies ; anti-dependencies?`.
    """

    id: str
    family: str
    formula: Formula
    meaning: str
    source: str
    below: tuple[str, ...] = ()
    variant: bool = False
    evidence: str = ""
    order: Term | None = None

    @property
    def title(self) -> str:
        """The name in words."""
        return TITLES.get(self.id.removesuffix("[G]"), "")

    @property
    def named(self) -> Formula:
        """The formula under its name."""
        return Named(f"{self.family}:{self.id}", self.formula)

    @property
    def full_id(self) -> str:
        """`family:id`."""
        return f"{self.family}:{self.id}"


@dataclass(frozen=True)
class Family:
    """Levels that are compared with each other, weaker ones first."""

    id: str
    title: str
    levels: tuple[Level, ...]

    def level(self, name: str) -> Level:
        """The level of a name, in any case. Raises UnknownName."""
        for level in self.levels:
            if level.id == name:
                return level
        for level in self.levels:
            if level.id.casefold() == name.casefold():
                return level
        raise UnknownName(f"level of family {self.id}", name, [level.id for level in self.levels])

    def ordered(self) -> tuple[Level, ...]:
        """The levels that are no variants."""
        return tuple(level for level in self.levels if not level.variant)

    def under(self, level: Level) -> set[str]:
        """The ids of every level at or below a level."""
        found: set[str] = set()
        stack = [level.id]
        while stack:
            name = stack.pop()
            if name not in found:
                found.add(name)
                stack += self.level(name).below
        return found

    def over(self, level: Level) -> list[Level]:
        """The levels strictly above a level: they fall with it."""
        return [other for other in self.levels if other.id != level.id and level.id in self.under(other)]

    def maximal(self, holding: Iterable[str], *, variants: bool = False) -> tuple[str, ...]:
        """Of the levels that hold, those with none above them that holds."""
        candidates = self.levels if variants else self.ordered()
        names = set(holding)
        held = [level for level in candidates if level.id in names]
        return tuple(
            level.id
            for level in held
            if not any(level.id in self.under(other) for other in held if other.id != level.id)
        )


DEFAULT_FAMILY = "graph"


@cache
def families() -> dict[str, Family]:
    """Every built-in family by id."""
    from . import adya, berenson, engine, graph, session

    return {module.FAMILY.id: module.FAMILY for module in (graph, berenson, adya, session, engine)}


def family(name: str) -> Family:
    """The family of an id, in any case. Raises UnknownName."""
    known = families()
    if name.casefold() in known:
        return known[name.casefold()]
    raise UnknownName("family", name, list(known))
