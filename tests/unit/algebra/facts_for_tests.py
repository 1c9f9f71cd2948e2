"""Facts with short arguments, for the tests of the algebra."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from toki_verify.algebra import Fact


def day(number: int, *, aware: bool = False) -> datetime:
    """An instant by its number."""
    found = datetime(2026, 3, 1) + timedelta(number)
    return found.replace(tzinfo=UTC) if aware else found


def fact(name: str = "a", value: str = "x", valid: tuple[int, int] = (0, 10), at: int = 0, **columns: Any) -> Fact[int]:
    """A fact with provenance 1 unless said otherwise."""
    aware = columns.pop("aware", False)
    given: dict[str, Any] = {
        "fact_id": name,
        "subject": "alice",
        "predicate": "medication",
        "object": value,
        "valid_from": day(valid[0], aware=aware),
        "valid_to": day(valid[1], aware=aware),
        "system_time_start": day(at, aware=aware),
        "provenance": 1,
        **columns,
    }
    return Fact(**given)
