"""Schema-lift conservatism (TOKI 2026, Proposition 5, Appendix C.6): Prop5.*, by a real SQL engine (SQLite).

A lifted query filters row_kind = current at every scan. It is run on tables as the write path leaves them and on random
ones, beside the same query on the table of current rows; and unfiltered, to see that the comparison can fail.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import datetime
from random import Random
from typing import Any

from ..algebra import ALL_COLUMNS, COLUMNS, Fact
from ..algebra.audit import pack
from ..algebra.operators import OPERATORS
from .base_queries import SCAN, Constants, Query, leaf, project, random_query
from .cells import Cells
from .model import Claim, Outcome
from .small_facts import MULTIDEGREE, SUBJECT, day, fact, told
from .small_histories import BOUND, Run, every_run, run

_WHERE = "TOKI 2026, Proposition 5, Appendix C.6"
QUERIES, DEPTH, SEED = 400, 4, 20260512
LIFTED, UNFILTERED, BASE = (
    leaf("lifted", "row_kind = 'current'"),
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


def conservative(bag: bool, lifted: str) -> tuple[int, int, list[str]]:
    """How many queries were compared, on how many of them leaving the filter out shows, and which differ."""
    random = Random(SEED)
    number = visible = 0
    wrong: list[str] = []
    instances = tables(random)
    for rows in instances:
        with closing(sqlite3.connect(":memory:")) as connection:
            load(connection, rows)
            for query in queries(random, rows, QUERIES // len(instances)):
                number += 1
                visible += not compare(connection.execute, query, UNFILTERED, bag=bag)
                if not compare(connection.execute, query, lifted, bag=bag):
                    wrong.append(query.text)
    return number, visible, wrong


def literal_columns() -> tuple[int, int]:
    """How many columns the query T has: lifted literally, with the filter alone; and on the base table."""
    with closing(sqlite3.connect(":memory:")) as connection:
        load(connection, [])
        lifted = connection.execute("SELECT * FROM lifted WHERE row_kind = 'current'").description
        return len(lifted), len(connection.execute("SELECT * FROM base").description)


def _lines(number: int, visible: int) -> tuple[str, ...]:
    return (
        f"{number} queries on {len(tables(Random(SEED)))} tables; without the filter {visible} of them have another "
        "answer",
        "outside of Q_base: SELECT *, which has a twelfth column, and queries that name row_kind",
    )


def _prop5(cells: Cells) -> Outcome:
    number, visible, wrong = conservative(False, LIFTED)
    lifted, base = literal_columns()
    bound = f"{number} random queries up to depth {DEPTH}, SQLite, seed {SEED}; set semantics"
    if wrong or not visible:
        detail = "a query has another answer" if wrong else "the comparison cannot fail"
        return Outcome("refuted", "property", detail, bound=bound, evidence=tuple(sorted(wrong, key=len)[:3]))
    evidence = _lines(number, visible)
    if lifted == base:
        return Outcome("holds", "property", "every query has the same answer", bound=bound, evidence=evidence)
    detail = (
        "literally the lift only filters, so the query T itself, which projects nothing, answers with row_kind as a "
        "further "
        "column; on the base columns every query has the same answer"
    )
    first = f"T: q* = σ[row_kind = current](T*) has {lifted} columns, q(π[1..11] σ[row_kind = current](T*)) has {base}"
    repair = "lift a scan to π[1..11] σ[row_kind = current], which the proof's π ∘ π step uses anyway"
    return Outcome("holds-repaired", "property", detail, repair=repair, bound=bound, evidence=(first, *evidence))


def _bag(cells: Cells) -> Outcome:
    number, visible, wrong = conservative(True, LIFTED)
    bound = (
        f"{number} random queries up to depth {DEPTH}, SQLite, seed {SEED}; UNION ALL, no DISTINCT, tables with "
        "duplicates"
    )
    if wrong or not visible:
        detail = "a query has another answer" if wrong else "the comparison cannot fail"
        return Outcome("refuted", "property", detail, bound=bound, evidence=tuple(sorted(wrong, key=len)[:3]))
    detail = "every query has the same rows, each as often"
    return Outcome("holds", "property", detail, bound=bound, evidence=_lines(number, visible))


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


def _modes(cells: Cells) -> Outcome:
    for lifted, base in zip(every_run("audit_row"), every_run("base"), strict=True):
        if [row for row in lifted.rows if row.row_kind == "current"] != list(base.rows):
            lines = (*map(told, lifted.history),)
            return Outcome("refuted", "exhaustive", "the current rows differ", bound=BOUND, evidence=lines)
    detail = f"after each of {len(every_run())} histories the current rows are those of a base-schema store"
    return Outcome("holds", "exhaustive", detail, bound=BOUND)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "Prop5",
        _WHERE,
        "every query of σ, π, ⋈, ∪, −, AS OF over the base columns has the same answer on the lifted schema, with "
        "the filter "
        "row_kind = current at every scan, as on the table of current rows",
        "q* as printed: 'at each table-scan leaf the lift prepends the default filter'; sets of rows",
        _prop5,
    ),
    Claim(
        "Prop5.bag",
        _WHERE,
        "the same with the bags of SQL",
        "UNION ALL and projection without DISTINCT; the difference is SQLite's EXCEPT, which makes a set",
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
    Claim(
        "Prop5.write-path",
        f"{_WHERE}; Table 14 step 8",
        "the current rows that the write path leaves in mode audit_row are the rows that it leaves in mode base",
        "whole rows, after every small history",
        _modes,
    ),
)
