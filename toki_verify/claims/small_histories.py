"""Every small history of writes to one partition, and what the write path makes of it (TOKI 2026, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Any, Final

from ..algebra import Fact, Semiring
from ..algebra.errors import AlgebraError
from ..stores import MemoryStore, StoreError, WritePath, Written
from .small_facts import MULTIDEGREE, fact

History = tuple[Fact[Any], ...]

#: Every valid period over three instants, and those over two.
WIDE: Final = ((0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 3))
NARROW: Final = ((0, 1), (1, 2), (0, 2))
#: How a fact wants to be resolved: as the last one, or with a confidence above or below that of the first fact.
WISHES: Final = (("lww", 0.5), ("evi", 0.2), ("evi", 0.8))
#: Objects of one to three facts, numbered by first use.
OBJECTS: Final = {1: ("x",), 2: ("xx", "xy"), 3: ("xxx", "xxy", "xyx", "xyy", "xyz")}
LONGEST: Final = 3
BOUND = (
    f"every history of up to {LONGEST} facts in one partition, each with a fact_id of its own, one fact a day: objects "
    "up to renaming, valid periods over three instants (two instants, where there are three facts), lww or evi with "
    "lower or higher confidence"
)


@dataclass(frozen=True)
class Run:
    """A history, what became of each fact (what was raised, where it was refused), and the rows at the end."""

    history: History
    written: tuple[Written[Any] | Exception, ...]
    rows: tuple[Fact[Any], ...]

    @property
    def errors(self) -> list[Exception]:
        """What was raised."""
        return [found for found in self.written if isinstance(found, Exception)]

    def kinds(self) -> list[str]:
        """What became of each fact, in a word."""
        return [type(found).__name__ if isinstance(found, Exception) else found.kind for found in self.written]


def histories(length: int, times: Sequence[int] = (1, 2, 3)) -> Iterator[History]:
    """Every history of some length, the facts a, b, c written at some times."""
    periods = WIDE if length < LONGEST else NARROW
    for objects in OBJECTS[length]:
        for valid in product(periods, repeat=length):
            for wishes in product(WISHES, repeat=length - 1):
                yield tuple(
                    fact(name, value, period, at, confidence=confidence, strategy=strategy)
                    for name, value, period, at, (strategy, confidence) in zip(
                        "abc", objects, valid, times, (WISHES[0], *wishes), strict=False
                    )
                )


def run(history: History, *, mode: str = "audit_row", carrier: Semiring[Any] = MULTIDEGREE, **settings: Any) -> Run:
    """Write the facts of a history one after another, each at its own time, into an empty store."""
    store = MemoryStore(carrier, mode=mode)
    return run_on(WritePath(store, **settings), history)


def run_on(path: WritePath[Any], history: History) -> Run:
    """Write the facts of a history through a write path."""
    written: list[Written[Any] | Exception] = []
    for found in history:
        try:
            written.append(path.ingest(found))
        except (AlgebraError, StoreError) as error:
            written.append(error)
    return Run(history, tuple(written), tuple(path.store.rows()))


@cache
def every_run(mode: str = "audit_row") -> tuple[Run, ...]:
    """Every small history, one fact a day, shorter ones first."""
    return tuple(run(history, mode=mode) for length in range(1, LONGEST + 1) for history in histories(length))


#: Clocks that stand still or go back at some write.
CLOCKS: Final = ((1, 1), (2, 1), (1, 1, 2), (1, 3, 2))


@cache
def every_odd_run() -> tuple[Run, ...]:
    """Every small history under every such clock."""
    return tuple(run(history) for times in CLOCKS for history in histories(len(times), times))


#: Who of two or three facts has the fact_id of another: a revision, or the same fact delivered twice.
NAMES: Final = {2: ("aa",), 3: ("aab", "aba", "abb", "aaa")}
#: Clocks that rise, and clocks that stand still at the last write: two losses at one instant need no other.
RISING: Final = {2: (1, 2), 3: (1, 2, 3)}
STANDING: Final = {2: (1, 1), 3: (1, 2, 2)}
NAMED_BOUND = (
    f"every history of 2 to {LONGEST} facts in one partition of which some share a fact_id, valid in the first or the "
    "second of two periods side by side (the first fact in the first), lww or evi with lower confidence"
)


def named(history: History, names: str) -> History:
    """A history with other fact_ids; provenance follows them."""
    return tuple(
        replace(each, fact_id=name, provenance=MULTIDEGREE.token(name))
        for each, name in zip(history, names, strict=True)
    )


@cache
def every_named_run(mode: str = "audit_row", *, rising: bool) -> tuple[Run, ...]:
    """Every such history, shorter ones first, under a clock that rises, or one that stands still at last."""
    found = []
    for length, every in NAMES.items():
        for names in every:
            for history in histories(length, (RISING if rising else STANDING)[length]):
                if history[0].valid == _SIDE_BY_SIDE[0] and all(map(_plain, history)):
                    found.append(run(named(history, names), mode=mode))
    return tuple(found)


def _plain(found: Fact[Any]) -> bool:
    return found.valid in _SIDE_BY_SIDE and (found.resolution_strategy_id, found.confidence) != WISHES[-1]


_SIDE_BY_SIDE: Final = tuple(fact("a", "x", valid).valid for valid in NARROW[:2])
