"""π_J(S), with a trace of which event became what (TOKI 2026, Lemma 1; SEMANTICS §6).

Lemma 1 says of a judge call only that the first one at a key becomes a write and every later one a read. What a later
call is that did *not* return what the row says, and in whose transaction a row is written, it leaves open; `Logging`
names the choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
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
from .labels import free_labels, labelled
from .pullback import JUDGE_LOG

WRITERS: Final = ("operator", "own")
MISMATCHES: Final = ("fill", "unlogged", "read")
H1_COMMIT, H1_READ, H1_RETURN, H2 = "H1[commit]", "H1[read]", "H1[return]", "H2"
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
    appends), an `unlogged` call that touches no row, or a `read` of the row all the same (Lemma 1, to the letter).

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
    """A hypothesis of Lemma 1 that an event of S breaks, and how: H1[commit] (a row is committed before the operator
    whose call fills it), H1[read] (a row that a call reads is committed), H1[return] (later calls return the row), or
    H2 (a callback has a committed row that says what it delivered)."""

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
    #: Hypotheses of which nobody knows whether an event breaks them, since a vote is not known.
    undecided: tuple[Broken, ...] = ()

    def role(self, event: int) -> str:
        """What became of an event of S."""
        return next(step.role for step in self.steps if step.source == event)


@dataclass
class _Row:
    """A version of a log row in π_J(S), while it is made: who wrote it ("": it was there), its value, and its event in
    S. Of a row whose vote is not known, `told` is what the first call that read it returned."""

    txn: str
    label: str | None
    value: JsonText | None
    event: int | None
    deleted: bool = False
    told: JsonText | None = None


@dataclass
class _Builder:
    source: Schedule
    logging: Logging
    events: list[Event] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    broken: list[Broken] = field(default_factory=list)
    undecided: list[Broken] = field(default_factory=list)
    #: Every version that is written, and those of them whose writer has not aborted, latest last.
    rows: dict[Item, list[_Row]] = field(default_factory=dict)
    alive: dict[Item, list[_Row]] = field(default_factory=dict)
    own: dict[tuple[str, Item], _Row] = field(default_factory=dict)
    fresh: dict[Item, list[str]] = field(default_factory=dict)
    free: dict[Item, Iterator[str]] = field(default_factory=dict)
    called: set[Item] = field(default_factory=set)
    #: Transactions that have done something in π_J(S), and those that it made for rows of their own.
    begun: set[str] = field(default_factory=set)
    log_txns: set[str] = field(default_factory=set)

    def add(self, event: Event, source: int | None, role: str, row: int | None = None, why: str = "") -> None:
        self.steps.append(Step(source, len(self.events), role, row, why))
        self.events.append(event)
        self.begun.add(event.txn)

    def build(self) -> Image:
        taken = {e.txn for e in self.source.events}
        self.log_names = (name for number in count(1) if (name := f"log{number}") not in taken)
        self.keys = {e.key: row_in(self.source, e.key) for e in self.source.events if isinstance(e, Judge)}
        self.kept = labelled(self.source, set(self.keys.values()))
        for position, event in enumerate(self.kept):
            if isinstance(event, Judge):
                self._judge(position, event)
            elif isinstance(event, Callback):
                self._callback(position, event)
            else:
                self.add(event, position, "kept")
                if isinstance(event, Write):
                    deleted = event.kind is WriteKind.DELETE
                    self._written(event.item, _Row(event.txn, event.version, event.value, position, deleted))
        try:
            schedule = self._schedule()
        except ScheduleError as error:
            return self._image(None, tuple(error.problems))
        return self._image(schedule, ())

    def _image(self, schedule: Schedule | None, problems: tuple[Problem, ...]) -> Image:
        return Image(
            self.source,
            self.logging,
            schedule,
            tuple(self.events),
            tuple(self.steps),
            tuple(self.broken),
            problems,
            tuple(self.undecided),
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
        fresh = set(self.fresh.get(item, ()))
        stated = (label for label in labels if label == INITIAL or label in final)
        return (*stated, *(label for label in final if label is not None and label in fresh))

    # -- rows --------------------------------------------------------------------------------------------------------
    def _written(self, item: Item, row: _Row) -> None:
        for rows in (self.rows, self.alive):
            rows.setdefault(item, []).append(row)
        self.own[row.txn, item] = row

    def _latest(self, item: Item, txn: str, position: int) -> _Row | None:
        """The latest version whose writer has not aborted, the reader's own before any other; what `init` states."""
        own = self.own.get((txn, item))
        if own is not None:
            return own
        alive = self.alive.setdefault(item, [])
        while alive and self.source.resolved.aborted_by(alive[-1].txn, position):
            alive.pop()
        if alive:
            return alive[-1]
        stated = self.source.init.get(item)
        return None if stated is None else _Row("", INITIAL, stated.value, None)

    # -- judge calls -------------------------------------------------------------------------------------------------
    def _judge(self, position: int, event: Judge) -> None:
        item = self.keys[event.key]
        first = item not in self.called
        self.called.add(item)
        # The first call is a fill whatever rows S has written itself (SEMANTICS §6); for later ones these are rows.
        latest = None if first else self._latest(item, event.txn, position)
        row = None if latest is None or latest.deleted else latest
        if row is not None and not differ(row.value, event.vote):
            unknown = row.value is None or event.vote is None
            why = "a vote is not known; read, if the votes agree" if unknown else "it returned the row's vote"
            # A version whose value nobody knows is not said to be what one of its readers returned.
            self._read(position, event, item, row, None if row.value is None else event.vote, why)
            if unknown:
                self._compared(position, event, row)
            return
        if row is not None:
            self._break(H1_RETURN, position, "it returned another vote than the row that it should have read")
        elif not first:
            self._break(H1_RETURN, position, "the row that it should have read is gone, deleted or rolled back")
        if row is not None and self.logging.mismatch == "read":
            self._read(position, event, item, row, None, "its vote is not the row's, and it is a read all the same")
        elif row is not None and self.logging.mismatch == "unlogged":
            if event.txn not in self.begun:
                # The transaction still begins here: its concurrency with others is not π_J's to change.
                self.add(Begin(event.txn), None, "begin")
            why = "its vote is not the row's, and no row has it"
            self.steps.append(Step(position, None, "unlogged call", row.event, why))
        else:
            role = "first fill" if first else "second fill"
            why = "its vote is not the row's" if row is not None else "" if first else "no row is left to read"
            self._fill(position, event, item, role, None if row is None else row.event, why)

    def _read(self, position: int, event: Judge, item: Item, row: _Row, value: JsonText | None, why: str) -> None:
        read = Read(event.txn, item, row.label, value, time=event.time, extra=_kept(event))
        self.add(read, position, "read", row.event, why)
        known = row.txn in ("", event.txn) or row.txn in self.log_txns
        if not known and not self.source.resolved.committed_by(row.txn, position):
            self._break(H1_READ, position, "the row that it read was not committed")

    def _break(self, hypothesis: str, position: int, what: str) -> None:
        self.broken.append(Broken(hypothesis, position, what))

    def _compared(self, position: int, event: Judge, row: _Row) -> None:
        """One of the votes of a call and its row is not known. Of two calls that returned different votes from one row
        at least one did not return the row's."""
        if differ(row.told, event.vote):
            what = "it returned another vote than an earlier call of the row, whatever the row's unknown vote is"
            self._break(H1_RETURN, position, what)
        else:
            self.undecided.append(Broken(H1_RETURN, position, "its vote or the row's is not known"))
        row.told = event.vote if row.told is None else row.told

    def _fill(self, position: int, event: Judge, item: Item, role: str, row: int | None, why: str) -> None:
        label = self._label(item)
        own = self.logging.writer == "own"
        txn = next(self.log_names) if own else event.txn
        if own and event.txn not in self.begun:
            self.add(Begin(event.txn), None, "begin")
        self.add(Write(txn, item, label, event.vote, time=event.time, extra=_kept(event)), position, role, row, why)
        if own:
            self.log_txns.add(txn)
            self.add(Commit(txn), None, "log commit")
        else:
            self._break(H1_COMMIT, position, "its row is written by its own transaction, so not committed before it")
        self._written(item, _Row(txn, label, event.vote, position))

    def _label(self, item: Item) -> str:
        """The next label that no version of the item has."""
        if item not in self.free:
            self.free[item] = free_labels({e.version for e in self.kept if isinstance(e, Write) and e.item == item})
        label = next(self.free[item])
        self.fresh.setdefault(item, []).append(label)
        return label

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
            self._break(H2, position, "no row of the callback log has its answer")
        elif row.value is not None and row.value != str(event.winner):
            self._break(H2, position, f"the row says {row.value}, the callback {event.winner}")
        elif row.txn not in ("", event.txn) and not self.source.resolved.committed_by(row.txn, position):
            self._break(H2, position, "the row that it read was not committed")


