"""Reachability between nodes of an acyclic graph, chain by chain: O(edges) a chain, and memory for one chain."""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from ..columns import Int32, Int64
from .jit import compiled
from .weak import Chains, OutOfTime


@compiled
def _column(order: Int32, first: Int64, targets: Int32, chain: Int32, place: Int32, number: int) -> Int32:
    """For every node 1 + the place of the last member of the chain that it is reachable from (or is); 0: of none."""
    reach = np.zeros(len(first) - 1, np.int32)
    for v in order:
        mine = reach[v]
        if chain[v] == number and place[v] + 1 > mine:
            mine = place[v] + 1
            reach[v] = mine
        if mine > 0:
            for at in range(first[v], first[v + 1]):
                if reach[targets[at]] < mine:
                    reach[targets[at]] = mine
    return reach


def reachable(
    order: Int32,
    first: Int64,
    targets: Int32,
    chain: Int32,
    place: Int32,
    asked_from: Int64,
    asked_to: Int64,
    deadline: float | None = None,
) -> NDArray[np.bool_]:
    """Which of the pairs of nodes have a path (or are one node). `chain`, `place`: of every node; each member of a
    chain reaches the next. Raises OutOfTime."""
    answer = np.zeros(len(asked_from), bool)
    by_chain = np.argsort(chain[asked_from], kind="stable")
    numbers, starts = np.unique(chain[asked_from][by_chain], return_index=True)
    for number, group in zip(numbers.tolist(), np.split(by_chain, starts[1:]), strict=False):
        if deadline is not None and time.monotonic() > deadline:
            raise OutOfTime("reachability of the choices was not known in time")
        column = _column(order, first, targets, chain, place, number)
        answer[group] = column[asked_to[group]] > place[asked_from[group]]
    return answer


def layered(chains: Chains, size: int, layers: int) -> tuple[Int32, Int32]:
    """`chain` and `place` of the nodes of a graph that has `layers` copies of `size` nodes; -1: in no chain."""
    chain = np.full(layers * size, -1, np.int32)
    place = np.zeros(layers * size, np.int32)
    n = len(chains.chain)
    for layer in range(layers):
        chain[layer * size : layer * size + n] = chains.chain * layers + layer
        place[layer * size : layer * size + n] = chains.place
    return chain, place
