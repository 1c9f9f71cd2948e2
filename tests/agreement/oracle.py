"""A second decider, written from SEMANTICS.md alone: every phenomenon and level by loops over plain Python data.

It shares nothing with the package but the data classes of events. It resolves reads, version orders and predicate rows
itself (never `schedule.resolved`) and uses pairs, sets and graph search; it is slow and meant to be read against the
contract. Where the contract is loose, the reading is stated beside the rule.
"""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from itertools import pairwise, product
from typing import NamedTuple

from tests.agreement import engine_oracle
from toki_verify.events.kinds import (
    Abort,
    Callback,
    Commit,
    Item,
    Judge,
    Partition,
    Predicate,
    PredicateRead,
    Read,
    Row,
    Write,
)
from toki_verify.events.schedule import Schedule

Pair = tuple[str, str]
START = -1  # the position of every version 0: before all events


class Seen(NamedTuple):
    """One row of a predicate read, or an item read (`predicate` None). `version` is the position of the write."""

    at: int
    txn: str
    item: Item
    version: int
    predicate: Predicate | None = None
    listed: bool = True


class Edge(NamedTuple):
    """A conflict between two committed transactions; `at` is the access of the reader, for ww of the later writer."""

    kind: str
    source: str
    target: str
    item: Item
    at: int
    predicate: Predicate | None = None


class Region(NamedTuple):
    """What a level can be pinned to: a table, a partition (subject, predicate), or both."""

    table: str | None
    partition: tuple[str, str] | None


def closure(pairs: Iterable[Pair]) -> set[Pair]:
    """All (a, b) with a path of one or more steps from a to b."""
    successors: dict[str, set[str]] = {}
    for source, target in pairs:
        successors.setdefault(source, set()).add(target)
    found: set[Pair] = set()
    for source in successors:
        stack = list(successors[source])
        while stack:
            node = stack.pop()
            if (source, node) not in found:
                found.add((source, node))
                stack.extend(successors.get(node, ()))
    return found


def cyclic(pairs: Iterable[Pair]) -> bool:
    return any(a == b for a, b in closure(pairs))


