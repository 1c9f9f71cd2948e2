"""A partial schedule inside an unknown one: its events occur in their order, among others (`witness --with`)."""

from __future__ import annotations

from itertools import combinations, pairwise

from ..events import (
    DEFAULT_TABLE,
    INITIAL,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Item,
    Judge,
    Predicate,
    PredicateRead,
    Read,
    Schedule,
    Write,
    WriteKind,
)
from ..relations.unknown import INITIAL_VERSION, initial_key
from .frames import FrameCircuit

Choice = dict[int, int]


def predicates_in(partial: Schedule) -> tuple[list[Predicate], list[Predicate]]:
    """The predicates that a schedule reads, and those that only its writes name."""
    read = list(dict.fromkeys(event.predicate for event in partial.events if isinstance(event, PredicateRead)))
    named = [
        Predicate(event.item.table, name)
        for event in partial.events
        if isinstance(event, Write)
        for name in event.predicates
    ]
    return read, [predicate for predicate in dict.fromkeys(named) if predicate not in read]


def items_in(partial: Schedule) -> list[Item]:
    """The items of the events; one that only an `init` or `order` line names is in no access."""
    found: dict[Item, None] = {}
    for event in partial.events:
        if isinstance(event, (Read, Write)):
            found[event.item] = None
        elif isinstance(event, PredicateRead):
            found |= dict.fromkeys(row.item for row in (*event.matched, *event.unmatched))
    return list(found)


def tables_in(partial: Schedule) -> set[str]:
    """The tables of its items and predicates; none where all are of the default table."""
    read, named = predicates_in(partial)
    found = {item.table for item in items_in(partial)} | {predicate.table for predicate in (*read, *named)}
    return found if found - {DEFAULT_TABLE} else set()


