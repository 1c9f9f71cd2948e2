"""The guard map as text, Markdown and JSON: pure functions of its cells."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..claims.cells import Cell
from ..claims.guard_map import GuardMap
from ..jsonform import schedule_object
from .line import Line, line

MARKS = {"excluded": ("excluded", "green"), "admitted": ("admitted", "yellow"), "undecided": ("undecided", "red")}
LIMIT = 110


def _word(cell: Cell) -> tuple[str, str]:
    word, colour = MARKS[cell.verdict]
    if cell.agrees is False:
        return f"{word} !", "bold red"
    return word, colour


def guard_map_text(found: GuardMap, *, witnesses: bool = True) -> Iterator[Line]:
    """The table, who proved it, how it compares with the paper's, and the smallest schedule of every admitted row."""
    first = max(len("phenomenon"), *(len(name) for name in found.phenomena)) + 2
    widths = [max(len(level), len("undecided"), 11) + 2 for level in found.levels]
    yield line((f"Guard map, family {found.family}", "bold"))
    yield line()
    heads = zip(found.levels, widths, strict=True)
    yield line(("phenomenon".ljust(first), "bold"), *((level.ljust(width), "bold") for level, width in heads), "guard")
    for name in found.phenomena:
        row = [cell for cell in found.cells if cell.phenomenon == name]
        pieces = [(word.ljust(width), colour) for (word, colour), width in zip(map(_word, row), widths, strict=True)]
        guards = found.guards(name)
        yield line(name.ljust(first), *pieces, "?" if guards is None else " ".join(guards) or "none")
    yield line()
    by = sorted({" and ".join(cell.proved_by) for cell in found.cells if cell.verdict == "excluded"})
    if by:
        yield line(f"excluded: proved for schedules of every size, by {'; '.join(by)}")
    agreeing, said = found.agreeing
    if said:
        yield line(
            f"{agreeing} of {said} cells agree with the guard map of the TOKI paper"
            + ("" if agreeing == said else "; `!`: not")
        )
    if witnesses:
        yield line()
        yield line(("admitted: the smallest schedule, and the levels at which it is one", "bold"))
        for name, level, text in smallest_rows(found):
            yield line(f"  {name.ljust(first)}{level.ljust(max(widths))}{text}")
    for cell in found.cells:
        if cell.verdict == "undecided":
            yield line((f"  {cell.phenomenon} at {cell.level}: undecided: {cell.reason}", "red"))


def smallest_rows(found: GuardMap) -> Iterator[tuple[str, str, str]]:
    """For every phenomenon each different smallest schedule, with the levels at which it is one."""
    for name in found.phenomena:
        at: dict[str, list[str]] = {}
        for cell in found.cells:
            if cell.phenomenon == name and cell.witness is not None:
                about = [f"order {item.name}: {' '.join(labels)};" for item, labels in cell.witness.order.items()]
                about += [
                    f"init {item.name}0 in {' '.join(initial.predicates)};"
                    for item, initial in cell.witness.init.items()
                ]
                at.setdefault(" ".join([*about, str(cell.witness)]), []).append(cell.level)
        for text, levels in at.items():
            plain = [level for level in levels if "+cb" not in level] or levels
            yield name, " ".join(plain), text


def guard_map_markdown(found: GuardMap) -> str:
    """The table for a README; a cell that the paper has otherwise is marked."""
    lines = [
        f"| phenomenon | {' | '.join(found.levels)} | guard |",
        f"|---|{'---|' * len(found.levels)}---|",
    ]
    for name in found.phenomena:
        cells = [cell for cell in found.cells if cell.phenomenon == name]
        words = [f"**{cell.verdict}**" if cell.agrees is False else cell.verdict for cell in cells]
        guards = found.guards(name)
        lines.append(f"| {name} | {' | '.join(words)} | {'?' if guards is None else ' '.join(guards) or 'none'} |")
    agreeing, said = found.agreeing
    lines.append("")
    if said:
        lines.append(f"{agreeing} of {said} cells agree with the guard map of the TOKI paper (others are bold).")
        lines.append("")
    lines += ["| phenomenon | at | smallest schedule |", "|---|---|---|"]
    lines += [f"| {name} | {level} | `{text}` |" for name, level, text in smallest_rows(found)]
    return "\n".join(lines) + "\n"


def cell_data(cell: Cell) -> dict[str, object]:
    """A cell as NOTATION has it."""
    return {
        "phenomenon": cell.phenomenon,
        "level": cell.level,
        "verdict": cell.verdict,
        "proved_by": list(cell.proved_by) if cell.verdict == "excluded" else [],
        "witness": None if cell.witness is None else schedule_object(cell.witness),
        "agrees_with_seed": cell.agrees,
        "reason": cell.reason,
    }


def guard_map_json(maps: list[GuardMap]) -> str:
    """One object, or an array of one object a family."""
    data = [{"family": found.family, "cells": [cell_data(cell) for cell in found.cells]} for found in maps]
    return json.dumps(data[0] if len(data) == 1 else data, ensure_ascii=False, indent=1) + "\n"
