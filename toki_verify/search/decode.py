"""From a model of a frame to the schedule it is, and schedules up to renaming."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import count

from ..events import (
    DEFAULT_TABLE,
    INITIAL,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    InitialVersion,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Schedule,
    Write,
    WriteKind,
)
from ..relations.unknown import INITIAL_VERSION, Values, initial_key
from .frame_erasure import surface_of
from .frames import FrameCircuit

THETA = '"theta"'
ITEMS = "xyzuvpqst"


def item_name(place: int) -> str:
    """x y z u v p q s t, then x10, x11 …"""
    return ITEMS[place] if place < len(ITEMS) else f"x{place + 1}"


def predicate_name(place: int) -> str:
    """P Q S U, then P5, P6 …"""
    return "PQSU"[place] if place < 4 else f"P{place + 1}"


class Decoder:
    """Names everything by its first place in the order of events, so that the text is canonical."""

    def __init__(self, frame: FrameCircuit, holds: Callable[[int], bool]) -> None:
        self.frame, self.unknown, self.holds = frame, frame.unknown, holds
        moments = range(len(frame.moments))
        place = {m: sum(holds(frame.order[other][m]) for other in moments if other != m) for m in moments}
        #: The moments in the order of events: the moment of each position.
        self.moments = sorted(moments, key=lambda m: place[m])
        self.txns: dict[int, str] = {}
        self.items: dict[int, Item] = {}
        self.labels: dict[int, str] = {}
        self.written: dict[int, int] = {}
        self.predicates: dict[int, str] = {}
        self.keys: dict[int, str] = {}
        self.variables: dict[int, int] = {}

    def one(self, values: Values) -> int | None:
        """The name that holds."""
        return next((name for name, value in values.items() if self.holds(value)), None)

    def item(self, number: int) -> Item:
        if number not in self.items:
            at = self.one(self.unknown.table[number])
            table = DEFAULT_TABLE if at is None else self.unknown.tables[at]
            self.items[number] = Item(table, item_name(len(self.items)))
        return self.items[number]

    def version(self, slot: int, item: int) -> str:
        source = self.one(self.unknown.seen[slot][item])
        assert source is not None
        return INITIAL if source == INITIAL_VERSION else self.labels[source]

    def predicate(self, number: int) -> Predicate:
        name = self.predicates.setdefault(number, predicate_name(len(self.predicates)))
        at = self.one(self.frame.predicate_table[number])
        return Predicate(DEFAULT_TABLE if at is None else self.unknown.tables[at], name)

    def event(self, moment: int) -> Event:
        t, _ = self.frame.moments[moment]
        txn = self.txns.setdefault(t, str(len(self.txns) + 1))
        if moment == self.frame.end_moment[t]:
            return Commit(txn) if self.holds(self.unknown.committed[t]) else Abort(txn)
        slot = self.frame.moment_of.index(moment)
        unknown = self.unknown
        item = self.one(unknown.read[slot])
        if item is not None:
            return Read(txn, self.item(item), self.version(slot, item))
        item = self.one(unknown.write[slot])
        if item is not None:
            self.written[item] = self.written.get(item, 0) + 1
            self.labels[slot] = str(self.written[item])
            inside = tuple(self.predicate(p).name for p, v in unknown.in_predicate[slot].items() if self.holds(v))
            operator = "await" if self.holds(unknown.by_await[slot]) else None
            kind = WriteKind.INSERT if self.holds(unknown.inserted[slot]) else WriteKind.UPDATE
            kind = WriteKind.DELETE if self.holds(unknown.deleted[slot]) else kind
            return Write(
                txn, self.item(item), self.labels[slot], None, kind, inside, self.provenance(slot), operator=operator
            )
        name = self.one(unknown.predicate[slot])
        if name is not None:
            return self.rows(txn, slot, name)
        if self.holds(unknown.judge[slot]):
            key, vote = self.one(unknown.key[slot]), self.one(unknown.vote[slot])
            assert key is not None
            reads = self.keys.setdefault(key, f"R{len(self.keys) + 1}" if self.keys else "R")
            return Judge(txn, reads, THETA, None if vote is None else str(vote))
        if self.holds(unknown.callback[slot]):
            return Callback(txn, "R", "h", 0)
        return Begin(txn)

    def provenance(self, version: int) -> str | None:
        """The sum of the variables of all versions below one, its own included; none where it is not compared."""
        near = [pair for pair, value in self.unknown.below.items() if version in pair and self.holds(value)]
        if not near:
            return None
        below = [one for one, other in near if other == version and one != version]
        names = [self.variables.setdefault(one, len(self.variables) + 1) for one in (version, *below)]
        return "+".join(f"p{number}" for number in sorted(names))

    def rows(self, txn: str, slot: int, name: int) -> PredicateRead:
        predicate = self.predicate(name)
        found: list[list[Row]] = [[], []]
        for place, table in enumerate((self.unknown.matched, self.unknown.unmatched)):
            for item, value in table[slot].items():
                if self.holds(value):
                    found[place].append(Row(self.item(item), self.version(slot, item)))
        return PredicateRead(txn, predicate, tuple(found[0]), tuple(found[1]), self.holds(self.frame.partial[slot]))

    def schedule(self) -> Schedule:
        """The schedule, without what the rules imply."""
        return tidy(self.untidied())

    def untidied(self) -> Schedule:
        """The schedule with everything that the model says of it."""
        unknown, holds = self.unknown, self.holds
        events = tuple(self.event(moment) for moment in self.moments)
        init = {}
        for number, stated in enumerate(unknown.stated):
            if holds(stated):
                self.item(number)
        for number, item in self.items.items():
            inside = [self.predicate(p).name for p, v in unknown.initial_matches[number].items() if holds(v)]
            if inside or holds(unknown.stated[number]):
                init[item] = InitialVersion(None, tuple(inside), self.provenance(initial_key(number)))
        labels = {item: self.one(unknown.partition[number]) for number, item in self.items.items()}
        names = _partition_names([label for label in labels.values() if label is not None], unknown.partitions)
        keeps = {part: holds(value) for part, value in unknown.keeps.items()}
        return Schedule(
            events,
            init=init,
            order=self.orders(),
            sessions=self.sessions(),
            partitions={item: names[label] for item, label in labels.items() if label is not None},
            surface=surface_of(keeps) if keeps else (),
        )

    def orders(self) -> dict[Item, tuple[str, ...]]:
        unknown, holds = self.unknown, self.holds
        out = {}
        for number, item in self.items.items():
            slots = [s for s in range(len(unknown.txn_of)) if holds(unknown.installed(s, number))]
            place = {s: sum(holds(unknown.order[o, s]) for o in slots if o != s) for s in slots}
            labels = tuple(self.labels[s] for s in sorted(slots, key=lambda s: place[s]))
            if list(labels) != sorted(labels, key=int):
                out[item] = labels
        return out

    def sessions(self) -> dict[str, tuple[str, ...]]:
        after = {pair for pair, value in self.unknown.session.items() if self.holds(value)}
        members = {t for pair in after for t in pair}
        chains: dict[int, list[int]] = {}
        for t in sorted(members, key=lambda t: int(self.txns[t])):
            first = next((u for u in chains if (u, t) in after or (t, u) in after), t)
            chains.setdefault(first, []).append(t)
        out = {}
        for place, found in enumerate(chains.values(), start=1):
            behind = {t: sum((u, t) in after for u in found) for t in found}
            out[f"s{place}"] = tuple(self.txns[t] for t in sorted(found, key=lambda t: behind[t]))
        return out


def fresh_partitions(taken: Collection[Partition]) -> Iterator[Partition]:
    """(s, p), (s, p2), (s, p3) …, but for those that are taken."""
    every = (Partition("s", "p" if place == 1 else f"p{place}") for place in count(1))
    return (partition for partition in every if partition not in taken)


def _partition_names(labels: Iterable[int], pinned: Sequence[tuple[str, str]]) -> dict[int, Partition]:
    """Partitions by label: those that levels pin have names, the others get them in the order of their items."""
    names = {label: Partition(*pair) for label, pair in enumerate(pinned)}
    fresh = fresh_partitions(frozenset(names.values()))
    for label in labels:
        if label not in names:
            names[label] = next(fresh)
    return names


def decode(frame: FrameCircuit, holds: Callable[[int], bool]) -> Schedule:
    """The schedule of a model: `holds` gives the truth of a literal. Raises ScheduleError if the frame let through
    something that is not well-formed, which is a fault of `frames.py`."""
    return Decoder(frame, holds).schedule()


def tidy(schedule: Schedule, keep: frozenset[Item] = frozenset()) -> Schedule:
    """The same schedule without what the rules of SEMANTICS §1 imply: unlisted rows, and `init` lines that reads say,
    but for those of the items to `keep`."""
    events = list(schedule.events)
    init = dict(schedule.init)
    kept = schedule.resolved

    def rebuilt(changed: list[Event], about: dict[Item, InitialVersion]) -> Schedule | None:
        from ..events import ScheduleError

        try:
            other = Schedule(
                changed,
                init=about,
                order=schedule.order,
                sessions=schedule.sessions,
                partitions=schedule.partitions,
                surface=schedule.surface,
            )
        except ScheduleError:
            return None
        same = all(
            sorted(map(repr, other.resolved.rows[p])) == sorted(map(repr, kept.rows[p])) for p in kept.rows
        ) and (other.resolved.initial_matches == kept.initial_matches)
        return other if same else None

    for item in list(init):
        if item in keep or init[item].prov is not None or not init[item].predicates:
            continue
        without = {other: about for other, about in init.items() if other != item}
        if rebuilt(events, without) is not None:
            init = without
    for position, event in enumerate(events):
        if not isinstance(event, PredicateRead):
            continue
        for row in event.unmatched:
            at = events[position]
            assert isinstance(at, PredicateRead)
            fewer = PredicateRead(
                at.txn, at.predicate, at.matched, tuple(r for r in at.unmatched if r != row), at.partial
            )
            changed = [*events[:position], fewer, *events[position + 1 :]]
            if rebuilt(changed, init) is not None:
                events = changed
    found = rebuilt(events, init)
    return schedule if found is None else found


__all__ = ["Decoder", "decode", "item_name", "tidy"]
