"""One trace as it is read: its index, status, edges and graphs, and the answers so far; the registers of deciders."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final, TypeVar, cast

import numpy as np

from ..trace import Trace
from .arrays import Ints, full, lower_to, raise_to
from .edges import ConflictEdges, Edges
from .found import Found, found
from .graphs import Graph
from .index import Index
from .status import Status

_Made = TypeVar("_Made")


class Reading:
    """A trace, with everything that several deciders use computed once."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.index = Index(trace)
        self.status = Status(self.index)
        self.edges = ConflictEdges(self.index, self.status)
        self._once: dict[Callable[..., object], object] = {}
        self._present: dict[str, Found | None] = {}
        self._holds: dict[str, bool] = {}

    def graph(self, *parts: Edges) -> Graph:
        """A graph on the transactions; their places in time are their ends."""
        return Graph(parts, self.index.end)

    @cached_property
    def dep(self) -> Graph:
        """wr, pwr, ww."""
        return self.graph(*self.edges.kinds["dep"])

    @cached_property
    def dsg(self) -> Graph:
        """All edges of the conflict graph."""
        return self.graph(*self.edges.kinds["dsg"])

    @cached_property
    def ordered(self) -> Graph:
        """Dependencies and sessions."""
        return self.graph(*self.edges.kinds["ordered"])

    @cached_property
    def everything(self) -> Graph:
        """All edges and sessions."""
        return self.graph(*self.edges.kinds["everything"])

    @cached_property
    def touched(self) -> tuple[Ints, Ints]:
        """The first and the last event by which each transaction read or wrote a row; `events` and -1 where none."""
        index = self.index
        places = np.flatnonzero(index.write | index.item_read | index.row)
        first = full(index.txns, self.trace.events)
        last = full(index.txns, -1)
        lower_to(first, index.txn[places], index.event[places])
        raise_to(last, index.txn[places], index.event[places])
        return first, last

    def once(self, make: Callable[[Reading], _Made]) -> _Made:
        """What a function makes of this reading, made once."""
        if make not in self._once:
            self._once[make] = make(self)
        return cast(_Made, self._once[make])

    def present(self, name: str) -> Found | None:
        """What shows a phenomenon, None where it is absent. Raises KeyError for one that is not registered."""
        if name not in self._present:
            shown = PHENOMENA[name](self)
            self._present[name] = None if shown is None else self.completed(shown)
        return self._present[name]

    def completed(self, shown: Found) -> Found:
        """With the predecessors in ≪ of its writes, where match status matters: what a write changed hangs on them."""
        if not len(self.status.keys):
            return shown
        index = self.index
        slots = [int(index.slot_of[index.version[a]]) for a in shown.accesses if index.write[a]]
        before = [int(index.slot_access[slot - 1]) for slot in slots if slot > index.item_slots[index.slot_item[slot]]]
        return found(*shown.accesses, *before)

    def holds(self, name: str) -> bool:
        """Whether a level (`family:id`) holds. Raises KeyError for one that is not registered."""
        if name not in self._holds:
            self._holds[name] = LEVELS[name](self)
        return self._holds[name]


Decider = Callable[[Reading], Found | None]
Test = Callable[[Reading], bool]
#: By id of the catalogue; where votes are unknown, `UNDECIDED` says whether an absent phenomenon is undecided.
PHENOMENA: Final[dict[str, Decider]] = {}
UNDECIDED: Final[dict[str, Test]] = {}
#: By `family:id`.
LEVELS: Final[dict[str, Test]] = {}


def decides(name: str) -> Callable[[Decider], Decider]:
    """Register a function as the decider of a phenomenon."""

    def register(function: Decider) -> Decider:
        PHENOMENA[name] = function
        return function

    return register


def level(name: str) -> Callable[[Test], Test]:
    """Register a function as the decider of a level."""

    def register(function: Test) -> Test:
        LEVELS[name] = function
        return function

    return register