class Facts:
    """What the rules of SEMANTICS §1 and §2 say about one schedule."""

    def __init__(self, schedule: Schedule) -> None:
        self.events = schedule.events
        self.schedule = schedule
        self.first: dict[str, int] = {}
        self.commit: dict[str, int] = {}
        self.abort: dict[str, int] = {}
        for at, event in enumerate(self.events):
            self.first.setdefault(event.txn, at)
            if isinstance(event, Commit):
                self.commit[event.txn] = at
            elif isinstance(event, Abort):
                self.abort[event.txn] = at
        self.writes: dict[int, Write] = {at: e for at, e in enumerate(self.events) if isinstance(e, Write)}
        self.final: dict[tuple[str, Item], int] = {}
        for at, write in self.writes.items():
            self.final[write.txn, write.item] = at
        self.order = self._orders()
        self.matching0 = self._initial_matches()
        self.seen = [row for at in range(len(self.events)) for row in self._seen(at)]
        self.item_reads = [row for row in self.seen if row.listed]
        self.edges = list(self._edges())
        self._pairs()
        self.session_order = {
            (one, other)
            for txns in schedule.sessions.values()
            for i, one in enumerate(txns)
            for other in txns[i + 1 :]
            if one != other and one in self.commit and other in self.commit
        }
        self.start_order = {
            (one, other)
            for one, other in product(self.commit, self.commit)
            if one != other and self.commit[one] < self.first[other]
        }

    def _pairs(self) -> None:
        self.wr, self.ww, self.rw = self.pairs("wr"), self.pairs("ww"), self.pairs("rw")
        self.prw, self.pwr = self.pairs("prw"), self.pairs("pwr")
        self.dep, self.anti = self.wr | self.ww | self.pwr, self.rw | self.prw
        self.conflicts = self.dep | self.anti
        self.decided: dict[object, bool | None] = {}

    def within(self, region: Region) -> Facts:
        """The same schedule for a pinned level: only the edges, writes and reads in the region (SEMANTICS §4)."""

        def inside(item: Item) -> bool:
            return region.table in (None, item.table) and region.partition in (None, self.partition(item))

        facts = copy.copy(self)
        facts.writes = {at: write for at, write in self.writes.items() if inside(write.item)}
        facts.seen = [seen for seen in self.seen if inside(seen.item)]
        facts.item_reads = [seen for seen in self.item_reads if inside(seen.item)]
        facts.edges = [edge for edge in self.edges if inside(edge.item)]
        facts._pairs()
        return facts

    # -- §1: versions ------------------------------------------------------------------------------------------------

    def txn_of(self, version: int) -> str | None:
        return None if version == START else self.events[version].txn

    def ended(self, txn: str) -> int:
        """Where a transaction ended; an unfinished one never did."""
        return self.commit.get(txn, self.abort.get(txn, len(self.events)))

    def installed(self, version: int) -> bool:
        write = self.writes[version]
        return write.txn in self.commit and self.final[write.txn, write.item] == version

    def _orders(self) -> dict[Item, list[int]]:
        orders: dict[Item, list[int]] = {}
        for item in {write.item for write in self.writes.values()}:
            mine = [at for at, write in self.writes.items() if write.item == item and self.installed(at)]
            labels = self.schedule.order.get(item)
            if labels is not None:
                by_label = {self.writes[at].version: at for at in mine}
                stated = [by_label[label] for label in labels if label != "0"]
                assert sorted(stated) == mine, "an order lists exactly the installed versions"
                mine = stated
            orders[item] = [START, *mine]
        return orders

    def later(self, item: Item, version: int) -> list[int]:
        """The installed versions ≪-later than this one; a version that is not installed has no place in ≪."""
        order = self.order.get(item, [START])
        return order[order.index(version) + 1 :] if version in order else []

    def up_to(self, item: Item, version: int) -> list[int]:
        """The installed versions from 0 to this one."""
        order = self.order.get(item, [START])
        return order[: order.index(version) + 1] if version in order else []

    def resolve(self, at: int, item: Item, label: str | None) -> int:
        if label == "0":
            return START
        earlier = [w for w, write in self.writes.items() if w < at and write.item == item]
        if label is not None:
            (version,) = [w for w in earlier if self.writes[w].version == label]
            return version
        alive = [w for w in earlier if not self.abort.get(self.writes[w].txn, at) < at]
        return max(alive, default=START)

    # -- §1: predicates ----------------------------------------------------------------------------------------------

    def _initial_matches(self) -> set[tuple[Item, Predicate]]:
        matching = {
            (item, Predicate(item.table, name))
            for item, initial in self.schedule.init.items()
            for name in initial.predicates
        }
        for at, event in enumerate(self.events):
            if isinstance(event, PredicateRead):
                matching |= {
                    (row.item, event.predicate)
                    for row in event.matched
                    if self.resolve(at, row.item, row.version) == START
                }
        return matching

    def matches(self, item: Item, version: int, predicate: Predicate) -> bool:
        if version == START:
            return (item, predicate) in self.matching0
        write = self.writes[version]
        return write.kind.value != "-" and write.item.table == predicate.table and predicate.name in write.predicates

    def rows_of(self, table: str) -> set[Item]:
        """The rows of a table: every item that an event, an init line or an order names."""
        items = {*self.schedule.init, *self.schedule.order}
        for event in self.events:
            if isinstance(event, Read | Write):
                items.add(event.item)
            elif isinstance(event, PredicateRead):
                items |= {row.item for row in (*event.matched, *event.unmatched)}
        return {item for item in items if item.table == table}

    def _seen(self, at: int) -> Iterator[Seen]:
        event = self.events[at]
        if isinstance(event, Read):
            yield Seen(at, event.txn, event.item, self.resolve(at, event.item, event.version))
        if not isinstance(event, PredicateRead):
            return
        predicate = event.predicate
        named: set[Item] = set()
        for rows, listed in ((event.matched, True), (event.unmatched, False)):
            row: Row
            for row in rows:
                version = self.resolve(at, row.item, row.version)
                assert self.matches(row.item, version, predicate) is listed, "listed rows match, stated ones do not"
                named.add(row.item)
                yield Seen(at, event.txn, row.item, version, predicate, listed)
        if event.partial:
            return
        for item in sorted(self.rows_of(predicate.table) - named):
            yield Seen(at, event.txn, item, self._omitted(at, event.txn, item, predicate), predicate, False)

    def _omitted(self, at: int, txn: str, item: Item, predicate: Predicate) -> int:
        """What a predicate read saw of a row that it neither lists nor states."""
        mine = [w for w, write in self.writes.items() if w < at and write.txn == txn and write.item == item]
        if mine:
            assert not self.matches(item, mine[-1], predicate)
            return mine[-1]
        committed = [
            version
            for version in self.order.get(item, [START])
            if not self.matches(item, version, predicate)
            and (version == START or self.commit[self.writes[version].txn] < at)
        ]
        if committed:
            return committed[-1]
        dirty = [
            w
            for w, write in self.writes.items()
            if w < at
            and write.item == item
            and not self.matches(item, w, predicate)
            and not self.abort.get(write.txn, at) < at
        ]
        assert dirty, "omitted row"
        return dirty[-1]

    # -- §2: the conflict graph --------------------------------------------------------------------------------------

    def _edges(self) -> Iterator[Edge]:
        for item, order in self.order.items():
            for i, earlier in enumerate(order[1:], 1):
                for later in order[i + 1 :]:
                    yield Edge("ww", self.writes[earlier].txn, self.writes[later].txn, item, later)
        for seen in self.seen:
            reader, item = seen.txn, seen.item
            if reader not in self.commit:
                continue
            writer = self.txn_of(seen.version)
            if seen.listed and writer in self.commit and writer != reader:
                yield Edge("wr", str(writer), reader, item, seen.at)
            for version in self.later(item, seen.version):
                other = self.writes[version].txn
                if other == reader:
                    continue
                if seen.listed and writer != reader:
                    yield Edge("rw", reader, other, item, seen.at)
                if seen.predicate is not None and self.matches(item, version, seen.predicate) is not self.matches(
                    item, seen.version, seen.predicate
                ):
                    yield Edge("prw", reader, other, item, seen.at, seen.predicate)
            if seen.predicate is not None:
                path = self.up_to(item, seen.version)
                for before, version in pairwise(path):
                    other = self.writes[version].txn
                    was, now = (self.matches(item, v, seen.predicate) for v in (before, version))
                    if was is not now and other != reader:
                        yield Edge("pwr", other, reader, item, seen.at, seen.predicate)

    def pairs(self, *kinds: str) -> set[Pair]:
        return {(e.source, e.target) for e in self.edges if e.kind in kinds}

    def of(self, *kinds: str) -> list[Edge]:
        return [e for e in self.edges if e.kind in kinds]

    def concurrent(self, one: str, other: str) -> bool:
        return (one, other) not in self.start_order and (other, one) not in self.start_order

    def partition(self, item: Item) -> Partition | None:
        return self.schedule.partitions.get(item)


