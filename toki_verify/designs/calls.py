"""Judge calls whose votes go into the log: the call and its insert-if-absent are one, which returns with the insert."""

from __future__ import annotations

from typing import Any

from .machine import Call, Machine, Record
from .operations import JUDGE_LOG, Fill, Insert, Operation, log_row
from .store import Txn


def logs_call(operation: Operation[Any] | None, reads: str, theta: str) -> bool:
    """Whether an operation inserts into the judge log, unless there is one, the vote of a call at (R, θ)."""
    if isinstance(operation, Fill):
        return (operation.reads, operation.theta) == (reads, theta)
    if isinstance(operation, Insert):
        return operation.table == JUDGE_LOG and operation.absent and operation.key == log_row(reads, theta)
    return False


def returned(machine: Machine, writer: int, txn: Txn, vote: Any) -> None:
    """A logged call returns: with the vote that the log has."""
    process = machine.processes[writer]
    if process.asked is not None:
        reads, theta, asked, own, after = process.asked
        name = txn.name if own else process.txn or txn.name
        call = Call(reads, theta, vote, process.attempt, after, asked, process.node.step)
        machine.record(Record("j", name, more=call))
        machine.change(writer, asked=None)


def unanswered(machine: Machine, writer: int, name: str) -> None:
    """The insert of a logged call is refused: the call returned what the judge said."""
    process = machine.processes[writer]
    if process.asked is not None:
        reads, theta, asked, _, after = process.asked
        machine.record(Record("j", name, more=Call(reads, theta, asked, process.attempt, after)))
        machine.change(writer, asked=None)
