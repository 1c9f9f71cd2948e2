"""A partial schedule inside an unknown one: its events occur in their order, among others (`witness --with`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise

from ..events import (
    INITIAL,
    Abort,
    Begin,
    Callback,
    Commit,
    Event,
    Item,
    Judge,
    PredicateRead,
    Read,
    Schedule,
    Write,
)
from ..relations.unknown import INITIAL_VERSION
from .frames import FrameCircuit


class Embedding:
    """Which transaction, slot and item of a frame each of a partial schedule is; `rules` say that it fits.

    What the partial schedule states must be so: kinds, transactions, items, versions that reads name, rows, keys of
    judge calls. A read without a version may see any. A transaction that ends in the partial schedule ends there.
    """

    def __init__(self, frame: FrameCircuit, partial: Schedule) -> None:
        self.frame, self.partial = frame, partial
        self.rules: list[int] = []
        circuit, unknown = frame.circuit, frame.unknown
        self.txns = list(dict.fromkeys(event.txn for event in partial.events))
        self.items = list(partial.resolved.items)
        names = list(dict.fromkeys(event.predicate for event in partial.events if isinstance(event, PredicateRead)))
        keys = list(dict.fromkeys(event.key for event in partial.events if isinstance(event, Judge)))
        self.txn_is = self._choice(len(self.txns), unknown.txns)
        self.item_is = self._choice(len(self.items), unknown.items)
        self.name_is = self._choice(len(names), frame.features.predicates)
        self.key_is = self._choice(len(keys), frame.features.keys)
        self.names, self.keys = names, keys
        self.at = [{slot: circuit.fresh() for slot in range(len(unknown.txn_of))} for _ in partial.events]
        moments: list[dict[int, int]] = []
        for position, event in enumerate(partial.events):
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
                self._event(slot, truth, position, event)
            moments.append({frame.moment_of[slot]: truth for slot, truth in at.items()})
        for one, other in pairwise(moments):
            for a, first in one.items():
                for b, second in other.items():
                    self._require(first ^ 1, second ^ 1, frame.order[a][b] if a != b else 0)

    def _require(self, *any_of: int) -> None:
        self.rules.append(self.frame.circuit.any(any_of))

    def _choice(self, many: int, among: int) -> list[dict[int, int]]:
        """Different ones for different ones."""
        found = [{other: self.frame.circuit.fresh() for other in range(among)} for _ in range(many)]
        for place, one in enumerate(found):
            self._require(*one.values())
            for a in range(among):
                for b in range(a + 1, among):
                    self._require(one[a] ^ 1, one[b] ^ 1)
                for other in found[place + 1 :]:
                    self._require(one[a] ^ 1, other[a] ^ 1)
        return found

    def _item(self, item: Item) -> dict[int, int]:
        return self.item_is[self.items.index(item)]

    def _event(self, slot: int, truth: int, position: int, event: Event) -> None:
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
            if event.operator == "await":
                self._require(truth ^ 1, unknown.by_await[slot])
        elif isinstance(event, PredicateRead):
            for p, is_it in self.name_is[self.names.index(event.predicate)].items():
                self._require(truth ^ 1, is_it ^ 1, unknown.predicate[slot].get(p, 0))
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
                votes = [str(v) for v in unknown.vote[slot]]
                self._require(truth ^ 1, unknown.vote[slot][votes.index(event.vote)] if event.vote in votes else 0)
        elif isinstance(event, Callback):
            self._require(truth ^ 1, unknown.callback[slot])
        elif isinstance(event, Begin):
            self._require(truth ^ 1, frame.begin[slot])

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

    def named(self, schedule: Schedule, frame: FrameCircuit, holds: Callable[[int], bool]) -> Schedule:
        """The schedule found, with the values, votes and operators that the partial one states in its events."""
        partial = self.partial
        slots = sorted(
            range(len(frame.moments)),
            key=lambda m: sum(holds(frame.order[o][m]) for o in range(len(frame.moments)) if o != m),
        )
        position_of = {moment: place for place, moment in enumerate(slots)}
        events = list(schedule.events)
        for index, event in enumerate(partial.events):
            slot = next((s for s, truth in self.at[index].items() if holds(truth)), None)
            if slot is None or isinstance(event, (Commit, Abort)):
                continue
            place = position_of[frame.moment_of[slot]]
            found = events[place]
            if isinstance(event, Write) and isinstance(found, Write):
                events[place] = replace(
                    found,
                    value=event.value,
                    kind=event.kind,
                    prov=event.prov,
                    operator=event.operator or found.operator,
                )
            elif isinstance(event, Read) and isinstance(found, Read):
                events[place] = replace(found, value=event.value)
        return Schedule(
            events,
            init=schedule.init,
            order=schedule.order,
            sessions=schedule.sessions,
            partitions=schedule.partitions,
        )
