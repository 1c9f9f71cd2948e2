"""The order of provenances in relations is that of the algebra's default carrier; other carriers have other ones."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toki_verify.algebra.carriers import CARRIERS
from toki_verify.algebra.carriers.evaluate import evaluate
from toki_verify.algebra.carriers.polynomial import polynomial
from toki_verify.events import Schedule
from toki_verify.phenomena.catalogue import catalogue
from toki_verify.relations.concrete import Concrete
from toki_verify.relations.provenance import all_above, below, terms

MULTILINEAR = CARRIERS["multilinear"]
FACTORS = ("p", "q", "é", "e\u0301", "p^2", "q^0", "0", "1", "2", "3", "12345678901234567890")


texts = st.lists(st.lists(st.sampled_from(FACTORS), min_size=1, max_size=3).map("*".join), min_size=1, max_size=4).map(
    "+".join
)


@given(texts, texts)
def test_the_order_is_that_of_the_default_carrier(one: str, other: str) -> None:
    assert below(one, other) == MULTILINEAR.leq(MULTILINEAR.parse(one), MULTILINEAR.parse(other))


def test_both_answers_occur_and_a_wrong_order_is_noticed() -> None:
    rng = random.Random(1)
    pairs = [("+".join(rng.choices(FACTORS, k=2)), "+".join(rng.choices(FACTORS, k=3))) for _ in range(400)]
    right = [MULTILINEAR.leq(MULTILINEAR.parse(one), MULTILINEAR.parse(other)) for one, other in pairs]
    assert {*right} == {True, False}
    wrong = {
        "monomials only": lambda one, other: terms(one).keys() <= terms(other).keys(),
        "the other way round": lambda one, other: below(other, one),
        "equal texts": lambda one, other: one == other,
        "parts of the text": lambda one, other: one in other,
    }
    for name, order in wrong.items():
        assert [order(one, other) for one, other in pairs] != right, name


@given(st.lists(texts, max_size=6, unique=True))
def test_comparing_many_is_comparing_each_pair(found: list[str]) -> None:
    each = {one: [other for other in found if below(one, other)] for one in found}
    assert {one: sorted(above) for one, above in all_above(found).items()} == {
        one: sorted(above) for one, above in each.items()
    }
    assert all_above(found, lambda one, other: below(one, other)) == each


def test_numbers_longer_than_python_converts() -> None:
    long = "9" * 5_000
    assert below(f"{long[1:]}*p", f"{long}*p") and not below(f"{long}*p", f"{long[1:]}*p")


def order_of(carrier: str) -> Callable[[str, str], bool]:
    """The natural order of a carrier on texts, every variable a token."""
    found = CARRIERS[carrier]

    def leq(one: str, other: str) -> bool:
        return bool(found.leq(evaluate(polynomial(one), found), evaluate(polynomial(other), found)))

    return leq


def shows(text: str, carrier: str | None = None) -> bool:
    schedule = Schedule.parse(text)
    reading = Concrete(schedule) if carrier is None else Concrete(schedule, below=order_of(carrier))
    return reading.holds(catalogue()["N3"].formula)


@pytest.mark.parametrize(
    ("text", "erased_in"),
    [
        # B.5.2: pa and pb are both true, both 1, both of cost 1.
        ("w1[x@a prov pa] c1 w2[x@b prov pb] c2", {"multilinear", "multidegree", "multilinear-collapsed", "why"}),
        ("w1[x1] c1 w2[x2] c2", {"multilinear", "multidegree", "multilinear-collapsed", "why"}),
        # Twice p is more than p where coefficients count.
        ("w1[x1 prov 2*p] c1 w2[x2 prov p] c2", {"multilinear", "multidegree", "counting"}),
        # p * p is p, but in multidegree.
        ("w1[x1 prov p*p] c1 w2[x2 prov p] c2", {"multidegree"}),
        # Nothing is left that could be above anything.
        ("w1[x1 prov p] c1 w2[-x2] c2", set(CARRIERS)),
    ],
)
def test_other_carriers(text: str, erased_in: set[str]) -> None:
    assert {name for name in CARRIERS if shows(text, name)} == erased_in
    assert shows(text) is ("multilinear" in erased_in)


def test_the_default_order_given_as_any_other_gives_the_default_answers() -> None:
    """The shortcuts for fresh variables and for 0 change nothing."""
    for prov, other in (("p", "p+q"), ("p", "q"), ("0", "1"), ("fresh1", "fresh2"), (None, "fresh1"), ("0", None)):
        said = ["" if text is None else f" prov {text}" for text in (prov, other)]
        text = f"w1[x1{said[0]}] c1 w2[x2{said[1]}] c2"
        assert shows(text) is shows(text, "multilinear"), text
