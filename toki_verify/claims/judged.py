"""Schedules that a claim names as evidence: whether they are at a level, and what they show, by the definitions."""

from __future__ import annotations

from ..events import Schedule
from ..levels import parse_spec
from ..phenomena.catalogue import phenomenon
from ..relations.concrete import Concrete


def at(text: str, level: str) -> bool:
    """Whether a schedule is at a level."""
    return Concrete(Schedule.parse(text)).holds(parse_spec(level).formula) is True


def shows(text: str, name: str) -> bool:
    """Whether a schedule shows a phenomenon."""
    return Concrete(Schedule.parse(text)).holds(phenomenon(name).formula) is True


def yes(found: bool) -> str:
    """A word for whether something is so."""
    return "yes" if found else "no"
