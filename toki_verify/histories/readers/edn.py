"""EDN, the notation of Clojure data, as far as Jepsen's histories use it: text -> nodes that know where they stand.

Maps, vectors, lists, sets, strings, keywords, symbols, numbers, characters, nil and booleans; commas are white space,
`;` begins a comment, `#_` leaves out the next form. A tagged map (`#jepsen.history.Op{…}`) is what it tags; any other
tagged form is no key and no value of a history, for only its tag knows which of them are equal (two texts may be one
`#inst`). Integers and decimals (`M`) are exact; other numbers are doubles, within their range. A map has each key once.
Nesting is limited to JSON_DEPTH levels. The tokens are found by one regular expression.
"""

from __future__ import annotations

import json
import math
import re
from typing import Final

from ...events.limits import JSON_DEPTH, NUMBER_DIGITS
from ...events.values import has_surrogate
from ...notation.jsontext import Node, is_lost
from .faults import Fault, shown
from .numbers import string_name


class Keyword(str):
    """A keyword, without its colon."""

    __slots__ = ()


class Colon(str):
    """A string that begins with a colon, which is not the keyword."""

    __slots__ = ()


class Symbol(str):
    """A symbol, a character or a set, as written: what no history has for a key or a value."""

    __slots__ = ()


class Tagged(Symbol):
    """A form with a tag that is no map, as written."""

    __slots__ = ()


class Exact(str):
    """A decimal (`0.10M`) as its digits and exponent (`1e-1M`): one text for each number."""

    __slots__ = ()