Decider = Callable[[Facts], "bool | None"]


def once(decide: Decider) -> Decider:
    """Levels ask for phenomena that were decided before: each is decided once."""

    @wraps(decide)
    def decided(f: Facts) -> bool | None:
        if decide not in f.decided:
            f.decided[decide] = decide(f)
        return f.decided[decide]

    return decided


# -- §3: phenomena -----------------------------------------------------------------------------------------------------


@once
def p0(f: Facts) -> bool:
    return any(
        i < j and one.item == other.item and one.txn != other.txn and f.ended(one.txn) > j
        for (i, one), (j, other) in product(f.writes.items(), f.writes.items())
    )


def _foreign(f: Facts, rows: Iterable[Seen]) -> Iterator[tuple[Seen, str]]:
    """Reads of another transaction's write, with the writer."""
    for seen in rows:
        writer = f.txn_of(seen.version)
        if writer is not None and writer != seen.txn:
            yield seen, writer


@once
def p1(f: Facts) -> bool:
    return any(
        not f.commit.get(writer, len(f.events)) < seen.at or f.final[writer, seen.item] != seen.version
        for seen, writer in _foreign(f, f.seen)
    )


@once
def p1_broad(f: Facts) -> bool:
    return any(
        i < read.at < f.ended(write.txn) and write.item == read.item and write.txn != read.txn
        for i, write in f.writes.items()
        for read in f.item_reads
    )


def a1(f: Facts) -> bool:
    return any(
        writer in f.abort and seen.at < f.abort[writer] and seen.txn in f.commit for seen, writer in _foreign(f, f.seen)
    )


@once
def g1a(f: Facts) -> bool:
    return any(seen.txn in f.commit and writer not in f.commit for seen, writer in _foreign(f, f.seen))


