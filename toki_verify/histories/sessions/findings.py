"""What is wrong with single reads and writes, before any order is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ..columns import ABORTED, READ, Garbage, History, Int64
from .names import brief, transaction

#: Kinds that no session level allows (Biswas and Enea 2019, section 2: reads name final versions of committed
#: transactions; Adya 2000: G1a, G1b). `duplicate-write` is missing: it only hides what was read.
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
#: A value that names two versions: no level is refuted by it, and none is said to hold.
AMBIGUOUS: Final = "duplicate-write"
#: Findings of one kind that are named one by one.
NAMED: Final = 100
_WORDS: Final = {
    "unwritten-read": "reads {key}={value}, which nobody wrote",
    "aborted-read": "reads {key}={value}, which {writer} wrote{place} and rolled back (G1a)",
    "intermediate-read": "reads {key}={value}, which {writer} wrote{place} and overwrote itself (G1b)",
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
        place=f" (line {int(history.line[writer])})" if writer >= 0 and history.line[writer] > 0 else "",
    )
    line = f"line {int(history.line[read])}: " if history.line[read] > 0 else ""
    return Finding(kind, tuple(places), len(reads), f"{line}{transaction(history, int(txn[read]))} {text}")


def of_garbage(history: History) -> list[Finding]:
    """What the reader of the history found, one finding a kind, with the lines of the first. Each write of a value that
    was written twice is a place of its own: none of them is the wrong one."""
    kinds: dict[str, list[Garbage]] = {}
    for item in history.garbage:
        kinds.setdefault(item.kind, []).append(item)
    found = []
    for kind, items in kinds.items():
        places: list[tuple[int, ...]] = [item.operations for item in items[:NAMED]]
        if kind == AMBIGUOUS:
            writes = dict.fromkeys(one for place in places for one in place)
            places = [(one,) for one in list(writes)[:NAMED]]
        found.append(Finding(kind, tuple(places), len(items), _with_lines(history, items[0])))
    return found


def doubt_of(history: History) -> str | None:
    """Why no level is said to hold where a value was written twice: with the first such value that was read, if one
    was; None where there is none."""
    items = [item for item in history.garbage if item.kind == AMBIGUOUS]
    if not items:
        return None
    wanted = list({int(history.version[item.operations[-1]]) for item in items})
    reads = np.flatnonzero((history.kind == READ) & np.isin(history.version, wanted))
    rolled_back = np.repeat(history.outcome, np.diff(history.first))[reads] == ABORTED
    of_version: dict[int, int] = {}
    for read in reads[np.argsort(rolled_back, kind="stable")].tolist():  # Those that count come first.
        of_version.setdefault(int(history.version[read]), read)
    for item in items:
        read = of_version.get(int(history.version[item.operations[-1]]), -1)
        if read >= 0:
            reader = transaction(history, int(np.searchsorted(history.first, read, side="right")) - 1)
            line = f" (line {int(history.line[read])})" if history.line[read] > 0 else ""
            return f"{_with_lines(history, item)}: which of the two {reader} read{line} is not known"
    said = "nobody read it, but no level is said to hold where a value names two versions"
    return f"{_with_lines(history, items[0])}: {said}"


def _with_lines(history: History, item: Garbage) -> str:
    """What is wrong, and the lines of it; the words of `timestamp-order` have them."""
    lines = sorted({int(history.line[at]) for at in item.operations if history.line[at] > 0})
    if not lines or item.kind == "timestamp-order":
        return item.text
    return f"{item.text} (line{'s' * (len(lines) > 1)} {' and '.join(map(str, lines))})"
