"""What is wrong with single reads and writes, before any order is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..columns import Garbage, History, Int64
from .names import brief, transaction

#: Kinds that no session level allows (Biswas and Enea 2019, section 2: reads name final versions of committed
#: transactions; Adya 2000: G1a, G1b). `duplicate-write` is missing: it only hides what a read saw.
REFUTING: Final = (
    "unwritten-read",
    "aborted-read",
    "intermediate-read",
    "own-write-unseen",
    "future-read",
    "incompatible-order",
    "duplicate-element",
    "append-order",
)
#: Findings of one kind that are named one by one.
NAMED: Final = 100
_WORDS: Final = {
    "unwritten-read": "reads {key}={value}, which nobody wrote",
    "aborted-read": "reads {key}={value}, which {writer} wrote and rolled back (G1a)",
    "intermediate-read": "reads {key}={value}, which {writer} overwrote itself (G1b)",
    "own-write-unseen": "reads {key}={value} behind a write of its own that says otherwise",
    "future-read": "reads {key}={value}, which it writes only later",
    "append-order": "appends {value} to {key}, and a list shows it, but before or without what it appended earlier",
}


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with single operations: its `kind`, the first `NAMED` places where it occurs (each the
    operations of `history` that make it), how often it occurs (`count`), and the first of it in words."""

    kind: str
    places: tuple[tuple[int, ...], ...]
    count: int
    text: str

    @property
    def refutes(self) -> bool:
        """Whether no session level allows it."""
        return self.kind in REFUTING


def of_reads(history: History, kind: str, reads: Int64, versions: Int64, txn: Int64) -> Finding:
    """The finding that the operations `reads` saw `versions` wrongly; `txn` is the transaction of every operation."""
    places = []
    for read, version in zip(reads[:NAMED], versions[:NAMED], strict=True):
        writer = int(history.writer[version])
        places.append((int(read),) if writer < 0 else (int(read), writer))
    read, version = int(reads[0]), int(versions[0])
    writer = int(history.writer[version])
    text = _WORDS[kind].format(
        key=brief(history.keys[int(history.key[read])]),
        value=brief(history.values[version]),
        writer=transaction(history, int(txn[writer])) if writer >= 0 else "",
    )
    line = f"line {int(history.line[read])}: " if history.line[read] > 0 else ""
    return Finding(kind, tuple(places), len(reads), f"{line}{transaction(history, int(txn[read]))} {text}")


def of_garbage(garbage: Iterable[Garbage]) -> list[Finding]:
    """What the reader of the history found, one finding a kind."""
    kinds: dict[str, list[Garbage]] = {}
    for item in garbage:
        kinds.setdefault(item.kind, []).append(item)
    return [
        Finding(kind, tuple(item.operations for item in items[:NAMED]), len(items), items[0].text)
        for kind, items in kinds.items()
    ]
