"""Graphiti, with its response cache off and on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from ..model import Design, Initial, State, Table, invariant, row, writer
from ..operations import Operation, Steps, alone, commit, insert, judge, read, select, update
from ..values import Row, key_text
from .common import PARTITION, SUBJECT, column, place, text

_THETA: Final = "resolve_edge; temperature 1; no seed"
_ROW: Final = "SYSTEMS.md, Graphiti"
_TRACE: Final = "traces/graphiti_0.31.2_serial"


class Graphiti(Design):
    """Graphiti 0.29 and 0.31: `add_episode` reads the edges and the node, asks which edges are contradicted, decides by
    their times who loses, and writes nodes and edges as whole rows in one transaction at its end.

    Two episodes give different new homes, each later than the first one (F15 of the field reports; the recorded trace
    is one such episode after the other). The judge says of all candidates that they are contradicted, or of none. The
    calls that extract nodes and edges are part of the request. The call is outside the write transaction: no abort
    takes it back. An episode that is told again finds its own edge by the pair of nodes, and asks nothing. An edge
    comes from the episodes that it lists. A node's summary lies in the partition that it speaks of; it is derived, and
    has no source of its own (provenance 0), like a cached response.
    """

    title = "Graphiti, cache off"
    isolation = "RC"
    surface = ("current", "closed")
    tables: ClassVar[Mapping[str, Table]] = {
        "facts": Table(content=("fact",), closed=lambda found: found["invalid_at"] is not None),
        "nodes": Table(part=None),
        "cache": Table(None, part=None),
    }
    sources: ClassVar[Mapping[str, str]] = {
        "read the node": f"{_ROW}: isolation (read, then blind whole-row write); history (node.summary)",
        "read the edges of the pair and of the group": f"{_ROW}: isolation (reads outside); {_TRACE}, pair=…, group",
        "the judge lists contradicted edges": f"{_ROW}: judge (resolve_edge, temperature 1, no seed); {_TRACE}",
        "the earlier valid_at loses": f"{_ROW}: winner (pure timestamp code)",
        "invalid_at and expired_at are set": f"{_ROW}: loser (row, episode list and interval stay)",
        "one write transaction, whole rows": f"{_ROW}: isolation; {_TRACE}, w of edges and nodes",
    }

    def setup(self) -> Iterable[Initial]:
        """One edge, and the node whose summary speaks of it."""
        edge = {"fact": text(0), "episodes": ("p0",), "valid_at": 0, "invalid_at": None, "expired_at": None}
        yield row("facts", "e0", **PARTITION, pair=place(0), **edge, prov="p0")
        yield row("nodes", "alice", **PARTITION, summary=(text(0),), prov="0")

    @invariant
    def summary_names_every_fact(self, state: State) -> bool:
        """A node's summary is derived from all edges of the node, invalidated ones too (SYSTEMS.md, last paragraph)."""
        facts = set(column(state.get("facts", {}).values(), "fact"))
        return facts <= set(state["nodes"]["alice"]["summary"])

    @writer
    def add_episode(self, me: int) -> Steps[None]:
        """One call of `add_episode`."""
        yield from self.episode(me)

    def episode(self, me: int) -> Steps[None]:
        """Its steps."""
        node = yield from read("nodes", "alice")
        same = yield from select("facts", subject=SUBJECT, pair=place(me))
        if same:  # an edge that says the same: no call, its episode list grows
            episodes = dict.fromkeys((*same[0]["episodes"], f"p{me}"))
            yield from self.save({**same[0], "episodes": tuple(episodes)}, same[0].key)
            yield from commit()
            return
        group = yield from select("facts", subject=SUBJECT)
        vote = yield from self.ask((text(me), column(group, "fact")))
        losers = [edge for edge in group if vote and _loses(edge, me)]
        later = [edge["valid_at"] for edge in group if vote and edge["valid_at"] > me]
        ends = min(later, default=None)  # a new edge that is the earlier one loses itself
        new: dict[str, Any] = {
            "fact": text(me),
            "episodes": (f"p{me}",),
            "valid_at": me,
            "invalid_at": ends,
            "expired_at": None,
        }
        yield from insert("facts", **PARTITION, pair=place(me), **new, prov=f"p{me}")
        for old in losers:
            yield from self.save({**old, "invalid_at": me, "expired_at": "now"}, old.key)
        if node is not None:
            summary = (*node["summary"], text(me))
            yield from update("nodes", node, whole=True, **{**node, "summary": summary}, prov="0")
        yield from commit()

    def save(self, edge: dict[str, Any], key: str) -> Operation[bool]:
        """An edge as it was read, and changed since, written over what is there."""
        return update("facts", key, whole=True, **edge, prov="+".join(edge["episodes"]))

    def ask(self, reads: Any) -> Steps[Any]:
        """The call, at no transaction's mercy. By default nothing is kept of it."""
        return (yield from alone(judge(reads, _THETA)))


def _loses(edge: Row, me: int) -> bool:
    """resolve_edge_contradictions: an edge that is valid, and earlier than the new one."""
    ended = edge["invalid_at"] is not None and edge["invalid_at"] <= me
    return not ended and bool(edge["valid_at"] < me)


class GraphitiCached(Graphiti):
    """Graphiti with the response cache: before a call the answer is looked up by hash(model, messages), and afterwards
    inserted or replaced."""

    title = "Graphiti, cache on"
    sources: ClassVar[Mapping[str, str]] = {
        **Graphiti.sources,
        "the response cache": f"{_ROW}: judge (keyed by hash(model, messages), read then insert-or-replace)",
    }

    def ask(self, reads: Any) -> Steps[Any]:
        """Read the cache; where it has nothing, call, and insert or replace. Each statement is its own transaction."""
        key = key_text((_THETA, reads))
        cached = yield from alone(read("cache", key))
        if cached is not None:
            return cached["response"]
        vote = yield from alone(judge(reads, _THETA))
        kept = yield from alone(insert("cache", key, if_absent=True, response=vote, prov="0"))
        if kept["response"] != vote:  # replaced
            yield from alone(update("cache", key, response=vote, prov="0"))
        return vote
