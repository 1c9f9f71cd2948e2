"""T1.reading: which readings of the phenomena, in which family of levels, make Theorem 1 true (ours)."""

from __future__ import annotations

from ..levels import families
from .cells import Cells
from .guard_map import GuardMap, guard_map, levels_of, readings
from .model import Claim, Outcome
from .seed import CHAIN, GUARD, NINE


def whole_map(cells: Cells, family: str, phenomena: tuple[str, ...] | None = None) -> GuardMap:
    """Every reading of the nine at every level of a family."""
    names = phenomena or tuple(reading for name in NINE for reading in readings(name))
    return guard_map(family, phenomena=names, levels=levels_of(family), cells=cells)


def _family(family: str) -> Claim:
    def judge(cells: Cells) -> Outcome:
        found = whole_map(cells, family)
        lines = []
        unknown = [f"{cell.phenomenon} at {cell.level}" for cell in found.cells if cell.verdict == "undecided"]
        right = []
        for name in found.phenomena:
            guards = found.guards(name)
            if guards is None:
                continue
            lines.append(f"{name} ↦ {' '.join(guards) or 'none'}")
            base = name if name in GUARD else next(core for core in NINE if name in readings(core))
            if family == "graph" and GUARD[base] in guards:
                right.append(name)
        witnesses = tuple(dict.fromkeys(cell.witness for cell in found.cells if cell.witness is not None))
        proofs = {proof.id: proof for cell in found.cells for proof in cell.proofs}
        instances = {id: schedules for cell in found.cells for id, schedules in cell.instances}
        saved = f"; as the seed has it: {', '.join(right)}" if family == "graph" else ""
        detail = "; ".join(lines) + saved + (f"; undecided: {', '.join(unknown)}" if unknown else "")
        return Outcome(
            "depends",
            "proof",
            detail,
            tuple(proofs.values()),
            witnesses,
            instances=instances,
        )

    chain = " ⪯ ".join(CHAIN) if family == "graph" else "its levels"
    return Claim(
        f"T1.reading.{family}",
        "ours (CLAIMS, T1.reading)",
        f"the guard of every reading of the nine in the family {family} ({chain})",
        "every variant of SEMANTICS §3",
        judge,
    )


CLAIMS = tuple(_family(family) for family in families())
