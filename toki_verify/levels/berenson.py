"""The locking levels of Berenson et al. 1995, tables 2 and 3: by the broad event patterns they exclude."""

from __future__ import annotations

from typing import Final

from ..phenomena.berenson import P0, P1_BROAD, P2_BROAD, P3_BROAD
from .lattice import Family, Level

_SOURCE = "Berenson et al. 1995, section 2.3, tables 2 and 3"

RU = Level("RU", "berenson", ~P0.named, "no P0: long write locks", _SOURCE)
RC = Level(
    "RC", "berenson", RU.formula & ~P1_BROAD.named, "no P0, no P1[broad]: short read locks too", _SOURCE, ("RU",)
)
RR = Level(
    "RR",
    "berenson",
    RC.formula & ~P2_BROAD.named,
    "no P0, P1[broad], P2[broad]: long item read locks",
    _SOURCE,
    ("RC",),
)
SR = Level(
    "SR",
    "berenson",
    RR.formula & ~P3_BROAD.named,
    "no P0, P1[broad], P2[broad], P3[broad]: predicate locks too",
    _SOURCE,
    ("RR",),
)

FAMILY: Final = Family("berenson", "locking, by excluded event patterns", (RU, RC, RR, SR))
