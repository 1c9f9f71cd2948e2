"""What N3 sees of a frame: which writes insert or delete, which initial rows are stated, whose provenance is ⪰ whose,
and what the store keeps.

Provenances are known by their order alone. Every preorder of versions is one of provenances: a version whose annotation
is the sum of a variable of its own and of those of all versions below it (`decode.py`) is ⪰ exactly these.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from ..events import Surface
from ..relations.surface import LOGS, RECORDS, Recovery, recovery
from ..relations.unknown import initial_key

if TYPE_CHECKING:
    from .frames import FrameCircuit

#: The parts that a store may or may not keep; current rows are always there.
OPTIONAL = ("closed", "history", "audit")


def require_erasure(frame: FrameCircuit, surface: tuple[Surface, ...] | None) -> None:
    """Truth values for what N3 sees. `surface` is what the store keeps; None: one of the eight sets of whole parts."""
    unknown, circuit = frame.unknown, frame.circuit
    slots = range(len(unknown.txn_of))
    written = [circuit.any(unknown.write[slot].values()) for slot in slots]
    for slot in slots:
        if not written[slot]:
            continue
        for kinds in (unknown.inserted, unknown.deleted):
            kinds[slot] = circuit.fresh()
            frame.rules.append(circuit.any((kinds[slot] ^ 1, written[slot])))
        frame.rules.append(circuit.any((unknown.inserted[slot] ^ 1, unknown.deleted[slot] ^ 1)))
        for inside in unknown.in_predicate[slot].values():
            # A delete matches nothing.
            frame.rules.append(circuit.any((unknown.deleted[slot] ^ 1, inside ^ 1)))
    items = range(frame.items)
    compared = [unknown.in_tables(item, lambda table: table not in LOGS) for item in items]
    there = {
        slot: circuit.any(circuit.both(wrote, compared[item]) for item, wrote in unknown.write[slot].items())
        for slot in slots
        if written[slot]
    }
    there |= {initial_key(item): circuit.both(unknown.stated[item], compared[item]) for item in items}
    for one, other in permutations(there, 2):
        unknown.below[one, other] = circuit.fresh()
        frame.rules += [circuit.any((unknown.below[one, other] ^ 1, there[version])) for version in (one, other)]
    for a, b, c in permutations(there, 3):
        below = unknown.below
        frame.rules.append(circuit.any((below[a, b] ^ 1, below[b, c] ^ 1, below[a, c])))
    if surface is not None:
        unknown.recovery = recovery(surface)
        return
    unknown.recovery = Recovery({"current": None, "closed": None, **{part: frozenset({part}) for part in RECORDS}})
    unknown.keeps = {part: circuit.fresh() for part in OPTIONAL}


def surface_of(keeps: dict[str, bool]) -> tuple[Surface, ...]:
    """The `surface` line of a store that keeps current rows and these parts; none for what is kept by default."""
    if keeps == {"closed": False, "history": True, "audit": True}:
        return ()
    return tuple(Surface(part) for part in OPTIONAL if keeps[part]) or (Surface("current"),)


__all__ = ["OPTIONAL", "require_erasure", "surface_of"]
