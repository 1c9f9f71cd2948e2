"""ℕ[X,T]: multilinear polynomials, whose tokens are idempotent and whose coefficients count (TOKI 2026, §2.2, §3.3)."""

from __future__ import annotations

from ..laws import all_but
from ..semiring import Description
from .polynomial import PolynomialCarrier


class Multilinear(PolynomialCarrier):
    """ℕ[X] with x ⊗ x = x: the monoid semiring over ℕ of the finite sets of tokens under ∪.

    So coefficients survive: the reading of "coefficient dominance" (TOKI 2026, B.5.2). Green 2011 calls it Trio(X). The
    other reading, of "coincident monomials collapse coefficients" (B.3.3), is `multilinear-collapsed`.
    """

    __slots__ = ()

    name = "multilinear"
    idempotent_tokens = True
    idempotent_sums = False
    _small = ("x", "y", "2", "x*y", "x+y", "1+x", "2*x", "x+x*y", "1+x*y", "x+2*y")
    description = Description(
        "ℕ[X,T] with x ⊗ x = x: polynomials over ℕ without powers",
        (
            "a ⊕ b: of polynomials",
            "a ⊗ b: of polynomials, x ⊗ x = x",
            "0 = 0",
            "1 = 1",
            "a ⪯ b ⇔ every coefficient of a is ≤ that of b",
            "token(x) = x",
        ),
        "TOKI 2026, §2.2, B.5.2; Green 2011: Trio(X)",
        all_but(
            {
                "plus-idempotent": ("1",),
                "times-idempotent": ("2",),
                "absorption": ("1", "1"),
                "order-total": ("1", "x"),
                "plus-is-join": ("1", "1", "1"),
            }
        ),
    )
