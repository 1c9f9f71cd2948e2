"""Audit erasure, N3: fact versions that were overwritten, and no kept row has a provenance ⪰ theirs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from ...relations.provenance import all_above, terms
from ...relations.surface import recovery
from .arrays import Bools, Ints, distinct, ints
from .found import Found, found
from .reading import Reading, decides


def _tables(reading: Reading, test: Callable[[str], bool]) -> Bools:
    """For each slot whether its item's table passes a test of names."""
    of_table = np.array([test(name) for name in reading.trace.tables], bool)
    if of_table.all() or not of_table.any():
        return np.full(reading.index.slots, bool(of_table.any()))
    return of_table[reading.trace.table[reading.index.slot_item]]


def _kept(reading: Reading, parts: tuple[str, ...]) -> Bools:
    """For each slot whether its version is a row of one of the parts when the trace is over."""
    index, surface = reading.index, recovery(tuple(reading.trace.surface))
    last = np.append(index.slot_item[1:] != index.slot_item[:-1], True)
    out = np.zeros(index.slots, bool)
    for part in parts:
        here = _tables(reading, partial(surface.keeps, part))
        out |= here if part == "closed" else here & last
    return out & reading.trace.row[index.slot_version]


def erased(reading: Reading, parts: tuple[str, ...]) -> Found | None:
    """A fact version behind which another is installed, and that no row of these parts dominates.

    A version without a provenance has a variable of its own: only itself dominates it. Of the others, texts are
    compared, each different one once, with those of kept rows that share a monomial.
    """
    index, surface = reading.index, recovery(tuple(reading.trace.surface))
    if not index.slots:
        return None
    version = index.slot_version
    overwritten = np.append(index.slot_item[1:] == index.slot_item[:-1], False)
    facts = _tables(reading, surface.of_facts) & reading.trace.row[version] & overwritten
    kept = _kept(reading, parts)
    prov = ints(reading.trace.prov)[version]
    lost = facts & ~kept  # what is kept dominates itself
    # Rows of logs of votes are neither kept nor facts, so none of them is compared.
    at = np.flatnonzero(lost & ~_dominated(reading, kept, lost, prov)[prov])
    if not len(at):
        return None
    # The last version of the item, too: without it, that one's predecessor would be a current row.
    last = index.item_slots[index.slot_item[at[0]] + 1] - 1
    return found(*index.slot_access[[at[0], at[0] + 1, last]])


def _dominated(reading: Reading, kept: Bools, lost: Bools, prov: Ints) -> Bools:
    """By number of a text, whether a kept row is ⪰ it; False in the last place, which is that of -1: no text."""
    names = reading.trace.provenances
    held = {names[number] for number in distinct(prov[kept & (prov >= 0)])}
    asked = [int(number) for number in distinct(prov[lost & (prov >= 0)])]
    above = all_above({*held, *(names[number] for number in asked)}) if asked else {}
    dominated = np.zeros(len(names) + 1, bool)
    for number in asked:
        text = names[number]
        # 0 is ⪯ every provenance, that of a kept row without one, too.
        dominated[number] = any(other in held for other in above[text]) or (not terms(text) and bool(kept.any()))
    return dominated


@decides("N3[current]")
def n3_current(reading: Reading) -> Found | None:
    """Current rows."""
    return erased(reading, ("current",))


@decides("N3[closed]")
def n3_closed(reading: Reading) -> Found | None:
    """Closed rows too."""
    return erased(reading, ("current", "closed"))


@decides("N3[history]")
def n3_history(reading: Reading) -> Found | None:
    """The history log too."""
    return erased(reading, ("current", "closed", "history"))


@decides("N3[audit]")
def n3_audit(reading: Reading) -> Found | None:
    """Audit rows too: all that the store keeps."""
    return erased(reading, ("current", "closed", "history", "audit"))


@decides("N3")
def n3(reading: Reading) -> Found | None:
    """N3[audit] by another name."""
    return reading.present("N3[audit]")
