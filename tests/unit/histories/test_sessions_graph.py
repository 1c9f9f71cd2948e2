"""The loops on arrays against networkx: orders, cycles, paths, reachability, chains."""

from __future__ import annotations

from random import Random

import networkx as nx
import numpy as np
import pytest

from toki_verify.histories.sessions.graph import (
    adjacency,
    path_back,
    shortest_cycle,
    strong_components,
    topological,
)
from toki_verify.histories.sessions.reach import reachable

from .histories import histories

SEEDS = range(40)


def drawn(seed: int, *, cyclic: bool = True) -> tuple[int, list[tuple[int, int]]]:
    rng = Random(seed)
    size = rng.randint(2, 12)
    edges = {(rng.randrange(size), rng.randrange(size)) for _ in range(rng.randint(0, 2 * size))}
    return size, sorted(edge for edge in edges if cyclic or edge[0] < edge[1])


def arrays(edges: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    columns = np.array(edges, np.int32).reshape(-1, 2)
    return columns[:, 0].copy(), columns[:, 1].copy()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_topological_order_has_all_nodes_iff_there_is_no_cycle(seed: int) -> None:
    size, edges = drawn(seed)
    first, targets, numbers = adjacency(size, *arrays(edges))
    assert sorted(numbers.tolist()) == list(range(len(edges)))
    order, left = topological(first, targets)
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(range(size))
    assert (len(order) == size) == nx.is_directed_acyclic_graph(graph)
    place = {int(node): at for at, node in enumerate(order)}
    assert all(place[a] < place[b] for a, b in edges if a in place and b in place)
    assert {node for node in range(size) if left[node] > 0} == set(range(size)) - set(place)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_shortest_cycle_of_a_small_graph_is_found(seed: int) -> None:
    size, edges = drawn(seed)
    cycle = shortest_cycle(size, *arrays(edges)).tolist()
    lengths = [len(one) for one in nx.simple_cycles(nx.DiGraph(edges))]
    assert len(cycle) == min(lengths, default=0)
    for one, other in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True):
        assert edges[one][1] == edges[other][0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_cheapest_path_is_found(seed: int) -> None:
    size, edges = drawn(seed)
    rng = Random(seed)
    cost = [rng.randint(0, 1) for _ in edges]
    start, goal = 0, size - 1
    first, targets, numbers = adjacency(size, *arrays(edges))
    path = path_back(
        first, targets, numbers, np.array(cost, np.int32), start, goal, 1 << 30, np.ones(size, np.int32)
    ).tolist()
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_weighted_edges_from((a, b, w) for (a, b), w in zip(edges, cost, strict=True))
    if not nx.has_path(graph, start, goal):
        assert path == []
        return
    assert [edges[path[0]][0], edges[path[-1]][1]] == [start, goal]
    assert sum(cost[edge] for edge in path) == nx.shortest_path_length(graph, start, goal, weight="weight")


@pytest.mark.parametrize("seed", SEEDS)
def test_reachability_by_chains_is_reachability(seed: int) -> None:
    size, edges = drawn(seed, cyclic=False)
    rng = Random(seed)
    chain = [rng.randrange(3) for _ in range(size)]
    last: dict[int, int] = {}
    place = []
    for node, number in enumerate(chain):  # Each member of a chain reaches the next.
        place.append(sum(1 for other in chain[:node] if other == number))
        if number in last:
            edges.append((last[number], node))
        last[number] = node
    edges = sorted(set(edges))
    first, targets, _ = adjacency(size, *arrays(edges))
    order, _ = topological(first, targets)
    pairs = np.array([(a, b) for a in range(size) for b in range(size)], np.int64)
    found = reachable(
        order, first, targets, np.array(chain, np.int32), np.array(place, np.int32), pairs[:, 0], pairs[:, 1]
    )
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(range(size))
    assert found.tolist() == [nx.has_path(graph, int(a), int(b)) for a, b in pairs]


@pytest.mark.parametrize("seed", SEEDS)
def test_strong_components_are_those_of_networkx(seed: int) -> None:
    size, edges = drawn(seed)
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(range(size))
    numbers = strong_components(size, *arrays(edges)).tolist()
    wanted = {frozenset(part) for part in nx.strongly_connected_components(graph)}
    assert {frozenset(v for v in range(size) if numbers[v] == n) for n in set(numbers)} == wanted


def test_chains_cover_the_transactions_each_before_the_next() -> None:
    from hypothesis import given

    from toki_verify.histories.sessions.prepared import prepare
    from toki_verify.histories.sessions.weak import base

    @given(histories(wild=False))
    def covered(history) -> None:  # type: ignore[no-untyped-def]
        prepared = prepare(history)
        start = base(prepared)
        if start.chains is None:
            return
        graph = nx.DiGraph([(int(b), t) for t, b in enumerate(prepared.before) if b >= 0])
        for t in range(prepared.size):
            for read in range(int(prepared.read_first[t]), int(prepared.read_first[t + 1])):
                graph.add_edge(int(prepared.read_from[read]), t)
        members = [node for chain in start.chains.members for node in chain.tolist()]
        assert sorted(members) == list(range(prepared.size))
        for chain in start.chains.members:
            for one, other in zip(chain[:-1].tolist(), chain[1:].tolist(), strict=True):
                assert nx.has_path(graph, one, other)

    covered()
