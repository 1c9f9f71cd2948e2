"""What schedules a search ranges over: which events and clauses they may use, and how many of everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from ..relations.formulas import Formula, Region, Within, children
from ..relations.terms import Base, Term

#: What formulas that speak of recovery mention.
ERASURE = frozenset({"fact", "dominated_by", "kept_current", "kept_closed", "kept_history", "kept_audit"})


@dataclass(frozen=True)
class Features:
    """Which parts of the model schedules may use.

    Of the parts that are on, a search uses those that the formula can see (`seen_by`): an event of a kind that the
    formula never mentions could be deleted. Values of items and operator tags but `await` are seen by no formula, so no
    search varies them; inserts and deletes, provenances, initial rows, and which whole parts the store keeps are seen
    by N3 alone (`erasure`). `items`, `predicates`, `keys` and `votes` bound how many
    there are.
    """

    reads: bool = True
    writes: bool = True
    aborts: bool = True
    orders: bool = True
    predicates: int = 1
    partial: bool = True
    keys: int = 2
    votes: int = 2
    unknown_votes: bool = True
    callbacks: bool = True
    partitions: bool = True
    sessions: bool = True
    begins: bool = False
    unfinished: bool = False
    judge_log: bool = True
    erasure: bool = True

    def seen_by(self, formula: Formula) -> Features:
        """These features without those that the formula cannot tell from their absence."""
        names, _ = mentions(formula)
        rows = bool(names & {"row_from", "matched", "unmatched", "matches", "same_predicate"})
        judges = bool(names & {"judge", "same_key", "other_vote", "unknown_vote", "log_fill"})
        return Features(
            self.reads,
            self.writes,
            self.aborts,
            self.orders and "version_order" in names,
            self.predicates if rows else 0,
            self.partial and rows,
            self.keys if judges else 0,
            self.votes if judges else 0,
            self.unknown_votes and "unknown_vote" in names,
            self.callbacks and bool(names & {"callback", "by_await"}),
            self.partitions and bool(names & {"same_partition", "partition_final"}),
            self.sessions and "session" in names,
            self.begins,
            self.unfinished,
            self.judge_log and "log_fill" in names,
            self.erasure and bool(names & ERASURE),
        )


@cache
def mentions(formula: Formula) -> tuple[frozenset[str], frozenset[Region]]:
    """The base relations and the regions that a formula mentions."""
    names: set[str] = set()
    regions: set[Region] = set()
    seen: set[int] = set()
    stack: list[Formula | Term] = [formula]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Base):
            names.add(node.name)
        if isinstance(node, Within):
            regions.add(node.region)
        stack += children(node)
    return frozenset(names), frozenset(regions)


@dataclass(frozen=True)
class Frame:
    """How many slots every transaction has (its end included), most first, and which transactions end."""

    sizes: tuple[int, ...]
    ended: tuple[bool, ...]

    @property
    def events(self) -> int:
        """How many events a schedule of this frame has."""
        return sum(self.sizes)

    @property
    def slots(self) -> list[int]:
        """The transaction of each slot that is no end."""
        return [t for t, size in enumerate(self.sizes) for _ in range(size - self.ended[t])]


def frames(events: int, transactions: int, *, unfinished: bool = False) -> Iterator[Frame]:
    """Every frame of so many events and transactions, up to renaming; no transaction only ends."""
    kinds = [(size, True) for size in range(2, events + 1)]
    if unfinished:
        kinds += [(size, False) for size in range(1, events + 1)]
    kinds.sort(reverse=True)

    def extend(chosen: list[tuple[int, bool]], first: int, left: int) -> Iterator[Frame]:
        if len(chosen) == transactions:
            if left == 0:
                yield Frame(tuple(size for size, _ in chosen), tuple(ended for _, ended in chosen))
            return
        for place in range(first, len(kinds)):
            if kinds[place][0] <= left:
                yield from extend([*chosen, kinds[place]], place, left - kinds[place][0])

    yield from extend([], 0, events)
