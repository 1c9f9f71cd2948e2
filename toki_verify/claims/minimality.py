"""That nothing is smaller: for every smaller frame the clauses that it has a schedule, refuted with DRAT proofs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..relations.formulas import Formula
from ..search.features import Features, frames
from ..search.model import FrameModel
from ..search.witness import MAX_ITEMS


@dataclass(frozen=True)
class Smaller:
    """A frame and the clauses that some schedule of it, with up to so many items, satisfies a formula. A formula that
    is false by its form in the frame gives the empty clause."""

    name: str
    clauses: tuple[tuple[int, ...], ...]


def smaller(
    formula: Formula, events: int, transactions: int, items: int, features: Features | None = None
) -> Iterator[Smaller]:
    """Every frame with fewer events, or as many and fewer transactions, or as many of both and fewer items.

    Of the smaller frames up to `MAX_ITEMS` items are covered, as in the search.
    """
    used = (features or Features()).seen_by(formula)
    each = 1 if used.unfinished else 2
    sizes = [(n, k, MAX_ITEMS) for n in range(each, events + 1) for k in range(1, n // each + 1)]
    wanted = [(n, k, m) for n, k, m in sizes if (n, k) < (events, transactions)]
    if items:
        wanted.append((events, transactions, items - 1))
    for n, k, m in wanted:
        for frame in frames(n, k, unfinished=used.unfinished):
            bound = m if used.predicates else min(m, len(frame.slots))
            model = FrameModel(frame, bound, used, formula, solver="none")
            name = f"events-{'-'.join(map(str, frame.sizes))}-items-{bound}"
            clauses = tuple(map(tuple, model.clauses)) if model.possible else ((),)
            yield Smaller(name, clauses)
