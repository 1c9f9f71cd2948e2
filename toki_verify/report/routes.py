"""Paths for the arrows of a swim-lane picture: between the lanes, past the boxes, no two labels on one spot.

The room between two lanes is a channel of tracks. An arrow bends out of its box into a track and out of the track into
the next box; a lane in between is passed where it is free.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .edges import Arrow
from .layout import BOX, Layout, Shape
from .plain import columns

#: Distance of tracks, room above and below them; pixels of one column of a label; width of a bend.
TRACK, MARGIN, COLUMN, BEND = 20.0, 20.0, 6.6, 44.0
#: How many arrows beside the highlighted ones are drawn at most, and how many tracks they may fill.
FAINT, TRACKS = 48, 6


@dataclass
class Leg:
    """The part of a route in one channel: from x at one side to x at the other, on a track."""

    channel: int
    start: float
    end: float
    track: int = 0
    label: str = ""


@dataclass
class Route:
    """An arrow and its legs, from source to target."""

    arrow: Arrow
    down: bool
    legs: list[Leg]


@dataclass
class Router:
    """Places routes; `tracks` are the occupied intervals by channel and track."""

    plan: Layout
    tracks: dict[int, list[list[tuple[float, float]]]] = field(default_factory=dict)
    passed: dict[int, list[float]] = field(default_factory=dict)
    dropped: int = 0

    def run(self, arrows: Iterable[Arrow]) -> list[Route]:
        """The routes of the arrows whose events are drawn: the hot ones, then the shortest ones that find room."""
        shapes = {shape.event: shape for shape in self.plan.shapes}
        known = [arrow for arrow in arrows if all(event in shapes for event in arrow.events) and arrow.events]
        hot = [arrow for arrow in known if arrow.hot]
        faint = sorted((arrow for arrow in known if not arrow.hot),
                       key=lambda arrow: abs(arrow.events[0] - arrow.events[1]))
        self.dropped = max(0, len(faint) - FAINT)
        chosen = [*hot, *faint[:FAINT]]
        ports = _ports(chosen, shapes)
        routes = []
        for number, arrow in enumerate(chosen):
            one, other = (shapes[event] for event in arrow.events)
            route = self._route(arrow, one, other, ports[number, 0], ports[number, 1])
            if self._place(route):
                routes.append(route)
            else:
                self.dropped += 1
        return routes

    def height(self, channel: int) -> float:
        """How high a channel must be."""
        return 2 * MARGIN + TRACK * max(0, len(self.tracks.get(channel, [])) - 1)

    def _route(self, arrow: Arrow, one: Shape, other: Shape, start: float, end: float) -> Route:
        down = one.lane < other.lane
        channels = range(one.lane, other.lane) if down else range(one.lane - 1, other.lane - 1, -1)
        xs = [start]
        for step, channel in enumerate(list(channels)[:-1], start=1):
            lane = channel + 1 if down else channel
            xs.append(self._passage(lane, start + (end - start) * step / len(channels)))
        xs.append(end)
        legs = [Leg(channel, a, b) for channel, a, b in zip(channels, xs, xs[1:], strict=True)]
        max(legs, key=lambda leg: abs(leg.end - leg.start)).label = arrow.label
        return Route(arrow, down, legs)

    def _passage(self, lane: int, wanted: float) -> float:
        """The x nearest to the wanted one where the lane can be passed."""
        taken = [(shape.left - 7, shape.right + 7) for shape in self.plan.shapes if shape.lane == lane]
        taken += [(x - 6, x + 6) for x in self.passed.get(lane, [])]
        places = [wanted, *(edge for span in taken for edge in span)]
        free = [x for x in places if not any(a < x < b for a, b in taken) and x > self.plan.left - 12]
        found = min(free, key=lambda x: abs(x - wanted))
        self.passed.setdefault(lane, []).append(found)
        return found

    def _place(self, route: Route) -> bool:
        chosen = []
        for leg in route.legs:
            low, high = sorted((leg.start, leg.end))
            half = columns(leg.label) * COLUMN / 2 + 7 if leg.label else 0.0
            middle = (low + high) / 2
            span = (min(low - 7, middle - half), max(high + 7, middle + half))
            tracks = self.tracks.setdefault(leg.channel, [])
            fitting = (n for n, track in enumerate(tracks) if all(b <= span[0] or span[1] <= a for a, b in track))
            leg.track = next(fitting, len(tracks))
            if leg.track >= TRACKS and not route.arrow.hot:
                return False
            chosen.append((tracks, leg.track, span))
        for tracks, track, span in chosen:
            if track == len(tracks):
                tracks.append([])
            tracks[track].append(span)
        return True


def _ports(arrows: list[Arrow], shapes: dict[int, Shape]) -> dict[tuple[int, int], float]:
    """Where each arrow leaves and enters: spread over the side of the box, in the order of the other ends."""
    sides: dict[tuple[int, bool], list[tuple[float, int, int]]] = {}
    for number, arrow in enumerate(arrows):
        one, other = (shapes[event] for event in arrow.events)
        sides.setdefault((one.event, one.lane < other.lane), []).append((other.x, number, 0))
        sides.setdefault((other.event, other.lane < one.lane), []).append((one.x, number, 1))
    out = {}
    for (event, _), ends in sides.items():
        shape = shapes[event]
        room = max(shape.width - 18, 0.0)
        step = min(15.0, room / max(1, len(ends) - 1))
        for place, (_, number, end) in enumerate(sorted(ends)):
            out[number, end] = shape.x + (place - (len(ends) - 1) / 2) * step
    return out


def path(route: Route, tops: list[float], tips: tuple[float, float]) -> tuple[str, list[tuple[float, float]]]:
    """SVG path data, and the middle of the track of every leg. `tops` are the lanes' tops; `tips` the y of both ends."""
    data, middles, y = [f"M{route.legs[0].start:.1f} {tips[0]:.1f}"], [], tips[0]
    for leg in route.legs:
        track = tops[leg.channel] + BOX + MARGIN + TRACK * leg.track
        last = leg is route.legs[-1]
        below = tops[leg.channel + 1] if route.down else tops[leg.channel] + BOX
        end = tips[1] if last else below
        bend = min(BEND, abs(leg.end - leg.start) / 2) * (1 if leg.end >= leg.start else -1)
        data.append(f"Q{leg.start:.1f} {track:.1f} {leg.start + bend:.1f} {track:.1f}H{leg.end - bend:.1f}"
                    f"Q{leg.end:.1f} {track:.1f} {leg.end:.1f} {end:.1f}")
        middles.append(((leg.start + leg.end) / 2, track))
        if not last:
            y = tops[leg.channel + 1] + BOX if route.down else tops[leg.channel]
            data.append(f"V{y:.1f}")
    return "".join(data), middles
