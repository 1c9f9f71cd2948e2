"""What is left when an unknown schedule is over: facts, the recovery surface and the order of provenances (N3).

`meaning.py` says the same of one schedule, from `surface.py` and `provenance.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .surface import LOGS
from .symbolic import Matrix
from .unknown import Values, initial_key

if TYPE_CHECKING:
    from .bounded import Bounded


def _rows(reading: Bounded) -> Values:
    """Versions that hold a row."""
    unknown, both, negate = reading.unknown, reading.booleans.both, reading.booleans.negate
    rows = {i: both(value, unknown.holds_row(reading.places[i].item)) for i, value in reading.kinds["I"].items()}
    for i, value in reading.kinds["W"].items():
        rows[i] = both(value, negate(unknown.deleted[reading.places[i].slot]))
    return rows


def facts(reading: Bounded) -> Values:
    """Versions that hold a row of a table of facts."""
    unknown = reading.unknown
    of_facts = [unknown.in_tables(item, unknown.recovery.of_facts) for item in range(unknown.items)]
    return {i: reading.booleans.both(value, of_facts[reading.places[i].item]) for i, value in _rows(reading).items()}


def kept(reading: Bounded, part: str) -> Values:
    """Versions that the store keeps as rows of a part."""
    unknown, booleans = reading.unknown, reading.booleans
    keeps = unknown.keeps.get(part, booleans.true)
    kept_in = [
        booleans.both(unknown.in_tables(item, lambda table: unknown.recovery.keeps(part, table)), keeps)
        for item in range(unknown.items)
    ]
    installed, order = reading.installed(), {} if part == "closed" else reading.version_order()
    out: Values = {}
    for i, row in _rows(reading).items():
        later = booleans.any(order.get(i, {}).values())
        out[i] = booleans.all((row, installed.get(i, 0), kept_in[reading.places[i].item], booleans.negate(later)))
    return out


def dominated_by(reading: Bounded) -> Matrix:
    """Pairs of versions, the provenance of the one ⪯ that of the other."""
    unknown, places, booleans = reading.unknown, reading.places, reading.booleans
    compared = [unknown.in_tables(item, lambda table: table not in LOGS) for item in range(unknown.items)]
    versions: Values = {}
    names: dict[int, int] = {}
    for letter in "IW":
        for i, value in reading.kinds[letter].items():
            versions[i] = booleans.both(value, compared[places[i].item])
            names[i] = initial_key(places[i].item) if letter == "I" else places[i].slot
    below, true = unknown.below, booleans.true
    return reading.pairs(versions, versions, lambda i, j: true if i == j else below.get((names[i], names[j]), 0))


__all__ = ["dominated_by", "facts", "kept"]
