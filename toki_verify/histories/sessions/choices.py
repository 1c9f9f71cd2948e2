"""The order of versions that a level needs, found or refuted: pruning by reachability, then a SAT solver.

The solver knows nothing of graphs: it proposes an order for each pair, the graph of its proposal is looked at, and each
cycle found becomes a clause that forbids it (as in Cobra, PolySI and Viper, but with cycles learned from outside).
"""

from __future__ import annotations

import importlib
import time
from typing import Any, Final

import numpy as np

from ...search.solvers import SolverMissing
from ..columns import Int8, Int32, Int64
from .edges import Edge, Graph
from .graph import adjacency, path_back, shortest_cycle, strong_components, topological
from .polygraph import Plain, Polygraph, Strong, ends, layers, plain
from .prepared import Mask
from .reach import layered, reachable
from .weak import Base, OutOfTime

#: Cycles that are learned from one proposal.
_LEARNED: Final = 128
#: Chains times edges up to which reachability is asked for.
_PRUNED: Final = 3_000_000_000
_CONFLICTS: Final = 20_000


class Search:
    """The choices of one polygraph at one level. A cycle is an array of edge numbers of `graph`, in order."""

    def __init__(self, start: Base, level: Strong, problem: Polygraph, deadline: float | None) -> None:
        assert start.chains is not None
        self.prepared, self.level, self.problem, self.deadline = start.prepared, level, problem, deadline
        self.chains = start.chains
        self.graph: Graph = problem.known.with_blocks(problem.ww, problem.rw)
        self.source, self.target = self.graph.source(), self.graph.target()
        certain = len(self.source) - len(problem.ww_literal) - len(problem.rw_literal)
        self.literal = np.concatenate([np.zeros(certain, np.int32), problem.ww_literal, problem.rw_literal])
        kinds = [np.full(len(block.source), block.kind == "rw") for block in self.graph.blocks]
        self.is_rw: Mask = np.concatenate(kinds)
        self.cost: Int32 = np.where(self.literal != 0, 1, 0).astype(np.int32)
        self.choices = len(problem.early)
        self.learned: list[Int32] = []

    def _in_time(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise OutOfTime(f"{self.choices} orders of versions were still to be chosen")

    def _active(self, value: Int8) -> Mask:
        """Which edges there are; `value` (choices + 1,): 1, -1, or 0 for a choice that is open."""
        active: Mask = (self.literal == 0) | (value[np.abs(self.literal)] * np.sign(self.literal) == 1)
        return active

    def prune(self) -> tuple[Int8, Int32 | None]:
        """The choices that are certain, since the contrary closes a cycle; and an order of the nodes of the plain graph
        along the certain edges, None if they have a cycle already."""
        value = np.zeros(self.choices + 1, np.int8)
        open_edges = np.flatnonzero(self.literal != 0)
        while True:
            self._in_time()
            shape = plain(self.graph, self.level, self._active(value))
            first, targets, _ = adjacency(shape.size, shape.source, shape.target)
            order, _ = topological(first, targets)
            if len(order) < shape.size:
                return value, None
            open_edges = open_edges[value[np.abs(self.literal[open_edges])] == 0]
            if not len(open_edges) or len(self.chains.members) * len(targets) > _PRUNED:
                return value, order
            enters, leaves = self._ends(open_edges)
            chain, place = layered(self.chains, self.graph.size, layers(self.level))
            closed = reachable(order, first, targets, chain, place, enters, leaves, self.deadline)
            excluded = self.literal[open_edges[closed]]
            if not len(excluded):
                return value, order
            # Where both are excluded either value leads to a cycle, which the next round finds.
            value[np.abs(excluded)] = -np.sign(excluded)

    def _ends(self, edges: Int64) -> tuple[Int64, Int64]:
        """The plain nodes that edges enter and leave."""
        shift = np.array([ends(self.level, kind, self.graph.size) for kind in ("ww", "rw")])
        which = self.is_rw[edges].astype(np.int64)
        return self.target[edges] + shift[which, 1], self.source[edges] + shift[which, 0]

    def violations(self, value: Int8, most: int) -> tuple[list[Int32], Int32]:
        """Cycles among the active edges (none: the order is right) and, if there are none, an order of the nodes."""
        active = self._active(value)
        shape = plain(self.graph, self.level, active)
        first, targets, numbers = adjacency(shape.size, shape.source, shape.target)
        order, left = topological(first, targets)
        cost = np.zeros(len(shape.number), np.int32)
        cost[shape.number >= 0] = self.cost[shape.number[shape.number >= 0]]
        if len(order) < shape.size:
            return self._cycles(shape, first, targets, numbers, left, cost, most), order
        if self.level == "PSI":
            return self._anti_cycles(active, shape, order, first, targets, numbers, cost, most), order
        return [], order

    def _cycles(
        self, shape: Plain, first: Int64, targets: Int32, numbers: Int32, left: Int32, cost: Int32, most: int
    ) -> list[Int32]:
        """Cheap cycles, each with an edge that was chosen if there are any with one."""
        inside = (left[shape.source] > 0) & (left[shape.target] > 0)
        part = strong_components(shape.size, shape.source[inside], shape.target[inside])
        chosen = np.flatnonzero(inside & (cost > 0) & (part[shape.source] == part[shape.target]))
        if not len(chosen):  # What is certain is enough.
            cycle = shortest_cycle(shape.size, shape.source, shape.target)
            return [shape.number[cycle][shape.number[cycle] >= 0]]
        found: dict[tuple[int, ...], Int32] = {}
        step = max(1, len(chosen) // most)
        for edge in chosen[::step].tolist():
            goal = int(shape.source[edge])
            allowed = (part == part[goal]).astype(np.int32)
            path = path_back(first, targets, numbers, cost, int(shape.target[edge]), goal, 1 << 30, allowed)
            self._add(found, shape.number[np.concatenate([[edge], path]).astype(np.int64)])
        return list(found.values())

    def _anti_cycles(
        self,
        active: Mask,
        shape: Plain,
        order: Int32,
        first: Int64,
        targets: Int32,
        numbers: Int32,
        cost: Int32,
        most: int,
    ) -> list[Int32]:
        """PSI: an rw, and back along other edges."""
        anti = np.flatnonzero(active & self.is_rw)
        chain, place = layered(self.chains, self.graph.size, 1)
        begin, goal = self.target[anti].astype(np.int64), self.source[anti].astype(np.int64)
        wrong = anti[reachable(order, first, targets, chain, place, begin, goal, self.deadline)]
        found: dict[tuple[int, ...], Int32] = {}
        everywhere = np.ones(shape.size, np.int32)
        for edge in wrong[:: max(1, len(wrong) // most)].tolist():
            path = path_back(
                first, targets, numbers, cost, int(self.target[edge]), int(self.source[edge]), 1 << 30, everywhere
            )
            self._add(found, np.concatenate([[edge], shape.number[path]]).astype(np.int32))
        return list(found.values())

    def _add(self, found: dict[tuple[int, ...], Int32], cycle: Int32) -> None:
        cycle = cycle[cycle >= 0]
        found.setdefault(tuple(np.unique(self.literal[cycle]).tolist()), cycle)

    def solve(self, value: Int8, guess: Int32 | None) -> tuple[Int8, Int32] | None:
        """Values of all choices, and an order of the nodes; None if there are none. `value`: those that are certain;
        `guess`: a position of each node, to begin with. The cycles that refute the rest are in `learned`."""
        solver = _solver()
        try:
            for choice in np.flatnonzero(value).tolist():
                solver.add_clause([choice * int(value[choice])])
            if guess is not None and self.choices:
                node = self.prepared.write_node
                one = guess[node[self.problem.runs.begin[self.problem.early]]]
                two = guess[node[self.problem.runs.begin[self.problem.late]]]
                numbers = np.arange(1, self.choices + 1)
                solver.set_phases(np.where(one < two, numbers, -numbers).tolist())
            while True:
                model = self._model(solver, value, guess)
                if model is None:
                    return None
                cycles, order = self.violations(model, _LEARNED)
                if not cycles:
                    return model, order
                for cycle in cycles:
                    self.learned.append(cycle)
                    clause = np.unique(-self.literal[cycle])
                    solver.add_clause(clause[clause != 0].tolist())
                    if not (clause != 0).any():
                        return None
        finally:
            solver.delete()

    def _model(self, solver: Any, value: Int8, guess: Int32 | None) -> Int8 | None:
        answer = None
        while answer is None:
            self._in_time()
            solver.conf_budget(_CONFLICTS)
            answer = solver.solve_limited()
        if not answer:
            return None
        model = np.full(self.choices + 1, 0, np.int8)
        literals = np.array([lit for lit in solver.get_model() if abs(lit) <= self.choices], np.int64)
        model[np.abs(literals)] = np.sign(literals)
        # A choice in no clause yet is one that the solver has no opinion of.
        rest = np.flatnonzero(model[1:] == 0) + 1
        if guess is not None and len(rest):
            node, runs = self.prepared.write_node, self.problem.runs
            one = guess[node[runs.begin[self.problem.early[rest - 1]]]]
            model[rest] = np.where(one < guess[node[runs.begin[self.problem.late[rest - 1]]]], 1, -1)
        else:
            model[rest] = 1
        model[value != 0] = value[value != 0]
        return model

    def cases(self) -> tuple[tuple[Edge, ...], ...]:
        """After a *no*: few cycles, one of which every order of the versions closes. Raises OutOfTime."""
        plain_cycle = next((cycle for cycle in self.learned if not self.literal[cycle].any()), None)
        if plain_cycle is not None:
            return (self.graph.shown(self.prepared, plain_cycle.tolist()),)
        solver = _solver()
        try:
            names = []
            for number, cycle in enumerate(self.learned, self.choices + 1):
                clause = np.unique(-self.literal[cycle])
                solver.add_clause([*clause[clause != 0].tolist(), -number])
                names.append(number)
            assert not solver.solve(assumptions=names)
            core = list(solver.get_core() or names)
            if len(core) <= 60:
                for name in list(core):
                    self._in_time()
                    fewer = [other for other in core if other != name]
                    if name in core and not solver.solve(assumptions=fewer):
                        core = list(solver.get_core() or ())
            chosen = [self.learned[name - self.choices - 1] for name in core]
        finally:
            solver.delete()
        return tuple(self.graph.shown(self.prepared, cycle.tolist()) for cycle in sorted(chosen, key=len))


def _solver() -> Any:
    try:
        solvers: Any = importlib.import_module("pysat.solvers")
    except ImportError as missing:
        raise SolverMissing("python-sat") from missing
    return solvers.Solver(name="glucose4")
