"""Zep CE: the Graphiti service behind a queue, in one replica and in several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from ..model import writer
from ..operations import Steps, commit, delete, lock, read, unlock
from .graphiti import Graphiti

_ROW: Final = "SYSTEMS.md, Zep CE"


class Zep(Graphiti):
    """Zep CE in one replica: an in-process queue does one episode after the other, each as Graphiti does it.
    `delete_fact` goes past the queue. A job that the process loses in a crash is taken to be sent again."""

    title = "Zep CE, one replica"
    surface = ("current", "closed")
    sources: ClassVar[Mapping[str, str]] = {
        **Graphiti.sources,
        "the service is Graphiti's": f"{_ROW}: judge, winner, loser, history; TOKI 2026, Table 16, Zep (T), row 1",
        "one queue per replica": f"{_ROW}: isolation",
        "DeleteFact": f"{_ROW}: loser (deletes for good); TOKI 2026, Table 16, Zep (T), row 3",
    }

    def queue(self, me: int) -> str:
        """The queue that does the writer's episode."""
        return "queue"

    @writer
    def add_episode(self, me: int) -> Steps[None]:
        """Wait in the queue; then as Graphiti."""
        yield from lock(self.queue(me))
        yield from self.episode(me)
        yield from unlock(self.queue(me))

    @writer
    def delete_fact(self) -> Steps[None]:
        """DeleteFact of the first edge."""
        if (yield from read("facts", "e0")) is not None:
            yield from delete("facts", "e0")
        yield from commit()


class ZepReplicas(Zep):
    """Zep CE in several replicas over one graph: each has a queue of its own."""

    title = "Zep CE, several replicas"
    sources: ClassVar[Mapping[str, str]] = {
        **Zep.sources,
        "one queue per replica": f"{_ROW}: isolation (several replicas do not serialise)",
    }

    def queue(self, me: int) -> str:
        """The queue of the writer's replica."""
        return f"queue of replica {me}"
