"""Mermaid text, for pages that render it: the conflict graph as a flowchart, the events as a sequence diagram."""

from __future__ import annotations

from ..events import Schedule
from ..explain.words import txn_name
from ..notation.printer import event_text
from ..verdict import Verdict
from .edges import arrows
from .issues import focus
from .plain import cut, visible


def mermaid(schedule: Schedule, verdict: Verdict | None = None) -> str:
    """A flowchart of the conflict graph: a node a committed transaction, parallel edges of one kind merged.

    With a verdict, the cycle of its first anomaly is red.
    """
    nodes = _nodes(schedule)
    shown = focus(verdict)
    edges = [a for a in arrows(schedule, shown.evidence if shown else None) if a.source in nodes and a.target in nodes]
    lines = ["flowchart LR"]
    lines += [f'  {node}["{escaped(txn_name(txn))}"]' for txn, node in nodes.items()]
    lines += [f'  {nodes[arrow.source]} -->|"{escaped(arrow.label)}"| {nodes[arrow.target]}' for arrow in edges]
    hot = [str(index) for index, arrow in enumerate(edges) if arrow.hot]
    if hot:
        lines.append(f"  linkStyle {','.join(hot)} stroke:#c1121f,stroke-width:2px,color:#c1121f")
    if not nodes:
        lines.append('  none["no committed transaction"]')
    return "\n".join(lines) + "\n"


def sequence(schedule: Schedule) -> str:
    """A sequence diagram: every event as a message from its transaction to the store, in time order."""
    nodes = {txn: f"t{position}" for position, txn in enumerate(schedule.resolved.txns)}
    lines = ["sequenceDiagram"]
    lines += [f"  participant {node} as {escaped(txn_name(txn))}" for txn, node in nodes.items()]
    lines.append("  participant store as store")
    lines += [
        f"  {nodes[event.txn]}->>store: {escaped(event_text(event, schedule.partitions))}" for event in schedule.events
    ]
    return "\n".join(lines) + "\n"


def _nodes(schedule: Schedule) -> dict[str, str]:
    resolved = schedule.resolved
    return {txn: f"t{position}" for position, txn in enumerate(resolved.txns) if txn in resolved.committed}


def escaped(text: str, limit: int = 80) -> str:
    """Text for a label: all of ASCII but letters, digits and blanks as an entity, since Mermaid reads the rest."""
    shown = cut(visible(text), limit)
    return "".join(c if c in " ," or not c.isascii() or c.isalnum() else f"#{ord(c)};" for c in shown)
