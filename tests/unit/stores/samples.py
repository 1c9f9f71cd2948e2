"""Facts for the tests of stores."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from toki_verify.algebra.carriers import carrier
from toki_verify.algebra.facts import Fact

CARRIER = carrier("multidegree")
T0 = datetime(2024, 1, 1)
END = datetime(9999, 12, 31)
#: Texts that break careless quoting, encoding and prefix tests.
TEXTS = ("", "'", '"; DROP TABLE agent_memory; --', "a\nb\r\n\t", "nul\0inside", "é", "e\u0301", "😀", "\uffff", "%_\\")


def at(hours: float) -> datetime:
    return T0 + timedelta(hours=hours)


def fact(
    name: str, value: str = "", *, start: float = 0, valid: tuple[float, float | None] = (0, None), **more: Any
) -> Fact[Any]:
    """A fact about (s, p); `start` is its system time, `valid` its valid period, in hours from T0."""
    first, last = valid
    more.setdefault("provenance", CARRIER.token(f"w{name}" if name.isalnum() else "w"))
    more.setdefault("valid_to", None if last is None else at(last))
    return Fact(
        fact_id=name,
        subject=more.pop("subject", "s"),
        predicate=more.pop("predicate", "p"),
        object=value or name,
        valid_from=at(first),
        system_time_start=more.pop("system_time_start", at(start)),
        **more,
    )


def in_utc(found: Fact[Any]) -> Fact[Any]:
    """The same fact with a time zone."""
    columns = ("valid_from", "valid_to", "system_time_start", "system_time_end")
    from dataclasses import replace

    return replace(found, **{column: getattr(found, column).replace(tzinfo=UTC) for column in columns})
