"""The conflict graph as data: edges with kind, item or predicate, and both events; shortest typed cycles."""

from __future__ import annotations

from itertools import chain, islice

import networkx
import pytest

from toki_verify.conflict_graph import (
    ANTI_DEPENDENCIES,
    DEPENDENCIES,
    DSG,
    conflict_graph,
    edges_of,
    shortest_cycle,
)
from toki_verify.events import Item, Predicate, Schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete
from toki_verify.search.census import Alphabet, census

X, Y = Item("facts", "x"), Item("facts", "y")


def found(text: str, *kinds: str) -> list[tuple[str, str, str, tuple[int, ...]]]:
    return [(e.source, e.kind, e.target, e.events) for e in edges_of(Schedule.parse(text), kinds or DSG)]


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("w1[x1] c1 r2[x1] c2", [("1", "wr", "2", (0, 2))]),
        ("w1[x1] r1[x1] c1", []),
        ("w1[x1] a1 w2[x2] c2", []),
        ("w1[x1] r2[x1] a1 c2", []),
        (
            "w1[x1] c1 w2[x2] c2 w3[x3] c3",
            [("1", "ww", "2", (0, 2)), ("1", "ww", "3", (0, 4)), ("2", "ww", "3", (2, 4))],
        ),
        (
            "r1[x0] c1 w2[x1] c2 w3[x2] c3",
            [("2", "ww", "3", (2, 4)), ("1", "rw", "2", (0, 2)), ("1", "rw", "3", (0, 4))],
        ),
        ("w1[x1] w1[x2] r2[x1] c1 c2", [("1", "wr", "2", (0, 2))]),
        ("r1{P:} c1 w2[y1 in P] c2", [("1", "prw", "2", (0, 2))]),
        ("r1{P:} c1 w2[y1] c2", []),
        ("w1[y1 in P] c1 r2{P: y1} c2", [("1", "wr", "2", (0, 2)), ("1", "pwr", "2", (0, 2))]),
        (
            "w1[y1 in P] c1 w2[-y2] c2 r3{P:} c3",
            [("1", "ww", "2", (0, 2)), ("1", "pwr", "3", (0, 4)), ("2", "pwr", "3", (2, 4))],
        ),
        (
            "w1[y1 in P] c1 w2[y2 in P] c2 r3{P: y2} c3",
            [("2", "wr", "3", (2, 4)), ("1", "ww", "2", (0, 2)), ("1", "pwr", "3", (0, 4))],
        ),
        (
            "r1{P: y0} c1 w2[y1] c2 w3[y2 in P] c3",
            [("2", "ww", "3", (2, 4)), ("1", "rw", "2", (0, 2)), ("1", "rw", "3", (0, 4)), ("1", "prw", "2", (0, 2))],
        ),
    ],
)
def test_edges(text: str, edges: list[tuple[str, str, str, tuple[int, ...]]]) -> None:
    assert found(text) == edges


def test_a_stated_order_decides_the_direction() -> None:
    schedule = Schedule.parse("w1[x1] w2[x2] c1 c2\norder x: 0 2 1")
    assert [(e.source, e.target) for e in edges_of(schedule, ["ww"])] == [("2", "1")]


def test_immediate_steps_start_and_session_edges() -> None:
    text = "w1[x1] c1 w2[x2] c2 w3[x3] c3\nsession s: 3 1"
    assert [e[:3] for e in found(text, "ww1")] == [("1", "ww1", "2"), ("2", "ww1", "3")]
    assert [e[:3] for e in found(text, "start")] == [("1", "start", "2"), ("1", "start", "3"), ("2", "start", "3")]
    assert found(text, "session") == [("3", "session", "1", ())]


def test_the_graph_is_a_networkx_multidigraph() -> None:
    graph = conflict_graph(Schedule.parse("r1{P:} r2[x0] w2[y1 in P] c2 w1[x1] c1 w3[z1] a3"))
    assert isinstance(graph, networkx.MultiDiGraph)
    assert set(graph.nodes) == {"1", "2"}
    data = {d["kind"]: d for _, _, d in graph.edges(data=True)}
    assert data["prw"]["item"] == Y and data["prw"]["predicate"] == Predicate("facts", "P")
    assert data["rw"] == {"kind": "rw", "item": X, "predicate": None, "events": (1, 4)}
    assert sorted(map(sorted, networkx.simple_cycles(graph))) == [["1", "2"]]


@pytest.mark.parametrize("every", [150, pytest.param(1, marks=pytest.mark.heavy)])
def test_shortest_cycles_agree_with_the_formulas(every: int) -> None:
    """The hand-written search against the formula, on every small schedule, or one of so many."""
    shortcuts = {
        "G1c": {"allowed": DEPENDENCIES},
        "G0": {"allowed": ["ww"]},
        "G-single": {"allowed": DEPENDENCIES, "once": ANTI_DEPENDENCIES},
        "G2-item": {"allowed": DEPENDENCIES, "through": ["rw"]},
        "G2": {"allowed": DEPENDENCIES, "through": ANTI_DEPENDENCIES},
        "P3": {"allowed": DSG, "through": ["prw"]},
    }
    seen = set()
    small = chain(
        census(6, Alphabet(transactions=2), complete=True),
        census(5, Alphabet(), complete=True, orders=True),
        census(5, Alphabet(predicates=True, transactions=2), complete=True, orders=True),
    )
    for schedule in islice(small, 0, None, every):
        graph, concrete = conflict_graph(schedule), Concrete(schedule)
        if not graph.number_of_edges():
            continue
        for name, options in shortcuts.items():
            cycle = shortest_cycle(graph, **options)  # type: ignore[arg-type]
            assert (cycle is not None) == concrete.holds(catalogue()[name].formula), (name, str(schedule))
            if cycle is not None:
                seen.add(name)
                assert all(a.target == b.source for a, b in zip(cycle, [*cycle[1:], cycle[0]], strict=True))
                kinds = [edge.kind for edge in cycle]
                if name == "G-single":
                    assert sum(kind in ANTI_DEPENDENCIES for kind in kinds) == 1
    assert seen == set(shortcuts)
