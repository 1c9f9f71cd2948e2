"""Phenomena in which a transaction missed what it, or one beside it, observed or overwrote in turn.

A5A, OTV, A5B, P3[skew], N2, long fork, causality violation, and what the session levels RC, RA and CC exclude. Each is
a cycle that names its anti-dependencies one by one, so the reduced edges are not enough: the reader of a long-past
version misses all that came later. All go once over the backward anti-dependencies (`missed.py`): of A5A and the like
the other edge is a dependency or session edge, which goes forward; of A5B and the like one of the two goes back.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .arrays import Ints, distinct, ints, wide
from .cycles import ends_of
from .forks import fork
from .found import Found, found
from .missed import PRW, RW, Missed, backward, between
from .observed import Earliest, changes_seen, happens_before, inside
from .reading import Reading, decides

#: Pairs of which the other direction is looked at, at once.
_PIECE = 1 << 17


class Stale:
    """The answers of one trace; each is None or what shows it."""

    def __init__(self, reading: Reading) -> None:
        self.reading, self.index = reading, reading.index
        self.answers: dict[str, Found | None] = {}
        self.wanted = {"A5A", "OTV", "read-past", "fractured", "A5B", "P3[skew]", "N2"}
        self.pairs: list[Ints] = []
        for piece in backward(reading):
            self._look(piece)

    @cached_property
    def _wr(self) -> Earliest:
        return Earliest.of(self.reading, inside(self.reading, self.reading.edges.wr))

    def missed(self, piece: Missed, at: int) -> tuple[int, int]:
        """The read and the write of an anti-dependency."""
        readers = self.index.readers
        return int(readers.access[piece.reader[at]]), int(self.index.slot_access[piece.slot[at]])

    def _look(self, piece: Missed) -> None:
        readers = self.index.readers
        reader, item, event = (
            readers.txn[piece.reader],
            readers.item[piece.reader],
            readers.event[piece.reader],
        )
        writer = self.index.slot_txn[piece.slot]
        self.pairs.append(distinct(wide(reader) * self.index.txns + writer))
        rw = (piece.kinds & RW) > 0
        self._with("A5A", piece, self._wr, np.where(rw, self._wr.on_other_item(reader, writer, item), -1))
        # Of the reads of its writes on other items only the earliest one can be before all.
        earlier = self._wr.before(self._wr.on_other_item(reader, writer, item), event)
        self._with("OTV", piece, self._wr, np.where(rw, earlier, -1))
        self._with("read-past", piece, self._wr, self._wr.before(self._wr.any(reader, writer), event))
        self._with("fractured", piece, self._wr, self._wr.any(reader, writer))
        self._by_session(piece, reader, writer)
        self._by_rows(piece, reader, writer)
        self._both(piece, reader, writer)

    def _with(self, name: str, piece: Missed, table: Earliest, edge: Ints) -> None:
        if name in self.wanted and (edge >= 0).any():
            at = int(np.flatnonzero(edge >= 0)[0])
            chosen = int(edge[at])
            edges = table.edges
            self._found(name, *self.missed(piece, at), edges.source_access[chosen], edges.target_access[chosen])

    def _found(self, name: str, *accesses: object) -> None:
        self.answers[name] = found(*accesses)
        self.wanted.discard(name)

    def _by_session(self, piece: Missed, reader: Ints, writer: Ints) -> None:
        session, place = self.reading.trace.session, self.reading.trace.place
        after = (session[reader] >= 0) & (session[reader] == session[writer]) & (place[writer] < place[reader])
        if "fractured" in self.wanted and after.any():
            self._found("fractured", *self.missed(piece, int(np.flatnonzero(after)[0])))

    def _by_rows(self, piece: Missed, reader: Ints, writer: Ints) -> None:
        """What was missed of a transaction of which the reader saw another change, by pwr."""
        readers = self.index.readers
        for begin in range(0, len(piece), _PIECE):
            if not self.wanted & {"read-past", "fractured"}:
                return
            part = slice(begin, begin + _PIECE)
            pair, place, slot = changes_seen(self.reading, reader[part], writer[part])
            pair = pair + begin
            earlier = readers.event[place] < readers.event[piece.reader[pair]]
            for name, shown in (("read-past", earlier), ("fractured", np.ones(len(pair), bool))):
                if name in self.wanted and shown.any():
                    at = int(np.flatnonzero(shown)[0])
                    seen = (self.index.slot_access[slot[at]], readers.access[place[at]])
                    self._found(name, *self.missed(piece, int(pair[at])), *seen)

    def _both(self, piece: Missed, reader: Ints, writer: Ints) -> None:
        """Cycles of two anti-dependencies: what the writer, in turn, missed of the reader."""
        for begin in range(0, len(piece), _PIECE):
            if not self.wanted & {"A5B", "P3[skew]", "N2"}:
                return
            part = slice(begin, begin + _PIECE)
            pair, back = between(self.reading, writer[part], reader[part])
            pair += begin
            one, other = piece.kinds[pair], back.kinds
            x, y = self.index.slot_item[piece.slot[pair]], self.index.slot_item[back.slot]
            partition = self.reading.trace.partition
            for name, shown in (
                ("A5B", ((one & other & RW) > 0) & (x != y)),
                ("P3[skew]", ((one | other) & PRW) > 0),
                ("N2", (x != y) & (partition[x] == partition[y]) & (partition[x] >= 0)),
            ):
                if name in self.wanted and shown.any():
                    at = int(np.flatnonzero(shown)[0])
                    self._found(name, *self.missed(piece, int(pair[at])), *self.missed(back, at))

    @cached_property
    def backward_pairs(self) -> tuple[Ints, Ints]:
        """The pairs (reader, writer) of the backward anti-dependencies, each once."""
        pairs = distinct(np.concatenate(self.pairs)) if self.pairs else np.zeros(0, np.int64)
        size = max(self.index.txns, 1)
        return ints(pairs // size), ints(pairs % size)

    @cached_property
    def unseen_past(self) -> Found | None:
        """An anti-dependency u → v where v happens before u, by sessions and read dependencies."""
        reader, writer = self.backward_pairs
        if not len(reader):
            return None
        graph = happens_before(self.reading)
        way = graph.answered(writer, reader)
        if way is None:
            return None
        edge, path = way
        _, missed = between(self.reading, reader[edge : edge + 1], writer[edge : edge + 1])
        return found(*self.missed(missed, 0), *ends_of(path))


def stale(reading: Reading) -> Stale:
    """The answers of a trace, found once."""
    return reading.once(Stale)


@decides("A5A")
def a5a(reading: Reading) -> Found | None:
    """T missed U's version of one item and read a version of U of another."""
    return stale(reading).answers.get("A5A")


@decides("OTV")
def otv(reading: Reading) -> Found | None:
    """As A5A, and the read of U's version stands before the read that missed."""
    return stale(reading).answers.get("OTV")


@decides("A5B")
def a5b(reading: Reading) -> Found | None:
    """rw both ways, on two items."""
    return stale(reading).answers.get("A5B")


@decides("P3[skew]")
def p3_skew(reading: Reading) -> Found | None:
    """Anti-dependencies both ways, one of them prw."""
    return stale(reading).answers.get("P3[skew]")


@decides("N2")
def n2(reading: Reading) -> Found | None:
    """Anti-dependencies both ways, on two rows of one partition."""
    return stale(reading).answers.get("N2")


@decides("long-fork")
def long_fork(reading: Reading) -> Found | None:
    """Two readers saw two writers in opposite orders."""
    return fork(reading, *stale(reading).backward_pairs)


@decides("causality-violation")
def causality_violation(reading: Reading) -> Found | None:
    """A transaction missed a write that happens before it."""
    return stale(reading).unseen_past
