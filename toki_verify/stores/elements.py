"""Provenance on its way into a store: nothing is taken that could not be read back."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar

from ..algebra.carriers import CARRIERS, NotAnElement, Unprintable
from ..algebra.errors import InvalidFact, shown
from ..algebra.semiring import Semiring

K = TypeVar("K")

_EXPECTED: Final = "an element of the carrier: `parse(text(a)) == a`"


def text(value: str, column: str) -> str:
    """A text that databases take. Raises InvalidFact for other types, and for lone surrogates, which have no
    encoding."""
    if not isinstance(value, str):
        raise InvalidFact(f"{column} {shown(value)}", "a text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidFact(f"{column} {value!r} with a lone surrogate", "a text that has an encoding") from error
    return value


class Elements(Generic[K]):
    """The elements of a carrier. What is shipped says itself what they are; others have to show it each time."""

    def __init__(self, carrier: Semiring[K]) -> None:
        known: Any = CARRIERS.get(carrier.name)
        self._carrier, self._shipped = carrier, type(known) is type(carrier)
        self._printed: tuple[object, str] | None = None

    def text(self, element: K) -> str:
        """The text of an element. Raises NotAnElement, Unprintable; for carriers that are not shipped InvalidFact."""
        if not self._shipped:
            return self._shown(element)[0]
        # A winner and its audit row have one and the same: it is printed once. Elements of what is shipped cannot
        # change meanwhile; those of others might.
        printed = self._printed
        if printed is None or printed[0] is not element:
            printed = self._printed = element, self._carrier.text(element)
        return printed[1]

    def kept(self, element: K) -> K:
        """What a store that has no texts keeps: an element that nobody else can change. Raises as `text`."""
        if not self._shipped:
            return self._shown(element)[1]
        carrier: Any = self._carrier
        carrier.require(element)
        return element

    def _shown(self, element: K) -> tuple[str, K]:
        """The text of an element, and the element that it is read as."""
        carrier: Any = self._carrier
        try:
            if hasattr(carrier, "require"):
                carrier.require(element)
            printed = carrier.text(element)
            if not isinstance(printed, str):
                raise InvalidFact(f"provenance {shown(element)} with the text {shown(printed)}", "a text")
            text(printed, "provenance_id")
            back: K = carrier.parse(printed)
            same = bool(back == element)
        except (NotAnElement, Unprintable, InvalidFact):
            raise
        except Exception as error:  # whatever a carrier of somebody else does with what is no element
            raise InvalidFact(f"provenance {shown(element)} ({type(error).__name__})", _EXPECTED) from error
        if not same:
            raise InvalidFact(f"provenance {shown(element)}, which reads back as {shown(back)}", _EXPECTED)
        return printed, back
