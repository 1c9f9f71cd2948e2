"""What a store keeps when a trace is over, and of each version that was overwritten the first part that says it still.

The four recovery surfaces grow: current rows; closed rows too; a history log too; audit rows too (SEMANTICS §3, N3).
So of each version that was overwritten one number says all: the first of the four that keeps it, or keeps a row of
which the provenance is ⪰ its own. The deciders of N3, its counters and the report on agents read this number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from ...events import SURFACE_PARTS
from ...relations.provenance import Terms, terms
from ...relations.surface import recovery
from .arrays import Bools, Ints, distinct, full, ints, lower_to, where
from .reading import Reading

#: The number of the surface that keeps what no surface keeps.
NOWHERE: Final = len(SURFACE_PARTS)


def of_tables(reading: Reading, test: Callable[[str], bool]) -> Bools:
    """For each slot whether its item's table passes a test of names."""
    of_table = np.array([test(name) for name in reading.trace.tables], bool)
    if of_table.all() or not of_table.any():
        return np.full(reading.index.slots, bool(of_table.any()))
    return of_table[reading.trace.table[reading.index.slot_item]]


def kept_by(reading: Reading, part: str) -> Bools:
    """For each slot whether its version is a row of a part of the surface when the trace is over."""
    index, surface = reading.index, recovery(tuple(reading.trace.surface))
    here = of_tables(reading, partial(surface.keeps, part))
    if part != "closed" and index.slots:
        here = here & np.append(index.slot_item[1:] != index.slot_item[:-1], True)
    return here & reading.trace.row[index.slot_version]


def keeper(reading: Reading) -> Ints:
    """For each slot the number of the first part that keeps its version, NOWHERE without."""
    out = full(reading.index.slots, NOWHERE)
    for number in reversed(range(NOWHERE)):
        out[kept_by(reading, SURFACE_PARTS[number])] = number
    return out


def overwritten(reading: Reading) -> tuple[Ints, Ints]:
    """The slots of fact versions behind which another is installed, and of each the number of the first part that keeps
    it or a row ⪰ it; found once.

    A version without a provenance has a variable of its own: only itself is ⪰ it.
    """
    return reading.once(_overwritten)


def _overwritten(reading: Reading) -> tuple[Ints, Ints]:
    index, trace = reading.index, reading.trace
    if not index.slots:
        return full(0, 0), full(0, 0)
    facts = of_tables(reading, recovery(tuple(trace.surface)).of_facts) & trace.row[index.slot_version]
    slots = where(facts & np.append(index.slot_item[1:] == index.slot_item[:-1], False))
    first = reading.once(keeper)
    said = _said(reading, first, ints(trace.prov[index.slot_version[slots]]))
    return slots, np.minimum(first[slots], said)


def _said(reading: Reading, first: Ints, asked: Ints) -> Ints:
    """For provenances (numbers, -1: none) the first part that keeps a row ⪰ each."""
    trace = reading.trace
    prov = ints(trace.prov)[reading.index.slot_version]
    names = trace.provenances
    said = full(len(names) + 1, NOWHERE)  # in the last place that of -1: a variable of its own, which no row says
    stated = np.flatnonzero((prov >= 0) & (first < NOWHERE))
    lower_to(said, prov[stated], first[stated])
    # What no current row says itself may be part of what one says; 0 is part of what every row says, stated or not.
    open_ = [number for number in distinct(asked[asked >= 0]).tolist() if said[number] > 0]
    if open_:
        rows = {names[number]: int(said[number]) for number in np.flatnonzero(said < NOWHERE).tolist()}
        least = int(first.min(initial=NOWHERE))
        said[open_] = first_above([names[number] for number in open_], rows, least)
    return said[asked]


def first_above(asked: Sequence[str], rows: Mapping[str, int], least: int) -> list[int]:
    """For each text the first part (`rows`: the texts that are kept, by their first part) with one ⪰ it; of 0 `least`.

    Only rows that have the rarest monomial of a text are compared with it, and each text is read once.
    """
    polynomials = [terms(text) for text in asked]
    wanted = {monomial for polynomial in polynomials for monomial in polynomial}
    holding: dict[frozenset[str], list[tuple[int, Terms]]] = {}
    for text, part in rows.items():
        row = {monomial: coefficient for monomial, coefficient in terms(text).items() if monomial in wanted}
        for monomial in row:
            holding.setdefault(monomial, []).append((part, row))
    found = []
    for polynomial in polynomials:
        near = min((holding.get(monomial, []) for monomial in polynomial), key=len, default=[])
        above = (part for part, row in near if all(row.get(m, 0) >= count for m, count in polynomial.items()))
        found.append(min(above, default=NOWHERE) if polynomial else least)
    return found
