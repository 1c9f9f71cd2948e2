"""Provenance that is no element of the carrier is refused before anything is written; what is stored can be read."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan
from typing import Any

import pytest

from toki_verify.algebra.carriers import CARRIERS, NotAnElement, Polynomial, Unprintable, carrier
from toki_verify.algebra.errors import InvalidFact, UnparsableElement

from .conftest import Opener
from .samples import fact

NO_ELEMENTS: list[tuple[str, Any]] = [
    ("counting", -1),
    ("counting", True),
    ("counting", 1.5),
    ("tropical", Fraction(-1)),
    ("tropical", nan),
    ("tropical", -inf),
    ("tropical", 0.5),
    ("viterbi", Fraction(3, 2)),
    ("viterbi", 0.5),
    ("why", frozenset({frozenset({"a b"})})),
    ("why", frozenset({("x",)})),
    ("why", frozenset({frozenset({1})})),
    ("why", frozenset({frozenset({"e\u0301"})})),
    ("why", {frozenset({"x"})}),
    ("boolean", "no"),
    ("boolean", None),
    ("boolean", 1),
    ("multilinear", Polynomial({(("x", 2),): 1})),
    ("multilinear-collapsed", Polynomial({(): 2})),
    ("multidegree", "p1"),
    ("multidegree", None),
]


@pytest.mark.parametrize(("name", "value"), NO_ELEMENTS)
def test_what_is_no_element_is_not_stored(make: Opener, name: str, value: Any) -> None:
    store = make(carrier=carrier(name))
    good = fact("f", provenance=store.carrier.token("x"))
    transaction = store.begin()
    transaction.insert(good)
    with pytest.raises(NotAnElement) as refused:
        transaction.insert(fact("g", provenance=value))
    assert refused.value.what and refused.value.expected
    assert store.rows() == []  # the transaction has ended
    transaction = store.begin()
    transaction.insert(good)
    transaction.commit()
    assert store.rows() == [good]


def test_every_carrier_has_something_that_is_no_element() -> None:
    assert {name for name, _ in NO_ELEMENTS} == set(CARRIERS)


class Numbers:
    """A carrier that somebody brings: natural numbers, without `require`."""

    name, zero, one = "numbers", 0, 1

    def plus(self, left: Any, right: Any, /) -> Any:
        return left + right

    def times(self, left: Any, right: Any, /) -> Any:
        return left * right

    def leq(self, left: Any, right: Any, /) -> bool:
        return bool(left <= right)

    def token(self, name: str, /) -> Any:
        return 1

    def parse(self, text: str, /) -> Any:
        if not text.isdigit():
            raise UnparsableElement(text, "a number")
        return int(text)

    def text(self, element: Any, /) -> str:
        return str(element)


class NoText(Numbers):
    def text(self, element: Any, /) -> Any:
        return element


class NoParse(Numbers):
    def parse(self, text: str, /) -> Any:
        raise ZeroDivisionError


class Surrogates(Numbers):
    def text(self, element: Any, /) -> str:
        return "\ud800"


class Limited(Numbers):
    def require(self, element: object, /) -> None:
        if element != 7:
            raise NotAnElement(repr(element), "7")


@pytest.mark.parametrize(
    ("own", "value", "error"),
    [
        (Numbers(), -1, InvalidFact),
        (Numbers(), 1.5, InvalidFact),
        (Numbers(), "1", InvalidFact),
        (Numbers(), None, InvalidFact),
        (NoText(), 3, InvalidFact),
        (NoParse(), 3, InvalidFact),
        (Surrogates(), 3, InvalidFact),
        (Limited(), 3, NotAnElement),
    ],
)
def test_a_carrier_of_somebody_else_has_to_read_what_it_prints(
    make: Opener, own: Any, value: Any, error: type[Exception]
) -> None:
    store = make(carrier=own)
    with pytest.raises(error) as refused:
        store.begin().insert(fact("f", provenance=value))
    assert type(refused.value) is error and refused.value.what and refused.value.expected  # type: ignore[attr-defined]
    if type(own) in (Numbers, Limited):
        good = fact("g", provenance=7)
        transaction = store.begin()
        transaction.insert(good)
        transaction.commit()
        assert store.rows() == [good]


class Lists(Numbers):
    """Elements that can be changed: lists of one number."""

    name = "lists"

    def parse(self, text: str, /) -> Any:
        return [int(text)]

    def text(self, element: Any, /) -> str:
        return str(element[0])


def test_an_element_that_changes_is_stored_as_it_was(make: Opener) -> None:
    """Each time as it is then: not as it was when it was printed first, nor as it is afterwards."""
    store = make(carrier=Lists())
    element = [1]
    transaction = store.begin()
    transaction.insert(fact("f", provenance=element))
    element[0] = 2
    transaction.insert(fact("g", provenance=element))
    element[0] = 3
    transaction.commit()
    transaction = store.begin()
    transaction.insert(fact("h", provenance=element))
    transaction.commit()
    assert [row.provenance for row in store.rows()] == [[1], [2], [3]]


def test_a_shipped_carrier_that_was_changed_is_somebody_elses(make: Opener) -> None:
    class Other(type(carrier("counting"))):  # type: ignore[misc]
        def text(self, element: Any, /) -> str:
            return "1"

    store = make(carrier=Other())
    with pytest.raises(InvalidFact):
        store.begin().insert(fact("f", provenance=2))


def test_what_cannot_be_printed_is_not_stored_in_files(make_file: Opener) -> None:
    store = make_file(carrier=carrier("counting"))
    with pytest.raises(Unprintable):
        store.begin().insert(fact("f", provenance=10**2000))
    assert store.rows() == []
