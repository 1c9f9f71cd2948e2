"""What a store keeps when a schedule is over: the recovery surface of N3 (SEMANTICS §3, NOTATION "surface").

The parts are current rows, closed rows, a history log and audit rows. Current rows are part of every surface; on a
`surface` line `current:T` restricts them to table T. `closed` says that a version which was overwritten or deleted
stays as a closed row (of table T: `closed:T`), as in a system-versioned table. `history:T` and `audit:T` name tables
whose rows at the end are entries of the log or audit rows; without a table they are the tables of these names. Without
a `surface` line the store keeps current rows, and tables called history and audit. Rows of the two logs of the bridge
(`judge_log`, `callback_log`) are neither facts nor of any part: they hold votes and winners.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from ..events import SURFACE_PARTS, Item, Schedule, Surface, Write, WriteKind

#: The parts that are tables of their own.
RECORDS = ("history", "audit")
#: Tables whose rows are votes and winners, which have no provenance to compare, whatever a `surface` line says.
LOGS = frozenset({"judge_log", "callback_log"})
#: Tables whose rows are no facts, whatever a `surface` line says.
NO_FACTS = LOGS | frozenset(RECORDS)
DEFAULT: tuple[Surface, ...] = (Surface("current"), Surface("history"), Surface("audit"))


@dataclass(frozen=True)
class Recovery:
    """What a `surface` line says: per part the tables it is kept in (None: of facts every one; a part that the store
    does not keep is missing), and which tables hold no facts."""

    tables: Mapping[str, frozenset[str] | None]
    no_facts: frozenset[str] = field(default=NO_FACTS)

    def of_facts(self, table: str) -> bool:
        """Whether the rows of a table are facts."""
        return table not in self.no_facts

    def keeps(self, part: str, table: str) -> bool:
        """Whether rows of a table are rows of a part."""
        if part not in self.tables or table in LOGS or self.of_facts(table) is (part in RECORDS):
            return False
        named = self.tables[part]
        return named is None or table in named


@cache
def recovery(surface: tuple[Surface, ...]) -> Recovery:
    """What the parts of a `surface` line say; () is a schedule without one."""
    stated = surface or DEFAULT
    tables: dict[str, frozenset[str] | None] = {"current": None}
    for part in SURFACE_PARTS:
        named = [entry.table or (part if part in RECORDS else None) for entry in stated if entry.part == part]
        if named:
            tables[part] = None if None in named else frozenset(table for table in named if table is not None)
    records = frozenset[str]().union(*(tables.get(part) or () for part in RECORDS))
    return Recovery(tables, NO_FACTS | records)


def stated_rows(schedule: Schedule) -> frozenset[Item]:
    """The items whose version 0 is a row: an `init` line or a predicate read that lists it says so, or an item read saw
    it and the first installed version does not insert the row. Of another item nobody knows whether it was there."""
    resolved, events = schedule.resolved, schedule.events
    found = {*schedule.init, *(item for item, _ in resolved.initial_matches)}
    for position, seen in resolved.saw.items():
        item = getattr(events[position], "item", None)
        if seen < 0 and isinstance(item, Item):
            first = next((events[write] for write in resolved.order.get(item, ())), None)
            if not (isinstance(first, Write) and first.kind is WriteKind.INSERT):
                found.add(item)
    return frozenset(found)


def speaks_of_recovery(schedule: Schedule) -> bool:
    """Whether a schedule states a provenance, or what its store keeps. One that does not was not written to be judged
    by N3: without annotations every version that is overwritten is lost, whatever rows its store has beside."""
    annotations: Iterable[str | None] = (
        *(event.prov for event in schedule.events if isinstance(event, Write)),
        *(about.prov for about in schedule.init.values()),
    )
    return bool(schedule.surface) or any(prov is not None for prov in annotations)


__all__ = ["DEFAULT", "LOGS", "NO_FACTS", "RECORDS", "Recovery", "recovery", "speaks_of_recovery", "stated_rows"]
