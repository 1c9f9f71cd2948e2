"""The parts of the columnar reading by themselves: arrays, compiled loops, graphs, what is unfolded and how much."""

from __future__ import annotations

import random
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from toki_verify.events import Commit, Event, Item, Read, Schedule, Write
from toki_verify.histories.columnar import arrays, loops
from toki_verify.histories.columnar.arrays import Ints
from toki_verify.histories.columnar.decide import decide
from toki_verify.histories.columnar.edges import Edges
from toki_verify.histories.columnar.graphs import Graph
from toki_verify.histories.columnar.missed import backward, concurrent
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.trace import of_schedule


def graph_of(rng: random.Random) -> tuple[Graph, nx.DiGraph[int]]:
    """A random graph of a few nodes, most of its edges forward in time."""
    size = rng.randint(2, 14)
    time = [rng.randrange(size) for _ in range(size)]
    pairs = []
    for _ in range(rng.randint(1, 3 * size)):
        one, other = rng.sample(range(size), 2)
        back = rng.random() < 0.15
        pairs.append((one, other) if (time[one] < time[other]) is not back else (other, one))
    source, target = np.array(pairs, np.int64).T
    none = np.full(len(pairs), -1, np.int64)
    known = nx.DiGraph(pairs)
    known.add_nodes_from(range(size))
    half = len(pairs) // 2
    edges = Edges(source, target, none, none)
    parts = (edges.only(np.arange(half)), edges.only(np.arange(half, len(pairs))))
    return Graph(parts, np.array(time, np.int64)), known


def components(labels: Ints) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(labels == label).tolist()) for label in set(labels.tolist()) if label >= 0}


@pytest.mark.parametrize("seed", range(60))
def test_components_places_and_paths_are_those_of_networkx(seed: int) -> None:
    graph, known = graph_of(random.Random(seed))
    expected = {frozenset(found) for found in nx.strongly_connected_components(known) if len(found) > 1}
    assert components(graph.components) == expected
    assert graph.cyclic is bool(expected)
    # No edge goes back in the places, and two nodes of one place that an edge joins are on one cycle.
    places, edges = graph.places, graph.edges
    assert (places[edges.source] <= places[edges.target]).all()
    level = places[edges.source] == places[edges.target]
    assert (graph.components[edges.source[level]] >= 0).all()
    for start in known:
        for goal in known:
            way = graph.path(start, goal)
            reached = any(nx.has_path(known, after, goal) for after in known.successors(start))
            assert bool(way) is reached
            if way:
                assert edges.source[way[0]] == start and edges.target[way[-1]] == goal
                assert all(edges.target[one] == edges.source[other] for one, other in pairwise(way))


