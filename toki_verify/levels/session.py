"""What testers of black-box histories mean: RC RA CC PC PSI SI SER, with session order and no use of the interleaving.

The axioms of Biswas and Enea 2019 (RC, RA, CC, PC as "prefix", SI, SER) and of Cerone, Bernardi and Gotsman 2015 (PSI),
for histories whose version order is known: "some commit order exists" then comes down to the acyclicity conditions
below (each axiom forces the overwriter of a read behind what the reader observed; the version order says the
opposite exactly on an anti-dependency). `so` is session order, wr holds pwr too, rw holds prw too. Reads are of
committed, final versions at every level (no G1a, G1b), as these papers assume.
"""

from __future__ import annotations

from typing import Final

from ..phenomena.adya import G1A, G1B
from ..relations.algebra import acyclic, irreflexive, some, txn
from ..relations.base import same_txn
from ..relations.edges import anti, anti_dependency, program_order, read_dependency, session_edge, ww
from .lattice import Family, Level

_BE = "Biswas and Enea 2019"
_CBG = "Cerone, Bernardi and Gotsman 2015"

_observed = session_edge | txn(read_dependency)
_ordered = _observed | txn(ww)
_prefix = (_observed >> anti.opt) | txn(ww)
_snapshots = _ordered >> anti.opt
_sound = ~G1A.named & ~G1B.named & acyclic(_ordered)
_read_past = (anti_dependency >> same_txn >> read_dependency) & ~program_order

RC = Level(
    "RC",
    "session",
    _sound & ~some(_read_past),
    "no read past a transaction that an earlier read of the same transaction observed",
    _BE,
    evidence="commit_order",
    order=_ordered,
)
RA = Level(
    "RA",
    "session",
    _sound & irreflexive(anti >> _observed),
    "a transaction that is observed is observed whole",
    _BE,
    ("RC",),
    evidence="commit_order",
    order=_ordered,
)
CC = Level(
    "CC",
    "session",
    _sound & irreflexive(anti >> _observed.plus),
    "what happens before is observed",
    _BE,
    ("RA",),
    evidence="commit_order",
    order=_ordered,
)
PC = Level(
    "PC",
    "session",
    _sound & acyclic(_prefix),
    "every transaction observes a prefix of the commit order",
    f"{_BE} (prefix)",
    ("CC",),
    evidence="commit_order",
    order=_prefix,
)
PSI = Level(
    "PSI",
    "session",
    _sound & irreflexive(_ordered.plus >> anti.opt),
    "causal, and concurrent writers of one item conflict",
    _CBG,
    ("CC",),
    evidence="commit_order",
    order=_ordered,
)
SI = Level(
    "SI",
    "session",
    _sound & acyclic(_snapshots),
    "snapshots of a commit order, and concurrent writers of one item conflict",
    f"{_BE}; {_CBG}",
    ("PC", "PSI"),
    evidence="timestamps",
    order=_snapshots,
)
SER = Level(
    "SER",
    "session",
    _sound & acyclic(_ordered | anti),
    "a serial order that respects the sessions",
    _BE,
    ("SI",),
    evidence="serial_order",
    order=_ordered | anti,
)

FAMILY: Final = Family("session", "black-box histories, with session order", (RC, RA, CC, PC, PSI, SI, SER))
