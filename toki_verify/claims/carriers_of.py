"""Which elements and maps of carriers the claims speak of: annotations of facts, pairs that erase, images."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ..algebra.carriers import BOOLEAN, MULTIDEGREE, MULTILINEAR, MULTILINEAR_COLLAPSED, Carrier, evaluate
from ..algebra.semiring import Semiring

#: The three that the seed ships (TOKI 2026, §2.2); "multilinear" is read in two ways.
SEEDS: Final = (MULTILINEAR, MULTIDEGREE, BOOLEAN)


#: How many small annotations of a carrier are tried in pairs.
SMALL: Final = 6


def nonzero(carrier: Carrier[Any]) -> list[Any]:
    """Small annotations that a fact can have: one of provenance 0 is not in the relation (Green et al. 2007, §3)."""
    return [element for element in carrier.small() if element != carrier.zero][:SMALL]


def pairs(carrier: Carrier[Any]) -> Iterator[tuple[Any, Any]]:
    """Pairs of annotations other than 0, those of early elements first."""
    found = nonzero(carrier)
    for last in range(len(found)):
        for other in range(last + 1):
            yield from dict.fromkeys(((found[last], found[other]), (found[other], found[last])))


def incomparable(carrier: Carrier[Any]) -> tuple[Any, Any] | None:
    """A pair of annotations other than 0 without a ⪯ b, which erasure needs: two tokens, or else the first small ones.

    None where no two small ones are such: in 𝔹, which has no others, none are.
    """
    candidates = [(*tokens(carrier, 2),), *pairs(carrier)]
    return next(((one, other) for one, other in candidates if not carrier.leq(one, other)), None)


def with_zero(carrier: Carrier[Any]) -> tuple[Any, Any] | None:
    """The pair (1, 0), which is such a pair where facts may have the annotation 0; None where 1 ⪯ 0, as in a ring."""
    return None if carrier.leq(carrier.one, carrier.zero) else (carrier.one, carrier.zero)


def tokens(carrier: Semiring[Any], number: int) -> list[Any]:
    """Fresh tokens p1, p2, … as annotations."""
    return [carrier.token(f"p{place + 1}") for place in range(number)]


#: The maps between the seed's carriers, as homomorphisms that send tokens to tokens.
Map = tuple[Carrier[Any], Carrier[Any], Callable[[Any], Any]]


def _onto(source: Carrier[Any], target: Carrier[Any]) -> Map:
    return source, target, lambda element: evaluate(element, target)


MAPS: Final[tuple[Map, ...]] = (
    _onto(MULTIDEGREE, MULTILINEAR),
    _onto(MULTILINEAR, MULTILINEAR_COLLAPSED),
    _onto(MULTILINEAR, BOOLEAN),
)
