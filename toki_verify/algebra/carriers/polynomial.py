"""Sparse polynomials over ℕ, and the carriers whose elements they are (Green, Karvounarakis, Tannen 2007; Green 2011).

All three are quotients of the free ℕ[X]: by x ⊗ x = x on tokens, and by 1 ⊕ 1 = 1. An element is kept as its
normal form, the representative with the least exponents and coefficients.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from ..errors import AlgebraError, shown
from .base import Carrier
from .polynomial_text import Monomial, parse_terms, terms_text
from .texts import NotAnElement, Unprintable, token_name

_TERMS: Final = "monomials, each pairs of a name and an exponent, with their coefficients"


class Polynomial:
    """An immutable sum of monomials with positive coefficients. Equal ones have equal terms, whatever their carrier."""

    __slots__ = ("_hash", "_terms")

    _terms: dict[Monomial, int]
    _hash: int | None

    def __init__(self, terms: Mapping[Monomial, int] | Iterable[tuple[Monomial, int]] = ()) -> None:
        """From monomials and natural coefficients; powers of a name and equal monomials are gathered, zeros dropped."""
        found: dict[Monomial, int] = {}
        try:
            for monomial, coefficient in terms.items() if isinstance(terms, Mapping) else terms:
                powers: dict[str, int] = {}
                for name, power in monomial:
                    token = token_name(name)
                    powers[token] = powers.get(token, 0) + _natural(power)
                key = tuple(sorted((name, power) for name, power in powers.items() if power))
                found[key] = found.get(key, 0) + _natural(coefficient)
        except AlgebraError:
            raise
        except (TypeError, ValueError) as error:  # not iterable, or not in pairs
            raise AlgebraError(f"a polynomial of {shown(terms)}", _TERMS) from error
        _fill(self, {monomial: coefficient for monomial, coefficient in found.items() if coefficient})

    @property
    def terms(self) -> Mapping[Monomial, int]:
        """The coefficients of the monomials that occur."""
        return MappingProxyType(self._terms)

    @property
    def tokens(self) -> frozenset[str]:
        """The names that occur."""
        return frozenset(name for monomial in self._terms for name, _ in monomial)

    def __len__(self) -> int:
        return len(self._terms)

    def __eq__(self, other: object) -> bool:
        return self._terms == other._terms if isinstance(other, Polynomial) else NotImplemented

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(frozenset(self._terms.items())))
        return hash(self._hash)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("polynomials are immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("polynomials are immutable")

    def __reduce__(self) -> tuple[type[Polynomial], tuple[dict[Monomial, int]]]:
        return Polynomial, (self._terms,)

    def __str__(self) -> str:
        return terms_text(self._terms)

    def __repr__(self) -> str:
        try:
            return f"polynomial({str(self)!r})"
        except Unprintable:
            return f"<polynomial of {len(self)} monomials>"


def _natural(number: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise AlgebraError(f"{number!r} in a polynomial", "natural coefficients and exponents")
    return number


def _fill(found: Polynomial, terms: dict[Monomial, int]) -> Polynomial:
    object.__setattr__(found, "_terms", terms)
    object.__setattr__(found, "_hash", None)
    return found


def of_terms(terms: dict[Monomial, int]) -> Polynomial:
    """A polynomial of terms in normal form, which are not copied or checked: for operations of carriers."""
    return _fill(object.__new__(Polynomial), terms)


def polynomial(text: str) -> Polynomial:
    """The polynomial of a text, in the free ℕ[X]: nothing is collapsed. Raises UnparsableElement."""
    return of_terms(parse_terms(text))


class PolynomialCarrier(Carrier[Polynomial]):
    """A quotient of ℕ[X]. Every ⊕ and every order is coefficient by coefficient; ⊗ distributes."""

    __slots__ = ()

    zero = of_terms({})
    one = of_terms({(): 1})
    #: x ⊗ x = x: exponents are at most 1.
    idempotent_tokens: bool
    #: 1 ⊕ 1 = 1: coefficients are at most 1.
    idempotent_sums: bool
    #: The texts of `small`, after zero and one.
    _small: tuple[str, ...]

    def image(self, element: Polynomial, /) -> Polynomial:
        """The normal form of a polynomial in this carrier: the quotient map from ℕ[X], a homomorphism."""
        terms = element._terms
        if self.idempotent_tokens and any(power > 1 for monomial in terms for _, power in monomial):
            found: dict[Monomial, int] = {}
            for monomial, coefficient in terms.items():
                key = tuple((name, 1) for name, _ in monomial)
                found[key] = found.get(key, 0) + coefficient
            terms = found
        if self.idempotent_sums:
            terms = dict.fromkeys(terms, 1)
        return element if terms is element._terms else of_terms(terms)

    def plus(self, left: Polynomial, right: Polynomial, /) -> Polynomial:
        if self.idempotent_sums:
            return of_terms(left._terms | right._terms)
        found = left._terms.copy()
        seen = found.get
        for monomial, coefficient in right._terms.items():
            found[monomial] = seen(monomial, 0) + coefficient
        return of_terms(found)

    def times(self, left: Polynomial, right: Polynomial, /) -> Polynomial:
        found: dict[Monomial, int] = {}
        for one, coefficient in left._terms.items():
            for other, by in right._terms.items():
                monomial = self._product(one, other)
                found[monomial] = found.get(monomial, 0) + coefficient * by
        return of_terms(dict.fromkeys(found, 1) if self.idempotent_sums else found)

    def _product(self, left: Monomial, right: Monomial) -> Monomial:
        if not (left and right):
            return left or right
        powers = dict(left)
        for name, power in right:
            powers[name] = 1 if self.idempotent_tokens else powers.get(name, 0) + power
        return tuple(sorted(powers.items()))

    def leq(self, left: Polynomial, right: Polynomial, /) -> bool:
        if len(left._terms) > len(right._terms):
            return False
        if self.idempotent_sums:
            return left._terms.keys() <= right._terms.keys()
        above = right._terms.get
        for monomial, coefficient in left._terms.items():  # noqa: SIM110 (twice as fast as a generator)
            if above(monomial, 0) < coefficient:
                return False
        return True

    def difference(self, left: Polynomial, right: Polynomial, /) -> Polynomial | None:
        if not self.leq(left, right):
            return None
        below = left._terms
        rest = {monomial: coefficient - below.get(monomial, 0) for monomial, coefficient in right._terms.items()}
        return of_terms({monomial: coefficient for monomial, coefficient in rest.items() if coefficient})

    def token(self, name: str, /) -> Polynomial:
        return of_terms({((token_name(name), 1),): 1})

    def parse(self, text: str, /) -> Polynomial:
        """The normal form of a text: `x^2` is x where tokens are idempotent."""
        return self.image(polynomial(text))

    def text(self, element: Polynomial, /) -> str:
        self.require(element)
        return terms_text(element._terms)

    def require(self, element: object, /) -> None:
        if not isinstance(element, Polynomial):
            raise NotAnElement(shown(element), f"a Polynomial, as {self.name}.parse makes it")
        if self.idempotent_tokens and self.image(element) != element:
            raise NotAnElement(shown(element), f"its normal form in {self.name}: {shown(self.image(element))}")

    def small(self) -> tuple[Polynomial, ...]:
        return self.zero, self.one, *map(self.parse, self._small)

    def sample(self, random: Random, /) -> Polynomial:
        def term() -> str:
            powers = [
                f"{random.choice(('x', 'y', 'p1', 't1'))}^{random.randrange(4)}" for _ in range(random.randrange(4))
            ]
            return "*".join([str(random.randrange(4)), *powers])

        return self.parse("+".join(term() for _ in range(random.randrange(1, 6))))
