"""What the multiversion store of `designs/` lets happen: RU, RC, SI, SR as PostgreSQL does, and strict 2PL.

The other families say which schedules are *right*; these levels say which ones *this store* makes. So they are no
chain: a read at RC sees the newest committed version, one at SI an older one, one at RU an uncommitted one.

A row that a predicate read does not list stands for every version of that row with the same match status around it: the
notation does not say which one the store looked at (SEMANTICS §1), so these rows are compared by their match status.

The snapshot of SI and SR is taken by the transaction's first read or write. A judge call, a callback or a `b` before it
takes none; a predicate read that finds no row takes one, and leaves no access. So a version is seen only if it was
committed before the first access to a row, and is seen if it was committed before the first event. Where the first
event is an access to a row, these are one point, and the level is exact (`tests/agreement/test_engine.py`).
"""

from __future__ import annotations

from typing import Final

from ..phenomena.berenson import P1_BROAD, P2_BROAD, P3_BROAD
from ..relations.algebra import some, txn
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
from ..relations.edges import anti, anti_dependency, dep, dependency, dsg, next_version
from . import graph
from .lattice import Family, Level

_SOURCE = "SEMANTICS §4; designs/engine.py"

_read = reads_from - same_txn
_row = (row_from >> unmatched) - same_txn
_earlier = before & same_item
#: The accesses to rows; the first of a transaction takes its snapshot.
row_access = item_read | unmatched | write
#: Those of the transaction of an access.
_touch = same_txn >> row_access
#: Final writes take effect in the order in which they are done.
_in_order = ~some((write >> version_order) - before)

# -- RU: the latest write that has not been taken back -----------------------------------------------------------------
_past = _earlier >> write
_missed_write = (~_read >> _past) | ((~_row >> _past) & matches)
_taken_back = aborted >> ended_before

RU = Level(
    "RU",
    "engine",
    _in_order & ~some((~_missed_write & before) - _taken_back) & ~some((write >> (_read | _row)) & _taken_back),
    "a read sees the latest write of a transaction that has not aborted by then, or its own",
    _SOURCE,
)

# -- RC: the latest committed version ----------------------------------------------------------------------------------
#: A later version that makes a difference to a read of another's version, and that read, which it was committed before.
_missed = ~((~_read >> version_order) | ((~_row >> version_order) & matches)) & committed_before

RC = Level(
    "RC",
    "engine",
    graph.RC.formula & _in_order & ~some(_missed),
    "graph RC, and a read sees the latest version committed before it, or its own (statement snapshots)",
    f"{_SOURCE}; PostgreSQL manual, 13.2.1",
)

# -- SI: the snapshot of the first access to a row, and first updater wins ---------------------------------------------
#: What a read shows of others: the version read; and of a row not listed, whatever made an earlier version that matches
#: invisible.
_hides = (write >> version_order.opt >> _row) & ~(matches >> next_version)
_shown = (write >> _read) | (_hides - same_txn)
_overwritten = (write >> (committed_before & same_item) >> write) - same_txn
_too_late = ((_shown | _overwritten) >> _touch) - committed_before
#: Of T1 and T2, T1 had committed before an access of T2, and a transaction sees T2 and not T1: that is no snapshot.
_torn = (~anti_dependency >> same_txn >> ~dependency >> _touch) & committed_before

SI = Level(
    "SI",
    "engine",
    graph.SI.formula & _in_order & ~some(_too_late) & ~some(txn(_missed) - concurrent) & ~some(_torn),
    "a read sees the snapshot of its transaction's first access to a row, or its own; of two concurrent transactions "
    "that write a row one is aborted (first updater wins)",
    f"{_SOURCE}; PostgreSQL manual, 13.2.2",
    evidence="timestamps",
    order=dep >> anti.opt,
)

# -- SR: serializable snapshot isolation -------------------------------------------------------------------------------
# Accesses tell that T3 commits before T by an access between: one of T1 or T2 behind T3's commit and not behind T's.
# (Two commits with no access between may come in either order, for all that a formula over accesses can say.)
_rw = anti_dependency
#: T3's write, and an access of T2 behind T3's commit, where T2 -rw-> T3; the same of T1, where T1 -rw-> T2 -rw-> T3.
_pivot = (~_rw >> _touch) & committed_before
_reader = (~(_rw >> same_txn >> _rw) >> _touch) & committed_before
#: Such an access of T2 before T1's commit; such an access of T1 before T2's commit.
_in_pivot = ((_rw >> _touch) - committed_before) >> ~_pivot
_in_reader = (~_rw >> same_txn >> ((~_rw >> _touch) - committed_before)) & committed_before
_structure = txn(_in_pivot) | ~txn(_in_reader) | ((anti >> ~txn(_pivot)) & ~txn(_reader))
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
