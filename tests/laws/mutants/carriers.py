"""Carriers that are wrong in one way. Most are ℕ with one operation changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.laws.mutants.base import Mutant
from toki_verify.algebra.carriers import BOOLEAN, COUNTING, MULTIDEGREE, Polynomial
from toki_verify.algebra.semiring import Law
from toki_verify.testing import carrier_suite


class Changed:
    """A carrier with some operations changed, and without the elements and evidence that the original offers."""

    def __init__(self, original: Any, **changes: Any) -> None:
        self._original, self._changes = original, changes

    def __getattr__(self, name: str) -> Any:
        if name in ("small", "difference", "description") and name not in self._changes:
            raise AttributeError(name)
        return self._changes.get(name, None) if name in self._changes else getattr(self._original, name)


def _claiming(original: Any, law: str, claim: Law) -> Any:
    found = original.description
    return replace(found, laws={**found.laws, law: claim})


def _capped(found: Polynomial) -> Polynomial:
    return Polynomial({monomial: 1 for monomial in found.terms})


def _parse_anything(text: str) -> int:
    return int(text) if text.isdigit() else 0


class Sources:
    """Sets of names, and none at all: lineage. Its texts set names off by commas, whatever they are."""

    name, zero, one = "sources", None, frozenset[str]()

    def plus(self, a: Any, b: Any) -> Any:
        return b if a is None else a if b is None else a | b

    def times(self, a: Any, b: Any) -> Any:
        return None if a is None or b is None else a | b

    def leq(self, a: Any, b: Any) -> bool:
        return self.plus(a, b) == b

    def token(self, name: str) -> Any:
        return frozenset([name])

    def text(self, a: Any) -> str:
        return "-" if a is None else f"[{','.join(sorted(a))}]"

    def parse(self, text: str) -> Any:
        if text == "-":
            return None
        if not (text.startswith("[") and text.endswith("]")):
            raise ValueError(f"no set of sources: {text!r}")
        return frozenset(filter(None, text[1:-1].split(",")))


# law, name, what is broken, the carrier
_ENTRIES: tuple[tuple[str, str, str, Callable[[], Any]], ...] = (
    ("plus-identity", "plus-drops-coefficients", "a sum keeps no coefficients, a product does",
     lambda: Changed(MULTIDEGREE, plus=lambda a, b: _capped(MULTIDEGREE.plus(a, b)))),
    ("plus-commutative", "plus-prefers-left", "a sum is its left part unless that is zero",
     lambda: Changed(MULTIDEGREE, plus=lambda a, b: a if a != MULTIDEGREE.zero else b)),
    ("plus-associative", "plus-averages", "a sum of two numbers other than 0 is their mean",
     lambda: Changed(COUNTING, plus=lambda a, b: (a + b) if not a or not b else (a + b + 1) // 2)),
    ("times-associative", "times-differs", "a product of numbers above 1 is one more than their difference",
     lambda: Changed(COUNTING, times=lambda a, b: a * b if a < 2 or b < 2 else abs(a - b) + 1)),
    ("times-commutative", "times-prefers-left", "a product is its left part unless the right is zero",
     lambda: Changed(COUNTING, times=lambda a, b: a if b else 0)),
    ("times-identity", "one-is-two", "1 is 2", lambda: Changed(COUNTING, one=2)),
    ("distributive", "times-is-max", "a product of two numbers other than 0 is the larger",
     lambda: Changed(COUNTING, times=lambda a, b: max(a, b) if a and b else 0)),
    ("zero-annihilates", "zero-is-skipped", "a factor 0 is left out",
     lambda: Changed(COUNTING, times=lambda a, b: a * b if a and b else a or b)),
    ("order-reflexive", "leq-strict", "nothing is below itself", lambda: Changed(COUNTING, leq=lambda a, b: a < b)),
    ("order-transitive", "leq-one-step", "only what is one less is below",
     lambda: Changed(COUNTING, leq=lambda a, b: 0 <= b - a <= 1)),
    ("order-antisymmetric", "leq-everything", "everything is below everything",
     lambda: Changed(COUNTING, leq=lambda a, b: True)),
    ("order-of-sums", "leq-equal", "only what is equal is below", lambda: Changed(BOOLEAN, leq=lambda a, b: a == b)),
    ("order-monotone", "leq-even", "only even numbers are above others",
     lambda: Changed(COUNTING, leq=lambda a, b: a == b or (a <= b and not b % 2))),
    ("order-exact", "leq-too-strong", "x is not below x + x",
     lambda: Changed(MULTIDEGREE, leq=lambda a, b: a == b or (
         MULTIDEGREE.leq(a, b) and len(MULTIDEGREE.plus(a, b)) > len(a)))),
    ("order-exact", "leq-too-weak", "coefficients are not compared",
     lambda: Changed(MULTIDEGREE, leq=lambda a, b: a.terms.keys() <= b.terms.keys())),
    ("text-round-trip", "text-forgets", "numbers above 3 are written 3",
     lambda: Changed(COUNTING, text=lambda a: str(min(a, 3)))),
    ("text-refused", "parse-anything", "what is no number is read as 0",
     lambda: Changed(COUNTING, parse=_parse_anything)),
    ("token-names", "names-unquoted", "names are set off by commas, and may have commas", Sources),
    ("token-annotates", "token-is-zero", "tokens are 0", lambda: Changed(COUNTING, token=lambda name: 0)),
    ("laws-claimed", "claims-too-much", "says that sums are idempotent",
     lambda: Changed(COUNTING, description=_claiming(COUNTING, "plus-idempotent", Law(True)))),
    ("laws-claimed", "wrong-counterexample", "a counterexample that is none",
     lambda: Changed(COUNTING, description=_claiming(COUNTING, "absorption", Law(False, ("0", "0"))))),
)  # fmt: skip


def _suite(make: Any) -> Any:
    # Numbers, where they are the elements: a token of ℕ is 1, and where 1 ⊕ 1 = 1 nothing else is ever drawn.
    return lambda: carrier_suite(made := make(), elements=st.integers(0, 4) if made.zero == 0 else None)


MUTANTS = tuple(Mutant(name, broken, "carrier_suite", law, _suite(make)) for law, name, broken, make in _ENTRIES)
