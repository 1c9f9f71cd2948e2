"""The Viterbi semiring: the confidence of the likeliest derivation (Viterbi 1967; Karvounarakis, Green 2012)."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from ..errors import UnparsableElement, shown
from ..laws import all_but
from ..semiring import Description
from .base import Carrier
from .texts import NotAnElement, excerpt, fraction_text, rational, token_name

_EXPECTED = "a confidence: a number from 0 to 1 (3/4, 0.75)"


class Viterbi(Carrier[Fraction]):
    """([0, 1] ∩ ℚ, max, ·, 0, 1). A token is 1/2: the image of its cost 1 under c ↦ 2⁻ᶜ, a homomorphism from the
    tropical semiring over ℕ ∪ {∞}. (Confidence 1 would make every token certain, and this the Boolean carrier.)"""

    __slots__ = ()

    name = "viterbi"
    zero = Fraction(0)
    one = Fraction(1)
    description = Description(
        "[0, 1] ∩ ℚ",
        ("a ⊕ b = max(a, b)", "a ⊗ b = a · b", "0 = 0", "1 = 1", "a ⪯ b ⇔ a ≤ b", "token(x) = 1/2"),
        "Viterbi 1967; Karvounarakis, Green 2012",
        all_but(
            {
                "times-idempotent": ("1/2",),
                "plus-cancellative": ("0", "1", "1"),
                "token-idempotent": (),
                "sums-count": (),
            }
        ),
    )

    def plus(self, left: Fraction, right: Fraction, /) -> Fraction:
        return max(left, right)

    def times(self, left: Fraction, right: Fraction, /) -> Fraction:
        return left * right

    def leq(self, left: Fraction, right: Fraction, /) -> bool:
        return left <= right

    def difference(self, left: Fraction, right: Fraction, /) -> Fraction | None:
        if left == right:
            return self.zero
        return right if left < right else None

    def token(self, name: str, /) -> Fraction:
        token_name(name)
        return Fraction(1, 2)

    def parse(self, text: str, /) -> Fraction:
        found = rational(text, _EXPECTED)
        if found > 1:
            raise UnparsableElement(excerpt(text.strip(" ")), _EXPECTED, len(text) - len(text.lstrip(" ")))
        return found

    def text(self, element: Fraction, /) -> str:
        self.require(element)
        return fraction_text(element)

    def require(self, element: object, /) -> None:
        if not isinstance(element, Fraction) or not 0 <= element <= 1:
            raise NotAnElement(shown(element), "a Fraction from 0 to 1")

    def small(self) -> tuple[Fraction, ...]:
        confidences = ("1/2", "1/4", "1/3", "2/3", "3/4", "1/8", "0.9", "0.1", "0.99")
        return self.zero, self.one, *map(Fraction, confidences)

    def sample(self, random: Random, /) -> Fraction:
        below = random.randrange(1, 20)
        return Fraction(random.randrange(below + 1), below)
