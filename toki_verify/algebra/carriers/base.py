"""What the shipped carriers have beyond `Semiring`: a description, differences, elements to try laws on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any, Generic, TypeVar

from ..errors import AlgebraError, shown
from ..semiring import Description
from .texts import NotAnElement

K = TypeVar("K")


class Carrier(ABC, Generic[K]):
    """A commutative semiring with natural order. Instances have no state: all of one class are equal, and frozen."""

    __slots__ = ()

    name: str
    description: Description
    zero: K
    one: K

    @abstractmethod
    def plus(self, left: K, right: K, /) -> K:
        """a ⊕ b."""

    @abstractmethod
    def times(self, left: K, right: K, /) -> K:
        """a ⊗ b."""

    @abstractmethod
    def leq(self, left: K, right: K, /) -> bool:
        """Whether a ⪯ b: some c has a ⊕ c = b."""

    @abstractmethod
    def difference(self, left: K, right: K, /) -> K | None:
        """The evidence of a ⪯ b: the least c with a ⊕ c = b, in the natural order; None where there is no such c."""

    @abstractmethod
    def token(self, name: str, /) -> K:
        """The annotation of a write event of this name. Raises UnparsableElement for what is no name."""

    @abstractmethod
    def parse(self, text: str, /) -> K:
        """The element of a text. Raises UnparsableElement."""

    @abstractmethod
    def text(self, element: K, /) -> str:
        """The one text of an element: `parse(text(a)) == a`. Raises NotAnElement, and Unprintable beyond the limits of
        `parse`."""

    def require(self, element: object, /) -> None:
        """Raises NotAnElement for what is no element of the carrier. `text` does so before it prints.

        What is printed and read back as the same is one; carriers that know better say so faster.
        """
        value: Any = element
        try:
            is_one = bool(self.parse(self.text(value)) == value)
        except AlgebraError:
            raise
        except Exception as error:
            raise NotAnElement(f"{shown(element)} ({type(error).__name__})", self._elements) from error
        if not is_one:
            raise NotAnElement(shown(element), self._elements)

    @property
    def _elements(self) -> str:
        return f"an element of {self.name}"

    @abstractmethod
    def small(self) -> tuple[K, ...]:
        """Small elements without repetition, zero and one first, on which every law that fails does fail."""

    @abstractmethod
    def sample(self, random: Random, /) -> K:
        """An element at random, most often a small one."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    def __repr__(self) -> str:
        return f"carrier({self.name!r})"
