"""Level pages: what a level asks for, where it stands in its family."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from ..levels import Family, Level, families
from ..levels.spec import spec_parts
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
        "adds": [] if known else list(_added(level)),
        "formula": formula_text(level.formula),
        "above": [other.id for other in group.over(level)] if group and known else [],
        "below": sorted(_below(group, level)) if group and known else [],
        "shown_by": level.evidence.replace("_", " ") or "the absence of what it excludes",
        "source": level.source,
    }


def _added(level: Level) -> Iterator[str]:
    """What each part behind the first of a specification, and each pin, adds."""
    for place, part in enumerate(spec_parts(level.full_id)[1]):
        name = f"{'+' if place else ''}{part.name}"
        what = f"{part.level.id}, too"
        if part.level.id == "cb":
            what = (
                "the other axis of the lattice: CB must be absent, so every write `by await` comes after a read of the "
                "item and then a callback in its transaction; no level of the isolation axis speaks of callbacks"
            )
        if part.pin:
            where = part.pin if part.pin.startswith("partition(") else f"table {part.pin}"
            what = f"the condition of {part.level.id} over the accesses of {where} only"
        if place or part.pin:
            yield f"{name}: {what}"


def _below(group: Family, level: Level) -> set[str]:
    return group.under(level) - {level.id}


def level_text(level: Level, width: int = 100) -> str:
    """The page for the terminal."""
    data = level_data(level)
    lines = [f"{data['id']}  {data['title']}".rstrip(), f"family: {data['family']}", ""]
    for title, text in (
        ("holds iff", data["meaning"]),
        *(("adds" if place == 0 else "", text) for place, text in enumerate(data["adds"])),
        ("formula", data["formula"]),
        ("stronger", ", ".join(data["above"])),
        ("weaker", ", ".join(data["below"])),
        ("a yes is shown by", data["shown_by"]),
        ("source", data["source"]),
    ):
        if text:
            lines += [title] if title else []
            lines += [*wrap(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)]
    return "\n".join(lines) + "\n"


def level_markdown(level: Level) -> str:
    """The page for the docs."""
    data = level_data(level)
    weaker = f" Stronger than {', '.join(data['below'])}." if data["below"] else ""
    title = f": {data['title']}" if data["title"] else ""
    adds = "".join(f"- {text}\n" for text in data["adds"]) + ("\n" if data["adds"] else "")
    return f"## {data['id']}{title}\n\n{data['meaning']}.{weaker}\n\n{adds}```\n{data['formula']}\n```\n"
