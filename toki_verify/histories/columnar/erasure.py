"""Audit erasure, N3: fact versions that were overwritten, and no kept row has a provenance ⪰ theirs."""

from __future__ import annotations

from .found import Found, found
from .kept_rows import overwritten
from .reading import Reading, decides


def erased(reading: Reading, part: int) -> Found | None:
    """A version that was overwritten and that no part up to this one (a number) says."""
    slots, first = overwritten(reading)
    lost = slots[first > part]
    if not len(lost):
        return None
    # The last version of the item, too: without it, that one's predecessor would be a current row.
    index = reading.index
    last = index.item_slots[index.slot_item[lost[0]] + 1] - 1
    return found(*index.slot_access[[lost[0], lost[0] + 1, last]])


@decides("N3[current]")
def n3_current(reading: Reading) -> Found | None:
    """Current rows."""
    return erased(reading, 0)


@decides("N3[closed]")
def n3_closed(reading: Reading) -> Found | None:
    """Closed rows too."""
    return erased(reading, 1)


@decides("N3[history]")
def n3_history(reading: Reading) -> Found | None:
    """The history log too."""
    return erased(reading, 2)


@decides("N3[audit]")
def n3_audit(reading: Reading) -> Found | None:
    """Audit rows too: all that the store keeps."""
    return erased(reading, 3)


@decides("N3")
def n3(reading: Reading) -> Found | None:
    """N3[audit] by another name."""
    return reading.present("N3[audit]")
