"""Polynomials over ℕ as texts: `p1+2*p2*t1`, `x^2`. What `prov` clauses of schedules accept is read, within limits."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from ..errors import UnparsableElement
from .texts import NAME, NUMBER_DIGITS, Unprintable, composed, excerpt, numeral, offset, printable, small_enough

#: A product of powers: names with positive exponents, sorted by name. `()` is 1.
Monomial = tuple[tuple[str, int], ...]

#: Terms of one text.
MONOMIALS: Final = 100_000
#: Digits of an exponent.
EXPONENT_DIGITS: Final = 9

_TOP_EXPONENT: Final = 10**EXPONENT_DIGITS - 1
_FACTOR: Final = rf" *+(?:[0-9]{{1,{NUMBER_DIGITS}}}+|{NAME}(?:\^[0-9]{{1,{EXPONENT_DIGITS}}}+)?+) *+"
#: Possessive throughout: linear, and no state kept for each repetition. `_fault` says where a text fails it.
_WHOLE: Final = re.compile(rf"{_FACTOR}(?:[+*]{_FACTOR})*+")
_ONE: Final = re.compile(_FACTOR)
_DIGITS: Final = frozenset("0123456789")
_PRODUCTS: Final = f"a coefficient of at most {NUMBER_DIGITS} digits, exponents of at most {EXPONENT_DIGITS}"
_EXPECTED: Final = "a natural number or a name with an optional power, like p1+2*p2*t1 or x^2"


def parse_terms(text: str) -> dict[Monomial, int]:
    """The monomials of a text with their positive coefficients. Raises UnparsableElement."""
    whole = composed(text)
    if whole.count("+") >= MONOMIALS:
        raise UnparsableElement(f"a sum of {whole.count('+') + 1} terms", f"at most {MONOMIALS}")
    if not _WHOLE.fullmatch(whole):
        what, expected, at = _fault(whole)
        raise UnparsableElement(what, expected, offset(text, at))
    # Spaces stand around operators only, as was just matched.
    found: dict[Monomial, int] = {}
    terms = whole.replace(" ", "").split("+")
    for number, term in enumerate(terms):
        coefficient, monomial = _term(term)
        if coefficient < 0:
            what = f"a number that is too big in the product {excerpt(term)}"
            raise UnparsableElement(what, _PRODUCTS, offset(text, _begin(whole, number)))
        found[monomial] = found.get(monomial, 0) + coefficient
    if not all(found.values()):
        found = {monomial: coefficient for monomial, coefficient in found.items() if coefficient}
    if not small_enough(max(found.values(), default=0)):
        raise UnparsableElement("coefficients that add up", f"at most {NUMBER_DIGITS} digits")
    return found


def _term(term: str) -> tuple[int, Monomial]:
    """The coefficient and the monomial of a product without spaces; coefficient -1 beyond the limits."""
    coefficient = 1
    powers: dict[str, int] = {}
    plain = "^" not in term
    for factor in term.split("*"):
        if factor[0] in _DIGITS:
            coefficient *= int(factor)
            if not small_enough(coefficient):
                return -1, ()
        elif plain:
            powers[factor] = powers.get(factor, 0) + 1
        else:
            name, _, power = factor.partition("^")
            powers[name] = powers.get(name, 0) + int(power or "1")
            if powers[name] > _TOP_EXPONENT:
                return -1, ()
    if plain:
        return coefficient, tuple(sorted(powers.items()))
    return coefficient, tuple(sorted((name, power) for name, power in powers.items() if power))


def _begin(text: str, number: int) -> int:
    """Where a term of a text begins."""
    terms = text.split("+")
    return sum(len(term) + 1 for term in terms[:number]) + len(terms[number]) - len(terms[number].lstrip(" "))


def _fault(text: str) -> tuple[str, str, int]:
    """What is wrong first in a text that is no polynomial, what is expected, and where."""
    at = 0
    while (factor := _ONE.match(text, at)) and factor.end() < len(text) and text[factor.end()] in "+*":
        at = factor.end() + 1
    begins = len(text) - len(text[at:].lstrip(" "))
    at = factor.end() if factor else begins
    rest = text[at:]
    if not text.strip(" "):
        return "an empty text", f"a polynomial: {_EXPECTED} (0 for none)", 0
    if factor:
        return _after(factor.group(), rest, at)
    if rest[:1] in ("", "+", "*"):
        kind = "factor" if "*" in (rest[:1], text[:at].rstrip(" ")[-1:]) else "term"
        return f"an empty {kind}", _EXPECTED, at
    if rest[0] == "-":
        return excerpt(rest), "coefficients that are natural numbers: polynomials have no negative ones", at
    return excerpt(rest), _EXPECTED, at


def _after(factor: str, rest: str, at: int) -> tuple[str, str, int]:
    """What is wrong after a factor that is none of `+`, `*` and the end."""
    if factor[-1] in _DIGITS and rest[0] in _DIGITS:
        if "^" in factor:
            return "an exponent that is too big", f"at most {EXPONENT_DIGITS} digits", at - EXPONENT_DIGITS
        return "a coefficient that is too big", f"at most {NUMBER_DIGITS} digits", at - NUMBER_DIGITS
    if rest[0] == "^" and factor[-1] != " " and "^" not in factor:
        if factor.strip(" ")[0] in _DIGITS:
            return excerpt(rest), "no power of a number: + or * or the end", at
        return f"the exponent {excerpt(rest, 1)}", "an exponent that is a natural number", at + 1
    if rest[0] == "-":
        return excerpt(rest), "+ or * or the end: polynomials have no differences", at
    return excerpt(rest), "+ or * or the end", at


def monomial_text(monomial: Monomial, coefficient: int = 1) -> str:
    """`2*p2*t1`, `x^2`, `1`."""
    if any(power > _TOP_EXPONENT for _, power in monomial):
        raise Unprintable("an exponent beyond the limit", f"at most {EXPONENT_DIGITS} digits")
    powers = [name if power == 1 else f"{name}^{power}" for name, power in monomial]
    return "*".join([numeral(coefficient), *powers] if coefficient != 1 or not powers else powers)


def terms_text(terms: Mapping[Monomial, int]) -> str:
    """The one text of a polynomial: terms of low degree first, then as their names are ordered; `0` for none.

    Raises Unprintable for what `parse_terms` would refuse.
    """
    if len(terms) > MONOMIALS:
        raise Unprintable(f"a sum of {len(terms)} terms", f"at most {MONOMIALS}")
    ordered = sorted(terms.items(), key=lambda term: (sum(power for _, power in term[0]), term[0]))
    return printable("+".join(monomial_text(*term) for term in ordered) or "0")