@once
def g1b(f: Facts) -> bool:
    return any(
        seen.txn in f.commit and f.final[writer, seen.item] != seen.version for seen, writer in _foreign(f, f.seen)
    )


@once
def g1c(f: Facts) -> bool:
    return cyclic(f.dep)


@once
def g0(f: Facts) -> bool:
    return cyclic(f.ww)


def p2(f: Facts) -> bool:
    return any(
        one.txn == other.txn
        and one.txn in f.commit
        and one.item == other.item
        and one.version != other.version
        and f.txn_of(one.version) != one.txn
        and f.txn_of(other.version) != one.txn
        for one, other in product(f.item_reads, f.item_reads)
    )


@once
def p2_broad(f: Facts) -> bool:
    return any(
        read.at < j < f.ended(read.txn) and write.item == read.item and write.txn != read.txn
        for read in f.item_reads
        for j, write in f.writes.items()
    )


def a2(f: Facts) -> bool:
    """T2's version is the one that the w2 of the pattern wrote (in a single-version store no other could be seen)."""
    return any(
        one.txn == other.txn
        and one.txn in f.commit
        and one.item == other.item
        and other.version == w
        and write.txn != one.txn
        and one.at < w < f.commit.get(write.txn, len(f.events)) < other.at
        for one, other in product(f.item_reads, f.item_reads)
        for w, write in f.writes.items()
    )


def p2_g_single(f: Facts) -> bool:
    return any(
        a.source == b.target and a.target == b.source and a.item == b.item for a in f.of("rw") for b in f.of("wr", "ww")
    )


def p3(f: Facts) -> bool:
    paths = closure(f.conflicts)
    return any((target, source) in paths for source, target in f.prw)


@once
def p3_broad(f: Facts) -> bool:
    return any(
        seen.predicate is not None
        and write.item == seen.item
        and write.txn != seen.txn
        and seen.at < w < f.ended(seen.txn)
        and (
            f.matches(seen.item, w, seen.predicate)
            or (f.matches(seen.item, seen.version, seen.predicate) and not f.matches(seen.item, w, seen.predicate))
        )
        for seen in f.seen
        for w, write in f.writes.items()
    )


def a3(f: Facts) -> bool:
    return any(
        one.at != other.at
        and one.txn == other.txn
        and one.txn in f.commit
        and one.predicate is not None
        and one.predicate == other.predicate
        and one.item == other.item
        and one.listed
        and (not other.listed or one.version != other.version)
        and (one.txn, one.item) not in f.final
        for one, other in product(f.seen, f.seen)
    )


def p3_skew(f: Facts) -> bool:
    return any((target, source) in f.anti for source, target in f.prw)


def p4(f: Facts) -> bool:
    return any(
        a.source == b.target and a.target == b.source and a.item == b.item for a in f.of("rw") for b in f.of("ww")
    )


def p4_event(f: Facts) -> bool:
    for read in f.item_reads:
        for (i, other), (j, mine) in product(f.writes.items(), f.writes.items()):
            if (
                read.item == other.item == mine.item
                and mine.txn == read.txn != other.txn
                and read.at < i < j
                and read.txn in f.commit
            ):
                return True
    return False


def a5a(f: Facts) -> bool:
    return any(
        a.source == b.target and a.target == b.source and a.item != b.item for a in f.of("rw") for b in f.of("wr")
    )


def a5a_event(f: Facts) -> bool:
    for one, other in product(f.item_reads, f.item_reads):
        if one.txn != other.txn or one.item == other.item:
            continue
        for (i, x), (j, y) in product(f.writes.items(), f.writes.items()):
            if (
                x.item == one.item
                and y.item == other.item
                and x.txn == y.txn != one.txn
                and one.at < i < j < f.commit.get(x.txn, len(f.events)) < other.at
            ):
                return True
    return False


def a5b(f: Facts) -> bool:
    return any(
        a.source == b.target and a.target == b.source and a.item != b.item for a in f.of("rw") for b in f.of("rw")
    )


def a5b_event(f: Facts) -> bool:
    """Pairs (read by T1, write by T2 of that item after it), as (T1, T2, item)."""
    over = {
        (read.txn, write.txn, read.item)
        for read in f.item_reads
        for w, write in f.writes.items()
        if read.at < w
        and read.item == write.item
        and read.txn != write.txn
        and read.txn in f.commit
        and write.txn in f.commit
    }
    return any(a[0] == b[1] and a[1] == b[0] and a[2] != b[2] for a, b in product(over, over))


