"""The smallest schedules of a guard map as schedules with names and expectations, for `schedules/tightness/`."""

from __future__ import annotations

from ..checker import check
from ..events import Expectation, Schedule
from .guard_map import GuardMap


def tightness_schedules(maps: list[GuardMap]) -> list[Schedule]:
    """One schedule per different smallest witness, named after its phenomenon and the first level where it is one."""
    out = []
    for found in maps:
        for name in found.phenomena:
            levels: dict[Schedule, list[str]] = {}
            for cell in found.cells:
                if cell.phenomenon == name and cell.witness is not None:
                    levels.setdefault(cell.witness, []).append(cell.level)
            for schedule, at in levels.items():
                out.append(_named(schedule, found.family, name, at))
    return out


def _named(schedule: Schedule, family: str, name: str, levels: list[str]) -> Schedule:
    plain = [level for level in levels if "+cb" not in level] or levels
    title = f"smallest-{name}-{plain[0]}" if family == "graph" else f"smallest-{name}-{family}-{plain[0]}"
    verdict = check(schedule)
    evidence = verdict.findings[name].evidence
    return Schedule(
        schedule.events,
        init=schedule.init,
        order=schedule.order,
        sessions=schedule.sessions,
        partitions=schedule.partitions,
        name=title,
        source=f"toki-verify matrix: the smallest schedule at {' and '.join(levels)} that shows {name}",
        note=None if evidence is None else evidence.text,
        expect=[
            Expectation("present", (name,)),
            Expectation("level", verdict.maximal("graph") or ("none",)),
        ],
    )
