"""What a store is: the dual-row table and the durable keyed judge log (TOKI 2026, §3.1, Appendix C.1, C.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol, TypeVar, get_args

from ..algebra.facts import Fact, Kind
from ..algebra.semiring import Semiring
from .errors import UnknownMode

K = TypeVar("K")

#: What is done with the audit half of a resolution: kept as a row of the table, or returned and forgotten. The
#: physical table is the same in all three (Appendix C.1).
Mode = Literal["audit_row", "dual_row", "base"]
MODES: Final[tuple[Mode, ...]] = get_args(Mode)

#: The five integrity constraints of Table 12, by name, with what each says.
CONSTRAINTS: Final[dict[str, str]] = {
    "confidence range": "confidence BETWEEN 0.0 AND 1.0",
    "row-kind domain": "row_kind IN ('current', 'audit')",
    "primary key": "(fact_id, system_time_start) is unique",
    "valid-period order": "valid_from < valid_to",
    "system-period order": "system_time_start < system_time_end",
}


def mode(name: str) -> Mode:
    """A schema mode by name. Raises UnknownMode."""
    for known in MODES:
        if known == name:
            return known
    raise UnknownMode(f"schema mode {name!r}", f"one of {', '.join(MODES)}")


@dataclass(frozen=True, slots=True, order=True)
class JudgeKey:
    """(R, θ): the identities of the members of a conflict set, in an order of their own, and the pinned decoder; and
    the partition that they are of, since another one may have facts of the same names."""

    members: tuple[str, ...]
    theta: str
    subject: str = ""
    predicate: str = ""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A row of the judge log: the identity of the elected member, for good."""

    key: JudgeKey
    winner: str


class JudgeLog(Protocol):
    """An append-only keyed log. A row is durable when the call returns, and is never changed or removed."""

    def get(self, key: JudgeKey) -> str | None:
        """The identity elected at a key; None where nothing has been."""

    def insert_if_absent(self, key: JudgeKey, winner: str) -> str:
        """What the log has at the key from now on: `winner` if nothing was there, otherwise what was.

        Linearizable: of concurrent first fills one wins, and every caller is told its value. Committed on its own,
        before it returns, whatever becomes of any transaction (H1). Raises StoreLocked, StoreFull, StoreFailed.
        Where an engine has one writer only (SQLite), that is StoreLocked while a transaction of the session is open.
        """

    def entries(self) -> Sequence[LogEntry]:
        """Every row, in the order of insertion."""


class Transaction(Protocol[K]):
    """A serializable read-write transaction. Its reads see its own writes and nothing uncommitted of others.

    Whatever a method raises ends the transaction: it is rolled back, and all but `rollback` raises StoreClosed then.
    """

    def open_rows(self, subject: str, predicate: str) -> list[Fact[K]]:
        """The open current rows of a partition, by (system_time_start, fact_id)."""

    def insert(self, fact: Fact[K]) -> None:
        """Insert a row. Raises ConstraintViolated, StoreLocked, StoreFull."""

    def close(self, row: Fact[K], at: datetime) -> None:
        """End the system time of one open current row: that with the row's primary key, and no other row of the same
        fact_id. Raises NoOpenRow, ConstraintViolated (an instant not after its start)."""

    def commit(self) -> None:
        """Make everything durable at once. Raises StoreLocked, StoreFull: then nothing was written."""

    def rollback(self) -> None:
        """Undo everything; without effect on a transaction that has ended."""


class Store(Protocol[K]):
    """A dual-row table, the judge log beside it, and the carrier whose elements its provenance column holds."""

    carrier: Semiring[K]
    mode: Mode

    @property
    def judge_log(self) -> JudgeLog: ...

    def begin(self) -> Transaction[K]:
        """Start a transaction. Raises StoreLocked where another has the store and does not end in time."""

    def session(self) -> Store[K]:
        """Another session on the same data, for a writer beside this one."""

    def rows(self) -> list[Fact[K]]:
        """Every committed row of the table, by (fact_id, system_time_start)."""

    def asof(
        self,
        valid_time: datetime,
        system_time: datetime,
        kind: Kind = "current",
        *,
        subject: str | None = None,
        predicate: str | None = None,
    ) -> list[Fact[K]]:
        """The committed rows of a kind at two instants, of one partition or of all (as `algebra.facts.asof`)."""

    def shut(self) -> None:
        """End the session. Transactions that are open are rolled back; what was committed stays."""
