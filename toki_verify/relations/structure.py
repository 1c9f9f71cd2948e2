"""The structure that a schedule is read as: what its parts are called in first-order statements.

Accesses and transactions are the elements of two sorts. Every access has a transaction, whatever it shares with others
(item, event, partition …) is the value of a function, and ranks of transactions are points in a linearly ordered time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .firstorder import (
    ACCESS,
    TIME,
    TRANSACTION,
    Apply,
    Equal,
    Expression,
    Holds,
    Statement,
    Variable,
    conjunction,
    disjunction,
    for_all,
    implication,
    negation,
)
from .formulas import Region
from .terms import Base, Converse, Definition, Identity, Join, Meet, Minus, Plus, Sort, Term, Union

#: Equivalences that are read as "share the value of a function": relation -> (function, its sort, the domain).
SHARED: dict[str, tuple[str, str, str | None]] = {
    "same_item": ("item", "Item", "has_item"),
    "same_event": ("event", "Event", None),
    "same_partition": ("partition", "Partition", "has_partition"),
    "same_predicate": ("predicate", "Predicate", "has_predicate"),
    "same_key": ("key", "Key", "has_key"),
}


@dataclass(frozen=True)
class Hypothesis:
    """A first-order statement and, in words, where it comes from; `axiom` is the name of the axiom it says, if any."""

    statement: Statement
    origin: str
    axiom: str | None = None


@dataclass(frozen=True)
class Closure:
    """A predicate that is read as the transitive closure of a term (over the accesses of a region)."""

    symbol: str
    of: Term
    region: Region | None = None

    def holds(self, one: Expression, other: Expression) -> Statement:
        """The closure relates the one to the other."""
        return Holds(self.symbol, (one, other))


@dataclass(frozen=True)
class Ranking:
    """A rank that increases along `of`; or two, st and ct, where `of` is `a ; b?`."""

    symbols: tuple[str, ...]
    of: Term
    region: Region | None = None


def snapshot_parts(term: Term) -> tuple[Term, Term] | None:
    """a and b of a term `a ; b?` between transactions, or None."""
    term = unnamed(term)
    behind = term.other if isinstance(term, Join) and term.left is Sort.T else None
    if isinstance(term, Join) and type(behind) is Union and isinstance(behind.other, Identity):
        return term.one, behind.one
    return None


def unnamed(term: Term) -> Term:
    """A term behind its names."""
    return unnamed(term.of) if isinstance(term, Definition) else term


def is_diagonal(term: Term) -> bool:
    """Whether a term is a subset of the identity by its shape: a set."""
    if isinstance(term, Base):
        return term.is_set
    if isinstance(term, (Definition, Converse)):
        return is_diagonal(term.of)
    if isinstance(term, Meet):
        return is_diagonal(term.one) or is_diagonal(term.other)
    if isinstance(term, Minus):
        return is_diagonal(term.one)
    if isinstance(term, (Union, Join)):
        return is_diagonal(term.one) and is_diagonal(term.other)
    return isinstance(term, Identity)


#: Relations between accesses to one item: all they relate lies in a region, or nothing of it.
_OF_ONE_ITEM = frozenset({"same_item", "version_order", "reads_from", "row_from", "matches"})


@cache
def is_absolute(term: Term) -> bool:
    """Whether a term relates the same accesses of a region, for every region, as it does among all accesses.

    A region is a set of items, so this is seen by the shape: whatever stands between two accesses is on an item of one
    of them. Of the base relations, the last write of a partition is another one where only some items are looked at.
    """
    if isinstance(term, Base):
        return term.name != "partition_final"
    if isinstance(term, Join):
        return is_absolute(term.one) and is_absolute(term.other) and (_stays(term.one) or _stays(term.other))
    if isinstance(term, Union):
        return is_absolute(term.one) and is_absolute(term.other)
    if isinstance(term, Plus):
        return is_absolute(term.of) and _stays(term.of)
    if isinstance(term, (Converse, Definition)):
        return is_absolute(term.of)
    return isinstance(term, Identity)


def _stays(term: Term) -> bool:
    """Whether a term relates accesses of a region only to accesses of the region, in both directions."""
    if is_diagonal(term) or (term.left is Sort.T and term.right is Sort.T):
        return True
    if isinstance(term, Base):
        return term.name in _OF_ONE_ITEM
    if isinstance(term, Meet):
        return _stays(term.one) or _stays(term.other)
    if isinstance(term, Minus):
        return _stays(term.one)
    if isinstance(term, (Union, Join)):
        return _stays(term.one) and _stays(term.other)
    return isinstance(term, (Plus, Converse, Definition)) and _stays(term.of)


_FUNCTIONS = {name for function, _, domain in SHARED.values() for name in (function, domain)}
_WORDS = (
    "let",
    "forall",
    "exists",
    "match",
    "par",
    "as",
    "not",
    "and",
    "or",
    "xor",
    "true",
    "false",
    "distinct",
    "ite",
)
_TAKEN = frozenset({"transaction", "earlier", "implies", "iff", "if", *_FUNCTIONS, *_WORDS})
_NUMBERED = re.compile(r"(?:a|t|s|st|ct|rank|region)[0-9]+")


def is_taken(symbol: str) -> bool:
    """Whether a symbol has a meaning already: no relation that a user names may have it too."""
    return symbol in _TAKEN or _NUMBERED.fullmatch(symbol) is not None


def transaction(access: Expression) -> Expression:
    """The transaction of an access (of an initial version: some transaction, of which nothing is said)."""
    return Apply("transaction", access, TRANSACTION)


def time(symbol: str, txn: Expression) -> Expression:
    """The rank of a transaction."""
    return Apply(symbol, txn, TIME)


def earlier(one: Expression, other: Expression) -> Statement:
    """The one point in time is before the other."""
    return Holds("earlier", (one, other))


def time_order() -> Iterator[Hypothesis]:
    """Ranks are linearly ordered; that they are comparable is never needed, so it is not said."""
    one, two, three = (Variable(f"s{place}", TIME) for place in (1, 2, 3))
    yield Hypothesis(for_all((one,), negation(earlier(one, one))), "ranks: none is before itself")
    both = conjunction((earlier(one, two), earlier(two, three)))
    yield Hypothesis(for_all((one, two, three), implication(both, earlier(one, three))), "ranks: before is transitive")


def region_text(region: Region) -> str:
    """A region in words."""
    return region.table or "partition({},{})".format(*(region.partition or ("", "")))


def region_axioms(region: Region, symbol: str) -> Iterator[Hypothesis]:
    """A region is a set of items; accesses on no item are in every region."""
    one, other = Variable("a1", ACCESS), Variable("a2", ACCESS)
    inside, there = Holds(symbol, (one,)), Holds(symbol, (other,))
    item, same = Holds("has_item", (one,)), Equal(Apply("item", one, "Item"), Apply("item", other, "Item"))
    alike = conjunction((item, Holds("has_item", (other,)), same, inside))
    place = region_text(region)
    yield Hypothesis(for_all((one, other), implication(alike, there)), f"region {place}: a set of items")
    yield Hypothesis(for_all((one,), disjunction((item, inside))), f"region {place}: and what is on no item")
    if region.table is None:
        partition = Equal(Apply("partition", one, "Partition"), Apply("partition", other, "Partition"))
        has = (Holds("has_partition", (one,)), Holds("has_partition", (other,)))
        within = conjunction((*has, partition, inside))
        yield Hypothesis(for_all((one, other), implication(within, there)), f"region {place}: a whole partition")
