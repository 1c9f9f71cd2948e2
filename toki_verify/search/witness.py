"""The smallest schedule that satisfies a formula: fewest events, then transactions, then items.

The search goes through the frames in that order; within the smallest size it takes the most familiar schedule (no
stated order where the default does, no predicate read where an item read does, reads that see the latest version, the
first transaction first), so that the result does not depend on the solver. Every model is decoded and confirmed by the
concrete reading before it is returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from time import monotonic

from ..events import Abort, Begin, Callback, Judge, PredicateRead, Schedule, Write
from ..levels import DEFAULT_FAMILY, Family
from ..relations.formulas import Formula
from .embed import items_in, predicates_in, votes_in
from .features import Features, Frame, frames
from .limits import Unfit, within
from .model import FrameModel, Wrong
from .preferences import coarse, fine
from .query import parse_query

MAX_EVENTS, MAX_ITEMS = 10, 3


@dataclass(frozen=True)
class Bounds:
    """Up to how many events, transactions and items a search looks."""

    events: int = MAX_EVENTS
    transactions: int | None = None
    items: int = MAX_ITEMS
    #: No schedule with fewer events is looked for: it is known that there is none.
    least: int = 1

    def checked(self) -> Bounds:
        """These bounds. Raises Unfit if one is 0 or beyond what is sensible."""
        within("events", self.events)
        within("items", self.items)
        if self.transactions is not None:
            within("transactions", self.transactions)
        return self

    def __str__(self) -> str:
        txns = "" if self.transactions is None else f", {self.transactions} transactions"
        return f"{self.events} events{txns}, {self.items} items"


@dataclass(frozen=True)
class Found:
    """What a search found. `verdict` is "found" (then `schedules` are smallest ones), or "undecided": none within the
    bounds, or a solver that gave up (`reason`); "none" only where `prove` has shown it for every size. `complete`:
    `schedules` are all of this size up to renaming. `frames` is how many frames were searched."""

    verdict: str
    schedules: tuple[Schedule, ...]
    bounds: Bounds
    reason: str = ""
    complete: bool = False
    frames: int = 0
    seconds: float = 0.0
    gave_up: bool = False

    @property
    def schedule(self) -> Schedule | None:
        """The first schedule found."""
        return self.schedules[0] if self.schedules else None

    @property
    def size(self) -> tuple[int, int, int] | None:
        """How many events, transactions and items the schedules have."""
        if not self.schedules:
            return None
        one = self.schedules[0]
        return len(one.events), len(one.resolved.txns), len(one.resolved.items)


class _GaveUp(Exception):
    pass


class _Search:
    def __init__(
        self,
        formula: Formula,
        bounds: Bounds,
        features: Features,
        partial: Schedule | None,
        solver: str,
        seconds: float | None,
        progress: Callable[[str], None],
    ) -> None:
        self.formula, self.bounds, self.partial, self.solver = formula, bounds, partial, solver
        self.features = features.seen_by(formula)
        if partial is not None:
            self.features = for_partial(self.features, features, partial)
            self.bounds = fitted(bounds, partial, features.unfinished)
        self.deadline = None if seconds is None else monotonic() + seconds
        self.progress = progress
        self.count = 0

    def left(self) -> float | None:
        """The seconds left. Raises _GaveUp when there are none."""
        if self.deadline is None:
            return None
        left = self.deadline - monotonic()
        if left <= 0:
            raise _GaveUp
        return left

    def model(self, frame: Frame, items: int) -> FrameModel:
        self.count += 1
        return FrameModel(frame, items, self.features, self.formula, partial=self.partial, solver=self.solver)

    def ask(self, model: FrameModel, assumed: Iterable[int] = ()) -> bool:
        found = model.solve(assumed, self.left())
        if found is None:
            raise _GaveUp
        return found

    def sizes(self) -> Iterator[tuple[int, int]]:
        each = 1 if self.features.unfinished else 2
        for events in range(max(each, self.bounds.least), self.bounds.events + 1):
            most = events // each
            if self.bounds.transactions is not None:
                most = min(most, self.bounds.transactions)
            for transactions in range(1, most + 1):
                yield events, transactions

    def items_of(self, frame: Frame) -> int:
        """Predicate reads touch any number of items, other events at most one."""
        return self.bounds.items if self.features.predicates else min(self.bounds.items, len(frame.slots))

    def smallest(self) -> list[tuple[Frame, int]]:
        """The frames of the smallest size that have a schedule, with their number of items."""
        for events, transactions in self.sizes():
            self.progress(f"{events} events, {transactions} transactions")
            candidates = list(frames(events, transactions, unfinished=self.features.unfinished))
            models = []
            for frame in candidates:
                model = self.model(frame, self.items_of(frame))
                if self.ask(model):
                    models.append((frame, model))
            for items in range(self.bounds.items + 1 if models else 0):
                fitting = [
                    frame
                    for frame, model in models
                    if items >= model.frame.items or self.ask(model, [model.frame.unknown.present[items] ^ 1])
                ]
                if fitting:
                    return [(frame, items) for frame in fitting]
        return []

    def familiar(self, found: list[tuple[Frame, int]]) -> Schedule:
        """Of all schedules of the smallest size the most familiar one."""
        models = [self.model(frame, items) for frame, items in found]
        models = [model for model in models if self.ask(model)]
        if not models:
            raise Wrong("a frame that had a schedule has none when it is asked again")
        for wish in coarse():
            able = [model for model in models if self.ask(model, wish(model.frame))]
            for model in able or models:
                for literal in wish(model.frame) if able else ():
                    model.require(literal)
            models = able or models
        best = []
        for model in models:
            if not self.ask(model):
                raise Wrong("a frame that had a schedule has none when it is asked again")
            model.prefer(fine(model.frame), self.left())
            best.append((model.frame.frame.sizes, model.schedule()))
        return min(best, key=lambda pair: _rank(pair[1]))[1]


def _rank(schedule: Schedule) -> tuple[int, str]:
    """Fewer changes from one transaction to another first, then the text."""
    events = schedule.events
    return sum(a.txn != b.txn for a, b in pairwise(events)), str(schedule)


def for_partial(features: Features, allowed: Features, partial: Schedule) -> Features:
    """Features with what the partial schedule uses. Raises Unfit if that was switched off."""
    events = partial.events
    read, _ = predicates_in(partial)
    keys = {event.key for event in events if isinstance(event, Judge)}
    votes = votes_in(partial)
    if read and not allowed.predicates:
        raise Unfit("a predicate read in the partial schedule beside --predicates 0", "predicates")
    if partial.order and not allowed.orders:
        raise Unfit("a stated order in the partial schedule beside --default-order", "stated orders")
    stated = [event.prov for event in events if isinstance(event, Write)] + [v.prov for v in partial.init.values()]
    if features.erasure and any(prov is not None for prov in stated):
        raise Unfit("provenances in the partial schedule beside N3", "versions without `prov`")
    if any(isinstance(event, Abort) for event in events) and not allowed.aborts:
        raise Unfit("an abort in the partial schedule beside --no-aborts", "aborts")
    return replace(
        features,
        orders=features.orders or bool(partial.order),
        predicates=max(features.predicates, len(read)),
        partial=features.partial or any(isinstance(event, PredicateRead) and event.partial for event in events),
        keys=max(features.keys, len(keys)),
        votes=max(features.votes, len(votes), 1 if keys else 0),
        unknown_votes=features.unknown_votes or any(isinstance(e, Judge) and e.vote is None for e in events),
        callbacks=features.callbacks or any(isinstance(event, Callback) for event in events),
        begins=features.begins or any(isinstance(event, Begin) for event in events),
    )


def fitted(bounds: Bounds, partial: Schedule, unfinished: bool) -> Bounds:
    """Bounds that hold the partial schedule. Raises Unfit if it needs more events or transactions than they allow."""
    txns = len(partial.resolved.txns)
    open_ones = 0 if unfinished else txns - len(partial.resolved.end)
    least = len(partial.events) + open_ones
    if least > bounds.events:
        raise Unfit(f"a partial schedule that needs {least} events", f"at most {bounds.events} (--max-events)")
    if bounds.transactions is not None and txns > bounds.transactions:
        raise Unfit(f"{txns} transactions in the partial schedule", f"at most {bounds.transactions} (--transactions)")
    items = within("items", max(bounds.items, len(items_in(partial))))
    return replace(bounds, items=items, least=max(bounds.least, least))


def smallest(
    formula: Formula,
    *,
    bounds: Bounds | None = None,
    features: Features | None = None,
    every: bool = False,
    limit: int = 1000,
    partial: Schedule | None = None,
    solver: str = "z3",
    seconds: float | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> Found:
    """The smallest schedule that satisfies a formula, or with `every` all of that size up to renaming (up to `limit`).

    Raises Unfit for bounds without sense, SolverMissing if the solver is not installed.
    """
    begun = monotonic()
    bounds = (bounds or Bounds()).checked()
    within("limit", limit)
    search = _Search(formula, bounds, features or Features(), partial, solver, seconds, progress)
    bounds = search.bounds
    found: dict[str, Schedule] = {}
    complete = False
    try:
        frames_found = search.smallest()
        if not frames_found:
            reason = f"no schedule of up to {bounds}"
            return Found("undecided", (), bounds, reason, False, search.count, monotonic() - begun)
        first = search.familiar(frames_found)
        found[repr(first)] = first
        if every:
            for frame, items in frames_found:
                for schedule in search.model(frame, items).models(search.left()):
                    if schedule is None:
                        raise _GaveUp
                    found.setdefault(repr(schedule), schedule)
                    if len(found) >= limit:
                        break
                    search.left()
            complete = len(found) < limit
    except _GaveUp:
        reason = "the time limit was reached"
        if not found:
            return Found("undecided", (), bounds, reason, False, search.count, monotonic() - begun, True)
        return Found("found", tuple(found.values()), bounds, reason, False, search.count, monotonic() - begun)
    return Found("found", tuple(found.values()), bounds, "", complete, search.count, monotonic() - begun)


def witness(
    phi: str | Formula,
    *,
    level: str | None = None,
    absent: Iterable[str] = (),
    family: str = DEFAULT_FAMILY,
    user: Family | None = None,
    bounds: Bounds | None = None,
    features: Features | None = None,
    every: bool = False,
    limit: int = 1000,
    partial: Schedule | None = None,
    solver: str = "z3",
    seconds: float | None = None,
) -> Found:
    """The smallest schedule at `level` that shows `phi` (a query such as "A5B and not P2", or a formula) and none of
    `absent`: fewest events, then transactions, then items (SEMANTICS §5, reading 2).

    >>> print(witness("A5B", level="SI").schedule)
    r1[x0] r2[y0] w1[y1] c1 w2[x1] c2

    Raises ScheduleError for a query that cannot be read, Unfit for bounds without sense, SolverMissing.
    """
    formula = question(phi, level=level, absent=absent, family=family, user=user)
    return smallest(
        formula,
        bounds=bounds,
        features=features,
        every=every,
        limit=limit,
        partial=partial,
        solver=solver,
        seconds=seconds,
    )


def question(
    phi: str | Formula,
    *,
    level: str | None = None,
    absent: Iterable[str] = (),
    family: str = DEFAULT_FAMILY,
    user: Family | None = None,
) -> Formula:
    """The formula of a query, a level and phenomena that are to be absent."""
    formula = phi if isinstance(phi, Formula) else parse_query(phi, family=family, user=user).formula
    if level is not None:
        formula = formula & parse_query(level, family=family, user=user).formula
    for name in absent:
        formula = formula & ~parse_query(name, family=family, user=user).formula
    return formula
