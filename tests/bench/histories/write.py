"""A made history as a file: JSON Lines in the order of time, Plume text, Jepsen lists. Written in pieces, so that a
file of gigabytes needs no more memory than its arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]
from numpy.typing import NDArray

from .history import Bools, Int32, Made, interleaved
from .planted import Anomaly, planted

#: Events or transactions that are turned into text at once.
_PIECE: Final = 1 << 18


def write_lines(made: Made, path: Path, anomaly: Anomaly = "") -> None:
    """The sequenced form: an event object a line, in an order of time; the versions are stated, their order is that of
    the writes."""
    events = made.shape.operations + 2
    order = interleaved(made)
    with path.open("wb") as file:
        for begin in range(0, len(order), _PIECE):
            event = order[begin : begin + _PIECE]
            txn, place = event // events, event % events
            operation = np.clip(txn * made.shape.operations + place - 1, 0, made.shape.size - 1)
            writes = made.writes[operation].astype(np.int8)
            kind = np.where(place == 0, 2, np.where(place == events - 1, 3, writes)).astype(np.int8)
            file.write(_lines(kind, txn + 1, made.key[operation], made.value[operation], made.session[txn]))
        file.write(_planted_lines(made, anomaly))


def _planted_lines(made: Made, anomaly: Anomaly) -> bytes:
    """The two planted transactions; each commits right behind its last operation."""
    operations = planted(made, anomaly)
    names = [made.shape.transactions + 1, made.shape.transactions + 2] if operations else []
    found = [b'{"op":"b","txn":"%d","session":"%d"}\n' % (name, number) for number, name in enumerate(names)]
    for at, one in enumerate(operations):
        what = (b"rw"[one.writes], names[one.txn], one.key, one.value)
        found.append(b'{"op":"%c","txn":"%d","item":"k%d","version":"%d"}\n' % what)
        if all(other.txn != one.txn for other in operations[at + 1 :]):
            found.append(b'{"op":"c","txn":"%d"}\n' % names[one.txn])
    return b"".join(found)


def _lines(kind: NDArray[np.int8], txn: Int32, key: Int32, value: Int32, session: Int32) -> memoryview:
    """Event objects: `kind` is 0 read, 1 write, 2 begin, 3 commit."""
    begins, ends = kind == 2, kind == 3
    return _joined(
        _one_of(('{"op":"r","txn":"', '{"op":"w","txn":"', '{"op":"b","txn":"', '{"op":"c","txn":"'), kind),
        _text(txn),
        _one_of(('","item":"k', '","item":"k', '","session":"', ""), kind),
        _text(np.where(begins, session, key), absent=ends),
        _one_of(('","version":"', '","version":"', "", ""), kind),
        _text(value, absent=begins | ends),
        pa.scalar('"}\n'),
    )


def write_plume(made: Made, path: Path, anomaly: Anomaly = "") -> None:
    """Plume text: a register history, transaction after transaction."""
    each = made.shape.operations
    with path.open("wb") as file:
        for begin in range(0, made.shape.size, _PIECE):
            part = slice(begin, begin + _PIECE)
            txn = (np.arange(begin, min(begin + _PIECE, made.shape.size)) // each).astype(np.int32)
            file.write(
                _joined(
                    _one_of(("r(", "w("), made.writes[part].astype(np.int8)),
                    _text(made.key[part]),
                    pa.scalar(","),
                    _text(made.value[part]),
                    pa.scalar(","),
                    _text(made.session[txn]),
                    pa.scalar(","),
                    _text(txn + 1),
                    pa.scalar(")\n"),
                )
            )
        behind = made.shape.transactions + 1
        for one in planted(made, anomaly):
            file.write(b"%c(%d,%d,%d,%d)\n" % (b"rw"[one.writes], one.key, one.value, one.txn, behind + one.txn))


def write_lists(made: Made, path: Path, anomaly: Anomaly = "") -> None:
    """Jepsen EDN, invocations and completions; keys of its own, eight operations each, so that lists stay short: it is
    not the same history. Planted anomalies are on two keys that nobody else uses."""
    each = made.shape.operations
    block = np.repeat(np.arange(made.shape.transactions, dtype=np.int64) * each // (8 * made.shape.keys), each)
    key = (block * made.shape.keys + made.key).astype(np.int64)
    lists: dict[int, str] = {}
    with path.open("w", encoding="ascii") as file:
        for begin in range(0, made.shape.transactions, _PIECE // each):
            end = min(begin + _PIECE // each, made.shape.transactions)
            part = slice(begin * each, end * each)
            asked, seen = _list_operations(made.writes[part], key[part].tolist(), made.value[part].tolist(), lists)
            file.writelines(_completed(range(begin, end), made.session[begin:end].tolist(), asked, seen, each))
        if anomaly:
            _planted_lists(file.write, made, anomaly, int(key.max()) + 1)


def _list_operations(
    writes: Bools, keys: list[int], values: list[int], lists: dict[int, str]
) -> tuple[list[str], list[str]]:
    """Each operation as invoked and as completed. `lists` is what each key holds, and becomes what it holds then."""
    asked, seen = [], []
    for write, key, value in zip(writes.tolist(), keys, values, strict=True):
        before = lists.get(key)
        if write:
            lists[key] = f"{before} {value}" if before else str(value)
            asked.append(f"[:append {key} {value}]")
            seen.append(asked[-1])
        else:
            asked.append(f"[:r {key} nil]")
            seen.append(f"[:r {key} [{before}]]" if before else asked[-1])
    return asked, seen


def _completed(txns: range, sessions: Sequence[int], asked: list[str], seen: list[str], each: int) -> Iterator[str]:
    """Two lines a transaction."""
    for at, (txn, session) in enumerate(zip(txns, sessions, strict=True)):
        part = slice(at * each, at * each + each)
        for place, kind, operations in ((2 * txn, "invoke", asked[part]), (2 * txn + 1, "ok", seen[part])):
            yield _entry(place, kind, session, operations)


def _entry(place: int, kind: str, session: int, operations: Sequence[str]) -> str:
    value = " ".join(operations)
    return f"{{:index {place} :type :{kind} :f :txn :process {session} :time {place} :value [{value}]}}\n"


def _planted_lists(write: Callable[[str], object], made: Made, anomaly: Anomaly, free: int) -> None:
    """The two planted transactions, on the keys `free` and `free + 1`; both are invoked before one completes."""
    asked: list[list[str]] = [[], []]
    seen: list[list[str]] = [[], []]
    for one in planted(made, anomaly):
        key = free + one.key
        invoked = f"[:append {key} {one.value}]" if one.writes else f"[:r {key} nil]"
        asked[one.txn].append(invoked)
        seen[one.txn].append(f"[:r {key} [{one.value}]]" if one.new and not one.writes else invoked)
    place = 2 * made.shape.transactions
    for kind, operations in (("invoke", asked), ("ok", seen)):
        for session in (0, 1):
            write(_entry(place, kind, session, operations[session]))
            place += 1


def _one_of(words: Sequence[str], which: NDArray[np.int8]) -> Any:
    return pc.take(pa.array(words), pa.array(which))


def _text(numbers: NDArray[np.int32], absent: Bools | None = None) -> Any:
    """Numbers as text, the empty one where `absent`."""
    text = pa.array(numbers).cast(pa.string())
    return text if absent is None else pc.if_else(pa.array(absent), "", text)


def _joined(*columns: Any) -> memoryview:
    """The columns side by side, rows one after another, as the bytes of a file."""
    joined = pc.binary_join_element_wise(*columns, pa.scalar(""))
    _, ends, text = joined.buffers()
    return memoryview(text)[: int(np.frombuffer(ends, np.int32)[len(joined)])]


#: By form: how a history is written in it.
WRITERS: Final[dict[str, Callable[[Made, Path, Anomaly], None]]] = {
    "lines": write_lines,
    "plume": write_plume,
    "lists": write_lists,
}