_TOKEN: Final = re.compile(
    r"""(?P<blank>(?:[\s,]+|;[^\n]*)+)
    |(?P<string>"(?:[^"\\\0]|\\[^\0])*+")
    |(?P<discard>\#_)
    |(?P<open>\#\{|[\[({])
    |(?P<close>[\])}])
    |(?P<tag>\#[A-Za-z][^\s,;"\[\](){}\0]*|\^)
    |(?P<atom>\\[^\0][^\s,;"\[\](){}\0]*|[^\s,;"\[\](){}\\\#\0][^\s,;"\[\](){}\0]*)""",
    re.VERBOSE | re.DOTALL,
)
_INTEGER: Final = re.compile(r"[+-]?[0-9]+N?")
_FLOAT: Final = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?(M?)")
_ZEROS: Final = re.compile(r"[+-]?0[0-9]")
_CLOSES: Final = {"{": "}", "[": "]", "(": ")", "#{": "}"}
OPEN_STRING: Final = "a string that does not end"
_CONSTANTS: Final = {"nil": None, "true": True, "false": False}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\\": "\\", '"': '"'}
#: What stands behind a backslash: as Clojure's reader of EDN has it, one or two octal digits end at what ends a word.
_ESCAPE: Final = re.compile(
    r"""\\(?:u(?P<hex>[0-9a-fA-F]{4})
    |(?P<octal>[0-3][0-7]{2}|[0-7]{1,2}(?=[\s,;^"()\[\]{}\\\#]|\Z))
    |(?P<letter>[ntrbf\\"])
    |(?P<other>u[0-9a-fA-F]{0,3}|[0-9]{1,3}|.))""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED: Final = (
    r"`n`, `t`, `r`, `b`, `f`, a backslash, `\"`, `u` and four hexadecimal digits, or octal digits up to 377"
)
#: A string up to a NUL in it, which no text holds: it stands for bytes that are no UTF-8, too (`blots`).
_BROKEN: Final = re.compile(r'"(?:[^"\\\0]|\\[^\0])*+\\?\0')


class Reader:
    """Reads forms of a text from an offset on, up to `end`."""

    def __init__(self, text: str, end: int | None = None) -> None:
        self.text, self.end = text, len(text) if end is None else end

    def token(self, at: int) -> tuple[str, int, int]:
        """The kind of the next token, where it begins and ends; "end" behind the last. Raises Fault."""
        while True:
            match = _TOKEN.match(self.text, at, self.end)
            if match is None:
                if at >= self.end:
                    return "end", self.end, self.end
                if (broken := _BROKEN.match(self.text, at, self.end)) is not None:
                    at = broken.end() - 1
                elif self.text[at] == '"':
                    raise Fault(at, OPEN_STRING, 'a closing `"`', "edn")
                raise Fault(at, shown(self.text[at : at + 12]), "an EDN form", "edn")
            if match.lastgroup != "blank":
                return str(match.lastgroup), at, match.end()
            at = match.end()

    def form(self, at: int, depth: int = 0) -> tuple[Node, int]:
        """The form that begins at an offset or behind it, and the offset behind it. Raises Fault."""
        kind, begin, after = self.token(at)
        tagged = -1
        while kind in ("discard", "tag"):
            if depth > JSON_DEPTH:
                raise self._deep(begin)
            if kind == "discard" or self.text[begin] == "^":
                after = self.form(after, depth + 1)[1]
            elif tagged < 0:
                tagged = begin
            kind, begin, after = self.token(after)
            depth += kind in ("discard", "tag")
        if kind == "end":
            raise Fault(begin, "the end of the text", "an EDN form", "edn")
        if kind == "close":
            raise Fault(begin, shown(self.text[begin:after]), "an EDN form", "edn")
        if kind == "open" and depth >= JSON_DEPTH:
            raise self._deep(begin)
        if kind == "open":
            node, after = self._collection(begin, after, depth)
        elif kind == "string":
            value = _unescape(self.text[begin + 1 : after - 1], begin + 1)
            node = Node(Colon(value) if value[:1] == ":" else value, begin)
        else:
            node = Node(_atom(self.text[begin:after], begin), begin)
        if tagged >= 0 and not isinstance(node.value, dict):
            node = Node(Tagged(self.text[tagged:after]), tagged)
        return node, after

    def _deep(self, at: int) -> Fault:
        return Fault(at, f"EDN nested more than {JSON_DEPTH} deep", f"at most {JSON_DEPTH} levels", "limit-depth")

    def _collection(self, begin: int, at: int, depth: int) -> tuple[Node, int]:
        opened = self.text[begin:at]
        closes = _CLOSES[opened]
        items: list[Node] = []
        while True:
            kind, place, after = self.token(at)
            if kind == "discard":
                at = self.form(after, depth + 1)[1]
                continue
            if kind == "close":
                if self.text[place] != closes:
                    raise Fault(place, shown(self.text[place]), f"`{closes}`", "edn")
                if opened == "#{":
                    return Node(Symbol(self.text[begin:after]), begin), after
                return (self._map(items, begin) if opened == "{" else Node(items, begin)), after
            if kind == "end":
                raise Fault(place, f"the end inside of `{opened}`", f"`{closes}`", "edn")
            item, at = self.form(place, depth + 1)
            items.append(item)

    def _map(self, items: list[Node], begin: int) -> Node:
        if len(items) % 2:
            raise Fault(items[-1].at, "a key without a value", "a map of keys and values", "edn")
        members: dict[str, Node] = {}
        node = Node(members, begin)
        for key, value in zip(items[::2], items[1::2], strict=True):
            name = _identity(key)
            if name in members:
                words = scalar_name(key.value) or shown(name[1:])
                raise Fault(key.at, f"the key {words} stands twice in one map", "each key once", "duplicate-key")
            members[name], node.keys[name] = value, key.at
        return node


def _identity(key: Node) -> str:
    """A text for the key of a map: the same for equal keys. It begins with a NUL for what is no name."""
    value = key.value
    if isinstance(value, dict):
        return "\0{" + ", ".join(sorted(f"{name} {_identity(member)}" for name, member in value.items())) + "}"
    if isinstance(value, list):
        return "\0[" + " ".join(map(_identity, value)) + "]"
    return scalar_name(value) or ("\0nil" if value is None else f"\0{value}")


def scalar_name(value: object) -> str | None:
    """The name of a value of EDN or JSON as a key or a value of a history; different for different ones. None: it can
    be none (nil, a collection, a symbol, half a character)."""
    if type(value) is int:
        return str(value)
    if isinstance(value, Keyword):
        return ":" + value
    if isinstance(value, Symbol) or value is None:
        return None
    if isinstance(value, Exact):
        return str(value)
    if isinstance(value, Colon):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, str):
        return None if has_surrogate(value) else string_name(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, float) else None


def _atom(word: str, at: int) -> str | int | float | bool | None:
    """The value of a word that stands at an offset. Raises Fault for a number that is none in EDN, or too long."""
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if word[0] == ":" and len(word) > 1:
        return Keyword(word[1:])
    found = _FLOAT.fullmatch(word.removesuffix("N") if _INTEGER.fullmatch(word) else word)
    if found is None:
        return Symbol(word)
    if len(word.lstrip("+-").rstrip("NM")) > NUMBER_DIGITS:
        what = f"a number of {len(word)} characters"
        raise Fault(at, what, f"at most {NUMBER_DIGITS} digits", "limit-digits")
    if _ZEROS.match(word):
        raise Fault(at, f"the number {shown(word)[1:-1]}", "a number without zeros before it", "edn")
    if _INTEGER.fullmatch(word):
        return int(word.rstrip("N"))
    if found[5]:
        return _exact(found)
    value = float(word)
    if not math.isfinite(value):
        what = f"the number {shown(word)[1:-1]}, which is not finite here"
        raise Fault(at, what, "a number below 1.8e308", "limit-digits")
    if is_lost(word, value):
        what = f"the number {shown(word)[1:-1]}, which is 0 as a double"
        raise Fault(at, what, "0, or a number of at least 4.9e-324", "limit-digits")
    return value


def _exact(found: re.Match[str]) -> Exact:
    """A decimal, by its sign, digits and exponent."""
    sign, whole, part, exponent, _ = found.groups()
    digits = (whole + (part or "")).lstrip("0")
    short = digits.rstrip("0")
    power = int(exponent or 0) - len(part or "") + len(digits) - len(short)
    if not short:
        return Exact("0M")
    return Exact(f"{'-' * (sign == '-')}{short}{f'e{power}' * (power != 0)}M")


def _unescape(text: str, at: int) -> str:
    """The characters of a string whose text begins at an offset. Raises Fault for an escape that is none, and for half
    a character."""
    if "\\" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        if match["other"]:
            raise Fault(at + match.start(), f"{shown(match['other'])} behind a backslash", _ESCAPED, "edn")
        if match["letter"]:
            return _ESCAPES[match["letter"]]
        return chr(int(match["hex"], 16) if match["hex"] else int(match["octal"], 8))

    value = _ESCAPE.sub(one, text)
    if has_surrogate(value):  # Java's characters have 16 bits, so that a character beyond them is written as a pair
        value = value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        if has_surrogate(value):
            raise Fault(at - 1, "a string with a lone surrogate", "whole characters", "edn")
    return value
