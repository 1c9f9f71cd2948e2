"""Calling things in a completed schedule what the partial schedule calls them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from ..events import (
    INITIAL,
    Callback,
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
)
from .decode import Decoder, fresh_partitions, item_name, predicate_name, tidy
from .embed import Embedding


def _free(names: Iterable[str], taken: set[str]) -> str:
    """The first name that is not taken, which then is."""
    name = next(name for name in names if name not in taken)
    taken.add(name)
    return name


class Names:
    """The names of a schedule that was decoded, replaced by those of the partial schedule inside it.

    Transactions, items (with table and partition), version labels, predicates, keys and votes that the partial schedule
    names keep their names; the others get the first free ones. What no formula sees (values, provenance, kinds of
    writes, tags, sessions where no level asks for them) is taken over.
    """

    def __init__(self, embedding: Embedding, decoder: Decoder, holds: Callable[[int], bool]) -> None:
        self.embedding, self.decoder, self.holds = embedding, decoder, holds
        self.partial = embedding.partial
        self.event_at = self._events()
        frame = decoder.frame
        self.txns = self._txns()
        self.items = self._items()
        self.predicates = self._predicates()
        self.labels = self._labels()
        self.keys = {
            f"{decoder.keys[number]}": embedding.keys[place]
            for place, chosen in enumerate(embedding.key_is)
            if (number := self._one(chosen)) is not None and number in decoder.keys
        }
        self.frame = frame

    def _one(self, chosen: dict[int, int]) -> int | None:
        return next((number for number, truth in chosen.items() if self.holds(truth)), None)

    def _events(self) -> dict[int, Event]:
        """Per position of the decoded schedule the event of the partial one that it is."""
        position = {moment: place for place, moment in enumerate(self.decoder.moments)}
        out: dict[int, Event] = {}
        for event, at in zip(self.partial.events, self.embedding.at, strict=True):
            slot = self._one(at) if event.op not in ("c", "a") else None
            if slot is not None:
                out[position[self.decoder.frame.moment_of[slot]]] = event
        return out

    def _txns(self) -> dict[str, str]:
        given = {
            number: self.embedding.txns[place]
            for place, chosen in enumerate(self.embedding.txn_is)
            if (number := self._one(chosen)) is not None
        }
        taken = set(given.values())
        count = (str(n) for n in range(1, 1000))
        return {name: given[t] if t in given else _free(count, taken) for t, name in self.decoder.txns.items()}

    def _items(self) -> dict[Item, Item]:
        given = {
            number: self.embedding.items[place]
            for place, chosen in enumerate(self.embedding.item_is)
            if (number := self._one(chosen)) is not None
        }
        taken = {item.name for item in given.values()}
        names = [item_name(n) for n in range(100)]
        return {
            item: given[number] if number in given else Item(item.table, _free(names, taken))
            for number, item in self.decoder.items.items()
        }

    def _predicates(self) -> dict[str, Predicate]:
        given = {
            number: self.embedding.names[place]
            for place, chosen in enumerate(self.embedding.name_is)
            if (number := self._one(chosen)) is not None
        }
        taken = {predicate.name for predicate in self.embedding.names}
        names = [predicate_name(n) for n in range(100)]
        out = {}
        for number, name in self.decoder.predicates.items():
            table = self.decoder.predicate(number).table
            out[name] = given[number] if number in given else Predicate(table, _free(names, taken))
        return out

    def _labels(self) -> dict[tuple[Item, str], str]:
        """New labels by item and old label: those of the partial schedule, else the first free numbers."""
        schedule = self.decoded = self.decoder.untidied()
        given: dict[tuple[Item, str], str] = {}
        for position, event in self.event_at.items():
            found = schedule.events[position]
            if isinstance(event, Write) and isinstance(found, Write) and event.version is not None:
                assert found.version is not None
                given[found.item, found.version] = event.version
        taken: dict[Item, set[str]] = {}
        for (item, _), label in given.items():
            taken.setdefault(item, set()).add(label)
        out = dict(given)
        for found in schedule.events:
            if isinstance(found, Write) and found.version is not None and (found.item, found.version) not in out:
                count = (str(n) for n in range(1, 1000))
                out[found.item, found.version] = _free(count, taken.setdefault(found.item, set()))
        return out

    def schedule(self) -> Schedule:
        """The schedule with these names."""
        old, partial = self.decoded, self.partial
        init = {
            self.items[item]: about._replace(predicates=tuple(self.predicates[name].name for name in about.predicates))
            for item, about in old.init.items()
        }
        partitions = {self.items[item]: partition for item, partition in old.partitions.items()}
        renamed = self._partitions(partitions)
        for item, stated in partial.init.items():
            inside = dict.fromkeys((*(init[item].predicates if item in init else ()), *stated.predicates))
            init[item] = stated._replace(predicates=tuple(inside))
        sessions = {name: tuple(self.txns[txn] for txn in members) for name, members in old.sessions.items()}
        whole = Schedule(
            [self._event(position, event) for position, event in enumerate(old.events)],
            init=init,
            order={
                **{item: labels for item, labels in partial.order.items() if item not in self.embedding.items},
                **{
                    self.items[item]: tuple(self.labels[item, label] for label in labels)
                    for item, labels in old.order.items()
                },
            },
            sessions=self._sessions(sessions),
            partitions={**renamed, **partial.partitions},
            surface=partial.surface,
        )
        return tidy(whole, frozenset(partial.init))

    def _sessions(self, found: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        """Sessions of the search under the names that the partial schedule has for them, and those of one member."""
        out: dict[str, tuple[str, ...]] = {}
        left = dict(found)
        for name, members in self.partial.sessions.items():
            held = next((key for key, txns in left.items() if set(members) <= set(txns)), None)
            out[name] = members if held is None else left.pop(held)
        count = (f"s{n}" for n in range(1, 1000))
        return out | {_free(count, set(self.partial.sessions) | set(out)): txns for txns in left.values()}

    def _partitions(self, found: dict[Item, Partition]) -> dict[Item, Partition]:
        """Partitions of the search under the names that the partial schedule, or a level with a pin, has for them."""
        names = {found[item]: partition for item, partition in self.partial.partitions.items() if item in found}
        pinned = {Partition(*pair) for pair in self.decoder.unknown.partitions}
        fresh = fresh_partitions(pinned.union(self.partial.partitions.values()))
        for partition in found.values():
            if partition not in names:
                names[partition] = partition if partition in pinned else next(fresh)
        return {item: names[partition] for item, partition in found.items()}

    def _event(self, position: int, event: Event) -> Event:
        given = self.event_at.get(position)
        event = replace(event, txn=self.txns[event.txn])
        if isinstance(event, Read):
            version = self._version(event.item, event.version)
            value = given.value if isinstance(given, Read) else None
            return replace(event, item=self.items[event.item], version=version, value=value)
        if isinstance(event, Write):
            return self._write(event, given)
        if isinstance(event, PredicateRead):
            matched, unmatched = self._rows(event.matched), self._rows(event.unmatched)
            partial = event.partial or (isinstance(given, PredicateRead) and given.partial)
            predicate = self.predicates[event.predicate.name]
            return PredicateRead(event.txn, predicate, matched, unmatched, partial)
        if isinstance(event, Judge):
            reads, theta = self.keys.get(event.reads, event.key)
            votes = self.embedding.votes
            vote = event.vote
            if vote is not None and vote.isdecimal() and int(vote) < len(votes):
                vote = votes[int(vote)]
            return replace(event, reads=reads, theta=theta, vote=vote)
        if isinstance(event, Callback) and isinstance(given, Callback):
            return replace(given, txn=event.txn)
        return event

    def _write(self, event: Write, given: Event | None) -> Write:
        assert event.version is not None
        inside = [self.predicates[name].name for name in event.predicates]
        found = replace(event, item=self.items[event.item], version=self.labels[event.item, event.version])
        if isinstance(given, Write):
            read = {predicate.name for predicate in self.predicates.values()}
            inside += [name for name in given.predicates if name not in read]
            operator = given.operator or event.operator
            found = replace(found, value=given.value, kind=given.kind, prov=given.prov, operator=operator)
        return replace(found, predicates=tuple(dict.fromkeys(inside)))

    def _version(self, item: Item, label: str | None) -> str | None:
        return label if label in (None, INITIAL) else self.labels[item, str(label)]

    def _rows(self, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        return tuple(Row(self.items[row.item], self._version(row.item, row.version)) for row in rows)


def contains(whole: Schedule, partial: Schedule) -> bool:
    """Whether the events of a partial schedule are among those of another, in their order, each with all that it says,
    and what it says beside them. A read may see a version that the partial schedule left open, a predicate read more
    rows."""
    rest = iter(whole.events)
    if not all(any(_says(found, event) for found in rest) for event in partial.events):
        return False
    for item, about in partial.init.items():
        found = whole.init.get(item, InitialVersion())
        matched = {p.name for i, p in whole.resolved.initial_matches if i == item}
        if (found.value, found.prov) != (about.value, about.prov) or not set(about.predicates) <= matched:
            return False
    kept = dict(partial.partitions).items() <= dict(whole.partitions).items() and partial.surface == whole.surface
    orders = all(_in_order(labels, whole.order.get(item, labels)) for item, labels in partial.order.items())
    return (
        kept
        and orders
        and all(_in_order(members, whole.sessions.get(name, ())) for name, members in partial.sessions.items())
    )


def _in_order(part: Iterable[str], whole: Iterable[str]) -> bool:
    rest = iter(whole)
    return all(name in rest for name in part)


def _says(found: Event, event: Event) -> bool:
    """Whether an event says at least what another one does."""
    if isinstance(found, Read) and isinstance(event, Read):
        return found == (event if event.version is not None else replace(event, version=found.version))
    if isinstance(found, PredicateRead) and isinstance(event, PredicateRead):
        same = (found.txn, found.predicate, found.partial) == (event.txn, event.predicate, event.partial)
        pairs = ((event.matched, found.matched), (event.unmatched, found.unmatched))
        # A row that is not listed as unmatched may be seen so by the rule.
        return same and all(_rows_in(few, many, place == 1) for place, (few, many) in enumerate(pairs))
    if isinstance(found, Write) and isinstance(event, Write):
        version = event.version if event.version is not None else found.version
        wanted = replace(event, version=version, predicates=(), operator=None)
        operator = event.operator in (None, found.operator)
        inside = set(event.predicates) <= set(found.predicates)
        return operator and inside and replace(found, predicates=(), operator=None) == wanted
    if isinstance(found, Judge) and isinstance(event, Judge):
        return (found.txn, found.key) == (event.txn, event.key) and event.vote in (None, found.vote)
    return found == event


def _rows_in(few: tuple[Row, ...], many: tuple[Row, ...], by_rule: bool) -> bool:
    listed = {row.item: row.version for row in many}
    return all(by_rule if row.item not in listed else row.version in (None, listed[row.item]) for row in few)
