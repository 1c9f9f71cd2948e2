"""The base relations and sets: the vocabulary that every reading gives a meaning (SEMANTICS §1, §2, §5).

Accesses: `R` an item read, `W` a write, `M` / `N` a row that a predicate read saw as matching / as not matching, `J` a
judge call, `K` a delivered callback, `I` the initial version of an item (one per item, of no transaction, before
everything, committed). "Item reads" are R and M: the rows a predicate read lists are read as items too.
"""

from __future__ import annotations

from typing import Final

from .terms import Base, Sort

#: name -> (meaning, is_set, sort). The one list that readings and the text syntax share.
#: (`of_txn`, the transaction of an access, is the one relation between the two sorts.)
VOCABULARY: Final[dict[str, tuple[str, bool, Sort]]] = {
    "item_read": ("item reads: R and M", True, Sort.A),
    "matched": ("rows that a predicate read listed as matching: M", True, Sort.A),
    "unmatched": ("rows that a predicate read saw as not matching: N", True, Sort.A),
    "write": ("writes: W", True, Sort.A),
    "initial": ("initial versions: I", True, Sort.A),
    "judge": ("judge calls: J", True, Sort.A),
    "callback": ("delivered callbacks: K", True, Sort.A),
    "committed": ("accesses of committed transactions", True, Sort.A),
    "aborted": ("accesses of aborted transactions", True, Sort.A),
    "installed": ("versions in ≪: final writes of committed transactions, and initial versions", True, Sort.A),
    "final": ("writes that are their transaction's last of their item, and initial versions", True, Sort.A),
    "by_await": ("writes tagged `by await`", True, Sort.A),
    "log_fill": ("judge calls that fill a row of the judge log, and do not read one (π_J, SEMANTICS §6)", True, Sort.A),
    "partition_final": ("writes that are their committed transaction's last in their partition", True, Sort.A),
    "fact": ("versions that hold a row of a table of facts: writes but deletes, and initial versions", True, Sort.A),
    "kept_current": ("facts that are current rows when the schedule is over, of the recovery surface", True, Sort.A),
    "kept_closed": ("installed facts that the recovery surface keeps as closed rows", True, Sort.A),
    "kept_history": ("versions that are entries of the history log when the schedule is over", True, Sort.A),
    "kept_audit": ("versions that are audit rows when the schedule is over", True, Sort.A),
    "same_txn": ("of one transaction (reflexive)", False, Sort.A),
    "same_item": ("of one item (reflexive on accesses that have one)", False, Sort.A),
    "same_event": ("of one event (reflexive)", False, Sort.A),
    "same_partition": ("of items of one (subject, predicate) partition", False, Sort.A),
    "same_predicate": ("rows seen by reads of one predicate", False, Sort.A),
    "same_key": ("judge calls at one key κ = (R, θ)", False, Sort.A),
    "other_vote": ("judge calls whose known votes differ", False, Sort.A),
    "unknown_vote": ("different judge calls of which at least one vote is unknown", False, Sort.A),
    "before": ("the event of the one stands before the event of the other", False, Sort.A),
    "ended_before": ("the one's transaction committed or aborted before the other's event", False, Sort.A),
    "committed_before": ("the one's transaction committed before the other's event", False, Sort.A),
    "reads_from": ("a version, and an item read that saw it", False, Sort.A),
    "row_from": ("a version, and a row of a predicate read (M or N) that saw it", False, Sort.A),
    "version_order": ("≪: installed versions of one item, earlier and later", False, Sort.A),
    "dominated_by": (
        "versions, of which the other's provenance is ⪰ the one's; rows of logs of votes are not compared",
        False,
        Sort.A,
    ),
    "matches": ("a row of a predicate read, and a version of that row that matches its predicate", False, Sort.A),
    "writer": ("transactions that write", True, Sort.T),
    "session": ("committed transactions of one session, earlier and later", False, Sort.T),
    "start": ("T committed before U's first event", False, Sort.T),
    "concurrent": ("neither of two different transactions ended before the other's first event", False, Sort.T),
}


#: The one base relation that reads provenance annotations; N3 alone mentions it.
ANNOTATED: Final = "dominated_by"


def _base(name: str) -> Base:
    _, is_set, sort = VOCABULARY[name]
    return Base(name, sort, sort, is_set)


item_read = _base("item_read")
matched = _base("matched")
unmatched = _base("unmatched")
write = _base("write")
initial = _base("initial")
judge = _base("judge")
callback = _base("callback")
committed = _base("committed")
aborted = _base("aborted")
installed = _base("installed")
final = _base("final")
by_await = _base("by_await")
log_fill = _base("log_fill")
partition_final = _base("partition_final")
fact = _base("fact")
kept_current = _base("kept_current")
kept_closed = _base("kept_closed")
kept_history = _base("kept_history")
kept_audit = _base("kept_audit")
same_txn = _base("same_txn")
same_item = _base("same_item")
same_event = _base("same_event")
same_partition = _base("same_partition")
same_predicate = _base("same_predicate")
same_key = _base("same_key")
other_vote = _base("other_vote")
unknown_vote = _base("unknown_vote")
before = _base("before")
ended_before = _base("ended_before")
committed_before = _base("committed_before")
reads_from = _base("reads_from")
row_from = _base("row_from")
version_order = _base("version_order")
dominated_by = _base("dominated_by")
matches = _base("matches")
writer = _base("writer")
session = _base("session")
start = _base("start")
concurrent = _base("concurrent")
#: The transaction an access belongs to: from accesses to transactions.
of_txn = Base("of_txn", Sort.A, Sort.T)
