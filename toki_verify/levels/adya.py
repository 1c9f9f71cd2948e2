"""The levels of Adya 1999 / Adya, Liskov and O'Neil 2000: by excluded dependency cycles. PL-SI uses real start order.

PL-SI and PL-3 are incomparable as sets of schedules, and so are PL-2+ and PL-2.99.
"""

from __future__ import annotations

from typing import Final

from ..phenomena.adya import G0, G1A, G1B, G1C, G2, G2_ITEM, G_SIA, G_SIB, G_SINGLE
from ..relations.edges import anti, dep, dsg, rw, start_edge, ww
from ..relations.terms import txn
from .lattice import Family, Level

_THESIS = "Adya 1999"

PL_1 = Level("PL-1", "adya", ~G0.named, "no G0", f"{_THESIS}, chapter 3", evidence="write_order", order=txn(ww))
PL_2 = Level(
    "PL-2",
    "adya",
    PL_1.formula & ~G1A.named & ~G1B.named & ~G1C.named,
    "no G0, G1a, G1b, G1c",
    f"{_THESIS}, chapter 3",
    ("PL-1",),
    evidence="dependency_order",
    order=dep,
)
PL_2_PLUS = Level(
    "PL-2+",
    "adya",
    PL_2.formula & ~G_SINGLE.named,
    "PL-2 and no G-single",
    f"{_THESIS}, chapter 4",
    ("PL-2",),
    evidence="dependency_order",
    order=dep,
)
PL_2_99 = Level(
    "PL-2.99",
    "adya",
    PL_2.formula & ~G2_ITEM.named,
    "PL-2 and no G2-item",
    f"{_THESIS}, chapter 3",
    ("PL-2",),
    evidence="item_order",
    order=dep | txn(rw),
)
PL_SI = Level(
    "PL-SI",
    "adya",
    PL_2.formula & ~G_SIA.named & ~G_SIB.named,
    "PL-2, no G-SIa and no G-SIb",
    f"{_THESIS}, chapter 4",
    ("PL-2+",),
    evidence="timestamps",
    order=(dep | start_edge) >> anti.opt,
)
PL_3 = Level(
    "PL-3",
    "adya",
    PL_2.formula & ~G2.named,
    "PL-2 and no G2",
    f"{_THESIS}, chapter 3",
    ("PL-2+", "PL-2.99"),
    evidence="serial_order",
    order=dsg,
)

FAMILY: Final = Family("adya", "excluded dependency cycles", (PL_1, PL_2, PL_2_PLUS, PL_2_99, PL_SI, PL_3))
