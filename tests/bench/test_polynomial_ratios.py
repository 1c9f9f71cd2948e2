"""Polynomials against the plain dicts that do the same, as ratios inside one run. Never seconds."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import perf_counter

import pytest

from toki_verify.algebra.carriers import MULTIDEGREE, MULTILINEAR, MULTILINEAR_COLLAPSED, PolynomialCarrier

pytestmark = pytest.mark.bench

MONOMIALS = 1_000
Plain = dict[tuple[str, ...], int]
CARRIERS = pytest.mark.parametrize("carrier", [MULTILINEAR, MULTILINEAR_COLLAPSED, MULTIDEGREE], ids=lambda c: c.name)


def text_of(seed: int) -> str:
    """A thousand different monomials of one to three of a hundred tokens."""
    chosen = random.Random(seed)
    monomials: dict[tuple[str, ...], None] = {}
    while len(monomials) < MONOMIALS:
        monomials[tuple(sorted({f"p{chosen.randrange(100)}" for _ in range(chosen.randrange(1, 4))}))] = None
    return "+".join("*".join([str(chosen.randrange(1, 5)), *names]) for names in monomials)


def parsed(text: str) -> Plain:
    """Terms by splitting the text: the coefficient first, then names."""
    found: Plain = {}
    for term in text.split("+"):
        coefficient, *names = term.split("*")
        monomial = tuple(sorted(names))
        found[monomial] = found.get(monomial, 0) + int(coefficient)
    return found


def merged(left: Plain, right: Plain) -> Plain:
    found = dict(left)
    for monomial, coefficient in right.items():
        found[monomial] = found.get(monomial, 0) + coefficient
    return found


def dominated(left: Plain, right: Plain) -> bool:
    return all(right.get(monomial, 0) >= coefficient for monomial, coefficient in left.items())


def times(action: Callable[[], object], plain: Callable[[], object], repeats: int = 30) -> float:
    """The shortest run of an action, in shortest runs of the plain one, taken in turns so that load slows both."""
    taken: list[list[float]] = [[], []]
    for _ in range(repeats):
        for index, run in enumerate((action, plain)):
            begun = perf_counter()
            run()
            taken[index].append(perf_counter() - begun)
    found = min(taken[0]) / min(taken[1])
    print(f"{found:.2f}")
    return found


@CARRIERS
def test_merge(carrier: PolynomialCarrier) -> None:
    texts = text_of(1), text_of(2)
    left, right = map(carrier.parse, texts)
    plain = [parsed(text) for text in texts]
    assert len(carrier.plus(left, right)) == len(merged(*plain))
    assert times(lambda: carrier.plus(left, right), lambda: merged(*plain)) < 5


@CARRIERS
def test_dominance(carrier: PolynomialCarrier) -> None:
    """Where it holds, so that every monomial is looked at."""
    texts = text_of(1), text_of(2)
    left, right = map(carrier.parse, texts)
    above, plain = carrier.plus(left, right), [parsed(text) for text in texts]
    plain_above = merged(*plain)
    assert carrier.leq(left, above) and dominated(plain[0], plain_above)
    assert times(lambda: carrier.leq(left, above), lambda: dominated(plain[0], plain_above)) < 5


@CARRIERS
def test_parse(carrier: PolynomialCarrier) -> None:
    text = text_of(1)
    assert len(carrier.parse(text)) == len(parsed(text)) == MONOMIALS
    assert times(lambda: carrier.parse(text), lambda: parsed(text)) < 5
