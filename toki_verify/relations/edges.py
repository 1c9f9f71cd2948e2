"""The edges of the conflict graph (SEMANTICS §2), defined in the language from the base relations.

All are relations between *accesses*; `txn(…)` carries them to the transactions. Every edge is between committed,
different transactions.
"""

from __future__ import annotations

from typing import Final

from .base import (
    before,
    committed,
    initial,
    installed,
    matched,
    matches,
    reads_from,
    row_from,
    same_txn,
    session,
    start,
    unmatched,
    version_order,
    write,
)
from .terms import Definition, Identity, Sort, Term, txn


def _edge(name: str, of: Term) -> Definition:
    return Definition(name, of, True)


#: ≪ one step: the immediate successor.
next_version: Final = Definition("next_version", version_order - (version_order >> version_order))
#: Within one transaction, earlier to later (program order).
program_order: Final = Definition("program_order", before & same_txn)
#: A version and whatever saw it: an item read, or a row of a predicate read.
seen_from: Final = Definition("seen_from", reads_from | row_from)

#: wr: U reads a version T wrote.
wr: Final = _edge("wr", (write >> committed >> reads_from >> committed) - same_txn)
#: ww: T's version of x ≪ U's; ww1: the immediate step.
ww: Final = _edge("ww", (write >> version_order) - same_txn)
ww1: Final = _edge("ww1", (write >> next_version) - same_txn)
#: rw: T reads a version of x, not its own, that is ≪ a version U installs.
rw: Final = _edge("rw", (committed >> ~(reads_from - same_txn) >> version_order) - same_txn)

_later: Final = Definition("later_version", committed >> ~row_from >> version_order)
#: prw: U installs a version of a row later than the one T's predicate read saw, of the other match status.
prw: Final = _edge("prw", (((matched >> _later) - matches) | ((unmatched >> _later) & matches)) - same_txn)

_was: Final = Definition("predecessor_matches", matches >> next_version)
#: A row of a predicate read, and the installed versions that changed its match status against their ≪-predecessor.
changes_match: Final = Definition("changes_match", ((matches - _was) | (_was - matches)) >> (installed - initial))
#: pwr: T installed a version U's predicate read saw, or an earlier one, that changed the match status.
pwr: Final = _edge("pwr", (write >> (~changes_match & (version_order.opt >> row_from)) >> committed) - same_txn)

#: Dependencies, anti-dependencies, all edges, between accesses …
read_dependency: Final = Definition("read_dependency", wr | pwr)
dependency: Final = Definition("dependency", wr | pwr | ww)
anti_dependency: Final = Definition("anti_dependency", rw | prw)
conflict: Final = Definition("conflict", dependency | anti_dependency)
#: … and between transactions: Adya's DSG, and the SSG's start edges and the sessions.
dep: Final = Definition("dep", txn(dependency))
anti: Final = Definition("anti", txn(anti_dependency))
dsg: Final = Definition("dsg", dep | anti)
start_edge: Final = _edge("start", start)
session_edge: Final = _edge("session", session)
self_txn: Final = Identity(Sort.T)

#: Edge kinds by name, for conflict graphs and for the text syntax.
EDGES: Final[dict[str, Definition]] = {
    edge.name: edge for edge in (wr, ww, ww1, rw, prw, pwr, start_edge, session_edge)
}
#: The other named relations.
DEFINITIONS: Final[tuple[Definition, ...]] = (
    next_version,
    program_order,
    seen_from,
    _later,
    _was,
    changes_match,
    read_dependency,
    dependency,
    anti_dependency,
    conflict,
    dep,
    anti,
    dsg,
)
