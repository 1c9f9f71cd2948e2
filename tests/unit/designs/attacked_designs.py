"""Designs on which the explorer or a cell was once wrong, each as small as it came."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from toki_verify.designs import (
    Aborted,
    Design,
    Initial,
    Row,
    State,
    Steps,
    Table,
    abort,
    alone,
    belief,
    commit,
    delete,
    insert,
    invariant,
    judge,
    log_insert_if_absent,
    log_key,
    read,
    row,
    select,
    update,
    writer,
)

WHERE: dict[str, Any] = {"subject": "a", "predicate": "p"}


class OneRow(Design):
    """A row of one partition."""

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "m0", **WHERE, n=0, prov="p0")


class CrashesWhileItWaits(OneRow):
    """Only a crash of `b` while it waits for the row lets its request be counted twice."""

    tables: ClassVar = {"facts": Table(content=("n",)), "notes": Table(None, part=None), "log": Table(None, part=None)}

    @invariant
    def never_two(self, state: State) -> bool:
        return bool(state["facts"]["m0"]["n"] < 2)

    @writer
    def a(self) -> Steps[None]:
        yield from update("facts", "m0", n=0)
        yield from alone(insert("notes", "open", if_absent=True))
        found = yield from select("log")
        yield from update("facts", "m0", n=len(found))
        yield from commit()

    @writer
    def b(self) -> Steps[None]:
        if (yield from alone(read("notes", "open"))) is None:
            return
        yield from alone(insert("log"))
        yield from update("facts", "m0", n=lambda old: old["n"])
        yield from commit()


class AsksInVain(OneRow):
    """A crash may come between the call and the abort."""

    @writer
    def ask(self) -> Steps[None]:
        yield from read("facts", "m0")
        yield from judge("R")
        yield from abort()


class WritesAndAsks(OneRow):
    """What an attempt has written and lost is no difference between it and the next."""

    @writer
    def ask(self, me: int) -> Steps[None]:
        yield from insert("facts", subject=f"s{me}", predicate="p", n=1)
        yield from judge(("R", me))
        yield from commit()


class OnCall(Design):
    """Two rows; each of two writers deletes its own as long as there is another."""

    isolation = "SI"

    def setup(self) -> Iterator[Initial]:
        yield from (row("facts", f"m{number}", **WHERE, n=number) for number in range(2))

    @belief
    def somebody(self, rows: tuple[Row, ...]) -> bool:
        return len(rows) > 0

    @writer
    def leave(self, me: int) -> Steps[None]:
        rows = yield from select("facts", **WHERE)
        if len(rows) > 1:
            yield from delete("facts", f"m{me % 2}")
        yield from commit()


class DecidesAndWrites(OneRow):
    """The call in one transaction, what it decides in the next."""

    @writer
    def ask(self) -> Steps[None]:
        yield from read("facts", "m0")
        vote = yield from judge("R")
        yield from commit()
        if vote:
            yield from update("facts", "m0", n=1, prov="p1")
            yield from commit()


class GoesOnAfterARefusal(OneRow):
    """The call is of the transaction that the store aborts, not of the next one."""

    isolation = "SI"
    retries = 0
    tables: ClassVar = {"facts": Table(), "notes": Table(None, part=None)}

    @writer
    def ask(self, me: int) -> Steps[None]:
        yield from read("facts", "m0")
        vote = yield from judge("R")
        try:
            yield from insert("judge_log", log_key("R"), vote=vote, if_absent=True)
            yield from commit()
        except Aborted:
            yield from insert("notes", f"n{me}", vote=7)
            yield from commit()


class DoneTwice(OneRow):
    """A request that is repeated after its commit meets its own row and gives up."""

    retries = 0

    @writer
    def put(self, me: int) -> Steps[None]:
        yield from insert("facts", f"q{me}", **WHERE, n=me)
        yield from commit()


class GivesUpAlone(OneRow):
    """`b` gives up because of `a`; what `a` does alone breaks the belief."""

    isolation = "SI"
    retries = 0

    @belief
    def small(self, rows: tuple[Row, ...]) -> bool:
        return all(row["n"] < 2 for row in rows)

    @writer
    def a(self) -> Steps[None]:
        old = yield from read("facts", "m0")
        yield from update("facts", "m0", n=2 if old is not None and old["n"] == 0 else 0)
        yield from commit()

    @writer
    def b(self) -> Steps[None]:
        yield from update("facts", "m0", n=1)
        yield from commit()


class ForgetsAPin(OnCall):
    """A level, and a table that is pinned below it."""

    tables: ClassVar = {"facts": Table(isolation="RC")}


class BeginsLower(OneRow):
    """The design's level is SR; its transactions are not."""

    isolation = "SR"

    @writer
    def add(self, me: int) -> Steps[None]:
        from toki_verify.designs import begin

        yield from begin("RC")
        old = yield from read("facts", "m0")
        yield from update("facts", "m0", n=(me, 0 if old is None else str(old["n"])))
        yield from commit()


class WritesAlone(OneRow):
    """Every statement is a transaction of its own."""

    @writer
    def put(self, me: int) -> Steps[None]:
        yield from alone(update("facts", "m0", n=me, prov=f"p{me}"))


class Counts(OneRow):
    """A column that is a function of the row."""

    @writer
    def add(self, me: int) -> Steps[None]:
        yield from update("facts", "m0", n=lambda old: old["n"] + 1, prov=f"p{me}")
        yield from commit()


class TriesALog(OneRow):
    """Ask, log, and ask again on what the log says."""

    @writer
    def ask(self, me: int) -> Steps[None]:
        vote = yield from judge("R")
        vote = yield from log_insert_if_absent("R", "theta", vote)
        if vote:
            yield from judge(("S", me))
            yield from abort()
        else:
            yield from commit()
