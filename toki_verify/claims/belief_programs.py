"""The belief query and the confidence revision of Corollary 1 as programs, in every reading, and their repairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from .serial_oracle import Program, Run, State, Step

CACHE: Final = "f_bc"
#: The partition where it is one data item.
LIFTED: Final = "pi"
#: A row of the partition that holds nothing of it.
HEADER: Final = "header"
#: ⊕p of confidences, by the names of rows: the winner is the row of the highest confidence, the first of equals.
Fold = Callable[[State], Any]


def rows(count: int) -> tuple[str, ...]:
    """The names of so many rows."""
    return tuple(f"m{number}" for number in range(1, count + 1))


def winning_fact(confidences: State) -> Any:
    """⊕p as the fact that wins: its row and its confidence."""
    name = winning_belief(confidences)
    return name, confidences[name]


def winning_belief(confidences: State) -> Any:
    """⊕p as the belief that wins, whatever its confidence."""
    return max(sorted(confidences), key=lambda name: confidences[name])


FOLDS: Final[dict[str, Fold]] = {"the winning fact": winning_fact, "the winning belief": winning_belief}


def confidences(state: State) -> State:
    """The rows of the partition in a state, or in what a program has seen."""
    if LIFTED in state:
        return dict(state[LIFTED][0])
    return {name: value for name, value in state.items() if name not in (CACHE, HEADER)}


def cached(state: State) -> Any:
    """The belief cache in a state."""
    return state[CACHE] if CACHE in state else state[LIFTED][1]


@dataclass(frozen=True)
class Scenario:
    """Programs on a store: `inside` are the items that belong to the partition."""

    programs: tuple[Program, ...]
    initial: State
    inside: frozenset[str]
    fold: Fold

    def consistent(self, state: State) -> bool:
        """The invariant of Corollary 1 in a state: f_bc = ⊕p(π)."""
        return bool(cached(state) == self.fold(confidences(state)))

    def invariants(self) -> dict[str, Callable[[Run], bool]]:
        """The readings of 'I holds'."""
        return {
            "in the final state": lambda run: self.consistent(run.final),
            "after every commit": lambda run: all(map(self.consistent, run.states[1:])),
            "at the query's commit": lambda run: all(
                self.consistent(run.states[place]) for place, name in enumerate(run.order, 1) if name.startswith("T_q")
            ),
            "as of some committed state": lambda run: (
                cached(run.final) in [self.fold(confidences(state)) for state in run.states]
            ),
        }

    def with_cache_inside(self) -> Scenario:
        """The same with f_bc as a row of the partition."""
        return replace(self, inside=self.inside | {CACHE})


def start(given: tuple[int, ...], fold: Fold, cold: Any = None) -> dict[str, Any]:
    """A store with these confidences, and the cache as ⊕p has it, or `cold`."""
    state: dict[str, Any] = dict(zip(rows(len(given)), given, strict=True))
    return {**state, CACHE: fold(state) if cold is None else cold}


def _reads(count: int, cache: bool) -> tuple[Step, ...]:
    return tuple(map(Step, (*rows(count), CACHE) if cache else rows(count)))


def query(count: int, fold: Fold, *, reads_cache: bool = False, twice: bool = False) -> Program:
    """T_q: read the partition, write f_bc := ⊕p of it (`twice`: read it again before the write)."""
    reads = _reads(count, reads_cache)
    return Program("T_q", (*reads, *(reads if twice else ()), Step(CACHE, lambda seen: fold(confidences(seen)))))


def revision(
    count: int,
    fold: Fold,
    row: str,
    confidence: int,
    *,
    name: str = "T_w",
    reads_cache: bool = False,
    cache: str = "kept",
) -> Program:
    """T_w: read the partition, set one row's confidence. `cache`: f_bc is kept; written anew always, or on a change of
    ⊕p; or it guards: the row is only revised where f_bc, which T_w has read, is ⊕p of the partition afterwards."""
    reads = _reads(count, reads_cache or cache == "guards")

    def revised(seen: State) -> Any:
        after = {**confidences(seen), row: confidence}
        return None if cache == "guards" and fold(after) != seen[CACHE] else confidence

    def before(seen: State) -> Any:
        # The row is written last, so what was read of it is still what T_w has seen.
        old, new = fold(confidences(seen)), fold({**confidences(seen), row: confidence})
        return None if cache == "on change" and old == new else new

    refresh = (Step(CACHE, before),) if cache in ("always", "on change") else ()
    return Program(name, (*reads, *refresh, Step(row, revised)))


def printed(
    given: tuple[int, ...], fold: Fold, row: str, confidence: int, *, reads_cache: bool = False, twice: bool = False
) -> Scenario:
    """T_q and T_w of Corollary 1, row by row, with f_bc outside of the partition."""
    count = len(given)
    programs = (
        query(count, fold, reads_cache=reads_cache, twice=twice),
        revision(count, fold, row, confidence, reads_cache=reads_cache),
    )
    return Scenario(programs, start(given, fold), frozenset(rows(count)), fold)


def lifted(given: tuple[int, ...], fold: Fold, row: str, confidence: int, *, cache_inside: bool) -> Scenario:
    """T_q and T_w where the partition is one data item, with f_bc as a part of it or not."""
    plain = start(given, fold)
    whole = {name: value for name, value in plain.items() if name != CACHE}

    def item(changed: State, cache: Any) -> Any:
        return tuple(sorted(changed.items())), cache if cache_inside else None

    initial = {LIFTED: item(whole, plain[CACHE])} | ({} if cache_inside else {CACHE: plain[CACHE]})

    def believe(seen: State) -> Any:
        now = confidences(seen)
        return item(now, fold(now)) if cache_inside else fold(now)

    def revise(seen: State) -> Any:
        return item({**confidences(seen), row: confidence}, seen[LIFTED][1])

    programs = (
        Program("T_q", (Step(LIFTED), Step(LIFTED if cache_inside else CACHE, believe))),
        Program("T_w", (Step(LIFTED), Step(LIFTED, revise))),
    )
    return Scenario(programs, initial, frozenset({LIFTED}), fold)


def materialised(given: tuple[int, ...], fold: Fold, row: str, confidence: int) -> Scenario:
    """T_q and T_w as printed, each writing one more row of the partition: the conflict materialised."""
    one = printed(given, fold, row, confidence)
    both = tuple(replace(found, steps=(*found.steps, Step(HEADER, lambda seen: "seen"))) for found in one.programs)
    return replace(one, programs=both, initial={**one.initial, HEADER: ""}, inside=one.inside | {HEADER})


def maintainers(
    given: tuple[int, ...], fold: Fold, revisions: tuple[tuple[str, int], ...], cache: str = "on change"
) -> Scenario:
    """Confidence revisions that re-derive f_bc from what they have read and write it where it changes."""
    count = len(given)
    programs = tuple(
        revision(count, fold, row, confidence, name=f"T_w{number}", cache=cache)
        for number, (row, confidence) in enumerate(revisions, 1)
    )
    return Scenario(programs, start(given, fold), frozenset(rows(count)), fold)


def guarded(given: tuple[int, ...], fold: Fold, row: str, confidence: int, cold: Any) -> Scenario:
    """T_q as printed on a cache that is `cold`, and a T_w that reads f_bc and revises only where I will hold."""
    count = len(given)
    programs = (query(count, fold), revision(count, fold, row, confidence, cache="guards"))
    return Scenario(programs, start(given, fold, cold), frozenset(rows(count)), fold)
