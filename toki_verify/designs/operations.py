"""What a write path does, one step each: the operations that a design's writers yield.

Each function returns an `Operation`; `row = yield from read("facts", "m0")` performs it and gives its answer, typed.
Everything between two operations is the writer's own computation, which nobody else sees.

An operation belongs to the writer's open transaction; the first one after a commit or an abort opens the next, at the
design's isolation. `alone(operation)` gives it a transaction of its own, committed at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from .values import Row, frozen, key_text, prov_text

T = TypeVar("T")
#: What a writer's method is: a generator of operations.
Steps = Generator["Operation[Any]", Any, T]

JUDGE_LOG = "judge_log"
CALLBACK_LOG = "callback_log"


@dataclass(frozen=True)
class Operation(Generic[T]):
    """One step of a writer. `own`: in a transaction of its own, which commits at once."""

    own: bool = field(default=False, kw_only=True)

    def __iter__(self) -> Steps[T]:
        answer: T = yield self
        return answer


@dataclass(frozen=True)
class Begin(Operation[None]):
    """Opens the transaction, at a level other than the design's."""

    isolation: str = ""


@dataclass(frozen=True)
class Read(Operation["Row | None"]):
    """An item read."""

    table: str
    key: str


@dataclass(frozen=True)
class Select(Operation["tuple[Row, ...]"]):
    """A predicate read: by columns, and by a predicate that the table declares."""

    table: str
    named: str | None
    columns: tuple[tuple[str, Any], ...]
    top: int | None = None


@dataclass(frozen=True)
class Insert(Operation["Row"]):
    """A new row. `absent`: where there is a row of the key already, that one is the answer."""

    table: str
    key: str | None
    columns: tuple[tuple[str, Any], ...]
    prov: str | None = None
    operator: str | None = None
    absent: bool = False


@dataclass(frozen=True)
class Update(Operation[bool]):
    """Columns of a row that is there. `expect` is the version that the row must still have; `returning`: the answer is
    the row that was overwritten, or None (RETURNING of SQL)."""

    table: str
    key: str
    columns: tuple[tuple[str, Any], ...]
    expect: str | None = None
    prov: str | None = None
    operator: str | None = None
    whole: bool = False
    returning: bool = False


@dataclass(frozen=True)
class Delete(Operation[bool]):
    """A row that is there no more. `returning` as of an update."""

    table: str
    key: str
    expect: str | None = None
    operator: str | None = None
    returning: bool = False


@dataclass(frozen=True)
class Judge(Operation[Any]):
    """A judge call at κ = (R, θ): any of the votes may come back."""

    reads: str
    theta: str
    votes: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Callback(Operation["int | None"]):
    """An external confirmation: one of the winners, or None where it is not delivered."""

    reads: str
    request: str
    winners: tuple[int, ...] = (0, 1)


@dataclass(frozen=True)
class Fill(Operation[Any]):
    """One linearizable insert-if-absent into the judge log: the vote that the log has then."""

    reads: str
    theta: str
    vote: Any


@dataclass(frozen=True)
class Lock(Operation[None]):
    """A lock in the memory of one process (`held`: taken, else given back). It guards no data and leaves no event."""

    name: str
    held: bool = True


@dataclass(frozen=True)
class Commit(Operation[None]):
    """Commits the transaction."""


@dataclass(frozen=True)
class Abort(Operation[None]):
    """Rolls the transaction back; the writer goes on."""


class Aborted(Exception):
    """What a writer sees where the store has aborted its transaction. Uncaught, it ends the attempt, which the design's
    retry policy repeats from the start. `reason` is one of `conflict` (first updater wins), `dangerous structure`
    (SSI), `deadlock`, `duplicate key`, or the writer's own: raise it to roll back and have the call repeated."""

    def __init__(self, reason: str = "stale") -> None:
        super().__init__(reason)
        self.reason = reason


