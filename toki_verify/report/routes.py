"""Paths for the arrows of a swim-lane picture: between the lanes, past the boxes, no two labels on one spot.

The room between two lanes is a channel of tracks. An arrow bends out of its box into a track and out of the track into
the next box; a lane in between is passed where it is free.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from .edges import Arrow
from .layout import Layout, Shape
from .legs import MARGIN, TRACK, Leg, Route

#: How many arrows beside the highlighted ones are drawn at most, and how many tracks they may fill.
FAINT, TRACKS = 48, 6


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
        faint = sorted(
            (arrow for arrow in known if not arrow.hot), key=lambda arrow: abs(arrow.events[0] - arrow.events[1])
        )
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
        self._untangle(routes)
        return routes

    def height(self, channel: int) -> float:
        """How high a channel must be."""
        tracks = len(self.tracks.get(channel, []))
        return 2 * MARGIN + TRACK * (tracks - 1) if tracks else MARGIN

    def _route(self, arrow: Arrow, one: Shape, other: Shape, start: float, end: float) -> Route:
        down = one.lane < other.lane
        channels = range(one.lane, other.lane) if down else range(one.lane - 1, other.lane - 1, -1)
        xs = [start]
        for step, channel in enumerate(list(channels)[:-1], start=1):
            lane = channel + 1 if down else channel
            xs.append(self._passage(lane, start + (end - start) * step / len(channels)))
        xs.append(end)
        legs = [Leg(channel, *ends) for channel, ends in zip(channels, pairwise(xs), strict=True)]
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

    def _untangle(self, routes: list[Route]) -> None:
        """Order the tracks of a channel: long arrows down on top and long arrows up at the bottom cross the least."""
        for channel, tracks in self.tracks.items():
            weights = [0.0] * len(tracks)
            legs = [(leg, route.down) for route in routes for leg in route.legs if leg.channel == channel]
            for leg, down in legs:
                weights[leg.track] += abs(leg.end - leg.start) * (-1 if down else 1)
            order = sorted(range(len(tracks)), key=lambda track: weights[track])
            for leg, _ in legs:
                leg.track = order.index(leg.track)

    def _place(self, route: Route) -> bool:
        chosen = []
        for leg in route.legs:
            span = leg.room
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
