"""The conflict graph of a schedule as a networkx MultiDiGraph, and shortest typed cycles in it (SEMANTICS §2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from .events import Schedule
from .explain.evidence import Edge
from .relations.bits import bits
from .relations.concrete import Concrete
from .relations.edges import EDGES
from .relations.terms import Sort

if TYPE_CHECKING:
    import networkx

    Graph = networkx.MultiDiGraph[str]

#: The edge kinds of Adya's DSG (with predicate edges); `ww1`, `start` and `session` are further kinds.
DSG = ("wr", "ww", "rw", "prw", "pwr")
DEPENDENCIES = ("wr", "ww", "pwr")
ANTI_DEPENDENCIES = ("rw", "prw")


def edges_of(schedule: Schedule, kinds: Iterable[str] = DSG, *, concrete: Concrete | None = None) -> list[Edge]:
    """Every edge of the given kinds, with its item or predicate and both events, in a stable order."""
    concrete = concrete or Concrete(schedule)
    found = []
    for kind in kinds:
        term = EDGES[kind]
        for i, row in enumerate(concrete.term(term)):
            for j in bits(row):
                if term.left is Sort.T:
                    found.append(Edge(concrete.txns[i], concrete.txns[j], kind))
                    continue
                one, other = concrete.accesses[i], concrete.accesses[j]
                assert one.txn is not None and other.txn is not None
                found.append(
                    Edge(
                        one.txn,
                        other.txn,
                        kind,
                        one.item,
                        one.predicate or other.predicate if kind in ("prw", "pwr") else None,
                        (one.event, other.event),
                    )
                )
    return found


def conflict_graph(schedule: Schedule, kinds: Iterable[str] = DSG) -> Graph:
    """The graph over committed transactions: one edge per conflict, with `kind`, `item`, `predicate` and `events`."""
    import networkx

    graph: Graph = networkx.MultiDiGraph()
    graph.add_nodes_from(txn for txn in schedule.resolved.txns if txn in schedule.resolved.committed)
    for edge in edges_of(schedule, kinds):
        graph.add_edge(
            edge.source, edge.target, kind=edge.kind, item=edge.item, predicate=edge.predicate, events=edge.events
        )
    return graph


def shortest_cycle(
    graph: Graph, *, allowed: Collection[str] = DSG, once: Collection[str] = (), through: Collection[str] = ()
) -> list[Edge] | None:
    """A shortest cycle of edges of `allowed` kinds, or None.

    With `once`, exactly one edge is of these kinds (`once=ANTI_DEPENDENCIES`: G-single). With `through`, at least one
    is (`through=("prw",)`: P3). Kinds of `once` and `through` need not be in `allowed`.
    """
    best: list[Edge] | None = None
    for start in graph.nodes:
        found = _from(graph, start, allowed, once, through)
        if found is not None and (best is None or len(found) < len(best)):
            best = found
    return best


def _from(
    graph: Graph, start: str, allowed: Collection[str], once: Collection[str], through: Collection[str]
) -> list[Edge] | None:
    # A state is a transaction and how many edges of `once` (at most one) and `through` (any: 1) lie behind.
    first = (start, 0, 0)
    before: dict[tuple[str, int, int], tuple[tuple[str, int, int], Edge]] = {}
    queue = deque([first])
    wanted = (start, 1 if once else 0, 1 if through else 0)
    while queue:
        state = queue.popleft()
        node, used, passed = state
        for _, target, data in graph.out_edges(node, data=True):
            kind = data["kind"]
            if kind in once:
                if used:
                    continue
            elif kind not in allowed and kind not in through:
                continue
            following = (target, int(bool(used or kind in once)), int(bool(passed or kind in through)))
            if following in before:
                continue
            before[following] = (state, _edge(node, target, data))
            if following == wanted:
                return _back(before, first, wanted)
            queue.append(following)
    return None


def _back(
    before: dict[tuple[str, int, int], tuple[tuple[str, int, int], Edge]],
    first: tuple[str, int, int],
    last: tuple[str, int, int],
) -> list[Edge]:
    out = []
    state = last
    while True:
        state, edge = before[state]
        out.append(edge)
        if state == first:
            return out[::-1]


def _edge(source: str, target: str, data: dict[str, Any]) -> Edge:
    return Edge(source, target, data["kind"], data["item"], data["predicate"], data["events"])