@once
def g_single(f: Facts) -> bool:
    paths = closure(f.dep)
    return any((target, source) in paths for source, target in f.anti)


def g_nonadjacent(f: Facts) -> bool:
    """A closed path of two or more steps (dep⁺ ; anti), each between two different transactions."""
    paths = closure(f.dep)
    steps = {(a, d) for (a, b), (c, d) in product(paths, f.anti) if b == c and a != d}
    return cyclic(steps)


@once
def g2_item(f: Facts) -> bool:
    paths = closure(f.dep | f.rw)
    return any((target, source) in paths for source, target in f.rw)


@once
def g2(f: Facts) -> bool:
    paths = closure(f.conflicts)
    return any((target, source) in paths for source, target in f.anti)


@once
def g_sia(f: Facts) -> bool:
    return bool(f.dep - f.start_order)


@once
def g_sib(f: Facts) -> bool:
    paths = closure(f.dep | f.start_order)
    return any((target, source) in paths for source, target in f.anti)


def g_monotonic(f: Facts) -> bool:
    paths = closure(f.dep)
    for missed in f.of("rw", "prw"):
        for observed in f.of("wr", "pwr", "ww"):
            if (
                observed.target == missed.source
                and observed.at <= missed.at
                and (missed.target == observed.source or (missed.target, observed.source) in paths)
            ):
                return True
    return False


def otv(f: Facts) -> bool:
    """Two different items, as in Bailis et al."""
    return any(
        wr.source == rw.target and wr.target == rw.source and wr.at < rw.at and wr.item != rw.item
        for wr in f.of("wr")
        for rw in f.of("rw")
    )


def pmp(f: Facts) -> bool:
    """Two read events of one transaction, any two predicates. "Changed" is §2's word: against the ≪-predecessor."""
    for one, other in product(f.seen, f.seen):
        if (
            one.predicate is None
            or other.predicate is None
            or one.at == other.at
            or one.txn != other.txn
            or one.txn not in f.commit
            or one.item != other.item
        ):
            continue
        order = f.order.get(one.item, [START])
        for before, version in pairwise(order):
            if (
                f.txn_of(version) != one.txn
                and version in f.up_to(one.item, one.version)
                and version in f.later(one.item, other.version)
                and all(
                    f.matches(one.item, before, p) is not f.matches(one.item, version, p)
                    for p in (one.predicate, other.predicate)
                )
            ):
                return True
    return False


def long_fork(f: Facts) -> bool:
    wr = f.wr | f.pwr
    for (t1, t3), (t2, t4) in product(wr, wr):
        if len({t1, t2, t3, t4}) == 4 and (t3, t2) in f.anti and (t4, t1) in f.anti:
            return True
    return False


def causality_violation(f: Facts) -> bool:
    paths = closure(f.session_order | f.wr | f.pwr)
    return any((target, source) in paths for source, target in f.anti)


def read_only_anomaly(f: Facts) -> bool:
    writers = {write.txn for write in f.writes.values()}
    if cyclic((a, b) for a, b in f.conflicts if a in writers and b in writers):
        return False
    paths = closure(f.dep)
    return any(
        reader not in writers and pivot == again and (out, reader) in paths
        for (reader, pivot), (again, out) in product(f.anti, f.anti)
    )


def dangerous_structure(f: Facts) -> bool:
    return any(b == c and f.concurrent(a, b) and f.concurrent(c, d) for (a, b), (c, d) in product(f.anti, f.anti))


def _judges(f: Facts, *, committed: bool) -> list[Judge]:
    return [e for e in f.events if isinstance(e, Judge) and (e.txn in f.commit or not committed)]


def _votes_differ(calls: list[Judge]) -> bool | None:
    """None: two calls at one key, of which one vote at least is unknown, and no two known ones differ."""
    pairs = [
        (calls[i].vote, calls[j].vote)
        for i in range(len(calls))
        for j in range(i)
        if (calls[i].reads, calls[i].theta) == (calls[j].reads, calls[j].theta)
    ]
    if any(one is not None and other is not None and one != other for one, other in pairs):
        return True
    return None if any(one is None or other is None for one, other in pairs) else False


