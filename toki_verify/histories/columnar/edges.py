"""The edges of the conflict graph (SEMANTICS §2) as arrays, in reduced form: linear in the trace.

Reduced are the kinds that are not linear by themselves; each full relation is a reduced one and steps of ww:

- ww = ww1⁺: per item the slots are a chain.
- rw ⊆ rw1 ; ww*: rw1 goes to the first later slot of another transaction than the reader; the slots behind that one
  are its ww successors. Where the reader wrote the next version itself, rw1 goes to the one behind.
- prw ⊆ prw1 ; ww*: prw1 goes to the first later slot of another transaction and of the other match status.
- pwr ⊆ ww* ; pwr1: pwr1 comes from the last slot, up to the one seen, that changed the status and is of another one.

So a closure over ww and these is the closure over the full relations. Where a formula has no ww beside them, or takes
a single step, the places that use the full relations say how (`stale.py`, `observed.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .arrays import Bools, Ints, full, ints, where
from .index import Index
from .loops import next_slots
from .status import Status
from .sweeps import all_forward


@dataclass(frozen=True)
class Edges:
    """Edges between transactions, each with the access at its two ends (-1: none, of a session or start edge)."""

    source: Ints
    target: Ints
    source_access: Ints
    target_access: Ints

    @cached_property
    def _known(self) -> list[tuple[Ints, bool]]:
        return []

    def forward(self, time: Ints) -> bool:
        """Whether every edge goes forward in these places of nodes in time; known from then on."""
        if not len(self.source):
            return True
        for known, answer in self._known:
            if known is time:
                return answer
        answer = all_forward(time, self.source, self.target)
        self._known.append((time, answer))
        return answer

    def only(self, kept: Bools | Ints) -> Edges:
        """Some of the edges."""
        return Edges(self.source[kept], self.target[kept], self.source_access[kept], self.target_access[kept])

    def __len__(self) -> int:
        return len(self.source)


def joined(*parts: Edges) -> Edges:
    """All edges of the parts, in their order."""
    return Edges(
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.target for part in parts]),
        np.concatenate([part.source_access for part in parts]),
        np.concatenate([part.target_access for part in parts]),
    )


class ConflictEdges:
    """Every kind of edges of a trace, found once."""

    def __init__(self, index: Index, status: Status) -> None:
        self.index, self.status = index, status

    def _of_accesses(self, source: Ints, target: Ints) -> Edges:
        txn = self.index.txn
        return Edges(txn[source], txn[target], source, target)

    @cached_property
    def wr(self) -> Edges:
        """wr in full; the version read may be an intermediate one."""
        index = self.index
        reads = where(index.item_read)
        writer = index.writer[index.version[reads]]
        reads, writer = reads[writer >= 0], writer[writer >= 0]
        one, other = index.txn[writer], index.txn[reads]
        kept = (one != other) & index.committed[one] & index.committed[other]
        return self._of_accesses(writer[kept], reads[kept])

    @cached_property
    def ww1(self) -> Edges:
        """ww1: from each slot, but initial ones, to the next one of its item."""
        index = self.index
        slot = np.flatnonzero((index.slot_txn[:-1] >= 0) & (index.slot_item[:-1] == index.slot_item[1:]))
        return self._of_accesses(index.slot_access[slot], index.slot_access[slot + 1])

    def _targets(self, places: Ints, row: bool) -> tuple[Ints, Ints]:
        """Of readers (by place), the first two later slots that their rw (or prw) edges end in; -1: none."""
        index, readers = self.index, self.index.readers
        txn = readers.txn[places]
        if not row:
            return next_slots(readers.slot[places], txn, index.item_slots[readers.item[places] + 1], index.slot_txn)
        predicate, wanted = readers.predicate[places], readers.row[places] == 2

        def behind(slot: Ints) -> Ints:
            return self.status.next_slot(predicate, slot, wanted)

        def foreign(slot: Ints) -> Ints:
            # A transaction has one slot of an item: behind its own one is another's.
            own = (slot >= 0) & (index.slot_txn[slot] == txn)
            return np.where(own, after(slot), slot)

        def after(slot: Ints) -> Ints:
            return np.where(slot >= 0, behind(np.maximum(slot, index.item_slots[readers.item[places]])), -1)

        first = foreign(behind(readers.slot[places]))
        return first, foreign(after(first))

    def _anti(self, row: bool) -> tuple[Edges, Edges]:
        readers, index = self.index.readers, self.index
        places = where(readers.row > 0 if row else readers.rw)
        out = []
        for slot in self._targets(places, row):
            kept = slot >= 0
            out.append(self._of_accesses(readers.access[places[kept]], index.slot_access[slot[kept]]))
        return out[0], out[1]

    @cached_property
    def _rw(self) -> tuple[Edges, Edges]:
        return self._anti(False)

    @cached_property
    def _prw(self) -> tuple[Edges, Edges]:
        return self._anti(True)

    @property
    def rw1(self) -> Edges:
        """rw to the first version that the reader missed."""
        return self._rw[0]

    @property
    def prw1(self) -> Edges:
        """prw to the first version that the row's reader missed."""
        return self._prw[0]

    @cached_property
    def pwr1(self) -> Edges:
        """pwr from the last change that a row's reader saw."""
        index, readers = self.index, self.index.readers
        places = where(readers.row > 0)
        predicate, txn = readers.predicate[places], readers.txn[places]
        slot = self.status.last_change(predicate, readers.slot[places])
        own = (slot >= 0) & (index.slot_txn[slot] == txn)
        # Before its own change is another's; before the first slot of an item is none.
        before = np.where(own, np.maximum(slot - 1, index.item_slots[readers.item[places]]), 0)
        slot = np.where(own, self.status.last_change(predicate, before), slot)
        kept = slot >= 0
        return self._of_accesses(index.slot_access[slot[kept]], readers.access[places[kept]])

    @cached_property
    def session1(self) -> Edges:
        """From each committed transaction of a session to the next one; `session` is its closure."""
        index, trace = self.index, self.index.trace
        session, place = ints(trace.session), ints(trace.place)
        members = np.flatnonzero(index.committed & (session >= 0))
        members = members[np.lexsort((place[members], session[members]))]
        follows = session[members[1:]] == session[members[:-1]]
        source, target = ints(members[:-1][follows]), ints(members[1:][follows])
        none = full(len(source), -1)
        return Edges(source, target, none, none)

    @cached_property
    def read_dependency(self) -> Edges:
        """wr and pwr1."""
        return joined(self.wr, self.pwr1)

    @cached_property
    def dep(self) -> Edges:
        """wr, pwr1 and ww1: its closure is that of `dep`."""
        return joined(self.wr, self.pwr1, self.ww1)

    @cached_property
    def ordered(self) -> Edges:
        """`dep` and sessions: its closure is that of `session | wr | pwr | ww`."""
        return joined(self.dep, self.session1)

    @cached_property
    def anti1(self) -> Edges:
        """rw1 and prw1."""
        return joined(self.rw1, self.prw1)

    @cached_property
    def anti2(self) -> Edges:
        """The first two targets of every reader, for closed walks that must not be single cycles (`cycles.py`)."""
        return joined(*self._rw, *self._prw)

    @cached_property
    def dsg(self) -> Edges:
        """All edges of the conflict graph."""
        return joined(self.dep, self.anti1)

    @cached_property
    def kinds(self) -> dict[str, tuple[Edges, ...]]:
        """The kinds that make up `dep`, `ordered`, `dsg` and `everything`, as parts of graphs."""
        dep = (self.wr, self.pwr1, self.ww1)
        anti = (self.rw1, self.prw1)
        session = (self.session1,)
        return {"dep": dep, "ordered": dep + session, "dsg": dep + anti, "everything": dep + anti + session}
