"""JSON values as immutable canonical text, so that values compare, hash and print in one way.

A value is kept as its canonical JSON text: keys sorted, no spaces, integral numbers written as integers (so 1.0 and 1
are the same vote, while 1, "1" and true are three).
"""

from __future__ import annotations

import json
import math

from .limits import JSON_DEPTH, NUMBER_DIGITS

#: A type alias for readability: the canonical JSON text of a value.
JsonText = str


def has_surrogate(text: str) -> bool:
    """Whether the text holds a lone surrogate, which no UTF-8 output can carry."""
    return not text.isascii() and any(0xD800 <= ord(character) <= 0xDFFF for character in text)


def _normal(value: object, depth: int) -> object:
    if depth > JSON_DEPTH:
        raise ValueError(f"a value nested more than {JSON_DEPTH} deep")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("a number that is not finite")
        return int(value) if value.is_integer() and abs(value) < 1e21 else value
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        if abs(value) >= 10**NUMBER_DIGITS:
            raise ValueError(f"a number of more than {NUMBER_DIGITS} digits")
        return value
    if isinstance(value, str):
        if has_surrogate(value):
            raise ValueError("a string with a lone surrogate")
        return value
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str) or has_surrogate(key):
                raise ValueError("a key that is not a string of whole characters")
        return {key: _normal(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_normal(item, depth + 1) for item in value]
    raise ValueError(f"a value of type {type(value).__name__}")


def json_text(value: object) -> JsonText:
    """The canonical JSON text of a Python value.

    Raises ValueError, with a phrase that completes "the value is …", for what JSON cannot carry: infinities, lone
    surrogates, other types, more nesting or digits than the limits allow.
    """
    return json.dumps(_normal(value, 0), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def json_value(text: JsonText) -> object:
    """The Python value of a canonical JSON text."""
    return json.loads(text)


def shown(text: JsonText, limit: int = 60) -> str:
    """A value for messages: the canonical text, cut at `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
