"""Which judge calls of a frame fill their row of the judge log: the rule of `relations/judge_log.py` over truth values.

Whether a call fills depends on which calls before it do. Calls stand in a total order, so what is required here has
one solution for every schedule.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .frames import FrameCircuit


def require_log(frame: FrameCircuit) -> None:
    """A truth value for every slot that may be a judge call, tied to the slots that it may have seen."""
    unknown, circuit = frame.unknown, frame.circuit
    slots = [slot for slot, judge in enumerate(unknown.judge) if judge]
    for slot in slots:
        unknown.log_fill[slot] = circuit.fresh()
        frame.rules.append(circuit.any((unknown.log_fill[slot] ^ 1, unknown.judge[slot])))
    for slot in slots:
        rows = {row: _alive(frame, row, slot) for row in slots if row != slot}
        rows = {row: alive for row, alive in rows.items() if alive}
        reads = []
        for row, alive in rows.items():
            newer = [
                circuit.both(other, unknown.before[row][later] if _own(frame, later, slot) == own else 1)
                for own in [_own(frame, row, slot)]
                for later, other in rows.items()
                if later != row and (not own or _own(frame, later, slot))
            ]
            agree = circuit.negate(unknown.differ(unknown.vote[row], unknown.vote[slot]))
            reads.append(circuit.all((alive, circuit.negate(circuit.any(newer)), agree)))
        read = circuit.any(reads)
        frame.rules.append(circuit.any((unknown.judge[slot] ^ 1, unknown.log_fill[slot], read)))
        frame.rules.append(circuit.any((unknown.log_fill[slot] ^ 1, read ^ 1)))


def _own(frame: FrameCircuit, one: int, other: int) -> bool:
    return frame.unknown.txn_of[one] == frame.unknown.txn_of[other]


def _alive(frame: FrameCircuit, row: int, slot: int) -> int:
    """The row was filled at the key of the slot, before it, by a transaction that has not aborted before it."""
    unknown, circuit = frame.unknown, frame.circuit
    txn = unknown.txn_of[row]
    dead = circuit.both(unknown.aborted[txn], unknown.end_before[txn][slot])
    same = unknown.same(unknown.key[row], unknown.key[slot])
    return circuit.all((unknown.log_fill[row], unknown.before[row][slot], same, circuit.negate(dead)))
