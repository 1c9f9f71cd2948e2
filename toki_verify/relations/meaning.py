"""What each base relation means over a schedule: one small method per name of `base.VOCABULARY`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from itertools import count

from ..events import INIT, Item, Judge, Schedule, Write, WriteKind
from .accesses import Access
from .base import VOCABULARY
from .bits import Rows
from .judge_log import log_rows
from .provenance import Below, all_above, below, variables
from .surface import LOGS, Recovery, recovery, stated_rows


class Meaning:
    """Rows of every base relation over the accesses of one schedule, computed when asked for."""

    def __init__(self, schedule: Schedule, accesses: list[Access], order: Below = below) -> None:
        self.schedule, self.accesses, self.below = schedule, accesses, order
        self.resolved = schedule.resolved
        self.events = schedule.events
        self.writes = {a.event: i for i, a in enumerate(accesses) if a.kind == "W"}
        self.initials = {a.item: i for i, a in enumerate(accesses) if a.kind == "I"}
        self.writers = {event.txn for event in schedule.events if isinstance(event, Write)}
        self.txn_index = {txn: i for i, txn in enumerate(self.resolved.txns)}

    def rows(self, name: str) -> Rows:
        """The rows of a base relation; a set is a subset of the identity."""
        if name in VOCABULARY and VOCABULARY[name][1]:
            test: Callable[..., bool] = getattr(self, name)
            domain = self.resolved.txns if name == "writer" else self.accesses
            return [1 << i if test(member) else 0 for i, member in enumerate(domain)]
        relation: Callable[[], Rows] = getattr(self, name)
        return relation()

    # -- sets ----------------------------------------------------------------------------------------------------
    def item_read(self, a: Access) -> bool:
        return a.kind in "RM"

    def matched(self, a: Access) -> bool:
        return a.kind == "M"

    def unmatched(self, a: Access) -> bool:
        return a.kind == "N"

    def write(self, a: Access) -> bool:
        return a.kind == "W"

    def initial(self, a: Access) -> bool:
        return a.kind == "I"

    def judge(self, a: Access) -> bool:
        return a.kind == "J"

    def callback(self, a: Access) -> bool:
        return a.kind == "K"

    def committed(self, a: Access) -> bool:
        return a.txn is None or a.txn in self.resolved.committed

    def aborted(self, a: Access) -> bool:
        return a.txn in self.resolved.aborted

    def final(self, a: Access) -> bool:
        return a.kind == "I" or a.event in self.resolved.final

    def installed(self, a: Access) -> bool:
        return a.kind == "I" or (a.event in self.resolved.final and self.committed(a))

    def by_await(self, a: Access) -> bool:
        event = self.events[a.event] if a.kind == "W" else None
        return isinstance(event, Write) and event.operator == "await"

    def partition_final(self, a: Access) -> bool:
        return a.kind == "W" and a.event in self._last_in_partition

    def log_fill(self, a: Access) -> bool:
        return a.kind == "J" and self._log_rows[a.event] is None

    @cached_property
    def _log_rows(self) -> dict[int, int | None]:
        return log_rows(self.schedule)

    @cached_property
    def _last_in_partition(self) -> set[int]:
        last: dict[Hashable, int] = {}
        for a in self.accesses:
            partition = self.schedule.partitions.get(a.item) if a.kind == "W" and a.item is not None else None
            if partition is not None and a.txn in self.resolved.committed:
                last[a.txn, partition] = a.event
        return set(last.values())

    def writer(self, txn: str) -> bool:
        return txn in self.writers

    def of_txn(self) -> Rows:
        return [0 if a.txn is None else 1 << self.txn_index[a.txn] for a in self.accesses]

    # -- what is left when the schedule is over ---------------------------------------------------------------------
    def _row(self, a: Access) -> bool:
        """Whether a version holds a row: a delete leaves none, and of some initial versions nothing is known."""
        if a.kind == "I":
            return a.item in self._stated
        event = self.events[a.event] if a.kind == "W" else None
        return isinstance(event, Write) and event.kind is not WriteKind.DELETE

    @cached_property
    def _stated(self) -> frozenset[Item]:
        return stated_rows(self.schedule)

    @cached_property
    def _surface(self) -> Recovery:
        return recovery(self.schedule.surface)

    def fact(self, a: Access) -> bool:
        return a.item is not None and self._surface.of_facts(a.item.table) and self._row(a)

    def _kept(self, part: str, a: Access) -> bool:
        return (
            a.item is not None
            and self._surface.keeps(part, a.item.table)
            and self._row(a)
            and self.installed(a)
            and (part == "closed" or a.event == (self.resolved.order.get(a.item) or [INIT])[-1])
        )

    def kept_current(self, a: Access) -> bool:
        return self._kept("current", a)

    def kept_closed(self, a: Access) -> bool:
        return self._kept("closed", a)

    def kept_history(self, a: Access) -> bool:
        return self._kept("history", a)

    def kept_audit(self, a: Access) -> bool:
        return self._kept("audit", a)

    def _provenance(self, a: Access) -> str | None:
        if a.kind == "I":
            about = self.schedule.init.get(a.item) if a.item is not None else None
            return None if about is None else about.prov
        event = self.events[a.event]
        return event.prov if isinstance(event, Write) else None

    def dominated_by(self) -> Rows:
        stated = {
            i: self._provenance(a)
            for i, a in enumerate(self.accesses)
            if a.kind in "WI" and a.item is not None and a.item.table not in LOGS
        }
        taken = frozenset[str]().union(*(variables(text) for text in stated.values() if text is not None))
        fresh = (name for name in (f"fresh{number}" for number in count(1)) if name not in taken)
        texts = {i: next(fresh) if text is None else text for i, text in stated.items()}
        versions: dict[str, int] = {}
        for i, text in texts.items():
            versions[text] = versions.get(text, 0) | 1 << i
        above = {
            text: sum(versions[other] for other in others) for text, others in all_above(versions, self.below).items()
        }
        return [above[texts[i]] if i in texts else 0 for i in range(len(self.accesses))]

    # -- equivalences ----------------------------------------------------------------------------------------------
    def _classes(self, key: Callable[[int, Access], Hashable | None]) -> Rows:
        keys = [key(i, a) for i, a in enumerate(self.accesses)]
        masks: dict[Hashable, int] = {}
        for i, found in enumerate(keys):
            if found is not None:
                masks[found] = masks.get(found, 0) | 1 << i
        return [0 if found is None else masks[found] for found in keys]

    def same_txn(self) -> Rows:
        return self._classes(lambda i, a: ("txn", a.txn))

    def same_item(self) -> Rows:
        return self._classes(lambda i, a: a.item)

    def same_event(self) -> Rows:
        return self._classes(lambda i, a: ("initial", i) if a.event == INIT else a.event)

    def same_partition(self) -> Rows:
        return self._classes(lambda i, a: None if a.item is None else self.schedule.partitions.get(a.item))

    def same_predicate(self) -> Rows:
        return self._classes(lambda i, a: a.predicate)

    def _judge(self, a: Access) -> Judge | None:
        event = self.events[a.event] if a.kind == "J" else None
        return event if isinstance(event, Judge) else None

    def same_key(self) -> Rows:
        def key(i: int, a: Access) -> Hashable | None:
            event = self._judge(a)
            return None if event is None else event.key

        return self._classes(key)

    def _judges(self, related: Callable[[Judge, Judge], bool]) -> Rows:
        events = [self._judge(a) for a in self.accesses]
        calls = [(i, event) for i, event in enumerate(events) if event is not None]
        out = [0] * len(events)
        for i, one in calls:
            for j, other in calls:
                if i != j and related(one, other):
                    out[i] |= 1 << j
        return out

    def other_vote(self) -> Rows:
        return self._judges(lambda a, b: a.vote is not None and b.vote is not None and a.vote != b.vote)

    def unknown_vote(self) -> Rows:
        return self._judges(lambda a, b: a.vote is None or b.vote is None)

    # -- order -----------------------------------------------------------------------------------------------------
    def _later_than(self, limit: Callable[[Access], int | None]) -> Rows:
        """Rows of "the other's event stands after `limit` of the one" (None: never)."""
        suffix = [0] * (len(self.events) + 1)
        for i, a in enumerate(self.accesses):
            if a.event != INIT:
                suffix[a.event] |= 1 << i
        for position in range(len(self.events) - 1, -1, -1):
            suffix[position] |= suffix[position + 1]
        out = []
        for a in self.accesses:
            found = limit(a)
            out.append(0 if found is None else suffix[found + 1])
        return out

    def before(self) -> Rows:
        return self._later_than(lambda a: a.event)

    def ended_before(self) -> Rows:
        return self._later_than(lambda a: INIT if a.txn is None else self.resolved.end.get(a.txn))

    def committed_before(self) -> Rows:
        return self._later_than(
            lambda a: INIT if a.txn is None else self.resolved.end[a.txn] if a.txn in self.resolved.committed else None
        )

    # -- versions ----------------------------------------------------------------------------------------------------
    def _source(self, a: Access) -> int | None:
        return self.initials.get(a.item) if a.seen == INIT else self.writes.get(a.seen if a.seen is not None else -2)

    def _from(self, kinds: str) -> Rows:
        out = [0] * len(self.accesses)
        for i, a in enumerate(self.accesses):
            source = self._source(a) if a.kind in kinds else None
            if source is not None:
                out[source] |= 1 << i
        return out

    def reads_from(self) -> Rows:
        return self._from("RM")

    def row_from(self) -> Rows:
        return self._from("MN")

    def version_order(self) -> Rows:
        out = [0] * len(self.accesses)
        for item, first in self.initials.items():
            assert item is not None
            later = 0
            for write in reversed(self.resolved.order.get(item, [])):
                out[self.writes[write]] = later
                later |= 1 << self.writes[write]
            out[first] = later
        return out

    def matches(self) -> Rows:
        by_item: dict[Hashable, list[int]] = {}
        for i, a in enumerate(self.accesses):
            if a.kind in "WI":
                by_item.setdefault(a.item, []).append(i)
        return [
            0
            if a.predicate is None
            else _mask(i for i in by_item.get(a.item, ()) if self._matches(self.accesses[i], a))
            for a in self.accesses
        ]

    def _matches(self, version: Access, row: Access) -> bool:
        assert row.predicate is not None and row.item is not None
        if version.kind == "I":
            return (row.item, row.predicate) in self.resolved.initial_matches
        event = self.events[version.event]
        assert isinstance(event, Write)
        return event.matches(row.predicate)

    # -- transactions ------------------------------------------------------------------------------------------------
    def session(self) -> Rows:
        out = [0] * len(self.resolved.txns)
        for members in self.schedule.sessions.values():
            later = 0
            for txn in reversed([txn for txn in members if txn in self.resolved.committed]):
                out[self.txn_index[txn]] = later
                later |= 1 << self.txn_index[txn]
        return out

    def _before_masks(self, place: Mapping[str, int]) -> list[int]:
        """For each position, the transactions whose place stands before it."""
        at = [0] * (len(self.events) + 1)
        for txn, position in place.items():
            at[position + 1] |= 1 << self.txn_index[txn]
        for position in range(1, len(at)):
            at[position] |= at[position - 1]
        return at

    def start(self) -> Rows:
        resolved = self.resolved
        started = self._before_masks(resolved.start)
        committed = _mask(self.txn_index[txn] for txn in resolved.committed)
        return [committed & ~started[resolved.end[t] + 1] if t in resolved.committed else 0 for t in resolved.txns]

    def concurrent(self) -> Rows:
        resolved = self.resolved
        started, ended = self._before_masks(resolved.start), self._before_masks(resolved.end)
        last = len(self.events)
        return [
            started[resolved.end.get(t, last)] & ~ended[resolved.start[t]] & ~(1 << i)
            for i, t in enumerate(resolved.txns)
        ]


def _mask(positions: Iterable[int]) -> int:
    found = 0
    for position in positions:
        found |= 1 << position
    return found
