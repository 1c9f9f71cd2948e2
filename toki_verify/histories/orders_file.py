"""A file that states version orders: JSON, of each key the values in the order in which they were installed.

Either one object `{"x": [1, 2], "y": [3]}`, or objects one after another (JSON Lines), each like that, or
`{"key": "x", "order": [1, 2]}`. What the keys and values are says `orders_stated`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import orjson

from ..notation.jsontext import JsonFault, Node, parse_value
from .readers.faults import Fault, Faults, Text
from .readers.jepsen import kind_of
from .readers.json_source import find_repeated, objects

EXPECTED: Final = '{"x": [1, 2], "y": [3]}, or {"key": "x", "order": [1, 2]} a line'
RULE: Final = "stated-order"
#: Strings, and whether one is a key of an object.
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*+"(\s*:)?')


@dataclass(frozen=True)
class Entry:
    """An order as it stands in the file: the key and the values as JSON; the offset of the object, and the name under
    which it has the values. `named`: the key stands as a value, under "key", so a number there is one."""

    key: object
    values: list[object]
    at: int
    name: str
    named: bool


@dataclass
class OrderFile:
    """The entries of a file. Faults are collected in `faults`; `fault` adds one that stands in an entry."""

    text: Text
    faults: Faults
    _parsed: tuple[int, Node] | None = field(default=None, repr=False)

    def entries(self) -> Iterator[Entry]:
        """Each order; what is none is a fault."""
        for at, plain in self._objects():
            if not isinstance(plain, dict):
                self.faults.add(Fault(at, kind_of(plain), EXPECTED, RULE))
                continue
            named = "key" in plain and not isinstance(plain["key"], list)
            if named and set(plain) != {"key", "order"}:
                shown = ", ".join(map(repr, plain))[:60]
                self.faults.add(Fault(at, f"an object with {shown}", EXPECTED, RULE))
                continue
            for name, values in plain.items():
                if name == "key" and named:
                    continue
                if isinstance(values, list):
                    yield Entry(plain["key"] if named else name, values, at, name, named)
                else:
                    what = f"{kind_of(values)} as an order"
                    self.faults.add(Fault(self._node(at, name).at, what, "an array of values", RULE))
            if self.faults.over:
                return

    def _objects(self) -> list[tuple[int, object]]:
        """Each object of the file with its offset."""
        text = self.text.text
        found: list[tuple[int, object]] = []
        try:
            if self.text.inexact or not text.lstrip().startswith("{"):
                raise ValueError
            found.append((len(text) - len(text.lstrip()), orjson.loads(text)))
        except ValueError:
            found.extend(objects(self.text, self.faults, ()))
        if not found and not self.faults.found:
            self.faults.add(Fault(0, "a file without any order", EXPECTED, RULE), fatal=True)
        keys = sum(len(one) for _, one in found if isinstance(one, dict))
        if not self.faults.found and sum(one.group(1) is not None for one in _STRING.finditer(text)) > keys:
            find_repeated(self.text.text, [at for at, _ in found], self.faults)
        return found

    def fault(self, entry: Entry, place: int | None, what: str, expected: str) -> None:
        """Something is wrong with the value at a place of the entry; with its key, where `place` is None; with what it
        does not have, where `place` is -1."""
        self.faults.add(Fault(self.offset(entry, place), what, expected, RULE))

    def offset(self, entry: Entry, place: int | None = -1) -> int:
        """Where that stands."""
        if place is None:
            whole = self._whole(entry.at)
            return self._node(entry.at, "key").at if entry.named else whole.keys.get(entry.name, whole.at)
        node = self._node(entry.at, entry.name)
        inner = node.value
        return inner[place].at if isinstance(inner, list) and 0 <= place < len(inner) else node.at

    def _node(self, at: int, name: str) -> Node:
        """The member of an object that begins at an offset."""
        whole = self._whole(at)
        return whole.value.get(name, whole) if isinstance(whole.value, dict) else whole

    def _whole(self, at: int) -> Node:
        """The object that begins at an offset, with positions."""
        if self._parsed is None or self._parsed[0] != at:
            try:
                self._parsed = (at, parse_value(self.text.text, at)[0])
            except JsonFault as fault:
                return Node(None, fault.offset)
        return self._parsed[1]
