"""What SR on one partition, and SR on the partition as one item, exclude (TOKI 2026, Corollary 1): for proofs."""

from __future__ import annotations

from typing import Final

from ..levels import parse_spec
from ..phenomena.agent import N2, N2_LIFTED, lifted_anti_dependency
from ..relations.algebra import acyclic, txn
from ..relations.formulas import Formula, Region, Within
from .serial_oracle import PARTITION

#: The pin alone, without RC elsewhere.
SPEC: Final = f"SR@partition({PARTITION.subject},{PARTITION.predicate})"
_REGION: Final = Region(partition=(PARTITION.subject, PARTITION.predicate))

#: By id: what is stated, and two formulas that no schedule satisfies together. Of SR on the partition as one item only
#: a part is asked: that the anti-dependencies on such items have no cycle.
PINNED: Final[dict[str, tuple[str, Formula, Formula]]] = {
    "C1.n2.pin": (
        f"no schedule at {SPEC} shows N2 in that partition",
        parse_spec(SPEC).formula,
        Within(N2.formula, _REGION),
    ),
    "C1.n2.lifted": (
        "no schedule whose anti-dependencies between partitions as items have no cycle shows N2[lifted]",
        acyclic(txn(lifted_anti_dependency)),
        N2_LIFTED.formula,
    ),
}
