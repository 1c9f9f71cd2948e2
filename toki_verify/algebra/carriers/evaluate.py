"""Polynomials in other carriers: ℕ[X] is free (Green, Karvounarakis, Tannen 2007, Proposition 4.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..semiring import Semiring
from .polynomial import Polynomial

K = TypeVar("K")


def evaluate(element: Polynomial, semiring: Semiring[K], valuation: Callable[[str], K] | None = None) -> K:
    """The image of a polynomial under the homomorphism from ℕ[X] that sends tokens to their values.

    Tokens are what the semiring's `token` says, unless a valuation is given. Defined on the terms as they are kept, so
    for elements of quotients of ℕ[X] it is a homomorphism only where the values satisfy the quotient's equations.
    """
    value = semiring.token if valuation is None else valuation
    found = semiring.zero
    for monomial, coefficient in element.terms.items():
        product = semiring.one
        for name, power in monomial:
            product = semiring.times(product, _repeated(semiring.times, semiring.one, value(name), power))
        found = semiring.plus(found, _repeated(semiring.plus, semiring.zero, product, coefficient))
    return found


def _repeated(operation: Callable[[K, K], K], start: K, element: K, number: int) -> K:
    """An element combined with itself `number` times, by squaring."""
    while number:
        if number % 2:
            start = operation(start, element)
        number //= 2
        if number:
            element = operation(element, element)
    return start
