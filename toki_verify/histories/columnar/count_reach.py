"""Which of many queries "is there a path from here to there" a graph answers: all of them, where `Graph.answered` ends
with the first.

Goals are taken 256 at a time, each a bit; the bits go against the edges, from the last goal back to the earliest start
of the batch. So the cost is, per 256 goals, the edges between them and the starts: linear where starts and goals lie
near to each other in time.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from .arrays import Bools, Ints, dense, distinct, full, numbers, wide
from .compiled import compiled
from .edges import Edges
from .graphs import Graph

#: How many steps along edges are made.
STEPS: Final = 1 << 28
#: Into how many words of 64 bits the goals of a batch go.
WORDS: Final = 4


def reached(graph: Graph, start: Ints, goal: Ints, steps: int | None = None) -> tuple[Bools, bool]:
    """For each k whether a path of at least one edge goes from start[k] to goal[k] (different nodes), and whether all
    were answered: once some are, those for which more than so many steps are needed count as unanswered."""
    out = np.zeros(len(start), bool)
    if not len(start):
        return out, True
    part, asked = graph.closing(start, goal)
    if not len(asked):
        return out, True
    edges = part.edges
    ends = np.concatenate([edges.source, edges.target, start[asked], goal[asked]])
    nodes = distinct(ends)
    node = np.searchsorted(nodes, ends)
    source, target, start, goal = np.split(node, np.cumsum([len(edges), len(edges), len(asked)]))
    none = full(len(source), -1)
    size, place = _places(Graph((Edges(source, target, none, none),), graph.time[nodes]))
    source, target, start, goal = place[source], place[target], place[start], place[goal]
    apart = np.flatnonzero(source != target)
    apart = apart[np.argsort(source[apart], kind="stable")]
    first = np.searchsorted(source[apart], np.arange(size + 1))
    order = np.lexsort((start, goal))
    answered, exact = _backward(
        wide(first), wide(target[apart]), wide(start[order]), wide(goal[order]), STEPS if steps is None else steps
    )
    out[asked[order]] = answered
    return out, bool(exact)


def _places(graph: Graph) -> tuple[int, Ints]:
    """How many places there are, and one for each node, such that edges go to later places or stay, on a cycle."""
    if graph.forward:
        place = np.empty(graph.nodes, np.int64)
        place[np.argsort(graph.time, kind="stable")] = numbers(graph.nodes)
        return graph.nodes, place
    return dense(graph.places)


@compiled
def _backward(first: Ints, target: Ints, start: Ints, goal: Ints, steps: int) -> tuple[Bools, bool]:
    """Queries by goal: which are answered, in a graph whose edges go to greater numbers; and whether all were asked."""
    answered = np.zeros(len(start), np.bool_)
    bits = np.zeros((len(first) - 1, WORDS), np.uint64)
    one = np.uint64(1)
    k, left, some = 0, steps, False
    while k < len(start):
        # The queries of this batch: as many different goals as there are bits.
        last, number, low = k, -1, goal[k]
        while last < len(start):
            if last == k or goal[last] != goal[last - 1]:
                if number + 1 == 64 * WORDS:
                    break
                number += 1
            low = min(low, start[last])
            last += 1
        high = goal[last - 1]
        left -= first[high + 1] - first[low]
        if left < 0 and some:
            return answered, False
        bits[low : high + 1] = 0
        number = -1
        for query in range(k, last):
            if query == k or goal[query] != goal[query - 1]:
                number += 1
                bits[goal[query], number >> 6] |= one << np.uint64(number & 63)
        for node in range(high, low - 1, -1):
            for at in range(first[node], first[node + 1]):
                if target[at] <= high:
                    for word in range(WORDS):
                        bits[node, word] |= bits[target[at], word]
        number = -1
        for query in range(k, last):
            if query == k or goal[query] != goal[query - 1]:
                number += 1
            if start[query] <= goal[query]:
                answered[query] = (bits[start[query], number >> 6] >> np.uint64(number & 63)) & one == one
                some = some or answered[query]
        k = last
    return answered, True
