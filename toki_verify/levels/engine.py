"""What the multiversion store of `designs/` lets happen: RU, RC, SI, SR as PostgreSQL does, and strict 2PL.

The other families say which schedules are *right*; these levels say which ones *this store* makes. So they are no chain:
a read at RC sees the newest committed version, one at SI an older one, one at RU an uncommitted one.

A row that a predicate read does not list stands for every version of that row with the same match status around it: the
notation does not say which one the store looked at (SEMANTICS §1), so these rows are compared by their match status.

The snapshot of SI and SR is taken by the transaction's first read or write. A judge call, a callback or a `b` before it
takes none, and neither does what leaves no access (a predicate read of a table without rows does take one, and leaves
none). So a version is seen only if it was committed before the first read or write, and is seen if it was committed
before the first event; where the first event is a read or a write of a row, this is one point, and the level is exact.
"""

from __future__ import annotations

from typing import Final

from ..phenomena.berenson import P1_BROAD, P2_BROAD, P3_BROAD
from ..relations.algebra import irreflexive, some, txn
from ..relations.base import (
    aborted,
    before,
    committed_before,
    concurrent,
    ended_before,
    item_read,
    matches,
    reads_from,
    row_from,
    same_item,
    same_txn,
    start,
    unmatched,
    version_order,
    write,
    writer,
)
from ..relations.edges import anti, dep, dsg, next_version
from . import graph
from .lattice import Family, Level

_SOURCE = "SEMANTICS §4; designs/engine.py"

_read = reads_from - same_txn
_row = (row_from >> unmatched) - same_txn
_earlier = before & same_item
_live = before - (aborted >> ended_before)
#: Final writes take effect in the order in which they are done.
_in_order = ~some((write >> version_order) - before)

# -- RU: the latest write that has not been taken back -----------------------------------------------------------------
_past = _earlier >> write
_missed_write = (~_read >> _past) | ((~_row >> _past) & matches)
_taken_back = ((write & aborted) >> (_read | _row)) & ended_before

RU = Level(
    "RU",
    "engine",
    _in_order & ~some(_missed_write & ~_live) & ~some(_taken_back),
    "a read sees the latest write of a transaction that has not aborted by then, or its own",
    _SOURCE,
)

# -- RC: the latest committed version ----------------------------------------------------------------------------------
#: A read of another's version, and the later versions of that row that make a difference to it.
_missed = (~_read >> version_order) | ((~_row >> version_order) & matches)

RC = Level(
    "RC",
    "engine",
    graph.RC.formula & _in_order & ~some(_missed & ~committed_before),
    "graph RC, and a read sees the latest version committed before it, or its own (statement snapshots)",
    f"{_SOURCE}; PostgreSQL manual, 13.2.1",
)

# -- SI: the snapshot of the first read or write, and first updater wins -----------------------------------------------
_touch = item_read | unmatched | write
_data = same_txn >> _touch
#: What a read shows of others: the version read; and of a row not listed, whatever made an earlier version that matches
#: invisible.
_hides = (write >> version_order.opt >> _row) & ~(matches >> next_version)
_shown = (write >> _read) | (_hides - same_txn)
_overwritten = (write >> (committed_before & same_item) >> write) - same_txn
_too_late = ((_shown | _overwritten) >> _data) - committed_before
#: Another's commit is seen although an earlier one is not: no single snapshot shows that.
_commits_before = txn(write >> committed_before >> _touch)
_torn = anti >> _commits_before >> dep

SI = Level(
    "SI",
    "engine",
    graph.SI.formula
    & _in_order
    & ~some(_too_late)
    & ~some(txn(_missed & ~committed_before) - concurrent)
    & irreflexive(_torn),
    "a read sees the snapshot of its transaction's first read or write, or its own; of two concurrent transactions "
    "that write a row one is aborted (first updater wins)",
    f"{_SOURCE}; PostgreSQL manual, 13.2.2",
    evidence="timestamps",
    order=dep >> anti.opt,
)

# -- SR: serializable snapshot isolation -------------------------------------------------------------------------------
#: T3 committed before an access of T. (The order of two commits with no access between leaves no trace in accesses.)
_first = ~_commits_before
_structure = (anti >> (anti & _first)) & _first
_dangerous = (writer >> _structure) | (_structure & ~start)

SR = Level(
    "SR",
    "engine",
    SI.formula & graph.serial & ~some(_dangerous),
    "SI, and no dangerous structure T1 -rw-> T2 -rw-> T3 in which T3 commits first; a T1 that writes nothing counts "
    "only where T3 committed before its snapshot (SSI)",
    f"{_SOURCE}; Cahill, Röhm and Fekete 2008; Ports and Grittner 2012",
    ("SI",),
    evidence="serial_order",
    order=dsg,
)

# -- 2PL: strict two-phase locking -------------------------------------------------------------------------------------
#: A predicate read that did not wait for the open write of a row that matches.
_unguarded = (((write >> _earlier >> unmatched) & ~matches) - same_txn) - ended_before

TWO_PHASE = Level(
    "2PL",
    "engine",
    RC.formula & ~P1_BROAD.named & ~P2_BROAD.named & ~P3_BROAD.named & ~some(_unguarded),
    "a read sees the latest committed version, and of two conflicting accesses, those of predicates too, the earlier "
    "one's transaction has ended before the later one (strict two-phase locking)",
    f"{_SOURCE}; Eswaran et al. 1976; Berenson et al. 1995, table 2",
    ("RC", "RU"),
    evidence="serial_order",
    order=dsg,
)

FAMILY: Final = Family("engine", "operational: what the store of designs lets happen", (RU, RC, SI, SR, TWO_PHASE))