@pytest.mark.parametrize("seed", range(60))
def test_a_query_is_answered_exactly_where_a_path_goes(seed: int) -> None:
    rng = random.Random(seed)
    graph, known = graph_of(rng)
    for count in (1, 1, 2, 3):
        queries = [rng.sample(range(graph.nodes), 2) for _ in range(count)]
        start, goal = np.array(queries, np.int64).T
        right = [k for k, (one, other) in enumerate(queries) if nx.has_path(known, one, other)]
        answer = graph.answered(start, goal)
        assert (answer is not None) is bool(right)
        if answer is not None:
            chosen, way = answer
            assert chosen in right
            assert way.source[0] == start[chosen] and way.target[-1] == goal[chosen]
            assert (way.target[:-1] == way.source[1:]).all()
            assert all(known.has_edge(*edge) for edge in zip(way.source.tolist(), way.target.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_the_latest_other_and_the_standing_write_are_those_of_a_plain_loop(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = 40
    group, txn, value = rng.integers(0, 3, size), rng.integers(0, 4, size), rng.integers(0, 50, size)
    source = np.where(rng.random(size) < 0.5, np.arange(size), -1)
    best, access = loops.latest_other(group, txn, value, source, 3)
    event = np.arange(size)
    gone = np.where(rng.random(size) < 0.5, event + rng.integers(1, 20, size), arrays.NEVER)
    stands = loops.standing(group, event, gone, source, 3)
    for i in range(size):
        earlier = [j for j in range(i) if group[j] == group[i] and source[j] >= 0]
        others = [value[j] for j in earlier if txn[j] != txn[i]]
        assert best[i] == max(others, default=-1)
        assert access[i] == -1 if not others else value[access[i]] == best[i] and txn[access[i]] != txn[i]
        assert stands[i] == max((j for j in earlier if gone[j] >= event[i]), default=-1)


def test_ranges_are_unfolded_in_order_and_empty_ones_left_out() -> None:
    which, member = arrays.unfold(np.array([3, 9, 5]), np.array([5, 7, 8]))
    assert which.tolist() == [0, 0, 2, 2, 2]
    assert member.tolist() == [3, 4, 5, 6, 7]


@pytest.mark.parametrize("width", (10, 1 << 61))
def test_keys_are_sorted_stably_whether_or_not_they_can_be_packed(width: int) -> None:
    keys = np.random.default_rng(3).integers(0, 10, 200) * (width // 10)
    assert (arrays.ordered(keys) == np.argsort(keys, kind="stable")).all()
    count, numbers = arrays.dense(keys)
    values, right = np.unique(keys, return_inverse=True)
    assert count == len(values)
    assert (numbers == right).all()
    assert (arrays.distinct(keys) == values).all()


def test_running_extremes_begin_anew_in_each_segment() -> None:
    values, segment = np.array([5, -1, 7, 2, 3, 9, 1]), np.array([0, 0, 0, 1, 1, 4, 4])
    assert arrays.prefix_max(values, segment).tolist() == [5, 5, 7, 2, 3, 9, 9]
    assert arrays.suffix_min(values, segment).tolist() == [-1, -1, 7, 2, 3, 1, 1]


def hot(open_at_once: int, transactions: int = 240, items: int = 3) -> Schedule:
    """Transactions that read and write a few items, so many open at once, each from what had committed before."""
    rng, latest = random.Random(7), dict.fromkeys(range(items), "0")
    events: list[Event] = []
    for batch in range(transactions // open_at_once):
        txns = [str(batch * open_at_once + k + 1) for k in range(open_at_once)]
        state = dict(latest)
        steps: list[Read | Write] = []
        for k, txn in enumerate(txns):
            item = Item("facts", f"x{k % items}")
            steps += [Read(txn, Item("facts", f"x{rng.randrange(items)}"), None) for _ in range(2)]
            steps.append(Write(txn, item, f"{txn}"))
        rng.shuffle(steps)
        own: set[tuple[str, Item]] = set()
        for step in steps:
            if isinstance(step, Read):
                label = step.txn if (step.txn, step.item) in own else state[int(step.item.name[1:])]
                step = Read(step.txn, step.item, label)
            else:
                own.add((step.txn, step.item))
                latest[int(step.item.name[1:])] = step.txn
            events.append(step)
        events += [Commit(txn) for txn in txns]
    return Schedule(events)


def test_a_serial_trace_on_few_items_unfolds_nothing() -> None:
    reading = Reading(of_schedule(hot(1)))
    assert list(backward(reading)) == []
    assert sum(map(len, concurrent(reading))) == 0
    assert all(decide(reading.trace).holds.values())


def test_what_is_unfolded_grows_with_how_many_are_open_and_not_with_the_trace() -> None:
    for count in (120, 240, 480):
        reading = Reading(of_schedule(hot(3, count)))
        reads = len(reading.index.readers.access)
        assert sum(map(len, backward(reading))) <= 3 * reads
        assert sum(map(len, concurrent(reading))) <= 3 * reads


def test_a_part_of_the_catalogue_can_be_asked_for() -> None:
    trace = of_schedule(Schedule.parse("r1[x0] r2[x0] w1[x1] w2[x2] c1 c2"))
    decided = decide(trace, phenomena=("P4", "G0"), levels=("graph:SI",))
    assert decided.present == {"P4": True, "G0": False}
    assert decided.holds == {"graph:SI": False}
    assert [trace.transactions[trace.txn[access]] for access in decided.found["P4"].accesses] == ["2", "1", "2"]
    with pytest.raises(KeyError):
        decide(trace, phenomena=("P5",))


def test_empty_and_one_sided_traces_are_decided() -> None:
    for text in ("c1", "b1", "a1", "r1[x0]", "w1[x1]", "w1[x1] c1", "r1{P: } c1", "j1(R, t)", "cb1(R, h, 0)"):
        decided = decide(of_schedule(Schedule.parse(text)))
        assert decided.holds["graph:SR"] and decided.holds["engine:2PL"]
        assert not decided.present["G2"]