def _columns(columns: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple((name, value if callable(value) else frozen(value)) for name, value in columns.items())


def _target(table: str, key: str | Row) -> str:
    return key.key if isinstance(key, Row) else key_text(key)


def begin(isolation: str) -> Begin:
    """Open the transaction at a level (RU, RC, SI, SR, 2PL, none) other than the design's; the first operation after it
    takes the snapshot."""
    return Begin(isolation)


def read(table: str, key: str | Row) -> Read:
    """The row of a key as the transaction sees it, or None."""
    return Read(table, _target(table, key))


def select(table: str, where: str | None = None, /, *, top: int | None = None, **columns: Any) -> Select:
    """The rows whose columns have the values given and for which the table's predicate `where` is true, by key.

    With all columns of a partition this is a read of the partition. `top` is a search that shows only the first rows
    and says nothing about the others.
    """
    return Select(table, where, tuple(sorted((name, frozen(value)) for name, value in columns.items())), top)


def insert(
    table: str,
    key: str | None = None,
    /,
    *,
    prov: str | None = None,
    operator: str | None = None,
    if_absent: bool = False,
    **columns: Any,
) -> Insert:
    """A new row; the answer is the row. Without a key it gets a fresh one.

    A key that is there already aborts the transaction with `duplicate key`; with `if_absent` the answer is the row
    that is there, which has been read then.
    """
    return Insert(
        table, None if key is None else key_text(key), _columns(columns), prov_text(prov), operator, if_absent
    )


def update(
    table: str,
    key: str | Row,
    /,
    *,
    expect: Row | str | None = None,
    prov: str | None = None,
    operator: str | None = None,
    whole: bool = False,
    **columns: Any,
) -> Update:
    """Write columns of a row; the answer is whether there was such a row.

    `expect`, a row or a version: only if the row still has that version (an expected-version update, checked when the
    write takes effect). A column that is a function of the row is computed from the row that the write overwrites,
    which it thereby reads. `whole`: columns that are not given are gone. Without `prov` a row
    that then says something else has a source of its own, one that only says that it is closed keeps it.
    """
    version = expect.version if isinstance(expect, Row) else expect
    return Update(table, _target(table, key), _columns(columns), version, prov_text(prov), operator, whole)


def delete(table: str, key: str | Row, /, *, expect: Row | str | None = None, operator: str | None = None) -> Delete:
    """Delete a row; the answer is whether there was such a row. `expect` as in `update`."""
    version = expect.version if isinstance(expect, Row) else expect
    return Delete(table, _target(table, key), version, operator)


def judge(reads: Any, theta: Any = "theta", votes: Sequence[Any] = ()) -> Judge:
    """Ask the judge about a read set R under the decoder θ. Any of `votes` may come back (default: the design's)."""
    return Judge(key_text(reads), key_text(theta), tuple(frozen(vote) for vote in votes))


def callback(reads: Any, request: Any, winners: Sequence[int] = (0, 1)) -> Callback:
    """Wait for the confirmation of a request: the index of the winner, or None where none is delivered."""
    return Callback(key_text(reads), key_text(request), tuple(winners))


def log_insert_if_absent(reads: Any, theta: Any, vote: Any) -> Fill:
    """Insert the vote into the judge log unless there is one at (R, θ), in one linearizable step of a transaction of
    its own; the answer is the vote that is there then. Use it for its answer: the vote that counts."""
    return Fill(key_text(reads), key_text(theta), frozen(vote), own=True)


def log_key(reads: Any, theta: Any = "theta") -> str:
    """The key of the judge log's row of (R, θ), as π_J names it (SEMANTICS §6)."""
    return log_row(key_text(reads), key_text(theta))


def log_row(reads: str, theta: str) -> str:
    """The same of texts of keys, as operations hold them."""
    from ..bridge.keys import judge_row
    from ..events.values import json_text

    return judge_row((reads, json_text(theta))).name


def lock(name: str) -> Lock:
    """Take a lock of this process's memory, waiting for it. It is lost in a crash and given back at the end."""
    return Lock(name)


def unlock(name: str) -> Lock:
    """Give such a lock back."""
    return Lock(name, held=False)


def commit() -> Commit:
    """Commit the transaction. The store may refuse: `Aborted`."""
    return Commit()


def abort() -> Abort:
    """Roll the transaction back."""
    return Abort()


def alone(operation: Operation[T]) -> Operation[T]:
    """The operation in a transaction of its own, committed at once, whatever transaction is open."""
    return replace(operation, own=True)


#: A column computed from the row that is overwritten.
Computed = Callable[[Row], Any]
