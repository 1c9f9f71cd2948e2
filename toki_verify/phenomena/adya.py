"""Phenomena over dependency graphs: Adya 1999 / Adya, Liskov and O'Neil 2000, and those who built on them.

`dep` is ww ∪ wr ∪ pwr, `anti` is rw ∪ prw, `dsg` is both, between committed transactions.
"""

from __future__ import annotations

from typing import Final

from ..relations.algebra import Identity, Sort, acyclic, cycle, some, txn
from ..relations.base import (
    committed,
    concurrent,
    final,
    of_txn,
    row_from,
    same_event,
    same_item,
    same_txn,
    version_order,
    write,
    writer,
)
from ..relations.edges import (
    anti,
    anti_dependency,
    changes_match,
    dep,
    dependency,
    dsg,
    program_order,
    pwr,
    read_dependency,
    rw,
    seen_from,
    session_edge,
    start_edge,
    wr,
    ww,
)
from .catalogue import Phenomenon

_THESIS = "Adya 1999"
_HAT = "Bailis et al. 2014, Highly Available Transactions"
_self = Identity(Sort.T)
_other_version = (write >> seen_from) - same_txn
_happens_before = (session_edge | txn(read_dependency)).plus
_observed_then = dep.plus >> anti
_reader = Identity(Sort.T) - writer

G0 = Phenomenon(
    "G0", "write cycle", ~acyclic(txn(ww)), f"{_THESIS}, chapter 3", "write dependencies form a cycle", ("write cycle",)
)

G1A = Phenomenon(
    "G1a",
    "aborted read",
    some((write - committed) >> _other_version >> committed),
    f"{_THESIS}, chapter 3",
    "{b} committed after it had seen a version of {a}, which never committed",
    ("aborted read",),
)

G1B = Phenomenon(
    "G1b",
    "intermediate read",
    some((write - final) >> _other_version >> committed),
    f"{_THESIS}, chapter 3",
    "{b} saw a version of {a} that is not {a}'s final one",
    ("intermediate read",),
)

G1C = Phenomenon(
    "G1c",
    "circular information flow",
    ~acyclic(dep),
    f"{_THESIS}, chapter 3",
    "read and write dependencies form a cycle",
    ("circular information flow",),
)

G1 = Phenomenon(
    "G1",
    "G1a, G1b or G1c",
    G1A.named | G1B.named | G1C.named,
    f"{_THESIS}, chapter 3",
    "an aborted read, an intermediate read or a cycle of dependencies",
)

G_SINGLE = Phenomenon(
    "G-single",
    "single anti-dependency cycle",
    some((anti >> dep.plus) & _self),
    f"{_THESIS}, chapter 4",
    "a cycle has exactly one anti-dependency",
    ("single anti-dependency cycle",),
)

G_NONADJACENT = Phenomenon(
    "G-nonadjacent",
    "non-adjacent anti-dependency cycle",
    ~acyclic(_observed_then - _self),
    "Elle, Kingsbury and Alvaro 2020; Cerone and Gotsman 2018",
    "a closed path of dependencies has two or more anti-dependencies, no two of them adjacent",
)

G2_ITEM = Phenomenon(
    "G2-item",
    "item anti-dependency cycle",
    some((txn(rw) >> (dep | txn(rw)).plus) & _self),
    f"{_THESIS}, chapter 3",
    "a cycle has item anti-dependencies and no predicate anti-dependency",
)

G2 = Phenomenon(
    "G2",
    "anti-dependency cycle",
    some((anti >> dsg.plus) & _self),
    f"{_THESIS}, chapter 3",
    "a cycle has an anti-dependency",
    ("anti-dependency cycle",),
)

G_SIA = Phenomenon(
    "G-SIa",
    "interference",
    some(dep - start_edge),
    f"{_THESIS}, chapter 4",
    "{b} depends on {a}, which had not committed when {b} started",
    ("interference",),
    pattern=True,
)

G_SIB = Phenomenon(
    "G-SIb",
    "missed effects",
    some((anti >> (dep | start_edge).plus) & _self),
    f"{_THESIS}, chapter 4",
    "a cycle of dependencies and start order has exactly one anti-dependency",
    ("missed effects",),
    pattern=True,
)

G_MONOTONIC = Phenomenon(
    "G-monotonic",
    "non-monotonic view",
    some((anti_dependency >> of_txn >> dep.star >> ~of_txn >> dependency) & (~program_order | (same_event & same_txn))),
    f"{_THESIS}, chapter 4",
    "{a} read past a transaction whose effects it had already observed",
    ("monotonic view violation",),
)

OTV = Phenomenon(
    "OTV",
    "observed transaction vanishes",
    some((rw >> (same_txn - same_item) >> wr) & ~program_order),
    f"{_HAT}, appendix",
    "{a} saw one write of a transaction and then, later, an older version of another item it wrote",
    ("observed transaction vanishes",),
)

PMP = Phenomenon(
    "PMP",
    "predicate-many-preceders",
    some((committed >> ((~row_from >> version_order) & changes_match) >> pwr) & (same_txn - same_event)),
    f"{_HAT}, appendix",
    "of two predicate reads by {a}, one saw a change to both and the other did not",
    ("predicate-many-preceders",),
)

LONG_FORK = Phenomenon(
    "long-fork",
    "long fork",
    cycle(txn(read_dependency), anti, txn(read_dependency), anti),
    "Sovran et al. 2011; Cerone, Bernardi and Gotsman 2015",
    "two readers saw the updates of two writers in opposite orders",
    ("long fork",),
)

CAUSALITY_VIOLATION = Phenomenon(
    "causality-violation",
    "causality violation",
    some((anti >> _happens_before) & _self),
    "Cerone, Bernardi and Gotsman 2015; Biswas and Enea 2019",
    "a transaction read past a write that happens before it",
    ("causality violation",),
)

READ_ONLY_ANOMALY = Phenomenon(
    "read-only-anomaly",
    "read-only transaction anomaly",
    cycle(_reader >> anti, anti, dep.plus) & acyclic(writer >> dsg >> writer),
    "Fekete, O'Neil and O'Neil 2004",
    "the updates alone are serializable, and with what the read-only transaction saw they are not",
    ("read-only anomaly", "read-only transaction anomaly"),
)

DANGEROUS_STRUCTURE = Phenomenon(
    "dangerous-structure",
    "dangerous structure",
    some((anti & concurrent) >> (anti & concurrent)),
    "Fekete et al. 2005; Cahill, Röhm and Fekete 2008",
    "two consecutive anti-dependencies between concurrent transactions",
    ("dangerous structure", "pivot"),
    pattern=True,
)

PHENOMENA: Final = (
    G0,
    G1A,
    G1B,
    G1C,
    G1,
    G_SINGLE,
    G_NONADJACENT,
    G2_ITEM,
    G2,
    G_SIA,
    G_SIB,
    G_MONOTONIC,
    OTV,
    PMP,
    LONG_FORK,
    CAUSALITY_VIOLATION,
    READ_ONLY_ANOMALY,
    DANGEROUS_STRUCTURE,
)
