"""The witnesses that the seed prints in Appendix B.5.1, as printed, and what it says of each (W.P0 … W.A5B, Prop3).

Every choice of the transliteration stands in `source`: a version that nothing wrote is version 0; `post-2` is T2's
version of y. `schedules/tightness/printed.sched` has them with all that is true of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..events import Schedule
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete
from .cells import Cells
from .model import Claim, Outcome, conjunction
from .seed import BELOW, CLASSICAL, GUARD


@dataclass(frozen=True)
class Printed:
    """A schedule as printed; `source` says how it was read."""

    text: str
    source: str


PRINTED: Final = {
    "P0": Printed("w1[x@a] w2[x@b] c2 c1", "x_a and x_b are versions a and b of x"),
    "P1": Printed("w1[x@a] r2[x@a] a1 c2", "x_a is version a of x"),
    "P2": Printed("r1[x0] w2[x@b] c2 r1[x@b] c1", "nothing writes x_a, so it is version 0; x_b is version b"),
    "P3": Printed(
        'r1{policy:"WHERE active":} w2[+policy:n1 in "WHERE active"] c2 r1{policy:"WHERE active": n1} c1',
        "the inserted row is n; the second read returns it, since the two reads are said to see different row sets",
    ),
    "P4": Printed("r1[x0] w2[x1] w1[x2] c2 c1", "the versions are 0, 1 and 2 as printed"),
    "A5A": Printed(
        "r1[x0] r1[y0] w2[x@b] w2[y@b] c2 r1[y@b] c1",
        "nothing writes x_a and y_a, so they are versions 0; post-2 is T2's version of y",
    ),
    "A5B": Printed(
        "r1[x0] r2[y0] w1[y@b] w2[x@b] c1 c2",
        "nothing writes x_a and y_a, so they are versions 0; x_b, y_b are versions b",
    ),
}

_BOUND: Final = "one schedule, as printed"


def _witness(name: str, cells: Cells) -> Outcome:
    """(a) the schedule is at the level just below the guard; (b) it shows the phenomenon."""
    below = BELOW[GUARD[name]]
    schedule = Schedule.parse(PRINTED[name].text)
    concrete = Concrete(schedule)
    at = concrete.holds(cells.level(below, "graph").formula)
    shows = concrete.holds(phenomenon(name).formula)
    halves = f"(a) at {below}: {'yes' if at else 'no'}; (b) shows {name}: {'yes' if shows else 'no'}"
    if at and shows:
        return Outcome("holds", "exhaustive", halves, witnesses=(schedule,), bound=_BOUND)
    better = cells.cell(name, below)
    repair = "" if better.witness is None else f"the smallest schedule that does both: {better.witness}"
    witnesses = () if better.witness is None else (better.witness,)
    # The cell says that its schedule does both: that is the statement as repaired.
    shown = ("holds", better.smallest[0]) if better.smallest else ("", "")
    return Outcome(
        "refuted",
        "exhaustive",
        halves,
        (),
        witnesses,
        schedule,
        repair,
        _BOUND,
        repair_verdict=shown[0],
        repair_artifact=shown[1],
    )


def _claim(name: str) -> Claim:
    below = BELOW[GUARD[name]]
    return Claim(
        f"W.{name}",
        "TOKI 2026, Appendix B.5.1",
        f"the printed witness {PRINTED[name].text} is at {below}, just below the guard, and shows {name}",
        PRINTED[name].source,
        lambda cells: _witness(name, cells),
    )


CLAIMS = (
    *(_claim(name) for name in CLASSICAL),
    Claim(
        "Prop3",
        "TOKI 2026, Proposition 3",
        "each of the seven printed witnesses is at the level just below the guard (a) and shows its predicate (b)",
        "the schedules as printed; the level below RC is RU of the default family",
        lambda cells: conjunction(
            [(f"W.{name}", _witness(name, cells)) for name in CLASSICAL], "all seven witnesses do", "exhaustive"
        ),
    ),
)
