"""The audit-row schema (T2.*, P1.*, W.N3, Grid.schema)."""

from __future__ import annotations

from .model import Claim

CLAIMS: tuple[Claim, ...] = ()
