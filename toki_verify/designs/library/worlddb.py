"""WorldDB: content-addressed nodes, and contradictions that are settled when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from ..model import Design, Initial, Table, writer
from ..operations import Steps, commit, insert, select
from .common import PARTITION, first, text

_ROW: Final = "SYSTEMS.md, WorldDB"


class WorldDB(Design):
    """WorldDB as its paper says: a node's key is its content, the `contradicts` handler adds an edge between the new node
    and those it contradicts and keeps both sides; which of them counts is computed at query time, by no model. There is
    no public code; no isolation is declared, so each statement stands alone.

    Two writers tell of different homes.
    """

    title = "WorldDB"
    isolation = "none"
    surface = ("current", "history")
    tables: ClassVar[Mapping[str, Table]] = {
        "facts": Table(content=("text",)),
        "edges": Table(None, part="history"),
    }
    sources: ClassVar[Mapping[str, str]] = {
        "find what is contradicted": f"{_ROW}: judge (handlers, deterministic); TOKI 2026, Table 15 (Algorithm 2)",
        "insert the node by its content": f"{_ROW}: history (content addresses); TOKI 2026, Table 16, WorldDB N3",
        "a contradicts edge": f"{_ROW}: loser (both kept, Merkle ancestry); TOKI 2026, Table 16, WorldDB N2",
        "no isolation": f"{_ROW}: isolation (none declared)",
    }

    def setup(self) -> Iterable[Initial]:
        """One node."""
        yield first("facts", _address(0), "text")

    @writer
    def assert_fact(self, me: int) -> Steps[None]:
        """Assert a fact."""
        nodes = yield from select("facts", **PARTITION)
        node = yield from insert("facts", _address(me), if_absent=True, **PARTITION, text=text(me), prov=f"p{me}")
        for other in nodes:
            if other.key != node.key:
                key = f"{node.key} contradicts {other.key}"
                yield from insert("edges", key, if_absent=True, new=node, old=other, prov=f"{other.prov}+p{me}")
        yield from commit()


def _address(me: int) -> str:
    """The hash of a node's content: equal contents have equal keys, and others do not."""
    return f"hash({text(me)})"
