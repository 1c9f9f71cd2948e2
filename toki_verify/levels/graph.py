"""The default family: RU ⪯ RC ⪯ SI ⪯ SR as sets of schedules, the callback axis, and the [G] variants (SEMANTICS §4).

SI asks for timestamps with st(t) < ct(t), dependencies t → u with ct(t) < st(u) and anti-dependencies with
st(t) < ct(u). A cycle of these constraints alternates a dependency with at most one anti-dependency, so timestamps
exist exactly when `dep ; anti?` is acyclic. SR asks for a serial position: every edge increases it.
"""

from __future__ import annotations

from typing import Final

from ..phenomena.adya import G0, G1A, G1B, G1C
from ..phenomena.agent import CB
from ..phenomena.berenson import P0, P1
from ..relations.algebra import Identity, Sort, acyclic, some
from ..relations.edges import anti, dep, dsg
from .lattice import Family, Level

_SOURCE = "SEMANTICS §4"

_timestamps = dep >> anti.opt
snapshot = acyclic(_timestamps)
serial = acyclic(dsg)

RU = Level("RU", "graph", ~some(Identity(Sort.A) - Identity(Sort.A)), "every well-formed schedule", _SOURCE)
RC = Level("RC", "graph", ~P0.named & ~P1.named, "no P0 and no P1", _SOURCE, ("RU",))
SI = Level(
    "SI",
    "graph",
    RC.formula & snapshot,
    "RC, and snapshot timestamps exist: dep ; anti? has no cycle",
    f"{_SOURCE}; Cerone and Gotsman 2018",
    ("RC", "SI[G]"),
    evidence="timestamps",
    order=_timestamps,
)
SR = Level(
    "SR",
    "graph",
    RC.formula & serial,
    "RC, and a serial order exists: no cycle of dependencies",
    _SOURCE,
    ("SI", "SR[G]"),
    evidence="serial_order",
    order=dsg,
)
RC_G = Level(
    "RC[G]",
    "graph",
    ~G0.named & ~G1A.named & ~G1B.named & ~G1C.named,
    "no G0, G1a, G1b, G1c: uncommitted writes of one item may coexist",
    f"{_SOURCE}; Adya 1999",
    ("RU",),
    True,
)
SI_G = Level(
    "SI[G]",
    "graph",
    RC_G.formula & snapshot,
    "RC[G], and snapshot timestamps exist",
    _SOURCE,
    ("RC[G]",),
    True,
    "timestamps",
    _timestamps,
)
SR_G = Level(
    "SR[G]",
    "graph",
    RC_G.formula & serial,
    "RC[G], and a serial order exists",
    _SOURCE,
    ("SI[G]",),
    True,
    "serial_order",
    dsg,
)
CB_LEVEL = Level(
    "cb", "graph", ~CB.named, "no callback boundary (the other axis of the lattice)", _SOURCE, ("RU",), True
)

FAMILY: Final = Family(
    "graph", "conflict graph, without session or real-time order", (RU, RC, SI, SR, RC_G, SI_G, SR_G, CB_LEVEL)
)
