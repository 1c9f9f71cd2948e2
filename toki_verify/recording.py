"""What a reader should know though no rule forbids it: the ways in which a recording goes wrong in silence."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches

from .events import INIT, Begin, Event, Read, Schedule, Write
from .events.types import KNOWN_KEYS
from .events.values import shown
from .explain.words import txn_name
from .levels.lattice import Level
from .notation.names import item_text
from .relations.accesses import accesses_of
from .relations.formulas import Formula, Region, Within, children
from .relations.terms import Term

_NAMES = {"b": "begin", "c": "commit", "a": "abort", "r": "read", "w": "write", "j": "judge call", "cb": "callback"}
_ALIKE = 0.75


def warnings_of(schedule: Schedule, level: Level | None = None) -> list[str]:
    """Values read that the version seen does not have; unknown keys that look like known ones; transactions that do not
    end (where nothing is expected of the schedule); pins of the declared level that cover no access."""
    found = [*_values(schedule), *_keys(schedule)]
    if not schedule.expect:
        found += _unfinished(schedule)
    if level is not None:
        found += _pins(schedule, level)
    return found


def _values(schedule: Schedule) -> Iterator[str]:
    stated: dict[object, str] = {item: initial.value for item, initial in schedule.init.items() if initial.value}
    for position, event in enumerate(schedule.events):
        if not isinstance(event, Read) or event.value is None:
            continue
        seen = schedule.resolved.saw[position]
        source = schedule.events[seen] if seen != INIT else None
        value = source.value if isinstance(source, Write) else stated.setdefault(event.item, event.value)
        if value is not None and value != event.value:
            name = item_text(event.item, schedule.partitions.get(event.item))
            yield (
                f"event {position}: {txn_name(event.txn)} read {name} = {shown(event.value)}, but the version it "
                f"saw has the value {shown(value)}"
            )


def _keys(schedule: Schedule) -> Iterator[str]:
    told: set[tuple[str, str]] = set()
    for position, event in enumerate(schedule.events):
        for key, _ in event.extra:
            hint = _hint(event, key)
            if hint and (event.op, key) not in told:
                told.add((event.op, key))
                yield f"event {position}: the key {key!r} of a {_NAMES[event.op]} is kept and not read{hint}"


def _hint(event: Event, key: str) -> str:
    """What a key was perhaps meant to be: one that this event reads, or one that belongs to another event."""
    mine = [known for known, ops in KNOWN_KEYS.items() if event.op in ops]
    best = max(mine, key=lambda known: _likeness(key, known))
    if _likeness(key, best) >= _ALIKE:
        return f"; did you mean {best!r}?"
    if key in KNOWN_KEYS:
        return ": it belongs to a " + " or ".join(name for op, name in _NAMES.items() if op in KNOWN_KEYS[key])
    return ""


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _unfinished(schedule: Schedule) -> Iterator[str]:
    ended = schedule.resolved.end
    open_ = [txn for txn in schedule.resolved.txns if txn not in ended]
    busy = {event.txn for event in schedule.events if not isinstance(event, Begin)}
    works = [txn for txn in open_ if txn in busy]
    if works:
        names = ", ".join(map(txn_name, works[:5])) + (f" and {len(works) - 5} more" if len(works) > 5 else "")
        verb = "has" if len(works) == 1 else "have"
        yield f"{names} {verb} neither commit nor abort: uncommitted, so no conflict edge leads there"


def _pins(schedule: Schedule, level: Level) -> Iterator[str]:
    for region in _regions(level.formula):
        if all(access.item is None for access in accesses_of(schedule, region)):
            place = region.table or "partition({},{})".format(*(region.partition or ("", "")))
            tables = sorted({item.table for item in schedule.resolved.items})
            near = get_close_matches(region.table or "", tables, n=1, cutoff=0.5)
            hint = f"; did you mean @{near[0]}?" if near else ""
            lack = "so that part of the level holds for lack of any"
            yield f"the pin @{place} covers no access of this schedule, {lack}{hint}"


def _regions(node: Formula | Term) -> Iterator[Region]:
    if isinstance(node, Within):
        yield node.region
    elif isinstance(node, Formula):
        for child in children(node):
            yield from _regions(child)
