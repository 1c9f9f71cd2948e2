"""A second counter, by loops over pairs of accesses: what the instances of every phenomenon are, and when each is
complete.

It takes the relations of the concrete reading (bitsets over one schedule) and nothing from the columnar one: reduced
edges, components and ways are found anew from the full relations. `oracle(schedule)` gives, by phenomenon, a key for
each instance with its time and place; of N2[lifted] the keys alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import product
from typing import Any

from count_relations import Counts, Key, Pair, Pairs, Relations, closure, components

from toki_verify.events import Schedule
from toki_verify.phenomena.agent import lifted_anti_dependency
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import edges as e
from toki_verify.relations.base import concurrent, item_read, same_partition, writer
from toki_verify.relations.terms import txn

_LATER = {definition.name: definition for definition in e.DEFINITIONS}["later_version"]


class Counting(Relations):
    """The instances in one schedule."""

    # -- kinds of instances ------------------------------------------------------------------------------------------
    def ends(self, name: str) -> Counts:
        """The accesses in which the formula's relation ends."""
        return self.earliest((pair[1], pair) for pair in self.of(name))

    def pair_items(self, name: str) -> Counts:
        """Transactions and items of both ends."""
        return self.earliest(((self.txn[one], self.item(one)), (one, other)) for one, other in self.of(name))

    def pmp(self) -> Counts:
        """A row, a change behind what it saw, and a row of another predicate read that saw the change."""
        changed = set(self.pairs(e.changes_match))
        missed = [(row, change) for row, change in self.pairs(_LATER) if (row, change) in changed]
        return self.earliest(
            ((self.txn[row], self.item(row)), (row, change, again))
            for (row, change), (source, again) in product(missed, self.pairs(e.pwr))
            if change == source
            and self.txn[row] == self.txn[again]
            and self.accesses[row].event != self.accesses[again].event
        )

    def a3(self) -> Counts:
        of = self.accesses
        return self.earliest(((self.txn[a], of[a].item, of[a].predicate), (a, b)) for a, b in self.of("A3"))

    def votes(self, name: str) -> Counts:
        events = self.schedule.events
        return self.earliest((events[self.accesses[a].event].key, (a, b)) for a, b in self.of(name))  # type: ignore[attr-defined]

    def _lost(self) -> Iterator[tuple[Key, tuple[int, ...]]]:
        """P4 by pair: the first read of the earliest version, the next version, the own one."""
        for (reader, item), (read, slot) in self.least.items():
            own = [w for w in self.installed(item).values() if self.txn[w] == reader]
            if own and self.slot[self.accesses[own[0]].event] > slot + 1:
                yield (reader, item), (read, self.installed(item)[slot + 1], own[0])

    def installed(self, item: object) -> dict[int, int]:
        """The writes of an item by their place in ≪."""
        return {
            self.slot[access.event]: number
            for number, access in enumerate(self.accesses)
            if access.kind == "W" and access.item == item and access.event in self.slot
        }

    @cached_property
    def least(self) -> dict[tuple[int, object], Pair]:
        """By transaction and item the first read of the earliest version, of those that are not its own; its slot."""
        out: dict[tuple[int, object], Pair] = {}
        reads = {one for one, _ in self.pairs(item_read)}
        committed = self.schedule.resolved.committed
        for number in sorted(reads):
            access = self.accesses[number]
            seen = access.seen if access.seen is not None else -1
            slot = 0 if seen < 0 else self.slot.get(seen)
            own = seen >= 0 and self.schedule.events[seen].txn == access.txn
            if access.txn not in committed or slot is None or own:
                continue
            key = (self.txn[number], access.item)
            if key not in out or slot < out[key][1]:
                out[key] = (number, slot)
        return out

    def g_single_item(self) -> Counts:
        found = list(self._lost())
        for write, read in self.pairs(e.wr):
            key = (self.txn[read], self.item(read))
            for slot, other in self.installed(key[1]).items():
                if self.txn[other] == self.txn[write] and key in self.least and slot > self.least[key][1]:
                    found.append((key, (self.least[key][0], other, write, read)))
        return self.earliest(found)

    # -- patterns of events ------------------------------------------------------------------------------------------
    def _read_before_write(self) -> list[Pair]:
        reads = {one for one, _ in self.pairs(item_read)}
        writes = [n for n, access in enumerate(self.accesses) if access.kind == "W"]
        of = self.accesses
        return [
            (read, write)
            for read, write in product(sorted(reads), writes)
            if of[read].item == of[write].item
            and of[read].event < of[write].event
            and self.txn[read] != self.txn[write]
        ]

    def a5a_event(self) -> Counts:
        of, resolved = self.accesses, self.schedule.resolved
        reads = sorted({one for one, _ in self.pairs(item_read)})
        found = list[tuple[Key, tuple[int, ...]]]()
        for read, write in self._read_before_write():
            other = of[write].txn
            assert other is not None
            for later, again in product(range(len(of)), reads):
                if (
                    of[later].kind == "W"
                    and of[later].txn == other
                    and of[later].event > of[write].event
                    and of[later].item != of[write].item
                    and of[again].item == of[later].item
                    and of[again].txn == of[read].txn
                    and resolved.committed_by(other, of[again].event)
                ):
                    found.append((self.txns((read, write)), (read, write, later, again)))
        return self.earliest(found)

    def a5b_event(self) -> Counts:
        of, committed = self.accesses, self.schedule.resolved.committed
        both = [pair for pair in self._read_before_write() if {of[n].txn for n in pair} <= committed]
        return self.earliest(
            (frozenset(self.txns(forth)), (*forth, *back))
            for forth, back in product(both, both)
            if self.txns(forth) == self.txns(back)[::-1] and self.item(forth[0]) != self.item(back[0])
        )

    # -- pairs of transactions ---------------------------------------------------------------------------------------
    def skew(self, forth: list[Pair], back: list[Pair], test: Callable[[int, int], bool]) -> Counts:
        """Anti-dependencies both ways whose items pass a test."""
        return self.earliest(
            (frozenset(self.txns(one)), (*one, *other))
            for one, other in product(forth, back)
            if self.txns(one) == self.txns(other)[::-1] and test(one[1], other[1])
        )

    def seen_and_missed(self, earlier: bool) -> Counts:
        found = list[tuple[Key, tuple[int, ...]]]()
        for (read, write), (source, target) in product(self.rw, self.pairs(e.wr)):
            if (
                self.txns((read, write)) == (self.txn[target], self.txn[source])
                and self.item(read) != self.item(target)
                and (not earlier or self.accesses[target].event < self.accesses[read].event)
            ):
                found.append((self.txns((read, write)), (read, write, source, target)))
        return self.earliest(found)

    def happens_before(self) -> Counts:
        before = closure([*self.pairs(e.session_edge), *self.pairs(txn(e.read_dependency))])
        return self.earliest((self.txns(pair), pair) for pair in self.anti if self.txns(pair)[::-1] in before)

    def n2(self) -> Counts:
        near = set(self.pairs(same_partition))
        return self.skew(
            self.anti, self.anti, lambda one, other: self.item(one) != self.item(other) and (one, other) in near
        )

    def n2_lifted(self) -> Counts:
        near, lifted = set(self.pairs(same_partition)), self.pairs(lifted_anti_dependency)
        partition = self.schedule.partitions
        return {
            (frozenset(self.txns(one)), partition[self.accesses[one[0]].item]): (0, 0)  # type: ignore[index]
            for one, other in product(lifted, lifted)
            if self.txns(one) == self.txns(other)[::-1] and (one[1], other[0]) in near
        }

    def _first_edges(self, pairs: list[Pair]) -> dict[Pair, Pair]:
        """By pair of transactions the accesses that are complete first."""
        out: dict[Pair, Pair] = {}
        for pair in pairs:
            key = self.txns(pair)
            if key not in out or self.when(*pair) < self.when(*out[key]):
                out[key] = pair
        return out

    def long_fork(self) -> Counts:
        seen, missed = self._first_edges(self.pairs(e.read_dependency)), self._first_edges(self.anti)
        found = list[tuple[Key, tuple[int, ...]]]()
        for (one, two), (three, four) in product(seen, seen):
            if len({one, two, three, four}) == 4 and (two, three) in missed and (four, one) in missed:
                found.append(
                    (
                        frozenset((two, four)),
                        (*seen[one, two], *missed[two, three], *seen[three, four], *missed[four, one]),
                    )
                )
        return self.earliest(found)

    # -- one anti-dependency -----------------------------------------------------------------------------------------
    def single(self, back: Pairs) -> Counts:
        """Reads whose anti-dependency a path closes: by all of them who, by the first version missed when."""
        who = {pair[0] for pair in self.anti if self.txns(pair)[::-1] in back}
        out = self.earliest((pair[0], pair) for pair in [*self.rw1, *self.prw1] if self.txns(pair)[::-1] in back)
        assert set(out) == who
        return out

    def monotonic(self) -> Counts:
        of = self.accesses
        into = self.pairs(e.dependency)

        def closed(pair: Pair) -> bool:
            return any(
                self.txn[b] == self.txn[pair[0]]
                and of[b].event <= of[pair[0]].event
                and (self.txn[pair[1]] == self.txn[v] or (self.txn[pair[1]], self.txn[v]) in self.dep)
                for v, b in into
            )

        out = self.earliest((pair[0], pair) for pair in [*self.rw1, *self.prw1] if closed(pair))
        assert set(out) == {pair[0] for pair in self.anti if closed(pair)} == {a for a, _ in self.of("G-monotonic")}
        return out

    def interference(self) -> Counts:
        start, end = set(self.pairs(e.start_edge)), self.schedule.resolved.end
        found = list[tuple[Key, tuple[int, ...]]]()
        for kind in (e.wr, e.ww, e.pwr):
            late: dict[int, int] = {}
            for one, other in self.pairs(kind):
                if self.txns((one, other)) in start:
                    continue
                old = late.get(other, one)
                late[other] = max(old, one, key=lambda n: end[str(self.accesses[n].txn)])
            found += [(other, (one, other)) for other, one in late.items()]
        return self.earliest(found)

    def pivots(self) -> Counts:
        near = set(self.pairs(concurrent))
        both = [pair for pair in self.anti if self.txns(pair) in near]
        first = [
            {
                node: min((pair for pair in both if self.txn[pair[end]] == node), key=lambda pair: self.when(*pair))
                for node in {self.txn[pair[end]] for pair in both}
            }
            for end in (1, 0)
        ]
        return {node: self.when(*first[0][node], *first[1][node]) for node in set(first[0]) & set(first[1])}

    def read_only(self) -> Counts:
        writes = {one for one, _ in self.pairs(writer)}
        if components(pair for pair in self.pairs(e.dsg) if set(pair) <= writes):
            return {}
        return self.earliest(
            (self.txn[one[0]], (*one, *two))
            for one, two in product(self.anti, [*self.rw1, *self.prw1])
            if self.txn[one[0]] not in writes
            and self.txn[one[1]] == self.txn[two[0]]
            and (self.txn[two[1]], self.txn[one[0]]) in self.dep
        )

    # -- groups ------------------------------------------------------------------------------------------------------
    def groups(self, full: list[Pair], edges: list[Pair], marked: set[Pair]) -> Counts:
        """Components of the full relation in which a marked edge lies, and when the first cycle through one is
        complete."""
        moments = sorted({self.when(*pair)[0] for pair in edges})
        out: Counts = {}
        for group in components(full):
            for moment in moments:
                part = [p for p in edges if set(self.txns(p)) <= group and self.when(*p)[0] <= moment]
                reach = closure(map(self.txns, part))
                if any(self.txns(pair)[::-1] in reach for pair in part if pair in marked):
                    out[group] = (moment, -1)
                    break
        return out

    def nonadjacent(self) -> Counts:
        anti = [*self._targets(self.rw, 2), *self._targets(self.prw, 2)]
        out: Counts = {}
        for group in components(self._steps(self.dep, self.anti)):
            for moment in sorted({self.when(*pair)[0] for pair in [*self.dep1, *anti]}):
                dep = closure(self.txns(p) for p in self.dep1 if self.when(*p)[0] <= moment)
                steps = self._steps(dep, [p for p in anti if self.when(*p)[0] <= moment])
                if any(part <= group for part in components(steps)):
                    out[group] = (moment, -1)
                    break
        return out

    def _steps(self, dep: Pairs, anti: list[Pair]) -> Pairs:
        ends = {self.txns(pair) for pair in anti}
        return {(t, u) for (t, r), (again, u) in product(dep, ends) if r == again and t != u}


