"""mem0, the pipeline with a deciding call ("v2") and the one that only adds ("v3")."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Final

from ..model import Design, Initial, State, Table, belief, invariant, row, writer
from ..operations import Steps, commit, delete, insert, judge, select, update
from ..values import Row
from .common import PARTITION, PREDICATE, SUBJECT, column, first, text

_EXTRACT: Final = "extract; temperature 0.1; no seed"
_DECIDE: Final = "decide; temperature 0.1; no seed"
_V2: Final = "SYSTEMS.md, mem0 v2 pipeline"
_V3: Final = "SYSTEMS.md, mem0 v3"


class Mem0V2(Design):
    """mem0 0.1.x and 1.0.x: `add` extracts facts, searches for candidates, asks what to do with them, and does it row
    by row, with no transaction over vector store and SQLite.

    Two writers add different facts about one subject, as in the field report F01 and in the recorded traces
    mem0_0.1.118_concurrent_*; the deciding call answers as it does there, UPDATE of the candidates or DELETE of them
    and ADD. The extracting call is taken as steady: it has one answer. The read of a row right before its write,
    from which the history gets the old text, is taken as one with the search.
    """

    title = "mem0 v2"
    isolation = "none"
    votes = ("UPDATE", "DELETE, ADD")
    surface = ("current", "history")
    tables: ClassVar[Mapping[str, Table]] = {
        "facts": Table(content=("text",)),
        "history": Table(None, part="history"),
    }
    sources: ClassVar[Mapping[str, str]] = {
        "call 1 extracts facts": f"{_V2}: judge; traces/mem0_0.1.118_*, prompt extract",
        "vector search gives the candidates R": f"{_V2}: judge; traces/mem0_0.1.118_*, predicate user=alice",
        "call 2 answers per item": f"{_V2}: judge, temperature 0.1, no seed; traces, prompt judge",
        "overwrite in place or delete": f"{_V2}: loser; traces, w of memories:m0",
        "history row: old and new text, event": f"{_V2}: history (no metadata, prompt, model or vote)",
        "no transaction": f"{_V2}: isolation",
    }

    def setup(self) -> Iterable[Initial]:
        """One memory, and the history row of its ADD."""
        yield first("facts", "m0", "text")
        yield row("history", "h0", memory="m0", event="ADD", old=None, new=text(0))

    @belief
    def one_fact(self, rows: tuple[Row, ...]) -> bool:
        """The deciding call is there to keep one memory of what has one value."""
        return len(rows) <= 1

    @writer
    def add(self, me: int) -> Steps[None]:
        """One call of `Memory.add`."""
        fact = yield from judge(f"user: {text(me)}", _EXTRACT, votes=(text(me),))  # call 1
        found = yield from select("facts", subject=SUBJECT)  # vector search, filtered by the user
        # Call 2, which is shown numbers for ids; with no candidate there is only one thing to do.
        event = yield from judge((column(found, "text"), fact), _DECIDE, votes=() if found else ("ADD",))
        for old in found:
            if event == "UPDATE":
                yield from self.overwrite(old.key, me, fact)
                yield from insert("history", memory=old, event="UPDATE", old=old["text"], new=fact)
            else:
                yield from delete("facts", old)
                yield from insert("history", memory=old, event="DELETE", old=old["text"], new=None)
        if event != "UPDATE":
            made = yield from insert("facts", **PARTITION, text=fact, prov=f"p{me}")
            yield from insert("history", memory=made, event="ADD", old=None, new=fact)
        yield from commit()

    def overwrite(self, key: str, me: int, fact: str) -> Steps[None]:
        """An upsert of the point: a vector store writes it whether it is there or not."""
        if not (yield from update("facts", key, whole=True, **PARTITION, text=fact, prov=f"p{me}")):
            yield from insert("facts", key, if_absent=True, **PARTITION, text=fact, prov=f"p{me}")


class Mem0V3(Design):
    """mem0 2.0.2 and 2.2.1: one extracting call, whose prompt holds the top memories and the last messages; what it
    names is added unless the snapshot has the same text (md5).

    Two writers add one and the same fact, as in the field report F02 and in the recorded trace
    mem0_2.2.1_concurrent_same_fact_twice; it contradicts the fact that is there. The call names it or does not.
    """

    title = "mem0 v3"
    isolation = "none"
    votes = ("store", "skip")
    surface = ("current", "history")
    tables: ClassVar[Mapping[str, Table]] = {
        "facts": Table(content=("text",)),
        "history": Table(None, part="history"),
        "messages": Table(None, part=None),
    }
    sources: ClassVar[Mapping[str, str]] = {
        "the last ten messages": f"{_V3}: judge; its last paragraph (R drifts on a retry)",
        "the top-10 memories": f"{_V3}: judge; traces/mem0_2.2.1_*, predicate user=alice",
        "one extracting call": f"{_V3}: judge; traces/mem0_2.2.1_*, prompt extract",
        "md5 equality check against the snapshot": f"{_V3}: winner",
        "ADD only": f"{_V3}: winner, loser (stays current); traces/mem0_2.2.1_serial_add-only",
        "history row": f"{_V3}: history (ADD rows)",
        "no transaction": f"{_V3}: isolation",
    }

    def setup(self) -> Iterable[Initial]:
        """One memory, and the history row of its ADD."""
        yield first("facts", "m0", "text")
        yield row("history", "h0", memory="m0", event="ADD", old=None, new=text(0))

    @invariant
    def no_text_twice(self, state: State) -> bool:
        """What the md5 check is there for."""
        texts = column(state.get("facts", {}).values(), "text")
        return len(set(texts)) == len(texts)

    @writer
    def add(self, me: int) -> Steps[None]:
        """One call of `Memory.add`."""
        last = yield from select("messages")
        found = yield from select("facts", subject=SUBJECT)
        vote = yield from judge((column(found, "text"), column(last, "text"), text(1)), _EXTRACT)
        if vote == "store" and text(1) not in column(found, "text"):  # md5, against the snapshot
            made = yield from insert("facts", subject=SUBJECT, predicate=PREDICATE, text=text(1), prov=f"p{me}")
            yield from insert("history", memory=made, event="ADD", old=None, new=text(1))
        yield from insert("messages", text=text(1))
        yield from commit()
