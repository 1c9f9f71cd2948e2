"""What a counter makes: the instances of a phenomenon, each with its time, and how to show one.

An instance has accesses of its own, named by its unit: a read and the write that it missed, the four accesses of a
skew. Its time is the latest event of these, when it is complete; of those that are complete at one event the one with
the lower place (of its accesses at that event the first) stands first. What has several ways to be shown is shown in
the one that is complete first, where a docstring does not say otherwise. Its `Found` may name more: what is needed so
that the transactions of the accesses alone show the phenomenon.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from .arrays import Ints, full, numbers, wide
from .found import Found, found
from .reading import Reading

#: How many candidates a counter looks at where there may be a square of them: behind it, "at least so many".
CAP: Final = 1 << 24
#: How many are unfolded at once.
PIECE: Final = 1 << 20


def _nothing_more(_: int) -> tuple[int, ...]:
    return ()


@dataclass(frozen=True)
class Instances:
    """Some instances: `accesses` (n, k) are their own (-1: none), `time` and `place` (n,) are by what they are sorted;
    `more` names further accesses that are needed to show the instance i.

    `number` is how many there are; all of them are here, or (of pairs of which there may be a square) the first ones.
    """

    accesses: Ints
    time: Ints
    place: Ints
    number: int
    exact: bool = True
    more: Callable[[int], tuple[int, ...]] = field(default=_nothing_more)

    def first(self, limit: int) -> list[Found]:
        """The first ones by time, then place, then as they stand."""
        order = self.by_time(limit)
        return [found(*self.accesses[i], *self.more(int(i))) for i in order]

    def by_time(self, limit: int) -> Ints:
        """The numbers of the first ones, in order."""
        some: Ints = numbers(len(self.time))
        if limit < len(some):
            bound = np.partition(self.time, limit)[limit] if limit > 0 else -1
            some = wide(np.flatnonzero(self.time <= bound))
        return wide(some[np.lexsort((self.place[some], self.time[some]))][: max(limit, 0)])


def timed(reading: Reading, *columns: Ints) -> tuple[Ints, Ints, Ints]:
    """Accesses as a table (n, k), and for each row its time and place; -1 stands for no access."""
    table = np.stack([wide(column) for column in columns], axis=1)
    event = wide(reading.index.event)
    if not len(event):
        return table, table.max(axis=1, initial=-1), table.max(axis=1, initial=-1)
    at = np.where(table >= 0, event[table], -1)
    time = at.max(axis=1)
    place = np.where((at == time[:, None]) & (table >= 0), table, len(event)).min(axis=1)
    return table, time, place


def each(reading: Reading, *columns: Ints, exact: bool = True) -> Instances:
    """Every row of these columns is an instance."""
    table, time, place = timed(reading, *columns)
    return Instances(table, time, place, len(table), exact)


def best(reading: Reading, key: Ints, *columns: Ints, exact: bool = True) -> Instances:
    """Rows with one key show one instance: of each the row that is complete first. Instances ascend by key."""
    table, time, place = timed(reading, *columns)
    chosen = first_of(key, time, place)
    return Instances(table[chosen], time[chosen], place[chosen], len(chosen), exact)


def first_of(key: Ints, time: Ints, place: Ints) -> Ints:
    """Of the rows with one key the first by time, place and order; ascending by key."""
    if not len(key):
        return full(0, 0)
    order = np.lexsort((place, time, key))
    in_order = key[order]
    return wide(order[np.concatenate([[True], in_order[1:] != in_order[:-1]])])


def first_ways(reading: Reading, key: Ints, *columns: Ints) -> tuple[Ints, ...]:
    """Of a piece of such rows, for each key the one that is complete first: keys and columns."""
    table, time, place = timed(reading, *columns)
    chosen = first_of(key, time, place)
    return key[chosen], *table[chosen].T


def merged(*parts: Instances) -> Instances:
    """Instances of several kinds."""
    behind = np.cumsum([0, *(len(part.time) for part in parts)])
    width = max(part.accesses.shape[1] for part in parts)
    tables = [full((len(part.time), width), -1) for part in parts]
    for table, part in zip(tables, parts, strict=True):
        table[:, : part.accesses.shape[1]] = part.accesses

    def more(i: int) -> tuple[int, ...]:
        which = int(np.searchsorted(behind, i, side="right")) - 1
        return parts[which].more(i - int(behind[which]))

    return Instances(
        np.concatenate(tables),
        np.concatenate([part.time for part in parts]),
        np.concatenate([part.place for part in parts]),
        sum(part.number for part in parts),
        all(part.exact for part in parts),
        more,
    )


def stacked(pieces: list[tuple[Ints, ...]], width: int) -> tuple[Ints, ...]:
    """Pieces of several columns as columns."""
    if not pieces:
        return (full(0, 0),) * width
    return tuple(np.concatenate(column) for column in zip(*pieces, strict=True))


def over(looked: int) -> bool:
    """Whether so many candidates are more than the cap."""
    return looked > CAP


def enough(pieces: list[tuple[Ints, ...]], looked: int) -> bool:
    """Whether a counter that looked at so many candidates may stop: not before it has found something."""
    return over(looked) and any(len(piece[0]) for piece in pieces)


#: A counter finds at least the first `limit` instances by time, and how many there are.
Count = Callable[[Reading, int], Instances]


@dataclass(frozen=True)
class Counter:
    """A counter, and what it counts, in the plural."""

    unit: str
    count: Count


#: By id of the catalogue.
COUNTERS: Final[dict[str, Counter]] = {}


def counts(name: str, unit: str) -> Callable[[Count], Count]:
    """Register a function as the counter of a phenomenon."""

    def register(function: Count) -> Count:
        COUNTERS[name] = Counter(unit, function)
        return function

    return register