def n1(f: Facts) -> bool | None:
    return _votes_differ(_judges(f, committed=True))


def n1_observed(f: Facts) -> bool | None:
    return _votes_differ(_judges(f, committed=False))


def n2(f: Facts) -> bool:
    return any(
        a.source == b.target
        and a.target == b.source
        and a.item != b.item
        and f.partition(a.item) is not None
        and f.partition(a.item) == f.partition(b.item)
        for a in f.of("rw", "prw")
        for b in f.of("rw", "prw")
    )


def n2_lifted(f: Facts) -> bool:
    last: dict[tuple[Partition, str], int] = {}
    for w, write in f.writes.items():
        partition = f.partition(write.item)
        if partition is not None and write.txn in f.commit:
            last[partition, write.txn] = w
    missed: set[tuple[Partition, str, str]] = set()
    for seen in f.seen:
        partition = f.partition(seen.item)
        if partition is None or seen.txn not in f.commit:
            continue
        lifted = sorted(w for (p, _), w in last.items() if p == partition)
        bound = min([seen.at, *f.later(seen.item, seen.version)])
        saw = max((w for w in lifted if w < bound), default=START)
        if f.txn_of(saw) == seen.txn:
            continue
        missed |= {(partition, seen.txn, f.events[w].txn) for w in lifted if w > saw and f.events[w].txn != seen.txn}
    return any((partition, other, one) in missed for partition, one, other in missed)


def n2_printed(f: Facts) -> bool:
    written: dict[str, set[Item]] = {}
    for write in f.writes.values():
        written.setdefault(write.txn, set()).add(write.item)
    read = {(seen.txn, seen.item) for seen in f.seen}
    for edge in f.of("rw", "prw"):
        query, revision, partition = edge.source, edge.target, f.partition(edge.item)
        if (
            partition is not None
            and any(
                f.partition(item) == partition and (query, item) in read and (revision, item) in read
                for _, item in read
            )
            and any(f.partition(item) != partition for item in written.get(query, ()))
            and not written.get(query, set()) & written.get(revision, set())
            and f.concurrent(query, revision)
        ):
            return True
    return False


@once
def callback_boundary(f: Facts) -> bool:
    for w, write in f.writes.items():
        if write.operator == "await" and not any(
            read.txn == write.txn
            and read.item == write.item
            and read.at < c < w
            and isinstance(call, Callback)
            and call.txn == write.txn
            for read in f.item_reads
            for c, call in enumerate(f.events)
        ):
            return True
    return False


def polynomial(text: str) -> dict[frozenset[str], int]:
    """Variables are idempotent; a monomial without a coefficient is not there."""
    found: dict[frozenset[str], int] = {}
    for summand in text.split("+"):
        number, names = 1, set()
        for factor in summand.split("*"):
            if factor.isdecimal():
                number *= int(factor)
            else:
                name, *power = factor.split("^")
                if not power or int(power[0]) > 0:
                    names.add(unicodedata.normalize("NFC", name))
        found[frozenset(names)] = found.get(frozenset(names), 0) + number
    return {monomial: number for monomial, number in found.items() if number > 0}


def covers(above: str | None, below: str | None) -> bool:
    """Whether some polynomial added to the one below makes the one above; of two rows without annotation never."""
    if below is None:
        return False
    one = polynomial(below)
    if above is None:
        return one == {}  # a fresh variable is above 0 alone
    other = polynomial(above)
    return all(other.get(monomial, 0) >= number for monomial, number in one.items())


