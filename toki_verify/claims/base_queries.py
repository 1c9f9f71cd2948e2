"""Queries over the eleven base columns, at random, and the SQL of each over any leaf (TOKI 2026, Appendix C.6, Q_base).

A query is σ, π, ⋈, ∪, − and AS OF over leaves; no predicate and no projection can name `row_kind`, since a leaf does
not offer it. Columns of intermediate results are c0, c1, …, each of which knows the base column it came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from ..algebra.facts import COLUMNS

#: What can be compared with what.
DOMAINS: Final = {
    name: "time" if name.endswith(("_from", "_to", "_start", "_end")) else "real" if name == "confidence" else "text"
    for name in COLUMNS
}
_PERIODS: Final = ("valid_from", "valid_to", "system_time_start", "system_time_end")


@dataclass(frozen=True)
class Query:
    """A query as SQL with `{leaf}` for every table scan; `{distinct}`, `{all}` and `{minus}` are what sets and bags
    differ in. `columns` are the base columns of its results, `text` is the query in the notation of the seed."""

    sql: str
    columns: tuple[str, ...]
    text: str

    def over(self, leaf: str, *, bag: bool = False, minus_all: bool = False) -> str:
        """The SQL over a leaf. `minus_all` is for engines that have a difference of bags."""
        distinct, every = ("", " ALL") if bag else ("DISTINCT ", "")
        return self.sql.format(leaf=leaf, distinct=distinct, all=every, minus=" ALL" if bag and minus_all else "")


SCAN: Final = Query("{leaf}", COLUMNS, "T")


def leaf(table: str, where: str = "") -> str:
    """A scan of the eleven base columns of a table."""
    named = ", ".join(f"{name} AS c{number}" for number, name in enumerate(COLUMNS))
    return f"SELECT {named} FROM {table}{f' WHERE {where}' if where else ''}"


def project(inner: Query, chosen: Sequence[int]) -> Query:
    """π of some columns by their places."""
    named = ", ".join(f"c{place} AS c{number}" for number, place in enumerate(chosen))
    columns = tuple(inner.columns[place] for place in chosen)
    return Query(f"SELECT {{distinct}}{named} FROM ({inner.sql})", columns, f"π[{', '.join(columns)}]({inner.text})")


def select(inner: Query, condition: str, words: str) -> Query:
    """σ of a condition over c0, c1, …"""
    columns = ", ".join(f"c{number}" for number in range(len(inner.columns)))
    exact = condition.replace("{", "{{").replace("}", "}}")  # a conflict witness is JSON
    return Query(f"SELECT {columns} FROM ({inner.sql}) WHERE {exact}", inner.columns, f"σ[{words}]({inner.text})")


def as_of(inner: Query, valid: str, system: str) -> Query:
    """AS OF two instants, closed-open, on the first columns that came from the four timestamps."""
    at = {name: f"c{inner.columns.index(name)}" for name in _PERIODS}
    condition = (
        f"{at['valid_from']} <= '{valid}' AND '{valid}' < {at['valid_to']} AND "
        f"{at['system_time_start']} <= '{system}' AND '{system}' < {at['system_time_end']}"
    )
    found = select(inner, condition, "")
    return Query(found.sql, found.columns, f"AS OF({valid[:10]}, {system[:10]})({inner.text})")


def join(one: Query, other: Query, left: int, right: int) -> Query:
    """⋈ on one column of each."""
    size = len(one.columns)
    named = [f"l.c{number} AS c{number}" for number in range(size)]
    named += [f"r.c{number} AS c{size + number}" for number in range(len(other.columns))]
    sql = f"SELECT {', '.join(named)} FROM ({one.sql}) AS l JOIN ({other.sql}) AS r ON l.c{left} = r.c{right}"
    text = f"({one.text} ⋈[{one.columns[left]} = {other.columns[right]}] {other.text})"
    return Query(sql, one.columns + other.columns, text)


def combine(one: Query, other: Query, operator: str) -> Query:
    """∪ or −."""
    word, hole = ("UNION", "{all}") if operator == "∪" else ("EXCEPT", "{minus}")
    names = ", ".join(f"c{number}" for number in range(len(one.columns)))
    sql = f"SELECT {names} FROM ({one.sql}) {word}{hole} SELECT {names} FROM ({other.sql})"
    return Query(sql, one.columns, f"({one.text} {operator} {other.text})")


@dataclass(frozen=True)
class Constants:
    """What conditions compare with, by domain, as SQL; and the instants of AS OF."""

    values: dict[str, tuple[str, ...]]
    valid: tuple[str, ...]
    system: tuple[str, ...]


def random_query(random: Random, constants: Constants, depth: int) -> Query:
    """A query of at most some depth."""
    if not depth:
        return SCAN
    kind = random.choice(("σ", "π", "⋈", "∪", "−", "AS OF"))
    inner = random_query(random, constants, depth - 1)
    if kind == "AS OF":
        if not set(_PERIODS) <= set(inner.columns):
            inner = SCAN
        return as_of(inner, random.choice(constants.valid), random.choice(constants.system))
    if kind == "σ":
        return _random_selection(random, constants, inner)
    if kind == "π":
        return project(inner, random.sample(range(len(inner.columns)), random.randint(1, min(4, len(inner.columns)))))
    other = random_query(random, constants, random.randrange(depth))
    if kind == "⋈":
        left = random.randrange(len(inner.columns))
        places = [n for n, name in enumerate(other.columns) if DOMAINS[name] == DOMAINS[inner.columns[left]]]
        return join(inner, other, left, random.choice(places)) if places else inner
    # Both sides get the same domains: as many columns of each as they share.
    alike = [(n, _first(other.columns, DOMAINS[name])) for n, name in enumerate(inner.columns)]
    shared = [(n, place) for n, place in alike if place is not None]
    if not shared:
        return inner
    chosen = random.sample(shared, random.randint(1, min(3, len(shared))))
    return combine(project(inner, [n for n, _ in chosen]), project(other, [place for _, place in chosen]), kind)


def _first(columns: tuple[str, ...], domain: str) -> int | None:
    return next((n for n, name in enumerate(columns) if DOMAINS[name] == domain), None)


def _random_selection(random: Random, constants: Constants, inner: Query) -> Query:
    place = random.randrange(len(inner.columns))
    domain = DOMAINS[inner.columns[place]]
    alike = [n for n, name in enumerate(inner.columns) if DOMAINS[name] == domain]
    compared = random.choice(("=", "<>", "<", ">="))
    if random.random() < 0.3:
        other = random.choice(alike)
        return select(
            inner, f"c{place} {compared} c{other}", f"{inner.columns[place]} {compared} {inner.columns[other]}"
        )
    value = random.choice(constants.values[domain])
    negated = "NOT " if random.random() < 0.2 else ""
    return select(inner, f"{negated}c{place} {compared} {value}", f"{negated}{inner.columns[place]} {compared} {value}")
