"""P2.* and Grid.confluence again: orders that are counted over subsets instead of made one after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations, product
from math import factorial
from typing import Any, NamedTuple

from . import races
from .algorithm_claims import every
from .carriers import RINGS, Ring
from .machine import Machine, Row, conflict, run
from .model import Found, after_repair, all_of, yes
from .registry import second

FREE = RINGS["multidegree"]
LATER = 100
GLYPHS = {"lww": "⊕t", "evi": "⊕p"}


class Ranked(NamedTuple):
    """A conflict set: the time and the confidence of each member by its place; its name is the place."""

    times: tuple[int, ...]
    confidences: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.times)


def weak_orders(size: int) -> list[tuple[int, ...]]:
    """Every way in which some members can be ranked, with ties: ordered partitions, as ranks."""

    def partitions(left: frozenset[int]) -> Iterator[list[frozenset[int]]]:
        if not left:
            yield []
        for n in range(1, len(left) + 1):
            for first in map(frozenset, combinations(sorted(left), n)):
                for rest in partitions(left - first):
                    yield [first, *rest]

    return [
        tuple(next(rank for rank, block in enumerate(blocks) if member in block) for member in range(size))
        for blocks in partitions(frozenset(range(size)))
    ]


def sets(size: int, *, partial: bool) -> list[Ranked]:
    """All patterns of ties of two or three members; of more, or without partial ties, none or all of a kind tied."""
    if partial and size <= 3:
        return [Ranked(*both) for both in product(weak_orders(size), repeat=2)]
    up, level = tuple(range(size)), (0,) * size
    return [Ranked(*both) for both in product((up, level), (up[::-1], level))]


def every_set(*, partial: bool = True) -> list[Ranked]:
    """Those of two to five members."""
    return [found for size in range(2, 6) for found in sets(size, partial=partial)]


#: What is preferred: of a strategy, the key of a member; `stamp` is its time where it was stamped.
Key = Callable[[Ranked, int, int | None], tuple[int, ...]]


def key(strategy: str) -> Key:
    """The selectors of §3.2: (version time, id), (confidence, version time, id)."""

    def of(found: Ranked, member: int, stamp: int | None) -> tuple[int, ...]:
        time = found.times[member] if stamp is None else stamp
        return (found.confidences[member], time, member) if strategy == "evi" else (time, member)

    return of


def ends(found: Ranked, preferred: Key, stamp: str) -> Counter[int]:
    """Of how many orders each member is the last best, by subsets: (members so far, best, its stamp) ↦ orders.

    `stamp`: winners are stamped `later` than all, with the `own` later time of both, or `never`.
    """
    states: Counter[tuple[int, int, int | None]] = Counter({(1 << m, m, None): 1 for m in range(found.size)})
    for _ in range(found.size - 1):
        after: Counter[tuple[int, int, int | None]] = Counter()
        for (mask, best, at), number in states.items():
            for member in range(found.size):
                if mask >> member & 1:
                    continue
                won = preferred(found, member, None) > preferred(found, best, at)
                time = found.times[best] if at is None else at
                now = {"later": LATER, "own": max(time, found.times[member]), "never": None}[stamp]
                after[mask | 1 << member, member if won else best, now] += number
        states = after
    out: Counter[int] = Counter()
    for (_, best, _), number in states.items():
        out[best] += number
    assert out.total() == factorial(found.size)
    return out


@second("P2.confluence.argmax")
def argmax(id: str) -> Found:
    """One member is above every other, by pairs; a sum is the same in every order since ⊕ commutes and associates."""
    orders = 0
    good = True
    for found in every_set():
        for strategy in GLYPHS:
            of = key(strategy)
            tops = [
                m
                for m in range(found.size)
                if all(of(found, m, None) > of(found, o, None) for o in range(found.size) if o != m)
            ]
            good &= len(tops) == 1
            orders += factorial(found.size) * len(RINGS)
    for ring in RINGS.values():
        a, b, c = map(ring.token, "abc")
        good &= ring.plus(a, b) == ring.plus(b, a) and ring.plus(ring.plus(a, b), c) == ring.plus(a, ring.plus(b, c))
    return Found("holds" if good else "refuted", (f"{orders} orders",))


@second("P2.confluence.key")
def time_alone(id: str) -> Found:
    """Whether version time alone, and with the id, puts one member above every other."""

    def total(*, named: bool) -> bool:
        return all(
            len({(t, m if named else 0) for m, t in enumerate(found.times)}) == found.size for found in every_set()
        )

    return Found(after_repair(total(named=False), total(named=True)), ("f1 or f2",))


@second("P2.confluence.fold.*")
def fold(id: str) -> Found:
    """Every set by subsets: stamped later, stamped with own times, never stamped."""
    of = key(id.rpartition(".")[2])
    every_one = every_set()
    differing = [found for found in every_one if len(ends(found, of, "later")) > 1]
    own = sum(len(ends(found, of, "own")) == 1 for found in every_one)
    repaired = all(len(ends(found, of, "never")) == 1 for found in every_one)
    untied = [f.size for f in differing if len(set(f.times)) == len(set(f.confidences)) == f.size]
    smallest = min((found.size for found in differing), default=0)
    says = [
        f"{smallest} facts:",
        f"the folds of {len(differing)} of {len(every_one)} sets",
        f"without ties: {f'{min(untied)} facts' if untied else 'none up to 5'}",
        f"own times instead: {own} of {len(every_one)} sets agree",
        f"without partial ties: {yes(repaired)}",
    ]
    return Found("refuted" if differing else "holds", tuple(says))


@second("P2.confluence")
def confluence(id: str) -> Found:
    """Both readings."""
    parts = {
        f"P2.confluence.{name}": decider(f"P2.confluence.{name}").verdict
        for name, decider in (("argmax", argmax), ("key", time_alone), ("fold.lww", fold), ("fold.evi", fold))
    }
    readings = [
        parts["P2.confluence.argmax"] == "holds",
        all(parts[f"P2.confluence.fold.{s}"] == "holds" for s in GLYPHS),
    ]
    return Found(all_of(readings), tuple(f"{part}: {verdict}" for part, verdict in parts.items()))


@second("P2.complete")
def complete(id: str) -> Found:
    """What every order adds up to is above each summand: on sums of tokens, and how many resolutions there are."""
    resolutions, good = 0, True
    for ring in RINGS.values():
        for found in every_set(partial=False):
            tokens = [ring.token(f"f{m + 1}") for m in range(found.size)]
            good &= all(ring.leq(token, ring.total(tokens)) for token in tokens)
            resolutions += 2 * len(GLYPHS) * factorial(found.size)
    return Found("holds" if good else "refuted", (f"{resolutions} resolutions",))


@second("Grid.confluence")
def grid(id: str) -> Found:
    """n from 2 to 8, by subsets."""
    says, confluent, orders = [], {"argmax": True, "fold": True}, 0
    for size in range(2, 9):
        parts = []
        for strategy, glyph in GLYPHS.items():
            for tied in (False, True):
                up, level = tuple(range(size)), (0,) * size
                found = Ranked(level if tied else up, level if tied else up[::-1])
                folded = len(ends(found, key(strategy), "later"))
                tops = len(
                    {
                        max(order, key=lambda m: key(strategy)(found, m, None))
                        for order in [range(size), range(size)[::-1]]
                    }
                )
                confluent["argmax"] &= tops == 1
                confluent["fold"] &= folded == 1
                orders += factorial(size)
                parts.append(f"{glyph}, {'all tied' if tied else 'no ties'} {tops}/{folded}")
        says.append(f"n = {size}, {factorial(size)} orders, results by argmax/fold: {'; '.join(parts)}")
    says.append(f"{orders} orders by argmax and {orders} by fold")
    return Found(all_of(confluent.values()), tuple(says))


# -- at the write path -------------------------------------------------------------------------------------------------


def facts_of(found: Ranked, strategy: str) -> list[Row]:
    """The members as facts f1 … fn that contradict pairwise."""
    return [
        Row(f"f{m + 1}", f"v{m + 1}", (0, 2), time + 1, FREE.token(f"f{m + 1}"), (confidence + 1) / 10, strategy)
        for m, (time, confidence) in enumerate(zip(*found, strict=True))
    ]


def arrival(order: tuple[Row, ...], *, rising: bool) -> tuple[tuple[str, ...], Any]:
    """Whose rows are open after an order of arrivals, and the provenance of the last audit row."""
    table, merged = Machine(), None
    for number, row in enumerate(order):
        event = table.write(row, LATER + number if rising else row.start)
        merged = event.merged if event.kind == "resolved" else merged
    return tuple(row.id for row in table.believed()), merged


@second("P2.confluence.algorithm-1")
def arrivals(id: str) -> Found:
    """Two and three members in every order of arrivals."""
    says, same = [], True
    chosen = [found for size in (2, 3) for found in sets(size, partial=True)]
    for rising, words in ((False, "each fact at its own time"), (True, "a clock that rises with arrivals")):
        for strategy, glyph in GLYPHS.items():
            results = [
                {arrival(order, rising=rising) for order in permutations(facts_of(found, strategy))} for found in chosen
            ]
            one_winner = sum(len({winner for winner, _ in found}) == 1 for found in results)
            one = sum(len(found) == 1 for found in results)
            same &= one == len(chosen)
            says.append(
                f"{glyph}, {words}: of {len(chosen)} sets {one_winner} have one winner in every order, {one} one winner"
            )
    return Found("holds" if same else "refuted", tuple(says))


@second("P2.complete.algorithm-1")
def last_audit(id: str) -> Found:
    """Three facts that contradict pairwise, one after another, in each carrier; and with stamped incumbents."""
    three = [
        ran.history
        for ran in every()
        if [e.kind for e in ran.events[1:]] == ["resolved"] * 2
        and all(conflict(*pair) for pair in combinations(ran.history, 2))
    ]

    def short(ring: Ring, *, stamped: bool) -> list[Any]:
        found = []
        for history in three:
            ran = run(tuple(r._replace(prov=ring.token(r.id)) for r in history), ring=ring, stamped=stamped)
            last = ran.events[-1].merged
            found += [history] if not all(ring.leq(ring.token(r.id), last) for r in history) else []
        return found

    failing = [name for name, ring in RINGS.items() if short(ring, stamped=False)]
    repaired = not any(short(ring, stamped=True) for ring in RINGS.values())
    return Found(
        "refuted" if failing else "holds",
        (f"carriers: {', '.join(failing_in_order(failing))}", f"it holds here: {yes(repaired)}"),
    )


def failing_in_order(names: list[str]) -> list[str]:
    """In the order of the package's list of carriers."""
    from toki_verify.algebra.carriers import CARRIERS

    return [name for name in CARRIERS if name in names]


