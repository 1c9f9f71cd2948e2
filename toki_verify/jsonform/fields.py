"""Typed access to the fields of a JSON object, with faults that say where."""

from __future__ import annotations

from ..events.limits import NAME_LENGTH
from ..events.names import normal_name
from ..events.provenance import polynomial_fault
from ..events.values import JsonText
from ..notation.jsontext import JsonFault, Node


class Fields:
    """The members of one JSON object, taken out one by one; what is left over is unknown and kept."""

    def __init__(self, node: Node, what: str) -> None:
        if not isinstance(node.value, dict):
            raise JsonFault(node.at, f"{node.kind()} as {what}", "an object", "json-form")
        self.node, self.what = node, what
        self.members = node.value
        self.taken: set[str] = set()

    def get(self, key: str) -> Node | None:
        """The member, or None if it is absent or null."""
        self.taken.add(key)
        node = self.members.get(key)
        return None if node is None or node.value is None else node

    def need(self, key: str) -> Node:
        node = self.get(key)
        if node is None:
            raise JsonFault(self.node.at, f"{self.what} without {key!r}", f"the key {key!r}", "json-form")
        return node

    def fault(self, node: Node, key: str, expected: str) -> JsonFault:
        return JsonFault(node.at, f"{node.kind()} as {key!r} of {self.what}", expected, "json-form")

    def name(self, key: str) -> str:
        """A required name."""
        return self.as_name(self.need(key), key)

    def name_or_none(self, key: str) -> str | None:
        node = self.get(key)
        return None if node is None else self.as_name(node, key)

    def as_name(self, node: Node, key: str) -> str:
        return name_of(node, key, self.what)

    def text_or_none(self, key: str) -> str | None:
        node = self.get(key)
        if node is None:
            return None
        if not isinstance(node.value, str):
            raise self.fault(node, key, "a string")
        return node.value

    def polynomial(self, key: str) -> str | None:
        """An optional provenance polynomial; white space in it means nothing."""
        node, text = self.get(key), self.text_or_none(key)
        if node is None or text is None:
            return None
        polynomial = "".join(text.split())
        wrong = polynomial_fault(polynomial)
        if wrong:
            raise JsonFault(node.at, wrong, "sums of products of numbers and names, such as p1+2*p2*t1", "provenance")
        return polynomial

    def flag(self, key: str) -> bool:
        node = self.get(key)
        if node is None:
            return False
        if not isinstance(node.value, bool):
            raise self.fault(node, key, "true or false")
        return node.value

    def items(self, key: str) -> list[Node]:
        """An optional array."""
        node = self.get(key)
        if node is None:
            return []
        if not isinstance(node.value, list):
            raise self.fault(node, key, "an array")
        return node.value

    def mapping(self, key: str) -> list[tuple[str, int, Node]]:
        """An optional object: keys, where they stand, values."""
        node = self.get(key)
        if node is None:
            return []
        if not isinstance(node.value, dict):
            raise self.fault(node, key, "an object")
        return [(name, node.keys[name], value) for name, value in node.value.items()]

    def value_or_none(self, key: str) -> JsonText | None:
        """Any JSON value; null is a value, only absence is None."""
        self.taken.add(key)
        node = self.members.get(key)
        return None if node is None else node.text()

    def rest(self) -> tuple[tuple[str, JsonText], ...]:
        """The members that were not asked for."""
        return tuple((key, node.text()) for key, node in self.members.items() if key not in self.taken)


def name_of(node: Node, key: str, what: str) -> str:
    """The name that a node holds: a string, or a natural number in its decimal digits."""
    value = node.value
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return str(value)
    if not isinstance(value, str):
        raise JsonFault(node.at, f"{node.kind()} as {key!r} of {what}", "a string", "json-form")
    if not value or len(value) > NAME_LENGTH:
        raise JsonFault(node.at, f"{key!r} of {len(value)} characters", f"1 to {NAME_LENGTH} characters", "limit-name")
    if "\0" in value:
        raise JsonFault(node.at, f"{key!r} with a NUL character", "a name without NUL", "name")
    return normal_name(value)
