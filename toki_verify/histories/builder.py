"""How a reader makes a history: from operations by key and value to versions.

One write of a value to a key makes a version; a second write of it is garbage of kind `duplicate-write`, since a value
then names two versions. The initial version of key k is version k.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from .columns import COMMITTED, INITIAL, NOBODY, WRITE, Garbage, History, Int8, Int32, Int64

#: What a read of `nil`, or of 0 where nobody writes 0 to the key, saw. `auto`: the initial version. `nil`: nil is the
#: initial version, 0 must have been written. `zero`: 0 is the initial version, too, whoever writes it. `written`:
#: every version was written by somebody, so neither nil nor 0 is special.
Initial = Literal["auto", "nil", "zero", "written"]
INITIAL_POLICIES: Final[tuple[Initial, ...]] = ("auto", "nil", "zero", "written")
#: In place of the number of a value: nil.
NIL: Final = -1
#: Duplicates that are named one by one; there may be millions.
_NAMED: Final = 1_000


def assemble(
    *,
    format: str,
    source: str,
    session: Int32,
    outcome: Int8,
    txn: Int32,
    kind: Int8,
    key: Int32,
    value: Int32,
    line: Int32,
    keys: Sequence[str],
    values: Sequence[str],
    transactions: Sequence[str],
    sessions: Sequence[str],
    initial: Initial = "auto",
    begun: Int64 | None = None,
    ended: Int64 | None = None,
    warnings: tuple[str, ...] = (),
) -> History:
    """A history of registers.

    `session` (T,), `outcome` (T,): transactions, those of one session in session order. `txn`, `kind`, `key`, `value`,
    `line` (N,): operations in any order in which those of one transaction stand in program order. `value` is a place in
    `values`, or NIL; `key` one in `keys`.
    """
    if (txn[1:] < txn[:-1]).any():
        by_txn = np.argsort(txn, kind="stable")
        txn, key, value, line = (column[by_txn] for column in (txn, key, value, line))
        kind = kind[by_txn]
    first = np.append(0, np.cumsum(np.bincount(txn, minlength=len(session)))).astype(np.int32)
    count = len(keys)
    zero = _code(values, "0")
    which, pair_key, pair_value = _pairs(key, value, len(values))
    writer = np.full(len(pair_key), NOBODY, np.int32)
    writes = np.flatnonzero(kind == WRITE)
    writer[which[writes[::-1]]] = writes[::-1]  # the first of several writes of one value
    starts, warned = _initial(pair_value, writer, zero, initial, keys, pair_key)
    number = np.where(starts, pair_key, count + np.cumsum(~starts) - 1).astype(np.int32)
    made = ~starts
    shown = np.array([NIL], np.int32).repeat(count)
    return History(
        format=format,
        source=source,
        model="register",
        session=session,
        outcome=outcome,
        first=first,
        kind=kind,
        key=key,
        version=number[which],
        line=line,
        version_key=np.concatenate([np.arange(count, dtype=np.int32), pair_key[made]]),
        writer=np.concatenate([np.full(count, INITIAL, np.int32), writer[made]]),
        rank=np.concatenate([np.zeros(count, np.int32), np.full(int(made.sum()), -1, np.int32)]),
        transactions=transactions,
        sessions=sessions,
        keys=keys,
        values=Values(values, np.concatenate([shown, pair_value[made]])),
        begun=begun,
        ended=ended,
        garbage=tuple(_duplicates(writes, which, writer, starts, key, keys, values, pair_value)),
        warnings=(*warnings, *warned),
    )


def _pairs(key: Int32, value: Int32, count: int) -> tuple[Int32, Int32, Int32]:
    """The pairs of a key and a value (below `count`, or NIL) that there are, in ascending order: which of them each
    operation names (N,), and the key and the value of each (P,). Most values occur with one key only, so that there are
    fewer values than operations to sort."""
    place = value + np.int32(1)  # nil has a place of its own
    home = np.full(count + 1, -1, np.int32)
    home[place] = key
    several = np.zeros(count + 1, bool)
    several[place[home[place] != key]] = True
    alone = np.flatnonzero((home >= 0) & ~several)
    rest = np.flatnonzero(several[place])
    others, inverse = np.unique(key[rest].astype(np.int64) * (count + 1) + place[rest], return_inverse=True)
    pairs = np.concatenate([home[alone].astype(np.int64) * (count + 1) + alone, others])
    order = np.argsort(pairs)
    rank = np.empty(len(pairs), np.int32)
    rank[order] = np.arange(len(pairs), dtype=np.int32)
    number = np.empty(count + 1, np.int32)
    number[alone] = rank[: len(alone)]
    which = number[place]
    which[rest] = rank[len(alone) :][inverse]
    pairs = pairs[order]
    return which, (pairs // (count + 1)).astype(np.int32), (pairs % (count + 1)).astype(np.int32) - np.int32(1)


class Values(Sequence[str]):
    """The values of versions as text, made when they are asked for: places in a table, NIL for the initial version."""

    def __init__(self, table: Sequence[str], place: Int32) -> None:
        self.table, self.place = table, place

    def __len__(self) -> int:
        return len(self.place)

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(len(self)))]
        place = int(self.place[index])
        return "nil" if place == NIL else self.table[place]


def _code(values: Sequence[str], text: str) -> int:
    try:
        return values.index(text)
    except ValueError:
        return -2


def _initial(
    pair_value: Int32,
    writer: Int32,
    zero: int,
    initial: Initial,
    keys: Sequence[str],
    pair_key: Int32,
) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Which pairs are initial versions, and what to warn of."""
    nil, nought = pair_value == NIL, pair_value == zero
    unwritten = writer == NOBODY
    if initial == "written":
        return np.zeros(len(pair_value), bool), ()
    if initial == "nil":
        return nil & unwritten, ()
    if initial == "zero":
        return (nil & unwritten) | nought, ()
    both = nought & ~unwritten
    warned: tuple[str, ...] = ()
    if both.any():
        concerned = pair_key[both]
        more = len(np.unique(concerned)) - 1
        others = f", and of {more:,} other key{'s' * (more > 1)}," if more else ""
        warned = (
            f"value 0 of key {keys[int(concerned[0])]}{others} is taken for the version that somebody wrote; if it is "
            "the initial value here, say `--initial zero`, and `--initial written` if it is not",
        )
    return (nil | nought) & unwritten, warned


def _duplicates(
    writes: NDArray[np.intp],
    which: Int32,
    writer: Int32,
    starts: NDArray[np.bool_],
    key: Int32,
    keys: Sequence[str],
    values: Sequence[str],
    pair_value: Int32,
) -> list[Garbage]:
    """Writes of a value that another write of the key had written, or that is the initial one."""
    pair = which[writes]
    again = (writer[pair] != writes) | starts[pair]
    found = []
    for operation in writes[again][:_NAMED]:
        at = int(which[operation])
        name, value = keys[int(key[operation])], int(pair_value[at])
        text = "nil" if value == NIL else values[value]
        if starts[at]:
            said = f"{text} is written to {name}, and is its initial value"
            found.append(Garbage("duplicate-write", (int(operation),), int(key[operation]), said))
        else:
            both = (int(writer[at]), int(operation))
            found.append(Garbage("duplicate-write", both, int(key[operation]), f"{text} is written to {name} twice"))
    return found


def committed(count: int) -> Int8:
    """That so many transactions committed: (count,)."""
    return np.full(count, COMMITTED, np.int8)
