"""The carriers of provenance that are shipped, by their names (TOKI 2026, §2.2; docs/carriers.md)."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final

from ..errors import AlgebraError, shown
from .base import Carrier
from .boolean import Boolean
from .counting import Counting
from .evaluate import evaluate
from .multidegree import Multidegree
from .multilinear import Multilinear
from .multilinear_collapsed import MultilinearCollapsed
from .polynomial import Polynomial, PolynomialCarrier, polynomial
from .texts import NotAnElement, Unprintable
from .tropical import Tropical
from .viterbi import Viterbi
from .why import Why

__all__ = [
    "BOOLEAN",
    "CARRIERS",
    "COUNTING",
    "MULTIDEGREE",
    "MULTILINEAR",
    "MULTILINEAR_COLLAPSED",
    "TROPICAL",
    "VITERBI",
    "WHY",
    "Carrier",
    "NotAnElement",
    "Polynomial",
    "PolynomialCarrier",
    "UnknownCarrier",
    "Unprintable",
    "carrier",
    "evaluate",
    "polynomial",
]

MULTILINEAR: Final = Multilinear()
MULTILINEAR_COLLAPSED: Final = MultilinearCollapsed()
MULTIDEGREE: Final = Multidegree()
BOOLEAN: Final = Boolean()
WHY: Final = Why()
COUNTING: Final = Counting()
TROPICAL: Final = Tropical()
VITERBI: Final = Viterbi()

CARRIERS: Final[dict[str, Carrier[Any]]] = {
    found.name: found
    for found in (MULTILINEAR, MULTILINEAR_COLLAPSED, MULTIDEGREE, BOOLEAN, WHY, COUNTING, TROPICAL, VITERBI)
}


class UnknownCarrier(AlgebraError):
    """A name of no carrier; the message names the nearest ones."""


def carrier(name: str) -> Carrier[Any]:
    """The shipped carrier of a name. Raises UnknownCarrier."""
    if not isinstance(name, str) or name not in CARRIERS:
        known = isinstance(name, str)
        near = get_close_matches(name[:40].casefold(), CARRIERS, n=3, cutoff=0.5) if known else []
        what = repr(name[:40]) if known else shown(name)
        raise UnknownCarrier(f"carrier {what}", " or ".join(near) if near else f"one of {', '.join(CARRIERS)}")
    return CARRIERS[name]
