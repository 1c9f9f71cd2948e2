"""The anomalies of agent memories at schedule level: N1, N2 and the callback boundary (TOKI 2026; SEMANTICS §3)."""

from __future__ import annotations

from typing import Final

from ..relations.algebra import Term, domain, some
from ..relations.base import (
    before,
    by_await,
    callback,
    committed,
    concurrent,
    item_read,
    of_txn,
    other_vote,
    partition_final,
    reads_from,
    row_from,
    same_item,
    same_key,
    same_partition,
    same_txn,
    unknown_vote,
    unmatched,
    version_order,
    write,
)
from ..relations.edges import anti_dependency, program_order
from .catalogue import Phenomenon

_TOKI = "TOKI 2026"
_UNKNOWN_VOTE = "a judge call at a key that recurs has no recorded vote"
_other_row = (same_txn & same_partition) - same_item


def _lifted_edge() -> Term:
    """rw on partitions as items: T read a state of the partition older than U's last write in it.

    A read of a row sees the latest lifted version that stands before the read and before every version of the row
    later than the one read. So it misses u iff u does not stand there: u is behind the read, or u is, or is behind,
    a later version of the row. As in §2, a read of the own version makes no edge.
    """
    read = item_read | unmatched
    later_version = ~(reads_from | row_from) >> version_order
    missed = (read >> same_partition >> partition_final) & (before | later_version | (later_version >> before))
    seen = (read >> same_partition >> partition_final) - missed
    own = seen & same_txn
    own_is_latest = own - ((seen - same_txn) >> (~before & same_partition))
    return ((committed - domain(own_is_latest)) >> missed) - same_txn


#: Anti-dependencies between partitions, each taken as one item.
lifted_anti_dependency: Final = _lifted_edge()
_lifted = lifted_anti_dependency
_in_partition = (item_read | unmatched) >> same_partition >> (item_read | unmatched)
_common_row = (same_txn & _in_partition) >> same_item >> (item_read | unmatched) >> (same_txn & same_partition)
_writes_outside = domain((same_txn - same_partition) >> write)
_both_write = same_txn >> write >> same_item >> write >> same_txn
_concurrent = of_txn >> concurrent >> ~of_txn

N1 = Phenomenon(
    "N1",
    "judge-replay inconsistency",
    some(committed >> (same_key & other_vote) >> committed),
    f"{_TOKI}, section 2.3",
    "two committed judge calls at one key returned different votes",
    ("judge-replay inconsistency",),
    core=True,
    undecided=some(committed >> (same_key & unknown_vote) >> committed),
    reason=_UNKNOWN_VOTE,
)

N1_OBSERVED = Phenomenon(
    "N1[observed]",
    "judge-replay inconsistency, uncommitted calls too",
    some(same_key & other_vote),
    f"{_TOKI}, section 2.3",
    "two judge calls at one key returned different votes",
    undecided=some(same_key & unknown_vote),
    reason=_UNKNOWN_VOTE,
)

N2 = Phenomenon(
    "N2",
    "belief-drift skew",
    some((anti_dependency >> _other_row >> anti_dependency) & same_txn),
    f"{_TOKI}, section 2.3",
    "two transactions each changed, in one partition, a row that the other had read",
    ("belief-drift skew",),
    core=True,
)

N2_LIFTED = Phenomenon(
    "N2[lifted]",
    "belief-drift skew, the partition as one item",
    some((_lifted >> (same_txn & same_partition) >> _lifted) & same_txn),
    f"{_TOKI}, Corollary 1; SEMANTICS §3",
    "two transactions each wrote the partition after a state of it that the other had read",
)

N2_PRINTED = Phenomenon(
    "N2[printed]",
    "belief-drift skew as Corollary 1 prints it",
    some(_writes_outside >> ((anti_dependency & same_partition & _common_row & _concurrent) - _both_write)),
    f"{_TOKI}, Corollary 1",
    "{a} derived a value from the partition while {b}, having read it too, revised a row of it",
)

CB = Phenomenon(
    "CB",
    "callback boundary",
    some(by_await - domain((~program_order >> callback >> ~program_order >> item_read) & same_item)),
    f"{_TOKI}, section 2.3; SEMANTICS §3",
    "a write that awaits confirmation was made without a read of the item and then the delivered callback",
    ("callback boundary",),
    core=True,
)

PHENOMENA: Final = (N1, N1_OBSERVED, N2, N2_LIFTED, N2_PRINTED, CB)
