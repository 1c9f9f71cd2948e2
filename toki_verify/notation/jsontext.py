"""A JSON reader that knows where everything stands, refuses duplicate keys, and keeps the stated limits.

The standard library's reader keeps the last of two equal keys and forgets positions; ours is built from its parts
(`scanstring`) and returns nodes with offsets, so that an error can name line and column.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]

from ..events.limits import JSON_DEPTH, NUMBER_DIGITS
from ..events.values import JsonText, has_surrogate, json_text

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
#: The beginning of a number that is not 0: a digit that is none, before any exponent.
_NOT_ZERO = re.compile(r"[+-]?[0.]*[1-9]")
_SPACE = re.compile(r"[ \t\n\r]*")
SHOWN = 60
#: Levels of nesting that a document adds around a value: an array, a schedule, its events or init, an event or item.
_AROUND = 5
_CONSTANTS = {"true": True, "false": False, "null": None}

Scalar = str | int | float | bool | None


class JsonFault(ValueError):
    """A fault in a JSON text: the offset, what it is, what was expected."""

    def __init__(self, offset: int, what: str, expected: str, rule: str = "json") -> None:
        super().__init__(f"{what}, expected {expected}")
        self.offset, self.what, self.expected, self.rule = offset, what, expected, rule


@dataclass(slots=True)
class Node:
    """A JSON value with the offset at which it begins; for an object also the offsets of its keys."""

    value: dict[str, Node] | list[Node] | Scalar
    at: int
    keys: dict[str, int] = field(default_factory=dict)

    def plain(self) -> object:
        """The value without positions."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def text(self) -> JsonText:
        """The canonical JSON text of the value. Raises JsonFault for a value that is nested too deeply."""
        try:
            return json_text(self.plain())
        except ValueError as error:
            raise JsonFault(self.at, str(error), f"at most {JSON_DEPTH} levels", "limit-depth") from None

    def shown(self) -> str:
        """The value for messages, cut where it is long."""
        whole = repr(self.plain())
        return whole if len(whole) <= SHOWN else whole[: SHOWN - 1] + "…"

    def kind(self) -> str:
        """The JSON type in words."""
        if self.value is None:
            return "null"
        names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
        return names.get(type(self.value), "a number")


def parse_json(text: str, start: int = 0) -> Node:
    """The one JSON document that the text holds from `start` on. Raises JsonFault."""
    node, end = parse_value(text, start, -_AROUND)
    end = _skip(text, end)
    if end != len(text):
        raise JsonFault(end, f"{text[end]!r} after the end of the JSON value", "nothing more")
    return node


def parse_value(text: str, start: int, depth: int = 0) -> tuple[Node, int]:
    """The JSON value that begins at `start`, and the offset behind it. Raises JsonFault."""
    at = _skip(text, start)
    if depth > JSON_DEPTH:
        raise JsonFault(at, f"JSON nested more than {JSON_DEPTH} deep", f"at most {JSON_DEPTH} levels", "limit-depth")
    character = text[at : at + 1]
    if character == "{":
        return _object(text, at, depth)
    if character == "[":
        return _array(text, at, depth)
    if character == '"':
        value, end = _string(text, at)
        return Node(value, at), end
    number = NUMBER.match(text, at)
    if number:
        return Node(_number(number.group(), at), at), number.end()
    for word, constant in _CONSTANTS.items():
        if text.startswith(word, at):
            return Node(constant, at), at + len(word)
    found = "the end of the text" if not character else f"{text[at : at + 12]!r}"
    raise JsonFault(at, f"{found} where a JSON value should stand", "a JSON value")


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    assert match is not None
    return match.end()


def _string(text: str, at: int) -> tuple[str, int]:
    try:
        value, end = scanstring(text, at + 1, True)
    except json.JSONDecodeError as error:
        raise JsonFault(min(error.pos, len(text)), f"a broken string ({error.msg})", "a JSON string") from None
    if not value.isascii() and has_surrogate(value):
        raise JsonFault(at, "a string with a lone surrogate", "whole characters")
    return value, end


def _number(word: str, at: int) -> int | float:
    if len(word.lstrip("-")) > NUMBER_DIGITS:
        raise JsonFault(at, f"a number of {len(word)} characters", f"at most {NUMBER_DIGITS} digits", "limit-digits")
    if word.lstrip("-").isdigit():
        return int(word)
    value = float(word)
    if not math.isfinite(value):
        raise JsonFault(at, f"the number {word}, which is not finite here", "a number below 1.8e308", "limit-digits")
    if is_lost(word, value):
        what = f"the number {word[:SHOWN]}, which is 0 as a double"
        raise JsonFault(at, what, "0, or a number of at least 4.9e-324", "limit-digits")
    return value


def is_lost(word: str, value: float) -> bool:
    """Whether a number as written is not 0, and the double that it became is."""
    return value == 0 and _NOT_ZERO.match(word) is not None


def _object(text: str, at: int, depth: int) -> tuple[Node, int]:
    node = Node({}, at)
    members: dict[str, Node] = {}
    node.value = members
    position = _skip(text, at + 1)
    if text[position : position + 1] == "}":
        return node, position + 1
    while True:
        if text[position : position + 1] != '"':
            raise JsonFault(position, _found(text, position), 'a key in quotes or "}"')
        key, end = _string(text, position)
        if key in members:
            raise JsonFault(
                position, f"the key {key[:SHOWN]!r} stands twice in one object", "each key once", "duplicate-key"
            )
        node.keys[key] = position
        end = _skip(text, end)
        if text[end : end + 1] != ":":
            raise JsonFault(end, _found(text, end), '":"')
        members[key], end = parse_value(text, end + 1, depth + 1)
        end = _skip(text, end)
        if text[end : end + 1] == "}":
            return node, end + 1
        if text[end : end + 1] != ",":
            raise JsonFault(end, _found(text, end), '"," or "}"')
        position = _skip(text, end + 1)


def _array(text: str, at: int, depth: int) -> tuple[Node, int]:
    items: list[Node] = []
    position = _skip(text, at + 1)
    if text[position : position + 1] == "]":
        return Node(items, at), position + 1
    while True:
        item, end = parse_value(text, position, depth + 1)
        items.append(item)
        end = _skip(text, end)
        if text[end : end + 1] == "]":
            return Node(items, at), end + 1
        if text[end : end + 1] != ",":
            raise JsonFault(end, _found(text, end), '"," or "]"')
        position = _skip(text, end + 1)


def _found(text: str, at: int) -> str:
    return "the end of the text" if at >= len(text) else f"{text[at : at + 12]!r}"
