"""Prop5, Prop5.bag and Alg1.raises again: queries by an evaluator of our own; failures on a file, read by raw SQL."""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import combinations
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

from toki_verify.algebra import Fact
from toki_verify.algebra.carriers import carrier
from toki_verify.stores import SqliteStore, WritePath

from .carriers import RINGS
from .machine import Row, run
from .model import Found, after_repair, stored
from .registry import second

#: Table 2's eleven columns; the machine's rows have what matters of them.
COLUMNS = (
    "fact_id",
    "subject",
    "predicate",
    "object",
    "valid_from",
    "valid_to",
    "system_time_start",
    "system_time_end",
    "provenance_id",
    "confidence",
    "resolution_strategy_id",
)


def columns_of(row: Row) -> tuple[Any, ...]:
    """The eleven, and the kind."""
    end = 10**6 if row.end is None else row.end
    return (
        row.id,
        row.subject,
        "p",
        row.object,
        *row.valid,
        row.start,
        end,
        repr(row.prov),
        row.confidence,
        row.strategy,
        row.kind,
    )


class Relation(NamedTuple):
    """Rows as (base columns, kinds that were handed on), each with how often; `width` and `kinds` are their lengths."""

    width: int
    kinds: int
    rows: Counter[tuple[tuple[Any, ...], tuple[str, ...]]]

    def base(self) -> Counter[tuple[Any, ...]]:
        """The base columns of the rows."""
        out: Counter[tuple[Any, ...]] = Counter()
        for (values, _), number in self.rows.items():
            out[values] += number
        return out

    def as_set(self) -> Relation:
        """Each row once."""
        return self._replace(rows=Counter(dict.fromkeys(self.rows, 1)))


Query = tuple[Any, ...]


def queries(depth: int) -> list[Query]:
    """All queries of some depth at most: σ, π, AS OF, and ⋈, ∪, − of two shallower ones."""
    found: list[Query] = [("T",)]
    for _ in range(depth):
        below = list(found)
        found += [("σ", q) for q in below] + [("π", q) for q in below] + [("AS OF", q) for q in below]
        found += [(op, a, b) for op in ("⋈", "∪", "−") for a in below[:6] for b in below[:6]]
    return list(dict.fromkeys(found))


def width(query: Query) -> int:
    """How many base columns its answers have."""
    if query[0] == "T":
        return len(COLUMNS)
    if query[0] == "π":
        return 2
    return width(query[1]) + width(query[2]) if query[0] == "⋈" else width(query[1])


def well_typed(query: Query) -> bool:
    """Whether ∪ and − are of as many columns, and AS OF has its four timestamps."""
    if query[0] == "T":
        return True
    if query[0] in ("∪", "−") and width(query[1]) != width(query[2]):
        return False
    if query[0] == "AS OF" and width(query[1]) < len(COLUMNS):
        return False
    return all(map(well_typed, query[1:]))


def evaluate(query: Query, scan: Relation, *, bag: bool) -> Relation:
    """The answer of a query over what a scan gives."""
    shape = (lambda found: found) if bag else Relation.as_set
    if query[0] == "T":
        return shape(scan)
    args = [evaluate(each, scan, bag=bag) for each in query[1:]]
    one = args[0]
    if query[0] == "σ":
        return one._replace(rows=Counter({r: n for r, n in one.rows.items() if r[0][0] < "b"}))
    if query[0] == "AS OF":
        return one._replace(
            rows=Counter({r: n for r, n in one.rows.items() if r[0][4] <= 0 < r[0][5] and r[0][6] <= 2 < r[0][7]})
        )
    rows: Counter[Any] = Counter()
    if query[0] == "π":
        for (values, _), number in one.rows.items():
            rows[(values[0], values[-1]), ()] += number
        return shape(Relation(2, 0, rows))
    other = args[1]
    if query[0] == "⋈":
        for (values, kinds), number in one.rows.items():
            for (more, further), times in other.rows.items():
                if values[0] == more[0]:
                    rows[values + more, kinds + further] += number * times
        return shape(Relation(one.width + other.width, one.kinds + other.kinds, rows))
    common = one.kinds if one.kinds == other.kinds else 0
    left, right = (_cut(each, common) for each in (one, other))
    if query[0] == "∪":
        return shape(Relation(one.width, common, left + right))
    return Relation(one.width, common, Counter(dict.fromkeys(set(left) - set(right), 1)))


def _cut(found: Relation, kinds: int) -> Counter[Any]:
    out: Counter[Any] = Counter()
    for (values, handed), number in found.rows.items():
        out[values, handed[:kinds]] += number
    return out


@cache
def instances() -> tuple[tuple[tuple[Any, ...], ...], ...]:
    """Lifted tables: up to three rows of what a history of two losses leaves, and one table with a row twice."""
    token = RINGS["multidegree"].token
    history = (
        Row("a", "x", (0, 1), 1, token("a")),
        Row("b", "y", (0, 1), 2, token("b")),
        Row("c", "z", (0, 1), 3, token("c")),
    )
    rows = [columns_of(row) for row in run(history).rows]
    assert {row[-1] for row in rows} == {"current", "audit"}
    return (*tuple(chosen for size in range(4) for chosen in combinations(rows, size)), (rows[0], rows[0], rows[-1]))


def scan_of(rows: Sequence[tuple[Any, ...]], *, filtered: bool, handed: bool) -> Relation:
    """What a scan of the lifted table gives: with the filter or without, with the kind handed on or projected away."""
    kept = [row for row in rows if not filtered or row[-1] == "current"]
    return Relation(len(COLUMNS), int(handed), Counter((row[:-1], (row[-1],) if handed else ()) for row in kept))


