"""How one event of a swim-lane picture is drawn."""

from __future__ import annotations

from .layout import BOX, MARKS, Shape
from .plain import xml


def mark(shape: Shape, top: float) -> str:
    """The event: a labelled box, or a mark with its label beneath; the whole event as a tooltip."""
    hot = " tv-hot" if shape.hot else ""
    kind = f'class="tv-{shape.kind}{hot}"'
    y = top + BOX / 2
    if shape.kind in MARKS:
        drawn = figure(shape.kind, shape.x, y, kind)
        low = top + BOX + 5
        text = f'<text class="tv-note tv-mid tv-dim" x="{shape.x:.1f}" y="{low:.1f}">{xml(shape.label)}</text>'
    else:
        drawn = figure(shape.kind, shape.x, y, kind, shape.width, BOX)
        text = f'<text class="tv-event tv-mid tv-text" x="{shape.x:.1f}" y="{y + 4:.1f}">{xml(shape.label)}</text>'
    return f"<g><title>event {shape.event}: {xml(shape.text)}</title>{drawn}{text}</g>"


def figure(kind: str, x: float, y: float, attributes: str, width: float = 16.0, height: float = 14.0) -> str:
    """The figure of a kind, with its middle at x, y."""
    if kind in ("begin", "commit"):
        radius = 4.5 if kind == "begin" else 6.5
        return f'<circle {attributes} cx="{x:.1f}" cy="{y:.1f}" r="{radius}"/>'
    if kind == "abort":
        return f'<path {attributes} d="M{x - 5:.1f} {y - 5:.1f}l10 10m0 -10l-10 10"/>'
    if kind == "judge":
        return f'<path {attributes} d="M{x:.1f} {y - 8:.1f}l8 8l-8 8l-8 -8z"/>'
    radius = height / 2 if kind == "callback" else 5
    dashes = ' stroke-dasharray="4 2"' if kind == "predicate" else ""
    return (
        f'<rect {attributes}{dashes} x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" width="{width:.1f}" '
        f'height="{height:.1f}" rx="{radius:.1f}"/>'
    )
