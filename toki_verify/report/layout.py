"""Where the events of a swim-lane picture stand: a lane a transaction, x in time order."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from ..events import Abort, Begin, Callback, Commit, Event, Judge, PredicateRead, Schedule, Write
from ..explain.words import txn_name
from ..notation.printer import event_text
from .plain import columns, cut, visible

#: Pixels of one monospace column; height of an event box; least distance of two boxes of a lane.
COLUMN, BOX, GAP = 7.25, 28.0, 12.0
#: Columns an event's label may take; events drawn at most.
LABEL, DRAWN = 30, 400
MARKS = ("begin", "commit", "abort", "judge")


@dataclass
class Shape:
    """One event: what it looks like, its label and its middle; `text` is the whole event."""

    event: int
    lane: int
    kind: str
    label: str
    text: str
    x: float
    width: float
    hot: bool = False

    @property
    def left(self) -> float:
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width / 2


@dataclass
class Lane:
    """One transaction; its events stand between `first` and `last`. `top` is set when the heights are known."""

    name: str
    end: str
    first: float = 0.0
    last: float = 0.0
    top: float = 0.0


@dataclass
class Layout:
    """Everything but the vertical positions."""

    lanes: list[Lane] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    left: float = 0.0
    width: float = 0.0
    undrawn: int = 0


def kind_of(event: Event) -> str:
    """What the picture distinguishes."""
    if isinstance(event, PredicateRead):
        return "predicate"
    for kind, name in (
        (Begin, "begin"),
        (Commit, "commit"),
        (Abort, "abort"),
        (Judge, "judge"),
        (Write, "write"),
        (Callback, "callback"),
    ):
        if isinstance(event, kind):
            return name
    return "read"


def layout(schedule: Schedule, hot: Collection[int] = (), drawn: int = DRAWN) -> Layout:
    """Place the events. Of a schedule of more than `drawn` events, the hot ones and the first others are drawn."""
    chosen = _chosen(schedule, hot, drawn)
    resolved = schedule.resolved
    txns = [txn for txn in resolved.txns if any(schedule.events[event].txn == txn for event in chosen)]
    out = Layout(undrawn=len(schedule.events) - len(chosen))
    for txn in txns:
        end = "committed" if txn in resolved.committed else "aborted" if txn in resolved.aborted else "open"
        out.lanes.append(Lane(cut(visible(txn_name(txn)), 16), end))
    lane_of = {txn: lane for lane, txn in enumerate(txns)}
    out.left = 34 + max(70.0, *(columns(lane.name) * 9 for lane in out.lanes))
    free = [out.left] * len(txns)
    # Middles of consecutive events are at least this far apart, so that time order is seen across lanes.
    step = 34.0 if len(chosen) <= 60 else 24.0
    previous = out.left - step + 16
    for event in chosen:
        shape = _shape(schedule, event, lane_of[schedule.events[event].txn], event in hot)
        shape.x = max(previous + step, free[shape.lane] + shape.width / 2)
        previous, free[shape.lane] = shape.x, shape.right + GAP
        lane = out.lanes[shape.lane]
        lane.first, lane.last = lane.first or shape.left, shape.right
        out.shapes.append(shape)
    out.width = max(shape.right for shape in out.shapes) + 28
    return out


def _chosen(schedule: Schedule, hot: Collection[int], drawn: int) -> list[int]:
    if len(schedule.events) <= drawn:
        return list(range(len(schedule.events)))
    found = sorted(hot)[:drawn]
    others = (event for event in range(len(schedule.events)) if event not in hot)
    return sorted([*found, *(event for event, _ in zip(others, range(drawn - len(found)), strict=False))])


def _shape(schedule: Schedule, position: int, lane: int, hot: bool) -> Shape:
    event = schedule.events[position]
    kind = kind_of(event)
    text = visible(event_text(event, schedule.partitions))
    label = cut(text, LABEL)
    width = max(columns(label) * (COLUMN * 0.86 if kind in MARKS else COLUMN) + (0 if kind in MARKS else 14), 18.0)
    return Shape(position, lane, kind, label, text, 0.0, width, hot)
