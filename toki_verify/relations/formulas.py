"""The formulas of the relational language (SEMANTICS §5): closed statements about relations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache

from .terms import Sort, SortError, Term, cache_hash, state


class Formula:
    """A closed formula. `f & g`, `f | g`, `~f`."""

    def __getstate__(self) -> dict[str, object]:
        return state(self)

    def __and__(self, other: Formula) -> Formula:
        return And(self, other)

    def __or__(self, other: Formula) -> Formula:
        return Or(self, other)

    def __invert__(self) -> Formula:
        return Not(self)


@dataclass(frozen=True, eq=True)
class Some(Formula):
    """The relation is not empty."""

    of: Term


@dataclass(frozen=True, eq=True)
class Acyclic(Formula):
    """No cycle: the transitive closure is irreflexive."""

    of: Term

    def __post_init__(self) -> None:
        if (self.of.left, self.of.right) != (Sort.T, Sort.T):
            raise SortError("acyclic takes a relation between transactions: write acyclic(txn(…))")


@dataclass(frozen=True, eq=True)
class Irreflexive(Formula):
    """Nothing is related to itself."""

    of: Term

    def __post_init__(self) -> None:
        if self.of.left is not self.of.right:
            raise SortError("irreflexive takes a relation on one sort")


@dataclass(frozen=True, eq=True)
class Cycle(Formula):
    """Pairwise *different* transactions t1 … tk with `of[0]` from t1 to t2, …, `of[k-1]` from tk back to t1."""

    of: tuple[Term, ...]

    def __post_init__(self) -> None:
        if any((term.left, term.right) != (Sort.T, Sort.T) for term in self.of):
            raise SortError("cycle takes relations between transactions: write cycle(txn(…), …)")


@dataclass(frozen=True, eq=True)
class And(Formula):
    """Both hold."""

    one: Formula
    other: Formula


@dataclass(frozen=True, eq=True)
class Or(Formula):
    """At least one holds."""

    one: Formula
    other: Formula


@dataclass(frozen=True, eq=True)
class Not(Formula):
    """It does not hold."""

    of: Formula


@dataclass(frozen=True, eq=True)
class Region:
    """A table, or a partition (subject, predicate): the accesses whose item lies in it, and those on no item."""

    table: str | None = None
    partition: tuple[str, str] | None = None


@dataclass(frozen=True, eq=True)
class Within(Formula):
    """The formula over the accesses of a region only: a level pinned to a table or partition (SEMANTICS §4)."""

    of: Formula
    region: Region


@dataclass(frozen=True, eq=True)
class Named(Formula):
    """A formula with a name (a phenomenon's id), so that readings may share it and messages can say it."""

    name: str
    of: Formula


def some(of: Term) -> Formula:
    """The relation is not empty."""
    return Some(of)


def acyclic(of: Term) -> Formula:
    """No cycle in the relation."""
    return Acyclic(of)


def irreflexive(of: Term) -> Formula:
    """Nothing is related to itself."""
    return Irreflexive(of)


def cycle(*of: Term) -> Formula:
    """Pairwise different transactions on a cycle of these relations, in this order."""
    return Cycle(of)


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """The parts of a conjunction, names looked through."""
    if isinstance(formula, And):
        yield from conjuncts(formula.one)
        yield from conjuncts(formula.other)
    else:
        yield formula


def children(node: Term | Formula) -> Iterator[Term | Formula]:
    """The direct parts of a term or formula."""
    for entry in fields(node):  # type: ignore[arg-type]
        value = getattr(node, entry.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, (Term, Formula)):
                yield part


@cache
def named(formula: Formula) -> tuple[str, ...]:
    """The names of the formulas inside a formula, each once; found once per formula, since every check asks."""
    found = [formula.name] if isinstance(formula, Named) else []
    for part in children(formula):
        if isinstance(part, Formula):
            found += named(part)
    return tuple(dict.fromkeys(found))


def assuming(formula: Formula, name: str) -> Formula:
    """The formula with the formula of this name taken to hold."""
    if isinstance(formula, Named):
        return (
            Or(formula.of, Not(formula.of)) if formula.name == name else Named(formula.name, assuming(formula.of, name))
        )
    if isinstance(formula, (And, Or)):
        return type(formula)(assuming(formula.one, name), assuming(formula.other, name))
    if isinstance(formula, Not):
        return Not(assuming(formula.of, name))
    if isinstance(formula, Within):
        return Within(assuming(formula.of, name), formula.region)
    return formula


for _class in (Some, Acyclic, Irreflexive, Cycle, And, Or, Not, Within, Named):
    cache_hash(_class)
