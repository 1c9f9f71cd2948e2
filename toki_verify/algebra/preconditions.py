"""Preconditions of operators: L = L_iso × L_cb, with policy pins and the schema axis beside it (TOKI 2026, §2.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

Iso = Literal["RC", "SI", "SR"]
ISO: Final[tuple[Iso, ...]] = ("RC", "SI", "SR")
#: L_schema, weaker first (TOKI 2026, §3.1).
Requirement = Literal["base", "audit-row"]
REQUIREMENTS: Final[tuple[Requirement, ...]] = ("base", "audit-row")


@dataclass(frozen=True, slots=True)
class Precondition:
    """What an operator asks of the schedule it runs in.

    `iso` and `cb` are its element of the product L = L_iso × L_cb. `pins` are the tables that must be serializable
    whatever `iso` is: they are no part of L (TOKI 2026, Theorem 4(4)). `schema` is its element of L_schema.
    """

    iso: Iso = "RC"
    cb: bool = False
    pins: frozenset[str] = frozenset()
    schema: Requirement = "audit-row"

    def join(self, other: Precondition) -> Precondition:
        """The least precondition above both, axis by axis; pins are gathered."""
        return Precondition(
            max(self.iso, other.iso, key=ISO.index),
            self.cb or other.cb,
            self.pins | other.pins,
            max(self.schema, other.schema, key=REQUIREMENTS.index),
        )

    def dominates(self, other: Precondition) -> bool:
        """Whether it asks for at least as much on every axis."""
        return self.join(other) == self

    @property
    def level(self) -> str:
        """Its element of L in words: `SI+cb`."""
        return f"{self.iso}+cb" if self.cb else self.iso

    def __str__(self) -> str:
        return "".join((self.level, *(f"+SR@{table}" for table in sorted(self.pins))))


def composite(steps: Iterable[Precondition]) -> Precondition:
    """The join of the preconditions of the steps of a pipeline (TOKI 2026, Theorem 4, Lemma 2); the least for none."""
    found = Precondition(schema="base")
    for step in steps:
        found = found.join(step)
    return found
