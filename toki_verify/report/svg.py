"""Swim lanes as SVG: a lane a transaction, time from left to right, conflicts as arrows, the evidence in red."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from textwrap import wrap

from ..events import Schedule
from ..notation.printer import print_schedule
from ..verdict import Verdict
from .curves import arrow, labels
from .edges import Arrow, arrows
from .issues import Focus, focus
from .layout import BOX, Lane, Layout, layout
from .legend import legend
from .legs import settle
from .marks import mark
from .plain import columns, cut, listed, visible, xml
from .routes import Router
from .style import STYLE

#: Narrowest picture, and the widest text in it.
NARROW, MEASURE = 660.0, 900.0


def svg(schedule: Schedule, verdict: Verdict | None = None) -> str:
    """The picture. It highlights the evidence of the first anomaly, or what refutes the weakest refuted level."""
    shown = focus(verdict)
    found = [_between(arrow, schedule) for arrow in arrows(schedule, shown.evidence if shown else None, by_event=True)]
    hot = {event for arrow in found if arrow.hot for event in arrow.events}
    plan = layout(schedule, hot | set(shown.evidence.events if shown else ()))
    router = Router(plan)
    routes = router.run(found)
    width = max(plan.width, NARROW, *(leg.room[1] + 12 for route in routes for leg in route.legs))
    head, y = _header(schedule, shown, _others(verdict, shown), width)
    tops = []
    for number, lane in enumerate(plan.lanes):
        lane.top = y
        tops.append(y)
        y += BOX + (router.height(number) if number + 1 < len(plan.lanes) else 0)
    foot, height = legend(plan, routes, router.dropped, shown, width, y + 36)
    body = [*(_lane(lane, width) for lane in plan.lanes), *_axis(plan, tops[0])]
    settle(routes, tops)
    written = list(labels(routes))
    for hot_ones in (False, True):
        body += [arrow(route) for route in routes if route.arrow.hot is hot_ones]
        body += [text for route, text in written if route.arrow.hot is hot_ones]
    body += [mark(shape, plan.lanes[shape.lane].top) for shape in plan.shapes]
    return _document(schedule, shown, width, height, [*head, *body, *foot])


def _between(arrow: Arrow, schedule: Schedule) -> Arrow:
    """A start or session edge, which no two events make, leads from one transaction's end to the other's start."""
    resolved = schedule.resolved
    if arrow.events or arrow.source not in resolved.end:
        return arrow
    return replace(arrow, events=(resolved.end[arrow.source], resolved.start[arrow.target]))


def _document(schedule: Schedule, shown: Focus | None, width: float, height: float, body: list[str]) -> str:
    key = "tv" + sha256(print_schedule(schedule).encode()).hexdigest()[:8]
    told = (
        f"{shown.heading}. {shown.evidence.text}"
        if shown
        else (f"{len(schedule.events)} events of {len(schedule.resolved.txns)} transactions.")
    )
    return (
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
                f'viewBox="0 0 {width:.0f} {height:.0f}" role="img" '
                f'aria-labelledby="{key}-t" aria-describedby="{key}-d">',
                f'<title id="{key}-t">{xml(schedule.name or "schedule")}</title>',
                f'<desc id="{key}-d">{xml(told)}</desc>',
                f"<style>{STYLE}</style>",
                f'<rect class="tv-page" width="{width:.0f}" height="{height:.0f}" rx="10"/>',
                *body,
                "</svg>",
            ]
        )
        + "\n"
    )


def _others(verdict: Verdict | None, shown: Focus | None) -> str:
    """The ids of the other anomalies."""
    found = [finding.phenomenon for finding in verdict.anomalies()] if verdict is not None else []
    ids = [entry.id for entry in found if shown is None or not shown.heading.startswith(f"{entry.id} ")]
    return f"also present: {listed(ids, 12)}" if ids else ""


def _header(schedule: Schedule, shown: Focus | None, others: str, width: float) -> tuple[list[str], float]:
    """Name, heading and the evidence in words; and where the first lane may stand."""
    measure = int((min(width, MEASURE) - 48) / 6.5)
    out, y = [], 24.0
    if schedule.name is not None:
        y += 10
        out.append(f'<text class="tv-title tv-text" x="24" y="{y:.0f}">{xml(cut(visible(schedule.name), 60))}</text>')
        y += 24
    if shown is not None:
        out.append(
            f'<text class="tv-head tv-alarm" x="24" y="{y:.0f}">{xml(shown.heading)}'
            f'<tspan class="tv-small tv-dim" dx="12">{xml(others)}</tspan></text>'
        )
        text = visible(shown.evidence.text)
        lines = wrap(text, max(20, int(measure * len(text) / columns(text))), max_lines=4, placeholder=" …")
        for line in lines:
            y += 18
            out.append(f'<text class="tv-prose tv-text" x="24" y="{y:.0f}">{xml(line)}</text>')
    return out, y + 40


def _axis(plan: Layout, top: float) -> list[str]:
    """The number of each event, above the first lane."""
    out = [f'<text class="tv-small tv-dim" x="20" y="{top - 13:.1f}">event</text>']
    return out + [
        f'<text class="tv-note tv-mid {"tv-alarm tv-strong" if shape.hot else "tv-dim"}" x="{shape.x:.1f}" '
        f'y="{top - 13:.1f}">{shape.event}</text>'
        for shape in plan.shapes
    ]


def _lane(lane: Lane, width: float) -> str:
    middle = lane.top + BOX / 2
    how, y = (
        ("", middle + 5)
        if lane.end == "committed"
        else (f'<tspan class="tv-small tv-dim" x="20" dy="13">{lane.end}</tspan>', middle)
    )
    return (
        f'<rect class="tv-lane" x="8" y="{lane.top - 8:.1f}" width="{width - 16:.1f}" height="{BOX + 16}" rx="8"/>'
        f'<path class="tv-life" d="M{lane.first:.1f} {middle:.1f}H{lane.last:.1f}"/>'
        f'<text class="tv-head tv-text" x="20" y="{y:.1f}">{xml(lane.name)}{how}</text>'
    )