def _kept(event: Judge | Callback) -> tuple[tuple[str, JsonText], ...]:
    """The unknown keys of an event that are unknown of a read or a write as well."""
    return tuple((key, value) for key, value in event.extra if key not in _KNOWN)


def image(schedule: Schedule, logging: Logging | None = None) -> Image:
    """π_J of a schedule: every judge call a write or a read of its row of the judge log, every callback a read.

    A schedule that breaks H1 or H2 is no error: `broken` says where. Rows that the schedule itself writes to the two
    logs count as rows.
    """
    return _Builder(schedule, logging or Logging()).build()


def logs_itself(schedule: Schedule) -> bool:
    """Whether events of the schedule write to the table judge_log, and it calls a judge."""
    writes = any(isinstance(event, Write) and event.item.table == JUDGE_LOG for event in schedule.events)
    return writes and any(isinstance(event, Judge) for event in schedule.events)


def without_logs(schedule: Schedule) -> bool:
    """Whether a schedule leaves the two logs to judge events and callbacks: what `pulled` presupposes."""
    rows = {row_in(schedule, event.key) for event in schedule.events if isinstance(event, Judge)}
    rows |= {callback_row(event.request) for event in schedule.events if isinstance(event, Callback)}
    return not rows & set(schedule.resolved.items)


__all__ = ["Broken", "Image", "Logging", "Step", "image", "logs_itself", "without_logs"]
