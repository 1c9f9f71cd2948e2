"""First-order formulas over several sorts: what the unbounded reading turns the relational language into.

Immutable trees, compared by structure, that know nothing of solvers; `search/smtlib.py` prints them. `conjunction`,
`disjunction`, `negation`, `exists` and `for_all` simplify what is trivially true or false, so that a part of a formula
which says nothing leaves no trace in a printed obligation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cache
from typing import Final

#: The sorts of schedules: accesses and transactions. Time is linearly ordered; the others are what accesses share.
ACCESS: Final = "Access"
TRANSACTION: Final = "Transaction"
TIME: Final = "Time"


@dataclass(frozen=True)
class Variable:
    """A variable of a sort, bound by a quantifier."""

    name: str
    sort: str


@dataclass(frozen=True)
class Apply:
    """A function applied to one element, such as the transaction of an access."""

    function: str
    argument: Expression
    sort: str


@dataclass(frozen=True)
class Application:
    """A function of any number of elements, applied: a sum of two, or, of no arguments, a constant such as zero."""

    function: str
    arguments: tuple[Expression, ...]
    sort: str


Expression = Variable | Apply | Application


class Statement:
    """A first-order formula."""


@dataclass(frozen=True)
class Holds(Statement):
    """A predicate holds of elements."""

    predicate: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Equal(Statement):
    """Two elements of one sort are the same."""

    one: Expression
    other: Expression


@dataclass(frozen=True)
class Negation(Statement):
    """It does not hold."""

    of: Statement


@dataclass(frozen=True)
class Conjunction(Statement):
    """All hold; with no parts, true."""

    of: tuple[Statement, ...]


@dataclass(frozen=True)
class Disjunction(Statement):
    """At least one holds; with no parts, false."""

    of: tuple[Statement, ...]


@dataclass(frozen=True)
class Implication(Statement):
    """Where the first holds, the second does."""

    one: Statement
    other: Statement


@dataclass(frozen=True)
class Equivalence(Statement):
    """Both hold or neither."""

    one: Statement
    other: Statement


@dataclass(frozen=True)
class Universal(Statement):
    """For all elements."""

    variables: tuple[Variable, ...]
    of: Statement


@dataclass(frozen=True)
class Existential(Statement):
    """For some elements."""

    variables: tuple[Variable, ...]
    of: Statement


TRUE: Final = Conjunction(())
FALSE: Final = Disjunction(())


def conjunction(parts: Iterable[Statement]) -> Statement:
    """All of them: flat, without what is true, false if a part is."""
    found: dict[Statement, None] = {}
    for part in parts:
        if part == FALSE:
            return FALSE
        found.update(dict.fromkeys(part.of if isinstance(part, Conjunction) else (part,)))
    return next(iter(found)) if len(found) == 1 else Conjunction(tuple(found))


def disjunction(parts: Iterable[Statement]) -> Statement:
    """At least one of them: flat, without what is false, true if a part is."""
    found: dict[Statement, None] = {}
    for part in parts:
        if part == TRUE:
            return TRUE
        found.update(dict.fromkeys(part.of if isinstance(part, Disjunction) else (part,)))
    return next(iter(found)) if len(found) == 1 else Disjunction(tuple(found))


def negation(of: Statement) -> Statement:
    """The negation, pushed through what it meets first."""
    if isinstance(of, Negation):
        return of.of
    if of == TRUE:
        return FALSE
    return TRUE if of == FALSE else Negation(of)


def implication(one: Statement, other: Statement) -> Statement:
    """Where the one holds, the other does."""
    if one == FALSE or other == TRUE:
        return TRUE
    if one == TRUE:
        return other
    return negation(one) if other == FALSE else Implication(one, other)


def equal(one: Expression, other: Expression) -> Statement:
    """Equality; true of an element and itself."""
    return TRUE if one == other else Equal(one, other)


def exists(variables: Iterable[Variable], of: Statement) -> Statement:
    """For some elements; nested quantifiers are joined, and variables that do not occur are dropped."""
    return _quantified(Existential, variables, of)


def for_all(variables: Iterable[Variable], of: Statement) -> Statement:
    """For all elements; nested quantifiers are joined, and variables that do not occur are dropped."""
    return _quantified(Universal, variables, of)


def _quantified(kind: type[Universal] | type[Existential], variables: Iterable[Variable], of: Statement) -> Statement:
    # Every sort has an element, so a quantifier over a variable that does not occur says nothing.
    if isinstance(of, kind):
        inner, of = of.variables, of.of
    else:
        inner = ()
    used = free(of)
    kept = tuple(variable for variable in (*variables, *inner) if variable in used)
    return kind(kept, of) if kept else of


def parts(node: Statement | Expression) -> Iterator[Statement | Expression]:
    """The direct parts of a formula or expression, bound variables left out."""
    kind: type = type(node)
    for name in _fields_with_parts(kind):
        value = getattr(node, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, (Statement, Variable, Apply, Application)):
                yield part


@cache
def _fields_with_parts(kind: type) -> tuple[str, ...]:
    return tuple(entry.name for entry in fields(kind) if entry.name != "variables")


def free(node: Statement | Expression) -> set[Variable]:
    """The variables that occur and that no quantifier inside binds."""
    found: set[Variable] = set()
    _free(node, (), found)
    return found


def _free(node: Statement | Expression, bound: tuple[Variable, ...], found: set[Variable]) -> None:
    if isinstance(node, Variable):
        if node not in bound:
            found.add(node)
        return
    if isinstance(node, (Universal, Existential)):
        bound = (*bound, *node.variables)
    for part in parts(node):
        _free(part, bound, found)


def walk(node: Statement | Expression) -> Iterator[Statement | Expression]:
    """A formula and everything in it, outermost first."""
    yield node
    for part in parts(node):
        yield from walk(part)


def occurrences(node: Statement, positive: bool = True) -> Iterator[tuple[str, bool]]:
    """The predicates that a formula mentions, each with whether it is said to hold there or said not to.

    Below an equivalence, a predicate occurs both ways.
    """
    if isinstance(node, Holds):
        yield node.predicate, positive
    elif isinstance(node, Negation):
        yield from occurrences(node.of, not positive)
    elif isinstance(node, Implication):
        yield from occurrences(node.one, not positive)
        yield from occurrences(node.other, positive)
    elif isinstance(node, Equivalence):
        for part in (node.one, node.other):
            yield from occurrences(part, positive)
            yield from occurrences(part, not positive)
    else:
        for inner in parts(node):
            if isinstance(inner, Statement):
                yield from occurrences(inner, positive)


def introduces(node: Statement, positive: bool = True) -> bool:
    """Whether a formula says that something exists: a solver that uses it makes new elements."""
    if isinstance(node, (Existential, Universal)):
        return isinstance(node, Existential) is positive or introduces(node.of, positive)
    if isinstance(node, Negation):
        return introduces(node.of, not positive)
    if isinstance(node, Implication):
        return introduces(node.one, not positive) or introduces(node.other, positive)
    if isinstance(node, Equivalence):
        return any(introduces(part, way) for part in (node.one, node.other) for way in (True, False))
    return any(introduces(part, positive) for part in parts(node) if isinstance(part, Statement))
