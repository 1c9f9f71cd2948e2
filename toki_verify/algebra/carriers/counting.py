"""ℕ: how many derivations there are (Green, Karvounarakis, Tannen 2007: bag semantics)."""

from __future__ import annotations

from random import Random

from ..errors import shown
from ..laws import all_but
from ..semiring import Description
from .base import Carrier
from .texts import NotAnElement, natural, numeral, token_name


class Counting(Carrier[int]):
    """(ℕ, +, ·, 0, 1). A token is 1: the homomorphism ℕ[X] → ℕ that sends every token to 1 adds the coefficients."""

    __slots__ = ()

    name = "counting"
    zero = 0
    one = 1
    description = Description(
        "ℕ",
        ("a ⊕ b = a + b", "a ⊗ b = a · b", "0 = 0", "1 = 1", "a ⪯ b ⇔ a ≤ b", "token(x) = 1"),
        "Green, Karvounarakis, Tannen 2007",
        all_but(
            {
                "plus-idempotent": ("1",),
                "times-idempotent": ("2",),
                "absorption": ("1", "1"),
                "plus-is-join": ("1", "1", "1"),
            }
        ),
    )

    def plus(self, left: int, right: int, /) -> int:
        return left + right

    def times(self, left: int, right: int, /) -> int:
        return left * right

    def leq(self, left: int, right: int, /) -> bool:
        return left <= right

    def difference(self, left: int, right: int, /) -> int | None:
        return right - left if left <= right else None

    def token(self, name: str, /) -> int:
        token_name(name)
        return 1

    def parse(self, text: str, /) -> int:
        return natural(text)

    def text(self, element: int, /) -> str:
        self.require(element)
        return numeral(element)

    def require(self, element: object, /) -> None:
        if not isinstance(element, int) or isinstance(element, bool) or element < 0:
            raise NotAnElement(shown(element), "a natural number, as an int")

    def small(self) -> tuple[int, ...]:
        return tuple(range(10))

    def sample(self, random: Random, /) -> int:
        return random.choice((random.randrange(4), random.randrange(100), random.getrandbits(100)))
