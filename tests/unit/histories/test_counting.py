"""The parts of the counters by themselves: queries of graphs, pairs with bounds, the order of instances."""

from __future__ import annotations

import random
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from toki_verify.events import Schedule
from toki_verify.histories.columnar import count_reach
from toki_verify.histories.columnar.arrays import Ints
from toki_verify.histories.columnar.count_lifted import _number_of_pairs, count_at_least, first_pairs
from toki_verify.histories.columnar.count_reach import reached
from toki_verify.histories.columnar.counting import counted
from toki_verify.histories.columnar.edges import Edges
from toki_verify.histories.columnar.found import Found
from toki_verify.histories.columnar.graphs import Graph
from toki_verify.histories.columnar.instances import Instances, best, each, first_of, merged, timed
from toki_verify.histories.columnar.reading import Reading
from toki_verify.histories.trace import of_schedule


def numbers(values: object) -> Ints:
    return np.asarray(values, np.int64)


def graph_of(rng: random.Random, size: int, degree: int) -> tuple[Graph, nx.DiGraph[int]]:
    """A random graph, most of its edges forward in time and to what is near."""
    time = rng.sample(range(2 * size), size)
    by_time = sorted(range(size), key=lambda node: time[node])
    pairs = set()
    for _ in range(degree * size):
        at = rng.randrange(size)
        other = min(max(at + (rng.randint(1, 6) if rng.random() < 0.97 else -rng.randint(1, 9)), 0), size - 1)
        if at != other:
            pairs.add((by_time[at], by_time[other]))
    source, target = numbers(sorted(pairs)).reshape(-1, 2).T
    none = np.full(len(pairs), -1, np.int64)
    known = nx.DiGraph(sorted(pairs))
    known.add_nodes_from(range(size))
    return Graph((Edges(source, target, none, none),), numbers(time)), known


def answers(known: nx.DiGraph[int], queries: list[tuple[int, int]]) -> list[bool]:
    behind = {node: nx.descendants(known, node) for node in {start for start, _ in queries}}
    return [goal in behind[start] for start, goal in queries]


@pytest.mark.parametrize(
    ("seed", "size", "degree"), [(seed, size, seed % 3) for seed in range(12) for size in (3, 9, 40)]
)
def test_every_query_of_a_graph_is_answered(seed: int, size: int, degree: int) -> None:
    rng = random.Random(f"{seed} {size}")
    graph, known = graph_of(rng, size, degree)
    queries = [tuple(rng.sample(range(size), 2)) for _ in range(2 * size)]
    found, exact = reached(graph, numbers([q[0] for q in queries]), numbers([q[1] for q in queries]))
    assert exact and found.tolist() == answers(known, [(start, goal) for start, goal in queries])


def test_more_goals_than_one_batch_holds() -> None:
    rng = random.Random(7)
    size = 3 * 64 * count_reach.WORDS
    graph, known = graph_of(rng, size, 1)
    queries = [(start, goal) for goal in range(size) for start in rng.sample(range(size), 3) if start != goal]
    near = [(int(one), int(other)) for one, other in known.edges]
    start, goal = numbers(queries + near).T
    found, exact = reached(graph, start, goal)
    expected = answers(known, queries + near)
    assert exact and found.tolist() == expected and 0 < sum(expected) < len(expected)


def test_queries_behind_the_cap_are_not_answered_once_some_are() -> None:
    rng = random.Random(8)
    size = 4 * 64 * count_reach.WORDS
    graph, known = graph_of(rng, size, 1)
    start, goal = numbers(sorted(known.edges)).T
    found, exact = reached(graph, start, goal, steps=1)
    assert not exact and 0 < found.sum() < len(found)


def test_a_graph_without_queries_answers_none() -> None:
    graph, _ = graph_of(random.Random(1), 5, 1)
    found, exact = reached(graph, numbers([]), numbers([]))
    assert exact and not len(found)


