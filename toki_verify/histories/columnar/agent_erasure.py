"""N3 of a whole trace: how many fact versions were overwritten, how many of them no kept row says any more.

What is asked of each version is which part of the surface says it first (`kept_rows.py`). On a trace N3 has one facet,
the source provenance: what else a row says of what was lost (content, winner link, decision record) is asked of designs
and stores.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ...events import SURFACE_PARTS
from ...relations.provenance import below, terms
from .arrays import Ints, ints, wide
from .kept_rows import keeper, overwritten
from .reading import Reading

#: The facet of N3 that a trace can be asked (the words of `stores/facets.py`).
FACET: Final = "source provenance"


@dataclass(frozen=True)
class Kept:
    """How many rows a part of the surface has in one table when the trace is over."""

    part: str
    table: str
    rows: int


@dataclass(frozen=True)
class ErasedVersion:
    """A fact version that was overwritten and that no row dominates: its item, label and provenance (None: none
    stated); its writer (None: the initial state) and who overwrote it, or deleted it.

    Who overwrote it may have kept its source. `dropped_by` wrote the first version of the item behind it, in version
    order, that does not say it any more: a deletion, or a row whose provenance is not ⪰ its own (where it states none,
    the next one). None: every later version of the item says it, and no part of the surface keeps them. `written`,
    `overwritten` and `dropped` are the events of the three writes, `lines` their lines (None: no file, no write)."""

    item: object
    version: str
    provenance: str | None
    writer: str | None
    overwriter: str
    deleted: bool
    written: int | None
    overwritten: int
    dropped_by: str | None
    dropped: int | None
    lines: tuple[int | None, int | None, int | None]


@dataclass(frozen=True)
class TableErasure:
    """Of one table of facts: versions that were overwritten, and those of them that are erased."""

    table: str
    overwritten: int
    erased: int


@dataclass(frozen=True)
class SurfaceErasure:
    """N3 on one surface, of which `part` is the last part (`N3[part]`). `first` are the versions that were overwritten
    first of those erased; `tables` are those with overwritten versions, most erased ones first."""

    part: str
    overwritten: int
    erased: int
    tables: tuple[TableErasure, ...]
    first: tuple[ErasedVersion, ...]

    @property
    def share(self) -> float:
        """The share of the overwritten versions that is erased (0.0: nothing was overwritten)."""
        return self.erased / self.overwritten if self.overwritten else 0.0


@dataclass(frozen=True)
class Erasure:
    """N3 by surface and table, of one facet. `annotated`: a provenance or what the store keeps is stated (where neither
    is, every version that is overwritten is erased, and N3 does not count). `kept`: what the store keeps."""

    overwritten: int
    annotated: bool
    kept: tuple[Kept, ...]
    surfaces: tuple[SurfaceErasure, ...]
    facet: str = FACET

    def surface(self, part: str) -> SurfaceErasure:
        """The surface of which a part is the last one. Raises KeyError for what is no part."""
        return dict(zip(SURFACE_PARTS, self.surfaces, strict=True))[part]


def erasure_of(reading: Reading, limit: int = 3) -> Erasure | None:
    """What was overwritten and is kept nowhere, with the first `limit` versions of each surface; None where no fact
    version was overwritten and nothing is stated of provenance or of what is kept.

    Linear, but for the sort of the versions, and for comparing each different text of a provenance once.
    """
    index, trace = reading.index, reading.trace
    annotated = bool((trace.prov >= 0).any() or trace.surface)
    slots, level = overwritten(reading)
    if not len(slots) and not annotated:
        return None
    kept = _kept(reading)
    table = ints(trace.table[index.slot_item[slots]])
    # As they were overwritten: a write overwrites one version.
    by_time = np.argsort(index.slot_event[slots + 1], kind="stable") if len(slots) else slots
    surfaces = []
    for number, part in enumerate(SURFACE_PARTS):
        lost = level > number
        first = slots[by_time[lost[by_time]][: max(limit, 0)]]
        surfaces.append(
            SurfaceErasure(
                part,
                len(slots),
                int(lost.sum()),
                _by_table(reading, table, table[lost]),
                tuple(_version(reading, slot) for slot in first.tolist()),
            )
        )
    return Erasure(len(slots), annotated, kept, tuple(surfaces))


def _kept(reading: Reading) -> tuple[Kept, ...]:
    """By part and table the rows that no part before keeps."""
    index, trace = reading.index, reading.trace
    first, kept = reading.once(keeper), []
    for number, part in enumerate(SURFACE_PARTS if index.slots else ()):
        rows = np.bincount(trace.table[index.slot_item[first == number]], minlength=len(trace.tables))
        kept += [Kept(part, trace.tables[table], int(rows[table])) for table in np.flatnonzero(rows).tolist()]
    return tuple(kept)


def _by_table(reading: Reading, overwritten: Ints, erased: Ints) -> tuple[TableErasure, ...]:
    names = reading.trace.tables
    every = np.bincount(overwritten, minlength=len(names))
    lost = np.bincount(erased, minlength=len(names))
    some = np.flatnonzero(every)
    some = some[np.lexsort((-wide(every[some]), -wide(lost[some])))]
    return tuple(TableErasure(names[table], int(every[table]), int(lost[table])) for table in some.tolist())


def _dropping(reading: Reading, slot: int) -> int | None:
    """The write of the first version of the item behind a slot that does not say its source; None: each says it."""
    index, trace = reading.index, reading.trace
    prov = int(trace.prov[index.slot_version[slot]])
    for behind in range(slot + 1, int(index.item_slots[index.slot_item[slot] + 1])):
        version = int(index.slot_version[behind])
        if prov < 0 or not trace.row[version] or not _says(reading, int(trace.prov[version]), prov):
            return int(trace.writer[version])
    return None


def _says(reading: Reading, row: int, asked: int) -> bool:
    """Whether a provenance (-1: none is stated, a variable of its own) is ⪰ one that is stated."""
    names = reading.trace.provenances
    return below(names[asked], names[row]) if row >= 0 else not terms(names[asked])


def _version(reading: Reading, slot: int) -> ErasedVersion:
    index, trace = reading.index, reading.trace
    version, following = int(index.slot_version[slot]), int(index.slot_version[slot + 1])
    write, over = int(trace.writer[version]), int(trace.writer[following])
    dropping = _dropping(reading, slot)
    prov = int(trace.prov[version])

    def line(access: int | None) -> int | None:
        return None if access is None or access < 0 or trace.line is None else int(trace.line[access])

    return ErasedVersion(
        item=trace.items[int(trace.version_item[version])],
        version=trace.labels[version],
        provenance=None if prov < 0 else trace.provenances[prov],
        writer=None if write < 0 else trace.transactions[int(trace.txn[write])],
        overwriter=trace.transactions[int(trace.txn[over])],
        deleted=not bool(trace.row[following]),
        written=None if write < 0 else int(trace.event[write]),
        overwritten=int(trace.event[over]),
        dropped_by=None if dropping is None else trace.transactions[int(trace.txn[dropping])],
        dropped=None if dropping is None else int(trace.event[dropping]),
        lines=(line(write), line(over), line(dropping)),
    )
