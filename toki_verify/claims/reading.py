"""T1.reading: which readings of the phenomena, in which family of levels, make Theorem 1 true (ours)."""

from __future__ import annotations

from .cells import Cells
from .current import STANDS
from .guard_map import GuardMap, guard_map, levels_of, readings
from .model import Claim, Outcome
from .seed import CHAIN, GUARD, NINE, dominates


def whole_map(cells: Cells, family: str, phenomena: tuple[str, ...] | None = None) -> GuardMap:
    """Every reading of the nine at every level of a family."""
    names = phenomena or tuple(reading for name in NINE for reading in readings(name))
    return guard_map(family, phenomena=names, levels=levels_of(family), cells=cells)


def core(name: str) -> str:
    """Of which of the nine a phenomenon is a reading."""
    return name if name in GUARD else next(of for of in NINE if name in readings(of))


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
            if family == "graph" and GUARD[core(name)] in guards:
                right.append(name)
        witnesses = tuple(dict.fromkeys(cell.witness for cell in found.cells if cell.witness is not None))
        proofs = {proof.id: proof for cell in found.cells for proof in cell.proofs}
        instances = {id: schedules for cell in found.cells for id, schedules in cell.instances}
        saved = f"; as the paper has it: {', '.join(right)}" if family == "graph" else ""
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


def as_the_seed(found: GuardMap, name: str) -> bool | None:
    """Whether a reading is excluded at exactly those of RC, SI and SR, as the family has them, that dominate its guard;
    None where that is undecided."""
    agree = []
    for level, stands in zip(CHAIN, STANDS[found.family], strict=True):
        verdict = found.cell(name, stands).verdict
        agree.append(None if verdict == "undecided" else (verdict == "excluded") is dominates(level, GUARD[core(name)]))
    return False if False in agree else None if None in agree else True


def _whole(cells: Cells) -> Outcome:
    """Per family the readings whose guard is the level that stands for the seed's."""
    lines, right, kinds = [], {}, set()
    for family in STANDS:
        found = whole_map(cells, family)
        said = {name: as_the_seed(found, name) for name in found.phenomena}
        kinds |= set(said.values())
        right[family] = [name for name, agrees in said.items() if agrees]
        wrong = [name for name, agrees in said.items() if agrees is False]
        unknown = [name for name, agrees in said.items() if agrees is None]
        levels = ", ".join(STANDS[family])
        lines.append(f"{family} ({levels}): as the paper has it: {', '.join(right[family]) or 'none'}")
        lines += [f"{family} ({levels}): otherwise: {', '.join(wrong)}"] if wrong else []
        lines += [f"{family} ({levels}): undecided: {', '.join(unknown)}"] if unknown else []
    false = {family: [name for name in NINE if name not in names] for family, names in right.items()}
    told = "; ".join(f"{family}: {', '.join(names) or 'none'}" for family, names in false.items())
    detail = f"of the nine in their default readings it is false, or undecided, of these. {told}"
    verdict = {True: "holds", False: "refuted", None: "undecided"}[kinds.pop()] if len(kinds) == 1 else "depends"
    return Outcome(verdict, "proof", detail, evidence=tuple(lines))


CLAIMS = (
    Claim(
        "T1.reading",
        "ours (CLAIMS, T1.reading)",
        "which readings of the nine phenomena, in which family of levels, make Theorem 1 true",
        "every variant of SEMANTICS §3; RC, SI and SR as the levels that stand for them in the family",
        _whole,
    ),
    *(_family(family) for family in STANDS),
)
