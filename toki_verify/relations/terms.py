"""The terms of the relational language (SEMANTICS §5), and nothing about how they are read.

Two sorts: the *access* (A: one per item read, write, row of a predicate read, judge call, callback, and one initial
version per item) and the *transaction* (T). `txn(r)` carries a relation between accesses to the different
transactions they belong to, which is what an edge of a conflict graph is; cycles are looked for there.

Every term knows its sorts, so that a formula that compares accesses where transactions are meant is refused when it
is built. Terms are immutable and compare by structure; a reading evaluates each distinct term once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import cast


class Sort(Enum):
    """What a relation relates."""

    A = "access"
    T = "transaction"


class SortError(TypeError):
    """A term or formula whose sorts do not fit, with the way out in the message."""


class Term:
    """A binary relation. `a | b`, `a & b`, `a - b`, `a >> b` (composition), `~a` (converse), `a.plus`, `a.star`,
    `a.opt` (reflexive closure)."""

    left: Sort
    right: Sort
    _hash: int | None = None

    def __getstate__(self) -> dict[str, object]:
        return state(self)

    def __or__(self, other: Term) -> Term:
        return Union(self, other)

    def __and__(self, other: Term) -> Term:
        return Meet(self, other)

    def __sub__(self, other: Term) -> Term:
        return Minus(self, other)

    def __rshift__(self, other: Term) -> Term:
        return Join(self, other)

    def __invert__(self) -> Term:
        return Converse(self)

    @property
    def plus(self) -> Term:
        """Transitive closure."""
        return Plus(self)

    @property
    def star(self) -> Term:
        """Reflexive transitive closure."""
        return Union(Plus(self), Identity(self.left))

    @property
    def opt(self) -> Term:
        """Reflexive closure, `r?`."""
        return Union(self, Identity(self.left))


def state(node: object) -> dict[str, object]:
    """What is sent to another process: a node without the hash and the number that it has in this one."""
    return {name: value for name, value in node.__dict__.items() if name not in ("_hash", "_number")}


def _same(kind: str, one: Term, other: Term) -> None:
    if (one.left, one.right) != (other.left, other.right):
        raise SortError(
            f"{kind} of a relation {one.left.value} to {one.right.value} and one {other.left.value} to "
            f"{other.right.value}; txn(…) carries a relation between accesses to their transactions"
        )


@dataclass(frozen=True, eq=True)
class Base(Term):
    """A base relation or, as a subset of the identity, a base set; what it means stands in `base.py`."""

    name: str
    left: Sort = Sort.A
    right: Sort = Sort.A
    is_set: bool = False


@dataclass(frozen=True, eq=True)
class Union(Term):
    """What either relates."""

    one: Term
    other: Term

    def __post_init__(self) -> None:
        _same("the union", self.one, self.other)

    @property
    def left(self) -> Sort:  # type: ignore[override]
        return self.one.left

    @property
    def right(self) -> Sort:  # type: ignore[override]
        return self.one.right


@dataclass(frozen=True, eq=True)
class Meet(Union):
    """What both relate."""

    def __post_init__(self) -> None:
        _same("the intersection", self.one, self.other)


@dataclass(frozen=True, eq=True)
class Minus(Union):
    """What the one relates and the other does not."""

    def __post_init__(self) -> None:
        _same("the difference", self.one, self.other)


@dataclass(frozen=True, eq=True)
class Join(Term):
    """Composition: `one ; other`."""

    one: Term
    other: Term

    def __post_init__(self) -> None:
        if self.one.right is not self.other.left:
            raise SortError(
                f"`;` joins a relation that ends at a {self.one.right.value} to one that begins at a "
                f"{self.other.left.value}; txn(…) carries a relation between accesses to their transactions"
            )

    @property
    def left(self) -> Sort:  # type: ignore[override]
        return self.one.left

    @property
    def right(self) -> Sort:  # type: ignore[override]
        return self.other.right


@dataclass(frozen=True, eq=True)
class Converse(Term):
    """The relation read from right to left."""

    of: Term

    @property
    def left(self) -> Sort:  # type: ignore[override]
        return self.of.right

    @property
    def right(self) -> Sort:  # type: ignore[override]
        return self.of.left


@dataclass(frozen=True, eq=True)
class Plus(Term):
    """Transitive closure, of a relation on one sort."""

    of: Term

    def __post_init__(self) -> None:
        if self.of.left is not self.of.right:
            raise SortError(f"`+` of a relation {self.of.left.value} to {self.of.right.value}")

    @property
    def left(self) -> Sort:  # type: ignore[override]
        return self.of.left

    @property
    def right(self) -> Sort:  # type: ignore[override]
        return self.of.right


@dataclass(frozen=True, eq=True)
class Identity(Term):
    """Everything related to itself alone."""

    sort: Sort = Sort.A

    @property
    def left(self) -> Sort:  # type: ignore[override]
        return self.sort

    @property
    def right(self) -> Sort:  # type: ignore[override]
        return self.sort


@dataclass(frozen=True, eq=True)
class Txn(Term):
    """T → U iff the relation holds between an access of T and one of U, and T ≠ U."""

    of: Term

    def __post_init__(self) -> None:
        if (self.of.left, self.of.right) != (Sort.A, Sort.A):
            raise SortError("txn(…) takes a relation between accesses")

    @property
    def left(self) -> Sort:  # type: ignore[override]
        return Sort.T

    @property
    def right(self) -> Sort:  # type: ignore[override]
        return Sort.T


@dataclass(frozen=True, eq=True)
class Definition(Term):
    """A term with a name: an edge kind of the conflict graph, or a helper that several definitions share."""

    name: str
    of: Term
    is_edge: bool = False

    @property
    def left(self) -> Sort:  # type: ignore[override]
        return self.of.left

    @property
    def right(self) -> Sort:  # type: ignore[override]
        return self.of.right


def txn(of: Term) -> Term:
    """The relation between *different* transactions that a relation between accesses makes."""
    return Txn(of)


def domain(of: Term) -> Term:
    """The set of what the relation begins at, as a subset of the identity."""
    return Meet(Identity(of.left), Join(of, Converse(of)))


def cache_hash(cls: type) -> None:
    """Structural hashes are computed once per node: definitions share large subterms."""
    plain = cast("Callable[[object], int]", cls.__hash__)

    def cached(self: object) -> int:
        found: int | None = self.__dict__.get("_hash")
        if found is None:
            found = plain(self)
            self.__dict__["_hash"] = found
        return found

    cls.__hash__ = cached  # type: ignore[assignment, method-assign]
    cls.__repr__ = shown  # type: ignore[assignment, method-assign]


def shown(self: object) -> str:
    """A term or formula for people: its text, which a tree of its parts would bury."""
    from .formulas import Formula
    from .printing import formula_text, term_text

    if isinstance(self, Formula):
        return f"<{type(self).__name__} {formula_text(self)}>"
    return f"<{type(self).__name__} {term_text(cast('Term', self))}>"


_NUMBERS: dict[object, int] = {}


def number(node: object) -> int:
    """A number for a term or formula, equal exactly for equal ones: what readings key their results by."""
    found: int | None = node.__dict__.get("_number")
    if found is None:
        found = _NUMBERS.setdefault(node, len(_NUMBERS))
        node.__dict__["_number"] = found
    return found


for _class in (Base, Union, Meet, Minus, Join, Converse, Plus, Identity, Txn, Definition):
    cache_hash(_class)
