"""The edges of the conflict graph (SEMANTICS §2), defined in the language from the base relations.

All are relations between *accesses*; `txn(…)` carries them to the transactions. Every edge is between committed,
different transactions.
"""

from __future__ import annotations

from typing import Final

from .base import (
    aborted,
    before,
    committed,
    ended_before,
    initial,
    installed,
    judge,
    log_fill,
    matched,
    matches,
    other_vote,
    reads_from,
    row_from,
    same_key,
    same_txn,
    session,
    start,
    unmatched,
    version_order,
    write,
)
from .terms import Definition, Identity, Sort, Term, domain, txn


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

#: A fill, and a call at its key behind it, whose transaction had not aborted by then: a row that the call could see.
log_row: Final = Definition("log_row", log_fill >> ((same_key & before) - (aborted >> ended_before)))
_own_row: Final = Definition("own_log_row", log_row & same_txn)
_newest: Final = (log_row - (before >> log_row)) >> (judge - domain(~_own_row))
#: The row that a call sees: the latest of its own transaction, or the latest of all.
log_seen: Final = Definition("log_seen", (_own_row - (before >> _own_row)) | _newest)
#: A judge call that filled a row of the judge log, and a call that reads that row (π_J, SEMANTICS §6).
log_from: Final = Definition("log_from", log_seen - other_vote)

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
    log_row,
    _own_row,
    log_seen,
    log_from,
)
