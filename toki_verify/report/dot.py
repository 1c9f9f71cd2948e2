"""Graphviz text of the conflict graph."""

from __future__ import annotations

from ..events import Schedule
from ..explain.words import txn_name
from ..verdict import Verdict
from .edges import Arrow, arrows
from .issues import focus
from .plain import cut, visible


def dot(schedule: Schedule, verdict: Verdict | None = None) -> str:
    """A digraph of the committed transactions; the cycle of the first anomaly is red, anti-dependencies are dashed."""
    shown = focus(verdict)
    resolved = schedule.resolved
    nodes = {txn: f"t{position}" for position, txn in enumerate(resolved.txns) if txn in resolved.committed}
    edges = [
        arrow
        for arrow in arrows(schedule, shown.evidence if shown else None)
        if arrow.source in nodes and arrow.target in nodes
    ]
    hot = {end for arrow in edges if arrow.hot for end in (arrow.source, arrow.target)}
    lines = [f"digraph {escaped(schedule.name or 'schedule')} {{", "  rankdir=LR;"]
    if shown:
        lines.append(f"  label={escaped(f'{shown.heading}: {shown.evidence.text}', 240)}; labelloc=b;")
    lines.append('  node [shape=box, style=rounded, fontname="Helvetica"];')
    lines.append('  edge [fontname="Helvetica", fontsize=11, color=gray50];')
    lines += [
        f"  {node} [label={escaped(txn_name(txn))}{', color=red' if txn in hot else ''}];"
        for txn, node in nodes.items()
    ]
    lines += [
        f"  {nodes[arrow.source]} -> {nodes[arrow.target]} [label={escaped(arrow.label)}{_style(arrow)}];"
        for arrow in edges
    ]
    return "\n".join([*lines, "}"]) + "\n"


def _style(arrow: Arrow) -> str:
    dashed = ", style=dashed" if arrow.kind in ("rw", "prw") else ""
    return dashed + (", color=red, fontcolor=red, penwidth=2" if arrow.hot else "")


def escaped(text: str, limit: int = 80) -> str:
    """A quoted string: backslashes, quotes and the start of entities stand for themselves."""
    shown = cut(visible(text), limit).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
    return f'"{shown}"'
