"""𝔹[finite sets]: multilinear polynomials that keep no coefficients (TOKI 2026, B.3.3, read to the letter)."""

from __future__ import annotations

from ..laws import all_but
from ..semiring import Description
from .polynomial import PolynomialCarrier


class MultilinearCollapsed(PolynomialCarrier):
    """ℕ[X] with x ⊗ x = x and 1 ⊕ 1 = 1: the reading of "coincident monomials collapse coefficients".

    A monomial is the set of its tokens and a polynomial the set of its monomials, so this is exactly Why(X): `why`.
    """

    __slots__ = ()

    name = "multilinear-collapsed"
    idempotent_tokens = True
    idempotent_sums = True
    _small = ("x", "y", "x*y", "x+y", "1+x", "x+x*y", "1+x*y", "1+x+y", "y+x*y", "1+x+y+x*y")
    description = Description(
        "𝔹[X,T] with x ⊗ x = x: sums of products of tokens, nothing twice",
        (
            "a ⊕ b: of polynomials, 1 ⊕ 1 = 1",
            "a ⊗ b: of polynomials, x ⊗ x = x",
            "0 = 0",
            "1 = 1",
            "a ⪯ b ⇔ every monomial of a is one of b",
            "token(x) = x",
        ),
        "TOKI 2026, B.3.3; Green 2011: isomorphic to Why(X)",
        all_but(
            {
                "times-idempotent": ("x+y",),
                "absorption": ("1", "x"),
                "plus-cancellative": ("0", "1", "1"),
                "order-total": ("1", "x"),
                "sums-count": (),
            }
        ),
    )
