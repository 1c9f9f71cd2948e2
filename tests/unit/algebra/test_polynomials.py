"""Polynomials as values and as texts: what is read, what is refused where, and what is what in each carrier."""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from random import Random
from time import perf_counter
from typing import Any

import pytest

from toki_verify.algebra.carriers import (
    BOOLEAN,
    COUNTING,
    MULTIDEGREE,
    MULTILINEAR,
    MULTILINEAR_COLLAPSED,
    TROPICAL,
    VITERBI,
    WHY,
    Polynomial,
    PolynomialCarrier,
    Unprintable,
    evaluate,
    polynomial,
)
from toki_verify.algebra.carriers.polynomial_text import EXPONENT_DIGITS, MONOMIALS
from toki_verify.algebra.carriers.texts import NUMBER_DIGITS, TEXT_LENGTH
from toki_verify.algebra.errors import AlgebraError, UnparsableElement
from toki_verify.events.provenance import polynomial_fault

POLYNOMIALS = (MULTIDEGREE, MULTILINEAR, MULTILINEAR_COLLAPSED)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("0", "0"),
        ("1", "1"),
        ("p1+2*p2*t1", "p1+2*p2*t1"),
        ("2*3*x", "6*x"),
        ("x*2*3", "6*x"),
        ("x^2", "x^2"),
        ("x*x*x^2", "x^4"),
        ("x^0", "1"),
        ("x^0*y", "y"),
        ("y*x", "x*y"),
        ("x^2+y*x+y+x+1", "1+x+y+x*y+x^2"),
        ("x+x", "2*x"),
        ("0*x", "0"),
        ("0*x+y", "y"),
        ("1*x", "x"),
        ("1+2+3", "6"),
        ("007", "7"),
        (" p1 + 2 * p2*t1 ", "p1+2*p2*t1"),
        ("a.b_1*_c", "_c*a.b_1"),
        ("é*π", "é*π"),
        ("e\u0301+\u00e9", "2*\u00e9"),
        ("x²", "x²"),
    ],
)
def test_what_is_read(text: str, canonical: str) -> None:
    found = polynomial(text)
    assert str(found) == canonical
    assert polynomial(canonical) == found and repr(found) == f"polynomial({canonical!r})"


