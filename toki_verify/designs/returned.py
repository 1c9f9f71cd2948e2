"""Which vote a logged call returned to its writer: the log's, unless the writer went by the judge's own.

A writer may insert its vote into the log and then act on its own, whatever the log said. So where the two differ the
rest of the attempt is compared, step by step, with what the program would have done had the log returned the vote that
was asked, and with what it would have done had the judge said what the log has. The call's vote is the judge's where
the first makes no difference and the second does. Where neither does (a crash came first, or there was nothing to
decide) nobody has gone by any vote yet, and the log's is the one that counts.
"""

from __future__ import annotations

from typing import Any

from .faults import DesignError
from .machine import Call, Machine, Record
from .operations import Insert
from .program import Node, Program, fingerprint
from .values import Row


def settled(machine: Machine, history: list[Record]) -> list[Record]:
    """The history with the votes that the calls returned."""
    return [
        record._replace(more=record.more._replace(vote=record.more.asked)) if _ignored(machine, record) else record
        for record in history
    ]


def _ignored(machine: Machine, record: Record) -> bool:
    if record.what != "j" or record.more.step == 0 or record.more.vote == record.more.asked:
        return False
    call: Call = record.more
    writer = int(record.txn.split(".")[0]) - 1
    process = machine.processes[writer]
    ended = [node for number, attempt, node, _ in machine.ended if (number, attempt) == (writer, call.attempt)]
    last = ended[0] if ended else process.node
    program = machine.programs[writer]
    return _same(program, last.answers, call) and _own(program, last.answers, call)


def _same(program: Program, answers: tuple[Any, ...], call: Call) -> bool:
    """Whether the program does the same with the vote asked in place of the log's answer."""
    if len(answers) < call.step:
        return False
    real = other = program.root
    for answer in answers[: call.step - 1]:
        real = other = program.after(real, answer)
    try:
        for position in range(call.step - 1, len(answers)):
            if fingerprint(real.operation) != fingerprint(other.operation):
                return False
            answer = answers[position]
            instead = _instead(real, answer, call) if position == call.step - 1 else answer
            real, other = program.after(real, answer), program.after(other, instead)
    except DesignError:
        return False  # the answers fit what it did, and not what it would have done
    return bool(fingerprint(real.operation) == fingerprint(other.operation))


def _own(program: Program, answers: tuple[Any, ...], call: Call) -> bool:
    """Whether the program does something else, behind the log's answer, had the judge said what the log has."""
    asks = call.step - 2  # the answer of the judge, which the insert follows at once
    real = other = program.root
    for answer in answers[:asks]:
        real = other = program.after(real, answer)
    try:
        for position in range(asks, len(answers)):
            if position > call.step - 1 and fingerprint(real.operation) != fingerprint(other.operation):
                return True
            answer = answers[position]
            real, other = program.after(real, answer), program.after(other, call.vote if position == asks else answer)
            if position == asks and type(real.operation) is not type(other.operation):
                return True
    except DesignError:
        return True  # the answers fit what it did, and not what it would have done
    return bool(fingerprint(real.operation) != fingerprint(other.operation))


def _instead(node: Node, answer: Any, call: Call) -> Any:
    if isinstance(node.operation, Insert) and isinstance(answer, Row):
        return Row(answer.table, answer.key, {**answer, "vote": call.asked}, answer.version, answer.told)
    return call.asked
