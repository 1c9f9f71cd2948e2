"""π_J(S), with a trace of which event became what (TOKI 2026, Lemma 1; SEMANTICS §6).

Lemma 1 says of a judge call only that the first one at a key becomes a write and every later one a read. What a later
call is that did *not* return what the row says, and in whose transaction a row is written, it leaves open; `Logging`
names the choices.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from ..events import (
    INITIAL,
    Begin,
    Callback,
    Commit,
    Event,
    Item,
    Judge,
    Problem,
    Read,
    Schedule,
    ScheduleError,
    Write,
    WriteKind,
)
from ..events.values import JsonText
from ..relations.judge_log import differ
from .keys import callback_row, row_in

WRITERS: Final = ("operator", "own")
MISMATCHES: Final = ("fill", "unlogged")
H1_COMMIT, H1_RETURN, H2 = "H1[commit]", "H1[return]", "H2"
#: What may become of an event.
ROLES: Final = ("kept", "first fill", "second fill", "read", "unlogged call", "callback read", "log commit", "begin")

#: What reads and writes may say in JSON: of a judge call these keys mean nothing, of its image they would.
_KNOWN: Final = frozenset(
    {
        *("op", "txn", "t", "session", "table", "item", "version", "partition", "value", "predicate", "predicates"),
        *("matched", "unmatched", "partial", "insert", "delete", "prov", "operator"),
    }
)


@dataclass(frozen=True)
class Logging:
    """What Lemma 1 leaves open. `writer`: a row is written in the operator's transaction, or in one of its `own` that
    commits at once. `mismatch`: a repeated call whose vote is not the row's is a second `fill` (Algorithm 1, line 14,
    appends), or an `unlogged` call that touches no row.

    Raises ValueError for any other word.
    """

    writer: str = "operator"
    mismatch: str = "fill"

    def __post_init__(self) -> None:
        for word, known in ((self.writer, WRITERS), (self.mismatch, MISMATCHES)):
            if word not in known:
                raise ValueError(f"{word!r} is none of {', '.join(known)}")


@dataclass(frozen=True)
class Step:
    """One event of π_J(S), or one of S that nothing became of.

    `source` and `target` are indices into the events of S and of π_J(S) (None: there is none); `role` is one of ROLES;
    `row` is the event of S whose row a read returns or a second fill overrules; `why` says it in words.
    """

    source: int | None
    target: int | None
    role: str
    row: int | None = None
    why: str = ""


@dataclass(frozen=True)
class Broken:
    """A hypothesis of Lemma 1 that an event of S breaks, and how: H1[commit] (a row is committed before the commit of
    the operator that uses it), H1[return] (later calls return the row), or H2 (the same for callbacks)."""

    hypothesis: str
    event: int
    what: str


@dataclass(frozen=True)
class Image:
    """π_J(S). `schedule` is None where it is no well-formed schedule (`problems` say which rule it breaks): S touches
    the rows of the log in a way that no transaction that wrote them can. `events` are its events all the same."""

    source: Schedule
    logging: Logging
    schedule: Schedule | None
    events: tuple[Event, ...]
    steps: tuple[Step, ...]
    broken: tuple[Broken, ...] = ()
    problems: tuple[Problem, ...] = ()

    def role(self, event: int) -> str:
        """What became of an event of S."""
        return next(step.role for step in self.steps if step.source == event)


@dataclass
class _Row:
    """A version of a log row in π_J(S), while it is made: who wrote it, its value, and its event in S."""

    txn: str
    label: str | None
    value: JsonText | None
    event: int
    deleted: bool = False


@dataclass
class _Builder:
    source: Schedule
    logging: Logging
    events: list[Event] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    rows: dict[Item, list[_Row]] = field(default_factory=dict)
    fresh: dict[Item, list[str]] = field(default_factory=dict)
    #: Transactions that have done something in π_J(S).
    begun: set[str] = field(default_factory=set)

    def add(self, event: Event, source: int | None, role: str, row: int | None = None, why: str = "") -> None:
        self.steps.append(Step(source, len(self.events), role, row, why))
        self.events.append(event)
        self.begun.add(event.txn)

    def build(self) -> Image:
        self.taken = {e.txn for e in self.source.events}
        for position, event in enumerate(self.source.events):
            if isinstance(event, Judge):
                self._judge(position, event)
            elif isinstance(event, Callback):
                self._callback(position, event)
            else:
                self.add(event, position, "kept")
                if isinstance(event, Write):
                    deleted = event.kind is WriteKind.DELETE
                    row = _Row(event.txn, event.version, event.value, position, deleted)
                    self.rows.setdefault(event.item, []).append(row)
        try:
            schedule = self._schedule()
        except ScheduleError as error:
            return self._image(None, tuple(error.problems))
        return self._image(schedule, ())

    def _image(self, schedule: Schedule | None, problems: tuple[Problem, ...]) -> Image:
        return Image(
            self.source, self.logging, schedule, tuple(self.events), tuple(self.steps), tuple(self.broken), problems
        )

    def _schedule(self) -> Schedule:
        source = self.source
        order = {item: self._ordered(item, labels) for item, labels in source.order.items()}
        return Schedule(
            self.events,
            init=source.init,
            order=order,
            sessions=source.sessions,
            surface=source.surface,
            partitions=source.partitions,
            name=source.name,
            source=source.source,
        )

    def _ordered(self, item: Item, labels: tuple[str, ...]) -> tuple[str, ...]:
        """A stated order of π_J(S): it lists every installed version, the fills last and as they follow each other.

        What a transaction wrote over in π_J(S), by a fill of its own, is not installed there.
        """
        rows = self.rows.get(item, [])
        committed = {event.txn for event in self.events if isinstance(event, Commit)}
        last = {row.txn: row.label for row in rows}
        final = [row.label for row in rows if row.txn in committed and row.label == last[row.txn]]
        fresh = self.fresh.get(item, [])
        stated = (label for label in labels if label == INITIAL or label in final)
        return (*stated, *(label for label in final if label is not None and label in fresh))

    def _seen(self, item: Item, txn: str, position: int) -> _Row | None:
        """The latest row whose transaction has not aborted, the reader's own before any other; not a deleted one."""
        found = self._latest(item, txn, position)
        return None if found is None or found.deleted else found

    def _latest(self, item: Item, txn: str, position: int) -> _Row | None:
        """The same, deleted or not."""
        alive = [row for row in self.rows.get(item, ()) if not self.source.resolved.aborted_by(row.txn, position)]
        own = [row for row in alive if row.txn == txn]
        found: _Row | None = [None, *alive, *own][-1]
        return found

    # -- judge calls -------------------------------------------------------------------------------------------------
    def _judge(self, position: int, event: Judge) -> None:
        item = row_in(self.source, event.key)
        first = item not in self.fresh
        row = None if first else self._seen(item, event.txn, position)
        if row is not None and not differ(row.value, event.vote):
            unknown = row.value is None or event.vote is None
            why = "a vote is not known; read, if the votes agree" if unknown else "it returned the row's vote"
            read = Read(event.txn, item, row.label, event.vote, time=event.time, extra=_kept(event))
            self.add(read, position, "read", row.event, why)
            self._committed_row(position, event, row)
            return
        if row is not None:
            self.broken.append(
                Broken(H1_RETURN, position, "it returned another vote than the row that it should have read")
            )
        elif not first:
            self.broken.append(
                Broken(H1_RETURN, position, "the row that it should have read is gone, deleted or rolled back")
            )
        if row is not None and self.logging.mismatch == "unlogged":
            if event.txn not in self.begun:
                # The transaction still begins here: its concurrency with others is not π_J's to change.
                self.add(Begin(event.txn), None, "begin")
            self.steps.append(
                Step(position, None, "unlogged call", row.event, "its vote is not the row's, and no row has it")
            )
            return
        role = "first fill" if first else "second fill"
        why = "" if first else "no row is left to read" if row is None else "its vote is not the row's"
        self._fill(position, event, item, role, None if row is None else row.event, why)

    def _committed_row(self, position: int, event: Judge, row: _Row) -> None:
        if row.txn in (event.txn, *self.log_txns) or self.source.resolved.committed_by(row.txn, position):
            return
        self.broken.append(Broken(H1_COMMIT, position, "the row that it read was not committed"))

    @property
    def log_txns(self) -> set[str]:
        """The transactions that π_J made for rows of their own."""
        return self.begun - self.taken

    def _fill(self, position: int, event: Judge, item: Item, role: str, row: int | None, why: str) -> None:
        label = self._label(item)
        own = self.logging.writer == "own"
        txn = self._log_txn() if own else event.txn
        if own and event.txn not in self.begun:
            self.add(Begin(event.txn), None, "begin")
        self.add(Write(txn, item, label, event.vote, time=event.time, extra=_kept(event)), position, role, row, why)
        if own:
            self.add(Commit(txn), None, "log commit")
        else:
            what = "its row is written by its own transaction, so not committed before it"
            self.broken.append(Broken(H1_COMMIT, position, what))
        self.rows.setdefault(item, []).append(_Row(txn, label, event.vote, position))

    def _label(self, item: Item) -> str:
        """The next label that no version of the item has."""
        used = self.fresh.setdefault(item, [])
        stated = {e.version for e in self.source.events if isinstance(e, Write) and e.item == item}
        label, number = "1", 1
        while label in stated or label in used:
            number += 1
            label = str(number)
        used.append(label)
        return label

    def _log_txn(self) -> str:
        number = 1
        while (name := f"log{number}") in self.taken or name in self.begun:
            number += 1
        return name

    # -- callbacks ---------------------------------------------------------------------------------------------------
    def _callback(self, position: int, event: Callback) -> None:
        item = callback_row(event.request)
        latest = self._latest(item, event.txn, position)
        # Where the row is deleted the absence is read, where there is none the initial version.
        label = INITIAL if latest is None else latest.label
        row = None if latest is None or latest.deleted else latest
        self.add(
            Read(event.txn, item, label, time=event.time, extra=_kept(event)),
            position,
            "callback read",
            None if row is None else row.event,
        )
        if row is None:
            self.broken.append(Broken(H2, position, "no row of the callback log has its answer"))
        elif row.value is not None and row.value != str(event.winner):
            self.broken.append(Broken(H2, position, f"the row says {row.value}, the callback {event.winner}"))
        elif row.txn != event.txn and not self.source.resolved.committed_by(row.txn, position):
            self.broken.append(Broken(H2, position, "the row that it read was not committed"))


def _kept(event: Judge | Callback) -> tuple[tuple[str, JsonText], ...]:
    """The unknown keys of an event that are unknown of a read or a write as well."""
    return tuple((key, value) for key, value in event.extra if key not in _KNOWN)


def image(schedule: Schedule, logging: Logging | None = None) -> Image:
    """π_J of a schedule: every judge call a write or a read of its row of the judge log, every callback a read.

    A schedule that breaks H1 or H2 is no error: `broken` says where. Rows that the schedule itself writes to the two
    logs count as rows.
    """
    return _Builder(schedule, logging or Logging()).build()


def without_logs(schedule: Schedule) -> bool:
    """Whether a schedule leaves the two logs to judge events and callbacks: what `pulled` presupposes."""
    rows = {row_in(schedule, event.key) for event in schedule.events if isinstance(event, Judge)}
    rows |= {callback_row(event.request) for event in schedule.events if isinstance(event, Callback)}
    return not rows & set(schedule.resolved.items)


__all__ = ["Broken", "Image", "Logging", "Step", "image", "without_logs"]
