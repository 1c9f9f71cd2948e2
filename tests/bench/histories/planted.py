"""Anomalies of two transactions that can be put behind a history, so that it is known that a decider looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from .history import Made

#: `write-skew`: at SI and not serializable. `fractured-read`: one of the two versions that a transaction wrote, and
#: what stood there before the other; at RC and not read atomic.
Anomaly = Literal["", "write-skew", "fractured-read"]


@dataclass(frozen=True)
class Operation:
    """An operation of planted transaction 0 or 1: on key 0 or 1; the value written or seen. `new`: of a read, that it
    sees what the other planted transaction wrote, and not what the history left there."""

    txn: int
    writes: bool
    key: int
    new: bool = False
    value: int = 0


def _read(txn: int, key: int, new: bool = False) -> Operation:
    return Operation(txn, False, key, new)


def _write(txn: int, key: int) -> Operation:
    return Operation(txn, True, key, True)


#: In the order of time.
PLANTED: Final[dict[Anomaly, tuple[Operation, ...]]] = {
    "": (),
    "write-skew": (_read(0, 0), _read(0, 1), _read(1, 0), _read(1, 1), _write(0, 0), _write(1, 1)),
    "fractured-read": (_read(1, 1), _read(0, 1), _write(0, 0), _write(0, 1), _read(1, 0, new=True)),
}


def planted(made: Made, anomaly: Anomaly) -> list[Operation]:
    """The operations of an anomaly behind a history, with values: of a write a new one, of a read what it sees."""
    # Values of the history are less than this.
    value = made.shape.size
    written = {0: 0, 1: 0}
    found = []
    for one in PLANTED[anomaly]:
        if one.writes:
            value += 1
            written[one.key] = value
        seen = written[one.key] if one.new else int(made.last[one.key])
        found.append(Operation(one.txn, one.writes, one.key, one.new, seen))
    return found
