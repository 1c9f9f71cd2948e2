"""T1.*, Grid.iso, Prop3, W.* and L2.* again: every small schedule is made, and judged by the brute-force oracle.

A search by SAT finds a smallest schedule; here nothing smaller is found among all schedules of up to five events, and
the one of six events that is claimed is judged. A cell that was proved for every size is searched up to the bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

from tests.agreement.oracle import PHENOMENA, Facts
from toki_verify.events import Schedule
from toki_verify.search.census import Alphabet, census

from .model import Found, stored
from .oracles import at, is_at, shows
from .registry import second

#: Theorem 1 with Tables 3 and 23, transcribed again: the phenomena by their guards.
GUARDED = {"RC": ("P0", "P1"), "SI": ("P2", "P4", "A5A"), "SR": ("P3", "A5B", "N1", "N2")}
GUARD = {name: level for level, names in GUARDED.items() for name in names}
SIX = [f"{level}{cb}" for level in ("RC", "SI", "SR") for cb in ("", "+cb")]
#: Which levels are weaker: pairs, written out.
WEAKER = {("RC", "SI"), ("RC", "SR"), ("SI", "SR")}
#: What is made: complete schedules of two transactions (three need six events), with every version order.
NORMAL = (
    (5, Alphabet(transactions=2, predicates=True, aborts=False)),
    (5, Alphabet(transactions=2, partition=True)),
    (4, Alphabet(transactions=2, predicates=True, deletes=True, unmatched=True, partition=True)),
    (5, Alphabet(transactions=2, items=1, reads=False, writes=False, judges=True)),
    (4, Alphabet(transactions=2, items=1, judges=True)),
    (4, Alphabet(transactions=2, items=1, callbacks=True)),
)
BOUND = NORMAL
#: What the heavy test makes beside.
HEAVY = (
    (5, Alphabet(transactions=2, predicates=True, deletes=True, partition=True)),
    (5, Alphabet(transactions=2, judges=True, partition=True)),
    (5, Alphabet(transactions=2, callbacks=True)),
    (6, Alphabet(transactions=3, aborts=False, partition=True)),
    (6, Alphabet(transactions=2, aborts=False, predicates=True)),
)


def claimed_excluded(name: str, level: str) -> bool:
    """Whether Theorem 1 says that a level excludes a phenomenon."""
    return (level.removesuffix("+cb"), GUARD[name]) not in WEAKER


def made(bounds: tuple[tuple[int, Alphabet], ...]) -> Iterator[Facts]:
    """Every schedule of some bounds, as the oracle has it."""
    for size, alphabet in bounds:
        for schedule in census(size, alphabet, complete=True, orders=True):
            yield Facts(schedule)


@cache
def sizes(bounds: tuple[tuple[int, Alphabet], ...]) -> dict[tuple[str, str], int]:
    """Per phenomenon and level the fewest events of a schedule at the level that shows it, where there is one."""
    found: dict[tuple[str, str], int] = {}
    for one in made(bounds):
        shown = [name for name in GUARD if PHENOMENA[name](one) is True]
        for level in SIX if shown else ():
            if is_at(one, level):
                for name in shown:
                    cell = name, level
                    found[cell] = min(found.get(cell, len(one.events)), len(one.events))
    return found


def smallest(name: str, level: str, id: str = "") -> int | None:
    """The fewest events: by enumeration; beyond its bound, of the claimed schedule, if the oracle confirms it."""
    known = sizes(BOUND).get((name, level))
    if known is not None or not id:
        return known
    texts = [text for text in stored()[id].witnesses if at_with_partition(text, level, name)]
    longest = max(size for size, _ in BOUND)
    return min((size for size in map(events_of, texts) if size == longest + 1), default=None)


def events_of(text: str) -> int:
    """How many events the schedule of a text has; of none 0."""
    return len(Schedule.parse(text).events) if text else 0


def at_with_partition(text: str, level: str, name: str) -> bool:
    """Whether the schedule of a text is at a level and shows a phenomenon."""
    return at(text, level) and shows(text, name)


@second("T1.sound.*.*")
def sound(id: str) -> Found:
    """No schedule up to the bound, or a smallest one."""
    _, _, name, level = id.split(".")
    size = smallest(name, level)
    if size is None:
        return Found("holds")
    same = events_of(stored()[id].counterexample) == size
    return Found("refuted", () if same else (f"a smallest schedule has {size} events",))


@second("T1.tight.*.*")
def tight(id: str) -> Found:
    """A schedule up to the bound as small as the stored one, or the stored one and nothing smaller."""
    _, _, name, level = id.split(".")
    size = smallest(name, level, id)
    if size is None:
        return Found("refuted")
    (text,) = stored()[id].witnesses
    right = events_of(text) == size and at(text, level) and shows(text, name)
    return Found("holds", () if right else (f"a smallest schedule has {size} events",))


def cells() -> dict[str, bool]:
    """The 54 cells by the ids of their claims: whether they are as the theorem says."""
    found = {}
    for name, level in product(GUARD, SIX):
        id = id_of(name, level)
        found[id] = (smallest(name, level, id if ".tight." in id else "") is None) == (".sound." in id)
    return found


def id_of(name: str, level: str) -> str:
    """The id of the claim about a cell."""
    return f"T1.{'sound' if claimed_excluded(name, level) else 'tight'}.{name}.{level}"


@second("T1.sound", "T1.tight", "Grid.iso")
def grid(id: str) -> Found:
    """All cells of a kind."""
    chosen = {cell: right for cell, right in cells().items() if id == "Grid.iso" or cell.startswith(f"{id}.")}
    wrong = sorted(cell for cell, right in chosen.items() if not right)
    said = (
        f"{len(chosen) - len(wrong)} of {len(chosen)} hold; false: {', '.join(wrong)}"
        if wrong
        else f"all {len(chosen)} cells"
    )
    return Found("refuted" if wrong else "holds", (said,))


@second("T1.subset")
def subset(id: str) -> Found:
    """Every set of the seven classical phenomena at every level, by the enumeration."""
    classical = [name for name in GUARD if not name.startswith("N")]
    excluded = {
        (name, level): claimed_excluded(name, level) == right[id_of(name, level)]
        for right in [cells()]
        for name in classical
        for level in SIX
    }
    sets = [chosen for n in range(len(classical) + 1) for chosen in combinations(classical, n)]
    wrong = sum(
        all(excluded[name, level] for name in chosen) != all(claimed_excluded(name, level) for name in chosen)
        for chosen in sets
        for level in SIX
    )
    return Found("refuted" if wrong else "holds", (f"all {len(sets)} subsets at all {len(SIX)} levels",))
