"""toki-verify: check transaction schedules and agent-memory traces for isolation anomalies, with evidence.

The public names; each is imported when it is first used, so that `import toki_verify` costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "Schedule": "events",
    "ScheduleError": "events",
    "Problem": "events",
    "check": "checker",
    "Verdict": "verdict",
    "load": "inputs",
    "parse_text": "notation",
    "print_schedule": "notation",
    "schedule_object": "jsonform",
    "phenomenon": "phenomena.catalogue",
    "catalogue": "phenomena.catalogue",
    "parse_spec": "levels",
    "families": "levels",
    "parse_levels": "levels.user",
}

if TYPE_CHECKING:
    from .checker import check as check
    from .events import Problem as Problem
    from .events import Schedule as Schedule
    from .events import ScheduleError as ScheduleError
    from .inputs import load as load
    from .jsonform import schedule_object as schedule_object
    from .levels import families as families
    from .levels import parse_spec as parse_spec
    from .levels.user import parse_levels as parse_levels
    from .notation import parse_text as parse_text
    from .notation import print_schedule as print_schedule
    from .phenomena.catalogue import catalogue as catalogue
    from .phenomena.catalogue import phenomenon as phenomenon
    from .verdict import Verdict as Verdict

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
