"""A history made ready for the session levels: which transactions count, what each read from whom, what each wrote.

Transactions that count get the numbers 0 to n - 1 (nodes), in the order of the history; n stands for the transaction
that wrote every initial version, which is before all others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..columns import ABORTED, COMMITTED, INITIAL, NOBODY, READ, UNKNOWN, WRITE, History, Int32, Int64
from .findings import Finding, doubt_of, of_garbage, of_reads

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Prepared:
    """What the deciders work on. Reads are external ones (of a key that the transaction has not written yet, and of
    lists those of what stands before its own appends), in program order; those of node t are `read_first[t]` up to
    `read_first[t + 1]`. Writes are the last ones of a transaction to a key, sorted by node and key; those of node t are
    `write_first[t]` up to `write_first[t + 1]`."""

    history: History
    findings: tuple[Finding, ...]
    #: Why a *yes* cannot be given, or None: a value does not name one write.
    doubt: str | None
    # -- nodes: (n,)
    #: The transaction of the history.
    txn: Int32
    #: The node before in the session, or -1.
    before: Int32
    #: The session; transactions of none have numbers of their own.
    session: Int32
    # -- reads
    read_first: Int64
    read_key: Int32
    #: The node that wrote what was read, n for an initial version.
    read_from: Int32
    read_op: Int32
    # -- writes
    write_first: Int64
    write_key: Int32
    write_op: Int32
    write_node: Int32
    #: The place in the version order of the key, or -1.
    write_rank: Int32
    # -- known steps of version orders that are not steps between final versions, too: (S,) nodes and keys
    step_from: Int32
    step_to: Int32
    step_key: Int32
    step_op_from: Int32
    step_op_to: Int32

    @property
    def size(self) -> int:
        """n: how many transactions count."""
        return len(self.txn)

    @property
    def refuted(self) -> bool:
        """Whether a finding alone refutes every level."""
        return any(finding.refutes for finding in self.findings)


def prepare(history: History) -> Prepared:
    """The history made ready.

    Committed transactions count, and those of unknown outcome of which a counting one saw a version; other unknown ones
    are left out, which never makes a level fail (their writes are seen by nobody). Reads of a version that was written
    twice say nothing and are left out: a *no* without them is a *no*, a *yes* is none (`doubt`).
    """
    txn = history.txn_of().astype(np.int64)
    ambiguous = written_twice(history)
    rank = _sure_ranks(history, ambiguous)
    counts = _counting(history, txn, ambiguous, rank)
    latest, own = _own_writes(history, txn)
    internal = (history.kind == READ) & own
    if history.model == "append":  # Behind own appends a read names what stands before them: that is another's.
        writer = history.writer[history.version]
        internal &= (writer >= 0) & (txn[np.maximum(writer, 0)] == txn)
    reads = (history.kind == READ) & counts[txn] & ~ambiguous[history.version]
    last_write = np.zeros(history.size, bool)
    last_write[latest[latest >= 0]] = True
    findings, clean = _findings(history, txn, counts, reads, internal, own, last_write, rank)
    findings.extend(of_garbage(history))
    doubt = doubt_of(history)
    return _arrays(history, txn, counts, np.flatnonzero(clean & ~internal), last_write, rank, tuple(findings), doubt)


def counting(history: History) -> Mask:
    """Which transactions count (see `prepare`): (T,)."""
    ambiguous = written_twice(history)
    return _counting(history, history.txn_of().astype(np.int64), ambiguous, _sure_ranks(history, ambiguous))


def _sure_ranks(history: History, ambiguous: Mask) -> Int32:
    """The ranks of versions, but for those of keys of which a version was written more than once."""
    rank = history.rank.copy()
    if ambiguous.any():
        unsure = np.zeros(len(history.keys), bool)
        unsure[history.version_key[ambiguous]] = True
        rank[unsure[history.version_key] & (history.writer != INITIAL)] = -1
    return rank


def written_twice(history: History) -> Mask:
    """Which versions were written more than once: (V,)."""
    writes = np.flatnonzero(history.kind == WRITE)
    other = history.writer[history.version[writes]] != writes
    result: Mask = np.zeros(len(history.version_key), bool)
    result[history.version[writes[other]]] = True
    return result


def _counting(history: History, txn: Int64, ambiguous: Mask, rank: Int32) -> Mask:
    """Which transactions count: (T,)."""
    counts: Mask = history.outcome == COMMITTED
    if not (history.outcome == UNKNOWN).any():
        return counts
    is_read = (history.kind == READ) & ~ambiguous[history.version]
    written = history.writer >= 0
    while True:
        reads = np.flatnonzero(is_read & counts[txn])
        seen = np.zeros(len(history.version_key), bool)
        seen[history.version[reads]] = True
        if history.model == "append":  # A list shows all elements before its last one, too.
            top = np.full(len(history.keys), -1, np.int32)
            np.maximum.at(top, history.key[reads], rank[history.version[reads]])
            seen |= (rank >= 0) & (rank <= top[history.version_key])
        owners = txn[history.writer[seen & written]]
        more = owners[(history.outcome[owners] == UNKNOWN) & ~counts[owners]]
        if not len(more):
            return counts
        counts[more] = True


def _own_writes(history: History, txn: Int64) -> tuple[Int64, Mask]:
    """For each operation the last write of its transaction to its key, or -1; and whether there was one before it."""
    count = max(1, len(history.keys))
    group = txn * count + history.key
    order = np.argsort(group, kind="stable")
    sorted_group, is_write = group[order], history.kind[order] == WRITE
    if not len(order):
        return np.zeros(0, np.int64), np.zeros(0, bool)
    starts = np.concatenate([[True], sorted_group[1:] != sorted_group[:-1]])
    number = np.cumsum(starts) - 1
    begins = np.flatnonzero(starts)
    place = np.where(is_write, np.arange(len(order)), -1)
    running = np.maximum.accumulate(place)
    before = np.concatenate([[-1], running[:-1]])
    behind = np.zeros(len(order), bool)
    behind[order] = before >= begins[number]
    last_place = running[np.concatenate([begins[1:], [len(order)]]) - 1]
    last = np.where(last_place >= begins, order[last_place], -1)[number]
    latest = np.empty(len(order), np.int64)
    latest[order] = last
    return latest, behind


def _previous_own(history: History, txn: Int64, reads: Int64) -> Int64:
    """The version of the last own write of the key before each of `reads`, all of which have one."""
    count = max(1, len(history.keys))
    writes = np.flatnonzero(history.kind == WRITE)
    size = history.size + 1
    group = (txn * count + history.key) * size
    stamps = np.sort(group[writes] + writes)
    at = np.searchsorted(stamps, group[reads] + reads) - 1
    return history.version[(stamps[at] % size).astype(np.int64)].astype(np.int64)


def _findings(
    history: History,
    txn: Int64,
    counts: Mask,
    reads: Mask,
    internal: Mask,
    own: Mask,
    last_write: Mask,
    rank: Int32,
) -> tuple[list[Finding], Mask]:
    """What single reads show, and which reads are in order: (N,)."""
    found: list[Finding] = []
    clean = reads.copy()

    def add(kind: str, operations: Int64, versions: Int64) -> None:
        if len(operations):
            found.append(of_reads(history, kind, operations, versions, txn))
            clean[operations] = False

    inside = np.flatnonzero(reads & internal)
    wrong = inside[_previous_own(history, txn, inside) != history.version[inside]] if len(inside) else inside
    add("own-write-unseen", wrong, history.version[wrong].astype(np.int64))
    outside = np.flatnonzero(reads & ~internal)
    versions = history.version[outside].astype(np.int64)
    writer = history.writer[versions].astype(np.int64)
    nobody = writer == NOBODY
    add("unwritten-read", outside[nobody], versions[nobody])
    owner = np.where(writer >= 0, txn[np.maximum(writer, 0)] if history.size else writer, -1)
    itself = owner == txn[outside]
    add("future-read", outside[itself], versions[itself])
    foreign = (owner >= 0) & ~itself
    aborted = foreign & (history.outcome[np.maximum(owner, 0)] == ABORTED) if len(owner) else foreign
    add("aborted-read", outside[aborted], versions[aborted])
    middle = foreign & ~aborted
    middle[middle] = ~last_write[writer[middle]]
    add("intermediate-read", outside[middle], versions[middle])
    if history.model == "append":
        _in_lists(history, txn, np.flatnonzero(reads), rank, add)
        _own_order(history, txn, counts, rank, add)
    return found, clean


def _in_lists(history: History, txn: Int64, reads: Int64, rank: Int32, add) -> None:  # type: ignore[no-untyped-def]
    """Elements before the last of a list that an aborted transaction, or nobody, appended."""
    writer = history.writer.astype(np.int64)
    gone = (rank > 0) & (writer >= 0)
    gone[gone] = history.outcome[txn[writer[gone]]] == ABORTED
    for kind, bad in (("aborted-read", gone), ("unwritten-read", (rank > 0) & (writer == NOBODY))):
        worst = np.flatnonzero(bad)
        if not len(worst):
            continue
        worst = worst[np.lexsort((rank[worst], history.version_key[worst]))]
        keys, at = np.unique(history.version_key[worst], return_index=True)
        lowest = np.full(len(history.keys), -1, np.int64)
        lowest[keys] = worst[at]
        first = lowest[history.key[reads]]
        shown = (first >= 0) & (rank[history.version[reads]] > rank[np.maximum(first, 0)])
        add(kind, reads[shown], first[shown])


def _own_order(history: History, txn: Int64, counts: Mask, rank: Int32, add) -> None:  # type: ignore[no-untyped-def]
    """Elements of one transaction that a list shows in another order than it appended them in, or shows without the
    earlier ones."""
    writes = np.flatnonzero((history.kind == WRITE) & counts[txn] & (rank[history.version] != 0))
    writes = writes[np.lexsort((writes, history.key[writes], txn[writes]))]
    one, two = writes[:-1], writes[1:]
    place = np.where(rank >= 0, rank, np.iinfo(np.int32).max)[history.version]
    wrong = (txn[one] == txn[two]) & (history.key[one] == history.key[two]) & (place[one] > place[two])
    add("append-order", two[wrong], history.version[two[wrong]].astype(np.int64))


def _arrays(
    history: History,
    txn: Int64,
    counts: Mask,
    reads: Int64,
    last_write: Mask,
    rank: Int32,
    findings: tuple[Finding, ...],
    doubt: str | None,
) -> Prepared:
    txns = np.flatnonzero(counts).astype(np.int32)
    size = len(txns)
    node = np.full(len(history.session) + 1, -1, np.int32)
    node[txns] = np.arange(size, dtype=np.int32)
    session = history.session[txns].astype(np.int32)
    alone = session < 0
    session[alone] = int(session.max(initial=-1)) + 1 + np.arange(int(alone.sum()), dtype=np.int32)
    by_session = np.argsort(session, kind="stable").astype(np.int32)
    before = np.full(size, -1, np.int32)
    together = session[by_session[1:]] == session[by_session[:-1]]
    before[by_session[1:][together]] = by_session[:-1][together]
    # Reads.
    writer = history.writer[history.version[reads]].astype(np.int64)
    source = np.full(len(reads), size, np.int32)
    source[writer >= 0] = node[txn[writer[writer >= 0]]]
    reader = node[txn[reads]]
    # Writes.
    writes = np.flatnonzero(last_write & counts[txn])
    writes = writes[np.lexsort((history.key[writes], txn[writes]))]
    write_node = node[txn[writes]]
    made = history.writer[history.version[writes]] == writes
    write_rank = np.where(made, rank[history.version[writes]], -1).astype(np.int32)
    partly = np.zeros(len(history.keys) + 1, bool)
    if history.model == "register":  # An order of some versions only says nothing about where the others stand.
        partly[history.key[writes[write_rank < 0]]] = True
        write_rank[partly[history.key[writes]]] = -1
    steps = _steps(history, txn, node, rank, partly, writes[write_rank < 0])
    bounds = np.arange(size + 1)
    return Prepared(
        history=history,
        findings=findings,
        doubt=doubt,
        txn=txns,
        before=before,
        session=session,
        read_first=np.searchsorted(reader, bounds).astype(np.int64),
        read_key=history.key[reads].astype(np.int32),
        read_from=source,
        read_op=reads.astype(np.int32),
        write_first=np.searchsorted(write_node, bounds).astype(np.int64),
        write_key=history.key[writes].astype(np.int32),
        write_op=writes.astype(np.int32),
        write_node=write_node.astype(np.int32),
        write_rank=write_rank,
        step_from=node[txn[steps[0]]].astype(np.int32),
        step_to=node[txn[steps[1]]].astype(np.int32),
        step_key=history.key[steps[0]].astype(np.int32),
        step_op_from=steps[0].astype(np.int32),
        step_op_to=steps[1].astype(np.int32),
    )


def _steps(history: History, txn: Int64, node: Int32, rank: Int32, partly: Mask, unplaced: Int64) -> Int64:
    """Steps between elements of lists (those that their transaction overwrote itself, too: two transactions whose
    elements interleave are then each before the other, G0) and of registers whose order is known in part; and from the
    last known element of a list to the last writes that nobody saw (`unplaced`)."""
    append = history.model == "append"
    use = np.ones(len(rank), bool) if append else partly[history.version_key]
    versions = np.flatnonzero((rank > 0) & (history.writer >= 0) & use)
    versions = versions[node[txn[history.writer[versions]]] >= 0]
    versions = versions[np.lexsort((rank[versions], history.version_key[versions]))]
    source, target = versions[:-1], versions[1:]
    same = history.version_key[source] == history.version_key[target]
    first, second = history.writer[source[same]].astype(np.int64), history.writer[target[same]].astype(np.int64)
    if append and len(versions):
        last = np.full(len(history.keys), -1, np.int64)
        last[history.version_key[versions]] = history.writer[versions]  # The last of several stays.
        behind = unplaced[last[history.key[unplaced]] >= 0]
        first = np.concatenate([first, last[history.key[behind]]])
        second = np.concatenate([second, behind])
    use = txn[first] != txn[second]
    return np.stack([first[use], second[use]])
