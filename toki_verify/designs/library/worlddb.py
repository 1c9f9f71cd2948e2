"""WorldDB: content-addressed nodes, and contradictions that are settled when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from ..model import Design, Initial, Table, writer
from ..operations import Steps, commit, insert, select
from .common import PARTITION, first, text

_ROW: Final = "SYSTEMS.md, WorldDB"
_LEDGER: Final = "TOKI 2026, Table 16, WorldDB (T)"


class WorldDB(Design):
    """WorldDB as its paper says: a node's key is its content, so that it is never overwritten; the `contradicts`
    handler runs when somebody asks, computes by no model which node counts, and keeps an edge between the two sides.
    There is no public code; no isolation is declared, so each statement stands alone.

    One write path asserts a home of the writer's own, the other one asks where alice lives.
    """

    title = "WorldDB"
    isolation = "none"
    surface = ("current", "history")
    tables: ClassVar[Mapping[str, Table]] = {
        "facts": Table(content=("text",)),
        "edges": Table(None, part="history"),
    }
    sources: ClassVar[Mapping[str, str]] = {
        "insert the node by its content": f"{_ROW}: history (content addresses); {_LEDGER}, row 3",
        "handlers run at query time": f"{_ROW}: judge (deterministically), winner; {_LEDGER}, rows 1 and 2",
        "a contradicts edge, both sides kept": f"{_ROW}: loser (Merkle ancestry); TOKI 2026, Table 15 (Algorithm 2)",
        "no isolation": f"{_ROW}: isolation (none declared)",
    }

    def setup(self) -> Iterable[Initial]:
        """One node."""
        yield first("facts", _address(0), "text")

    @writer
    def assert_fact(self, me: int) -> Steps[None]:
        """Assert a fact."""
        yield from insert("facts", _address(me), if_absent=True, **PARTITION, text=text(me), prov=f"p{me}")
        yield from commit()

    @writer
    def ask(self) -> Steps[None]:
        """Ask for the partition's belief: `contradicts` between the node that counts and each other one."""
        nodes = yield from select("facts", **PARTITION)
        counts = max(nodes, key=lambda node: str(node["text"]), default=None)
        for other in nodes:
            if counts is not None and other.key != counts.key:
                key, prov = f"{counts.key} contradicts {other.key}", f"{other.prov}+{counts.prov}"
                yield from insert("edges", key, if_absent=True, new=counts, old=other, prov=prov)
        yield from commit()


def _address(me: int) -> str:
    """The hash of a node's content: equal contents have equal keys, and others do not."""
    return f"hash({text(me)})"
