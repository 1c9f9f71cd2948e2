"""The design under review: an assistant's memory of what a person likes, a few facts that go into every prompt."""

from __future__ import annotations

from collections.abc import Iterable

from toki_verify.designs import (
    Design,
    Initial,
    Row,
    Steps,
    Table,
    belief,
    commit,
    insert,
    judge,
    row,
    select,
    update,
    writer,
)

#: Facts of one slot that a prompt has room for.
ROOM = 2
SLOT = {"subject": "alice", "predicate": "likes"}


class PromptMemory(Design):
    """Facts lie in slots (subject, predicate). A judge says whether a new fact is worth keeping; a full slot gives up
    the first of its facts for it. The database runs its transactions at snapshot isolation."""

    tables = {"facts": Table(partition=("subject", "predicate"), content=("object",))}
    isolation = "SI"
    votes = ("skip", "keep")
    surface = ("current",)

    def setup(self) -> Iterable[Initial]:
        return [row("facts", "m0", **SLOT, object="tea", prov="p0")]

    @belief
    def fits_the_prompt(self, slot: tuple[Row, ...]) -> bool:
        return len(slot) <= ROOM

    @writer
    def remember(self, me: int) -> Steps[None]:
        new = f"thing {me}"
        slot = yield from select("facts", **SLOT)
        known = [old["object"] for old in slot]
        if new not in known:
            vote = yield from judge((*known, new), "worth keeping?")
            if vote == "keep" and len(slot) < ROOM:
                yield from insert("facts", **SLOT, object=new, prov=f"p{me}")
            elif vote == "keep":
                yield from update("facts", slot[0], object=new, prov=f"p{me}")
        yield from commit()
