"""What can be got back from an annotation alone (TOKI 2026, §3.3, Definitions 3 and 4, Theorem 3, Appendix B.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .carriers.base import Carrier
from .carriers.polynomial import Polynomial, PolynomialCarrier
from .carriers.polynomial_text import Monomial
from .carriers.texts import token_name
from .errors import AlgebraError
from .semiring import Semiring

K = TypeVar("K")


class WithoutTokens(AlgebraError):
    """A carrier, or an element, that has no tokens to speak of."""


def _terms(carrier: Semiring[Any], element: object) -> tuple[PolynomialCarrier, Polynomial]:
    if not isinstance(carrier, PolynomialCarrier):
        raise WithoutTokens(f"the carrier {carrier.name!r}", "one whose elements are polynomials in tokens")
    if not isinstance(element, Polynomial):
        raise WithoutTokens(f"an element {str(element)[:40]!r}", f"a polynomial of the carrier {carrier.name!r}")
    return carrier, element


def degree(carrier: Semiring[Any], element: object, token: str) -> int:
    """deg(π): the largest exponent of a token in any monomial that mentions it (Definition 4); 0 where none does.

    At most 1 in the multilinear carriers, whose elements have no powers.
    """
    found, name = _terms(carrier, element)[1], token_name(token)
    return max((power for monomial in found.terms for other, power in monomial if other == name), default=0)


def shift(carrier: Semiring[Any], element: object, token: str) -> Polynomial:
    """σ_X(π): one occurrence less, Xⁱ ↦ Xⁱ⁻¹ for every i ≥ 1; monomials without X stay (Theorem 3).

    The answer without one of k ≥ 2 occurrences of a row that π records as Xᵏ. Not so for k = 1: `substitute_zero`.
    """
    return _mapped(carrier, element, token, lambda power: (1, max(power - 1, 0)))


def substitute_zero(carrier: Semiring[Any], element: object, token: str) -> Polynomial:
    """π with X = 0: the monomials without X. The answer without a row of one occurrence, k = 1 (Definition 3)."""
    return _mapped(carrier, element, token, lambda power: (0 if power else 1, power))


def derivative(carrier: Semiring[Any], element: object, token: str) -> Polynomial:
    """∂_X(π): Xⁱ ↦ i·Xⁱ⁻¹; monomials without X vanish. Injects coefficients, so it is no recovery map (Theorem 3)."""
    return _mapped(carrier, element, token, lambda power: (power, max(power - 1, 0)))


def _mapped(
    carrier: Semiring[Any], element: object, token: str, change: Callable[[int], tuple[int, int]]
) -> Polynomial:
    """The linear map that changes every monomial's power of a token, with a factor: `change(power)` is both."""
    (target, polynomial), name = _terms(carrier, element), token_name(token)
    found: list[tuple[Monomial, int]] = []
    for monomial, coefficient in polynomial.terms.items():
        powers = dict(monomial)
        factor, powers[name] = change(powers.get(name, 0))
        found.append((tuple(powers.items()), coefficient * factor))
    return target.image(Polynomial(found))


def subtract(carrier: Carrier[K], whole: K, part: K) -> K | None:
    """The one p with p ⊕ part = whole: p_a from (p_a ⊕ p_b, p_b) (B.3.3). None where there is none, or more than one.

    Where ⊕ is cancellative the difference is the only one. Where ⊕ is idempotent `whole` itself is the greatest, so
    the least must be equal to it. A shipped carrier is one or the other.
    """
    least = carrier.difference(part, whole)
    if least is None or carrier.description.laws["plus-cancellative"].holds:
        return least
    return least if least == whole else None