def oracle(schedule: Schedule) -> dict[str, Counts]:
    """The instances of every phenomenon that is counted."""
    of = Counting(schedule)
    ww1 = of.pairs(e.ww1)
    anti1 = [*of.rw1, *of.prw1]
    dsg = of.pairs(e.dsg)
    circles = of.groups(of.pairs(e.dep), of.dep1, set(of.dep1))
    lattice = {(a, b) for a, b in components_pairs(dsg)}
    found: dict[str, Any] = {
        name: of.ends(name)
        for name in ("P0", "P1", "A1", "G1a", "G1b", "A2", "P1[broad]", "P2[broad]", "P3[broad]", "CB")
    }
    found |= {name: of.pair_items(name) for name in ("P2", "P4[event]")}
    found |= {name: of.votes(name) for name in ("N1", "N1[observed]")}
    found |= {name: of.earliest((pair[0], pair) for pair in of.of(name)) for name in catalogue() if name[:2] == "N3"}
    item = of.pairs(e.dep | txn(e.rw))
    return found | {
        "A3": of.a3(),
        "PMP": of.pmp(),
        "P4": of.earliest(of._lost()),
        "P2[G-single]": of.g_single_item(),
        "A5A[event]": of.a5a_event(),
        "A5B[event]": of.a5b_event(),
        "A5A": of.seen_and_missed(False),
        "OTV": of.seen_and_missed(True),
        "A5B": of.skew(of.rw, of.rw, lambda one, other: of.item(one) != of.item(other)),
        "P3[skew]": of.skew(of.anti, of.prw, lambda one, other: True),
        "N2": of.n2(),
        "N2[lifted]": of.n2_lifted(),
        "N2[printed]": of.earliest((of.txns(pair), pair) for pair in of.of("N2[printed]")),
        "causality-violation": of.happens_before(),
        "long-fork": of.long_fork(),
        "G-single": of.single(of.dep),
        "G-SIb": of.single(closure([*of.pairs(e.dep), *of.pairs(e.start_edge)])),
        "G-monotonic": of.monotonic(),
        "G-SIa": of.interference(),
        "dangerous-structure": of.pivots(),
        "read-only-anomaly": of.read_only(),
        "G0": of.groups(of.pairs(txn(e.ww)), ww1, set(ww1)),
        "G1c": circles,
        "G1": {**found["G1a"], **found["G1b"], **circles},
        "G2": of.groups(dsg, [*of.dep1, *anti1], set(anti1)),
        "G2-item": of.groups(item, [*of.dep1, *of.rw1], set(of.rw1)),
        "P3": of.earliest((pair[0], pair) for pair in of.prw1 if of.txns(pair) in lattice),
        "G-nonadjacent": of.nonadjacent(),
    }


def components_pairs(pairs: list[Pair]) -> Iterator[Pair]:
    """All pairs of nodes of one component."""
    for group in components(pairs):
        yield from product(group, group)
