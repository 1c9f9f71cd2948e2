"""PC, PSI, SI and SER: a known order first, then a serial run, then the choices (`polygraph.py`, `choices.py`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ...search.solvers import SolverMissing
from ..columns import Int32
from .choices import Search
from .edges import Edge
from .polygraph import LostUpdate, Polygraph, Strong, TooMany, certain, choosing, layers, pairs, polygraph
from .saturate import saturate, undecided
from .serial import serial_order
from .weak import Base, OutOfTime

#: Pairs of versions whose order may be open.
MOST: Final = 2_000_000
#: Pairs that are listed, to look which are open.
_LISTED: Final = 60_000_000
#: Choices up to which a *no* is shown in full, by cases that no earlier choice hides in.
_EXPLAINED: Final = 4_000
_NO_ORDER: Final = "every order in which {} pairs of versions can stand closes a cycle"


@dataclass(frozen=True)
class Decision:
    """What a level came to. `holds` None: not known, `reason` says why. *No*: `cases`, cycles of which every order of
    versions closes one, or `lost`, two reads (operations) of one version whose transactions both overwrite it. *Yes*:
    `order`, the nodes in a commit order."""

    holds: bool | None
    reason: str = ""
    cases: tuple[tuple[Edge, ...], ...] = ()
    lost: tuple[int, ...] = ()
    order: Int32 | None = None


def run_serially(start: Base) -> Int32 | None:
    """A serial order, if a run finds one at once; None says nothing."""
    try:
        known = certain(start, "SER", np.zeros((0, 3), np.int32))
    except LostUpdate:
        return None
    order = serial_order(start.prepared, known.found, start.size, known.graph.source(), known.graph.target())
    return order if len(order) == start.prepared.size else None


def decide_strong(
    start: Base,
    level: Strong,
    forced: Int32,
    *,
    deadline: float | None = None,
    most: int = MOST,
    infer: bool = True,
) -> Decision:
    """Whether the level holds of a history in which CC holds; `forced`: CC's forced edges.

    What the level says of version orders is inferred first, and at SER a serial run is tried; only pairs of versions
    that are then still open are choices (without `infer` all are, and are pruned). Want of time, too many choices and a
    solver that is not installed give a Decision without an answer.
    """
    prepared = start.prepared
    try:
        known = certain(start, level, forced)
        if not infer:
            return _decide(start, level, polygraph(start, known, most), deadline)
        if pairs(known) > _LISTED:
            raise TooMany(
                f"the order of {pairs(known)} pairs of versions is not known, and at most {_LISTED} are listed"
            )
        found = saturate(start, level, known, deadline)
        if found.order is not None:
            return Decision(True, order=found.order)
        if found.graph is not None:
            early, late = undecided(start, level, known, found.graph, deadline)
            problem = choosing(start, replace(known, graph=found.graph), early, late, most)
            # A *no* is better told without inferences, if that is not too much.
            decision = _decide(start, level, problem, deadline, explain=pairs(known) > _EXPLAINED)
            if decision.holds or pairs(known) > _EXPLAINED:
                return decision
        if pairs(known) <= _EXPLAINED:
            return _decide(start, level, polygraph(start, known, _EXPLAINED), deadline)
        return Decision(False, cases=(found.cycle,))
    except LostUpdate as lost:
        return Decision(False, lost=tuple(int(prepared.read_op[read]) for read in lost.reads))
    except TooMany as many:
        return Decision(None, str(many))
    except OutOfTime as late_one:
        return Decision(None, f"the time was over: {late_one}")
    except SolverMissing as missing:
        return Decision(None, str(missing))


def _decide(
    start: Base, level: Strong, problem: Polygraph, deadline: float | None, *, explain: bool = True
) -> Decision:
    search = Search(start, level, problem, deadline)
    value, order = search.prune()
    if order is None or value[1:].all():
        cycles, order = search.violations(value, 1)
        if not cycles:
            return Decision(True, order=_commits(start, level, order))
        if not explain:
            return Decision(False)
        if not search.literal[cycles[0]].any():
            return Decision(False, cases=(search.graph.shown(start.prepared, cycles[0].tolist()),))
        return _explained(start, level, problem, deadline, (search.graph.shown(start.prepared, cycles[0].tolist()),))
    guess = _positions(start, level, order)
    solved = search.solve(value, guess)
    if solved is not None:
        return Decision(True, order=_commits(start, level, solved[1]))
    if not explain:
        return Decision(False)
    return _explained(start, level, problem, deadline, ())


def _explained(
    start: Base, level: Strong, problem: Polygraph, deadline: float | None, known: tuple[tuple[Edge, ...], ...]
) -> Decision:
    """A *no*, by cases if that is not too much: again without pruning, so that each case stands for itself."""
    if len(problem.early) <= _EXPLAINED:
        search = Search(start, level, problem, deadline)
        try:
            again = search.solve(np.zeros(search.choices + 1, np.int8), None)
            assert again is None, "pruned to a no, and solved without pruning"
            return Decision(False, cases=search.cases())
        except (OutOfTime, SolverMissing):
            pass
    return Decision(
        False,
        _NO_ORDER.format(len(problem.early)),
        cases=known,
    )


def _commits(start: Base, level: Strong, order: Int32) -> Int32:
    """The nodes in the order of their commits: the last copy of each."""
    last = order[order >= (layers(level) - 1) * start.size] - (layers(level) - 1) * start.size
    return last[last < start.prepared.size].astype(np.int32)


def _positions(start: Base, level: Strong, order: Int32) -> Int32:
    positions = np.zeros(start.size, np.int32)
    commits = _commits(start, level, order)
    positions[commits] = np.arange(len(commits), dtype=np.int32)
    return positions
