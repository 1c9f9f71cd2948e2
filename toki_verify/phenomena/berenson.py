"""The phenomena of Berenson et al. 1995, "A Critique of ANSI SQL Isolation Levels", one formula each.

P0 … P4, A5A, A5B in the default reading of SEMANTICS §3, and their variants: the broad event patterns, the strict
A1–A3, and the patterns as the paper prints them (`[event]`).
"""

from __future__ import annotations

from typing import Final

from ..relations.algebra import Identity, Sort, domain, some, txn
from ..relations.base import (
    aborted,
    before,
    committed,
    committed_before,
    ended_before,
    final,
    item_read,
    matched,
    matches,
    reads_from,
    same_event,
    same_item,
    same_predicate,
    same_txn,
    unmatched,
    write,
)
from ..relations.edges import anti, dsg, prw, rw, seen_from, wr, ww
from .catalogue import Phenomenon

_PAPER = "Berenson et al. 1995"
_self = Identity(Sort.T)
_earlier = before & same_item
_dirty = (write >> seen_from) - same_txn
_foreign = domain(~(reads_from - same_txn))
_same_version = ~reads_from >> reads_from
_row = matched | unmatched
_reread = ((same_txn & same_item) & same_predicate) - same_event
_unwritten = Identity(Sort.A) - domain((same_txn & same_item) >> write)
_read_then_written = (item_read >> _earlier >> write) - same_txn

P0 = Phenomenon(
    "P0",
    "dirty write",
    some(((write >> _earlier >> write) - same_txn) - ended_before),
    f"{_PAPER}, section 3",
    "{b} overwrote a version of {a} before {a} had ended",
    ("dirty write",),
    core=True,
)

P1 = Phenomenon(
    "P1",
    "dirty read",
    some((_dirty - committed_before) | ((write - final) >> _dirty)),
    f"{_PAPER}, section 3",
    "{b} saw a version of {a} that was not committed then, or not its final one",
    ("dirty read",),
    core=True,
)

P1_BROAD = Phenomenon(
    "P1[broad]",
    "dirty read, event pattern",
    some(((write >> _earlier >> item_read) - same_txn) - ended_before),
    f"{_PAPER}, section 2.2",
    "{b} read an item that {a} had written and not yet released",
    pattern=True,
)

A1 = Phenomenon(
    "A1",
    "dirty read, strict",
    some((write & aborted) >> (_dirty - ended_before) >> committed),
    f"{_PAPER}, section 2.2",
    "{b} committed after it had read a version of {a}, which then aborted",
    ("strict dirty read",),
)

P2 = Phenomenon(
    "P2",
    "fuzzy read",
    some(committed >> _foreign >> ((same_txn & same_item) - _same_version) >> _foreign),
    f"{_PAPER}, section 2.2",
    "{a} read one item twice and saw two versions, neither its own",
    ("fuzzy read", "non-repeatable read"),
    core=True,
)

P2_BROAD = Phenomenon(
    "P2[broad]",
    "fuzzy read, event pattern",
    some(_read_then_written - ended_before),
    f"{_PAPER}, section 2.2",
    "{b} wrote an item that {a} had read, before {a} had ended",
    pattern=True,
)

A2 = Phenomenon(
    "A2",
    "fuzzy read, strict",
    some((committed >> _read_then_written >> (reads_from & committed_before)) & same_txn),
    f"{_PAPER}, section 2.2",
    "{a} read an item again after another transaction had changed it and committed, and saw the change",
    ("strict fuzzy read",),
)

P2_G_SINGLE = Phenomenon(
    "P2[G-single]",
    "G-single on one item",
    some((rw >> (same_txn & same_item) >> (wr | ww)) & same_txn),
    "Adya 1999, chapter 4, on one item",
    "two transactions form a cycle with one anti-dependency, both edges on one item",
)

P3 = Phenomenon(
    "P3",
    "phantom",
    some((txn(prw) >> dsg.star) & _self),
    f"{_PAPER}, section 2.2; SEMANTICS §3",
    "a dependency cycle passes through a predicate anti-dependency",
    ("phantom",),
    core=True,
)

P3_BROAD = Phenomenon(
    "P3[broad]",
    "phantom, event pattern",
    some((((_row >> _earlier >> write) - same_txn) & (matches | (matched >> same_item))) - ended_before),
    f"{_PAPER}, section 2.2",
    "{b} wrote a row in a predicate that {a} had read, before {a} had ended",
    pattern=True,
)

A3 = Phenomenon(
    "A3",
    "phantom, strict",
    some(
        committed
        >> _unwritten
        >> ((matched >> _reread >> unmatched) | (matched >> (_reread - _same_version) >> matched))
    ),
    f"{_PAPER}, section 2.2",
    "two reads of one predicate by {a} differ on a row that {a} has not written",
    ("strict phantom",),
)

P3_SKEW = Phenomenon(
    "P3[skew]",
    "predicate write skew",
    some((txn(prw) >> anti) & _self),
    "SEMANTICS §3; Fekete et al. 2005",
    "two transactions each changed what the other's predicate or item read had seen",
    ("predicate write skew",),
)

P4 = Phenomenon(
    "P4",
    "lost update",
    some((rw >> ww) & same_txn),
    f"{_PAPER}, section 4.1",
    "{a} read one version and wrote over a later one: the update in between is lost",
    ("lost update",),
    core=True,
)

P4_EVENT = Phenomenon(
    "P4[event]",
    "lost update, event pattern",
    some((committed >> _read_then_written >> _earlier >> write) & same_txn),
    f"{_PAPER}, section 4.1",
    "{a} read an item, another transaction wrote it, and {a} wrote it after that",
    pattern=True,
)

A5A = Phenomenon(
    "A5A",
    "read skew",
    some((rw >> (same_txn - same_item) >> wr) & same_txn),
    f"{_PAPER}, section 4.2",
    "{a} saw one item before and another item after the same transaction",
    ("read skew",),
    core=True,
)

A5A_EVENT = Phenomenon(
    "A5A[event]",
    "read skew, event pattern",
    some(
        (
            _read_then_written
            >> ((same_txn & before) - same_item)
            >> write
            >> ((same_item & committed_before) >> item_read)
        )
        & same_txn
    ),
    f"{_PAPER}, section 4.2",
    "{a} read one item before and another after the same transaction wrote both and committed",
    pattern=True,
)

A5B = Phenomenon(
    "A5B",
    "write skew",
    some((rw >> (same_txn - same_item) >> rw) & same_txn),
    f"{_PAPER}, section 4.2",
    "each of two transactions read an item that the other then changed",
    ("write skew",),
    core=True,
)

A5B_EVENT = Phenomenon(
    "A5B[event]",
    "write skew, event pattern",
    some((committed >> _read_then_written >> committed >> (same_txn - same_item) >> _read_then_written) & same_txn),
    f"{_PAPER}, section 4.2",
    "each of two committed transactions read an item before the other wrote it",
    pattern=True,
)

PHENOMENA: Final = (
    P0,
    P1,
    P2,
    P3,
    P4,
    A5A,
    A5B,
    A1,
    A2,
    A3,
    P1_BROAD,
    P2_BROAD,
    P2_G_SINGLE,
    P3_BROAD,
    P3_SKEW,
    P4_EVENT,
    A5A_EVENT,
    A5B_EVENT,
)
