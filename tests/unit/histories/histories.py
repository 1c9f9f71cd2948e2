"""Histories for tests: drawn, with whatever a file may have in it."""

from __future__ import annotations

import re

import numpy as np
from hypothesis import strategies as st

from toki_verify.histories.builder import NIL, assemble, committed
from toki_verify.histories.columns import ABORTED, COMMITTED, READ, UNKNOWN, WRITE, History


@st.composite
def histories(draw: st.DrawFn, *, wild: bool = True, transactions: int = 5) -> History:
    """A history of registers. With `wild` values may be read that nobody wrote, written twice, or read too early;
    without, every write has a value of its own and every read names one of them or nil."""
    count = draw(st.integers(1, transactions))
    sessions = draw(st.integers(1, 3))
    txn, kind, key, value = [], [], [], []
    fresh = 0
    for number in range(count):
        for _ in range(draw(st.integers(1, 4))):
            txn.append(number)
            key.append(draw(st.integers(0, 1)))
            kind.append(draw(st.sampled_from((READ, WRITE))))
            if kind[-1] == WRITE and not wild:
                value.append(fresh)
                fresh += 1
            else:
                value.append(draw(st.integers(-1, 5)))
    top = 6 if wild else max(fresh, 1)
    if not wild:
        for at, one in enumerate(kind):
            if one == READ:
                fits = [
                    NIL,
                    *(value[other] for other in range(len(kind)) if (kind[other], key[other]) == (WRITE, key[at])),
                ]
                value[at] = draw(st.sampled_from(fits))
    outcomes = (COMMITTED, COMMITTED, COMMITTED, ABORTED, UNKNOWN)
    return assemble(
        format="drawn",
        source="",
        session=np.array(sorted(draw(st.integers(0, sessions - 1)) for _ in range(count)), np.int32),
        outcome=np.array([draw(st.sampled_from(outcomes)) for _ in range(count)], np.int8),
        txn=np.array(txn, np.int32),
        kind=np.array(kind, np.int8),
        key=np.array(key, np.int32),
        value=np.array(value, np.int32),
        line=np.arange(1, len(txn) + 1, dtype=np.int32),
        keys=["x", "y"],
        values=[str(number + 1) for number in range(top)],
        transactions=[str(number + 1) for number in range(count)],
        sessions=[f"s{number}" for number in range(sessions)],
    )


def plain(text: str) -> History:
    """A history of operations like r1[x1], whatever order they could have happened in."""
    found = re.findall(r"([rw])(\d)\[([xy])(\d)\]", text)
    txns = sorted({int(txn) for _, txn, _, _ in found})
    return assemble(
        format="text",
        source="",
        session=np.arange(len(txns), dtype=np.int32),
        outcome=committed(len(txns)),
        txn=np.array([txns.index(int(txn)) for _, txn, _, _ in found], np.int32),
        kind=np.array(["rw".index(kind) for kind, _, _, _ in found], np.int8),
        key=np.array(["xy".index(key) for _, _, key, _ in found], np.int32),
        value=np.array([int(value) for _, _, _, value in found], np.int32),
        line=np.arange(1, len(found) + 1, dtype=np.int32),
        keys=["x", "y"],
        values=[str(number) for number in range(10)],
        transactions=[str(txn) for txn in txns],
        sessions=[str(txn) for txn in txns],
    )
