"""The arrows of a swim-lane picture: their lines, their points, and where their labels stand."""

from __future__ import annotations

from collections.abc import Iterator

from ..explain.words import txn_name
from .legs import Leg, Route, label_width
from .plain import xml

#: Length of an arrow's point: of a highlighted one, of the others.
TIP = (8.0, 6.5)


def arrow(route: Route) -> str:
    """The line and the point of an arrow; the point touches the box."""
    hot, end, last = route.arrow.hot, route.legs[-1].end, route.legs[-1]
    size = (TIP[0] if hot else TIP[1]) * (-1 if route.down else 1)
    tip = last.b + (-1 if route.down else 1)
    data = f"M{route.legs[0].start:.1f} {route.legs[0].a:.1f}"
    for leg in route.legs:
        b = tip + size * 0.8 if leg is last else leg.b
        data += "" if leg is route.legs[0] else f"V{leg.a:.1f}"
        data += (
            f"Q{leg.start:.1f} {leg.y:.1f} {leg.start + leg.bend:.1f} {leg.y:.1f}H{leg.end - leg.bend:.1f}"
            f"Q{leg.end:.1f} {leg.y:.1f} {leg.end:.1f} {b:.1f}"
        )
    dashed = " tv-anti" if route.arrow.kind in ("rw", "prw") else ""
    line, point = f"tv-edge{' tv-hot' if hot else ''}{dashed}", "tv-hot-tip" if hot else "tv-tip"
    half = abs(size) / 2
    said = f"{txn_name(route.arrow.source)} → {txn_name(route.arrow.target)}: {route.arrow.label}"
    return (
        f'<g><title>{xml(said)}</title><path class="{line}" d="{data}"/><path class="{point}" '
        f'd="M{end:.1f} {tip:.1f}l{-half:.1f} {size:.1f}h{2 * half:.1f}z"/></g>'
    )


def labels(routes: list[Route]) -> Iterator[tuple[Route, str]]:
    """The label of each route, on its track where the fewest bends of other arrows run through it."""
    bends: dict[int, list[tuple[Leg, float, float]]] = {}
    for route in routes:
        for leg in route.legs:
            bends.setdefault(leg.channel, []).extend((leg, x, y) for x, y in _bends(leg))
    for route in routes:
        for leg in route.legs:
            if leg.label:
                yield route, _label(route, leg, bends[leg.channel])


def _bends(leg: Leg) -> Iterator[tuple[float, float]]:
    """Points on the two bends."""
    for x, y, bend in ((leg.start, leg.a, leg.bend), (leg.end, leg.b, -leg.bend)):
        for t in (n / 8 for n in range(9)):
            yield x + bend * t * t, (1 - t) ** 2 * y + (2 * t - t * t) * leg.y


def _label(route: Route, leg: Leg, bends: list[tuple[Leg, float, float]]) -> str:
    half = label_width(leg.label) / 2
    near = [x for other, x, y in bends if other is not leg and abs(y - leg.y) < 11]
    x = min(_places(leg, half), key=lambda place: sum(abs(x - place) < half + 2 for x in near))
    colour = "tv-alarm tv-strong" if route.arrow.hot else "tv-dim"
    return (
        f'<rect class="tv-page" x="{x - half + 2:.1f}" y="{leg.y - 8:.1f}" width="{2 * half - 4:.1f}" height="16" '
        f'rx="4"/><text class="tv-label tv-mid {colour}" x="{x:.1f}" y="{leg.y + 4:.1f}">{xml(leg.label)}</text>'
    )


def _places(leg: Leg, half: float) -> list[float]:
    """Where the middle of a label may stand, the best first: on the track, or beside a leg too steep for that."""
    low, high = sorted((leg.start, leg.end))
    if high - low < 2 * half + 10:
        return [high + half + 5, *([low - half - 5] if low - 2 * half > 12 else [])]
    middle, reach = (low + high) / 2, (high - low) / 2 - half
    steps = [n * 9.0 for n in range(int(reach / 9) + 1)]
    return [middle + sign * step for step in steps for sign in (1, -1)]
