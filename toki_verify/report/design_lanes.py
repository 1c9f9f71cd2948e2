"""Swim lanes of a run of a design: a lane a writer, whatever number of transactions it needs; time runs downwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..events import Abort, Schedule
from ..events.values import shown
from ..explain.words import short_event


def writer_of(txn: str) -> str:
    """The number of the writer of a transaction of a run: `1` of `1`, `1.2` and `1.own1`."""
    return txn.partition(".")[0]


#: What the signs stand for.
LEGEND = "● event of the writer's transaction, ○ of one of a single statement, ✗ abort, │ open, ⚡ crash"


def design_lanes(
    schedule: Schedule, width: int, marks: Mapping[int, str], crashed: Iterable[tuple[int, int]] = ()
) -> list[str]:
    """A line an event (`LEGEND` has the signs), and one a crash: `crashed` are positions that one came before, and the
    number of the writer, from 0."""
    resolved = schedule.resolved
    writers = list(dict.fromkeys(writer_of(txn) for txn in resolved.txns))
    writers.sort(key=lambda name: (len(name), name))
    wide = max([2, *(len(name) + 1 for name in writers)])
    out = ["     " + " ".join(f"W{name}".ljust(wide) for name in writers).rstrip()]
    crashes = sorted(crashed)
    for position, event in enumerate(schedule.events):
        out += _crashes(crashes, position, writers, wide)
        cells = []
        for name in writers:
            if writer_of(event.txn) == name:
                cells.append("✗" if isinstance(event, Abort) else "○" if ".own" in event.txn else "●")
                continue
            open_ = any(
                writer_of(txn) == name
                and ".own" not in txn
                and resolved.start[txn] <= position <= resolved.end.get(txn, len(schedule.events))
                for txn in resolved.txns
            )
            cells.append("│" if open_ else " ")
        lead = f"{position:>4} {' '.join(cell.ljust(wide) for cell in cells)} "
        note = f"  ◂ {marks[position]}" if position in marks else ""
        out.append(f"{lead}{shown(short_event(event, schedule), max(30, width - len(lead) - len(note)))}{note}")
    return out + _crashes(crashes, len(schedule.events), writers, wide)


def _crashes(crashes: list[tuple[int, int]], position: int, writers: list[str], wide: int) -> list[str]:
    """The lines of the crashes before a position, which are taken from the list."""
    lines = []
    while crashes and crashes[0][0] <= position:
        name = str(crashes.pop(0)[1] + 1)
        cells = " ".join(("⚡" if other == name else " ").ljust(wide) for other in writers)
        lines.append(f"     {cells} writer {name} crashes")
    return lines
