"""The tropical semiring: the cost of the cheapest derivation (Simon 1988; Karvounarakis, Green 2012)."""

from __future__ import annotations

from fractions import Fraction
from math import inf
from random import Random
from typing import Final

from ..errors import shown
from ..laws import all_but
from ..semiring import Description
from .base import Carrier
from .texts import NotAnElement, fraction_text, rational, require_text, token_name

#: An exact cost, or `math.inf`: no float but this one.
Cost = Fraction | float
_INFINITE: Final = ("∞", "inf")


class Tropical(Carrier[Cost]):
    """(ℚ≥0 ∪ {∞}, min, +, ∞, 0). A token costs 1: the homomorphism from ℕ[X] that sends every token to 1 finds the
    least degree of a monomial: the fewest uses of tokens, repeated ones counted. (At cost 0 all would be free.)"""

    __slots__ = ()

    name = "tropical"
    zero: Cost = inf
    one: Cost = Fraction(0)
    description = Description(
        "ℚ≥0 ∪ {∞}",
        ("a ⊕ b = min(a, b)", "a ⊗ b = a + b", "0 = ∞", "1 = 0", "a ⪯ b ⇔ b ≤ a", "token(x) = 1"),
        "Simon 1988; Karvounarakis, Green 2012",
        all_but(
            {
                "times-idempotent": ("1",),
                "plus-cancellative": ("∞", "0", "0"),
                "token-idempotent": (),
                "sums-count": (),
            }
        ),
    )

    def plus(self, left: Cost, right: Cost, /) -> Cost:
        return min(left, right)

    def times(self, left: Cost, right: Cost, /) -> Cost:
        # A fraction beyond the floats cannot be added to one, so ∞ is a case of its own.
        return inf if inf in (left, right) else left + right

    def leq(self, left: Cost, right: Cost, /) -> bool:
        return right <= left

    def difference(self, left: Cost, right: Cost, /) -> Cost | None:
        if left == right:
            return inf
        return right if right < left else None

    def token(self, name: str, /) -> Cost:
        token_name(name)
        return Fraction(1)

    def parse(self, text: str, /) -> Cost:
        return (
            inf
            if require_text(text).strip(" ") in _INFINITE
            else rational(text, "a cost: a number from 0 (3, 3/4, 0.75) or ∞")
        )

    def text(self, element: Cost, /) -> str:
        self.require(element)
        return fraction_text(element) if isinstance(element, Fraction) else "∞"

    def require(self, element: object, /) -> None:
        if not (element >= 0 if isinstance(element, Fraction) else isinstance(element, float) and element == inf):
            raise NotAnElement(shown(element), "a Fraction from 0, or math.inf")

    def small(self) -> tuple[Cost, ...]:
        costs = ("1", "2", "1/2", "1/3", "3", "3/2", "2/3", "5", "10")
        return self.zero, self.one, *map(Fraction, costs)

    def sample(self, random: Random, /) -> Cost:
        return inf if random.random() < 0.1 else Fraction(random.randrange(20), random.randrange(1, 8))
