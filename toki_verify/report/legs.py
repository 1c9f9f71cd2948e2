"""The parts of an arrow in a swim-lane picture: a leg for each room between two lanes that it crosses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .edges import Arrow
from .layout import BOX
from .plain import columns

#: Distance of tracks, room above and below them; pixels of one column of a label; width of a bend.
TRACK, MARGIN, COLUMN, BEND = 20.0, 25.0, 6.6, 44.0


def label_width(label: str) -> float:
    """Pixels a label takes with the room around it."""
    return columns(label) * COLUMN + 8


@dataclass
class Leg:
    """The part of a route in one channel: from x at one side to x at the other, on a track.

    `a`, `y` and `b` are the heights where it starts, of its track and where it ends, when the lanes stand.
    """

    channel: int
    start: float
    end: float
    track: int = 0
    label: str = ""
    a: float = 0.0
    y: float = 0.0
    b: float = 0.0

    @property
    def bend(self) -> float:
        """How far, and to which side, the bends out of and into the track reach."""
        return min(BEND, abs(self.end - self.start) / 2) * (1 if self.end >= self.start else -1)

    @property
    def room(self) -> tuple[float, float]:
        """The interval of the track that the leg takes and its label, which stands on it, or beside a steep one."""
        low, high = sorted((self.start, self.end))
        wide = label_width(self.label) if self.label else 0.0
        return (low - 7, high + 7) if high - low >= wide + 10 else (low - wide - 10, high + wide + 10)


@dataclass
class Route:
    """An arrow and its legs, from source to target."""

    arrow: Arrow
    down: bool
    legs: list[Leg]


def settle(routes: Iterable[Route], tops: list[float]) -> None:
    """Give every leg its heights, now that the lanes stand at `tops`."""
    for route in routes:
        for leg in route.legs:
            upper, lower = tops[leg.channel] + BOX, tops[leg.channel + 1]
            leg.y = upper + MARGIN + TRACK * leg.track
            leg.a, leg.b = (upper, lower) if route.down else (lower, upper)
