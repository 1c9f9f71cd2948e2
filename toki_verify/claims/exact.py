"""Polynomials in one unknown p with rational coefficients, exactly: enough to say what a rate is and where it
vanishes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final


@dataclass(frozen=True)
class Polynomial:
    """Coefficients of 1, p, p², …, without trailing zeros; equal polynomials are equal objects."""

    coefficients: tuple[Fraction, ...] = ()

    @classmethod
    def of(cls, *coefficients: Fraction | int) -> Polynomial:
        """The polynomial with these coefficients, of 1 first."""
        kept = [Fraction(coefficient) for coefficient in coefficients]
        while kept and kept[-1] == 0:
            kept.pop()
        return cls(tuple(kept))

    @property
    def degree(self) -> int:
        """The degree; -1 of zero."""
        return len(self.coefficients) - 1

    def _at(self, power: int) -> Fraction:
        return self.coefficients[power] if power < len(self.coefficients) else Fraction(0)

    def __add__(self, other: Polynomial) -> Polynomial:
        size = max(len(self.coefficients), len(other.coefficients))
        return Polynomial.of(*(self._at(power) + other._at(power) for power in range(size)))

    def __neg__(self) -> Polynomial:
        return Polynomial.of(*(-coefficient for coefficient in self.coefficients))

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial | Fraction | int) -> Polynomial:
        if not isinstance(other, Polynomial):
            return Polynomial.of(*(coefficient * other for coefficient in self.coefficients))
        sums = [Fraction(0)] * (len(self.coefficients) + len(other.coefficients))
        for power, mine in enumerate(self.coefficients):
            for more, theirs in enumerate(other.coefficients):
                sums[power + more] += mine * theirs
        return Polynomial.of(*sums)

    def __pow__(self, exponent: int) -> Polynomial:
        product = ONE
        for _ in range(exponent):
            product = product * self
        return product

    def __call__(self, point: Fraction) -> Fraction:
        """The value at a point."""
        value = Fraction(0)
        for coefficient in reversed(self.coefficients):
            value = value * point + coefficient
        return value

    def derivative(self) -> Polynomial:
        """The derivative."""
        return Polynomial.of(*(power * self._at(power) for power in range(1, len(self.coefficients))))

    def remainder(self, divisor: Polynomial) -> Polynomial:
        """What a division leaves. Raises ZeroDivisionError for a zero divisor."""
        if not divisor.coefficients:
            raise ZeroDivisionError("division by the zero polynomial")
        rest = self
        while rest.degree >= divisor.degree:
            factor = rest.coefficients[-1] / divisor.coefficients[-1]
            shift = (0,) * (rest.degree - divisor.degree)
            rest = rest - divisor * Polynomial.of(*shift, factor)
        return rest

    def __str__(self) -> str:
        terms = []
        for power, coefficient in enumerate(self.coefficients):
            if coefficient:
                unknown = "" if power == 0 else "p" if power == 1 else f"p^{power}"
                size = "" if abs(coefficient) == 1 and power else str(abs(coefficient))
                terms.append(("-" if coefficient < 0 else "+", f"{size}{unknown}"))
        text = " ".join(f"{sign} {term}" for sign, term in terms)
        return text.removeprefix("+ ").replace("- ", "-", 1) if text.startswith("-") else text.removeprefix("+ ") or "0"


ZERO: Final = Polynomial()
ONE: Final = Polynomial.of(1)
P: Final = Polynomial.of(0, 1)
Q: Final = ONE - P


def _changes(chain: list[Polynomial], point: Fraction) -> int:
    signs = [value > 0 for value in (polynomial(point) for polynomial in chain) if value]
    return sum(one != other for one, other in pairwise(signs))


def roots_between(polynomial: Polynomial, low: Fraction, high: Fraction) -> int:
    """How many distinct real roots lie in (low, high], by Sturm's theorem. Raises ZeroDivisionError of zero."""
    if not polynomial.coefficients:
        raise ZeroDivisionError("every number is a root of the zero polynomial")
    if polynomial.degree == 0:
        return 0
    chain = [polynomial, polynomial.derivative()]
    while True:
        rest = -chain[-2].remainder(chain[-1])
        if not rest.coefficients:
            return _changes(chain, low) - _changes(chain, high)
        chain.append(rest)
