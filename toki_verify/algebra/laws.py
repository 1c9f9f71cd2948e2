"""The laws of semirings as equations that can be tried on elements (Green, Karvounarakis, Tannen 2007; Golan 1999).

A law is tried, never trusted: `counterexample` looks through all tuples of some elements. For a finite carrier, given
all its elements, that decides the law; for others it refutes, and what it does not refute needs an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, TypeVar

from .semiring import Law, Semiring

K = TypeVar("K")


@dataclass(frozen=True)
class NamedLaw:
    """A law by its name. `check` says whether its statement is true of a semiring and `arity` elements of it."""

    name: str
    statement: str
    arity: int
    check: Callable[..., bool]


def _implies(premise: bool, conclusion: bool) -> bool:
    return conclusion or not premise


#: A commutative semiring.
AXIOMS: Final = (
    NamedLaw(
        "plus-associative",
        "(a ⊕ b) ⊕ c = a ⊕ (b ⊕ c)",
        3,
        lambda s, a, b, c: s.plus(s.plus(a, b), c) == s.plus(a, s.plus(b, c)),
    ),
    NamedLaw("plus-commutative", "a ⊕ b = b ⊕ a", 2, lambda s, a, b: s.plus(a, b) == s.plus(b, a)),
    NamedLaw("plus-identity", "a ⊕ 0 = a = 0 ⊕ a", 1, lambda s, a: s.plus(a, s.zero) == a == s.plus(s.zero, a)),
    NamedLaw(
        "times-associative",
        "(a ⊗ b) ⊗ c = a ⊗ (b ⊗ c)",
        3,
        lambda s, a, b, c: s.times(s.times(a, b), c) == s.times(a, s.times(b, c)),
    ),
    NamedLaw("times-commutative", "a ⊗ b = b ⊗ a", 2, lambda s, a, b: s.times(a, b) == s.times(b, a)),
    NamedLaw("times-identity", "a ⊗ 1 = a = 1 ⊗ a", 1, lambda s, a: s.times(a, s.one) == a == s.times(s.one, a)),
    NamedLaw(
        "distributive",
        "a ⊗ (b ⊕ c) = a ⊗ b ⊕ a ⊗ c",
        3,
        lambda s, a, b, c: s.times(a, s.plus(b, c)) == s.plus(s.times(a, b), s.times(a, c)),
    ),
    NamedLaw(
        "zero-annihilates",
        "a ⊗ 0 = 0 = 0 ⊗ a",
        1,
        lambda s, a: s.times(a, s.zero) == s.zero == s.times(s.zero, a),
    ),
)

#: What a ⪯ b ⇔ ∃c. a ⊕ c = b must be in a naturally ordered semiring: what the K of Theorem 2 is (TOKI 2026).
ORDER: Final = (
    NamedLaw("order-reflexive", "a ⪯ a", 1, lambda s, a: s.leq(a, a)),
    NamedLaw(
        "order-transitive",
        "a ⪯ b, b ⪯ c ⇒ a ⪯ c",
        3,
        lambda s, a, b, c: _implies(s.leq(a, b) and s.leq(b, c), s.leq(a, c)),
    ),
    NamedLaw(
        "order-antisymmetric",
        "a ⪯ b, b ⪯ a ⇒ a = b",
        2,
        lambda s, a, b: _implies(s.leq(a, b) and s.leq(b, a), a == b),
    ),
    NamedLaw("order-of-sums", "a ⪯ a ⊕ b", 2, lambda s, a, b: s.leq(a, s.plus(a, b))),
    NamedLaw(
        "order-monotone",
        "a ⪯ b ⇒ a ⊕ c ⪯ b ⊕ c, a ⊗ c ⪯ b ⊗ c",
        3,
        lambda s, a, b, c: _implies(
            s.leq(a, b), s.leq(s.plus(a, c), s.plus(b, c)) and s.leq(s.times(a, c), s.times(b, c))
        ),
    ),
)

#: What tells carriers apart. The names of tokens are interchangeable, so one of them is tried.
OPTIONAL: Final = (
    NamedLaw("plus-idempotent", "a ⊕ a = a", 1, lambda s, a: s.plus(a, a) == a),
    NamedLaw("times-idempotent", "a ⊗ a = a", 1, lambda s, a: s.times(a, a) == a),
    NamedLaw("absorption", "a ⊕ a ⊗ b = a", 2, lambda s, a, b: s.plus(a, s.times(a, b)) == a),
    NamedLaw(
        "plus-cancellative",
        "a ⊕ c = b ⊕ c ⇒ a = b",
        3,
        lambda s, a, b, c: _implies(s.plus(a, c) == s.plus(b, c), a == b),
    ),
    NamedLaw(
        "zero-sum-free",
        "a ⊕ b = 0 ⇒ a = b = 0",
        2,
        lambda s, a, b: _implies(s.plus(a, b) == s.zero, a == b == s.zero),
    ),
    NamedLaw(
        "no-zero-divisors",
        "a ⊗ b = 0 ⇒ a = 0 or b = 0",
        2,
        lambda s, a, b: _implies(s.times(a, b) == s.zero, a == s.zero or b == s.zero),
    ),
    NamedLaw("order-total", "a ⪯ b or b ⪯ a", 2, lambda s, a, b: s.leq(a, b) or s.leq(b, a)),
    NamedLaw(
        "plus-is-join",
        "a ⪯ c, b ⪯ c ⇒ a ⊕ b ⪯ c",
        3,
        lambda s, a, b, c: _implies(s.leq(a, c) and s.leq(b, c), s.leq(s.plus(a, b), c)),
    ),
    NamedLaw("token-idempotent", "x ⊗ x = x", 0, lambda s: s.times(s.token("x"), s.token("x")) == s.token("x")),
    NamedLaw("sums-count", "1 ⊕ 1 ≠ 1", 0, lambda s: s.plus(s.one, s.one) != s.one),
)

REQUIRED: Final = AXIOMS + ORDER
LAWS: Final[dict[str, NamedLaw]] = {law.name: law for law in REQUIRED + OPTIONAL}


def _tuples(elements: Sequence[K], arity: int) -> Iterator[tuple[K, ...]]:
    """All tuples, those of early elements first: by the last element that occurs, then as the elements are ordered."""
    if not arity:
        yield ()
        return
    for number in range(len(elements)):
        for found in product(range(number + 1), repeat=arity):
            if number in found:
                yield tuple(elements[place] for place in found)


def counterexample(semiring: Semiring[K], law: NamedLaw, elements: Sequence[K]) -> tuple[K, ...] | None:
    """The first of all tuples of some elements, smaller ones first, of which a law is false; or None."""
    return next((found for found in _tuples(elements, law.arity) if not law.check(semiring, *found)), None)


def broken(
    semiring: Semiring[K], elements: Sequence[K], laws: Sequence[NamedLaw] = REQUIRED
) -> dict[str, tuple[K, ...]]:
    """The laws that fail, each with its smallest counterexample among the elements. Empty for a K of Theorem 2."""
    found = {law.name: counterexample(semiring, law, elements) for law in laws}
    return {name: failing for name, failing in found.items() if failing is not None}


def all_but(failing: Mapping[str, tuple[str, ...]]) -> dict[str, Law]:
    """Every law, for descriptions: those named fail on these elements, the others hold."""
    unknown = failing.keys() - LAWS.keys()
    if unknown:
        raise KeyError(f"no laws: {', '.join(sorted(unknown))}")
    return {name: Law(name not in failing, failing.get(name, ())) for name in LAWS}


def law_faults(semiring: Any, elements: Sequence[Any]) -> list[str]:
    """What is wrong with the `laws` of a Described carrier: missing ones, laws said to hold that fail on some of the
    elements, counterexamples that are none. What holds beyond those elements is for property tests."""
    claimed: Mapping[str, Law] = semiring.description.laws
    found = [f"{name}: missing" for name in LAWS.keys() - claimed.keys()]
    found += [f"{name}: no such law" for name in claimed.keys() - LAWS.keys()]
    for name in LAWS.keys() & claimed.keys():
        law, claim = LAWS[name], claimed[name]
        if claim.holds:
            failing = counterexample(semiring, law, elements)
            if failing is not None:
                found.append(f"{name}: fails on ({', '.join(map(semiring.text, failing))})")
        elif len(claim.counterexample) != law.arity:
            found.append(f"{name}: a counterexample of {len(claim.counterexample)} elements, not {law.arity}")
        elif law.check(semiring, *map(semiring.parse, claim.counterexample)):
            found.append(f"{name}: true of ({', '.join(claim.counterexample)})")
    return sorted(found)
