"""The conflict edges as a picture draws them: parallel ones merged, those of the evidence apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..conflict_graph import edges_of
from ..events import Schedule
from ..explain.evidence import Edge, Evidence
from .plain import edge_label, kind_name, subject

#: The edges of Adya's DSG as drawn: of write dependencies only those between successive versions, the rest follow.
DRAWN = ("wr", "ww1", "rw", "prw", "pwr")


@dataclass(frozen=True)
class Arrow:
    """Conflicts drawn as one arrow: its ends, its kind and label; `hot` if it is on the cycle of the evidence."""

    source: str
    target: str
    kind: str
    label: str
    events: tuple[int, ...] = ()
    hot: bool = False


def arrows(schedule: Schedule, evidence: Evidence | None = None, *, by_event: bool = False) -> list[Arrow]:
    """The edges of the cycle first, then the other conflicts; merged by transactions and kind, or by events."""
    cycle = evidence.cycle if evidence is not None else ()
    known = {(_key(edge), edge.events if by_event else subject(edge, schedule)) for edge in cycle}
    rest = [
        edge
        for edge in edges_of(schedule, DRAWN)
        if (_key(edge), edge.events if by_event else subject(edge, schedule)) not in known
    ]
    return [*_merged(cycle, schedule, by_event, True), *_merged(rest, schedule, by_event, False)]


def _key(edge: Edge) -> tuple[str, str, str]:
    return (edge.source, edge.target, kind_name(edge.kind))


def _merged(edges: Iterable[Edge], schedule: Schedule, by_event: bool, hot: bool) -> list[Arrow]:
    groups: dict[tuple[object, ...], list[Edge]] = {}
    for edge in edges:
        groups.setdefault((_key(edge), edge.events if by_event else None), []).append(edge)
    return [
        Arrow(
            first.source,
            first.target,
            kind_name(first.kind),
            edge_label(first.kind, (subject(edge, schedule) for edge in group)),
            first.events,
            hot,
        )
        for group in groups.values()
        for first in group[:1]
    ]
