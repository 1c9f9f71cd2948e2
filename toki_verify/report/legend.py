"""The legend of a swim-lane picture: only what occurs in it, and what was left out."""

from __future__ import annotations

from .issues import Focus
from .layout import Layout
from .legs import Route
from .marks import figure
from .plain import columns, xml

_KINDS = {
    "begin": "begin",
    "read": "read",
    "predicate": "predicate read",
    "write": "write",
    "judge": "judge call",
    "callback": "callback",
    "commit": "commit",
    "abort": "abort",
}


def legend(
    plan: Layout, routes: list[Route], dropped: int, shown: Focus | None, width: float, top: float
) -> tuple[list[str], float]:
    """The legend's parts from `top` down, and the height of the picture."""
    present = {shape.kind for shape in plan.shapes}
    entries = [(kind, title) for kind, title in _KINDS.items() if kind in present]
    if shown is not None and any(shape.hot for shape in plan.shapes):
        cycle = "events and cycle" if shown.evidence.cycle else "events"
        entries.append(("hot", f"{cycle} of: {shown.heading}"))
    if any(not route.arrow.hot for route in routes):
        entries.append(("edge", "conflict"))
    if any(route.arrow.kind in ("rw", "prw") for route in routes):
        entries.append(("anti", "anti-dependency (rw, prw)"))
    if dropped:
        entries.append(("", f"{dropped} more conflicts are not drawn"))
    if plan.undrawn:
        entries.append(("", f"{plan.undrawn} more events are not drawn"))
    out, x, y = [], 24.0, top
    for kind, title in entries:
        need = 24 + columns(title) * 5.9 + 18
        if x > 24 and x + need > width - 16:
            x, y = 24.0, y + 22
        out.append(
            f'{_sample(kind, x + 9, y)}<text class="tv-small tv-dim" x="{x + (24 if kind else 0):.1f}" '
            f'y="{y + 4:.1f}">{xml(title)}</text>'
        )
        x += need
    return out, y + 24


def _sample(kind: str, x: float, y: float) -> str:
    if kind == "":
        return ""
    if kind in ("hot", "edge", "anti"):
        extra = {"hot": " tv-hot", "edge": "", "anti": " tv-anti"}[kind]
        return f'<path class="tv-edge{extra}" d="M{x - 9:.1f} {y:.1f}h18"/>'
    return figure(kind, x, y, f'class="tv-{kind}"', 18.0, 13.0)
