"""𝔹: whether there is a derivation at all (TOKI 2026, §2.2, "the Boolean reduct"; Green et al. 2007: set semantics)."""

from __future__ import annotations

from random import Random
from typing import Final

from ..errors import UnparsableElement, shown
from ..laws import all_but
from ..semiring import Description
from .base import Carrier
from .texts import NotAnElement, excerpt, require_text, token_name

_TEXTS: Final = {"false": False, "true": True}


class Boolean(Carrier[bool]):
    """({false, true}, ∨, ∧, false, true). A token is true: the image of every token under ℕ[X] → 𝔹, nonzero ↦ true."""

    __slots__ = ()

    name = "boolean"
    zero = False
    one = True
    description = Description(
        "𝔹 = {false, true}",
        ("a ⊕ b = a ∨ b", "a ⊗ b = a ∧ b", "0 = false", "1 = true", "a ⪯ b ⇔ a ⇒ b", "token(x) = true"),
        "TOKI 2026, §2.2; Green, Karvounarakis, Tannen 2007",
        all_but({"plus-cancellative": ("false", "true", "true"), "sums-count": ()}),
    )

    def plus(self, left: bool, right: bool, /) -> bool:
        return left or right

    def times(self, left: bool, right: bool, /) -> bool:
        return left and right

    def leq(self, left: bool, right: bool, /) -> bool:
        return right or not left

    def difference(self, left: bool, right: bool, /) -> bool | None:
        return (right and not left) if self.leq(left, right) else None

    def token(self, name: str, /) -> bool:
        token_name(name)
        return True

    def parse(self, text: str, /) -> bool:
        found = _TEXTS.get(require_text(text).strip(" "))
        if found is None:
            raise UnparsableElement(excerpt(text), "true or false")
        return found

    def text(self, element: bool, /) -> str:
        self.require(element)
        return "true" if element else "false"

    def require(self, element: object, /) -> None:
        if element is not True and element is not False:
            raise NotAnElement(shown(element), "True or False")

    def small(self) -> tuple[bool, ...]:
        return False, True

    def sample(self, random: Random, /) -> bool:
        return random.random() < 0.5
