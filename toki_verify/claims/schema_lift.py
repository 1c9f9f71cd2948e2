"""Schema-lift conservatism (TOKI 2026, Proposition 5, Appendix C.6): Prop5.*, by a real SQL engine (SQLite).

A lifted query filters row_kind = current at every scan. It is run on tables as the write path leaves them and on random
ones, beside the same query on the table of current rows; and unfiltered, to see that the comparison can fail.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import Any

from ..algebra import ALL_COLUMNS, COLUMNS, Fact
from ..algebra.audit import pack
from ..algebra.operators import OPERATORS
from .audit_keys import WRITE_PATH_CLAIM
from .base_queries import SCAN, Constants, Query, leaf, project, random_query
from .cells import Cells
from .model import Claim, Outcome
from .small_facts import MULTIDEGREE, SUBJECT, day, fact, told
from .small_histories import BOUND, Run, every_run, run

_WHERE = "TOKI 2026, Proposition 5, Appendix C.6"
QUERIES, DEPTH, SEED = 400, 4, 20260512
#: The lift of a scan with its projection, as the proof needs it; literally, as it is printed; no lift; the base table.
LIFTED, LITERAL, UNFILTERED, BASE = (
    leaf("lifted", "row_kind = 'current'"),
    leaf("lifted", "row_kind = 'current'", kinds=True),
    leaf("lifted"),
    leaf("base"),
)
#: Runs a query: all rows of its answer.
Engine = Callable[[str], Iterable[Sequence[Any]]]
Row = tuple[Any, ...]


def columns_of(row: Fact[Any]) -> Row:
    """The twelve columns of a row, as a table has them."""
    values = {name: getattr(row, name, None) for name in ALL_COLUMNS}
    values["provenance_id"] = MULTIDEGREE.text(row.provenance)
    return tuple(value.isoformat(" ") if isinstance(value, datetime) else value for value in values.values())


def statements() -> tuple[str, str]:
    """The two tables: twelve columns, eleven columns."""
    return f"CREATE TABLE lifted ({', '.join(ALL_COLUMNS)})", f"CREATE TABLE base ({', '.join(COLUMNS)})"


def load(connection: sqlite3.Connection, rows: Sequence[Row]) -> None:
    """Make a lifted instance, and the base table of its current rows."""
    for statement in statements():
        connection.execute(statement)
    connection.executemany(f"INSERT INTO lifted VALUES ({', '.join('?' * len(ALL_COLUMNS))})", rows)
    current = [row[: len(COLUMNS)] for row in rows if row[-1] == "current"]
    connection.executemany(f"INSERT INTO base VALUES ({', '.join('?' * len(COLUMNS))})", current)


def random_history(random: Random, length: int = 8) -> tuple[Fact[Any], ...]:
    """Facts of two partitions, some of which contradict."""
    facts = []
    for number in range(1, length + 1):
        start = random.randrange(3)
        facts.append(
            fact(
                f"f{number}",
                random.choice("xyz"),
                (start, start + random.randint(1, 2)),
                number,
                confidence=random.choice((0.2, 0.5, 0.8)),
                strategy=random.choice(("lww", "evi")),
                subject=random.choice((SUBJECT, "bob")),
            )
        )
    return tuple(facts)


def random_rows(random: Random) -> list[Row]:
    """Any rows at all: audit rows that no operator made, and rows twice, which the key forbids but bags allow."""
    found = []
    for row in random_history(random):
        resolution = OPERATORS["lww"].resolve(
            row, fact("g", "w", (0, 9), 9, subject=row.subject), now=day(10), carrier=MULTIDEGREE
        )
        found.append(columns_of(row))
        if random.random() < 0.7:
            found.append(columns_of(pack(resolution.audit, resolution.loser)))
        if random.random() < 0.3:
            found.append(random.choice(found))
    return found


def tables(random: Random) -> list[list[Row]]:
    """Lifted instances: three as the write path leaves them, three random ones."""
    written = [run(random_history(random)) for _ in range(3)]
    return [[columns_of(row) for row in found.rows] for found in written] + [random_rows(random) for _ in range(3)]


def constants_of(rows: Sequence[Row]) -> Constants:
    """Constants that occur in a table."""
    texts = sorted({f"'{row[place]}'" for row in rows for place in (0, 1, 3, 8, 10)})
    valid, system = (tuple(day(number).isoformat(" ") for number in days) for days in (range(4), range(1, 12)))
    times = tuple(f"'{instant}'" for instant in system)
    return Constants({"text": tuple(texts), "time": times, "real": ("0.2", "0.5", "0.8")}, valid, system)


def answer(engine: Engine, sql: str) -> list[str]:
    """The rows of an answer, in an order of their own."""
    return sorted(", ".join(map(repr, row)) for row in engine(sql))


def compare(engine: Engine, query: Query, lifted: str, *, bag: bool, minus_all: bool = False) -> bool:
    """Whether a query has one answer over a leaf on the lifted table and on the base table."""
    over_lifted = query.over(lifted, bag=bag, minus_all=minus_all)
    return answer(engine, over_lifted) == answer(engine, query.over(BASE, bag=bag, minus_all=minus_all))


def queries(random: Random, rows: Sequence[Row], number: int) -> list[Query]:
    """Random queries with constants of a table, shallow ones first."""
    constants = constants_of(rows)
    return [random_query(random, constants, 1 + place * DEPTH // number) for place in range(number)]


@dataclass
class Compared:
    """How many queries were compared; of how many leaving the filter out shows; how many literally answer with
    `row_kind` as a further column; and the queries that differ."""

    number: int = 0
    visible: int = 0
    wider: int = 0
    wrong: list[str] = field(default_factory=list)


def conservative(bag: bool) -> Compared:
    """Compare random queries with themselves on the base table: lifted with a projection at every scan, and lifted
    literally, all twelve columns handed on through every operator and the base columns taken from the answer."""
    random = Random(SEED)
    found = Compared()
    instances = tables(random)
    for rows in instances:
        with closing(sqlite3.connect(":memory:")) as connection:
            load(connection, rows)
            engine = connection.execute
            for query in queries(random, rows, QUERIES // len(instances)):
                found.number += 1
                found.wider += query.kinds > 0
                found.visible += not compare(engine, query, UNFILTERED, bag=bag)
                same = answer(engine, query.lifted(LITERAL, bag=bag)) == answer(engine, query.over(BASE, bag=bag))
                if not (same and compare(engine, query, LIFTED, bag=bag)):
                    found.wrong.append(query.text)
    return found


def _lines(found: Compared) -> tuple[str, ...]:
    return (
        f"{found.number} queries on {len(tables(Random(SEED)))} tables, each lifted twice: with the eleven columns "
        "projected at every scan, and literally, with twelve columns through every operator and the base columns taken "
        "from the answer; both agree with the base table",
        f"without the filter {found.visible} of them have another answer",
        "outside of Q_base: SELECT *, which has a twelfth column, and queries that name row_kind",
    )


def _bound(found: Compared, words: str) -> str:
    return f"{found.number} random queries up to depth {DEPTH}, SQLite, seed {SEED}; {words}"


def _prop5(cells: Cells) -> Outcome:
    found = conservative(False)
    bound = _bound(found, "set semantics")
    if found.wrong or not found.visible:
        detail = "a query has another answer" if found.wrong else "the comparison cannot fail"
        return Outcome("refuted", "property", detail, bound=bound, evidence=tuple(sorted(found.wrong, key=len)[:3]))
    evidence = _lines(found)
    if not found.wider:
        return Outcome("holds", "property", "every query has the same answer", bound=bound, evidence=evidence)
    detail = (
        "literally the lift only filters, so a query that ends in no projection, T itself first, answers with row_kind "
        f"as a further column ({found.wider} of {found.number}); on the base columns every query has the same answer"
    )
    first = f"T: q* = σ[row_kind = current](T*) has {len(ALL_COLUMNS)} columns, the base table {len(COLUMNS)}"
    repair = "lift a scan to π[1..11] σ[row_kind = current], which the proof's π ∘ π step uses anyway"
    return Outcome("holds-repaired", "property", detail, repair=repair, bound=bound, evidence=(first, *evidence))


def _bag(cells: Cells) -> Outcome:
    found = conservative(True)
    bound = _bound(found, "UNION ALL, no DISTINCT, tables with duplicates")
    if found.wrong or not found.visible:
        detail = "a query has another answer" if found.wrong else "the comparison cannot fail"
        return Outcome("refuted", "property", detail, bound=bound, evidence=tuple(sorted(found.wrong, key=len)[:3]))
    detail = "every query has the same rows, each as often"
    return Outcome("holds", "property", detail, bound=bound, evidence=_lines(found))


def _differs(found: Run, query: Query) -> tuple[list[str], list[str]] | None:
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, [columns_of(row) for row in found.rows])
        before = answer(connection.execute, query.over(BASE))
        after = answer(connection.execute, query.over(UNFILTERED))
    return (before, after) if before != after else None


def _verbatim(cells: Cells) -> Outcome:
    query = project(SCAN, [COLUMNS.index("fact_id")])
    for found in every_run():
        difference = _differs(found, query)
        if difference is not None:
            before, after = difference
            evidence = (
                *(f"write {told(each)}" for each in found.history),
                f"SELECT fact_id FROM agent_memory: {', '.join(before)} before the upgrade, {', '.join(after)} after "
                "it",
            )
            detail = (
                "a query that is kept word for word reads the audit rows, too: Proposition 5 is about the lifted "
                "query, which "
                "has a filter at every scan that the old text has not"
            )
            repair = "give the old name to a view that filters and projects, or rewrite every scan"
            return Outcome("refuted", "exhaustive", detail, repair=repair, bound=BOUND, evidence=evidence)
    return Outcome("holds", "exhaustive", "no answer changes", bound=BOUND)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "Prop5",
        _WHERE,
        "every query of σ, π, ⋈, ∪, −, AS OF over the base columns has the same answer on the lifted schema, with "
        "the filter "
        "row_kind = current at every scan, as on the table of current rows",
        "q* as printed: 'at each table-scan leaf the lift prepends the default filter' and nothing else, so twelve "
        "columns go up; sets of rows",
        _prop5,
    ),
    Claim(
        "Prop5.bag",
        _WHERE,
        "the same with the bags of SQL",
        "UNION ALL and projection without DISTINCT; the difference is SQLite's EXCEPT, which makes a set; the base "
        "columns of the answers",
        _bag,
    ),
    Claim(
        "Prop5.verbatim",
        "TOKI 2026, Appendix C.6 ('queries that do not mention row_kind keep their answers verbatim … without "
        "rewriting any "
        "pre-existing read path')",
        "a query that does not mention row_kind answers after the upgrade what it answered before",
        "the text of the query is kept as it was, on the table that now has audit rows",
        _verbatim,
    ),
    WRITE_PATH_CLAIM,
)
