"""Every small history of writes to one partition, and what the write path makes of it (TOKI 2026, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
    f"every history of up to {LONGEST} facts in one partition: objects up to renaming, valid periods over three "
    "instants "
    "(two instants, where there are three facts), lww or evi with lower or higher confidence"
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
CLOCKS: Final = ((1, 1), (2, 1), (1, 1, 2), (2, 1, 3), (1, 3, 2))


@cache
def every_odd_run() -> tuple[Run, ...]:
    """Every small history under every such clock."""
    return tuple(run(history) for times in CLOCKS for history in histories(len(times), times))
