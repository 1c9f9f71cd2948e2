"""The quick ways in which names are read and judged say what the definitions say, character by character."""

from __future__ import annotations

import unicodedata
from itertools import product

from hypothesis import example, given
from hypothesis import strategies as st

from toki_verify.events.types import value_fault
from toki_verify.events.values import has_surrogate
from toki_verify.notation.cursor import Cursor
from toki_verify.notation.names import is_name_character, is_plain

#: Every kind of character: letters, digits and marks in and out of ASCII, punctuation, space, controls, a surrogate.
LETTERS = "aZ0_.-é٣\u0301²\u00aa\"' \t\n\0\u2028\ud800"


def plain_by_the_words(name: str) -> bool:
    """Letters, combining marks, decimal digits and `_ . -`; not only digits, not beginning with what joins."""
    return (
        name != ""
        and all(map(is_name_character, name))
        and name[0] not in "-."
        and unicodedata.category(name[0])[0] != "M"
        and not all(character.isdecimal() for character in name)
    )


def run_by_the_words(text: str) -> str:
    length = 0
    while length < len(text) and is_name_character(text[length]):
        length += 1
    return text[:length]


def check(text: str) -> None:
    assert is_plain(text) == plain_by_the_words(text)
    assert has_surrogate(text) == any(unicodedata.category(character) == "Cs" for character in text)
    if text[:1] != '"':
        cursor = Cursor(text)
        piece = cursor.piece()
        assert text[: cursor.at] == run_by_the_words(text)
        assert (piece is None) == (cursor.at == 0)


def test_every_short_name() -> None:
    for length in range(4):
        for characters in product(LETTERS, repeat=length):
            check("".join(characters))
    for code in range(128):
        check(chr(code))
        check(f"a{chr(code)}")


@given(st.text(st.sampled_from(LETTERS) | st.characters(), max_size=12))
def test_longer_names(text: str) -> None:
    check(text)


@given(st.text(st.sampled_from('0123456789.-e"\\u[]{}:, \ntrufals'), max_size=40))
@example("1" * 33)
@example("1" * 32)
@example('"' + "a" * 40 + '"')
def test_values_are_judged_alike_short_and_long(text: str) -> None:
    """A short value is looked at once; asked again, and as part of a long array, it is judged as it was."""
    first = value_fault(text)
    assert value_fault(text) == first
    if first is None:
        assert value_fault(f"[{text},{'1' * 40}]") is None
        assert value_fault(f"[{'1' * 40}, {text}]") is not None
