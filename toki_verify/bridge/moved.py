"""Which verdicts are another one of π_J(S) than of S (TOKI 2026, Lemma 1: every classical verdict transfers)."""

from __future__ import annotations

from dataclasses import dataclass

from ..checker import check
from .image import Image


@dataclass(frozen=True)
class Moved:
    """A phenomenon (its id) or a level (`family.id`), and what is said of it before and behind the bridge."""

    name: str
    before: bool | None
    after: bool | None
    level: bool = False


def moved(made: Image) -> list[Moved]:
    """Every phenomenon and level that is another one behind the bridge, in catalogue order; none without an image."""
    if made.schedule is None:
        return []
    one, other = check(made.source), check(made.schedule)
    found = [
        Moved(id, finding.present, other.findings[id].present)
        for id, finding in one.findings.items()
        if finding.present is not other.findings[id].present
    ]
    for family, levels in one.levels.items():
        found += [
            Moved(f"{family}.{id}", level.holds, other.levels[family][id].holds, True)
            for id, level in levels.items()
            if level.holds is not other.levels[family][id].holds
        ]
    return found
