"""Audit erasure, N3: what was believed, and no row says any more where it came from (TOKI 2026, §2.3, B.5.2).

A fact version that was installed, and that a committed transaction overwrote or deleted, is *erased* where no row of
the recovery surface has a provenance ⪰ its own in the natural order of the carrier. What the words mean:

- A *fact version* is an installed version that holds a row of a table of facts: no delete, and version 0 only where the
  schedule says that it was there (`relations/surface.py`). What a transaction overwrites itself was never installed.
- It is overwritten or deleted where a later version of its item is installed: a write of an aborted or unfinished
  transaction overwrites nothing, and an audit row that one wrote is kept nowhere.
- Rows are looked for when the schedule is over. So a row that is inserted again with a provenance ⪰ the lost one ends
  the erasure, and an audit row that is overwritten or deleted in its turn keeps nothing.
- Provenances are compared in ℕ[X,T] (`relations/provenance.py`); a version without `prov` has a variable of its own, so
  nothing but itself dominates it. 0 is ⪯ every provenance: only an empty surface loses it. In a carrier whose order is
  coarser (𝔹, where all variables are true) less is erased; `Concrete(schedule, below=…)` takes its order.

The surfaces grow: current rows; closed rows too; a history log too; audit rows too; each as far as the schedule's
`surface` line says that the store keeps it. So N3, on all that the store keeps, is N3[audit] by another name, and each
is implied by the next.
"""

from __future__ import annotations

from typing import Final

from ..relations.algebra import Formula, Term, domain, some
from ..relations.base import dominated_by, fact, kept_audit, kept_closed, kept_current, kept_history
from ..relations.edges import next_version
from .catalogue import Phenomenon

#: A fact version, and the version that overwrote or deleted it.
overwritten_by: Final[Term] = fact >> next_version

_closed: Final = kept_current | kept_closed
_history: Final = _closed | kept_history
#: Everything that the store keeps.
kept: Final[Term] = _history | kept_audit


def erased(surface: Term) -> Formula:
    """A fact version was overwritten or deleted, and no row of the surface has a provenance ⪰ its own."""
    return some((fact - domain(dominated_by >> surface)) >> next_version)


def _on(name: str, title: str, surface: Term, rows: str, *, core: bool = False) -> Phenomenon:
    return Phenomenon(
        name,
        title,
        erased(surface),
        "TOKI 2026, section 2.3; SEMANTICS §3",
        f"{{b}} {{did}} {{lost}}, and {rows} has a provenance ⪰ its own",
        ("audit erasure",) if core else (),
        core=core,
        annotated=True,
    )


N3 = _on("N3", "audit erasure", kept, "no row that the store keeps", core=True)
N3_CURRENT = _on("N3[current]", "audit erasure, current rows", kept_current, "no current row")
N3_CLOSED = _on("N3[closed]", "audit erasure, current and closed rows", _closed, "no current or closed row")
N3_HISTORY = _on(
    "N3[history]",
    "audit erasure, history log too",
    _history,
    "no current or closed row and no entry of the history log",
)
N3_AUDIT = _on("N3[audit]", "audit erasure, audit rows too", kept, "no row that the store keeps")

PHENOMENA: Final = (N3, N3_CURRENT, N3_CLOSED, N3_HISTORY, N3_AUDIT)
