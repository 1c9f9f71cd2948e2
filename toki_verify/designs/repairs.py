"""What would repair a design: disciplines that turn an *admits* into an *excludes*, found by exploring it anew.

Disciplines are tried one by one, then in pairs for what no single one excludes. Those that work are ordered by how many
they are, then by what they cost on the same workload: runs in which the store aborts a transaction, runs in which a
writer waits, and steps added.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ..processes import deaf
from .costs import Cost, cost
from .disciplines import Discipline, disciplines, under
from .explore import Stopped
from .faults import DesignError
from .model import Described
from .pool import Reference
from .review import Bound, Review
from .verify import Verifier

#: Seconds that one set of disciplines may be explored.
SECONDS = 30.0


@dataclass(frozen=True)
class Repair:
    """Disciplines that together exclude what the design admits: which cells, what is new, and what it costs."""

    disciplines: tuple[Discipline, ...]
    excludes: tuple[str, ...]
    introduces: tuple[str, ...]
    cost: Cost

    @property
    def name(self) -> str:
        """The ids of the disciplines."""
        return " + ".join(found.id for found in self.disciplines)

    @property
    def words(self) -> str:
        """What is done."""
        return "; and ".join(found.words for found in self.disciplines)


@dataclass
class Repairs:
    """Per admitted cell the repairs that exclude it, cheapest first; and what the design costs as it is. `tried` counts
    the sets of disciplines that were explored to an answer, `open` names those whose time was over."""

    base: Cost
    by_cell: dict[str, list[Repair]] = field(default_factory=dict)
    tried: int = 0
    open: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Answer:
    """What exploring a design under disciplines says. `stopped`: the time was over."""

    excludes: tuple[str, ...] = ()
    introduces: tuple[str, ...] = ()
    cost: Cost | None = None
    stopped: bool = False


def repairs(
    review: Review,
    *,
    wanted: tuple[str, ...] | None = None,
    pairs: bool = True,
    tried: Callable[[str], None] | None = None,
    jobs: int = 1,
    reference: Reference | None = None,
    seconds: float | None = None,
) -> Repairs:
    """The repairs of a reviewed design. `wanted` are the cells to exclude (default: all that it admits); `tried` is
    told of every set of disciplines that is explored; `jobs` processes explore where `reference` says how another
    process finds the design. After `seconds` what is not tried is open."""
    bound = review.bound
    if bound is None:
        raise ValueError("a review without an explored bound has nothing to repair")
    admitted = review.admitted()
    targets = tuple(name for name in admitted if wanted is None or name in wanted)
    others = tuple(name for name in review.results if "@" not in name and name not in admitted)
    found = Repairs(cost(review.described, bound.writers), {name: [] for name in targets})
    every = [discipline for discipline in disciplines(review.described) if _concerns(review, discipline)]
    until = None if seconds is None else time.monotonic() + seconds
    for size in (1, 2) if pairs else (1,):
        missing = tuple(name for name in targets if not found.by_cell[name])
        if not missing:
            break
        slow = set(found.open)
        sets = [chosen for chosen in combinations(every, size) if _sensible(chosen) and not slow & set(_ids(chosen))]
        for chosen, answer in _answers(review.described, sets, bound, missing, others, until, jobs, reference, tried):
            if answer.stopped:
                found.open.append(" + ".join(one.id for one in chosen))
                continue
            found.tried += 1
            if answer.cost is not None:
                repair = Repair(chosen, answer.excludes, answer.introduces, answer.cost)
                for name in repair.excludes:
                    found.by_cell[name].append(repair)

    def by_cost(one: Repair) -> tuple[float, ...]:
        return (len(one.disciplines), one.cost.share, one.cost.steps, *map(every.index, one.disciplines))

    for name in found.by_cell:
        found.by_cell[name].sort(key=by_cost)
    return found


def _concerns(review: Review, discipline: Discipline) -> bool:
    """Whether the design does anything that the discipline would change."""
    needs = {"audit row": "N3", "expected version": "N3", "keyed log": "N1", "delivered callback": "CB"}
    result = review.results.get(needs.get(discipline.id, ""))
    return result is None or not result.vacuous


def _sensible(chosen: tuple[Discipline, ...]) -> bool:
    """Whether none of them makes another one idle: two levels, or a pin under a level that is as strong."""
    raised = [one.id for one in chosen if one.id.startswith("raise")]
    strong = any(name.endswith(("SR", "2PL")) for name in raised)
    return len(raised) < 2 and not (strong and any(one.id.startswith("SR@") for one in chosen))


def _answers(
    described: Described,
    sets: list[tuple[Discipline, ...]],
    bound: Bound,
    targets: tuple[str, ...],
    others: tuple[str, ...],
    until: float | None,
    jobs: int,
    reference: Reference | None,
    tried: Callable[[str], None] | None,
) -> Iterator[tuple[tuple[Discipline, ...], _Answer]]:
    """What each set of disciplines does, in their order."""

    def left() -> float:
        return SECONDS if until is None else max(0.0, min(SECONDS, until - time.monotonic()))

    def said(chosen: tuple[Discipline, ...]) -> None:
        if tried is not None:
            tried(" + ".join(one.id for one in chosen))

    if jobs == 1 or reference is None or len(sets) < 2:
        for chosen in sets:
            said(chosen)
            yield chosen, _explored(described, _ids(chosen), bound, targets, others, left())
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(min(jobs, len(sets)), mp_context=get_context("spawn"), initializer=deaf)
    try:
        ends = None if until is None else time.time() + (until - time.monotonic())
        futures = [pool.submit(_elsewhere, reference, _ids(one), bound, targets, others, ends) for one in sets]
        for chosen, future in zip(sets, futures, strict=True):
            said(chosen)
            yield chosen, future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _ids(chosen: tuple[Discipline, ...]) -> tuple[str, ...]:
    return tuple(one.id for one in chosen)


def _elsewhere(
    reference: Reference,
    ids: tuple[str, ...],
    bound: Bound,
    targets: tuple[str, ...],
    others: tuple[str, ...],
    ends: float | None,
) -> _Answer:
    seconds = SECONDS if ends is None else max(0.0, min(SECONDS, ends - time.time()))
    return _explored(reference.described(), ids, bound, targets, others, seconds)


def _explored(
    described: Described,
    ids: tuple[str, ...],
    bound: Bound,
    targets: tuple[str, ...],
    others: tuple[str, ...],
    seconds: float,
) -> _Answer:
    """What a design does under disciplines: which of the targets it excludes then, and which others it admits."""
    if seconds <= 0:
        return _Answer(stopped=True)
    try:
        changed = under(described, ids)
        verifier = Verifier(changed, only=(*targets, *others), until_admits=targets, seconds=seconds)
        review = verifier.verify(bound.writers, bound.crashes)
        if review.stopped:
            return _Answer(stopped=not verifier.enough())
        excluded = tuple(
            name for name in targets if review.results[name].verdict == "excludes" and not review.results[name].vacuous
        )
        if not excluded:
            return _Answer()
        introduced = tuple(name for name in others if review.results[name].verdict == "admits")
        return _Answer(excluded, introduced, cost(changed, bound.writers))
    except (DesignError, Stopped, ValueError):
        return _Answer()  # the discipline does not fit the write path


__all__ = ["Cost", "Discipline", "Repair", "Repairs", "cost", "disciplines", "repairs", "under"]