class Embedding:
    """Which transaction, slot, item, predicate, key of a frame each of a partial schedule is.

    What the partial schedule states must be so: kinds, transactions, items with their tables and partitions, versions
    that reads name, rows, matches, keys and votes of judge calls, orders of versions, sessions. A read without a
    version may see any. A transaction that ends in the partial schedule ends there.
    """

    def __init__(self, frame: FrameCircuit, partial: Schedule) -> None:
        self.frame, self.partial = frame, partial
        self.rules: list[int] = []
        circuit, unknown = frame.circuit, frame.unknown
        self.txns = list(dict.fromkeys(event.txn for event in partial.events))
        self.items = items_in(partial)
        read, named = predicates_in(partial)
        self.names = [*read, *named]
        self.keys = list(dict.fromkeys(event.key for event in partial.events if isinstance(event, Judge)))
        self.votes = votes_in(partial)
        self.txn_is = self._choice(len(self.txns), unknown.txns)
        self.item_is = self._choice(len(self.items), unknown.items)
        # A predicate that nothing reads need not be one of the frame's: no formula would see it.
        self.name_is = self._choice(len(self.names), frame.features.predicates, len(read))
        self.key_is = self._choice(len(self.keys), frame.features.keys)
        self.at = [{slot: circuit.fresh() for slot in range(len(unknown.txn_of))} for _ in partial.events]
        self._places()
        self._about_items()
        self._orders()

    def _require(self, *any_of: int) -> None:
        self.rules.append(self.frame.circuit.any(any_of))

    def _choice(self, many: int, among: int, needed: int | None = None) -> list[Choice]:
        """Different ones for different ones; the first `needed` of them have one (by default all)."""
        found = [{other: self.frame.circuit.fresh() for other in range(among)} for _ in range(many)]
        for place, one in enumerate(found):
            if needed is None or place < needed:
                self._require(*one.values())
            for a, b in combinations(range(among), 2):
                self._require(one[a] ^ 1, one[b] ^ 1)
            for other in found[place + 1 :]:
                for a in range(among):
                    self._require(one[a] ^ 1, other[a] ^ 1)
        return found

    # -- events ------------------------------------------------------------------------------------------------------
    def _places(self) -> None:
        """Where the events are: in their order, each in a slot of its transaction or at its end."""
        frame, unknown = self.frame, self.frame.unknown
        moments: list[Choice] = []
        for position, event in enumerate(self.partial.events):
            txn = self.txn_is[self.txns.index(event.txn)]
            if isinstance(event, (Commit, Abort)):
                ends = {m: txn[t] for t, m in enumerate(frame.end_moment) if m is not None}
                self._require(*ends.values())
                for t, truth in txn.items():
                    wanted = unknown.committed[t] if isinstance(event, Commit) else unknown.aborted[t]
                    self._require(truth ^ 1, wanted)
                moments.append(ends)
                continue
            at = self.at[position]
            self._require(*at.values())
            for first, second in combinations(at.values(), 2):
                self._require(first ^ 1, second ^ 1)
            for slot, truth in at.items():
                self._require(truth ^ 1, txn[unknown.txn_of[slot]])
                self._event(slot, truth, event)
            moments.append({frame.moment_of[slot]: truth for slot, truth in at.items()})
        for one, other in pairwise(moments):
            for a, first in one.items():
                for b, second in other.items():
                    self._require(first ^ 1, second ^ 1, frame.order[a][b] if a != b else 0)

    def _item(self, item: Item) -> Choice:
        return self.item_is[self.items.index(item)]

    def _event(self, slot: int, truth: int, event: Event) -> None:
        unknown, frame = self.frame.unknown, self.frame
        if isinstance(event, Read):
            for item, is_it in self._item(event.item).items():
                self._require(truth ^ 1, is_it ^ 1, unknown.read[slot].get(item, 0))
                self._saw(slot, truth, item, is_it, event.item, event.version)
        elif isinstance(event, Write):
            for item, is_it in self._item(event.item).items():
                self._require(truth ^ 1, is_it ^ 1, unknown.write[slot].get(item, 0))
            for name, chosen in zip(self.names, self.name_is, strict=True):
                for p, is_it in chosen.items():
                    inside = unknown.in_predicate[slot].get(p, 0)
                    self._require(truth ^ 1, is_it ^ 1, inside if event.matches(name) else inside ^ 1)
            if frame.features.erasure:
                for kinds, kind in ((unknown.inserted, WriteKind.INSERT), (unknown.deleted, WriteKind.DELETE)):
                    self._require(truth ^ 1, kinds[slot] if event.kind is kind else kinds[slot] ^ 1)
                self._apart(slot, truth)
            if event.operator == "await" and frame.features.callbacks:
                self._require(truth ^ 1, unknown.by_await[slot])
            elif event.operator is not None:
                self._require(truth ^ 1, unknown.by_await[slot] ^ 1)
        elif isinstance(event, PredicateRead):
            for p, is_it in self.name_is[self.names.index(event.predicate)].items():
                self._require(truth ^ 1, is_it ^ 1, unknown.predicate[slot].get(p, 0))
            if not event.partial:
                self._require(truth ^ 1, frame.partial[slot] ^ 1)
            for table, rows in ((unknown.matched, event.matched), (unknown.unmatched, event.unmatched)):
                for row in rows:
                    for item, is_it in self._item(row.item).items():
                        self._require(truth ^ 1, is_it ^ 1, table[slot].get(item, 0))
                        self._saw(slot, truth, item, is_it, row.item, row.version)
        elif isinstance(event, Judge):
            self._require(truth ^ 1, unknown.judge[slot])
            for k, is_it in self.key_is[self.keys.index(event.key)].items():
                self._require(truth ^ 1, is_it ^ 1, unknown.key[slot].get(k, 0))
            if event.vote is not None:
                self._require(truth ^ 1, unknown.vote[slot].get(self.votes.index(event.vote), 0))
        elif isinstance(event, Callback):
            self._require(truth ^ 1, unknown.callback[slot])
        elif isinstance(event, Begin):
            self._require(truth ^ 1, frame.begin[slot])

    def _apart(self, version: int, *when: int) -> None:
        """A version without provenance has a variable of its own: none but itself is ⪯ it or ⪰ it."""
        for pair, value in self.frame.unknown.below.items():
            if version in pair:
                self._require(*(truth ^ 1 for truth in when), value ^ 1)

    def _saw(self, slot: int, truth: int, item: int, is_it: int, of: Item, label: str | None) -> None:
        seen = self.frame.unknown.seen[slot].get(item, {})
        if label is None:
            return
        if label == INITIAL:
            self._require(truth ^ 1, is_it ^ 1, seen.get(INITIAL_VERSION, 0))
            return
        write = self.partial.resolved.labels[of][label]
        for source, there in self.at[write].items():
            self._require(truth ^ 1, is_it ^ 1, there ^ 1, seen.get(source, 0))

    # -- what is said beside the events ------------------------------------------------------------------------------
    def _about_items(self) -> None:
        """Tables, partitions and initial matches, where the search tells them apart."""
        unknown, circuit = self.frame.unknown, self.frame.circuit
        for predicate, chosen in zip(self.names, self.name_is, strict=True):
            for p, is_it in chosen.items():
                if unknown.tables:
                    at = unknown.tables.index(predicate.table)
                    self._require(is_it ^ 1, self.frame.predicate_table[p][at])
        for item in self.items:
            for number, is_it in self._item(item).items():
                self._require(is_it ^ 1, unknown.present[number])
                if self.frame.features.erasure and item in self.partial.init:
                    self._require(is_it ^ 1, unknown.stated[number])
                    self._apart(initial_key(number), is_it)
                if unknown.tables:
                    known = item.table in unknown.tables
                    at = unknown.tables.index(item.table) if known else len(unknown.tables) - 1
                    self._require(is_it ^ 1, unknown.table[number][at])
                partition = self.partial.partitions.get(item)
                labels = unknown.partition[number]
                if partition is not None and labels:
                    named = unknown.partitions
                    pair = (partition.subject, partition.predicate)
                    fits = [labels[named.index(pair)]] if pair in named else list(labels.values())[len(named) :]
                    self._require(is_it ^ 1, *fits)
            for name in self.partial.init[item].predicates if item in self.partial.init else ():
                inside = Predicate(item.table, name)
                if inside in self.names:
                    for p, is_p in self.name_is[self.names.index(inside)].items():
                        for number, is_it in self._item(item).items():
                            held = unknown.initial_matches[number].get(p, 0)
                            self._require(is_it ^ 1, is_p ^ 1, held)
        stated = [item for item in self.items if item in self.partial.partitions]
        for one, other in combinations(stated, 2):
            equal = self.partial.partitions[one] == self.partial.partitions[other]
            for a, is_one in self._item(one).items():
                for b, is_other in self._item(other).items():
                    same = unknown.same(unknown.partition[a], unknown.partition[b])
                    if unknown.partition[a]:
                        self._require(is_one ^ 1, is_other ^ 1, same if equal else circuit.negate(same))

    def _orders(self) -> None:
        """Stated orders of versions and sessions."""
        unknown = self.frame.unknown
        for item, labels in self.partial.order.items():
            if item not in self.items:
                continue
            writes = [self.at[self.partial.resolved.labels[item][label]] for label in labels]
            for one, other in pairwise(writes):
                for f, first in one.items():
                    for g, second in other.items():
                        self._require(first ^ 1, second ^ 1, unknown.order.get((f, g), 0))
        if self.frame.features.sessions:
            for members in self.partial.sessions.values():
                for one, other in pairwise(self.txn_is[self.txns.index(txn)] for txn in members):
                    for t, first in one.items():
                        for u, second in other.items():
                            self._require(first ^ 1, second ^ 1, unknown.session.get((t, u), 0))


def votes_in(partial: Schedule) -> list[str]:
    """The different votes of a schedule."""
    votes = [event.vote for event in partial.events if isinstance(event, Judge) and event.vote is not None]
    return list(dict.fromkeys(votes))
