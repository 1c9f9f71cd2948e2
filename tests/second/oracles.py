"""Schedules judged by the brute-force oracle of `tests/agreement`, which knows none of the formulas."""

from __future__ import annotations

from functools import cache

from tests.agreement.oracle import LEVELS, PHENOMENA, Facts, Region
from toki_verify.events import Schedule


@cache
def facts(text: str) -> Facts:
    """What the oracle has of a schedule."""
    return Facts(Schedule.parse(text))


def is_at(found: Facts, spec: str, family: str = "graph") -> bool:
    """Whether a schedule is at a level: `SI`, `SI+cb`, `SI+SR@policy`."""
    for part in spec.split("+"):
        level, _, table = part.partition("@")
        inside = found.within(Region(table, None)) if table else found
        decide = LEVELS["graph" if level == "cb" else family, level]
        if not decide(inside):
            return False
    return True


def at(text: str, spec: str, family: str = "graph") -> bool:
    """Whether the schedule of a text is at a level."""
    return is_at(facts(text), spec, family)


def shows(text: str, name: str) -> bool:
    """Whether the schedule of a text shows a phenomenon."""
    return PHENOMENA[name](facts(text)) is True
