"""The bounds of searches, and what is said of one that makes no sense."""

from __future__ import annotations

#: The most that can sensibly be asked for: (least, most) per bound.
BOUNDS = {
    "events": (1, 14),
    "transactions": (1, 6),
    "items": (0, 6),
    "predicates": (0, 3),
    "limit": (1, 100_000),
    "jobs": (1, 64),
}


class Unfit(ValueError):
    """A search that was asked for and makes no sense: what is wrong, and what was expected."""

    def __init__(self, what: str, expected: str) -> None:
        self.what, self.expected = what, expected
        super().__init__(f"{what}, expected {expected}")


def within(name: str, value: int, *, least: int | None = None) -> int:
    """The value, if it is within the bounds of its name. Raises Unfit."""
    low, high = BOUNDS[name]
    low = low if least is None else least
    if not low <= value <= high:
        raise Unfit(f"{value} {name}", f"{low} to {high}")
    return value
