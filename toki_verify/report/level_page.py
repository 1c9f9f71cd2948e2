"""Level pages: what a level asks for, where it stands in its family."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from ..levels import Family, Level, families
from ..relations.printing import formula_text


def level_data(level: Level) -> dict[str, Any]:
    """Everything a page says."""
    group = families().get(level.family)
    known = group is not None and level in group.levels
    return {
        "id": level.full_id,
        "title": level.title,
        "family": group.title if group else level.family,
        "meaning": level.meaning,
        "formula": formula_text(level.formula),
        "above": [other.id for other in group.over(level)] if group and known else [],
        "below": sorted(_below(group, level)) if group and known else [],
        "shown_by": level.evidence.replace("_", " ") or "the absence of what it excludes",
        "source": level.source,
    }


def _below(group: Family, level: Level) -> set[str]:
    return group.under(level) - {level.id}


def level_text(level: Level, width: int = 100) -> str:
    """The page for the terminal."""
    data = level_data(level)
    lines = [f"{data['id']}  {data['title']}".rstrip(), f"family: {data['family']}", ""]
    for title, text in (
        ("holds iff", data["meaning"]),
        ("formula", data["formula"]),
        ("stronger", ", ".join(data["above"])),
        ("weaker", ", ".join(data["below"])),
        ("a yes is shown by", data["shown_by"]),
        ("source", data["source"]),
    ):
        if text:
            lines += [title, *wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def level_markdown(level: Level) -> str:
    """The page for the docs."""
    data = level_data(level)
    weaker = f" Stronger than {', '.join(data['below'])}." if data["below"] else ""
    return f"## {data['id']}: {data['title']}\n\n{data['meaning']}.{weaker}\n\n```\n{data['formula']}\n```\n"
