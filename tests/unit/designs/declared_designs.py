"""The same designs in Python and in TOML."""

from __future__ import annotations

from typing import ClassVar

from toki_verify.designs import (
    Aborted,
    Design,
    Steps,
    Table,
    alone,
    callback,
    commit,
    delete,
    insert,
    judge,
    log_insert_if_absent,
    log_key,
    read,
    row,
    select,
    update,
    writer,
)
from toki_verify.designs.model import Initial

FACT = row("facts", "m0", subject="alice", predicate="lives_in", object="Lyon", prov="p0")
FACT_TOML = """
[[rows]]
table = "facts"
key = "m0"
prov = "p0"
subject = "alice"
predicate = "lives_in"
object = "Lyon"
"""


class LastWriterWins(Design):
    """Asks whether to overwrite, and overwrites."""

    def setup(self) -> list[Initial]:
        return [FACT]

    @writer
    def remember(self, me: int) -> Steps[None]:
        old = yield from select("facts", subject="alice", predicate="lives_in")
        vote = yield from judge([old, f"fact {me}"])
        for found in old:
            if vote == 1:
                yield from update("facts", found, object=f"place {me}", prov=f"p{me}")
        yield from commit()


LAST_WRITER_WINS = f"""\
name = "last writer wins"
isolation = "RC"
{FACT_TOML}
[[writers.remember]]
do = "select"
table = "facts"
subject = "alice"
predicate = "lives_in"
as = "old"

[[writers.remember]]
do = "judge"
reads = ["$old", "fact $me"]
as = "vote"

[[writers.remember]]
do = "update"
each = "$old"
when = "$vote = 1"
object = "place $me"
prov = "p$me"

[[writers.remember]]
do = "commit"
"""


class KeyedLog(Design):
    """Reads the judge log first, and keeps the first vote in it."""

    isolation = "SI"
    retries = 2

    def setup(self) -> list[Initial]:
        return [FACT]

    @writer
    def remember(self, me: int) -> Steps[None]:
        old = yield from read("facts", "m0")
        assert old is not None
        logged = yield from read("judge_log", log_key([old["object"], "new"], "gpt"))
        if logged is not None:
            vote = logged["vote"]
        else:
            vote = yield from judge([old["object"], "new"], "gpt")
            vote = yield from log_insert_if_absent([old["object"], "new"], "gpt", vote)
        if vote == 1:
            yield from update("facts", old, object="new", prov=f"p{me}", operator="lww")
        yield from commit()


KEYED_LOG = f"""\
name = "keyed log"
isolation = "SI"
retries = 2
{FACT_TOML}
[writers]
remember = [
  {{ do = "read", table = "facts", key = "m0", as = "old" }},
  {{ do = "read", table = "judge_log", reads = ["$old.object", "new"], theta = "gpt", as = "log" }},
  {{ do = "judge", when = "$log not found", reads = ["$old.object", "new"], theta = "gpt", as = "vote" }},
  {{ do = "log_insert_if_absent", when = "$log not found", reads = ["$old.object", "new"], theta = "gpt", \
vote = "$vote", as = "vote" }},
  {{ do = "update", when = ["$log found", "$log.vote = 1"], row = "$old", object = "new", prov = "p$me", \
operator = "lww" }},
  {{ do = "update", when = ["$log not found", "$vote = 1"], row = "$old", object = "new", prov = "p$me", \
operator = "lww" }},
  {{ do = "commit" }},
]
"""


class CompareAndSet(Design):
    """Writes only over the version that it has read; else the attempt is repeated."""

    votes = (True, False)

    def setup(self) -> list[Initial]:
        return [FACT]

    @writer
    def remember(self, me: int) -> Steps[None]:
        old = yield from read("facts", "m0")
        if old is None:
            yield from commit()
            return
        vote = yield from judge([old, me])
        if vote is True:
            won = yield from update("facts", old, expect=old, object=f"place {me}", prov=f"p{me}")
            if not won:
                raise Aborted("again")
        yield from commit()


COMPARE_AND_SET = f"""\
name = "compare and set"
votes = [true, false]
{FACT_TOML}
[[writers.remember]]
do = "read"
table = "facts"
key = "m0"
as = "old"

[[writers.remember]]
do = "judge"
when = "$old found"
reads = ["$old", "$me"]
as = "vote"

[[writers.remember]]
do = "update"
when = "$vote = true"
row = "$old"
expect = "$old"
object = "place $me"
prov = "p$me"
as = "won"

[[writers.remember]]
do = "retry"
when = "$won = false"

[[writers.remember]]
do = "commit"
"""


class Everything(Design):
    """Pins, predicates, callbacks, closed rows, tables that are no facts."""

    tables: ClassVar = {
        "facts": Table(
            closed=lambda row: row["closed"] != 0,
            predicates={"open": lambda row: row["closed"] == 0},
            pins={("alice", "lives_in"): "SR"},
            content=("object",),
        ),
        "audit": Table(None, part="audit", isolation="RC"),
    }
    isolation = "SI"
    retries = 0
    recovers = False
    surface = ("current", "audit")

    def setup(self) -> list[Initial]:
        return [row("facts", "m0", subject="alice", predicate="lives_in", object="Lyon", closed=0, prov="p0")]

    @writer
    def remember(self, me: int) -> Steps[None]:
        old = yield from select("facts", "open", subject="alice", predicate="lives_in")
        winner = yield from callback(["R", me], f"h{me}")
        if winner != 1:
            yield from commit()
            return
        for found in old:
            yield from update("facts", found, closed=me)
        yield from insert("facts", subject="alice", predicate="lives_in", object=f"place {me}", closed=0, prov=f"p{me}")
        yield from alone(insert("audit", f"a{me}", if_absent=True, what="$ written"))
        yield from commit()

    @writer
    def forget(self) -> Steps[None]:
        yield from delete("facts", "m0")
        yield from commit()


EVERYTHING = """\
name = "everything"
isolation = "SI"
retries = 0
recovers = false
surface = ["current", "audit"]

[tables.facts]
closed = "$row.closed != 0"
predicates.open = "$row.closed = 0"
pins = [{ partition = ["alice", "lives_in"], isolation = "SR" }]
content = ["object"]

[tables.audit]
partition = []
part = "audit"
isolation = "RC"

[[rows]]
table = "facts"
key = "m0"
prov = "p0"
columns = { subject = "alice", predicate = "lives_in", object = "Lyon", closed = 0 }

[writers]
remember = [
  { do = "select", table = "facts", where = "open", subject = "alice", predicate = "lives_in", as = "old" },
  { do = "callback", reads = ["R", "$me"], request = "h$me", as = "winner" },
  { do = "commit", when = "$winner != 1" },
  { do = "stop", when = "$winner != 1" },
  { do = "update", each = "$old", columns = { closed = "$me" } },
  { do = "insert", table = "facts", prov = "p$me", subject = "alice", predicate = "lives_in", object = "place $me", \
columns.closed = 0 },
  { do = "insert", table = "audit", key = "a$me", if_absent = true, alone = true, what = "$$ written" },
  { do = "commit" },
]
forget = [{ do = "delete", table = "facts", key = "m0" }, { do = "commit" }]
"""

PAIRS = [
    (LastWriterWins, LAST_WRITER_WINS),
    (KeyedLog, KEYED_LOG),
    (CompareAndSet, COMPARE_AND_SET),
    (Everything, EVERYTHING),
]
