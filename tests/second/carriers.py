"""The eight carriers again, from their definitions (TOKI 2026, §2.2; Green et al. 2007), as plain Python values.

A polynomial is a frozenset of (monomial, coefficient); a monomial a frozenset of (token, exponent). The natural order
a ⪯ b ⇔ ∃c. a ⊕ c = b is decided by its definition: where ⊕ is idempotent c = b will do, elsewhere ⊕ cancels and c is
found coefficient by coefficient. Small elements are those of the package, by their texts, read by the reader below.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import inf
from typing import Any

from toki_verify.algebra.carriers import CARRIERS

Monomial = frozenset[tuple[str, int]]
Polynomial = frozenset[tuple[Monomial, int]]


@dataclass(frozen=True)
class Ring:
    """A carrier: its operations, constants, and what a fresh token is."""

    name: str
    plus: Callable[[Any, Any], Any]
    times: Callable[[Any, Any], Any]
    zero: Any
    one: Any
    token: Callable[[str], Any]
    leq: Callable[[Any, Any], bool]

    def total(self, elements: Iterable[Any]) -> Any:
        """The sum of some elements."""
        return reduce(self.plus, elements, self.zero)


def _normal(terms: Iterable[tuple[Monomial, int]], degree: int | None, coefficient: int | None) -> Polynomial:
    """Terms added up; exponents and coefficients are at most those given."""
    added: Counter[Monomial] = Counter()
    for monomial, number in terms:
        capped = monomial if degree is None else frozenset((name, min(power, degree)) for name, power in monomial)
        added[capped] += number
    return frozenset((m, n if coefficient is None else min(n, coefficient)) for m, n in added.items() if n)


def _product(one: Monomial, other: Monomial) -> Monomial:
    powers = Counter(dict(one)) + Counter(dict(other))
    return frozenset(powers.items())


def polynomials(name: str, degree: int | None, coefficient: int | None) -> Ring:
    """ℕ[X] with exponents and coefficients up to a limit, beyond which they are cut off; None: no limit."""

    def plus(a: Polynomial, b: Polynomial) -> Polynomial:
        return _normal([*a, *b], degree, coefficient)

    def times(a: Polynomial, b: Polynomial) -> Polynomial:
        return _normal([(_product(m, k), n * j) for m, n in a for k, j in b], degree, coefficient)

    def leq(a: Polynomial, b: Polynomial) -> bool:
        have = dict(b)
        if coefficient is not None:
            return plus(a, b) == b
        return all(have.get(monomial, 0) >= number for monomial, number in a)

    one: Polynomial = frozenset({(frozenset(), 1)})
    return Ring(name, plus, times, frozenset(), one, lambda t: frozenset({(frozenset({(t, 1)}), 1)}), leq)


def _idempotent(plus: Callable[[Any, Any], Any]) -> Callable[[Any, Any], bool]:
    return lambda a, b: bool(plus(a, b) == b)


def _union(a: frozenset[Any], b: frozenset[Any]) -> frozenset[Any]:
    return a | b


RINGS: dict[str, Ring] = {
    ring.name: ring
    for ring in (
        polynomials("multilinear", 1, None),
        polynomials("multilinear-collapsed", 1, 1),
        polynomials("multidegree", None, None),
        Ring(
            "boolean", lambda a, b: a or b, lambda a, b: a and b, False, True, lambda t: True, lambda a, b: not a or b
        ),
        Ring(
            "why",
            _union,
            lambda a, b: frozenset(m | k for m in a for k in b),
            frozenset(),
            frozenset({frozenset()}),
            lambda t: frozenset({frozenset({t})}),
            _idempotent(_union),
        ),
        Ring("counting", lambda a, b: a + b, lambda a, b: a * b, 0, 1, lambda t: 1, lambda a, b: a <= b),
        Ring("tropical", min, lambda a, b: a + b, inf, Fraction(0), lambda t: Fraction(1), _idempotent(min)),
        Ring("viterbi", max, lambda a, b: a * b, Fraction(0), Fraction(1), lambda t: Fraction(1, 2), _idempotent(max)),
    )
}
SEEDS = ("multilinear", "multidegree", "boolean")


def _read_polynomial(ring: Ring, text: str) -> Any:
    found = ring.zero
    for term in text.split("+"):
        element = ring.one
        for factor in term.split("*"):
            name, _, power = factor.partition("^")
            if name.isdigit():
                one = ring.total([ring.one] * int(name))
            else:
                one = reduce(ring.times, [ring.token(name)] * int(power or 1))
            element = ring.times(element, one)
        found = ring.plus(found, element)
    return found


def read(ring: Ring, text: str) -> Any:
    """An element from the text that the package prints."""
    if ring.name == "boolean":
        return text == "true"
    if ring.name == "why":
        inner = text.removeprefix("{").removesuffix("}")
        witnesses = [part.strip(" {}") for part in inner.split("}, {")] if inner else []
        return frozenset(frozenset(filter(None, (n.strip() for n in witness.split(",")))) for witness in witnesses)
    if ring.name == "counting":
        return int(text)
    if ring.name in ("tropical", "viterbi"):
        return inf if text in ("inf", "∞") else Fraction(text)
    return _read_polynomial(ring, text)


def small(ring: Ring) -> list[Any]:
    """The small elements of a carrier, in the order of the package."""
    shipped = CARRIERS[ring.name]
    return [read(ring, shipped.text(element)) for element in shipped.small()]


def text_of(ring: Ring, element: Any) -> str:
    """The text that the package has for the small element that is this one; only for elements among them."""
    shipped = CARRIERS[ring.name]
    for one, text in ((read(ring, shipped.text(e)), shipped.text(e)) for e in shipped.small()):
        if one == element:
            return str(text)
    raise LookupError(element)
