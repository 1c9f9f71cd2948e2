"""What the seed says about its guard map (TOKI 2026: Definition 2, Table 3, Table 23): facts, not verdicts."""

from __future__ import annotations

from typing import Final

#: The nine predicates of the grid, the seven classical ones first.
CLASSICAL: Final = ("P0", "P1", "P2", "P3", "P4", "A5A", "A5B")
NINE: Final = (*CLASSICAL, "N1", "N2")
CHAIN: Final = ("RC", "SI", "SR")
#: The six levels of the grid: the chain with and without the callback axis.
SIX: Final = (*CHAIN, *(f"{level}+cb" for level in CHAIN))
#: guard_iso (Definition 2), and Table 3 for N1 and N2.
GUARD: Final = {
    "P0": "RC",
    "P1": "RC",
    "P2": "SI",
    "P4": "SI",
    "A5A": "SI",
    "P3": "SR",
    "A5B": "SR",
    "N1": "SR",
    "N2": "SR",
}
#: The level immediately below each guard (Proposition 3); RU is the level below RC.
BELOW: Final = {"RC": "RU", "SI": "RC", "SR": "SI"}


def dominates(level: str, guard: str) -> bool:
    """Whether a level of the six is at or above a guard: the callback axis does not matter to it."""
    return CHAIN.index(level.removesuffix("+cb")) >= CHAIN.index(guard)


def says_excluded(phenomenon: str, level: str) -> bool | None:
    """Whether the seed's guard map excludes a phenomenon at a level of the six; None for what it does not speak of."""
    if phenomenon not in GUARD or level not in SIX:
        return None
    return dominates(level, GUARD[phenomenon])
