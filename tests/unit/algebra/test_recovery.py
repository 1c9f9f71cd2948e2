"""The recovery maps on examples that are worked out by hand, and against rows that are really left out."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from toki_verify.algebra.carriers import (
    BOOLEAN,
    CARRIERS,
    COUNTING,
    MULTIDEGREE,
    MULTILINEAR,
    MULTILINEAR_COLLAPSED,
    TROPICAL,
    WHY,
    Carrier,
    Polynomial,
    PolynomialCarrier,
    polynomial,
)
from toki_verify.algebra.errors import AlgebraError, UnparsableElement
from toki_verify.algebra.recovery import WithoutTokens, degree, derivative, shift, substitute_zero, subtract

POLYNOMIALS = [found for found in CARRIERS.values() if isinstance(found, PolynomialCarrier)]


@pytest.mark.parametrize(
    ("text", "degree_of_x", "shifted", "without", "derived"),
    [
        ("x^3", 3, "x^2", "0", "3*x^2"),
        ("x", 1, "1", "0", "1"),
        ("y", 0, "y", "y", "0"),
        ("5", 0, "5", "5", "0"),
        ("0", 0, "0", "0", "0"),
        ("2*x^2*y+x+3*y", 2, "1+3*y+2*x*y", "3*y", "1+4*x*y"),
        ("x+1", 1, "2", "1", "1"),
        ("x^2*y+x*y+y", 2, "2*y+x*y", "y", "y+2*x*y"),
    ],
)
def test_the_maps_on_free_polynomials(text: str, degree_of_x: int, shifted: str, without: str, derived: str) -> None:
    found = polynomial(text)
    assert degree(MULTIDEGREE, found, "x") == degree_of_x
    assert str(shift(MULTIDEGREE, found, "x")) == shifted
    assert str(substitute_zero(MULTIDEGREE, found, "x")) == without
    assert str(derivative(MULTIDEGREE, found, "x")) == derived


def test_what_coincides_collapses_in_the_carrier() -> None:
    found = MULTILINEAR_COLLAPSED.parse("x+1")
    assert str(shift(MULTILINEAR_COLLAPSED, found, "x")) == "1"
    assert str(shift(MULTILINEAR, MULTILINEAR.parse("x+1"), "x")) == "2"


@pytest.mark.parametrize("found", POLYNOMIALS, ids=lambda found: found.name)
def test_results_are_normal_forms_of_the_carrier(found: PolynomialCarrier) -> None:
    random = Random(2)
    for _ in range(200):
        element = found.sample(random)
        for change in (shift, substitute_zero, derivative):
            result = change(found, element, "x")
            assert found.image(result) == result
        assert degree(found, element, "x") <= (3 * 4 if found is MULTIDEGREE else 1)


def answer(found: PolynomialCarrier, occurrences: int, others: list[str]) -> Polynomial:
    """A join over all occurrences of a row x, beside answers that do not mention it: Definition 3's X^k."""
    joined = found.token("y")
    for _ in range(occurrences):
        joined = found.times(joined, found.token("x"))
    return found.plus(joined if occurrences else found.zero, found.parse("+".join(["0", *others])))


def test_theorem_3_on_answers_with_one_occurrence_left_out() -> None:
    """Where k ≥ 2 the shift is the answer with k - 1 occurrences, and the derivative never is. Where k = 1 the row
    takes its monomials with it: `substitute_zero` is the answer, and the shift is not."""
    for occurrences, others in product(range(1, 5), ([], ["z"], ["y"], ["1", "2*y*z"])):
        whole, fewer = answer(MULTIDEGREE, occurrences, others), answer(MULTIDEGREE, occurrences - 1, others)
        assert degree(MULTIDEGREE, whole, "x") == occurrences
        assert (shift(MULTIDEGREE, whole, "x") == fewer) == (occurrences >= 2)
        assert (substitute_zero(MULTIDEGREE, whole, "x") == fewer) == (occurrences == 1)
        assert occurrences == 1 or derivative(MULTIDEGREE, whole, "x") != fewer


def test_the_derivative_is_right_by_accident() -> None:
    """Only for k = 1, and only where what vanishes is what appears."""
    whole, fewer = answer(MULTIDEGREE, 1, ["y"]), answer(MULTIDEGREE, 0, ["y"])
    assert derivative(MULTIDEGREE, whole, "x") == fewer == polynomial("y")


@pytest.mark.parametrize("found", [MULTILINEAR, MULTILINEAR_COLLAPSED], ids=lambda found: found.name)
def test_without_powers_one_occurrence_and_two_look_alike(found: PolynomialCarrier) -> None:
    """So no map from π alone is right for both: the counterfactual answers differ where π does not."""
    assert answer(found, 1, ["z"]) == answer(found, 2, ["z"])
    assert answer(found, 0, ["z"]) != answer(found, 1, ["z"])
    assert degree(found, answer(found, 7, []), "x") == 1


@pytest.mark.parametrize("found", CARRIERS.values(), ids=lambda found: found.name)
def test_subtract_is_the_only_solution_by_brute_force(found: Carrier[Any]) -> None:
    """Small elements are closed under enough sums that two solutions, where there are two, are found among them."""
    small = found.small()
    sums = list(dict.fromkeys((*small, *(found.plus(one, other) for one, other in product(small, repeat=2)))))
    for whole, part in product(sums, small):
        solutions = [other for other in sums if found.plus(other, part) == whole]
        result = subtract(found, whole, part)
        if result is None:
            assert len(solutions) != 1, (whole, part)
        else:
            assert found.plus(result, part) == whole
            assert set(solutions) <= {result}


def test_what_of_p_a_the_carriers_of_the_paper_give_back() -> None:
    """B.3: p_a from (p_a ⊕ p_b, p_b). Always where coefficients survive; where sums are idempotent only for p_b = 0."""
    for found in (MULTIDEGREE, MULTILINEAR, COUNTING):
        for one, other in product(found.small(), repeat=2):
            assert subtract(found, found.plus(one, other), other) == one
    assert subtract(MULTILINEAR_COLLAPSED, polynomial("x+y"), polynomial("y")) is None
    assert subtract(MULTILINEAR_COLLAPSED, polynomial("x+y"), polynomial("0")) == polynomial("x+y")
    assert subtract(WHY, WHY.parse("{{x}, {y}}"), WHY.parse("{{y}}")) is None
    assert subtract(BOOLEAN, True, True) is None and subtract(BOOLEAN, False, True) is None
    assert subtract(BOOLEAN, True, False) is True and subtract(BOOLEAN, False, False) is False
    assert subtract(TROPICAL, TROPICAL.parse("1"), TROPICAL.parse("2")) == 1
    assert subtract(TROPICAL, TROPICAL.parse("2"), TROPICAL.parse("1")) is None


def test_carriers_and_elements_without_tokens_are_refused() -> None:
    for change in (degree, shift, substitute_zero, derivative):
        for found in (BOOLEAN, COUNTING, TROPICAL, WHY):
            with pytest.raises(WithoutTokens, match=f"carrier '{found.name}'"):
                change(found, found.one, "x")
        with pytest.raises(AlgebraError, match="'multilinear'"):
            change(MULTILINEAR, "x", "x")
        with pytest.raises(UnparsableElement):
            change(MULTILINEAR, polynomial("x"), "x^2")
