"""Letta: blocks of an agent's core memory in PostgreSQL, at its default level, at serializable, and with git below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from ..model import Design, Initial, Table, row, writer
from ..operations import Aborted, Steps, alone, commit, insert, judge, read, select, update
from ..values import Row
from .common import column, text

_ROW: Final = "SYSTEMS.md, Letta"
_THETA: Final = "agent model; memory tools"
#: Blocks speak of more than one thing: the partition is what one agent holds of alice.
_CORE: Final[dict[str, Any]] = {"subject": "alice", "predicate": "core_memory"}


class Letta(Design):
    """The Letta server 0.16.7: the agent loads its blocks when a step starts, its model calls a memory tool, and the
    tool computes the new block from the blocks as they were loaded. The row is read again in the session that writes
    it, and its version column makes an overlapping session fail with 409, which the caller is told.

    Two agents share two blocks that say where alice lives; each learns of another home and replaces what one of the
    blocks says (F23 and F24 of the field reports). The model's call is outside of the session: no abort takes it back.
    """

    title = "Letta"
    isolation = "RC"
    retries = 0
    votes = ("human", "notes")
    surface: ClassVar[tuple[str, ...]] = ("current",)
    tables: ClassVar[Mapping[str, Table]] = {"blocks": Table(content=("value",))}
    sources: ClassVar[Mapping[str, str]] = {
        "load the blocks at step start": f"{_ROW}: judge (state loaded at step start); FIELD.md, F24",
        "the agent model's tool call": f"{_ROW}: judge",
        "read the row in the session": f"{_ROW}: isolation (a version column)",
        "overwrite, 409 where it has changed since": f"{_ROW}: winner, loser, isolation; FIELD.md, F23",
        "no history": f"{_ROW}: history (the BlockHistory checkpoint has no caller)",
    }

    def setup(self) -> Iterable[Initial]:
        """Two blocks."""
        yield row("blocks", "human", **_CORE, value=(text(0),), prov="p0")
        yield row("blocks", "notes", **_CORE, value=("pays rent in LA",), prov="q0")

    @writer
    def step(self, me: int) -> Steps[None]:
        """One step of an agent: a tool call that writes a block."""
        blocks = yield from select("blocks", **_CORE)  # the agent's state, in its prompt
        label = yield from alone(judge((column(blocks, "value"), text(me)), _THETA))
        yield from self.save(me, label, (text(me),))  # core_memory_replace of the statement that is loaded
        yield from commit()

    def save(self, me: int, label: str, value: tuple[str, ...]) -> Steps[None]:
        """`update_block`: the session reads the row and writes it under the version that it has read."""
        now: Row | None = yield from read("blocks", label)
        if not (yield from update("blocks", label, expect=now, value=value, prov=f"p{me}")):
            raise Aborted("409: the version has changed")


class LettaSerializable(Letta):
    """The same write path in one transaction at SERIALIZABLE."""

    title = "Letta, serializable"
    isolation = "SR"
    sources: ClassVar[Mapping[str, str]] = {**Letta.sources, "one level up": "SYSTEMS.md, below the table (Letta)"}


class LettaGit(Letta):
    """The same write path in git mode: the new block is committed to a git repository, which is what counts, and then
    written to PostgreSQL as a cache. The two are not one transaction."""

    title = "Letta, git"
    surface = ("current", "history")
    tables: ClassVar[Mapping[str, Table]] = {**Letta.tables, "commits": Table(None, part="history")}
    sources: ClassVar[Mapping[str, str]] = {
        **Letta.sources,
        "commit to git first, then the cache": f"{_ROW}: history (git mode optional); letta 0.16, "
        "services/block_manager_git.py, module docstring",
    }

    def setup(self) -> Iterable[Initial]:
        """Two blocks, and the commits that made them."""
        for entry in super().setup():
            yield entry
            yield row("commits", f"of {entry.key}", block=entry.key, value=entry.columns["value"], prov=entry.prov)

    def save(self, me: int, label: str, value: tuple[str, ...]) -> Steps[None]:
        """A commit to git, and then as by default."""
        yield from alone(insert("commits", block=label, value=value, prov=f"p{me}"))
        yield from super().save(me, label, value)
