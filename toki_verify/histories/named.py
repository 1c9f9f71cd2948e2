"""What the smallest part behind a refuted level is called in the literature: the phenomena of the catalogue that it
shows, as far as a history can say.

A history says who read what, in which order versions were installed, and what sessions are. It does not say how the
events of its transactions lay between each other: a phenomenon whose formula asks for that is not named.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ..events import Schedule
from ..phenomena.catalogue import catalogue
from ..phenomena.implications import IMPLICATIONS
from ..relations.base import VOCABULARY
from ..relations.concrete import Concrete
from ..search.features import mentions

#: The relations and sets of which a history says something.
_SAID: Final = frozenset(
    (
        *("item_read", "write", "initial", "committed", "aborted", "installed", "final"),
        *("same_txn", "same_item", "same_event", "of_txn", "writer", "session", "reads_from", "version_order"),
        # There is none of these in a history.
        *("matched", "unmatched", "row_from", "matches", "same_predicate"),
    )
)
#: Schedules of more events are not named: the concrete reading takes longer than linear time.
EVENTS: Final = 120
#: Classes of dependency cycles (Adya 1999): of a part each user of Elle asks which it is.
_CLASSES: Final = ("G0", "G1c", "G-single", "G-nonadjacent", "G2-item", "G2")


@cache
def namable() -> tuple[str, ...]:
    """The phenomena that a history can show: anomalies by themselves, of formulas about what it says."""
    unknown = set(VOCABULARY) - _SAID
    return tuple(
        entry.id
        for entry in catalogue().values()
        if not entry.pattern and not entry.annotated and not mentions(entry.formula)[0] & unknown
    )


def phenomena_of(schedule: Schedule) -> tuple[str, ...]:
    """The phenomena that a schedule of a history shows, in the order of the catalogue; none of a long one."""
    if len(schedule) > EVENTS:
        return ()
    concrete = Concrete(schedule)
    return tuple(name for name in namable() if concrete.holds(catalogue()[name].formula))


def telling(names: tuple[str, ...]) -> tuple[str, ...]:
    """Of phenomena those that no other one of them implies, one reading of each, and the narrowest class of cycles."""
    implied = {
        one.implied for one in IMPLICATIONS if one.at is None and one.present in names and one.present != one.implied
    }
    classes = [name for name in _CLASSES if name in names][:1]
    readings = {name for name in names if catalogue()[name].base_id != name and catalogue()[name].base_id in names}
    own = [name for name in names if name not in implied and name not in readings and name not in _CLASSES]
    return (*own, *classes)


def in_words(names: tuple[str, ...]) -> str:
    """What is telling, as people read it: `P4 (lost update), G-single`; empty where there is nothing."""
    return ", ".join(name if name in _CLASSES else f"{name} ({catalogue()[name].title})" for name in telling(names))