@pytest.mark.parametrize("seed", range(30))
def test_pairs_with_bounds_are_those_of_two_loops(seed: int) -> None:
    rng = random.Random(seed)
    size, groups = rng.randint(0, 40), rng.choice((1, 2, 5))
    group, bound, last = (numbers([rng.randrange(top) for _ in range(size)]) for top in (groups, 30, 30))
    pairs = [
        (late, early)
        for early, late in combinations(range(size), 2)
        if group[early] == group[late] and last[early] >= bound[late] and last[late] >= bound[early]
    ]
    assert _number_of_pairs(group, bound, last) == len(pairs)
    for limit in (1, 3, size * size + 1):
        one, other = first_pairs(group, bound, last, groups, limit)
        made = sorted(zip(one.tolist(), other.tolist(), strict=True))
        assert made == sorted(pairs)[: len(made)] and len(made) >= min(limit, len(pairs))
        # All of the last place are there.
        assert not made or len(made) == sum(late <= made[-1][0] for late, _ in pairs)


def test_numbers_at_least_as_great_are_counted_in_beginnings() -> None:
    rank = numbers([3, 1, 4, 1, 5])
    upto, below = numbers([0, 2, 3, 5]), numbers([0, 2, 3, 5])
    # None; 3 of (3, 1); 3 and 4 of (3, 1, 4); 5.
    assert count_at_least(rank, upto, below) == 0 + 1 + 2 + 1


# -- instances ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def reading() -> Reading:
    # Events 0 to 6, of which the fifth reads two rows: places 0 … 7.
    text = "w1[x1 in P] w2[y2] c1 c2 r3[x1] r3{P: x1; y2} w3[x3] w3[y3] c3"
    return Reading(of_schedule(Schedule.parse(text)))


def test_an_instance_is_complete_with_its_latest_access(reading: Reading) -> None:
    event = reading.index.event.tolist()
    assert event == [0, 1, 4, 5, 5, 6, 7]
    table, time, place = timed(reading, numbers([0, 4, 6, -1]), numbers([1, 3, -1, 0]))
    assert table.tolist() == [[0, 1], [4, 3], [6, -1], [-1, 0]]
    assert time.tolist() == [1, 5, 7, 0]
    # Of two rows of one event the first.
    assert place.tolist() == [1, 3, 6, 0]


def test_the_first_of_one_key_is_by_time_and_then_by_place(reading: Reading) -> None:
    key, time, place = numbers([5, 2, 5, 2, 5]), numbers([3, 4, 3, 4, 9]), numbers([8, 1, 7, 1, 0])
    assert first_of(key, time, place).tolist() == [1, 2]
    made = best(reading, numbers([1, 1, 0]), numbers([6, 5, 2]))
    assert made.accesses.tolist() == [[2], [5]] and made.number == 2
    assert not len(first_of(numbers([]), numbers([]), numbers([])))


@pytest.mark.parametrize("limit", range(8))
def test_the_order_is_by_time_then_place_and_ends_at_the_limit(limit: int) -> None:
    time, place = numbers([4, 2, 2, 9, 2, 4]), numbers([1, 5, 3, 0, 5, 0])
    made = Instances(numbers([[n] for n in range(6)]), time, place, 6)
    expected = [2, 1, 4, 5, 0, 3][:limit]
    assert made.by_time(limit).tolist() == expected
    assert made.first(limit) == [Found((n,)) for n in expected]


def test_instances_of_several_kinds_keep_what_shows_them(reading: Reading) -> None:
    one = each(reading, numbers([5, 0]), numbers([6, 1]))
    none = each(reading, numbers([]))
    other = Instances(numbers([[-1]]), numbers([2]), numbers([9]), 1, False, lambda i: (3, 4 + i))
    both = merged(one, none, other)
    assert (both.number, both.exact) == (3, False)
    assert both.first(3) == [Found((0, 1)), Found((3, 4)), Found((5, 6))]


def test_writes_that_changed_a_predicate_come_with_the_ones_before_them() -> None:
    text = "r1{P:; x0} w4[x4] c4 w2[x2 in P] w2[y2] c2 w1[y1] c1"
    trace = of_schedule(Schedule.parse(text))
    answer = counted(Reading(trace), "P3", 1)
    assert answer is not None and answer.number == 1
    # The row and the change that it missed; the way back over y; and the write of x before that change.
    shown = [(int(trace.txn[a]), int(trace.event[a])) for a in answer.first[0].accesses]
    names = [(trace.transactions[txn], event) for txn, event in shown]
    assert names == [("1", 0), ("2", 3), ("2", 4), ("1", 6), ("4", 1)]
