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

from ...events.limits import JSON_DEPTH
from ...events.values import has_surrogate
from ...notation.jsontext import Node
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
    |(?P<string>"(?:[^"\\]|\\.)*+")
    |(?P<discard>\#_)
    |(?P<open>\#\{|[\[({])
    |(?P<close>[\])}])
    |(?P<tag>\#[A-Za-z][^\s,;"\[\](){}]*|\^)
    |(?P<atom>\\.[^\s,;"\[\](){}]*|[^\s,;"\[\](){}\\\#][^\s,;"\[\](){}]*)""",
    re.VERBOSE | re.DOTALL,
)
_INTEGER: Final = re.compile(r"[+-]?[0-9]+N?")
_FLOAT: Final = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?(M?)")
_ZEROS: Final = re.compile(r"[+-]?0[0-9]")
_CLOSES: Final = {"{": "}", "[": "]", "(": ")", "#{": "}"}
OPEN_STRING: Final = "a string that does not end"
_CONSTANTS: Final = {"nil": None, "true": True, "false": False}
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


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
                if self.text[at] == '"':
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
            value = _unescape(self.text[begin + 1 : after - 1])
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
    """The value of a word that stands at an offset. Raises Fault for a number that is none in EDN."""
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if word[0] == ":" and len(word) > 1:
        return Keyword(word[1:])
    found = _FLOAT.fullmatch(word.removesuffix("N") if _INTEGER.fullmatch(word) else word)
    if found is None:
        return Symbol(word)
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
    if value == 0 and (found[2] + (found[3] or "")).strip("0"):
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


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text

    def one(match: re.Match[str]) -> str:
        code = match.group(1)
        return chr(int(code[1:], 16)) if len(code) == 5 else _ESCAPES.get(code, code)

    return _ESCAPE.sub(one, text)
