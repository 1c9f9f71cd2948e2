"""The laws of the shipped carriers beyond small elements, homomorphisms between them, and carriers that are broken."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toki_verify.algebra.carriers import (
    BOOLEAN,
    CARRIERS,
    COUNTING,
    MULTIDEGREE,
    MULTILINEAR,
    MULTILINEAR_COLLAPSED,
    TROPICAL,
    VITERBI,
    WHY,
    Carrier,
    Polynomial,
    PolynomialCarrier,
    evaluate,
)
from toki_verify.algebra.carriers.counting import Counting
from toki_verify.algebra.carriers.multilinear import Multilinear
from toki_verify.algebra.carriers.polynomial import of_terms
from toki_verify.algebra.carriers.polynomial_text import Monomial
from toki_verify.algebra.carriers.why import Why, Witnesses
from toki_verify.algebra.laws import AXIOMS, LAWS, ORDER, REQUIRED, NamedLaw, broken, counterexample

EACH = pytest.mark.parametrize("found", CARRIERS.values(), ids=lambda found: found.name)
SEEDS = st.integers(0, 2**64)
FREE = SEEDS.map(lambda seed: MULTIDEGREE.sample(Random(seed)))
HOLDING = [
    pytest.param(found, law, id=f"{found.name}-{law.name}")
    for found in CARRIERS.values()
    for law in LAWS.values()
    if found.description.laws[law.name].holds and law.arity
]


@pytest.mark.parametrize(("found", "law"), HOLDING)
@given(st.lists(SEEDS, min_size=3, max_size=3))
def test_laws_hold_beyond_small_elements(found: Carrier[Any], law: NamedLaw, seeds: list[int]) -> None:
    elements = [found.sample(Random(seed)) for seed in seeds[: law.arity]]
    # An arbitrary pair is seldom comparable, so laws of the order are tried on sums of what comes before, too.
    sums = [elements[0]]
    for element in elements[1:]:
        sums.append(found.plus(sums[-1], element))
    assert law.check(found, *elements), elements
    assert law.check(found, *sums), sums


@EACH
@given(SEEDS, SEEDS)
def test_an_audit_tuple_dominates_with_evidence(found: Carrier[Any], winner: int, loser: int) -> None:
    """p_l ⪯ p_w ⊕ p_l, and the difference is a witness below p_w (TOKI 2026, Theorem 2)."""
    won, lost = found.sample(Random(winner)), found.sample(Random(loser))
    audit = found.plus(won, lost)
    evidence = found.difference(lost, audit)
    assert found.leq(lost, audit) and evidence is not None
    assert found.plus(lost, evidence) == audit and found.leq(evidence, won)
    assert (found.difference(audit, lost) is not None) == found.leq(audit, lost) == (audit == lost)


@EACH
def test_every_carrier_is_a_k_of_theorem_2(found: Carrier[Any]) -> None:
    assert broken(found, found.small()) == {}
    assert all(found.description.laws[law.name].holds for law in REQUIRED)


@EACH
@given(FREE, FREE)
def test_the_values_of_polynomials_are_a_homomorphism(found: Carrier[Any], left: Polynomial, right: Polynomial) -> None:
    """So what `token` says is the image of a token, in every carrier."""
    assert evaluate(MULTIDEGREE.plus(left, right), found) == found.plus(evaluate(left, found), evaluate(right, found))
    assert evaluate(MULTIDEGREE.times(left, right), found) == found.times(evaluate(left, found), evaluate(right, found))
    assert evaluate(MULTIDEGREE.zero, found) == found.zero and evaluate(MULTIDEGREE.one, found) == found.one
    assert evaluate(MULTIDEGREE.token("p1"), found) == found.token("p1")


@pytest.mark.parametrize("found", [MULTILINEAR, MULTILINEAR_COLLAPSED, MULTIDEGREE], ids=lambda found: found.name)
@given(FREE)
def test_normal_forms_are_values_in_the_quotient(found: PolynomialCarrier, element: Polynomial) -> None:
    assert found.image(element) == evaluate(element, found)
    assert found.image(found.image(element)) == found.image(element)


def as_witnesses(element: Polynomial) -> Witnesses:
    return frozenset(frozenset(name for name, _ in monomial) for monomial in element.terms)


def as_polynomial(element: Witnesses) -> Polynomial:
    return Polynomial({tuple((name, 1) for name in sorted(witness)): 1 for witness in element})


@given(SEEDS, SEEDS)
def test_multilinear_collapsed_is_isomorphic_to_why(one: int, other: int) -> None:
    left, right = MULTILINEAR_COLLAPSED.sample(Random(one)), MULTILINEAR_COLLAPSED.sample(Random(other))
    witnesses = WHY.sample(Random(one))
    assert as_polynomial(as_witnesses(left)) == left and as_witnesses(as_polynomial(witnesses)) == witnesses
    for operation, of_witnesses in ((MULTILINEAR_COLLAPSED.plus, WHY.plus), (MULTILINEAR_COLLAPSED.times, WHY.times)):
        assert as_witnesses(operation(left, right)) == of_witnesses(as_witnesses(left), as_witnesses(right))
    assert MULTILINEAR_COLLAPSED.leq(left, right) == WHY.leq(as_witnesses(left), as_witnesses(right))
    assert as_witnesses(MULTILINEAR_COLLAPSED.token("x")) == WHY.token("x")
    assert as_witnesses(MULTILINEAR_COLLAPSED.zero) == WHY.zero and as_witnesses(MULTILINEAR_COLLAPSED.one) == WHY.one


@given(st.integers(0, 50) | st.none(), st.integers(0, 50) | st.none())
def test_costs_are_confidences_by_powers_of_a_half(one: int | None, other: int | None) -> None:
    def confidence(cost: Any) -> Fraction:
        return Fraction(0) if cost == TROPICAL.zero else Fraction(1, 2 ** int(cost))

    left, right = (TROPICAL.zero if cost is None else Fraction(cost) for cost in (one, other))
    assert confidence(TROPICAL.plus(left, right)) == VITERBI.plus(confidence(left), confidence(right))
    assert confidence(TROPICAL.times(left, right)) == VITERBI.times(confidence(left), confidence(right))
    assert confidence(TROPICAL.zero) == VITERBI.zero and confidence(TROPICAL.one) == VITERBI.one
    assert confidence(TROPICAL.token("x")) == VITERBI.token("x")


@pytest.mark.parametrize("found", [MULTILINEAR, MULTIDEGREE], ids=lambda found: found.name)
def test_the_two_readings_of_the_multilinear_carrier_differ(found: PolynomialCarrier) -> None:
    """Coefficients survive in one of them: p ⊕ p is p only in the other."""
    token = found.token("p")
    assert found.plus(token, token) != token
    collapsed = MULTILINEAR_COLLAPSED.token("p")
    assert MULTILINEAR_COLLAPSED.plus(collapsed, collapsed) == collapsed


def counting_with(**changed: Any) -> Counting:
    return type("Changed", (Counting,), {"__slots__": (), **changed})()


#: For every law, a structure on ℕ that breaks it.
BROKEN: dict[str, Counting] = {
    "plus-associative": counting_with(plus=lambda _, a, b: abs(a - b)),
    "plus-commutative": counting_with(plus=lambda _, a, b: a),
    "plus-identity": counting_with(zero=1),
    "times-associative": counting_with(times=lambda _, a, b: abs(a - b)),
    "times-commutative": counting_with(times=lambda _, a, b: a),
    "times-identity": counting_with(one=2),
    "distributive": counting_with(times=lambda _, a, b: max(a, b)),
    "zero-annihilates": counting_with(times=lambda _, a, b: a + b),
    "order-reflexive": counting_with(leq=lambda _, a, b: a < b),
    "order-transitive": counting_with(leq=lambda _, a, b: abs(a - b) <= 1),
    "order-antisymmetric": counting_with(leq=lambda _, a, b: True),
    "order-of-sums": counting_with(leq=lambda _, a, b: a >= b),
    "order-monotone": counting_with(leq=lambda _, a, b: a == b or (a, b) == (0, 1)),
    "plus-idempotent": COUNTING,
    "times-idempotent": COUNTING,
    "absorption": COUNTING,
    "plus-cancellative": counting_with(plus=lambda _, a, b: max(a, b)),
    "zero-sum-free": counting_with(plus=lambda _, a, b: (a + b) % 4),
    "no-zero-divisors": counting_with(times=lambda _, a, b: a * b % 4),
    "order-total": counting_with(leq=lambda _, a, b: a == b or a == 0),
    "plus-is-join": COUNTING,
    "token-idempotent": counting_with(token=lambda _, name: 2),
    "sums-count": counting_with(plus=lambda _, a, b: max(a, b)),
}


@pytest.mark.parametrize("law", LAWS.values(), ids=lambda law: law.name)
def test_every_law_can_fail_and_its_counterexample_shows_it(law: NamedLaw) -> None:
    structure = BROKEN[law.name]
    failing = counterexample(structure, law, structure.small())
    assert failing is not None and len(failing) == law.arity
    assert not law.check(structure, *failing)
    assert law.name in broken(structure, structure.small(), tuple(LAWS.values()))


def test_one_sided_identities_and_annihilation_are_not_enough() -> None:
    """Each side is tried: an operation that is right on one side only is caught by the law itself."""
    right_only = counting_with(plus=lambda _, a, b: a if b == 0 else 99, times=lambda _, a, b: a if b == 1 else b and 7)
    left_only = counting_with(plus=lambda _, a, b: b if a == 0 else 99, times=lambda _, a, b: b if a == 1 else a and 7)
    for structure in (right_only, left_only):
        found = broken(
            structure, range(1, 4), [LAWS["plus-identity"], LAWS["times-identity"], LAWS["zero-annihilates"]]
        )
        assert set(found) == {"plus-identity", "times-identity", "zero-annihilates"}


def test_the_smallest_counterexample_comes_first() -> None:
    def first(name: str, elements: list[int]) -> tuple[int, ...] | None:
        return counterexample(COUNTING, LAWS[name], elements)

    assert first("absorption", [5, 3, 1]) == (5, 5)
    assert first("absorption", [0, 1, 2]) == (1, 1)
    assert first("times-idempotent", [0, 1]) is None
    assert first("plus-commutative", list(range(10))) is None
    assert counterexample(COUNTING, LAWS["order-total"], []) is None
    tried: list[tuple[int, ...]] = []
    counterexample(COUNTING, NamedLaw("seen", "", 2, lambda _, *found: not tried.append(found)), [0, 1, 2])
    assert sorted(tried) == sorted(product(range(3), repeat=2)) and list(map(max, tried)) == sorted(map(max, tried))


class _Untouched(Multilinear):
    """⊗ that forgets x ⊗ x = x."""

    __slots__ = ()
    idempotent_tokens = False


class _Sharing(Multilinear):
    """⊕ that keeps the coefficient of the left, as `dict.setdefault` would."""

    __slots__ = ()

    def plus(self, left: Polynomial, right: Polynomial, /) -> Polynomial:
        return of_terms({**right.terms, **left.terms})


class _Lopsided(Multilinear):
    """⊗ that forgets to sort: equal monomials are different keys."""

    __slots__ = ()

    def _product(self, left: Monomial, right: Monomial) -> Monomial:
        return left + tuple(power for power in right if power not in left)


class _Keys(Multilinear):
    """⪯ that looks at monomials only."""

    __slots__ = ()

    def leq(self, left: Polynomial, right: Polynomial, /) -> bool:
        return left.terms.keys() <= right.terms.keys()


class _Joined(Why):
    """⊗ that is ∪ of the witness sets, not of the witnesses."""

    __slots__ = ()

    def times(self, left: Witnesses, right: Witnesses, /) -> Witnesses:
        return left | right


@pytest.mark.parametrize(
    ("structure", "law"),
    [
        (_Untouched(), "token-idempotent"),
        (_Sharing(), "plus-commutative"),
        (_Lopsided(), "times-commutative"),
        (_Keys(), "order-antisymmetric"),
        (_Joined(), "zero-annihilates"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_likely_mistakes_are_found(structure: Carrier[Any], law: str) -> None:
    """A law that the right carrier has and the mistaken one has not."""
    assert type(structure).__mro__[1]().description.laws[law].holds
    assert law in broken(structure, structure.small(), tuple(LAWS.values()))


def test_integers_are_a_semiring_but_no_k_of_theorem_2() -> None:
    """Where everything is below everything, domination says nothing: the order is not antisymmetric."""
    integers = counting_with(leq=lambda _, a, b: True)
    found = broken(integers, [0, 1, -1, 2, -2])
    assert set(found) == {"order-antisymmetric"} and found["order-antisymmetric"] == (0, 1)
    assert broken(integers, [0, 1, -1, 2, -2], AXIOMS) == {}
    assert {law.name for law in ORDER} & set(found)


def test_names_are_unique_and_boolean_is_decided_by_all_its_elements() -> None:
    assert len(LAWS) == len({law.statement for law in LAWS.values()}) == 23
    check: Callable[[NamedLaw], bool] = lambda law: counterexample(BOOLEAN, law, [False, True]) is None  # noqa: E731
    assert {law.name for law in LAWS.values() if not check(law)} == {"plus-cancellative", "sums-count"}
