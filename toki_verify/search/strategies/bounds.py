"""Checks of the arguments of strategies."""

from hypothesis.errors import InvalidArgument


class BoundsError(InvalidArgument, ValueError):
    """Arguments of a strategy that make no sense; Hypothesis's InvalidArgument, and a ValueError too."""


def check_range(name: str, value: object, least: int, most: int, bound: str | None = None) -> None:
    """A whole number within bounds; `bound` names the argument that gives the upper one. Raises BoundsError."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise BoundsError(f"{name} must be a whole number, not {value!r}")
    if not least <= value <= most:
        upper = f"{most} ({bound})" if bound else f"{most}"
        raise BoundsError(f"{name} must be {least} to {upper}, not {value}")


def check_switch(name: str, value: object, *, none: bool = False) -> None:
    """True or False (or None). Raises BoundsError."""
    if not (isinstance(value, bool) or (none and value is None)):
        raise BoundsError(f"{name} must be True{', False or None' if none else ' or False'}, not {value!r}")
