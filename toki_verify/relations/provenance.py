"""The natural order of provenance texts: multilinear polynomials over ℕ, coefficient by coefficient (SEMANTICS §3, §7).

This is the order ⪯ of the default carrier, `algebra.MULTILINEAR`, said again where formulas are read, which may not
import the algebra; `tests/agreement/test_provenance.py` holds the two against each other. Another carrier has another
order: `Concrete(schedule, below=…)` takes it, on texts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from unicodedata import normalize

#: Whether the provenance of the one text is ⪯ that of the other.
Below = Callable[[str, str], bool]
#: Monomials, as sets of variables, with their positive coefficients.
Terms = Mapping[frozenset[str], int]
#: Digits that are read at once: Python refuses to convert longer texts.
_DIGITS = 4000


@lru_cache(maxsize=1 << 16)
def terms(text: str) -> Terms:
    """The polynomial that a text of NOTATION says, with x² = x.

    The text is one that `events.provenance.polynomial_fault` has nothing against, as in every schedule.
    """
    found: dict[frozenset[str], int] = {}
    for term in normalize("NFC", text).split("+"):
        coefficient, variables = 1, set()
        for factor in term.split("*"):
            name, _, power = factor.strip().partition("^")
            if name[0].isdigit():
                coefficient *= _natural(name)
            elif power.strip("0") or not power:
                variables.add(name)
        if coefficient:
            monomial = frozenset(variables)
            found[monomial] = found.get(monomial, 0) + coefficient
    return found


def _natural(digits: str) -> int:
    value = 0
    for place in range(0, len(digits), _DIGITS):
        part = digits[place : place + _DIGITS]
        value = value * 10 ** len(part) + int(part)
    return value


def below(one: str, other: str) -> bool:
    """one ⪯ other: some polynomial added to the one makes the other; no coefficient of the one is above the other's."""
    if one == other:
        return True
    above = terms(other).get
    return all(coefficient <= above(monomial, 0) for monomial, coefficient in terms(one).items())


def all_above(texts: Collection[str], order: Below = below) -> dict[str, list[str]]:
    """For each of several different texts those ⪰ it. In the default order only texts with a common monomial are
    compared (all with 0), so that versions with variables of their own cost nothing."""
    if order is not below:
        return {text: [other for other in texts if order(text, other)] for text in texts}
    holding: dict[frozenset[str], list[str]] = {}
    for text in texts:
        for monomial in terms(text):
            holding.setdefault(monomial, []).append(text)
    found: dict[str, list[str]] = {}
    for text in texts:
        near = min((holding[monomial] for monomial in terms(text)), key=len, default=texts)
        found[text] = [other for other in near if below(text, other)]
    return found


def variables(text: str) -> frozenset[str]:
    """The names that a text mentions, so that a fresh one is none of them."""
    return frozenset(
        factor.partition("^")[0] for term in normalize("NFC", text).split("+") for factor in term.split("*")
    )