def n3(f: Facts, *parts: str) -> bool:
    """Audit erasure on a surface of these parts, each as far as the store keeps it.

    The reading: version 0 is a row where an init line names the item, a predicate read lists it, or an item read saw it
    and the next installed version does not insert it. A row of a record table (history, audit, and those that the
    surface line calls so) or of a log is no fact. The surface is what is there at the end, and with `closed` what once
    was.
    """
    line = f.schedule.surface
    records = {
        part: {entry.table or part for entry in line if entry.part == part} if line else {part}
        for part in ("history", "audit")
    }
    no_facts = {"history", "audit", "judge_log", "callback_log"}.union(*records.values())
    items = {write.item for write in f.writes.values()} | {seen.item for seen in f.seen} | set(f.schedule.init)

    def annotation(item: Item, version: int) -> str | None:
        if version == START:
            return f.schedule.init[item].prov if item in f.schedule.init else None
        return f.writes[version].prov

    def is_row(item: Item, version: int) -> bool:
        if version != START:
            return f.writes[version].kind.value != "-"
        if item in f.schedule.init or any(row == item for row, _ in f.matching0):
            return True
        following = f.later(item, START)
        inserted = bool(following) and f.writes[following[0]].kind.value == "+"
        read = any(
            isinstance(f.events[seen.at], Read) and (seen.item, seen.version) == (item, START) for seen in f.seen
        )
        return read and not inserted

    surface: list[tuple[Item, int]] = []
    lost: list[tuple[Item, int]] = []
    for item in items:
        chain = [version for version in f.order.get(item, [START]) if is_row(item, version)]
        last = f.order.get(item, [START])[-1]
        for version in chain:
            if item.table not in no_facts and version != last:
                lost.append((item, version))
            for part in parts:
                if item.table in {"judge_log", "callback_log"}:
                    kept = False  # votes and winners
                elif part in records:
                    kept = item.table in records[part] and version == last
                else:
                    tables = [entry.table for entry in line if entry.part == part]
                    if part == "current" and not tables:
                        tables = [None]
                    named = None in tables or item.table in tables
                    kept = named and item.table not in no_facts and (part == "closed" or version == last)
                if kept:
                    surface.append((item, version))
    return any(
        not any(row == version or covers(annotation(*row), annotation(*version)) for row in surface) for version in lost
    )


PHENOMENA: dict[str, Decider] = {
    "P0": p0,
    "P1": p1,
    "P2": p2,
    "P3": p3,
    "P4": p4,
    "A5A": a5a,
    "A5B": a5b,
    "A1": a1,
    "A2": a2,
    "A3": a3,
    "P1[broad]": p1_broad,
    "P2[broad]": p2_broad,
    "P2[G-single]": p2_g_single,
    "P3[broad]": p3_broad,
    "P3[skew]": p3_skew,
    "P4[event]": p4_event,
    "A5A[event]": a5a_event,
    "A5B[event]": a5b_event,
    "G0": g0,
    "G1a": g1a,
    "G1b": g1b,
    "G1c": g1c,
    "G1": lambda f: g1a(f) or g1b(f) or g1c(f),
    "G-single": g_single,
    "G-nonadjacent": g_nonadjacent,
    "G2-item": g2_item,
    "G2": g2,
    "G-SIa": g_sia,
    "G-SIb": g_sib,
    "G-monotonic": g_monotonic,
    "OTV": otv,
    "PMP": pmp,
    "long-fork": long_fork,
    "causality-violation": causality_violation,
    "read-only-anomaly": read_only_anomaly,
    "dangerous-structure": dangerous_structure,
    "N1": n1,
    "N1[observed]": n1_observed,
    "N2": n2,
    "N2[lifted]": n2_lifted,
    "N2[printed]": n2_printed,
    "CB": callback_boundary,
    "N3": lambda f: n3(f, "audit", "history", "closed", "current"),
    "N3[current]": lambda f: n3(f, "current"),
    "N3[closed]": lambda f: n3(f, "current", "closed"),
    "N3[history]": lambda f: n3(f, "current", "closed", "history"),
    "N3[audit]": lambda f: n3(f, "current", "closed", "history", "audit"),
}


# -- §4: levels --------------------------------------------------------------------------------------------------------


def _rc(f: Facts) -> bool:
    return not p0(f) and not p1(f)


def _rc_g(f: Facts) -> bool:
    return not (g0(f) or g1a(f) or g1b(f) or g1c(f))


@once
def _timestamps(f: Facts) -> bool:
    """st and ct exist: what must be smaller than what is acyclic."""
    less = {(f"st {t}", f"ct {t}") for t in f.commit}
    less |= {(f"ct {t}", f"st {u}") for t, u in f.dep}
    less |= {(f"st {t}", f"ct {u}") for t, u in f.anti}
    return not cyclic(less)


@once
def _serial(f: Facts) -> bool:
    """A serial position exists: transactions without an unplaced predecessor are placed until none is left."""
    waiting = set(f.commit)
    while waiting:
        free = {t for t in waiting if not any(u in waiting and (u, t) in f.conflicts for u in waiting)}
        if not free:
            return False
        waiting -= free
    return True


