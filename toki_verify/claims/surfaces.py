"""Where the provenance of a consumed loser may be looked for, and whether it is dominated there: Rec_H of Theorem 2.

The paper writes Rec_H(t_v, t_s) and does not define it (TOKI 2026, Theorem 2): its elements are audit tuples in
Theorems 2 and 4(2), current rows in Appendices B.3.1 and B.5.2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, Literal, NamedTuple

from ..algebra.facts import Fact, asof
from ..algebra.semiring import Semiring
from ..stores.write_path import Incumbents
from .histories import DAY, SYSTEM, VALID, Consumed, Ran

#: Rows that are current now; rows that ever were, which closing keeps; audit rows.
Surface = Literal["current rows", "current and closed rows", "audit rows"]
SURFACES: Final[tuple[Surface, ...]] = ("current rows", "current and closed rows", "audit rows")
#: When a loser counts as erased: no row of the surface dominates it at all, or none at some instant where it was valid.
Instants = Literal["at no valid time", "at some valid time of the loser"]
INSTANTS: Final[tuple[Instants, ...]] = ("at no valid time", "at some valid time of the loser")


class Reading(NamedTuple):
    """What "no t of Rec_H dominates the loser" means, and whether a winning incumbent is left as it is (Algorithm 1,
    line 18) or stamped (§3.2)."""

    surface: Surface
    instants: Instants
    incumbents: Incumbents = "untouched"

    def __str__(self) -> str:
        return f"{self.surface}, {self.instants}"


#: B.5.2: the recovery surface after the winner's commit contains (x_b, p_b), whatever its valid time.
B52: Final = Reading("current rows", "at no valid time")
#: The denial of soundness as Theorem 2 states it: at some t_v no audit tuple dominates the loser.
SOUNDNESS: Final = Reading("audit rows", "at some valid time of the loser")


def valid_days(row: Fact[Any]) -> list[datetime]:
    """Instants of a valid period, one for each day: periods begin and end with days."""
    return [row.valid_from + day * DAY for day in range((row.valid_to - row.valid_from).days)]


def erased(ran: Ran, carrier: Semiring[Any] | None, reading: Reading) -> list[Fact[Any]]:
    """The losers whose provenance no row of a surface dominates, when all is over.

    Without a carrier every row counts as dominating: what is erased then is erased in every K.
    """
    rows = ran.current
    if reading.surface != "current rows":
        kind = "audit" if reading.surface == "audit rows" else "current"
        rows = [row for row in ran.rows if row.row_kind == kind]
    found = []
    for loser, _, _ in ran.consumed:
        above = [row for row in rows if carrier is None or carrier.leq(loser.provenance, row.provenance)]
        if reading.instants == INSTANTS[0]:
            gone = not above
        else:
            gone = any(all(day not in row.valid for row in above) for day in valid_days(loser))
        if gone:
            found.append(loser)
    return found


def _loser_days(step: Consumed) -> list[datetime]:
    return valid_days(step.loser)


def undominated(
    ran: Ran,
    carrier: Semiring[Any],
    rows: Sequence[Fact[Any]] | None = None,
    days: Callable[[Consumed], list[datetime]] = _loser_days,
) -> list[str]:
    """Where Theorem 2 fails literally: losers and instants (t_v, t_s), t_v while the loser was valid and t_s from its
    step on, at which no row of AS OF dominates the loser. The rows are the audit rows, the instants t_v those of the
    loser, unless others are given."""
    looked_at = [row for row in ran.rows if row.row_kind == "audit"] if rows is None else rows
    last = ran.times[-1] + DAY if ran.times else SYSTEM
    found = []
    for step in ran.consumed:
        for known in (*(time for time in ran.times if time >= step.at), last):
            for day in days(step):
                above = asof(looked_at, day, known, "all")
                if not any(carrier.leq(step.loser.provenance, row.provenance) for row in above):
                    at = f"valid day {(day - VALID).days}, system day {(known - SYSTEM).days}"
                    found.append(f"{step.loser.fact_id} at {at}")
    return found
