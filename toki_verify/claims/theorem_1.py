"""Theorem 1 (iso-lattice soundness and tightness), its chain of levels and its grid (TOKI 2026: Theorem 1, Table 23).

Literally: an operator at level L excludes φ exactly when L dominates guard(φ). At schedule level this is 54 statements:
where L dominates, no schedule at L shows φ (proved for schedules of every size); elsewhere some schedule does (a
smallest one is found). N1 is decided here by its literal definition on schedules, where a judge call makes no edge; the
logging designs come with the bridge.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations

from ..levels import families
from ..search.decide import Decision
from .cells import Cell, Cells
from .current import STANDS
from .model import Claim, Outcome, conjunction
from .seed import CHAIN, CLASSICAL, GUARD, NINE, SIX, dominates

_WHERE = "TOKI 2026, Theorem 1"
_READING = "φ in the default reading of SEMANTICS §3, levels of the default family, schedules over all seven events"


def _sound(cell: Cell) -> Outcome:
    if cell.verdict == "excluded":
        by = " and ".join(cell.proved_by)
        detail = f"no schedule of any size at {cell.level} shows {cell.phenomenon} ({by})"
        return Outcome("holds", "proof", detail, cell.proofs, instances=dict(cell.instances))
    if cell.witness is not None:
        detail = f"a schedule at {cell.level} shows {cell.phenomenon}: {cell.witness}"
        return Outcome("refuted", "exhaustive", detail, counterexample=cell.witness)
    return Outcome("undecided", "proof", cell.reason)


def _tight(cell: Cell) -> Outcome:
    if cell.witness is not None:
        detail = f"the smallest schedule at {cell.level} that shows {cell.phenomenon}: {cell.witness}"
        smallest = dict([cell.smallest] if cell.smallest else [])
        return Outcome("holds", "exhaustive", detail, witnesses=(cell.witness,), smallest=smallest)
    if cell.verdict == "excluded":
        detail = f"no schedule at {cell.level} shows {cell.phenomenon}"
        return Outcome("refuted", "proof", detail, cell.proofs, instances=dict(cell.instances))
    return Outcome("undecided", "exhaustive", cell.reason)


def _cell_claim(phenomenon: str, level: str) -> Claim:
    sound = dominates(level, GUARD[phenomenon])
    word = "sound" if sound else "tight"
    statement = (
        f"no schedule at {level} shows {phenomenon}" if sound else f"some schedule at {level} shows {phenomenon}"
    )
    judge = _sound if sound else _tight
    return Claim(
        f"T1.{word}.{phenomenon}.{level}",
        f"{_WHERE} ({'⇐' if sound else '⇒'}), Table 23",
        statement,
        _READING,
        lambda cells: judge(cells.cell(phenomenon, level)),
    )


def _chain_claim(family: str) -> Claim:
    known = families()[family]
    stands = STANDS[family]

    def judge(cells: Cells) -> Outcome:
        parts = []
        for weaker, stronger in (stands[:2], stands[1:]):
            id = f"T1.chain.{family}.{stronger}-{weaker}"
            found = cells.link(
                id,
                known.level(stronger).formula & ~known.level(weaker).formula,
                f"every schedule at {family}:{stronger} is at {family}:{weaker}",
            )
            parts.append((id, _inclusion(found, cells, f"{family}:{stronger}", f"{family}:{weaker}")))
        return conjunction(parts, f"{stands[0]} ⪯ {stands[1]} ⪯ {stands[2]} is a chain of sets of schedules")

    return Claim(
        f"T1.chain.{family}",
        "TOKI 2026, §2.2, Appendix B.5",
        f"in the family {family}, every schedule at {stands[2]} is at {stands[1]}, and every one at {stands[1]} is at "
        f"{stands[0]}",
        f"RC, SI, SR as {', '.join(stands)} of the family {family}",
        judge,
    )


def _inclusion(found: Decision, cells: Cells, stronger: str, weaker: str) -> Outcome:
    if found.schedule is not None:
        detail = f"at {stronger} and not at {weaker}: {found.schedule}"
        return Outcome("refuted", "exhaustive", detail, counterexample=found.schedule)
    if found.verdict == "none" and found.proof is not None:
        instances = cells.instances(found.proof)
        if len(instances) == 2:
            detail = f"every schedule at {stronger} is at {weaker}"
            return Outcome("holds", "proof", detail, (found.proof,), instances={found.proof.id: instances})
    return Outcome("undecided", "proof", found.reason or "the proof may be vacuous")


def _subset(cells: Cells) -> Outcome:
    """Every subset Φ of the classical predicates at every level: Prevents(L, Φ) ⇔ L ⪰ the join of their guards."""
    table = {(name, level): cells.cell(name, level) for name in CLASSICAL for level in SIX}
    unknown = [f"{name} at {level}" for (name, level), cell in table.items() if cell.verdict == "undecided"]
    if unknown:
        return Outcome("undecided", "proof", f"undecided cells: {', '.join(unknown)}")
    wrong = []
    subsets = list(chain.from_iterable(combinations(CLASSICAL, size) for size in range(len(CLASSICAL) + 1)))
    for subset in subsets:
        guard = max((GUARD[name] for name in subset), key=CHAIN.index, default=CHAIN[0])
        for level in SIX:
            prevents = all(table[name, level].verdict == "excluded" for name in subset)
            if prevents != (dominates(level, guard) if subset else True):
                wrong.append(f"{{{', '.join(subset)}}} at {level}")
    outcomes = [
        (f"{name}.{level}", _sound(cell) if cell.proofs else _tight(cell)) for (name, level), cell in table.items()
    ]
    total = len(subsets) * len(SIX)
    parts = conjunction(outcomes, f"all {len(subsets)} subsets at all {len(SIX)} levels, from the {len(table)} cells")
    if wrong:
        return replace(parts, verdict="refuted", detail=f"{len(wrong)} of {total} fail: {wrong[0]} …", parts=())
    return replace(parts, parts=())


def _grid(cells: Cells) -> Outcome:
    parts = [(claim.id, claim.decide(cells)) for claim in CELLS]
    return conjunction(parts, "all 54 cells are as the paper's grid has them")


def _theorem(word: str) -> Claim:
    chosen = [claim for claim in CELLS if claim.id.startswith(f"T1.{word}.")]
    statement = {
        "sound": "no schedule shows a phenomenon at a level that dominates its guard",
        "tight": "at every level that does not dominate the guard some schedule shows the phenomenon",
    }[word]
    return Claim(
        f"T1.{word}",
        _WHERE,
        f"{statement} ({len(chosen)} cells)",
        _READING,
        lambda cells: conjunction(
            [(claim.id, claim.decide(cells)) for claim in chosen],
            f"all {len(chosen)} cells",
            "proof" if word == "sound" else "exhaustive",
        ),
    )


def _chain(cells: Cells) -> Outcome:
    """In which families the chain is one: what the claims of the families say."""
    parts = [(claim.id, claim.decide(cells)) for claim in _CHAINS]
    found = conjunction(parts, "a chain in every family")
    if found.verdict != "refuted" or all(part.verdict == "refuted" for _, part in parts):
        return found
    names = {"holds": "a chain in", "refuted": "none in", "undecided": "undecided in"}
    said = {
        verdict: ", ".join(id.removeprefix("T1.chain.") for id, part in parts if part.verdict == verdict)
        for verdict in names
    }
    detail = "; ".join(f"{name} {said[verdict]}" for verdict, name in names.items() if said[verdict])
    witnesses = tuple(part.counterexample for _, part in parts if part.counterexample is not None)
    evidence = tuple(f"{id}: {part.detail}" for id, part in parts if part.verdict == "refuted")
    return replace(
        found, verdict="depends", detail=detail, counterexample=None, repair="", witnesses=witnesses, evidence=evidence
    )


_CHAINS = tuple(_chain_claim(family) for family in STANDS)
CELLS = tuple(_cell_claim(name, level) for name in NINE for level in SIX)
CLAIMS = (
    Claim(
        "T1.chain",
        "TOKI 2026, §2.2, Appendix B.5",
        "RC ⪯ SI ⪯ SR is a chain of sets of schedules",
        "the levels of each family that stand for RC, SI and SR",
        _chain,
    ),
    *_CHAINS,
    _theorem("sound"),
    _theorem("tight"),
    *CELLS,
    Claim(
        "T1.subset",
        _WHERE,
        "a level prevents a set of the seven classical predicates exactly when it dominates the join of their guards",
        _READING,
        _subset,
    ),
    Claim(
        "Grid.iso",
        "TOKI 2026, Table 23",
        "54 cells: the 32 that dominate the guard admit no schedule, the 22 others admit one",
        f"{_READING}; N1 by its literal definition, without a log",
        _grid,
    ),
)