@pytest.mark.parametrize(
    ("text", "at", "message"),
    [
        ("", 0, "an empty text"),
        ("   ", 0, "an empty text"),
        ("+x", 0, "an empty term"),
        ("x+", 2, "an empty term"),
        ("x++y", 2, "an empty term"),
        ("x+ +y", 3, "an empty term"),
        ("x*", 2, "an empty factor"),
        ("*x", 0, "an empty factor"),
        ("x**y", 2, "an empty factor"),
        ("x+*y", 2, "an empty factor"),
        ("x^-1", 2, "'-1', expected an exponent that is a natural number"),
        ("x^", 2, "expected an exponent that is a natural number"),
        ("x+y^z", 4, "expected an exponent that is a natural number"),
        ("x ^2", 2, "expected + or * or the end"),
        ("x^2^3", 3, "expected + or * or the end"),
        ("2^3", 1, "no power of a number"),
        ("-1", 0, "no negative ones"),
        ("x+-1*y", 2, "no negative ones"),
        ("x-y", 1, "no differences"),
        ("2x", 1, "expected + or * or the end"),
        ("x y", 2, "expected + or * or the end"),
        ("x+$", 2, "'$', expected a natural number or a name"),
        ("x\t+y", 1, "expected + or * or the end"),
        ("(x)", 0, "'(x)'"),
        ("x+y)", 3, "')'"),
        ("3.5", 1, "'.5'"),
        ("é+$", 2, "'$'"),
        ("e\u0301+$", 3, "'$'"),
        ("e\u0301*2+e\u0301$", 5, "'$'"),
        ("x+" + "1" * (NUMBER_DIGITS + 1), 2, f"at most {NUMBER_DIGITS} digits"),
        ("y*x^" + "1" * (EXPONENT_DIGITS + 1), 4, f"at most {EXPONENT_DIGITS} digits"),
        ("x + 3*" + "9" * NUMBER_DIGITS, 4, f"at most {NUMBER_DIGITS} digits"),
        ("y+x^" + "9" * EXPONENT_DIGITS + "*x^1", 2, f"exponents of at most {EXPONENT_DIGITS}"),
        ("9" * NUMBER_DIGITS + "+1", 0, f"at most {NUMBER_DIGITS} digits"),
        ("+".join(["x"] * (MONOMIALS + 1)), 0, f"at most {MONOMIALS}"),
        ("x" * (TEXT_LENGTH + 1), 0, f"at most {TEXT_LENGTH}"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_is_refused_and_where(text: str, at: int, message: str) -> None:
    with pytest.raises(UnparsableElement) as caught:
        polynomial(text)
    assert message in str(caught.value)
    assert caught.value.at == at
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    "text",
    [
        "9" * NUMBER_DIGITS,
        "x^" + "9" * EXPONENT_DIGITS,
        "+".join(["x"] * MONOMIALS),
        "+".join(f"x{number}" for number in range(MONOMIALS)),
        "x" * TEXT_LENGTH,
    ],
    ids=lambda text: text[:8],
)
def test_what_is_within_the_limits_is_read(text: str) -> None:
    assert polynomial(str(polynomial(text))) == polynomial(text)


def test_all_that_schedules_accept_is_read_and_nothing_else() -> None:
    """The grammar of `prov` clauses, on random strings over its characters: spaces and NFC are the only differences."""
    random, accepted = Random(11), 0
    for _ in range(20_000):
        text = "".join(random.choices("x1y+*^2._-é", k=random.randrange(1, 8)))
        try:
            polynomial(text)
        except UnparsableElement as error:
            assert polynomial_fault(text) is not None, text
            assert error.at <= len(text)
        else:
            assert polynomial_fault(text) is None, text
            accepted += 1
    assert 1_000 < accepted < 19_000


def test_texts_of_every_shape_take_linear_time() -> None:
    """Of the greatest length, right and wrong, in plain reads of as many monomials as may be: no shape is quadratic."""

    def taken(text: str) -> float:
        begun = perf_counter()
        with suppress(UnparsableElement):
            polynomial(text)
        return perf_counter() - begun

    half = TEXT_LENGTH // 2
    plain = taken("+".join(["x"] * MONOMIALS))
    for text in ("x*" * (half - 1) + "$", "9*" * (half - 1) + "9", "é*" * (half - 1) + "$", " " * (half * 2 - 1) + "$"):
        assert taken(text) < 100 * plain, text[:6]


def test_values() -> None:
    found = polynomial("1+2*x*y^2")
    assert dict(found.terms) == {(): 1, (("x", 1), ("y", 2)): 2}
    assert found.tokens == {"x", "y"} and len(found) == 2
    assert found == Polynomial(found.terms) == Polynomial([((("y", 1), ("x", 1), ("y", 1)), 2), ((("z", 0),), 1)])
    assert hash(found) == hash(Polynomial(found.terms)) and found != polynomial("1+x*y^2")
    assert found != "1+2*x*y^2" and not polynomial("0") and found
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found


def test_equal_monomials_are_gathered_and_zeros_dropped() -> None:
    assert Polynomial([((("x", 1),), 1), ((("x", 1),), 2), ((("y", 1),), 0)]) == polynomial("3*x")
    assert Polynomial([((("e\u0301", 1),), 1)]) == polynomial("é")


def test_values_are_immutable() -> None:
    found = polynomial("x")
    with pytest.raises(AttributeError):
        found._terms = {}
    with pytest.raises(AttributeError):
        del found._terms
    with pytest.raises(TypeError):
        found.terms[()] = 1  # type: ignore[index]


@pytest.mark.parametrize("found", POLYNOMIALS, ids=lambda found: found.name)
def test_operations_leave_their_operands(found: PolynomialCarrier) -> None:
    left, right = found.parse("x+y"), found.parse("1+x*y+x")
    for operation in (found.plus, found.times, found.leq, found.difference):
        operation(left, right)
        operation(right, left)
    assert (left, right) == (found.parse("x+y"), found.parse("1+x*y+x"))
    assert found.zero == polynomial("0") and found.one == polynomial("1")


@pytest.mark.parametrize(
    "terms",
    [
        {(): -1},
        {(): True},
        {(): 0.5},
        {(("x", -1),): 1},
        {(("1x", 1),): 1},
        {(("x", None),): 1},
        {((5, 1),): 1},
        {"x": 1},
        {5: 1},
        5,
        None,
        "x",
        [5],
        [((), 1, 2)],
        [((("x", 1, 1),), 1)],
    ],
)
def test_values_that_are_none_are_refused(terms: Any) -> None:
    with pytest.raises(AlgebraError) as caught:
        Polynomial(terms)
    assert caught.value.what and caught.value.expected


def test_what_could_not_be_read_back_is_not_printed() -> None:
    many = [((("x", number),), 1) for number in range(MONOMIALS + 1)]
    long = [((("x" * (TEXT_LENGTH // 2), 1), (letter, 1)), 1) for letter in "yz"]
    assert len(str(Polynomial(many[:-1]))) < TEXT_LENGTH
    for terms in (many, long, [((("x", 10**EXPONENT_DIGITS),), 1)], [((), 10**NUMBER_DIGITS)]):
        with pytest.raises(Unprintable):
            str(Polynomial(terms))


def test_what_cannot_be_printed_has_a_representation_all_the_same() -> None:
    assert repr(Polynomial({(): 10**NUMBER_DIGITS})) == "<polynomial of 1 monomials>"
    assert repr(Polynomial({(("x", 10**EXPONENT_DIGITS),): 1})) == "<polynomial of 1 monomials>"


@pytest.mark.parametrize(
    ("text", "free", "multilinear", "collapsed"),
    [
        ("x^2", "x^2", "x", "x"),
        ("2*x", "2*x", "2*x", "x"),
        ("x+x^2", "x+x^2", "2*x", "x"),
        ("3*x*y^2+x^2*y", "3*x*y^2+x^2*y", "4*x*y", "x*y"),
        ("2", "2", "2", "1"),
    ],
)
def test_one_text_in_three_carriers(text: str, free: str, multilinear: str, collapsed: str) -> None:
    assert [found.text(found.parse(text)) for found in POLYNOMIALS] == [free, multilinear, collapsed]


def test_products() -> None:
    def squared(found: PolynomialCarrier) -> str:
        return found.text(found.times(found.parse("x+y"), found.parse("x+y")))

    assert list(map(squared, POLYNOMIALS)) == ["2*x*y+x^2+y^2", "x+y+2*x*y", "x+y+x*y"]


def test_values_of_polynomials_elsewhere() -> None:
    found = polynomial("2*x^3+y")
    values = {"x": 2, "y": 5}
    assert evaluate(found, COUNTING, values.__getitem__) == 21 and evaluate(found, COUNTING) == 3
    assert TROPICAL.text(evaluate(found, TROPICAL)) == "1" and VITERBI.text(evaluate(found, VITERBI)) == "1/2"
    assert TROPICAL.text(evaluate(polynomial("x^3+x*y"), TROPICAL)) == "2"
    assert WHY.text(evaluate(found, WHY)) == "{{x}, {y}}"
    assert evaluate(found, BOOLEAN) is True and evaluate(polynomial("0"), BOOLEAN) is False
    assert evaluate(found, BOOLEAN, lambda name: name == "z") is False
    assert evaluate(polynomial("x^999999999"), BOOLEAN) is True
