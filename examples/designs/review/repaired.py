"""The design after the review: `candidate.py` with the repairs that the report names, written into the write path."""

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
    log_insert_if_absent,
    row,
    select,
    update,
    writer,
)

#: Facts of one slot that a prompt has room for.
ROOM = 2
SLOT = {"subject": "alice", "predicate": "likes"}


class PromptMemory(Design):
    """Facts lie in slots (subject, predicate). A judge says whether a new fact is worth keeping, and its first answer
    counts; a full slot gives up the first of its facts for it, which an audit row keeps. The database runs its
    transactions at snapshot isolation, and those on facts serializably."""

    tables = {
        "facts": Table(partition=("subject", "predicate"), content=("object",), pins={("alice", "likes"): "SR"}),
        "audit": Table(None, part="audit"),
    }
    isolation = "SI"
    votes = ("skip", "keep")
    surface = ("current", "audit")

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
            vote = yield from log_insert_if_absent((*known, new), "worth keeping?", vote)
            if vote == "keep" and len(slot) < ROOM:
                yield from insert("facts", **SLOT, object=new, prov=f"p{me}")
            elif vote == "keep":
                old = slot[0]
                yield from update("facts", old, object=new, prov=f"p{me}")
                yield from insert(
                    "audit", loser=old, said=old["object"], now=new, votes=((*known, new), vote), prov=old.prov
                )
        yield from commit()