@cache
def invariant() -> bool:
    """Whether one write never makes two open rows contradict where none did: all partitions of up to two open rows over
    every period of three days, and every new fact that wins or loses."""
    spans = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    rows = [
        Row(name, value, span, at, FREE.token(name))
        for name, at in (("a", 1), ("b", 2))
        for value in "xy"
        for span in spans
    ]
    states = [[], *([row] for row in rows)]
    states += [[r, s] for r, s in combinations(rows, 2) if r.id != s.id and not conflict(r, s)]
    for before in states:
        for value, span, win in product("xyz", spans, (True, False)):
            table = Machine(rows=list(before), wins=lambda new, old, win=win: win)  # type: ignore[misc]
            table.write(Row("d", value, span, 3, FREE.token("d")))
            if any(conflict(*pair) for pair in combinations(table.believed(), 2)):
                return False
    return True


@second("P2.seam")
def seam(id: str) -> Found:
    """Conflict sets of three: with one writer, with two."""
    several = sum(any(e.kind == "several incumbents" for e in ran.events) for ran in every())
    left = [ran for ran in every() if any(conflict(*pair) for pair in combinations(ran.machine.believed(), 2))]
    one_writer = bool(left) or not invariant()
    race = races.found()
    says = (f"({several} small histories meet several)", f"another such partition: {yes(not one_writer)}", *race.says)
    return Found(all_of([one_writer, bool(race.left)]), says)
