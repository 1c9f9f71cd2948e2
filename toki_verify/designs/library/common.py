"""What the designs of the library share: one contested partition, and what each writer says about it.

Every design starts from one fact of the partition (alice, lives_in), said by the source `p0`. Writer number `me` brings
another one, said by `p{me}`, so any two writers contradict the first fact and each other (the running example of
TOKI 2026, §2, and of the recorded traces).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from ..model import Initial, row
from ..values import Row

SUBJECT: Final = "alice"
PREDICATE: Final = "lives_in"
#: The columns of a row of the partition that all writers write.
PARTITION: Final[dict[str, Any]] = {"subject": SUBJECT, "predicate": PREDICATE}
_PLACES: Final = ("LA", "NYC", "Paris", "Rome", "Oslo", "Lima", "Kyiv", "Cairo")


def place(me: int) -> str:
    """Where alice lives, according to writer `me`; 0 is what the store says at first."""
    return _PLACES[me % len(_PLACES)]


def text(me: int) -> str:
    """The same as a sentence."""
    return f"Alice lives in {place(me)}"


def first(table: str, key: str, column: str, *, whole: bool = True) -> Initial:
    """The fact that is there at first: as a sentence, or (`whole` False) its object only."""
    return row(table, key, prov="p0", **PARTITION, **{column: text(0) if whole else place(0)})


def column(rows: Iterable[Row], name: str) -> tuple[str, ...]:
    """One column of some rows: what a prompt shows of them."""
    return tuple(found[name] for found in rows)
