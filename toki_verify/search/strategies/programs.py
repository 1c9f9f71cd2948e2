"""Programs (what transactions do), their interleavings in a store, pairs in conflict, schedules at a level."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Final

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from ...events import (
    DEFAULT_TABLE,
    Abort,
    Commit,
    Event,
    InitialVersion,
    Item,
    Predicate,
    PredicateRead,
    Read,
    Schedule,
    Write,
    WriteKind,
)
from ...levels import Level, parse_spec
from ...relations.algebra import txn
from ...relations.concrete import Concrete
from ...relations.edges import rw, wr, ww
from ..stores import STORES, Program, ProgramError, program, run
from .bounds import BoundsError, check_range, check_switch

_LETTERS: Final = "xyzabcdefghijklmnopqrstuvw"
_EDGES: Final = {"wr": txn(wr), "ww": txn(ww), "rw": txn(rw)}


@cache
def _op(name: str, items: int, predicates: int) -> SearchStrategy[Event | None]:
    """One operation of a transaction, or none: that is the simplest, so that what is not needed shrinks to nothing."""
    item = st.integers(0, items - 1).map(lambda number: Item(DEFAULT_TABLE, _LETTERS[number]))
    names = tuple("PQRSTUVW"[:predicates])
    matching = st.sampled_from(((), *((name,) for name in names)))
    reads = item.map(lambda found: Read(name, found))
    writes = st.builds(lambda found, matched: Write(name, found, predicates=matched), item, matching)
    ops: list[SearchStrategy[Any]] = [st.none(), reads, writes]
    if names:
        ops += [
            st.sampled_from(names).map(lambda found: PredicateRead(name, Predicate(DEFAULT_TABLE, found))),
            item.map(lambda found: Write(name, found, kind=WriteKind.DELETE)),
        ]
    return st.one_of(ops)


@cache
def _ops(name: str, items: int, predicates: int, least: int, most: int) -> SearchStrategy[list[Event | None]]:
    return st.lists(_op(name, items, predicates), min_size=least, max_size=most)


def programs(
    *,
    min_txns: int = 1,
    max_txns: int = 3,
    max_ops: int = 4,
    max_items: int = 2,
    predicates: int = 0,
    aborts: bool = False,
) -> SearchStrategy[list[Program]]:
    """What transactions do before they are interleaved: a list of programs, one a transaction, without versions.

    A program is a tuple of events, up to `max_ops` reads, writes and, with `predicates` (how many there are), predicate
    reads and deletes, of at most `max_items` items; it ends in commit or, with `aborts`, perhaps in abort. Give the
    list to `interleavings`. Shrinks to few programs of few operations on x. Raises InvalidArgument.
    """
    check_range("max_txns", max_txns, 1, 26)
    check_range("min_txns", min_txns, 1, max_txns, "max_txns")
    check_range("max_ops", max_ops, 1, 1_000)
    check_range("max_items", max_items, 1, 26)
    check_range("predicates", predicates, 0, 8)
    check_switch("aborts", aborts)
    return _programs(min_txns, max_txns, max_ops, max_items, predicates, aborts)


@st.composite
def _programs(
    draw: DrawFn, min_txns: int, max_txns: int, max_ops: int, max_items: int, predicates: int, aborts: bool
) -> list[Program]:
    found: list[Program] = []
    for number in range(draw(st.integers(min_txns, max_txns))):
        name = str(number + 1)
        ops = draw(_ops(name, max_items, predicates, min(2, max_ops), max_ops))
        end: Event = Abort(name) if aborts and draw(st.sampled_from((False, False, True))) else Commit(name)
        found.append((*(op for op in ops if op is not None), end))
    return found


def interleavings(
    programs: Iterable[str | Schedule | Iterable[Event]] | SearchStrategy[list[Program]],
    *,
    store: str | SearchStrategy[str] = "free",
    init: Mapping[Item, InitialVersion] | None = None,
) -> SearchStrategy[Schedule]:
    """Schedules in which a store runs these programs, in some interleaving.

    `programs` are texts such as `r1[x] w1[x] c1`, schedules of one transaction, lists of events, or a strategy
    (`programs()`). `store` says which version a read sees, and who waits (`toki_verify.search.stores`): `free` any
    version, `single` the latest, `stale` any committed one, `committed` the latest committed one (RC), `snapshot` (SI),
    `locking` (SR); or a strategy of these names. The last four may abort a transaction, as a loser or in a deadlock.
    `init` is what the schedule says of initial versions.

    Shrinks to the serial run in the order of the programs, with reads of initial versions in a `free` or `stale` store.
    Raises InvalidArgument for an unknown store or programs that cannot be run, ScheduleError for text that cannot be
    read.
    """
    stores = store if isinstance(store, SearchStrategy) else st.just(_checked_store(store))
    if isinstance(programs, SearchStrategy):
        return _interleavings(programs, stores, init)
    try:
        fixed = [program(one) for one in programs]
        run(fixed, "single", lambda count: 0, init=init)
    except ProgramError as error:
        raise BoundsError(str(error)) from error
    return _interleavings(st.just(fixed), stores, init)


def _checked_store(store: str) -> str:
    if store not in STORES:
        raise BoundsError(f"store must be one of {', '.join(STORES)}, not {store!r}")
    return store


@st.composite
def _interleavings(
    draw: DrawFn,
    programs: SearchStrategy[list[Program]],
    stores: SearchStrategy[str],
    init: Mapping[Item, InitialVersion] | None,
) -> Schedule:
    return run(draw(programs), _checked_store(draw(stores)), _choose(draw), init=init)


def _choose(draw: DrawFn) -> Callable[[int], int]:
    return lambda count: draw(st.integers(0, count - 1))


def conflict_pairs(
    *,
    kinds: Sequence[str] = ("wr", "ww", "rw"),
    max_ops: int = 3,
    max_items: int = 2,
    store: str = "free",
) -> SearchStrategy[Schedule]:
    """Schedules of two committed transactions that conflict: one of these kinds of edges leads from one to the other.

    Up to `max_ops` operations each, on at most `max_items` items, run in a `store` (see `interleavings`). With all
    three kinds in a store that aborts nobody (`free`, `single`) nothing is filtered: each accesses the item x and at
    least one writes it. Raises InvalidArgument.
    """
    wanted = [kinds] if isinstance(kinds, str) else list(kinds)
    if not wanted or not set(wanted) <= set(_EDGES):
        raise BoundsError(f"kinds must be some of {', '.join(_EDGES)}, not {kinds!r}")
    check_range("max_ops", max_ops, 1, 1_000)
    check_range("max_items", max_items, 1, 26)
    return _conflict_pairs(frozenset(wanted), max_ops, max_items, _checked_store(store))


@st.composite
def _conflict_pairs(draw: DrawFn, kinds: frozenset[str], max_ops: int, max_items: int, store: str) -> Schedule:
    x = Item(DEFAULT_TABLE, "x")
    pairs = [("rw", "r", "w"), ("wr", "w", "r"), ("ww", "w", "w")]
    allowed = [(one, other) for kind, one, other in pairs if kind in kinds or (kind != "ww" and kinds & {"wr", "rw"})]
    found: list[Program] = []
    for number, act in enumerate(draw(st.sampled_from(allowed)), start=1):
        name = str(number)
        before = draw(_ops(name, max_items, 0, 0, max_ops - 1))
        after = draw(_ops(name, max_items, 0, 0, max_ops - 1 - len(before)))
        shared: Event = Read(name, x) if act == "r" else Write(name, x)
        found.append((*(event for event in (*before, shared, *after) if event is not None), Commit(name)))
    schedule = run(found, store, _choose(draw))
    if len(kinds) < len(_EDGES) or store not in ("free", "single"):
        concrete = Concrete(schedule)
        assume(any(any(concrete.term(_EDGES[kind])) for kind in kinds))
    return schedule


def at_level(
    level: str | Level,
    *,
    programs: SearchStrategy[list[Program]] | None = None,
    max_txns: int = 3,
    max_ops: int = 4,
    max_items: int = 2,
    predicates: int = 0,
) -> SearchStrategy[Schedule]:
    """Schedules that hold a level: a specification such as `SI` or `adya:PL-3`, or a Level.

    Programs (drawn from `programs`, or of these bounds) run in a `free` store, which gives every kind of schedule;
    where that does not hold the level, they run in stricter and stricter stores, and in the end one after the other. So
    hardly anything is filtered, and nothing for a level that serial schedules hold. Raises UnknownName for a level
    that is not known, InvalidArgument for bounds.
    """
    chosen = parse_spec(level) if isinstance(level, str) else level
    if programs is not None and not isinstance(programs, SearchStrategy):
        raise BoundsError(f"programs must be a strategy, not {type(programs).__name__}")
    made = programs if programs is not None else _program_strategy(max_txns, max_ops, max_items, predicates)
    return _at_level(chosen, made)


def _program_strategy(max_txns: int, max_ops: int, max_items: int, count: int) -> SearchStrategy[list[Program]]:
    return programs(max_txns=max_txns, max_ops=max_ops, max_items=max_items, predicates=count)


@st.composite
def _at_level(draw: DrawFn, level: Level, made: SearchStrategy[list[Program]]) -> Schedule:
    drawn = draw(made)
    picks: list[int] = []

    def choose(count: int) -> int:
        picks.append(draw(st.integers(0, count - 1)))
        return picks[-1]

    schedule = run(drawn, "free", choose)
    for store in STORES[1:]:
        if Concrete(schedule).holds(level.formula):
            return schedule
        again = iter(picks)
        schedule = run(drawn, store, lambda count, again=again: next(again, 0) % count)  # type: ignore[misc]
    if not Concrete(schedule).holds(level.formula):
        schedule = run(drawn, "single", lambda count: 0)
        assume(Concrete(schedule).holds(level.formula))
    return schedule
