"""Which steps depend on each other: what a step touches, and how.

Two steps of different writers are *independent* where doing them in either order leads to the same state, lets neither
of them happen or not happen by it, and gives the same verdicts. Whatever else there is depends: this may be said too
often, which costs schedules, and never too seldom, which would lose some (`tests/agreement/test_designs.py` counts).

An object is shared by steps that only look at it and exclusive to those that change it. Of a row there are three: what
is written to it (`w`), what is committed of it (`c`), and its lock (`l`). Predicate reads look at all rows of a table
that match now or would match; changes carry what the row said before and after.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .values import Row

#: What a predicate read asks of a row.
Matcher = Callable[[Row], bool]


@dataclass(frozen=True, slots=True)
class Looked:
    """A predicate read: the table, the kinds of object it looks at, and its predicate."""

    table: str
    kinds: str
    matches: Matcher


@dataclass(frozen=True, slots=True)
class Changed:
    """A row of a table that a step changes: the kinds of object, and all that the row said before and after."""

    table: str
    kinds: str
    contents: tuple[Row, ...]


class Footprint:
    """What one step touches. `conflicts` is symmetric."""

    __slots__ = ("changed", "exclusive", "looked", "shared")

    def __init__(self) -> None:
        self.shared: set[Any] = set()
        self.exclusive: set[Any] = set()
        self.looked: list[Looked] = []
        self.changed: list[Changed] = []

    def look(self, kinds: str, table: str, key: str) -> None:
        """The step looks at objects of a row."""
        for kind in kinds:
            self.shared.add((kind, table, key))

    def change(self, kinds: str, table: str, key: str, contents: tuple[Row, ...]) -> None:
        """The step changes objects of a row."""
        for kind in kinds:
            self.exclusive.add((kind, table, key))
        self.changed.append(Changed(table, kinds, contents))

    def conflicts(self, other: Footprint) -> bool:
        """Whether the steps depend on each other."""
        exclusive, others = self.exclusive, other.exclusive
        if exclusive and not (exclusive.isdisjoint(others) and exclusive.isdisjoint(other.shared)):
            return True
        if others and not others.isdisjoint(self.shared):
            return True
        return bool(
            (self.looked and other.changed and _meet(self.looked, other.changed))
            or (other.looked and self.changed and _meet(other.looked, self.changed))
        )


def _meet(looked: list[Looked], changed: list[Changed]) -> bool:
    for look in looked:
        for change in changed:
            if (
                look.table == change.table
                and any(kind in change.kinds for kind in look.kinds)
                and any(look.matches(row) for row in change.contents)
            ):
                return True
    return False
