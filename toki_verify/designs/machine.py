"""A running set of writers as a value: where each stands in its program, the store, and what has happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .footprint import Footprint
from .program import Node, Program
from .store import Place, Store


class Record(NamedTuple):
    """Something that happened, as light as can be; `emit.py` makes the schedule's events of it.

    `what` is the letter of the event (r, p for a predicate read, w, j, cb, c, a); the other fields are what it needs.
    """

    what: str
    txn: str
    place: Place | None = None
    label: str = ""
    more: Any = None


class Call(NamedTuple):
    """What a judge call's record says. `after` counts the operations before it. `asked` is what the judge said where
    the log then returned `vote`; `step` is that of the insert."""

    reads: str
    theta: str
    vote: Any
    attempt: int
    after: int
    asked: Any = None
    step: int = 0


class Step(NamedTuple):
    """What can happen next: the writer, and which way. `choice` is None, a vote or winner in a 1-tuple, or `crash`,
    `deadlock`."""

    writer: int
    choice: Any = None


class Process(NamedTuple):
    """A writer: its node, its open transaction, and what has been used up.

    `durable` says that its last operation was a durable one, so that a crash here loses no more than a crash earlier
    could. `names` counts its transactions, `own` those of single statements, `fresh` its new keys.
    """

    node: Node
    txn: str | None = None
    attempt: int = 1
    retries: int = 0
    crashed: bool = False
    durable: bool = False
    finished: bool = False
    names: int = 0
    own: int = 0
    fresh: int = 0
    level: str | None = None
    #: A call of the judge, and what it said, whose insert into the log comes next.
    asked: tuple[str, str, Any, bool, int] | None = None


@dataclass(slots=True)
class Machine:
    """A state of the exploration. It is copied before it is changed."""

    programs: tuple[Program, ...]
    processes: list[Process]
    store: Store
    #: Crashes that may still come, and whether there were any to come at first.
    crashes: int
    crashable: bool = False
    votes: dict[tuple[str, str], Any] = field(default_factory=dict)
    #: What has happened, newest first: (record, what was before).
    past: tuple[Any, Any] | None = None
    #: How much has happened; and each crash: before which of it, and of which writer.
    happened: int = 0
    crashed: tuple[tuple[int, int], ...] = ()
    #: Aborts by the store.
    aborts: int = 0
    #: Where attempts that a crash or an abort ended had come to: writer, attempt, node, and how much had happened.
    ended: tuple[tuple[int, int, Node, int], ...] = ()
    #: Whether a lock of the writers' own process was taken, and what writers waited for in a circle with one in it.
    locked: bool = False
    hung: str = ""

    def copy(self) -> Machine:
        """The same state, to be changed."""
        return Machine(
            self.programs,
            list(self.processes),
            self.store.copy(),
            self.crashes,
            self.crashable,
            dict(self.votes) if self.votes else {},
            self.past,
            self.happened,
            self.crashed,
            self.aborts,
            self.ended,
            self.locked,
            self.hung,
        )

    def record(self, record: Record) -> None:
        """Something happened."""
        self.past = (record, self.past)
        self.happened += 1

    def history(self) -> list[Record]:
        """What has happened, oldest first."""
        found, at = [], self.past
        while at is not None:
            found.append(at[0])
            at = at[1]
        found.reverse()
        return found

    def change(self, writer: int, **fields: Any) -> Process:
        """Replace fields of a writer's process."""
        found = self.processes[writer] = self.processes[writer]._replace(**fields)
        return found

    def answers(self, writer: int, attempt: int) -> tuple[Any, ...]:
        """What a writer was told in one of its attempts."""
        for number, other, node, _ in self.ended:
            if (number, other) == (writer, attempt):
                return node.answers
        return self.processes[writer].node.answers

    @property
    def finished(self) -> bool:
        """Whether every writer has ended."""
        return all(process.finished for process in self.processes)

    def writers(self) -> Iterator[int]:
        """The writers that have not ended."""
        return (number for number, process in enumerate(self.processes) if not process.finished)


class Done(NamedTuple):
    """A step that was done: the machine after it, what it touched, and the events it must stand behind."""

    machine: Machine
    footprint: Footprint
    behind: tuple[int, ...] = ()
