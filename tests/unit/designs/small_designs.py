"""Small designs, each with one fault or with none, for the suites of the matrix and of the repairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
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
    callback,
    commit,
    insert,
    invariant,
    judge,
    log_insert_if_absent,
    read,
    row,
    select,
    update,
    writer,
)
from toki_verify.designs.model import Described, describe
from toki_verify.designs.operations import JUDGE_LOG

from .drawn_designs import WHERE


def at(of: type[Design], level: str, **more: Any) -> Described:
    """The design at another level."""
    return replace(describe(of), isolation=level, **more)


class Appends(Design):
    """Each writer adds its number to what it has read."""

    retries = 1

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "x", **WHERE, says="", prov="p0")

    @writer
    def add(self, me: int) -> Steps[None]:
        old = yield from read("facts", "x")
        assert old is not None
        yield from self.put(old, f"{old['says']}{me}")
        yield from commit()

    def put(self, old: Row, says: str) -> Steps[None]:
        yield from update("facts", old, says=says)


class Expects(Appends):
    """The same under the expected version; where it has changed the call is repeated."""

    def put(self, old: Row, says: str) -> Steps[None]:
        if not (yield from update("facts", old, expect=old, says=says)):
            raise Aborted("changed")


class OnCall(Design):
    """Who is on call may leave while the other one stays (Berenson et al. 1995, A5B)."""

    isolation = "SI"
    predicates: ClassVar = ("duty", "duty")

    def setup(self) -> Iterator[Initial]:
        for key, predicate in zip("ab", self.predicates, strict=True):
            yield row("facts", key, subject="ward", predicate=predicate, there=True, prov=f"p{key}")

    @writer
    def a_leaves(self) -> Steps[None]:
        yield from self.leave("a", "b")

    @writer
    def b_leaves(self) -> Steps[None]:
        yield from self.leave("b", "a")

    def leave(self, who: str, other: str) -> Steps[None]:
        stays = yield from read("facts", other)
        if stays is not None and stays["there"]:
            yield from update("facts", who, there=False)
        yield from commit()

    @invariant
    def somebody(self, state: State) -> bool:
        return any(found["there"] for found in state["facts"].values())

    @belief
    def one_of_them(self, rows: tuple[Row, ...]) -> bool:
        return any(found["there"] for found in rows)


class TwoWards(OnCall):
    """The rows lie in two partitions."""

    predicates = ("duty of a", "duty of b")

    @belief
    def one_of_them(self, rows: tuple[Row, ...]) -> bool:
        return True


class Pinned(OnCall):
    """The partition is serializable, the transactions are not."""

    tables: ClassVar = {"facts": Table(pins={("ward", "duty"): "SR"})}


class Stubborn(OnCall):
    """One of them leaves whoever stays: serial executions break the invariant, too."""

    @writer
    def b_leaves(self) -> Steps[None]:
        yield from update("facts", "b", there=False)
        yield from commit()


class Asks(Design):
    """It asks about the request of its writer, and writes what it is told."""

    key: ClassVar[str] = "request {me}"

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "x", **WHERE, says="", prov="p0")

    @writer
    def put(self, me: int) -> Steps[None]:
        yield from self.before(me)
        vote = yield from self.ask(self.key.format(me=me))
        yield from update("facts", "x", says=(me, vote))
        yield from commit()

    def before(self, me: int) -> Steps[None]:
        yield from ()

    def ask(self, key: str) -> Steps[Any]:
        return (yield from judge(key))


class AsksTheSame(Asks):
    """Both writers ask one question."""

    key = "the question"


class Logs(Asks):
    """What the log has is the answer."""

    def ask(self, key: str) -> Steps[Any]:
        vote = yield from judge(key)
        return (yield from log_insert_if_absent(key, "theta", vote))


class LogsAndForgets(Asks):
    """It fills the log, and does what it was told itself."""

    def ask(self, key: str) -> Steps[Any]:
        vote = yield from judge(key)
        yield from log_insert_if_absent(key, "theta", vote)
        return vote


class Appended(Asks):
    """It appends to the log, in a transaction of its own."""

    def ask(self, key: str) -> Steps[Any]:
        vote = yield from judge(key)
        yield from alone(insert(JUDGE_LOG, reads=key, vote=vote))
        return vote


class LogsTheSame(Logs):
    key = "the question"


class Retries(Asks):
    """The store refuses the second of two writers, whose call is repeated: what it was told first is not committed."""

    isolation = "SI"
    looks_at: ClassVar[str] = "y"

    def setup(self) -> Iterator[Initial]:
        yield from super().setup()
        yield row("facts", "y", **WHERE, says="", prov="p0")

    def before(self, me: int) -> Steps[None]:
        yield from read("facts", self.looks_at)


class Sees(Retries):
    """The repeated call sees what the other writer has written meanwhile."""

    looks_at = "x"


class Declines(AsksTheSame):
    """Only one of the answers is ever committed."""

    def ask(self, key: str) -> Steps[Any]:
        vote = yield from judge(key)
        if vote:
            yield from abort()
        return vote


class Between(Asks):
    """A repeated call asks about what it has read: facts that changed are another question."""

    isolation = "SI"

    @writer
    def put(self, me: int) -> Steps[None]:
        old = yield from read("facts", "x")
        vote = yield from judge((me, "" if old is None else old["says"]))
        yield from update("facts", "x", says=(me, vote))
        yield from commit()


class Awaits(Design):
    """It writes by await without having been told."""

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "x", **WHERE, says="", prov="p0")

    @writer
    def put(self, me: int) -> Steps[None]:
        told = yield from self.told()
        if told is None:
            yield from abort()
            return
        yield from update("facts", "x", operator="await", says=me)
        yield from commit()

    def told(self) -> Steps[int | None]:
        yield from ()
        return 0


class Waits(Awaits):
    """It reads the row, and waits for the confirmation."""

    def told(self) -> Steps[int | None]:
        yield from read("facts", "x")
        return (yield from callback("x", "confirm", (0,)))


class OneFact(Design):
    """It inserts a fact where there is none."""

    def setup(self) -> Iterator[Initial]:
        yield from ()

    @writer
    def put(self, me: int) -> Steps[None]:
        if not (yield from select("facts", **WHERE)):
            yield from insert("facts", **WHERE, says=me)
        yield from commit()

    @belief
    def one(self, rows: tuple[Row, ...]) -> bool:
        return len(rows) <= 1


class TwoFacts(OneFact):
    """It inserts a fact anyway."""

    @writer
    def put(self, me: int) -> Steps[None]:
        yield from insert("facts", **WHERE, says=me)
        yield from commit()


class FirstToCome(Design):
    """Who comes first is written down, apart from the facts."""

    tables: ClassVar[dict[str, Table]] = {"facts": Table(), "doors": Table(None, part=None)}

    def setup(self) -> Iterator[Initial]:
        yield row("facts", "x", **WHERE, says=0, prov="p0")

    @writer
    def come(self, me: int) -> Steps[None]:
        yield from insert("doors", "front", by=me, if_absent=True)
        yield from commit()

    @invariant
    def not_the_second(self, state: State) -> bool:
        return bool(state["doors"]["front"]["by"] != 2)
