"""Queries over an audit log and their answers in a carrier: the instances of Theorem 3 (TOKI 2026, Definition 3).

Positive queries projected to the empty tuple, so that an answer is one element of K; as far as that goes each is a
union of joins of rows. A row of multiplicity k is annotated with the power Xᵏ, as Definition 3 says, or with the sum
k·X, as bags are; a row that is absent (k = 0) with 0, or, as the shift has it, with X⁰ = 1. An instance is recoverable
when all logs with its answer to its query agree on the answer without one occurrence of r: when that is a function of
π.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from itertools import combinations_with_replacement, product
from typing import Any, Final, Literal

from ..algebra.carriers import Carrier

ROWS: Final = ("r", "s", "t")
#: Joins of up to so many rows, unions of two joins of up to so many, and multiplicities up to this.
JOINED, UNITED, MOST = 3, 2, 4
BOUND: Final = (
    f"joins of up to {JOINED} of the rows r, s, t, unions of two joins of up to {UNITED}, and all logs with up to "
    f"{MOST} of each row, at least one of r"
)
#: How claims about these instances read the seed's words.
READING: Final = (
    "a query is fixed, and the map may depend on it; all logs of the bound with one answer are compared; k occurrences "
    "are the power Xᵏ, no occurrence is 0; the degree is that of Definition 4, at most one in 𝔹"
)
#: How often each row of `ROWS` is in the log.
Log = tuple[int, ...]
Reading = Literal["power", "sum", "unit"]


@dataclass(frozen=True)
class Query:
    """A union of joins, each a sorted tuple of rows."""

    joins: tuple[tuple[str, ...], ...]

    @property
    def size(self) -> tuple[int, int]:
        """How many rows it names, in how many joins."""
        return sum(map(len, self.joins)), len(self.joins)

    def __str__(self) -> str:
        return " ∪ ".join(" ⋈ ".join(join) for join in self.joins)

    def contributing(self, log: Log) -> list[tuple[str, ...]]:
        """The joins with r of which every row is in the log."""
        present = {row for row, count in zip(ROWS, log, strict=True) if count}
        return [join for join in self.joins if "r" in join and present.issuperset(join)]

    def answered(self, log: Log) -> bool:
        """Whether every row of some join is in the log: whether the answer is not 0."""
        present = {row for row, count in zip(ROWS, log, strict=True) if count}
        return any(present.issuperset(join) for join in self.joins)

    @property
    def needs_r(self) -> bool:
        """Whether some join that names r contains no join without r: else r makes no difference to existence."""
        without = [set(join) for join in self.joins if "r" not in join]
        return any("r" in join and not any(less <= set(join) for less in without) for join in self.joins)


def queries() -> list[Query]:
    """Every query within the bound, up to the order of rows and joins, small ones first."""
    joins = [join for size in range(1, JOINED + 1) for join in combinations_with_replacement(ROWS, size)]
    short = [join for join in joins if len(join) <= UNITED]
    found = [Query((join,)) for join in joins] + [Query(both) for both in combinations_with_replacement(short, 2)]
    return sorted(found, key=lambda query: query.size)


def logs() -> list[Log]:
    """Every log within the bound, without r ones too, small ones first."""
    return sorted(product(range(MOST + 1), repeat=len(ROWS)), key=lambda log: (sum(log), [-count for count in log]))


def log_text(log: Log) -> str:
    """A log in words: `{r², s}`."""
    powers = {1: "", 2: "²", 3: "³", 4: "⁴"}
    return "{" + ", ".join(f"{row}{powers[count]}" for row, count in zip(ROWS, log, strict=True) if count) + "}"


def without_one(log: Log) -> Log:
    """The log without one occurrence of r."""
    return log[0] - 1, *log[1:]


def annotation(carrier: Carrier[Any], row: str, count: int, reading: Reading) -> Any:
    """The annotation of a row of a multiplicity."""
    if not count:
        return carrier.one if reading == "unit" else carrier.zero
    combine = carrier.plus if reading == "sum" else carrier.times
    return reduce(combine, [carrier.token(row)] * count)


@dataclass(frozen=True)
class Answers:
    """The answer of every query on every log, in one carrier and reading."""

    carrier: Carrier[Any]
    reading: Reading
    of: Mapping[tuple[Query, Log], Any]

    def instances(self) -> list[tuple[Query, Log]]:
        """Every query with every log that has r, in the order of their sizes."""
        return [(query, log) for query, log in self.of if log[0]]

    def without(self, query: Query, log: Log) -> Any:
        """The counterfactual answer."""
        return self.of[query, without_one(log)]


@cache
def answers(carrier: Carrier[Any], reading: Reading) -> Answers:
    """Every answer, by the carrier's own operations."""
    rows = {(row, count): annotation(carrier, row, count, reading) for row in ROWS for count in range(MOST + 1)}
    found, all_queries, all_logs = {}, queries(), logs()
    every = dict.fromkeys(join for query in all_queries for join in query.joins)
    joined = {}
    for log in all_logs:
        have = dict(zip(ROWS, log, strict=True))
        for join in every:
            joined[join, log] = reduce(carrier.times, [rows[row, have[row]] for row in join])
    for query in all_queries:
        for log in all_logs:
            found[query, log] = reduce(carrier.plus, [joined[join, log] for join in query.joins])
    return Answers(carrier, reading, found)