def _pl1(f: Facts) -> bool:
    return not g0(f)


def _pl2(f: Facts) -> bool:
    return _pl1(f) and not (g1a(f) or g1b(f) or g1c(f))


def _locking(f: Facts, *phenomena: Decider) -> bool:
    return not any(phenomenon(f) for phenomenon in phenomena)


def _session_base(f: Facts) -> bool:
    return not g1a(f) and not g1b(f)


def _causal(f: Facts) -> set[Pair]:
    return f.session_order | f.wr | f.pwr


def _visible(f: Facts) -> set[Pair]:
    return _causal(f) | f.ww


def _optional_anti(pairs: set[Pair], f: Facts) -> set[Pair]:
    """pairs ; anti?"""
    return pairs | {(a, d) for (a, b), (c, d) in product(pairs, f.anti) if b == c}


def _session_rc(f: Facts) -> bool:
    if cyclic(_visible(f)):
        return False
    return not any(
        read.source == missed.target and read.target == missed.source and read.at < missed.at
        for read in f.of("wr", "pwr")
        for missed in f.of("rw", "prw")
    )


def _missed(f: Facts, order: set[Pair]) -> bool:
    """rw ; order has a fixed point."""
    return any((target, source) in order for source, target in f.anti)


def _session_pc(f: Facts) -> bool:
    return not cyclic(_optional_anti(_causal(f), f) | f.ww)


def _session_psi(f: Facts) -> bool:
    return not any(a == b for a, b in _optional_anti(closure(_visible(f)), f))


LEVELS: dict[tuple[str, str], Decider] = {
    ("graph", "RU"): lambda f: True,
    ("graph", "RC"): _rc,
    ("graph", "SI"): lambda f: _rc(f) and _timestamps(f),
    ("graph", "SR"): lambda f: _rc(f) and _serial(f),
    ("graph", "RC[G]"): _rc_g,
    ("graph", "SI[G]"): lambda f: _rc_g(f) and _timestamps(f),
    ("graph", "SR[G]"): lambda f: _rc_g(f) and _serial(f),
    ("graph", "cb"): lambda f: not callback_boundary(f),
    ("adya", "PL-1"): _pl1,
    ("adya", "PL-2"): _pl2,
    ("adya", "PL-2+"): lambda f: _pl2(f) and not g_single(f),
    ("adya", "PL-2.99"): lambda f: _pl2(f) and not g2_item(f),
    ("adya", "PL-SI"): lambda f: _pl2(f) and not g_sia(f) and not g_sib(f),
    ("adya", "PL-3"): lambda f: _pl2(f) and not g2(f),
    ("berenson", "RU"): lambda f: _locking(f, p0),
    ("berenson", "RC"): lambda f: _locking(f, p0, p1_broad),
    ("berenson", "RR"): lambda f: _locking(f, p0, p1_broad, p2_broad),
    ("berenson", "SR"): lambda f: _locking(f, p0, p1_broad, p2_broad, p3_broad),
    ("session", "RC"): lambda f: _session_base(f) and _session_rc(f),
    ("session", "RA"): lambda f: _session_base(f) and not cyclic(_visible(f)) and not _missed(f, _causal(f)),
    ("session", "CC"): lambda f: _session_base(f) and not cyclic(_visible(f)) and not _missed(f, closure(_causal(f))),
    ("session", "PC"): lambda f: _session_base(f) and _session_pc(f),
    ("session", "PSI"): lambda f: _session_base(f) and _session_psi(f),
    ("session", "SI"): lambda f: _session_base(f) and not cyclic(_optional_anti(_visible(f), f)),
    ("session", "SER"): lambda f: _session_base(f) and not cyclic(_visible(f) | f.anti),
    ("engine", "RU"): engine_oracle.ru,
    ("engine", "RC"): lambda f: _rc(f) and engine_oracle.rc(f),
    ("engine", "SI"): lambda f: _rc(f) and _timestamps(f) and engine_oracle.si(f),
    ("engine", "SR"): lambda f: _rc(f) and _serial(f) and engine_oracle.si(f) and not engine_oracle.dangerous(f),
    ("engine", "2PL"): lambda f: (
        _rc(f) and engine_oracle.rc(f) and _locking(f, p1_broad, p2_broad, p3_broad) and not engine_oracle.unguarded(f)
    ),
}
