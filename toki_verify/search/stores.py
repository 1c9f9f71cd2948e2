"""Programs and the stores that run them: what transactions do, and the schedule that comes of an interleaving.

A *program* is what one transaction does before it is interleaved with others: its events without versions, ending in
commit or abort, such as `r1[x] w1[x] c1`. A *store* says which version each read sees, who waits and who is aborted:

    free       reads see any version that exists, writes never wait: every anomaly
    single     one version a row: reads see the latest write of a transaction that has not aborted; no waiting
    stale      reads see any committed version (a replica that lags); a write waits for an open write of its row
    committed  reads see the latest committed version; a write waits for an open write of its row                  (RC)
    snapshot   reads see the snapshot at the first event; of two concurrent writers of a row the second aborts     (SI)
    locking    strict two-phase locking of rows and, for predicate reads, of tables                                (SR)

A transaction of a store in which writes wait may be aborted by the store: as a loser, or in a deadlock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ..events import (
    INITIAL,
    Abort,
    Commit,
    Event,
    InitialVersion,
    Item,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Write,
)

#: What one transaction does: its events, versions left out.
Program = tuple[Event, ...]
#: A number from 0 to below the one given: which of so many possibilities comes next. 0 is the simplest.
Choose = Callable[[int], int]

#: The stores, weakest first.
STORES: Final = ("free", "single", "stale", "committed", "snapshot", "locking")


class ProgramError(ValueError):
    """A program or a list of programs that cannot be run."""


def program(of: str | Schedule | Iterable[Event]) -> Program:
    """A program from text (`r1[x] w1[x] c1`), a schedule of one transaction, or events.

    Raises ScheduleError for text that cannot be read, ProgramError for events of several transactions, events behind
    the end, or none. A program without an end commits.
    """
    events = tuple(Schedule.parse(of) if isinstance(of, str) else of)
    if not events:
        raise ProgramError("a program without events")
    txns = {event.txn for event in events}
    if len(txns) > 1:
        raise ProgramError(f"a program of several transactions: {', '.join(sorted(txns))}")
    ends = [position for position, event in enumerate(events) if isinstance(event, (Commit, Abort))]
    if ends and ends[0] != len(events) - 1:
        raise ProgramError(f"a program with {len(events) - 1 - ends[0]} events behind its end")
    return events if ends else (*events, Commit(events[0].txn))


def run(
    programs: Sequence[Program],
    store: str,
    choose: Choose,
    *,
    init: Mapping[Item, InitialVersion] | None = None,
    partitions: Mapping[Item, Partition] | None = None,
    sessions: Mapping[str, Sequence[str]] | None = None,
    matching: Iterable[tuple[Item, Predicate]] = (),
    stop: Callable[[str], bool] = lambda txn: False,
) -> Schedule:
    """The schedule in which a store runs programs, interleaved as `choose` says.

    `choose(n)` picks the transaction that goes on, in the order of the programs, and for the store `free` the version
    that a read sees, initial version first; nothing is asked where there is one possibility. `matching` are the
    initial versions that match a predicate, besides those of `init`. Where `stop` says so a transaction is left
    unfinished at its end.
    """
    if store not in STORES:
        raise ProgramError(f"unknown store {store!r}: one of {', '.join(STORES)}")
    names = [events[0].txn for events in programs]
    if not names or len(set(names)) < len(names):
        raise ProgramError("no programs" if not names else "two programs of one transaction")
    known = {(item, Predicate(item.table, name)) for item, entry in (init or {}).items() for name in entry.predicates}
    running = _Run(programs, store, choose, known | set(matching))
    running.go(stop)
    more = dict(init or {})
    listed = {
        (row.item, event.predicate)
        for event in running.events
        if isinstance(event, PredicateRead)
        for row in event.matched
        if row.version == INITIAL
    }
    for item, predicate in sorted(running.matching - known - listed):
        if item in running.items and predicate in running.predicates:
            entry = more.get(item, InitialVersion())
            more[item] = entry._replace(predicates=(*entry.predicates, predicate.name))
    started = {event.txn for event in running.events}
    return Schedule(
        running.events,
        init=more,
        partitions={item: where for item, where in (partitions or {}).items() if item in running.items or item in more},
        sessions={name: tuple(txn for txn in txns if txn in started) for name, txns in (sessions or {}).items()},
    )


@dataclass
class _Run:
    programs: Sequence[Program]
    store: str
    choose: Choose
    matching: set[tuple[Item, Predicate]]
    events: list[Event] = field(default_factory=list)
    next: dict[str, int] = field(default_factory=dict)
    start: dict[str, int] = field(default_factory=dict)
    end: dict[str, int] = field(default_factory=dict)
    aborted: set[str] = field(default_factory=set)
    writes: dict[Item, list[tuple[int, Write]]] = field(default_factory=dict)
    reads: dict[str, set[Item]] = field(default_factory=dict)
    selected: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        every = [event for events in self.programs for event in events]
        self.items = dict.fromkeys(event.item for event in every if isinstance(event, (Read, Write)))
        self.predicates = dict.fromkeys(event.predicate for event in every if isinstance(event, PredicateRead))
        self.items.update(
            (row.item, None) for event in every if isinstance(event, PredicateRead) for row in event.matched
        )

    def go(self, stop: Callable[[str], bool]) -> None:
        """Until no program has anything left to do."""
        open_ = [events[0].txn for events in self.programs]
        steps = dict(zip(open_, self.programs, strict=True))
        while open_:
            ready = [txn for txn in open_ if not self.waits(txn, steps[txn][self.next.get(txn, 0)])]
            if ready:
                txn = ready[self.choose(len(ready)) if len(ready) > 1 else 0]
                event = steps[txn][self.next.get(txn, 0)]
                self.next[txn] = self.next.get(txn, 0) + 1
            else:  # a deadlock: the youngest goes
                txn = open_[-1]
                event = Abort(txn)
            if self.loses(txn, event):
                event = Abort(txn)
            if isinstance(event, (Commit, Abort)) and stop(txn):
                open_.remove(txn)
                continue
            self.do(event)
            if txn in self.end:
                open_.remove(txn)

    # -- who waits, who loses ----------------------------------------------------------------------------------------
    def open_writers(self, txn: str, item: Item) -> bool:
        return any(write.txn != txn and write.txn not in self.end for _, write in self.writes.get(item, ()))

    def waits(self, txn: str, event: Event) -> bool:
        """Whether the event must wait for the end of another transaction."""
        if self.store in ("free", "single"):
            return False
        if isinstance(event, Write):
            if self.open_writers(txn, event.item):
                return True
            return self.store == "locking" and any(
                event.item in self.reads.get(other, ()) or event.item.table in self.selected.get(other, ())
                for other in self.start
                if other != txn and other not in self.end
            )
        if self.store == "locking" and isinstance(event, Read):
            return self.open_writers(txn, event.item)
        if self.store == "locking" and isinstance(event, PredicateRead):
            return any(self.open_writers(txn, item) for item in self.writes if item.table == event.predicate.table)
        return False

    def loses(self, txn: str, event: Event) -> bool:
        """Whether the store aborts the transaction instead: another has updated the row since its snapshot."""
        if self.store != "snapshot" or not isinstance(event, Write):
            return False
        begun = self.start.get(txn, len(self.events))
        return any(
            write.txn != txn and write.txn not in self.aborted and self.end.get(write.txn, 0) > begun
            for _, write in self.writes.get(event.item, ())
        )

    # -- what happens ------------------------------------------------------------------------------------------------
    def do(self, event: Event) -> None:
        txn = event.txn
        self.start.setdefault(txn, len(self.events))
        if isinstance(event, Read):
            self.reads.setdefault(txn, set()).add(event.item)
            seen = self.seen(txn, event.item)
            event = replace(event, version=INITIAL if seen is None else seen.version)
        elif isinstance(event, Write):
            event = replace(event, version=str(len(self.writes.get(event.item, ())) + 1))
            self.writes.setdefault(event.item, []).append((len(self.events), event))
        elif isinstance(event, PredicateRead):
            self.selected.setdefault(txn, set()).add(event.predicate.table)
            event = self.select(event)
        elif isinstance(event, (Commit, Abort)):
            self.end[txn] = len(self.events)
            if isinstance(event, Abort):
                self.aborted.add(txn)
        self.events.append(event)

    def seen(self, txn: str, item: Item) -> Write | None:
        """The write that a read of the transaction sees now; None is the initial version."""
        writes = [write for _, write in self.writes.get(item, ())]
        own = [write for write in writes if write.txn == txn]
        if own:
            return own[-1]
        if self.store in ("free", "stale"):
            found: list[Write | None] = [
                None,
                *(write for write in writes if self.store == "free" or self.stands(write)),
            ]
            return found[self.choose(len(found)) if len(found) > 1 else 0]
        if self.store == "single":
            alive = [write for write in writes if write.txn not in self.aborted]
            return alive[-1] if alive else None
        until = self.start[txn] if self.store == "snapshot" else len(self.events)
        committed = [write for write in writes if self.stands(write) and self.end[write.txn] < until]
        return committed[-1] if committed else None

    def stands(self, write: Write) -> bool:
        """Whether the write is committed now, and its transaction's last of the row."""
        final = {other.txn: other for _, other in self.writes.get(write.item, ())}
        return write.txn in self.end and write.txn not in self.aborted and final[write.txn] is write

    def matches(self, item: Item, write: Write | None, predicate: Predicate) -> bool:
        return (item, predicate) in self.matching if write is None else write.matches(predicate)

    def select(self, event: PredicateRead) -> PredicateRead:
        """A predicate read with the rows it saw; those that do not match are listed where the rule would differ."""
        matched: list[Row] = []
        unmatched: list[Row] = []
        for item in self.items:
            if item.table != event.predicate.table:
                continue
            seen = self.seen(event.txn, item)
            row = Row(item, INITIAL if seen is None else seen.version)
            if self.matches(item, seen, event.predicate):
                matched.append(row)
            elif seen is not self.unlisted(event, item):
                unmatched.append(row)
        return replace(event, matched=tuple(matched), unmatched=tuple(unmatched))

    def unlisted(self, event: PredicateRead, item: Item) -> Write | None:
        """The version of a row that a predicate read is taken to have seen without listing it (SEMANTICS §1).

        The default version order counts: by the final writes of the committed transactions.
        """
        writes = [write for _, write in self.writes.get(item, ()) if not write.matches(event.predicate)]
        own = [write for write in writes if write.txn == event.txn]
        if own:
            return own[-1]
        committed = [write for write in writes if self.stands(write)]
        if committed:
            return committed[-1]
        if (item, event.predicate) not in self.matching:
            return None
        alive = [write for write in writes if write.txn not in self.aborted]
        return alive[-1] if alive else None