#: What the map that recovers may know beside π: the query; it and k_r; nothing.
Knows = Literal["the query", "the query and k_r", "π alone"]


def _key(knows: Knows, query: Query, log: Log, answer: Any) -> tuple[Any, ...]:
    return {"the query": (query, answer), "the query and k_r": (query, log[0], answer), "π alone": (answer,)}[knows]


@cache
def ambiguous(found: tuple[Carrier[Any], Reading], knows: Knows) -> Mapping[tuple[Any, ...], dict[Any, Any]]:
    """By what the map knows: each counterfactual answer, with the first instance that has it."""
    table = answers(*found)
    groups: dict[tuple[Any, ...], dict[Any, Any]] = {}
    for query, log in table.instances():
        group = groups.setdefault(_key(knows, query, log, table.of[query, log]), {})
        group.setdefault(table.without(query, log), (query, log))
    return groups


def others(
    carrier: Carrier[Any], query: Query, log: Log, reading: Reading, knows: Knows = "the query"
) -> dict[Any, tuple[Query, Log]]:
    """The counterfactual answers that an instance may have by what is known of it, with an instance of each: one where
    it is recoverable."""
    answer = answers(carrier, reading).of[query, log]
    return ambiguous((carrier, reading), knows)[_key(knows, query, log, answer)]


@cache
def recovered(carrier: Carrier[Any], reading: Reading, knows: Knows = "the query") -> frozenset[tuple[Query, Log]]:
    """Every recoverable instance."""
    table, groups = answers(carrier, reading), ambiguous((carrier, reading), knows)
    return frozenset(
        (query, log)
        for query, log in table.instances()
        if len(groups[_key(knows, query, log, table.of[query, log])]) == 1
    )


def shown(carrier: Carrier[Any], query: Query, log: Log, reading: Reading, knows: Knows = "the query") -> str:
    """An instance in words: answer, counterfactual, and another log of the same answer with another counterfactual."""
    table = answers(carrier, reading)
    text = carrier.text
    said = f"q = {query}, A = {log_text(log)}: π = {text(table.of[query, log])}"
    mine = table.without(query, log)
    said += f", without one r {text(mine)}"
    other = next(
        ((found, at) for found, at in others(carrier, query, log, reading, knows).items() if found != mine), None
    )
    if other is None:
        return f"{said}; every log with this π has the same: recoverable"
    found, (alike, at) = other
    where = f"A = {log_text(at)}" if alike == query else f"q = {alike}, A = {log_text(at)}"
    return f"{said}; {where} has the same π and {text(found)}: not recoverable"


def smallest(instances: Iterable[tuple[Query, Log]]) -> tuple[Query, Log] | None:
    """The instance with the fewest rows named, joins, and rows in the log."""
    return min(instances, key=lambda found: (found[0].size, sum(found[1]), found[1][1:], str(found[0])), default=None)
