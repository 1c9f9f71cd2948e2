"""Which of several schedules of one size is the most familiar one.

Coarse wishes are weighed between frames, in order; fine ones order the schedules of one frame, so that what is shown is
the same whichever solver found it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..relations.unknown import INITIAL_VERSION
from .frames import FrameCircuit

Wish = Callable[[FrameCircuit], list[int]]


def _no_stated_order(frame: FrameCircuit) -> list[int]:
    return [frame.stated ^ 1]


def _no_sessions(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for value in frame.unknown.session.values()]


def _sessions_in_real_time(frame: FrameCircuit) -> list[int]:
    return [frame.unreal ^ 1]


def _no_predicates(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for slot in frame.unknown.predicate for value in slot.values()]


def _whole_reads(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for value in frame.partial]


def _no_aborts(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for value in frame.unknown.aborted]


def _no_begins(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for value in frame.begin]


def _known_votes(frame: FrameCircuit) -> list[int]:
    circuit = frame.circuit
    return [
        circuit.any([judge ^ 1, *votes.values()])
        for judge, votes in zip(frame.unknown.judge, frame.unknown.vote, strict=True)
    ]


def _no_partitions(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for labels in frame.unknown.partition for value in labels.values()]


def _usual_surface(frame: FrameCircuit) -> list[int]:
    keeps = frame.unknown.keeps
    return [value ^ (part == "closed") for part, value in keeps.items()]


def _no_initial_rows(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for value in frame.unknown.stated]


def _plain_writes(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for value in (*frame.unknown.inserted, *frame.unknown.deleted)]


def _no_provenance(frame: FrameCircuit) -> list[int]:
    return [value ^ 1 for value in frame.unknown.below.values()]


def _latest_versions(frame: FrameCircuit) -> list[int]:
    """Every access sees the latest write before it."""
    unknown, circuit = frame.unknown, frame.circuit
    out = []
    for slot, accesses in enumerate(unknown.seen):
        for item, seen in accesses.items():
            for source, saw in seen.items():
                for other in range(len(unknown.txn_of)):
                    wrote = unknown.write[other].get(item, 0)
                    if other not in (slot, source) and wrote:
                        between = unknown.before[other][slot]
                        if source != INITIAL_VERSION:
                            between = circuit.both(between, unknown.before[source][other])
                        out.append(circuit.all([saw, wrote, between]) ^ 1)
    return out


def coarse() -> tuple[Wish, ...]:
    """The wishes that are weighed between frames, the weightiest first."""
    return (
        _no_stated_order,
        _whole_reads,
        _no_predicates,
        _no_sessions,
        _sessions_in_real_time,
        _no_begins,
        _known_votes,
        _no_partitions,
        _no_aborts,
        _usual_surface,
        _no_initial_rows,
        _plain_writes,
        _no_provenance,
        _latest_versions,
    )


def fine(frame: FrameCircuit) -> Iterator[int]:
    """Literals that are wished for, in order: they decide everything that a schedule says."""
    unknown = frame.unknown
    for slot in range(len(unknown.txn_of)):
        yield from (value ^ 1 for value in unknown.predicate[slot].values())
    yield from unknown.committed
    for table in (unknown.matched, unknown.unmatched, unknown.in_predicate):
        yield from (value ^ 1 for rows in table for value in rows.values())
    for slot in range(len(unknown.txn_of)):
        yield from unknown.read[slot].values()
        yield from unknown.write[slot].values()
        yield from unknown.key[slot].values()
        yield from unknown.vote[slot].values()
        yield unknown.callback[slot] ^ 1
        yield unknown.by_await[slot] ^ 1
        for seen in unknown.seen[slot].values():
            yield from seen.values()
    for one, row in enumerate(frame.order):
        for other in range(one + 1, len(row)):
            yield row[other]
    for item in range(frame.items):
        yield from (value ^ 1 for value in unknown.initial_matches[item].values())
        yield from unknown.table[item].values()
        yield from unknown.partition[item].values()
    yield from (wish for wishes in (_plain_writes, _no_initial_rows, _no_provenance) for wish in wishes(frame))
    yield from (value ^ 1 for value in unknown.session.values())
    for (one, other), value in unknown.order.items():
        if one < other:
            yield value
