"""A hierarchy of levels as text, Markdown and JSON: every arrow with who proved it, every non-arrow with a schedule."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..jsonform import schedule_object
from ..search.hierarchy import Hierarchy, Relation
from .line import Line, line


def _by(relation: Relation) -> str:
    return f"through {relation.through}" if relation.through else f"proved by {' and '.join(relation.proved_by)}"


def hierarchy_text(order: Hierarchy, width: int) -> Iterator[Line]:
    """Which levels are the same, the arrows that do not follow from others, and a schedule for every non-arrow."""
    equal = [found for found in order.equal() if len(found) > 1]
    if equal:
        yield line(("The same schedules", "bold"))
        for found in equal:
            yield line("  " + " = ".join(found))
        yield line()
    yield line(("Every schedule at the one is at the other", "bold"))
    for stronger, weaker in order.covers():
        yield line(f"  {stronger} → {weaker}".ljust(44), (_by(order.relations[stronger, weaker]), "dim"))
    yield line()
    yield line(("A schedule at the one and not at the other", "bold"), (" (others follow)", "dim"))
    for relation in _heads(order):
        if relation.witness is not None and not order.follows(relation):
            text = _schedule(relation)
            yield line(f"  {relation.stronger} ↛ {relation.weaker}".ljust(44), text)
    for relation in order.undecided():
        yield line((f"undecided: {relation.stronger} and {relation.weaker}: {relation.reason}", "red"))


def _schedule(relation: Relation) -> str:
    schedule = relation.witness
    assert schedule is not None
    about = [f"order {item.name}: {' '.join(labels)};" for item, labels in schedule.order.items()]
    about += [f"session {name}: {' '.join(txns)};" for name, txns in schedule.sessions.items()]
    about += [f"init {item.name}0 in {' '.join(init.predicates)};" for item, init in schedule.init.items()]
    return " ".join([*about, str(schedule).replace("\n", " ")])


def _heads(order: Hierarchy) -> Iterator[Relation]:
    heads = [found[0] for found in order.equal()]
    for one in heads:
        for other in heads:
            if one != other:
                yield order.relations[one, other]


def hierarchy_markdown(order: Hierarchy) -> str:
    """A table: row implies column (✓), does not (a number of a schedule below), or undecided."""
    heads = [found[0] for found in order.equal()]
    schedules: dict[str, int] = {}
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    for one in heads:
        cells = []
        for other in heads:
            relation = order.relations.get((one, other))
            if relation is None:
                cells.append("=")
            elif relation.verdict == "implies":
                cells.append("→")
            elif relation.witness is not None:
                cells.append(str(schedules.setdefault(_schedule(relation), len(schedules) + 1)))
            else:
                cells.append("?")
        lines.append(f"| {one} | {' | '.join(cells)} |")
    lines.append("")
    lines += [f"{place}. `{text}`" for text, place in schedules.items()]
    return "\n".join(lines) + "\n"


def hierarchy_json(order: Hierarchy) -> str:
    """Every ordered pair."""
    data = {
        "levels": list(order.levels),
        "equal": order.equal(),
        "pairs": [
            {
                "stronger": relation.stronger,
                "weaker": relation.weaker,
                "verdict": relation.verdict,
                "proved_by": list(relation.proved_by),
                "through": relation.through or None,
                "witness": None if relation.witness is None else schedule_object(relation.witness),
                "reason": relation.reason,
            }
            for relation in order.relations.values()
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
