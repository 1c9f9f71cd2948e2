"""What the texts of elements share: names, exact numbers, offsets, limits."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final
from unicodedata import is_normalized, normalize

from ..errors import AlgebraError, UnparsableElement, shown

#: Characters of the text of one element.
TEXT_LENGTH: Final = 1_000_000
#: Digits of one number: a coefficient, a count, a numerator, a denominator.
NUMBER_DIGITS: Final = 1_000
_TOO_BIG: Final = 10**NUMBER_DIGITS
#: A token: what `prov` clauses of schedules call a name.
NAME: Final = r"[^\W\d][\w.]*"
_NAME = re.compile(NAME)
_NATURAL = re.compile(r"[0-9]+")
_RATIONAL = re.compile(r"([0-9]+)(?:/([0-9]+)|\.([0-9]+))?")


class Unprintable(AlgebraError):
    """An element that has no text within the limits of texts."""


class NotAnElement(AlgebraError):
    """A value that is no element of the carrier: its text would be that of another, or could not be read back."""


def require_text(text: object) -> str:
    """Raises UnparsableElement for what is no text at all."""
    if not isinstance(text, str):
        raise UnparsableElement(shown(text), "a text")
    return text


def excerpt(text: str, at: int = 0) -> str:
    """A piece of a text for a message."""
    piece = text[at : at + 21]
    return repr(piece) if len(piece) <= 20 else f"{piece[:20]!r}…"


def token_name(name: str) -> str:
    """A token's name in NFC. Raises UnparsableElement for what is none."""
    found = normalize("NFC", require_text(name))
    if not _NAME.fullmatch(found):
        raise UnparsableElement(f"the token {excerpt(name)}", "a letter or _, then letters, digits, _ and dots")
    return found


def is_token_name(name: object) -> bool:
    """Whether a token may be called so, as it stands: in NFC."""
    return isinstance(name, str) and bool(_NAME.fullmatch(name)) and (name.isascii() or is_normalized("NFC", name))


def composed(text: str) -> str:
    """A text in NFC. Raises UnparsableElement for one that is too long."""
    if len(require_text(text)) > TEXT_LENGTH:
        raise UnparsableElement(f"a text of {len(text)} characters", f"at most {TEXT_LENGTH}")
    return text if text.isascii() else normalize("NFC", text)


def printable(text: str) -> str:
    """A text that `composed` takes. Raises Unprintable for others."""
    if len(text) > TEXT_LENGTH:
        raise Unprintable(f"a text of {len(text)} characters", f"at most {TEXT_LENGTH}")
    return text


def offset(text: str, at: int) -> int:
    """Where in a text that is which is at an offset of its NFC; the begin of the word, where that was composed.

    No character of ASCII punctuation in `{}+*,` and no space is composed with what stands before it.
    """
    begins = 0
    for piece in re.findall(r"[^{}+*, ]+|[{}+*, ]", text):
        length = len(normalize("NFC", piece))
        if at < length:
            return begins + at if length == len(piece) else begins
        at -= length
        begins += len(piece)
    return begins


def small_enough(number: int) -> bool:
    """Whether a natural number is within the limit."""
    return number < _TOO_BIG


def numeral(number: int) -> str:
    """The digits of a natural number. Raises Unprintable beyond the limit (which is below that of `int`)."""
    if not small_enough(number):
        raise Unprintable("a number beyond the limit", f"at most {NUMBER_DIGITS} digits")
    return str(number)


def _digits(text: str, at: int) -> int:
    if len(text) > NUMBER_DIGITS:
        raise UnparsableElement(f"a number of {len(text)} digits", f"at most {NUMBER_DIGITS}", at)
    return int(text)


def natural(text: str, expected: str = "a natural number") -> int:
    """The natural number that a text is, but for spaces around it. Raises UnparsableElement."""
    digits = _matched(_NATURAL, text, expected).group()
    return _digits(digits, len(text) - len(text.lstrip(" ")))


def rational(text: str, expected: str) -> Fraction:
    """The number from 0 that a text is: `3`, `3/4` or `0.75`, but for spaces around it. Raises UnparsableElement."""
    found = _matched(_RATIONAL, text, expected)
    whole, below, decimals = (found.group(group) or "" for group in (1, 2, 3))
    begins = len(text) - len(text.lstrip(" "))
    if decimals:
        return Fraction(_digits(whole + decimals, begins), 10 ** len(decimals))
    numerator = _digits(whole, begins)
    denominator = _digits(below, begins + len(whole) + 1) if below else 1
    if not denominator:
        raise UnparsableElement("a denominator of zero", expected, begins + len(whole) + 1)
    return Fraction(numerator, denominator)


def _matched(pattern: re.Pattern[str], text: str, expected: str) -> re.Match[str]:
    """The match of all of a text but the spaces around it; else UnparsableElement at what does not fit."""
    require_text(text)
    begins, ends = len(text) - len(text.lstrip(" ")), len(text.rstrip(" "))
    found = pattern.match(text, begins)
    if found is None or found.end() < ends:
        at = begins if found is None else found.end()
        raise UnparsableElement(excerpt(text, at) if at < ends else "no text", expected, at if at < ends else 0)
    return found


def fraction_text(number: Fraction) -> str:
    """`3` or `3/4`: the one text of a number."""
    above = numeral(number.numerator)
    return above if number.denominator == 1 else f"{above}/{numeral(number.denominator)}"
