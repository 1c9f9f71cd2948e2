"""The probability of N1 by logging discipline, by name: of a pair of calls, and of any number (TOKI 2026, B.2.2)."""

from __future__ import annotations

from typing import Final

from .judge_systems import NAMED, System
from .rates import probability, race, serial
from .replay_laws import Weight, closed_form, n1_rate

UNKEYED: Final = NAMED["no log"]
KEYED: Final = NAMED["Corollary 2"]
LINE_14: Final = NAMED["Algorithm 1, line 14"]
#: Keyed logs whose first fill is not one linearizable insert whose loser takes the row, and logs written late.
LEAKING: Final = tuple(
    System("ask", "read", "read", place, clash)
    for place, clash in (("before", "keep"), ("before", "overwrite"), ("with", "keep"), ("after", "keep"))
)
#: The two disciplines that B.2.2 names, the one that Algorithm 1 prints, and a keyed log without the one insert.
NAMES: Final = {
    "no keyed judge log (B.2.2; the baselines and the stripped ablation of §4.5)": UNKEYED,
    "judge log keyed and at SR (B.2.2), one insert-if-absent (Corollary 2)": KEYED,
    "Algorithm 1, line 14, as printed: ask, append, read nothing": LINE_14,
    "judge log consulted, and filled in a second log transaction, its calls keeping their votes": LEAKING[0],
}


def by_name() -> list[str]:
    """The probability of N1 by discipline: of two calls by trees of outcomes, of n by induction."""
    lines = []
    for name, system in NAMES.items():
        turn, once = (probability(system, script(2)) for script in (serial, race))
        laws = (closed_form(system), closed_form(system, looked_before=True))
        turns, races = ("undecided" if law is None else str(n1_rate(law)) for law in laws)
        lines.append(f"{name}: a pair in turn {turn}, at once {once}; n calls in turn {turns}, at once {races}")
    return lines


def for_every_n(system: System, expected: Weight, *, looked_before: bool = False) -> bool:
    """Whether the probability of N1 is this one for every number of calls, by induction."""
    law = closed_form(system, looked_before=looked_before)
    return law is not None and n1_rate(law) == expected
