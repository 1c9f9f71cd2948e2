"""What shows a phenomenon: places in the arrays of the trace."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Found:
    """The accesses that show a phenomenon, by their places in the trace: the reads and writes on its edges."""

    accesses: tuple[int, ...]


def found(*accesses: object) -> Found:
    """A Found of these accesses, each once; negative ones (no access) are left out."""
    return Found(tuple(dict.fromkeys(int(a) for a in accesses if int(a) >= 0)))  # type: ignore[call-overload]
