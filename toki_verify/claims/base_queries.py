"""Queries over the eleven base columns, at random, and the SQL of each over any leaf (TOKI 2026, Appendix C.6, Q_base).

A query is σ, π, ⋈, ∪, − and AS OF over leaves; no predicate and no projection names `row_kind`, which a leaf offers
in the literal lift only. Columns of intermediate results are c0, c1, …; each knows the base column it came from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
    differ in. `columns` are the base columns of its results, `text` is the query in the notation of the seed.

    `literal` is the same over leaves that offer `row_kind` as k0, which no condition and no projection names: σ and AS
    OF hand it on, ⋈ has that of both sides, π drops it. `kinds` is how many such columns its results have.
    """

    sql: str
    columns: tuple[str, ...]
    text: str
    literal: str = ""
    kinds: int = 0

    def over(self, leaf: str, *, bag: bool = False, minus_all: bool = False) -> str:
        """The SQL over a leaf. `minus_all` is for engines that have a difference of bags."""
        return _filled(self.sql, leaf, bag, minus_all)

    def lifted(self, leaf: str, *, bag: bool = False, minus_all: bool = False) -> str:
        """The SQL over a leaf of twelve columns, all of them handed on, and projected to the base columns at last."""
        named = _names(len(self.columns))
        return _filled(f"SELECT {named} FROM ({self.literal})", leaf, bag, minus_all)


def _filled(sql: str, leaf: str, bag: bool, minus_all: bool) -> str:
    distinct, every = ("", " ALL") if bag else ("DISTINCT ", "")
    return sql.format(leaf=leaf, distinct=distinct, all=every, minus=" ALL" if bag and minus_all else "")


SCAN: Final = Query("{leaf}", COLUMNS, "T", "{leaf}", 1)


def leaf(table: str, where: str = "", *, kinds: bool = False) -> str:
    """A scan of the eleven base columns of a table, or of all twelve."""
    named = ", ".join(f"{name} AS c{number}" for number, name in enumerate(COLUMNS))
    more = ", row_kind AS k0" if kinds else ""
    return f"SELECT {named}{more} FROM {table}{f' WHERE {where}' if where else ''}"


def _names(columns: int, kinds: int = 0) -> str:
    return ", ".join([*(f"c{number}" for number in range(columns)), *(f"k{number}" for number in range(kinds))])


def project(inner: Query, chosen: Sequence[int]) -> Query:
    """π of some columns by their places."""
    named = ", ".join(f"c{place} AS c{number}" for number, place in enumerate(chosen))
    columns = tuple(inner.columns[place] for place in chosen)
    sql, literal = (f"SELECT {{distinct}}{named} FROM ({each})" for each in (inner.sql, inner.literal))
    return Query(sql, columns, f"π[{', '.join(columns)}]({inner.text})", literal)


def select(inner: Query, condition: str, words: str) -> Query:
    """σ of a condition over c0, c1, …"""
    exact = condition.replace("{", "{{").replace("}", "}}")  # a conflict witness is JSON
    sql, literal = (
        f"SELECT {_names(len(inner.columns), kinds)} FROM ({each}) WHERE {exact}"
        for each, kinds in ((inner.sql, 0), (inner.literal, inner.kinds))
    )
    return Query(sql, inner.columns, f"σ[{words}]({inner.text})", literal, inner.kinds)


def as_of(inner: Query, valid: str, system: str) -> Query:
    """AS OF two instants, closed-open, on the first columns that came from the four timestamps."""
    at = {name: f"c{inner.columns.index(name)}" for name in _PERIODS}
    condition = (
        f"{at['valid_from']} <= '{valid}' AND '{valid}' < {at['valid_to']} AND "
        f"{at['system_time_start']} <= '{system}' AND '{system}' < {at['system_time_end']}"
    )
    return replace(select(inner, condition, ""), text=f"AS OF({valid[:10]}, {system[:10]})({inner.text})")


def join(one: Query, other: Query, left: int, right: int) -> Query:
    """⋈ on one column of each."""
    size = len(one.columns)
    named = [f"l.c{number} AS c{number}" for number in range(size)]
    named += [f"r.c{number} AS c{size + number}" for number in range(len(other.columns))]
    kinds = [f"l.k{number} AS k{number}" for number in range(one.kinds)]
    kinds += [f"r.k{number} AS k{one.kinds + number}" for number in range(other.kinds)]
    sql, literal = (
        f"SELECT {', '.join(names)} FROM ({each}) AS l JOIN ({also}) AS r ON l.c{left} = r.c{right}"
        for names, each, also in ((named, one.sql, other.sql), ([*named, *kinds], one.literal, other.literal))
    )
    text = f"({one.text} ⋈[{one.columns[left]} = {other.columns[right]}] {other.text})"
    return Query(sql, one.columns + other.columns, text, literal, one.kinds + other.kinds)


def combine(one: Query, other: Query, operator: str) -> Query:
    """∪ or − of queries with as many columns; both sides hand on `row_kind` equally often, or it is left out."""
    word, hole = ("UNION", "{all}") if operator == "∪" else ("EXCEPT", "{minus}")
    kinds = one.kinds if one.kinds == other.kinds else 0
    sql, literal = (
        f"SELECT {names} FROM ({each}) {word}{hole} SELECT {names} FROM ({also})"
        for names, each, also in (
            (_names(len(one.columns)), one.sql, other.sql),
            (_names(len(one.columns), kinds), one.literal, other.literal),
        )
    )
    return Query(sql, one.columns, f"({one.text} {operator} {other.text})", literal, kinds)


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
    if [DOMAINS[name] for name in inner.columns] == [DOMAINS[name] for name in other.columns]:
        return combine(inner, other, kind)
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
