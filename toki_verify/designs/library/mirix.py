"""MIRIX: memory agents whose tools replace memory items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from ..model import Design, Initial, Table, writer
from ..operations import Steps, commit, delete, insert, judge, lock, select, unlock
from .common import PARTITION, SUBJECT, column, first, text

_ROW: Final = "SYSTEMS.md, MIRIX"


class Mirix(Design):
    """A memory agent sees the items about a user and calls a tool: `update(old_ids, new_items)` deletes each old row in
    a session of its own and then inserts each new one, `insert` only inserts. A lock in the process keeps one agent
    from running twice at once; two agents, or one in two processes, have two locks.

    Two agents are told of different new homes.
    """

    title = "MIRIX"
    isolation = "none"
    votes: ClassVar[tuple[str, ...]] = ("update", "insert")
    surface = ("current",)
    tables: ClassVar[Mapping[str, Table]] = {"facts": Table(content=("summary",))}
    sources: ClassVar[Mapping[str, str]] = {
        "the agent's lock": f"{_ROW}: isolation (per-agent in-process lock only)",
        "the agent sees the items": f"{_ROW}: judge (memory agents)",
        "the tool call": f"{_ROW}: judge, winner (whatever the tool call says)",
        "hard deletes, each in its own session": f"{_ROW}: loser (update(old_ids, new_items), not atomic)",
        "inserts": f"{_ROW}: loser",
        "no history": f"{_ROW}: history (none)",
    }

    def setup(self) -> Iterable[Initial]:
        """One item."""
        yield first("facts", "i0", "summary")

    @writer
    def absorb(self, me: int) -> Steps[None]:
        """One run of a memory agent on a message."""
        yield from lock(f"agent {me}")
        items = yield from select("facts", subject=SUBJECT)
        tool = yield from judge((column(items, "summary"), text(me)), "memory agent; tools")
        if tool == "update":
            for old in items:
                yield from delete("facts", old)
        yield from insert("facts", **PARTITION, summary=text(me), prov=f"p{me}")
        yield from commit()
        yield from unlock(f"agent {me}")
