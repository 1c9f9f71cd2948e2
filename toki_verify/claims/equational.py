"""Proofs about carriers from the axioms of commutative semirings."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class EquationalProof:
    """A statement about every carrier."""

    id: str
    statement: str
