"""Textbook ways of keeping concurrent writers apart, each as a memory of one fact per partition.

Those that decide ask a judge whether the new fact replaces the old one: R is both of them, and 1 means yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from ..model import Design, Initial, Table, belief, row, writer
from ..operations import Aborted, Steps, commit, insert, judge, lock, read, select, unlock, update
from ..values import Row
from .common import PARTITION, SUBJECT, column, first, place

_FACTS: Final = {"facts": Table(content=("object",))}
_THETA: Final = "replaces?"


class LastWriterWins(Design):
    """Read the row, overwrite it: the last write stays."""

    title = "last writer wins"
    isolation = "RC"
    surface = ("current",)
    tables: ClassVar[Mapping[str, Table]] = _FACTS
    sources: ClassVar[Mapping[str, str]] = {
        "read, then overwrite": "Berenson et al. 1995, §3 (P4); TOKI 2026, Table 13 (lww)",
    }

    def setup(self) -> Iterable[Initial]:
        """One fact."""
        yield first("facts", "m0", "object", whole=False)

    @writer
    def remember(self, me: int) -> Steps[None]:
        """Write a fact."""
        old = yield from read("facts", "m0")
        if old is not None and old["object"] != place(me):
            yield from update("facts", old, object=place(me), prov=f"p{me}")
        yield from commit()


class CompareAndSet(Design):
    """Read the row and its version, decide, write under the expected version; where it has changed, begin again."""

    title = "compare-and-set"
    isolation = "RC"
    surface = ("current",)
    tables: ClassVar[Mapping[str, Table]] = _FACTS
    sources: ClassVar[Mapping[str, str]] = {
        "read with the version": "Herlihy 1991 (compare-and-swap)",
        "write under the expected version": "Herlihy 1991; Kung and Robinson 1981, §3, on one item",
    }

    def setup(self) -> Iterable[Initial]:
        """One fact."""
        yield first("facts", "m0", "object", whole=False)

    @writer
    def remember(self, me: int) -> Steps[None]:
        """Write a fact, if the judge says that it replaces the old one."""
        old = yield from read("facts", "m0")
        said = "" if old is None else old["object"]
        vote = yield from judge((said, place(me)), _THETA)
        if vote and not (yield from update("facts", "m0", expect=old, object=place(me), prov=f"p{me}")):
            raise Aborted("the version has changed")
        yield from commit()


class TwoPhaseLocking(Design):
    """Lock what is read and written until the end; of writers in a deadlock one is aborted and begins again."""

    title = "two-phase locking"
    isolation = "2PL"
    surface = ("current",)
    tables: ClassVar[Mapping[str, Table]] = _FACTS
    sources: ClassVar[Mapping[str, str]] = {
        "lock, read": "Eswaran et al. 1976 (two-phase, predicate locks)",
        "lock, write, release at the end": "Bernstein, Hadzilacos and Goodman 1987, ch. 3 (strict 2PL)",
    }

    def setup(self) -> Iterable[Initial]:
        """One fact."""
        yield first("facts", "m0", "object", whole=False)

    @writer
    def remember(self, me: int) -> Steps[None]:
        """Write a fact, if the judge says that it replaces the old ones."""
        rows = yield from select("facts", **PARTITION)
        if (yield from judge((column(rows, "object"), place(me)), _THETA)):
            for old in rows:
                yield from update("facts", old, object=place(me), prov=f"p{me}")
        yield from commit()


class OptimisticValidation(Design):
    """Read and decide without a lock; at the end, in a critical section, read again, compare, and write only where
    nothing has changed."""

    title = "optimistic with validation"
    isolation = "RC"
    surface = ("current",)
    tables: ClassVar[Mapping[str, Table]] = _FACTS
    sources: ClassVar[Mapping[str, str]] = {
        "read phase": "Kung and Robinson 1981, §2",
        "validation and write phase in a critical section": "Kung and Robinson 1981, §4 (serial validation)",
    }

    def setup(self) -> Iterable[Initial]:
        """One fact."""
        yield first("facts", "m0", "object", whole=False)

    @writer
    def remember(self, me: int) -> Steps[None]:
        """Write a fact, if the judge says that it replaces the old ones."""
        rows = yield from select("facts", **PARTITION)
        vote = yield from judge((column(rows, "object"), place(me)), _THETA)
        yield from lock("validation")
        if (yield from select("facts", **PARTITION)) != rows:
            raise Aborted("validation failed")
        for old in rows if vote else ():
            yield from update("facts", old, object=place(me), prov=f"p{me}")
        yield from commit()
        yield from unlock("validation")


class EventSourcing(Design):
    """Append events to a stream under the position that comes next, and keep a projection of them in the same
    transaction. Two events for one position: the second one is refused, and its writer begins again."""

    title = "event sourcing"
    isolation = "RC"
    surface = ("current", "history")
    tables: ClassVar[Mapping[str, Table]] = {**_FACTS, "events": Table(None, part="history")}
    sources: ClassVar[Mapping[str, str]] = {
        "read the stream": "Fowler 2005, Event Sourcing",
        "append at the next position": "Young 2010, CQRS Documents (event storage: expected version)",
        "the projection": "Young 2010, CQRS Documents (read model)",
    }

    def setup(self) -> Iterable[Initial]:
        """One event and what is projected of it."""
        yield row("events", f"{SUBJECT} 0", stream=SUBJECT, object=place(0), replaces=None, prov="p0")
        yield first("facts", "m0", "object", whole=False)

    @belief
    def one_fact(self, rows: tuple[Row, ...]) -> bool:
        """A projection has one row per stream."""
        return len(rows) == 1

    @writer
    def remember(self, me: int) -> Steps[None]:
        """Append an event that a fact was learnt; the judge says whether it replaces what is projected."""
        events = yield from select("events", stream=SUBJECT)
        last = events[-1]
        vote = yield from judge((last["object"], place(me)), _THETA)
        if vote:
            key = f"{SUBJECT} {len(events)}"
            said = {"stream": SUBJECT, "object": place(me), "replaces": last["object"], "vote": vote}
            yield from insert("events", key, **said, prov=f"p{me}")
            yield from update("facts", "m0", object=place(me), prov=f"p{me}")
        yield from commit()
