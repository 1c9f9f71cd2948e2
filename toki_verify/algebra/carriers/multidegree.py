"""ℕ[X,T]#: free polynomials, which keep how often a token was used (TOKI 2026, §2.2, Definition 4)."""

from __future__ import annotations

from ..laws import all_but
from ..semiring import Description
from .polynomial import PolynomialCarrier


class Multidegree(PolynomialCarrier):
    """ℕ[X], the free commutative semiring: x ⊗ x = x². Every other carrier is a homomorphic image of its elements."""

    __slots__ = ()

    name = "multidegree"
    idempotent_tokens = False
    idempotent_sums = False
    _small = ("x", "y", "2", "x^2", "x*y", "x+y", "1+x", "2*x", "x+x^2", "1+x*y", "x^2*y")
    description = Description(
        "ℕ[X,T]#: polynomials over ℕ in the tokens",
        (
            "a ⊕ b: of polynomials",
            "a ⊗ b: of polynomials",
            "0 = 0",
            "1 = 1",
            "a ⪯ b ⇔ every coefficient of a is ≤ that of b",
            "token(x) = x",
        ),
        "TOKI 2026, Definition 4, Theorem 3; Green, Karvounarakis, Tannen 2007: ℕ[X]",
        all_but(
            {
                "plus-idempotent": ("1",),
                "times-idempotent": ("x",),
                "absorption": ("1", "1"),
                "order-total": ("1", "x"),
                "plus-is-join": ("1", "1", "1"),
                "token-idempotent": (),
            }
        ),
    )
