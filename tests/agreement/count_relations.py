"""What the second counter asks of a schedule: relations as pairs, times, edges between neighbours, components."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cached_property
from itertools import groupby

from toki_verify.events import Schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations import edges as e
from toki_verify.relations.accesses import Access
from toki_verify.relations.bits import bits
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.terms import Term

Key = Hashable
When = tuple[int, int]
Counts = dict[Key, When]
Pair = tuple[int, int]
Pairs = set[Pair]


def closure(pairs: Iterable[Pair]) -> Pairs:
    """All (a, b) with a path of one or more steps from a to b."""
    behind: dict[int, set[int]] = {}
    for one, other in pairs:
        behind.setdefault(one, set()).add(other)
    found: Pairs = set()
    for one in behind:
        stack = list(behind[one])
        while stack:
            node = stack.pop()
            if (one, node) not in found:
                found.add((one, node))
                stack.extend(behind.get(node, ()))
    return found


def components(pairs: Iterable[Pair]) -> set[frozenset[int]]:
    """The sets of two or more nodes that lead to each other."""
    reach = closure(pairs)
    nodes = {one for one, _ in reach}
    return {
        frozenset(group)
        for node in nodes
        if len(group := {node, *(other for other in nodes if {(node, other), (other, node)} <= reach)}) > 1
    }


class Relations:
    """The relations of one schedule. Accesses are numbers of the concrete reading; transactions are numbers, too."""

    def __init__(self, schedule: Schedule) -> None:
        self.schedule, self.concrete = schedule, Concrete(schedule)
        self.accesses: list[Access] = list(self.concrete.accesses)
        self.initial = sum(access.kind == "I" for access in self.accesses)
        self.txn: list[int] = self.concrete.txn_of
        #: The place of an installed version in ≪ of its item.
        self.slot = {
            event: place for order in schedule.resolved.order.values() for place, event in enumerate(order, start=1)
        }

    # -- what relations hold -----------------------------------------------------------------------------------------
    def pairs(self, term: Term) -> list[Pair]:
        """The pairs of a relation."""
        return [(one, other) for one, row in enumerate(self.concrete.term(term)) for other in bits(row)]

    def of(self, name: str) -> list[Pair]:
        """The pairs that a phenomenon's formula asks for: it is `some(…)` of a term."""
        return self.pairs(catalogue()[name].formula.of)  # type: ignore[attr-defined]

    def when(self, *accesses: int) -> When:
        """The latest event of some accesses, and the lowest place of them at that event (places begin behind the
        initial versions)."""
        event = max(self.accesses[one].event for one in accesses)
        return event, min(one - self.initial for one in accesses if self.accesses[one].event == event)

    def earliest(self, found: Iterable[tuple[Key, tuple[int, ...]]]) -> Counts:
        """Each key with the way that is complete first."""
        out: Counts = {}
        for key, accesses in found:
            out[key] = min(out.get(key, (1 << 40, 0)), self.when(*accesses))
        return out

    @cached_property
    def rw(self) -> list[Pair]:
        return self.pairs(e.rw)

    @cached_property
    def prw(self) -> list[Pair]:
        return self.pairs(e.prw)

    @cached_property
    def anti(self) -> list[Pair]:
        return sorted({*self.rw, *self.prw})

    @cached_property
    def dep(self) -> Pairs:
        return set(self.pairs(e.dep.plus))

    def txns(self, pair: Pair) -> Pair:
        return self.txn[pair[0]], self.txn[pair[1]]

    def item(self, access: int) -> object:
        return self.accesses[access].item

    # -- edges between neighbours ------------------------------------------------------------------------------------
    def _targets(self, pairs: list[Pair], count: int) -> list[Pair]:
        """The first targets in ≪ of each source."""
        by_slot = sorted(pairs, key=lambda pair: (pair[0], self.slot[self.accesses[pair[1]].event]))
        return [pair for _, group in groupby(by_slot, lambda pair: pair[0]) for pair in list(group)[:count]]

    @cached_property
    def rw1(self) -> list[Pair]:
        return self._targets(self.rw, 1)

    @cached_property
    def prw1(self) -> list[Pair]:
        return self._targets(self.prw, 1)

    @cached_property
    def dep1(self) -> list[Pair]:
        """wr, ww1 and the last change of each row that pwr comes from."""
        last: dict[int, int] = {}
        for change, row in self.pairs(e.pwr):
            old = last.get(row)
            if old is None or self.slot[self.accesses[old].event] < self.slot[self.accesses[change].event]:
                last[row] = change
        return [*self.pairs(e.wr), *self.pairs(e.ww1), *((change, row) for row, change in last.items())]
