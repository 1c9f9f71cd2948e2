"""The members of a conflict set through Algorithm 1, one after another in every order (TOKI 2026, Proposition 2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Final

from ..algebra import EVIDENCE, LWW, Fact
from ..algebra.errors import InvalidPeriod
from .cells import Cells
from .folds import Pattern, patterns
from .model import Claim, Outcome
from .printed_algorithm import Memory, ingest
from .small_facts import MULTIDEGREE, day, told

FOLDED: Final = (LWW, EVIDENCE)
SIZES: Final = (2, 3)
#: What t_s is when a fact is written: its own system_time_start, or a clock that has passed all of these and rises.
CLOCKS: Final = ("each fact at its own time", "a clock that rises with arrivals")


@dataclass(frozen=True)
class End:
    """What an order leaves: whose rows are open, the provenance of the last audit row, and how many were refused."""

    winners: tuple[str, ...]
    merged: Any
    refused: int


def end_of(order: Sequence[Fact[Any]], clock: str) -> End:
    """The end of one order of arrivals, through the lines as they are printed."""
    memory, merged, refused = Memory(), None, 0
    for number, each in enumerate(order):
        at = each.system_time_start if clock == CLOCKS[0] else day(100 + number)
        try:
            memory, resolution = ingest(memory, each, at)
        except InvalidPeriod:  # line 19 would close the incumbent before it began
            refused += 1
            continue
        merged = resolution.audit.provenance if resolution is not None else merged
    rows = tuple(row.fact_id for row in memory.rows if row.is_open and row.row_kind == "current")
    return End(rows, merged, refused)


@dataclass(frozen=True)
class Ends:
    """A conflict set, the clock, and what every order of it leaves."""

    pattern: Pattern
    members: tuple[Fact[Any], ...]
    ends: dict[tuple[str, ...], End]

    @property
    def winners(self) -> set[tuple[str, ...]]:
        """Whose rows are open, over all orders."""
        return {end.winners for end in self.ends.values()}

    @property
    def results(self) -> set[tuple[tuple[str, ...], Any]]:
        """Winner and merged provenance, over all orders."""
        return {(end.winners, end.merged) for end in self.ends.values()}

    def lines(self, *, merged: bool) -> tuple[str, ...]:
        """The facts, and one order for each winner, or for each merged provenance."""
        seen: dict[Any, str] = {}
        for order, end in self.ends.items():
            text = "nothing" if end.merged is None else MULTIDEGREE.text(end.merged)
            refused = f", {end.refused} refused by line 19" if end.refused else ""
            line = f"in the order {' '.join(order)}: {', '.join(end.winners)}{refused}; last audit row {text}"
            seen.setdefault(end.merged if merged else end.winners, line)
        return ("; ".join(map(told, self.members)), *seen.values())


def every_end(strategy: str, clock: str) -> Iterator[Ends]:
    """Every small conflict set with every pattern of ties, smaller ones and those without ties first."""
    for size in SIZES:
        for pattern in sorted(patterns(size), key=Pattern.by_size):
            members = tuple(pattern.members(MULTIDEGREE, strategy))
            ends = {tuple(f.fact_id for f in order): end_of(order, clock) for order in permutations(members)}
            yield Ends(pattern, members, ends)


def _arrivals(cells: Cells) -> Outcome:
    lines: list[str] = []
    examples: dict[str, tuple[str, ...]] = {}
    differing = 0
    for clock in CLOCKS:
        for found in FOLDED:
            ends = list(every_end(found.id, clock))
            winner = [each for each in ends if len(each.winners) > 1]
            result = [each for each in ends if len(each.results) > 1]
            differing += len(result)
            lines.append(
                f"{found.glyph}, {clock}: of {len(ends)} sets {len(ends) - len(winner)} have one winner in every order,"
                f" {len(ends) - len(result)} one winner and one last audit provenance"
            )
            same = next((each for each in result if len(each.winners) == 1), None)
            if same is not None:
                examples.setdefault("one winner, several provenances", same.lines(merged=True))
            if winner:
                examples.setdefault(f"{found.glyph}, {clock}, several winners", winner[0].lines(merged=False))
    bound = f"sets of {SIZES[0]} and {SIZES[-1]} facts, every pattern of ties of times and confidences, every order"
    if not differing:
        return Outcome("holds", "exhaustive", "every order leaves the same", bound=bound, evidence=tuple(lines))
    detail = (
        "Algorithm 1 is neither the argmax nor the fold: it stamps a winning newcomer with t_s and leaves a winning "
        "incumbent alone, so an earlier loser's provenance may be missing from the last audit row; and where the "
        "preferred fact comes after a later one, line 19 refuses it"
    )
    repair = (
        "collect the set and resolve it by one argmax (P2.confluence.argmax); the paper keeps the write path binary"
    )
    smaller_first = sorted(examples.items(), key=lambda each: (each[1][0].count(";"), each[0]))
    evidence = [line for words, example in smaller_first for line in (f"{words}: {example[0]}", *example[1:])]
    return Outcome("refuted", "exhaustive", detail, repair=repair, bound=bound, evidence=(*evidence, *lines))


ARRIVAL_CLAIMS = (
    Claim(
        "P2.confluence.algorithm-1",
        "ours, on TOKI 2026, Proposition 2 (1) and Algorithm 1: the paper says it of the n-ary resolution",
        "the members of a conflict set, written one after another in any order, leave one winner and one merged "
        "provenance",
        "Algorithm 1 as printed; the winner is whose row is open at the end, merged what the last audit row has; t_s "
        "as each fact's own time, or as a clock that rises",
        _arrivals,
    ),
)