def lifted(*, bag: bool, filtered: bool = True) -> tuple[bool, bool, bool, int]:
    """Of all queries on all instances: whether the literal lift answers with the eleven-column schema; whether its base
    columns, and the answers of the projecting lift, are those of the base table; and how many were compared."""
    same_schema = base_columns = projecting = True
    number = 0
    for query in filter(well_typed, queries(2)):
        for rows in instances():
            number += 1
            table = Relation(len(COLUMNS), 0, Counter((row[:-1], ()) for row in rows if row[-1] == "current"))
            wanted = evaluate(query, table, bag=bag)
            literal = evaluate(query, scan_of(rows, filtered=filtered, handed=True), bag=bag)
            projected = evaluate(query, scan_of(rows, filtered=filtered, handed=False), bag=bag)
            same_schema &= literal.kinds == 0
            base_columns &= literal.base() == wanted.base()
            projecting &= projected.rows == wanted.rows
    return same_schema, base_columns, projecting, number


@second("Prop5")
def conservative(id: str) -> Found:
    """As sets: literally, and with a projection at every scan."""
    same_schema, base_columns, projecting, number = lifted(bag=False)
    assert number > 1000
    literally = same_schema and base_columns
    says = (f"has {len(COLUMNS) + 1} columns, the base table {len(COLUMNS)}",) if not same_schema else ()
    return Found(after_repair(literally, base_columns and projecting), says)


@second("Prop5.bag")
def bags(id: str) -> Found:
    """As bags: the base columns."""
    _, base_columns, projecting, _ = lifted(bag=True)
    return Found("holds" if base_columns and projecting else "refuted")


# -- failures ----------------------------------------------------------------------------------------------------------

RING = carrier("multidegree")


def _fact(name: str, value: str, valid: tuple[int, int], at: int, strategy: str = "lww") -> Fact[Any]:
    day = datetime(2026, 1, 1)
    return Fact(
        name,
        "s",
        "p",
        value,
        day + timedelta(valid[0]),
        day + timedelta(at),
        RING.token(name),
        0.5,
        strategy,
        day + timedelta(valid[1]),
    )


def _close_twice(store: Any) -> None:
    transaction = store.begin()
    try:
        (row,) = store.rows()
        transaction.close(row, row.system_time_start + timedelta(1))
        transaction.close(row, row.system_time_start + timedelta(2))
    finally:
        transaction.rollback()


def failures() -> Iterator[tuple[str, str, int, Callable[[Any], object]]]:
    """What goes wrong, the error that is to be raised, how many rows are there before, and how to provoke it."""
    first = 1

    def write(strategy: str = "lww", at: int = 3, **settings: Any) -> Callable[[Any], object]:
        return lambda store: WritePath(store, **settings).ingest(_fact("b", "y", (0, 2), at, strategy))

    def broken(members: Any) -> int:
        raise OSError("no line")

    yield "an unknown schema mode", "UnknownMode", first, lambda store: SqliteStore(":memory:", RING, mode="rows")
    yield "an unknown operator in operators_on", "UnknownStrategy", first, write(enabled=("latest",))
    yield "two incumbents", "SeveralIncumbents", 2, write()
    yield "a strategy that is switched off", "StrategyNotEnabled", first, write("evi", enabled=("lww", "rule"))
    yield "an unknown strategy", "UnknownStrategy", first, write("latest")
    yield "await without a callback", "OracleMissing", first, write("await")
    yield "rule without a policy", "OracleMissing", first, write("rule")
    for vote in (2, -1, True, None):
        yield f"a vote {vote!r}", "VoteOutOfRange", first, write("rule", oracles={"rule": lambda m, vote=vote: vote})
    yield "an oracle that raises", "OracleFailed", first, write("await", oracles={"await": broken})
    yield (
        "an oracle that gives no answer",
        "OracleTimedOut",
        first,
        write("rule", oracles={"rule": lambda members: Event().wait(0.2) and 0}, seconds=0.01),
    )
    yield "a write at the incumbent's instant that wins", "ConstraintViolated", first, write(at=1)
    yield "a row closed twice", "NoOpenRow", first, _close_twice
    yield (
        "a second row of one fact_id and system_time_start",
        "ConstraintViolated",
        first,
        (lambda store: WritePath(store).ingest(_fact("a", "y", (1, 2), 1))),
    )


def provoke(rows: int, act: Callable[[Any], object]) -> tuple[str, bool, bool]:
    """What is raised on a file; whether its bytes say the same rows to raw SQL; whether the next write goes through."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "memory.db"

        def raw() -> list[Any]:
            connection = sqlite3.connect(path)
            try:
                return sorted(connection.execute("SELECT * FROM agent_memory").fetchall())
            finally:
                connection.close()

        store = SqliteStore(path, RING)
        for number in range(rows):
            WritePath(store).ingest(_fact("a" * (number + 1), "x", (number, number + 1), number + 1))
        before, raised = raw(), "nothing"
        try:
            act(store)
        except Exception as error:
            raised = type(error).__name__
        unchanged = raw() == before
        WritePath(store).ingest(_fact("z", "z", (5, 6), 9))
        return raised, unchanged, len(raw()) == len(before) + 1


@second("Alg1.raises")
def raises(id: str) -> Found:
    """Each failure on a file."""
    says, good, number = [], True, 0
    for what, expected, rows, act in failures():
        number += 1
        raised, unchanged, usable = provoke(rows, act)
        good &= raised == expected and unchanged and usable
        says.append(f"{what} ")
        says.append(f": {raised}")
        assert any(line.startswith(f"{what} (") and line.endswith(f": {raised}") for line in stored()[id].evidence), (
            what
        )
    return Found("holds" if good else "refuted", (*says, f"{number} failures, each against"))
